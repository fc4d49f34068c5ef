#!/bin/sh
# The Postgres image runs this once, on an empty volume; docs/scale.md runs it for each further database. Repeatable.
# Three roles: the owner of the tables, which migrates; those that serve and scan, which own nothing and pass no row-level
# security. None is a superuser. A role that exists already keeps its password. A password may contain any character:
# psql quotes it. In a URL, percent-encode it: %2F for a slash.
set -eu
psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" \
  --set owner="$OWNER_PASSWORD" --set app="$APP_PASSWORD" --set worker="$WORKER_PASSWORD" <<'SQL'
SELECT format('CREATE ROLE %I LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS PASSWORD %L', name, password)
FROM (VALUES ('cspm_owner', :'owner'), ('cspm_app', :'app'), ('cspm_worker', :'worker')) AS role (name, password)
WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name)
\gexec
ALTER DATABASE :"DBNAME" OWNER TO cspm_owner;
REVOKE CREATE ON SCHEMA public FROM PUBLIC;
GRANT ALL ON SCHEMA public TO cspm_owner;
SQL
