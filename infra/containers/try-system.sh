#!/usr/bin/env bash
# What the running compose system must do, as a list of checks. Needs the demo data.
set -u # no pipefail: `grep -q` ends before what it reads from
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
# requests COUNT curl arguments: how many of them did not answer 200
misses() {
  local count=$1 missed=0
  shift
  for _ in $(seq 1 "$count"); do [ "$(code "$@")" = 200 ] || missed=$((missed + 1)); done
  echo "$missed"
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

# By name over TLS, with the certificate that was made at the first start.
certificate=$CT_ROOT/tls.crt
docker run --rm --network none --entrypoint cat -v merx_tls:/tls:ro nginx:1.30 /tls/tls.crt >"$certificate"
named() { # name, curl arguments
  local name=$1
  shift
  code --cacert "$certificate" --resolve "$name:8443:127.0.0.1" "$@"
}
domain=$(of_demo domain)
slug=$(of_demo organizations.0.slug)
ok 'auth.<domain> answers over TLS' '[ "$(named "auth.$domain" "https://auth.$domain:8443/.well-known/jwks.json")" = 200 ]'
ok '<slug>.<domain> answers over TLS' '[ "$(named "$slug.$domain" -H "Authorization: Bearer $integration" -H "Accept: application/vnd.api+json" "https://$slug.$domain:8443/api/skus")" = 200 ]'
ok 'the key of the certificate is for the gateway alone' '[ "$(docker run --rm --network none --entrypoint stat -v merx_tls:/tls:ro nginx:1.30 -c %a%u /tls/tls.key)" = 600101 ]'
ok 'TLS 1.1 is not spoken' '[ "$(named "auth.$domain" --tls-max 1.1 "https://auth.$domain:8443/.well-known/jwks.json")" = 000 ]'

request_id=$(lab -o /dev/null -D - "${skus[@]}" | tr -d '\r' | awk 'tolower($1) == "x-request-id:" { print $2 }')
ok 'a request has one id in the answer, in the log of the gateway and in that of the service' \
  'docker logs merx-gateway-1 2>&1 | grep -q "\"request_id\":\"$request_id\"" && docker logs merx-core-1 2>&1 | grep -q "$request_id"'
ok 'the log of the gateway is JSON, a line a request' 'docker logs merx-gateway-1 2>/dev/null | node -e '"'"'let t="";process.stdin.on("data",(p)=>(t+=p)).on("end",()=>t.trim().split("\n").forEach((l)=>JSON.parse(l)))'"'"''
ok 'traces arrive at the collector' 'for _ in $(seq 1 40); do docker logs merx-collector-1 2>&1 | grep -q /v1/traces && break; sleep 1; done; docker logs merx-collector-1 2>&1 | grep -q /v1/traces'

ok 'merx runs in the container of auth' 'docker compose exec -T auth merx --help | grep -q credentials'
ok 'merx reads the database of auth' 'docker compose exec -T auth merx organizations list --json 2>/dev/null | grep -q "$slug" || docker compose exec -T auth merx organizations list | grep -q "$slug"'
ok 'merx runs in a container of its own' 'docker compose run --rm -T --no-deps auth merx organizations list | grep -q "$slug"'

for part in auth core metrics gateway postgres redis collector; do
  ok "$part: read-only, no capability, no way to new ones" \
    '[ "$(inspect $part "{{.HostConfig.ReadonlyRootfs}} {{.HostConfig.CapDrop}} {{.HostConfig.SecurityOpt}}")" = "true [ALL] [no-new-privileges:true]" ] && [ "$(awk "/^CapEff/ { print \$2 }" "/proc/$(pid $part)/status")" = 0000000000000000 ]'
done
for part in auth core metrics; do
  ok "$part: no shell runs, no curl is needed, nothing inside is published" \
    '! docker top merx-$part-1 -eo args | grep -qE "(^| |/)(ba|da)?sh( |$)" && ! docker exec merx-$part-1 which curl wget >/dev/null && [ -z "$(docker port merx-$part-1)" ] && [ "$(inspect $part "{{.State.Health.Status}}")" = healthy ]'
  ok "$part: the image says what it is" 'docker image inspect -f "{{json .Config.Labels}}" merx-$part | grep -q org.opencontainers.image.revision'
done
ok 'only the three public ports of the gateway are published' '[ "$(docker ps -q | xargs -n1 docker port | grep -c .)" = 3 ]'

# Every secret of this system, looked for where none may be.
secrets=$(docker run --rm --network none -v merx_secrets:/all:ro --entrypoint sh node:24-bookworm-slim -c 'cat /all/*')
leaks() { grep -cF -f <(printf '%s\n' "$secrets") || :; }
ok 'there are secrets to look for' '[ "$(printf "%s\n" "$secrets" | awk "length >= 40" | wc -l)" -ge 7 ]'
ok 'no secret stands in docker inspect' '[ "$(docker ps -aq | xargs docker inspect | leaks)" = 0 ]'
ok 'no secret stands in a log' '[ "$(docker compose --profile demo logs --no-color 2>&1 | leaks)" = 0 ]'
ok 'no layer of an image was made with a secret' '! docker history --no-trunc --format "{{.CreatedBy}}" merx-auth merx-core merx-metrics 2>/dev/null | grep -qiE "password|secret="; for image in merx-auth merx-core merx-metrics; do ! docker history --no-trunc --format "{{.CreatedBy}}" $image | grep -qiE "password=|secret=|_authToken" || exit 1; done'
ok 'no folder of an image holds keys or settings' '! docker run --rm --network none --entrypoint find merx-auth /merx /home /root -not -path "*/node_modules/*" \( -name ".env" -o -name "*.pem" -o -name "*.key" -o -name ".npmrc" \) 2>/dev/null | grep -q .'

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
ok 'the gateway takes its settings again without losing a request' 'misses 40 "${skus[@]}" >"$CT_ROOT/misses" & docker compose exec -T gateway /gateway/start.sh reload && wait $! && [ "$(cat "$CT_ROOT/misses")" = 0 ]'
docker compose exec -T gateway touch /tmp/gateway/maintenance/metrics
ok 'maintenance of metrics: 503 in its dialect, the others answer' '[ "$(code "${stats[@]}")" = 503 ] && lab "${stats[@]}" | grep -q "\"trace_id\"" && [ "$(code "${skus[@]}")" = 200 ]'
docker compose exec -T gateway rm /tmp/gateway/maintenance/metrics

docker compose up -d --no-build --pull never --no-deps --no-recreate --scale core=2 --wait core 2>/dev/null
scaled_at=$(date +%s)
ok 'a second core gets its share, and its end costs no request' 'sleep 2; misses 20 "${skus[@]}" >/dev/null; [ "$(docker logs --since $scaled_at merx-gateway-1 2>/dev/null | grep "\"to\":\"core\"" | grep -o "\"upstream\":\"[0-9.:]*\"" | sort -u | wc -l)" = 2 ] && { misses 60 "${skus[@]}" >"$CT_ROOT/misses" & docker stop -t 20 merx-core-2 >/dev/null; wait $!; [ "$(cat "$CT_ROOT/misses")" = 0 ]; }'
docker rm -f merx-core-2 >/dev/null

for part in metrics auth gateway core; do
  docker stop -t 25 merx-$part-1 >/dev/null
  ok "$part ends in order when it is told to" '[ "$(inspect $part "{{.State.ExitCode}}")" = 0 ]'
  [ $part = core ] || { docker start merx-$part-1 >/dev/null; until_code 200 "${stats[@]}" >/dev/null; }
done
ok 'while it is unavailable the gateway says so' '[ "$(code "${skus[@]}")" = 503 ] && lab "${skus[@]}" | grep -q SERVICE_UNAVAILABLE'
docker start merx-core-1 >/dev/null
ok 'and finds it again' 'until_code 200 "${skus[@]}"'

docker compose down -t 25 >/dev/null 2>&1
started=$SECONDS
docker compose up -d --no-build --pull never --wait --wait-timeout 180 >/dev/null 2>&1
echo "     up again after $((SECONDS - started)) s"
ok 'new containers find everything: tokens, SKUs, orders' '[ "$(code "${skus[@]}")" = 200 ] && [ -n "$(token_for integration)" ] && lab "${stats[@]}" | grep -qE "\"value\":[1-9]"'

. "$CT_SRC/try-backup.sh"

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
