-- What waits in the queue, for the metrics: counts by task and nothing of what the jobs are about. In plpgsql, whose bodies
-- are read when they run: on an empty database the queue's own tables come after our migrations.
CREATE FUNCTION jobs.depth(at timestamptz)
RETURNS TABLE (task text, waiting int, running int, failed int, oldest_seconds double precision)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  RETURN QUERY
  SELECT t.identifier,
         count(*) FILTER (WHERE j.locked_at IS NULL AND j.attempts < j.max_attempts AND j.run_at <= at)::int,
         count(*) FILTER (WHERE j.locked_at IS NOT NULL)::int,
         count(*) FILTER (WHERE j.locked_at IS NULL AND j.attempts >= j.max_attempts)::int,
         COALESCE(EXTRACT(EPOCH FROM at - min(j.run_at)
           FILTER (WHERE j.locked_at IS NULL AND j.attempts < j.max_attempts AND j.run_at <= at)), 0)::float8
  FROM graphile_worker._private_tasks t
  JOIN graphile_worker._private_jobs j ON j.task_id = t.id
  GROUP BY t.identifier;
END
$$;
