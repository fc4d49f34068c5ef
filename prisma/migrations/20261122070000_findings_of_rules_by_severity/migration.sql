-- A page of the findings of a rule is read in order, of each severity and status.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "findings_tenant_id_rule_id_severity_status_id_idx" ON "findings"("tenant_id", "rule_id", "severity", "status", "id" DESC);
