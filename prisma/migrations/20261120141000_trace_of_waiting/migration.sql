-- The trace of a scan whose turn had not come, for whoever calls it: a caller of its own would else take it into theirs.
ALTER TABLE "scan_projects" ADD COLUMN     "waits_trace" JSONB;
