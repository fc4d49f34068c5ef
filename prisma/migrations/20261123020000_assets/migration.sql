-- Assets: where each one is in its inventory, and the verdicts that the last scan gave it.

-- Null: the inventory has no index, because an earlier release stored it or no list needs it any more.
-- AlterTable
ALTER TABLE "inventories" ADD COLUMN     "indexed_at" TIMESTAMPTZ(3);

-- Names sort by byte, whatever the collation of the database is, so that a page continues exactly where the one before ended.
-- CreateTable
CREATE TABLE "inventory_assets" (
    "tenant_id" UUID NOT NULL,
    "inventory_id" UUID NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "type" TEXT COLLATE "C" NOT NULL,
    "location" TEXT,
    "seq" INTEGER NOT NULL,
    "line" INTEGER NOT NULL,

    CONSTRAINT "inventory_assets_pkey" PRIMARY KEY ("tenant_id","inventory_id","name","type")
);

-- CreateTable
CREATE TABLE "scan_verdicts" (
    "tenant_id" UUID NOT NULL,
    "scan_id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "seq" INTEGER NOT NULL,
    "data" BYTEA NOT NULL,

    CONSTRAINT "scan_verdicts_pkey" PRIMARY KEY ("tenant_id","project_id","scan_id","seq")
);

-- AddForeignKey
ALTER TABLE "scan_verdicts" ADD CONSTRAINT "scan_verdicts_tenant_id_project_id_fkey" FOREIGN KEY ("tenant_id", "project_id") REFERENCES "projects"("tenant_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "scan_verdicts" ADD CONSTRAINT "scan_verdicts_tenant_id_scan_id_project_id_fkey" FOREIGN KEY ("tenant_id", "scan_id", "project_id") REFERENCES "scan_projects"("tenant_id", "scan_id", "project_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Row-level security: a connection sees the rows of its tenant only. Migration grants rights from grants.ts.
ALTER TABLE public.inventory_assets ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.inventory_assets FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_isolation ON public.inventory_assets FOR ALL
  USING (tenant_id = NULLIF(current_setting('app.tenant_id', true), '')::uuid)
  WITH CHECK (tenant_id = NULLIF(current_setting('app.tenant_id', true), '')::uuid);

-- Row-level security: a connection sees the rows of its tenant only. Migration grants rights from grants.ts.
ALTER TABLE public.scan_verdicts ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.scan_verdicts FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_isolation ON public.scan_verdicts FOR ALL
  USING (tenant_id = NULLIF(current_setting('app.tenant_id', true), '')::uuid)
  WITH CHECK (tenant_id = NULLIF(current_setting('app.tenant_id', true), '')::uuid);

-- The index of an inventory is deleted with it, by a trigger: a foreign key would look the inventory up once for each asset, which
-- is a quarter of the cost of the index. A chunk and its index are inserted while the inventory is locked.
CREATE FUNCTION public.delete_asset_index() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  DELETE FROM public.inventory_assets a WHERE a.tenant_id = OLD.tenant_id AND a.inventory_id = OLD.id;
  RETURN NULL;
END
$$;

CREATE TRIGGER delete_asset_index AFTER DELETE ON public.inventories
  FOR EACH ROW EXECUTE FUNCTION public.delete_asset_index();
