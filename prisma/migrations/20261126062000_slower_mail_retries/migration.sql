-- Jobs that were tried come after new ones. Mails that the mail server refused for their recipient are tried less often the
-- older they are; the others wait for the mail server itself, as all mails do.
CREATE OR REPLACE FUNCTION jobs.keep_trying(of_task text, pause interval, longest interval) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  retry_priority CONSTANT smallint := 10;
  bounded_pause interval := GREATEST(LEAST(pause, interval '1 hour'), interval '1 second');
  bounded_longest interval := LEAST(longest, interval '7 days');
BEGIN
  IF of_task IS NULL OR of_task NOT IN ('send-mail', 'send-digest') THEN
    RAISE EXCEPTION 'jobs of % are given up by the queue', of_task USING ERRCODE = 'invalid_parameter_value';
  END IF;
  WITH tried AS MATERIALIZED (
    SELECT w.id, due.latest
    FROM graphile_worker._private_jobs w
    JOIN graphile_worker._private_tasks t ON t.id = w.task_id
    CROSS JOIN LATERAL (
      SELECT now() + CASE
        WHEN w.last_error IN ('Failed to send the mail (EENVELOPE)', 'Failed to send the mail (EMESSAGE)')
        THEN GREATEST(bounded_pause, LEAST(interval '1 hour', (now() - w.created_at) / 4))
        ELSE bounded_pause
      END AS latest
    ) due
    WHERE t.identifier = of_task AND w.locked_by IS NULL AND w.attempts > 0 AND w.created_at > now() - bounded_longest
      AND (w.priority <> retry_priority OR w.run_at > due.latest OR w.attempts >= w.max_attempts)
    FOR UPDATE OF w SKIP LOCKED
  )
  UPDATE graphile_worker._private_jobs j
  SET run_at = LEAST(j.run_at, tried.latest), attempts = LEAST(j.attempts, j.max_attempts - 1), priority = retry_priority
  FROM tried WHERE j.id = tried.id;
END
$$;
