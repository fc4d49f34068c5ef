-- AlterTable
ALTER TABLE "findings" ADD COLUMN     "asset_labels" JSONB NOT NULL DEFAULT '{}';

-- CreateTable
CREATE TABLE "mutes" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "fingerprint" BYTEA,
    "rule_id" TEXT,
    "asset" TEXT,
    "asset_pattern" TEXT,
    "project_id" UUID,
    "label_key" TEXT,
    "label_value" TEXT,
    "lookup" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_by_id" UUID,
    "created_by_label" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "mutes_pkey" PRIMARY KEY ("tenant_id","id")
);

-- CreateTable
CREATE TABLE "profiles" (
    "tenant_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "include" TEXT[] NOT NULL,
    "exclude" TEXT[] NOT NULL,
    "parameters" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "profiles_pkey" PRIMARY KEY ("tenant_id","name")
);

-- CreateIndex
CREATE INDEX "mutes_tenant_id_lookup_expires_at_idx" ON "mutes"("tenant_id", "lookup", "expires_at");

-- CreateIndex
CREATE INDEX "mutes_tenant_id_project_id_idx" ON "mutes"("tenant_id", "project_id");

-- CreateIndex
CREATE INDEX "mutes_tenant_id_expires_at_idx" ON "mutes"("tenant_id", "expires_at");

-- AddForeignKey
ALTER TABLE "mutes" ADD CONSTRAINT "mutes_tenant_id_project_id_fkey" FOREIGN KEY ("tenant_id", "project_id") REFERENCES "projects"("tenant_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- A mute without a condition would fit everything; one of a fingerprint has no other.
ALTER TABLE "mutes" ADD CONSTRAINT "mutes_condition_check"
  CHECK (("fingerprint" IS NOT NULL) = (num_nonnulls("rule_id", "asset", "project_id", "label_key") = 0));
ALTER TABLE "mutes" ADD CONSTRAINT "mutes_pattern_check" CHECK (("asset" IS NULL) = ("asset_pattern" IS NULL));

-- The wall around tenants, as in row_level_security.
DO $$
DECLARE
  tenant_table text;
BEGIN
  FOREACH tenant_table IN ARRAY ARRAY['mutes', 'profiles'] LOOP
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
