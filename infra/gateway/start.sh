#!/bin/sh
# Starts the gateway: checks its settings, writes nginx.conf from the template beside this file, runs nginx in front.
#   start.sh          until it is told to stop
#   start.sh reload   reads settings, template and certificate again, with no request lost
# Needs a POSIX shell, awk and nginx; runs as any account, writes only below GATEWAY_DIR. Settings: docs/how-to/run-as-containers.md
set -eu
PATH=$PATH:/usr/sbin:/usr/local/sbin # where nginx is, whatever account this is
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)

refuse() { echo "gateway: $*" >&2; exit 64; }

export GATEWAY_HERE=$here
export GATEWAY_DIR=${GATEWAY_DIR:-/tmp/gateway}
export GATEWAY_AUTH=${GATEWAY_AUTH:-auth:3001} GATEWAY_CORE=${GATEWAY_CORE:-core:3002} GATEWAY_METRICS=${GATEWAY_METRICS:-metrics:3003}
export GATEWAY_CONSOLE=${GATEWAY_CONSOLE:-console:3004}
export GATEWAY_HOST=${GATEWAY_HOST:-0.0.0.0}
export GATEWAY_BASE_PORT=${GATEWAY_BASE_PORT:-8080} GATEWAY_AUTH_PORT=${GATEWAY_AUTH_PORT:-8081}
export GATEWAY_TLS_PORT=${GATEWAY_TLS_PORT:-8443} GATEWAY_ADMIN_PORT=${GATEWAY_ADMIN_PORT:-9080}
export GATEWAY_ACCESS_LOG=${GATEWAY_ACCESS_LOG:-/dev/stdout}
export GATEWAY_WORKERS=${GATEWAY_WORKERS:-auto} GATEWAY_CONNECTIONS=${GATEWAY_CONNECTIONS:-4096}
export GATEWAY_READ_TIMEOUT_SECONDS=${GATEWAY_READ_TIMEOUT_SECONDS:-60}
export GATEWAY_HSTS=${GATEWAY_HSTS:-}
domain=${MERX_DOMAIN:-merx.localhost}
http=${GATEWAY_HTTP:-serve}
other_hosts=${GATEWAY_OTHER_HOSTS:-by-port}
hops=${GATEWAY_TRUSTED_HOPS:-}
certificate=${GATEWAY_TLS_CERTIFICATE:-}
key=${GATEWAY_TLS_KEY:-}

# Every violation is named before the start is refused.
wrong=
wrong() { wrong="$wrong
  $*"; }
port() { # NAME value
  case $2 in ''|*[!0-9]*) wrong "$1 is \"$2\"; allowed: a port, 1 to 65535" ;; *) [ "$2" -ge 1 ] && [ "$2" -le 65535 ] || wrong "$1 is $2; allowed: 1 to 65535" ;; esac
}
port GATEWAY_BASE_PORT "$GATEWAY_BASE_PORT"; port GATEWAY_AUTH_PORT "$GATEWAY_AUTH_PORT"
port GATEWAY_TLS_PORT "$GATEWAY_TLS_PORT"; port GATEWAY_ADMIN_PORT "$GATEWAY_ADMIN_PORT"
for name in GATEWAY_AUTH GATEWAY_CORE GATEWAY_METRICS GATEWAY_CONSOLE; do
  eval "value=\$$name"
  case $value in *[!A-Za-z0-9.:_-]*|*:|:*) wrong "$name is \"$value\"; allowed: host:port" ;; *:*) port "$name's port" "${value##*:}" ;; *) wrong "$name is \"$value\"; allowed: host:port" ;; esac
done
case $GATEWAY_HOST in *[!0-9A-Fa-f.:[\]]*) wrong "GATEWAY_HOST is \"$GATEWAY_HOST\"; allowed: an address, such as 0.0.0.0 or [::]" ;; esac
case $http in serve|secure) ;; *) wrong "GATEWAY_HTTP is \"$http\"; allowed: serve (answer plain HTTP), secure (HTTPS only)" ;; esac
case $other_hosts in by-port|refuse) ;; *) wrong "GATEWAY_OTHER_HOSTS is \"$other_hosts\"; allowed: by-port (a laptop), refuse (only names of MERX_DOMAIN)" ;; esac
case $domain in *[!A-Za-z0-9.-]*|.*|*.|'') wrong "MERX_DOMAIN is \"$domain\"; allowed: a domain, such as example.com" ;; esac
case $GATEWAY_HSTS in *[!A-Za-z0-9=\;\ -]*) wrong "GATEWAY_HSTS is \"$GATEWAY_HSTS\"; allowed: the header's value, such as max-age=31536000; includeSubDomains" ;; esac
case $GATEWAY_WORKERS in auto) ;; ''|*[!0-9]*) wrong "GATEWAY_WORKERS is \"$GATEWAY_WORKERS\"; allowed: auto, or a number" ;; esac
case $GATEWAY_CONNECTIONS in ''|*[!0-9]*) wrong "GATEWAY_CONNECTIONS is \"$GATEWAY_CONNECTIONS\"; allowed: a number" ;; esac
case $GATEWAY_READ_TIMEOUT_SECONDS in ''|*[!0-9]*) wrong "GATEWAY_READ_TIMEOUT_SECONDS is \"$GATEWAY_READ_TIMEOUT_SECONDS\"; allowed: a number of seconds" ;; esac
case "$GATEWAY_DIR$GATEWAY_ACCESS_LOG$here$certificate$key" in *[!A-Za-z0-9._/-]*) wrong 'GATEWAY_DIR, GATEWAY_ACCESS_LOG and the certificate are paths of letters, digits and . _ - /' ;; esac
GATEWAY_REAL_IP='' GATEWAY_HOPS=''
for hop in $hops; do
  case $hop in *[!0-9A-Fa-f.:/]*) wrong "GATEWAY_TRUSTED_HOPS has \"$hop\"; allowed: addresses and networks separated by spaces, such as 10.0.0.0/8" ;; esac
  GATEWAY_REAL_IP="$GATEWAY_REAL_IP set_real_ip_from $hop;" GATEWAY_HOPS="$GATEWAY_HOPS $hop 1;"
done
if [ -n "$certificate$key" ]; then
  for file in "$certificate" "$key"; do [ -r "$file" ] || wrong "GATEWAY_TLS_CERTIFICATE and GATEWAY_TLS_KEY: cannot read \"$file\""; done
elif [ "$http" = secure ] && [ -z "$hops" ]; then
  wrong 'GATEWAY_HTTP is secure, but there is neither a certificate (GATEWAY_TLS_CERTIFICATE, GATEWAY_TLS_KEY) nor a hop that ends TLS (GATEWAY_TRUSTED_HOPS)'
fi
[ -z "$wrong" ] || refuse "not started:$wrong"
export GATEWAY_REAL_IP GATEWAY_HOPS

# What this nginx can: versions differ in what keeps addresses fresh and how HTTP/2 is written.
version=$(nginx -v 2>&1); version=${version##*/}; version=${version%% *}
at_least() { # 1.27.3
  awk -v have="$version" -v want="$1" 'BEGIN { split(have, h, "."); split(want, w, "."); for (i = 1; i <= 3; i++) if (h[i] + 0 != w[i] + 0) exit h[i] + 0 < w[i] + 0; exit 0 }'
}
resolvers=${GATEWAY_RESOLVERS:-$(awk '$1 == "nameserver" { printf "%s ", $2 ~ ":" ? "[" $2 "]" : $2 }' /etc/resolv.conf 2>/dev/null || :)}
GATEWAY_RESOLVER='' GATEWAY_FRESH='' GATEWAY_KEEP_ALIVE_MIN='' GATEWAY_HTTP2=''
if at_least 1.27.3 && [ -n "$resolvers" ]; then GATEWAY_RESOLVER="resolver $resolvers valid=1s; resolver_timeout 2s;" GATEWAY_FRESH=' resolve'; fi
if at_least 1.27.4; then GATEWAY_KEEP_ALIVE_MIN='keepalive_min_timeout 5s;'; fi
GATEWAY_TLS=''
if [ -n "$certificate" ]; then
  if at_least 1.25.1; then GATEWAY_HTTP2='http2 on;' ssl=ssl; else ssl='ssl http2'; fi
  GATEWAY_TLS="listen $GATEWAY_HOST:$GATEWAY_TLS_PORT $ssl; ssl_certificate $certificate; ssl_certificate_key $key;"
fi
GATEWAY_USER=''
[ "$(id -u)" != 0 ] || GATEWAY_USER="user nobody $(id -gn nobody);"
export GATEWAY_RESOLVER GATEWAY_FRESH GATEWAY_KEEP_ALIVE_MIN GATEWAY_HTTP2 GATEWAY_TLS GATEWAY_USER
export GATEWAY_DOMAIN_PATTERN=$(printf %s "$domain" | sed 's/\./\\./g')
export GATEWAY_HTTP_POLICY=$http GATEWAY_OTHER_HOSTS=$other_hosts

mkdir -p "$GATEWAY_DIR/maintenance"
[ "$(id -u)" != 0 ] || chmod a+x "$GATEWAY_DIR" # the workers are another account then
awk '{
  out = ""
  while (match($0, /\$\{GATEWAY_[A-Z0-9_]+\}/)) {
    out = out substr($0, 1, RSTART - 1) ENVIRON[substr($0, RSTART + 2, RLENGTH - 3)]
    $0 = substr($0, RSTART + RLENGTH)
  }
  print out $0
}' "$here/nginx.conf.template" > "$GATEWAY_DIR/nginx.conf.new"
nginx -t -q -e stderr -c "$GATEWAY_DIR/nginx.conf.new" || refuse 'not started: nginx does not accept the configuration'
mv "$GATEWAY_DIR/nginx.conf.new" "$GATEWAY_DIR/nginx.conf"
case ${1:-} in
  '') exec nginx -e stderr -c "$GATEWAY_DIR/nginx.conf" ;;
  reload) exec nginx -e stderr -c "$GATEWAY_DIR/nginx.conf" -s reload ;;
  check) echo 'gateway: the configuration is good' ;;
  *) refuse "there is no command \"$1\"; allowed: none, reload, check" ;;
esac
