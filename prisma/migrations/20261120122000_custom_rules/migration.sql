-- CreateTable
CREATE TABLE "custom_rules" (
    "tenant_id" UUID NOT NULL,
    "id" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "title" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "severity" TEXT NOT NULL,
    "asset_types" TEXT[] NOT NULL,
    "predicate" TEXT NOT NULL,
    "recommendation" TEXT NOT NULL,
    "needs" TEXT[] NOT NULL,
    "enabled" BOOLEAN NOT NULL,
    "tests" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "custom_rules_pkey" PRIMARY KEY ("tenant_id","id")
);

-- The wall around tenants, as in row_level_security.
ALTER TABLE public.custom_rules ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.custom_rules FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_isolation ON public.custom_rules FOR ALL
  USING (tenant_id = NULLIF(current_setting('app.tenant_id', true), '')::uuid)
  WITH CHECK (tenant_id = NULLIF(current_setting('app.tenant_id', true), '')::uuid);
