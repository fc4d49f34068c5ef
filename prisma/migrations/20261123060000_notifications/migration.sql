-- E-mails about new findings.
-- AlterTable
ALTER TABLE "scan_projects" ADD COLUMN     "new_serious" JSONB;

-- CreateTable
CREATE TABLE "notification_settings" (
    "tenant_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "digest" TEXT NOT NULL,
    "due_at" TIMESTAMPTZ(3),
    "scans" INTEGER NOT NULL DEFAULT 0,
    "critical" INTEGER NOT NULL DEFAULT 0,
    "high" INTEGER NOT NULL DEFAULT 0,
    "critical_ids" UUID[] DEFAULT '{}',
    "high_ids" UUID[] DEFAULT '{}',

    CONSTRAINT "notification_settings_pkey" PRIMARY KEY ("tenant_id","user_id")
);

-- CreateTable
CREATE TABLE "jobs"."digest_dues" (
    "tenant_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "digest_dues_pkey" PRIMARY KEY ("tenant_id","user_id")
);

-- CreateIndex
CREATE INDEX "digest_dues_due_at_idx" ON "jobs"."digest_dues"("due_at");

-- Row-level security: a connection sees the rows of its tenant only. Migration grants rights from grants.ts.
ALTER TABLE public.notification_settings ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.notification_settings FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_isolation ON public.notification_settings FOR ALL
  USING (tenant_id = NULLIF(current_setting('app.tenant_id', true), '')::uuid)
  WITH CHECK (tenant_id = NULLIF(current_setting('app.tenant_id', true), '')::uuid);

-- A worker is bound to no tenant when it looks for what is due, so it sees no settings. This table tells it the ids alone.
CREATE FUNCTION jobs.note_digest() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF TG_OP <> 'DELETE' AND NEW.due_at IS NOT NULL THEN
    INSERT INTO jobs.digest_dues (tenant_id, user_id, due_at) VALUES (NEW.tenant_id, NEW.user_id, NEW.due_at)
    ON CONFLICT (tenant_id, user_id) DO UPDATE SET due_at = EXCLUDED.due_at;
  ELSIF TG_OP <> 'INSERT' THEN
    DELETE FROM jobs.digest_dues d WHERE d.tenant_id = OLD.tenant_id AND d.user_id = OLD.user_id;
  END IF;
  RETURN NULL;
END
$$;

CREATE TRIGGER note_digest AFTER INSERT OR DELETE ON public.notification_settings
  FOR EACH ROW EXECUTE FUNCTION jobs.note_digest();
CREATE TRIGGER note_changed_digest AFTER UPDATE OF due_at ON public.notification_settings
  FOR EACH ROW WHEN (NEW.due_at IS DISTINCT FROM OLD.due_at) EXECUTE FUNCTION jobs.note_digest();

-- E-mails that are due, the first of every tenant before the second of any. At most 50 wait for the mail server at a time,
-- so that a tenant with many members does not fill the queue; those that a mail server has put off do not count.
CREATE FUNCTION jobs.due_digests(at timestamptz, most int)
RETURNS TABLE (tenant_id uuid, user_id uuid)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  RETURN QUERY
  SELECT due.tenant_id, due.user_id
  FROM (
    SELECT d.tenant_id, d.user_id, d.due_at,
           row_number() OVER (PARTITION BY d.tenant_id ORDER BY d.due_at, d.user_id) AS place
    FROM jobs.digest_dues d
    WHERE d.due_at <= identity.not_after_now(at)
  ) due
  ORDER BY due.place, due.due_at, due.user_id
  LIMIT GREATEST(0, LEAST(GREATEST(most, 1), 50) - (
    SELECT count(*) FROM graphile_worker._private_jobs j
    JOIN graphile_worker._private_tasks t ON t.id = j.task_id
    WHERE t.identifier = 'send-digest' AND j.attempts = 0
  ));
END
$$;

-- Tries an e-mail that could not be written again later, by an hour at most, so that it delays no other.
CREATE FUNCTION jobs.postpone_digest(of_tenant uuid, of_user uuid, until timestamptz) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  UPDATE jobs.digest_dues d
  SET due_at = LEAST(until, identity.not_after_now(until) + interval '1 hour')
  WHERE d.tenant_id = of_tenant AND d.user_id = of_user
$$;

-- The address, role and standing of a member who gets e-mails. No row: they left the tenant.
CREATE FUNCTION identity.digest_recipient(member uuid)
RETURNS TABLE (
  tenant_id uuid, tenant_name text, features text[], role text, custom_permissions text[], email text, is_active boolean
)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT c.tenant_id, c.tenant_name, c.features, c.role, c.custom_permissions, c.email,
         c.is_active AND u.email_verified_at IS NOT NULL
  FROM identity.schedule_creator(member) c
  JOIN identity.users u ON u.id = member
$$;

-- E-mails about findings are jobs of their own, so that they do not delay e-mails about accounts.
CREATE OR REPLACE FUNCTION jobs.enqueue(task text, payload json, queue text, once_key text, marks text[] DEFAULT NULL::text[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  of_tenant uuid := public.current_tenant();
  due timestamptz;
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
  END IF;
  PERFORM graphile_worker.add_job(
    task, payload, queue_name => queue, job_key => once_key, max_attempts => 10, flags => marks, run_at => due
  );
END
$function$;

CREATE OR REPLACE FUNCTION jobs.keep_trying(of_task text, pause interval, longest interval)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  bounded_pause interval := GREATEST(LEAST(pause, interval '1 hour'), interval '1 second');
  bounded_longest interval := LEAST(longest, interval '7 days');
BEGIN
  IF of_task IS NULL OR of_task NOT IN ('send-mail', 'send-digest') THEN
    RAISE EXCEPTION 'jobs of % are given up by the queue', of_task USING ERRCODE = 'invalid_parameter_value';
  END IF;
  UPDATE graphile_worker._private_jobs j
  SET run_at = least(j.run_at, now() + bounded_pause), attempts = least(j.attempts, j.max_attempts - 1)
  FROM graphile_worker._private_tasks t
  WHERE t.id = j.task_id AND t.identifier = of_task AND j.locked_by IS NULL AND j.attempts > 0
    AND j.created_at > now() - bounded_longest
    AND (j.run_at > now() + bounded_pause OR j.attempts >= j.max_attempts);
END
$function$;
