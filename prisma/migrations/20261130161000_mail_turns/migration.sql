-- A worker sends one mail about accounts or tenants at a time, in the order in which they were queued. A tenant with many
-- administrators, some of whose webhooks were disabled, queued thousands and delayed the mails of all others. Mails about a
-- tenant now take turns, as its scans do, and mails about an account, such as a link for a new password, come before them.

CREATE TABLE jobs.mail_turns (
  "tenant_id" UUID NOT NULL,
  "last" TIMESTAMPTZ(3) NOT NULL,

  CONSTRAINT "mail_turns_pkey" PRIMARY KEY ("tenant_id")
);

-- The turn of the tenant's next mail. Mails are queued in transactions of all kinds, so this waits for no other one: while another
-- one has the row, both take the same turn. Two that insert the first row would wait for each other, so only one inserts it.
CREATE FUNCTION jobs.next_mail_turn(of_tenant uuid) RETURNS timestamptz
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  earliest timestamptz := now() - interval '10 days';
  turn timestamptz;
BEGIN
  UPDATE jobs.mail_turns t SET last = LEAST(now(), GREATEST(earliest, t.last + interval '30 seconds'))
  FROM (SELECT m.tenant_id FROM jobs.mail_turns m WHERE m.tenant_id = of_tenant FOR UPDATE SKIP LOCKED) free
  WHERE t.tenant_id = free.tenant_id
  RETURNING t.last INTO turn;
  IF turn IS NULL THEN
    SELECT LEAST(now(), GREATEST(earliest, t.last + interval '30 seconds')) INTO turn
    FROM jobs.mail_turns t WHERE t.tenant_id = of_tenant;
  END IF;
  IF turn IS NULL THEN
    IF pg_try_advisory_xact_lock(hashtextextended('mail turns ' || of_tenant::text, 0)) THEN
      INSERT INTO jobs.mail_turns (tenant_id, last) VALUES (of_tenant, earliest) ON CONFLICT (tenant_id) DO NOTHING;
    END IF;
    turn := earliest;
  END IF;
  RETURN turn;
END
$$;

-- As before, but a mail about a tenant takes its tenant's next turn. Mails that are retried have priority 10.
CREATE OR REPLACE FUNCTION jobs.enqueue(task text, payload json, queue text, once_key text, marks text[] DEFAULT NULL) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  of_tenant uuid := public.current_tenant();
  mail_of_tenant_priority CONSTANT integer := 5;
  due timestamptz;
  rank integer := 0;
BEGIN
  IF task IS NULL OR task NOT IN ('scan-project', 'send-mail', 'send-digest') THEN
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
  ELSIF task = 'send-mail' AND of_tenant IS NOT NULL AND payload->>'ofTenant' IS NOT NULL THEN
    due := jobs.next_mail_turn(of_tenant);
    rank := mail_of_tenant_priority;
  END IF;
  PERFORM graphile_worker.add_job(
    task, payload, queue_name => queue, job_key => once_key, max_attempts => 10, flags => marks, run_at => due, priority => rank
  );
END
$$;
