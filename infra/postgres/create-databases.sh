#!/bin/bash
# Runs once, when the data folder is empty: a database for each service, and an account that owns nothing else.
set -euo pipefail

for part in auth core; do
  password=$(<"/run/secrets-of-merx/${part}_password")
  psql -v ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres \
    --set account="merx_$part" --set password="$password" <<'SQL'
CREATE ROLE :"account" LOGIN PASSWORD :'password' NOSUPERUSER NOCREATEDB NOCREATEROLE;
CREATE DATABASE :"account" OWNER :"account";
REVOKE ALL ON DATABASE :"account" FROM PUBLIC;
SQL
done
