-- The queue is graphile-worker's, in a schema of its own that the owner migrates. Its tables have row-level security
-- without a policy for anybody, so the serving role reaches them through these functions, which run as the owner.

CREATE FUNCTION jobs.enqueue(task text, payload json, queue text, once_key text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM graphile_worker.add_job(task, payload, queue_name => queue, job_key => once_key, max_attempts => 10);
END
$$;

CREATE FUNCTION jobs.beat(workers text[], at timestamptz) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  INSERT INTO jobs.heartbeats (worker_id, beat_at) SELECT unnest(workers), at
  ON CONFLICT (worker_id) DO UPDATE SET beat_at = EXCLUDED.beat_at
$$;

-- Frees the jobs of workers that have not beaten since `dead_before`, and says how many workers those were. A worker that
-- never beat is given as long from the moment it took its job.
-- graphile-worker itself would leave a job with a killed worker for four hours.
CREATE FUNCTION jobs.release_dead(dead_before timestamptz) RETURNS int
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  dead text[];
BEGIN
  SELECT array_agg(DISTINCT held.worker) INTO dead
  FROM (
    SELECT locked_by AS worker, locked_at FROM graphile_worker._private_jobs
    WHERE locked_by IS NOT NULL
    UNION ALL
    SELECT locked_by, locked_at FROM graphile_worker._private_job_queues
    WHERE locked_by IS NOT NULL
  ) held
  LEFT JOIN jobs.heartbeats b ON b.worker_id = held.worker
  WHERE COALESCE(b.beat_at, held.locked_at) < dead_before;
  DELETE FROM jobs.heartbeats WHERE beat_at < dead_before;
  IF dead IS NULL THEN
    RETURN 0;
  END IF;
  PERFORM graphile_worker.force_unlock_workers(dead);
  RETURN cardinality(dead);
END
$$;
