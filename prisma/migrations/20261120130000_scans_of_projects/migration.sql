-- The line of scans of a project, and its last scan that completed, are found in order.

-- DropIndex
DROP INDEX "scan_projects_tenant_id_project_id_status_idx";

-- CreateIndex
CREATE INDEX "scan_projects_tenant_id_project_id_status_scan_id_idx" ON "scan_projects"("tenant_id", "project_id", "status", "scan_id");
