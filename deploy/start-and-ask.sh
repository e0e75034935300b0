#!/usr/bin/env bash
# Starts a server from the sources on new data, and checks that the API, the manual and the console respond.
set -euo pipefail
cd "$(dirname "$0")/.."
data=$(mktemp -d)
export LECTERN_DATA=$data LECTERN_PORT=${LECTERN_PORT:-4000} LECTERN_BOOTSTRAP_TOKEN=0123456789abcdef0123456789abcdef
npx -y pnpm@12 start &
server=$!
base=http://127.0.0.1:$LECTERN_PORT
stop() {
  kill $server 2>/dev/null || true
  # The server ends after the command that started it.
  while curl -fsS "$base/healthz" >/dev/null 2>&1; do sleep 1; done
  rm -rf "$data"
}
trap stop EXIT
for _ in $(seq 300); do
  if curl -fsS "$base/readyz" >/dev/null 2>&1; then break; fi
  kill -0 $server
  sleep 1
done
curl -fsS -H "Authorization: Bearer $LECTERN_BOOTSTRAP_TOKEN" "$base/v1/user" >/dev/null
curl -fsS "$base/sites/lectern-manual/" | grep -q "Lectern"
curl -fsS "$base/docs" | grep -q "Lectern"
curl -fsS "$base/" | grep -q 'id="console"'
echo "The API, the manual, the reference and the console respond"
