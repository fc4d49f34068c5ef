-- As before, but gives way after a second: a new partition wants the whole table for a moment, and whoever waits for that
-- behind somebody who reads for long has all others wait behind it.
CREATE OR REPLACE FUNCTION jobs.ensure_partitions(since timestamptz, months int) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '1s'
AS $$
  SELECT partitions.ensure(since, months)
$$;
