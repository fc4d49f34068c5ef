-- A scan that saw the same findings again as an earlier one notes that in one row instead of updating each of them.

-- CreateTable
CREATE TABLE "finding_repeats" (
    "tenant_id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "written_scan_id" UUID NOT NULL,
    "scan_id" UUID NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "finding_repeats_pkey" PRIMARY KEY ("tenant_id","project_id","written_scan_id")
);

-- AddForeignKey
ALTER TABLE "finding_repeats" ADD CONSTRAINT "finding_repeats_tenant_id_project_id_fkey" FOREIGN KEY ("tenant_id", "project_id") REFERENCES "projects"("tenant_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Row-level security: a connection sees the rows of its tenant only. Migration grants rights from grants.ts.
ALTER TABLE public.finding_repeats ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.finding_repeats FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_isolation ON public.finding_repeats FOR ALL
  USING (tenant_id = NULLIF(current_setting('app.tenant_id', true), '')::uuid)
  WITH CHECK (tenant_id = NULLIF(current_setting('app.tenant_id', true), '')::uuid);

-- The same assets give the same digest, so a scan can repeat the results for another inventory of the same bytes.
-- AlterTable
ALTER TABLE "inventories" ADD COLUMN     "content_digest" BYTEA,
ADD COLUMN     "seed" BYTEA;

-- AlterTable
ALTER TABLE "scan_projects" ADD COLUMN     "content_digest" BYTEA;
