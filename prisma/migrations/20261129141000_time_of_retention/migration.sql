-- The nightly task deletes rows of tenants by this time: by the clock of the worker, a worker whose clock is years ahead would
-- delete data that has not expired.
CREATE FUNCTION jobs.not_after_now(at timestamptz) RETURNS timestamptz
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT identity.not_after_now(at)
$$;
