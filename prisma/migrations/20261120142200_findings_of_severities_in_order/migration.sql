-- A page of the findings of a severity, of a status, or of both is read in order.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "findings_tenant_id_severity_status_id_idx" ON "findings"("tenant_id", "severity", "status", "id" DESC);
