#!/bin/sh
# The Postgres image runs this once, on an empty volume; docs/scale.md runs it for each further database. Repeatable.
# Three roles: the owner of the tables, which migrates; those that serve and scan, which own nothing and pass no row-level
# security. None is a superuser. A role that exists already keeps its password. A password may contain any character:
# psql quotes it. In a URL, percent-encode it: %2F for a slash. Other names: OWNER_ROLE, APP_ROLE and WORKER_ROLE.
# psql reads the passwords from the environment, because everybody on the machine can see its arguments.
set -eu
export OWNER_PASSWORD="$OWNER_PASSWORD" APP_PASSWORD="$APP_PASSWORD" WORKER_PASSWORD="$WORKER_PASSWORD"
psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" \
  --set owner_role="${OWNER_ROLE:-cspm_owner}" --set app_role="${APP_ROLE:-cspm_app}" \
  --set worker_role="${WORKER_ROLE:-cspm_worker}" <<'SQL'
\set owner `printenv OWNER_PASSWORD`
\set app `printenv APP_PASSWORD`
\set worker `printenv WORKER_PASSWORD`
SELECT format('CREATE ROLE %I LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS PASSWORD %L', name, password)
FROM (VALUES (:'owner_role', :'owner'), (:'app_role', :'app'), (:'worker_role', :'worker')) AS role (name, password)
WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name)
\gexec
ALTER DATABASE :"DBNAME" OWNER TO :"owner_role";
REVOKE CREATE ON SCHEMA public FROM PUBLIC;
GRANT ALL ON SCHEMA public TO :"owner_role";
SQL
