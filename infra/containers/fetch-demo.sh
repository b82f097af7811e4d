#!/usr/bin/env bash
# fetch-demo.sh: what the demo data of the running system is called, into a new folder where the tests look for it; and what they need.
set -euo pipefail
. "$(dirname "$0")/env.sh"
node "$CT_SRC/../embedded/bootstrap.mjs" install
folder=$CT_ROOT/e2e
rm -rf "$folder" # the tests keep what they read of a system there
mkdir -p "$folder"
for file in demo.json demo-users.json; do
  docker run --rm --network none -v merx_demo:/data:ro --entrypoint cat merx-demo "/data/$file" >"$folder/$file"
done
