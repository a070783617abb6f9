#!/bin/sh
# Queries the workers: `sh ask.sh sql "SELECT ..."`, `sh ask.sh hours last week`. The audit log is kept in a volume.
set -eu
cd "$(dirname "$0")"
mount() {
    echo "--volume=./certificates/$1:/certificates/$1:ro"
}
exec podman run --rm --read-only --tmpfs=/tmp --network=fleet_default --env-file=ask.env \
    --volume=fleet_exports:/exports:ro --volume=fleet_record:/record \
    "$(mount authority.pem)" "$(mount asker.pem)" "$(mount asker.key)" dayledger-fleet "$@"
