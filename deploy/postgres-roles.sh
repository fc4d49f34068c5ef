#!/bin/sh
# Runs once, on an empty volume. Three roles: the owner of the tables, which migrates; those that serve and scan, which
# own nothing and pass no row-level security. None is a superuser. A password may hold any character: psql quotes it (and whoever
# puts it into an address writes it as there: %2F for a slash).
set -eu
psql --no-psqlrc --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" \
  --set owner="$OWNER_PASSWORD" --set app="$APP_PASSWORD" --set worker="$WORKER_PASSWORD" <<'SQL'
CREATE ROLE cspm_owner LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS PASSWORD :'owner';
CREATE ROLE cspm_app LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS PASSWORD :'app';
CREATE ROLE cspm_worker LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS PASSWORD :'worker';
ALTER DATABASE cspm OWNER TO cspm_owner;
REVOKE CREATE ON SCHEMA public FROM PUBLIC;
GRANT ALL ON SCHEMA public TO cspm_owner;
SQL
