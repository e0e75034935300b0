#!/bin/sh
# Puts the file system of the container image into a folder: the binary with what lies beside it, and the data
# folder. `pnpm build:binary` comes first.
set -eu
image=$1
cd "$(dirname "$0")/.."
mkdir -p "$image/usr/bin" "$image/tmp"
install -m 0755 dist/lectern "$image/usr/bin/lectern"
# Beside the binary, nothing that is run has to be written first.
install -m 0755 dist/better_sqlite3.node "$image/usr/bin/better_sqlite3.node"
if [ -f dist/workerd ]; then install -m 0755 dist/workerd "$image/usr/bin/workerd"; fi
# In a folder of its own, which is copied: some builders forget the mode of a folder that they are told to copy.
install -d -m 0700 "$image/volume/data"
if [ "$(id -u)" = 0 ]; then chown 65532:65532 "$image/volume/data"; fi
