-- What an inventory holds besides its assets: what was noted on the way in, and what rules on other assets have to know.

-- AlterTable
ALTER TABLE "inventories" ADD COLUMN     "contents" JSONB;

-- AlterTable
ALTER TABLE "inventory_chunks" ADD COLUMN     "landmarks" BYTEA;

-- The rules of a scan, kept as they were when it was launched: a later release, or a changed profile, leaves them alone.

-- CreateTable
CREATE TABLE "rulesets" (
    "tenant_id" UUID NOT NULL,
    "digest" TEXT NOT NULL,
    "profile" TEXT NOT NULL,
    "rules" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "rulesets_pkey" PRIMARY KEY ("tenant_id","digest")
);

-- AlterTable
ALTER TABLE "scan_rule_counts" ADD COLUMN     "missing" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[];

-- AlterTable
ALTER TABLE "scans" ADD COLUMN     "coverage" JSONB;

-- Several workers at the scan of one project: each at a slot of its own, with claims on a few chunks at a time.

-- AlterTable
ALTER TABLE "scan_projects" ADD COLUMN     "chunks" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "chunks_claimed" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "waits" BOOLEAN NOT NULL DEFAULT false;

-- Whatever the workers believe: of the scans of one project one runs at a time.
CREATE UNIQUE INDEX "scan_projects_one_running" ON "scan_projects" ("tenant_id", "project_id") WHERE "status" = 'running';

-- CreateTable
CREATE TABLE "scan_slots" (
    "tenant_id" UUID NOT NULL,
    "scan_id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "slot" INTEGER NOT NULL,
    "holder" UUID NOT NULL,

    CONSTRAINT "scan_slots_pkey" PRIMARY KEY ("tenant_id","scan_id","project_id","slot")
);

-- CreateTable
CREATE TABLE "scan_claims" (
    "tenant_id" UUID NOT NULL,
    "scan_id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "slot" INTEGER NOT NULL,
    "from_seq" INTEGER NOT NULL,
    "to_seq" INTEGER NOT NULL,

    CONSTRAINT "scan_claims_pkey" PRIMARY KEY ("tenant_id","scan_id","project_id","slot","from_seq")
);

-- AddForeignKey
ALTER TABLE "scan_slots" ADD CONSTRAINT "scan_slots_tenant_id_scan_id_project_id_fkey" FOREIGN KEY ("tenant_id", "scan_id", "project_id") REFERENCES "scan_projects"("tenant_id", "scan_id", "project_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "scan_claims" ADD CONSTRAINT "scan_claims_tenant_id_scan_id_project_id_slot_fkey" FOREIGN KEY ("tenant_id", "scan_id", "project_id", "slot") REFERENCES "scan_slots"("tenant_id", "scan_id", "project_id", "slot") ON DELETE CASCADE ON UPDATE CASCADE;

-- The wall around tenants, as in row_level_security.
DO $$
DECLARE
  tenant_table text;
BEGIN
  FOREACH tenant_table IN ARRAY ARRAY['rulesets', 'scan_slots', 'scan_claims'] LOOP
    EXECUTE format('ALTER TABLE public.%I ENABLE ROW LEVEL SECURITY', tenant_table);
    EXECUTE format('ALTER TABLE public.%I FORCE ROW LEVEL SECURITY', tenant_table);
    EXECUTE format(
      'CREATE POLICY tenant_isolation ON public.%I FOR ALL
         USING (tenant_id = NULLIF(current_setting(''app.tenant_id'', true), '''')::uuid)
         WITH CHECK (tenant_id = NULLIF(current_setting(''app.tenant_id'', true), '''')::uuid)',
      tenant_table
    );
  END LOOP;
END
$$;

-- As before, and with flags by which workers leave jobs to others.
DROP FUNCTION jobs.enqueue(text, json, text, text);
CREATE FUNCTION jobs.enqueue(task text, payload json, queue text, once_key text, marks text[] DEFAULT NULL) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM graphile_worker.add_job(
    task, payload, queue_name => queue, job_key => once_key, max_attempts => 10, flags => marks
  );
END
$$;

-- The jobs that have no attempt left and are nobody's: the last worker that had one died of it, or could not report.
CREATE FUNCTION jobs.abandoned(of_task text) RETURNS TABLE (id bigint, payload json)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  RETURN QUERY
    SELECT j.id, j.payload
    FROM graphile_worker._private_jobs j
    JOIN graphile_worker._private_tasks t ON t.id = j.task_id
    WHERE t.identifier = of_task AND j.locked_by IS NULL AND j.attempts >= j.max_attempts
    ORDER BY j.id
    LIMIT 100;
END
$$;

CREATE FUNCTION jobs.forget(job bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  DELETE FROM graphile_worker._private_jobs j
  WHERE j.id = job AND j.locked_by IS NULL AND j.attempts >= j.max_attempts;
END
$$;
