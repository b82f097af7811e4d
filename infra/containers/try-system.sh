#!/usr/bin/env bash
# What the running compose system must do, as a list of checks. Needs the demo data.
set -uo pipefail
. "$(dirname "$0")/env.sh"
passed=0
failed=0

ok() {
  if eval "$2"; then passed=$((passed + 1)); echo "ok   $1"; else failed=$((failed + 1)); echo "FAIL $1"; fi
}
lab() { "$CT_SRC/lab" curl -s -m 10 "$@"; }
code() { lab -o /dev/null -w '%{http_code}' "$@"; }
# until_code CODE curl arguments: says how long it took, at most 60 s
until_code() {
  local wanted=$1 start
  shift
  start=$(date +%s%N)
  for _ in $(seq 1 600); do
    [ "$(code "$@")" = "$wanted" ] && { echo "     $wanted after $((($(date +%s%N) - start) / 1000000)) ms"; return 0; }
    sleep .1
  done
  return 1
}
pid() { docker inspect -f '{{.State.Pid}}' "merx-$1-1"; }
inspect() { docker inspect -f "$2" "merx-$1-1"; }

base=http://127.0.0.1:8080
auth=http://127.0.0.1:8081
demo=$(docker run --rm --network none -v merx_demo:/data:ro merx-demo cat /data/demo.json)
of_demo() { node -e 'const value = process.argv[2].split(".").reduce((at, key) => at[key], JSON.parse(process.argv[1])); process.stdout.write(String(value))' "$demo" "$1"; }
first=organizations.0.environments.test
token_for() { # kind [scope]
  lab "$auth/oauth/token" -d grant_type=client_credentials -d "client_id=$(of_demo "$first.credentials.$1.client_id")" \
    -d "client_secret=$(of_demo "$first.credentials.$1.client_secret")" ${2:+-d "scope=$2"} |
    node -e 'let text = ""; process.stdin.on("data", (part) => (text += part)).on("end", () => process.stdout.write(JSON.parse(text).access_token ?? ""))'
}

integration=$(token_for integration)
channel=$(token_for sales_channel "market:id:$(of_demo "$first.markets.0.id")")
skus=(-H "Authorization: Bearer $channel" -H 'Accept: application/vnd.api+json' "$base/api/skus?page%5Bsize%5D=2")
stats=(-H "Authorization: Bearer $integration" -H 'Accept: application/vnd.api.v1+json' -H 'Content-Type: application/vnd.api+json'
  -d '{"stats":{"field":"order.id","operator":"value_count"}}' "$base/metrics/orders/stats")

ok 'an integration gets a token' '[ -n "$integration" ]'
ok 'a sales channel gets a token for a market' '[ -n "$channel" ]'
ok 'SKUs are listed' '[ "$(code "${skus[@]}")" = 200 ]'
ok 'links lead through the gateway' 'lab "${skus[@]}" | grep -q "$base/api/skus"'
ok 'metrics answers' '[ "$(code "${stats[@]}")" = 200 ]'
ok 'metrics has orders' 'lab "${stats[@]}" | grep -qE "\"value\":[1-9]"'
ok 'token information answers on the base host' '[ "$(code -H "Authorization: Bearer $integration" "$base/oauth/tokeninfo")" = 200 ]'
ok 'keys are public' '[ "$(code "$auth/.well-known/jwks.json")" = 200 ]'
ok 'an unknown path is the error of the interface' 'lab "$base/nothing" | grep -q "\"errors\""'
for path in /internal/access-state /internal/order-feed /health/ready; do
  ok "$path is not reachable" '[ "$(code "$base$path")" = 404 ] && [ "$(code "$auth$path")" = 404 ]'
done
ok 'the secrets of one part are not in another' '! docker exec merx-metrics-1 test -e /run/secrets-of-merx/id_secret'
ok 'no service runs as root' '[ "$(docker exec merx-auth-1 id -u)$(docker exec merx-core-1 id -u)$(docker exec merx-metrics-1 id -u)" = 100010001000 ]'
ok 'no service can write its own files' '! docker exec merx-core-1 touch /merx/written 2>/dev/null'
ok 'no secret stands in the environment of a service' '! docker inspect -f "{{.Config.Env}}" merx-auth-1 merx-core-1 merx-metrics-1 | grep -qE "SECRET=|KEY=|postgresql://|PASSWORD="'
ok 'the gateway cannot reach the database' '! docker exec merx-gateway-1 timeout 2 bash -c "</dev/tcp/postgres/5432" 2>/dev/null'

for part in auth core metrics; do
  kill -9 "$(pid $part)"
  ok "$part is restarted after kill -9" 'sleep .5; until_code 200 "${skus[@]}" && until_code 200 "${stats[@]}" && until_code 200 "$auth/.well-known/jwks.json"'
done
kill -9 "$(pid postgres)"
ok 'PostgreSQL is restarted after kill -9, and SKUs are listed again' 'sleep .5; until_code 200 "${skus[@]}"'
docker exec merx-redis-1 redis-cli flushall >/dev/null
ok 'a flushed Redis takes nothing away' '[ "$(code "${skus[@]}")" = 200 ]'
docker stop -t 5 merx-redis-1 >/dev/null
ok 'without Redis SKUs are listed and tokens issued' '[ "$(code "${skus[@]}")" = 200 ] && [ -n "$(token_for integration)" ]'
docker start merx-redis-1 >/dev/null
docker stop -t 10 merx-core-1 >/dev/null
ok 'core stops in order when it is told to' '[ "$(inspect core "{{.State.ExitCode}}")" = 0 ]'
ok 'while it is away the gateway says so' '[ "$(code "${skus[@]}")" = 503 ] && lab "${skus[@]}" | grep -q SERVICE_UNAVAILABLE'
docker start merx-core-1 >/dev/null
ok 'and finds it again' 'until_code 200 "${skus[@]}"'

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
