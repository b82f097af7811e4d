#!/bin/sh
# The same story as get-a-token.mjs with curl only: a token for a market, then the first two products sold there.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
folder=${MERX_DATA_DIR:-.merx}
case $folder in /*) ;; *) folder=$root/$folder ;; esac
file=$folder/demo.json
[ -f "$file" ] || { echo "$file is not there: start the system first with npm start." >&2; exit 1; }

# The values wanted are the first of their name in the file, or in the part of it that is the environment.
environment=$(sed -n "/\"${MERX_MODE:-test}\": *{/,\$p" "$file")
value() { sed -n "s/.*\"$1\": *\"\([^\"]*\)\".*/\1/p" | head -n 1; }
base_url=$(value base_url <"$file")
auth_url=$(value auth_url <"$file")
[ -n "$environment" ] || { echo "there is no demo data for \"${MERX_MODE:-test}\": start with MERX_DEMO=true; MERX_MODE is test or live." >&2; exit 1; }
client_id=$(printf '%s\n' "$environment" | value client_id)
market=$(printf '%s\n' "$environment" | sed -n '/"markets"/,/]/p' | value code)

answer=$(curl --silent --show-error --fail-with-body "$auth_url/oauth/token" \
  --header 'Content-Type: application/json' \
  --data "{\"grant_type\":\"client_credentials\",\"client_id\":\"$client_id\",\"scope\":\"market:code:$market\"}")
token=$(printf '%s' "$answer" | sed 's/.*"access_token":"\([^"]*\)".*/\1/')

curl --silent --show-error --fail-with-body "$base_url/api/skus?page%5Bsize%5D=2&fields%5Bskus%5D=code,name" \
  --header 'Accept: application/vnd.api+json' \
  --header "Authorization: Bearer $token"
echo
