# Read by try-system.sh: the commands of docs/how-to/backup-and-restore.md, run as they stand there, on the running system.
page=$CT_SRC/../../docs/how-to/backup-and-restore.md
folder=$CT_ROOT/backup
COMPOSE_FILE=$(cd "$CT_SRC/../.." && pwd)/docker-compose.yml
export COMPOSE_FILE
# commands MARK: those of the block behind the mark
commands() { awk -v mark="<!-- $1:" 'index($0, mark) == 1 { found = 1 } found && /^```sh/ { inside = 1; next } inside && /^```/ { exit } inside' "$page"; }
run_block() { commands "$1" >"$folder/$1.sh" && [ -s "$folder/$1.sh" ] && (cd "$folder" && bash -eu "$folder/$1.sh") >"$folder/$1.log" 2>&1 || { tail -5 "$folder/$1.log"; return 1; }; }
categories=$base/api/shipping_categories
api=(-H "Accept: application/vnd.api+json" -H "Content-Type: application/vnd.api+json")
create() { # name: makes a shipping category, says its id
  lab "${api[@]}" -H "Authorization: Bearer $1" "$categories" -d "{\"data\":{\"type\":\"shipping_categories\",\"attributes\":{\"name\":\"$2\"}}}" |
    grep -oE '"id":"[A-Za-z]+"' | head -1 | cut -d '"' -f 4
}
shown() { code "${api[@]}" -H "Authorization: Bearer $1" "$categories/$2"; }
orders() { lab "${stats[@]}" | grep -oE '"value":[0-9]+'; }

rm -rf "$folder"
mkdir -p "$folder"
token=$(token_for integration)
stats=(-H "Authorization: Bearer $token" -H 'Accept: application/vnd.api.v1+json' -H 'Content-Type: application/vnd.api+json'
  -d '{"stats":{"field":"order.id","operator":"value_count"}}' "$base/metrics/orders/stats")
kept=$(create "$token" 'Before the backup')
count=$(orders)
keys=$(lab "$auth/.well-known/jwks.json")
ok 'both databases and the secrets are backed up while everything runs' 'run_block "backup of containers" && [ -n "$kept" ] && [ -n "$count" ] && [ -s "$folder/auth.dump" ] && [ -s "$folder/core.dump" ] && [ -s "$folder/secrets.tar" ]'
lost=$(create "$token" 'After the backup')
ok 'they are restored into empty volumes, and everything starts on them' '[ -n "$lost" ] && run_block "restore of containers"'
ok 'what was there before the backup has the id it had, what came after is gone' '[ "$(shown "$token" "$kept")" = 200 ] && [ "$(shown "$token" "$lost")" = 404 ]'
ok 'tokens and credentials from before are valid, and so are the keys' '[ "$(lab "$auth/.well-known/jwks.json")" = "$keys" ] && [ -n "$(token_for integration)" ]'
ok 'metrics has built its tables anew, and has the orders that it had' 'for _ in $(seq 1 60); do [ "$(orders)" = "$count" ] && break; sleep 1; done; [ "$(orders)" = "$count" ]'
