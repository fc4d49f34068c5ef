-- Finds the completed scans of earlier releases, which have no posture yet. Empty once they are recorded.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "scan_projects_without_posture" ON "scan_projects" ("tenant_id", "scan_id") WHERE "status" = 'completed' AND "finished_at" IS NULL;
