-- As before, and corrects heartbeats that are in the future because the clock was set back. Their workers, if dead, would count
-- as living until the clock has caught up. Not now(): while this transaction waited, others have written later heartbeats.
CREATE OR REPLACE FUNCTION jobs.beat(workers text[], at timestamptz) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF cardinality(workers) > 256 OR EXISTS (SELECT 1 FROM unnest(workers) w WHERE w IS NULL OR length(w) > 128) THEN
    RAISE EXCEPTION 'too many workers, or too long a name of one' USING ERRCODE = 'program_limit_exceeded';
  END IF;
  INSERT INTO jobs.heartbeats (worker_id, beat_at) SELECT DISTINCT unnest(workers), LEAST(at, now())
  ON CONFLICT (worker_id) DO UPDATE SET beat_at = EXCLUDED.beat_at;
  -- A locked one is being written by its own process, which may do the same with those of this one.
  UPDATE jobs.heartbeats b SET beat_at = clock_timestamp() FROM (
    SELECT h.worker_id FROM jobs.heartbeats h WHERE h.beat_at > clock_timestamp() FOR NO KEY UPDATE SKIP LOCKED
  ) ahead
  WHERE b.worker_id = ahead.worker_id;
END
$$;

-- As before, and does not wait for a clock that was set back: neither for workers without a heartbeat, which get one, nor with
-- the jobs that it releases, which were due when they were taken.
CREATE OR REPLACE FUNCTION jobs.release_dead(dead_before timestamptz) RETURNS int
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  silent_since timestamptz := LEAST(dead_before, now() - interval '10 seconds');
  dead text[];
BEGIN
  INSERT INTO jobs.heartbeats (worker_id, beat_at)
  SELECT j.locked_by, now() FROM graphile_worker._private_jobs j
  WHERE j.locked_by IS NOT NULL AND j.locked_at > clock_timestamp()
  UNION
  SELECT q.locked_by, now() FROM graphile_worker._private_job_queues q
  WHERE q.locked_by IS NOT NULL AND q.locked_at > clock_timestamp()
  ON CONFLICT (worker_id) DO NOTHING;
  SELECT array_agg(DISTINCT held.worker) INTO dead
  FROM (
    SELECT locked_by AS worker, locked_at FROM graphile_worker._private_jobs
    WHERE locked_by IS NOT NULL
    UNION ALL
    SELECT locked_by, locked_at FROM graphile_worker._private_job_queues
    WHERE locked_by IS NOT NULL
  ) held
  LEFT JOIN jobs.heartbeats b ON b.worker_id = held.worker
  WHERE COALESCE(b.beat_at, held.locked_at) < silent_since;
  DELETE FROM jobs.heartbeats WHERE beat_at < silent_since;
  IF dead IS NULL THEN
    RETURN 0;
  END IF;
  UPDATE graphile_worker._private_jobs j SET run_at = now() WHERE j.locked_by = ANY (dead) AND j.run_at > now();
  PERFORM graphile_worker.force_unlock_workers(dead);
  RETURN cardinality(dead);
END
$$;
