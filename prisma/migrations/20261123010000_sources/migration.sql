-- AlterTable
ALTER TABLE "schedules" ADD COLUMN     "awaited_pulls" JSONB NOT NULL DEFAULT '[]';

-- CreateTable
CREATE TABLE "sources" (
    "tenant_id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "parent" TEXT NOT NULL,
    "credential_type" TEXT NOT NULL,
    "principal" TEXT NOT NULL,
    "credential" BYTEA,
    "created_by_kind" TEXT NOT NULL,
    "created_by_id" UUID,
    "created_by_label" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sources_pkey" PRIMARY KEY ("tenant_id","project_id")
);

-- CreateTable
CREATE TABLE "pulls" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "status" TEXT NOT NULL,
    "parent" TEXT NOT NULL,
    "state" JSONB,
    "turn" INTEGER NOT NULL,
    "holder" UUID,
    "stalls" INTEGER NOT NULL,
    "pages" INTEGER NOT NULL,
    "records" INTEGER NOT NULL,
    "bytes" BIGINT NOT NULL,
    "missing" JSONB NOT NULL,
    "problem_code" TEXT,
    "problem" TEXT,
    "inventory_id" UUID,
    "assets" INTEGER,
    "created_by_kind" TEXT NOT NULL,
    "created_by_id" UUID,
    "created_by_label" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "pulls_pkey" PRIMARY KEY ("tenant_id","id")
);

-- CreateTable
CREATE TABLE "pull_pages" (
    "tenant_id" UUID NOT NULL,
    "pull_id" UUID NOT NULL,
    "seq" INTEGER NOT NULL,
    "data" BYTEA NOT NULL,

    CONSTRAINT "pull_pages_pkey" PRIMARY KEY ("tenant_id","pull_id","seq")
);

-- CreateIndex
CREATE INDEX "pulls_tenant_id_project_id_id_idx" ON "pulls"("tenant_id", "project_id", "id");

-- AddForeignKey
ALTER TABLE "sources" ADD CONSTRAINT "sources_tenant_id_project_id_fkey" FOREIGN KEY ("tenant_id", "project_id") REFERENCES "projects"("tenant_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "pulls" ADD CONSTRAINT "pulls_tenant_id_project_id_fkey" FOREIGN KEY ("tenant_id", "project_id") REFERENCES "projects"("tenant_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "pull_pages" ADD CONSTRAINT "pull_pages_tenant_id_pull_id_fkey" FOREIGN KEY ("tenant_id", "pull_id") REFERENCES "pulls"("tenant_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- A project has one pull at a time.
CREATE UNIQUE INDEX pulls_in_progress ON public.pulls (tenant_id, project_id) WHERE status IN ('queued', 'running');

-- Row-level security: a connection sees the rows of its tenant only. Migration grants rights from grants.ts.
ALTER TABLE public.sources ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.sources FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_isolation ON public.sources FOR ALL
  USING (tenant_id = NULLIF(current_setting('app.tenant_id', true), '')::uuid)
  WITH CHECK (tenant_id = NULLIF(current_setting('app.tenant_id', true), '')::uuid);
ALTER TABLE public.pulls ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.pulls FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_isolation ON public.pulls FOR ALL
  USING (tenant_id = NULLIF(current_setting('app.tenant_id', true), '')::uuid)
  WITH CHECK (tenant_id = NULLIF(current_setting('app.tenant_id', true), '')::uuid);
ALTER TABLE public.pull_pages ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.pull_pages FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_isolation ON public.pull_pages FOR ALL
  USING (tenant_id = NULLIF(current_setting('app.tenant_id', true), '')::uuid)
  WITH CHECK (tenant_id = NULLIF(current_setting('app.tenant_id', true), '')::uuid);

-- Pages are compressed already.
ALTER TABLE public.pull_pages ALTER COLUMN data SET STORAGE EXTERNAL;

-- Queues a turn of a pull of the connection's tenant. The pulls of a tenant run one after the other, and tenants take
-- turns as they do with scans. A delay is an hour at most.
CREATE FUNCTION jobs.enqueue_pull(pull uuid, turn int, delay_seconds int, trace json) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  of_tenant uuid := public.current_tenant();
BEGIN
  IF of_tenant IS NULL OR pull IS NULL OR turn IS NULL THEN
    RAISE EXCEPTION 'a pull belongs to a tenant' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  IF octet_length(trace::text) > 4096 THEN
    RAISE EXCEPTION 'the job is too large' USING ERRCODE = 'program_limit_exceeded';
  END IF;
  PERFORM graphile_worker.add_job(
    'pull-inventory',
    (COALESCE(trace::jsonb, '{}') || jsonb_build_object('tenantId', of_tenant, 'pullId', pull, 'turn', turn))::json,
    queue_name => 'pulls:' || of_tenant::text,
    max_attempts => 10,
    run_at => CASE WHEN delay_seconds > 0 THEN now() + make_interval(secs => LEAST(delay_seconds, 3600))
              ELSE jobs.next_turn(of_tenant) END
  );
END
$$;
