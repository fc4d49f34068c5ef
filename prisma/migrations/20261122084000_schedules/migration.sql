-- Schedules: scans that are launched at the times of a cron expression.
-- AlterTable
ALTER TABLE "scans" ADD COLUMN     "schedule_id" UUID;

-- CreateTable
CREATE TABLE "schedules" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "projects" TEXT[],
    "profile" TEXT NOT NULL,
    "cron" TEXT NOT NULL,
    "timezone" TEXT NOT NULL,
    "pull_first" BOOLEAN NOT NULL,
    "enabled" BOOLEAN NOT NULL,
    "created_by_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "next_run_at" TIMESTAMPTZ(3),
    "last_run_at" TIMESTAMPTZ(3),
    "last_scan_id" UUID,
    "last_problem" TEXT,
    "disabled_code" TEXT,
    "disabled_at" TIMESTAMPTZ(3),

    CONSTRAINT "schedules_pkey" PRIMARY KEY ("tenant_id","id")
);

-- CreateTable
CREATE TABLE "jobs"."schedule_dues" (
    "tenant_id" UUID NOT NULL,
    "schedule_id" UUID NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "schedule_dues_pkey" PRIMARY KEY ("tenant_id","schedule_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "schedules_tenant_id_name_key" ON "schedules"("tenant_id", "name");

-- CreateIndex
CREATE INDEX "schedule_dues_due_at_idx" ON "jobs"."schedule_dues"("due_at");

-- Row-level security: a connection sees the rows of its tenant only. Migration grants rights from grants.ts.
ALTER TABLE public.schedules ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.schedules FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_isolation ON public.schedules FOR ALL
  USING (tenant_id = NULLIF(current_setting('app.tenant_id', true), '')::uuid)
  WITH CHECK (tenant_id = NULLIF(current_setting('app.tenant_id', true), '')::uuid);

-- A worker is bound to no tenant when it looks for what is due, so it sees no schedule. This table tells it the ids alone.
CREATE FUNCTION jobs.note_schedule() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    DELETE FROM jobs.schedule_dues d WHERE d.tenant_id = OLD.tenant_id AND d.schedule_id = OLD.id;
  ELSIF NEW.enabled AND NEW.next_run_at IS NOT NULL THEN
    INSERT INTO jobs.schedule_dues (tenant_id, schedule_id, due_at) VALUES (NEW.tenant_id, NEW.id, NEW.next_run_at)
    ON CONFLICT (tenant_id, schedule_id) DO UPDATE SET due_at = EXCLUDED.due_at;
  ELSE
    DELETE FROM jobs.schedule_dues d WHERE d.tenant_id = NEW.tenant_id AND d.schedule_id = NEW.id;
  END IF;
  RETURN NULL;
END
$$;

CREATE TRIGGER note_schedule AFTER INSERT OR UPDATE OF enabled, next_run_at OR DELETE ON public.schedules
  FOR EACH ROW EXECUTE FUNCTION jobs.note_schedule();

-- What is due, the first of every tenant before the second of any. A worker whose clock is ahead of the database's is
-- not early by more than a few minutes.
CREATE FUNCTION jobs.due_schedules(at timestamptz, most int)
RETURNS TABLE (tenant_id uuid, schedule_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT due.tenant_id, due.schedule_id
  FROM (
    SELECT d.tenant_id, d.schedule_id, d.due_at,
           row_number() OVER (PARTITION BY d.tenant_id ORDER BY d.due_at, d.schedule_id) AS place
    FROM jobs.schedule_dues d
    WHERE d.due_at <= identity.not_after_now(at)
  ) due
  ORDER BY due.place, due.due_at, due.schedule_id
  LIMIT LEAST(GREATEST(most, 1), 100)
$$;

-- Tries a schedule whose launch failed again later, by an hour at most, so that it delays no other.
CREATE FUNCTION jobs.postpone_schedule(of_tenant uuid, schedule uuid, until timestamptz) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  UPDATE jobs.schedule_dues d
  SET due_at = LEAST(until, identity.not_after_now(until) + interval '1 hour')
  WHERE d.tenant_id = of_tenant AND d.schedule_id = schedule
$$;

-- The present role and standing of the person who created a schedule. No row: they left the tenant.
CREATE FUNCTION identity.schedule_creator(member uuid)
RETURNS TABLE (
  tenant_id uuid, tenant_name text, features text[], role text, custom_permissions text[], email text, is_active boolean
)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT t.id, t.name, t.features, m.role, r.permissions, u.email,
         m.status = 'active' AND u.disabled_at IS NULL
  FROM identity.memberships m
  JOIN identity.users u ON u.id = m.user_id
  JOIN identity.tenants t ON t.id = m.tenant_id
  LEFT JOIN identity.roles r ON r.tenant_id = m.tenant_id AND r.name = m.role
  WHERE m.user_id = member AND m.tenant_id = public.current_tenant()
$$;
