-- A page of the findings of a project is read in order, of each severity and status; the rule is compared in the index.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "findings_tenant_id_project_id_severity_status_id_rule_id_idx" ON "findings"("tenant_id", "project_id", "severity", "status", "id" DESC, "rule_id");
