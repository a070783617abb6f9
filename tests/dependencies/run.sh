#!/usr/bin/env bash
# Checks the dependencies against `deny.toml`: licences, versions, sources and known vulnerabilities. If the first three
# pass, it records the files that decide them in `checked`. Needs the network; building cargo-deny takes two to three
# minutes, once for each version.
set -euo pipefail
cd "$(dirname "$0")/../.."
export CARGO_TERM_COLOR=never CARGO_INCREMENTAL=0

deny=0.20.2
tools="$PWD/target/tools"
cargo install cargo-deny --version "$deny" --locked --debug --root "$tools" --quiet
PATH="$tools/bin:$PATH"
cargo deny --workspace --locked check --hide-inclusion-graph licenses bans sources
sha256sum Cargo.lock deny.toml > tests/dependencies/checked
echo "recorded in tests/dependencies/checked: commit it if it changed"
# A new advisory warns and does not stop unrelated work.
if timeout 30 cargo deny --workspace --locked fetch db > "$tools/advisories.log" 2>&1; then
    cargo deny --workspace --locked --offline check --hide-inclusion-graph advisories \
        || echo "warning: see the advisories above: update the crate, or add an exception with a reason to deny.toml"
else
    echo "warning: advisories were not checked, because the RustSec database cannot be reached"
fi
