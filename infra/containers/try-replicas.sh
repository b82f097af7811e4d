#!/usr/bin/env bash
# try-replicas.sh [CHECK…]: what several of each service must do (e2e/replicas), on the running system of compose.replicas.yml.
# After fetch-demo.sh.
set -euo pipefail
. "$(dirname "$0")/env.sh"
cd "$CT_SRC/../.."
# The checks come from one address and say others in a header, which the gateway believes here.
MERX_DATA_DIR=$CT_ROOT/e2e MERX_E2E_SOURCE=header exec "$CT_SRC/lab" node_modules/.bin/node e2e/replicas/main.ts "$@"
