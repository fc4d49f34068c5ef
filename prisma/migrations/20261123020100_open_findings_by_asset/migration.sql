-- Assets with open findings, in the order of the list of assets.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "findings_open_by_asset" ON "findings" ("tenant_id", "project_id", "asset_name" COLLATE "C") WHERE "status" = 'open';
