#!/usr/bin/env bash
# try-contract.sh part|contract: the contract's own tests against the running compose system, through nginx.
set -euo pipefail
. "$(dirname "$0")/env.sh"
root=$(cd "$CT_SRC/../.." && pwd)
cd "$root"
folder=$CT_ROOT/e2e # of fetch-demo.sh
case $1 in
  part) files=(e2e/contract/endpoints-summary e2e/contract/error-body e2e/contract/collection-envelope) ;;
  contract) files=(e2e/contract/) ;;
  *) echo "there is no \"$1\"; allowed: part, contract" >&2; exit 64 ;;
esac
# The tests come from one address and say others in a header, which the gateway believes here. One test claims an address
# as a stranger; strangers are tried in e2e/gateway.
MERX_E2E_REUSE=$folder MERX_E2E_SOURCE=header "$CT_SRC/lab" node_modules/.bin/node --experimental-vm-modules \
  --disable-warning=ExperimentalWarning node_modules/jest/bin/jest.js --selectProjects e2e --maxWorkers=1 -- "${files[@]}"
