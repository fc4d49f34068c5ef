-- Workers take the job with the earliest time first. Scans are queued under a time that gives tenants their turns: those
-- of one tenant lie 30 s apart, from ten days ago on, so that the first of a tenant comes before the hundredth of another,
-- and a job is overtaken for 30 s at most for each one that its tenant had queued before it (virtual clock scheduling).

CREATE TABLE jobs.turns (
  "tenant_id" UUID NOT NULL,
  "last" TIMESTAMPTZ(3) NOT NULL,

  CONSTRAINT "turns_pkey" PRIMARY KEY ("tenant_id")
);

-- The turn of the tenant's next job. Whoever finds the tenant's row locked takes the same turn as the other: to wait for
-- a launch that is under way could end in a deadlock with the work on an earlier one.
CREATE FUNCTION jobs.next_turn(of_tenant uuid) RETURNS timestamptz
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  earliest timestamptz := now() - interval '10 days';
  turn timestamptz;
BEGIN
  UPDATE jobs.turns t SET last = LEAST(now(), GREATEST(earliest, t.last + interval '30 seconds'))
  FROM (SELECT tenant_id FROM jobs.turns WHERE tenant_id = of_tenant FOR UPDATE SKIP LOCKED) free
  WHERE t.tenant_id = free.tenant_id
  RETURNING t.last INTO turn;
  IF turn IS NULL THEN
    SELECT LEAST(now(), GREATEST(earliest, t.last + interval '30 seconds')) INTO turn
    FROM jobs.turns t WHERE t.tenant_id = of_tenant;
  END IF;
  IF turn IS NULL THEN
    -- The first scan of the tenant.
    INSERT INTO jobs.turns (tenant_id, last) VALUES (of_tenant, earliest) ON CONFLICT (tenant_id) DO NOTHING;
    turn := earliest;
  END IF;
  RETURN turn;
END
$$;

-- As before, for our tasks alone and for jobs of the size that they have; a scan takes its tenant's next turn, and what
-- goes on with a scan that runs comes first.
CREATE OR REPLACE FUNCTION jobs.enqueue(task text, payload json, queue text, once_key text, marks text[] DEFAULT NULL) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  of_tenant uuid := public.current_tenant();
  due timestamptz;
BEGIN
  IF task IS NULL OR task NOT IN ('scan-project', 'send-mail') THEN
    RAISE EXCEPTION 'there is no task of the name %', task USING ERRCODE = 'invalid_parameter_value';
  END IF;
  IF octet_length(payload::text) > 262144 OR length(queue) > 128 OR length(once_key) > 256
    OR cardinality(marks) > 8 OR length(array_to_string(marks, '')) > 1024
  THEN
    RAISE EXCEPTION 'the job is too large' USING ERRCODE = 'program_limit_exceeded';
  END IF;
  IF task = 'scan-project' AND of_tenant IS NOT NULL THEN
    due := CASE WHEN payload->>'slot' IS NOT NULL AND EXISTS (
      SELECT 1 FROM public.scan_projects p
      WHERE p.tenant_id = of_tenant AND p.scan_id::text = payload->>'scanId'
        AND p.project_id::text = payload->>'projectId' AND p.status = 'running'
    ) THEN now() - interval '11 days' ELSE jobs.next_turn(of_tenant) END;
  END IF;
  PERFORM graphile_worker.add_job(
    task, payload, queue_name => queue, job_key => once_key, max_attempts => 10, flags => marks, run_at => due
  );
END
$$;

-- How long a job waits is told by when it was queued: the time that it is due at says whose turn it is.
CREATE OR REPLACE FUNCTION jobs.depth(at timestamptz)
RETURNS TABLE (task text, waiting int, running int, failed int, oldest_seconds double precision)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  RETURN QUERY
  SELECT t.identifier,
         count(*) FILTER (WHERE j.locked_at IS NULL AND j.attempts < j.max_attempts AND j.run_at <= at)::int,
         count(*) FILTER (WHERE j.locked_at IS NOT NULL)::int,
         count(*) FILTER (WHERE j.locked_at IS NULL AND j.attempts >= j.max_attempts)::int,
         COALESCE(EXTRACT(EPOCH FROM at - min(GREATEST(j.run_at, j.created_at))
           FILTER (WHERE j.locked_at IS NULL AND j.attempts < j.max_attempts AND j.run_at <= at)), 0)::float8
  FROM graphile_worker._private_tasks t
  JOIN graphile_worker._private_jobs j ON j.task_id = t.id
  GROUP BY t.identifier;
END
$$;
