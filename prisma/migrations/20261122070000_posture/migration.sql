-- The posture of each project, one row per UTC day on which a scan of it completed, and the sums over all projects of a tenant.

-- AlterTable
ALTER TABLE "scan_projects" ADD COLUMN     "finished_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "posture_days" (
    "tenant_id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "day" DATE NOT NULL,
    "scan_id" UUID NOT NULL,
    "scanned_at" TIMESTAMPTZ(3) NOT NULL,
    "critical" INTEGER NOT NULL,
    "high" INTEGER NOT NULL,
    "medium" INTEGER NOT NULL,
    "low" INTEGER NOT NULL,
    "info" INTEGER NOT NULL,
    "passed_weight" BIGINT NOT NULL,
    "decided_weight" BIGINT NOT NULL,
    "decided" BIGINT NOT NULL,
    "unknown" BIGINT NOT NULL,
    "opened" INTEGER NOT NULL,
    "resolved" INTEGER NOT NULL,
    "resolved_critical" INTEGER NOT NULL,
    "resolved_high" INTEGER NOT NULL,
    "resolved_medium" INTEGER NOT NULL,
    "resolved_low" INTEGER NOT NULL,
    "resolved_info" INTEGER NOT NULL,
    "resolve_seconds_critical" BIGINT NOT NULL,
    "resolve_seconds_high" BIGINT NOT NULL,
    "resolve_seconds_medium" BIGINT NOT NULL,
    "resolve_seconds_low" BIGINT NOT NULL,
    "resolve_seconds_info" BIGINT NOT NULL,

    CONSTRAINT "posture_days_pkey" PRIMARY KEY ("tenant_id","project_id","day")
);

-- CreateTable
CREATE TABLE "posture_totals" (
    "tenant_id" UUID NOT NULL,
    "day" DATE NOT NULL,
    "projects" INTEGER NOT NULL,
    "critical" INTEGER NOT NULL,
    "high" INTEGER NOT NULL,
    "medium" INTEGER NOT NULL,
    "low" INTEGER NOT NULL,
    "info" INTEGER NOT NULL,
    "passed_weight" BIGINT NOT NULL,
    "decided_weight" BIGINT NOT NULL,
    "decided" BIGINT NOT NULL,
    "unknown" BIGINT NOT NULL,
    "opened" INTEGER NOT NULL,
    "resolved" INTEGER NOT NULL,
    "resolved_critical" INTEGER NOT NULL,
    "resolved_high" INTEGER NOT NULL,
    "resolved_medium" INTEGER NOT NULL,
    "resolved_low" INTEGER NOT NULL,
    "resolved_info" INTEGER NOT NULL,
    "resolve_seconds_critical" BIGINT NOT NULL,
    "resolve_seconds_high" BIGINT NOT NULL,
    "resolve_seconds_medium" BIGINT NOT NULL,
    "resolve_seconds_low" BIGINT NOT NULL,
    "resolve_seconds_info" BIGINT NOT NULL,

    CONSTRAINT "posture_totals_pkey" PRIMARY KEY ("tenant_id","day")
);

-- AddForeignKey
ALTER TABLE "posture_days" ADD CONSTRAINT "posture_days_tenant_id_project_id_fkey" FOREIGN KEY ("tenant_id", "project_id") REFERENCES "projects"("tenant_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Row-level security: a connection sees the rows of its tenant only. Migration grants rights from grants.ts.
ALTER TABLE public.posture_days ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.posture_days FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_isolation ON public.posture_days FOR ALL
  USING (tenant_id = NULLIF(current_setting('app.tenant_id', true), '')::uuid)
  WITH CHECK (tenant_id = NULLIF(current_setting('app.tenant_id', true), '')::uuid);

-- Row-level security: a connection sees the rows of its tenant only. Migration grants rights from grants.ts.
ALTER TABLE public.posture_totals ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.posture_totals FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_isolation ON public.posture_totals FOR ALL
  USING (tenant_id = NULLIF(current_setting('app.tenant_id', true), '')::uuid)
  WITH CHECK (tenant_id = NULLIF(current_setting('app.tenant_id', true), '')::uuid);
