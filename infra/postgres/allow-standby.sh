#!/bin/bash
# Runs once, when the data folder is empty: the account of the administrator may also copy and follow this server, and a commit is
# acknowledged when the standby postgres_2 has it.
set -euo pipefail
echo "host replication $POSTGRES_USER all scram-sha-256" >>"$PGDATA/pg_hba.conf"
echo "synchronous_standby_names = 'postgres_2'" >>"$PGDATA/postgresql.auto.conf"
