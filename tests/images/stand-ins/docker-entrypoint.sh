#!/bin/sh
# As the image of PostgreSQL does: makes the database on the first start, from the variables.
set -eu
PATH=$PATH:$(echo /usr/lib/postgresql/*/bin)
if [ "$1" = postgres ]; then
  export PGDATA=/var/lib/postgresql/data
  if [ ! -e "$PGDATA/PG_VERSION" ]; then
    initdb --username "$POSTGRES_USER" --pwfile "$POSTGRES_PASSWORD_FILE" --auth scram-sha-256 >&2
    echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
    PGPASSWORD=$(cat "$POSTGRES_PASSWORD_FILE")
    export PGPASSWORD
    pg_ctl --wait --options '-c listen_addresses=' start >&2
    createdb --host /var/run/postgresql --username "$POSTGRES_USER" "$POSTGRES_DB"
    pg_ctl --wait stop >&2
  fi
  set -- "$@" -c 'listen_addresses=*'
elif [ "$1" = server ]; then
  set -- silo "$@"
fi
exec "$@"
