-- Its place is taken by the one with the name alone.
DROP INDEX CONCURRENTLY IF EXISTS "findings_tenant_id_project_id_status_asset_name_idx";
