#!/bin/sh
# Builds the image `localhost/dayledger-fleet` with the program: `sh image.sh PROGRAM`. Needs podman, or docker as `BUILDER=docker`.
set -eu
program=$1
here=$(cd "$(dirname "$0")" && pwd)
trusted=/etc/ssl/certs/ca-certificates.crt
if ldd "$program" | grep 'not found'; then
    echo "this machine lacks what the program is linked with: build it here, or on one like it" >&2
    exit 1
fi
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
install -D "$program" "$root/dayledger-fleet"
for library in $(ldd "$program" | grep -o '/[^ ]*'); do
    install -D "$library" "$root$library"
done
# Certificate authorities for connections to storage.
install -D -m 644 "$trusted" "$root$trusted"
# The local time zone.
install -D -m 644 "$(readlink -f /etc/localtime)" "$root/etc/localtime"
mkdir "$root/tmp" "$root/exports" "$root/certificates" "$root/record"
"${BUILDER:-podman}" build --quiet --tag localhost/dayledger-fleet --file "$here/Containerfile" "$root"
