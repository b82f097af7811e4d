#!/bin/sh
# A certificate of its own making for a laptop, once: make-certificate.sh FOLDER DOMAIN [owner uid]
# Writes tls.crt and tls.key for the domain, every name one label below it, and localhost. What exists stays, unless it
# ends within a month. A real certificate goes to the same two files.
set -eu
folder=$1 domain=$2 owner=${3:-}
if [ -s "$folder/tls.key" ] && openssl x509 -in "$folder/tls.crt" -noout -checkend 2592000 >/dev/null 2>&1; then exit 0; fi
umask 077
mkdir -p "$folder"
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 397 -subj "/CN=$domain" \
  -addext "subjectAltName=DNS:$domain,DNS:*.$domain,DNS:localhost,IP:127.0.0.1" \
  -addext 'basicConstraints=critical,CA:TRUE' -addext 'keyUsage=critical,digitalSignature,keyCertSign' -addext 'extendedKeyUsage=serverAuth' \
  -keyout "$folder/tls.key.new" -out "$folder/tls.crt.new" 2>/dev/null
chmod 444 "$folder/tls.crt.new"
[ -z "$owner" ] || chown "$owner" "$folder/tls.key.new"
mv "$folder/tls.crt.new" "$folder/tls.crt"
mv "$folder/tls.key.new" "$folder/tls.key"
