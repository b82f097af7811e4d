#!/usr/bin/env bash
# try-histories.sh [SEED…] [--seconds N]: faults at random on the running system of compose.histories.yml (e2e/faults/history).
set -euo pipefail
. "$(dirname "$0")/env.sh"
cd "$CT_SRC/../.."
# The clients come from one address and say others in a header, which the gateway believes here.
MERX_DATA_DIR=$CT_ROOT/e2e MERX_E2E_SOURCE=header exec "$CT_SRC/lab" node_modules/.bin/node e2e/faults/history/main.ts --on containers "$@"
