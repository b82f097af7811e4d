#!/bin/bash
# standby.sh HOST NAME COMMAND…: copies the primary at HOST when the data folder is empty, so as to follow it as NAME, then runs
# the command. Once promoted (pg_ctl promote) it stays a primary, also when it is started again.
set -euo pipefail
host=$1 name=$2
shift 2
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  PGPASSWORD=$(</run/secrets-of-merx/password)
  export PGPASSWORD
  chmod 700 "$PGDATA"
  # Of a standby of this name that is no more.
  psql -qAt -h "$host" -U "$POSTGRES_USER" -d postgres -v ON_ERROR_STOP=1 -v name="$name" >/dev/null <<'SQL'
SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name = :'name';
SQL
  pg_basebackup -h "$host" -U "$POSTGRES_USER" -D "$PGDATA" --write-recovery-conf --create-slot --slot="$name" --checkpoint=fast
  # Nobody follows it yet.
  echo "synchronous_standby_names = ''" >>"$PGDATA/postgresql.auto.conf"
  unset PGPASSWORD
fi
exec "$@"
