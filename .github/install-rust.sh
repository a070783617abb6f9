#!/usr/bin/env bash
# Installs rustup with a pinned compiler on Linux. Arguments are components, such as `clippy`. The installer is run only if
# it has the known digest.
set -euo pipefail

compiler=1.95.0
version=1.28.2
digest=20a06e644b0d9bd2fbdbfd52d42540bdde820ea7df86e92e533c073da0cdd43c

folder=$(mktemp -d)
curl --proto '=https' --tlsv1.2 --silent --show-error --fail --output "$folder/rustup-init" \
    "https://static.rust-lang.org/rustup/archive/$version/x86_64-unknown-linux-gnu/rustup-init"
echo "$digest  $folder/rustup-init" | sha256sum --check --quiet
chmod +x "$folder/rustup-init"
"$folder/rustup-init" -y --no-modify-path --profile minimal --default-toolchain "$compiler"
for component in "$@"; do "$HOME/.cargo/bin/rustup" component add "$component"; done
echo "$HOME/.cargo/bin" >> "$GITHUB_PATH"
