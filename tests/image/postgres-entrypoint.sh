#!/bin/sh
# Does what the entry point of the image postgres does on an empty volume, with Postgres of Debian.
set -eu
PATH="$(echo /usr/lib/postgresql/*/bin):$PATH"
PGDATA=/var/lib/postgresql/data
export PATH PGDATA
install --directory --owner postgres --group postgres /run/postgresql
as_postgres() { setpriv --reuid postgres --regid postgres --init-groups "$@"; }

if [ ! -s "$PGDATA/PG_VERSION" ]; then
  chown postgres: "$PGDATA"
  as_postgres initdb --username postgres --auth-local=trust --auth-host=scram-sha-256 --no-sync
  echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
  as_postgres pg_ctl --wait -o "-c listen_addresses=''" start
  as_postgres createdb --username postgres "$POSTGRES_DB"
  export POSTGRES_USER=postgres
  for script in /docker-entrypoint-initdb.d/*.sh; do
    sh "$script"
  done
  as_postgres pg_ctl --wait --mode fast stop
fi
exec setpriv --reuid postgres --regid postgres --init-groups postgres -c listen_addresses='*' -c fsync=off
