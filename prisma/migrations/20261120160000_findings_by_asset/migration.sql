-- What is open on an asset is looked up by its name alone: before Postgres has counted a new project, no other index looks as good.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "findings_tenant_id_asset_name_idx" ON "findings"("tenant_id", "asset_name");
