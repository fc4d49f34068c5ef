-- That a mail server is away for hours is no fault of the mails that wait for it. By itself the queue would give them up
-- after ten attempts, which is little more than three hours, and before that let hours pass after the server is back.

-- Has the jobs of a task that were tried in vain tried again within `pause`, until they are older than `longest`.
CREATE FUNCTION jobs.keep_trying(of_task text, pause interval, longest interval) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  UPDATE graphile_worker._private_jobs j
  SET run_at = least(j.run_at, now() + pause), attempts = least(j.attempts, j.max_attempts - 1)
  FROM graphile_worker._private_tasks t
  WHERE t.id = j.task_id AND t.identifier = of_task AND j.locked_by IS NULL AND j.attempts > 0
    AND j.created_at > now() - longest
    AND (j.run_at > now() + pause OR j.attempts >= j.max_attempts);
END
$$;
