-- Its place is taken by the one with the status.
DROP INDEX CONCURRENTLY IF EXISTS "findings_tenant_id_severity_id_idx";
