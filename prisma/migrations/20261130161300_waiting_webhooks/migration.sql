-- Deliveries whose next attempt becomes due next.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "webhook_dues_waiting" ON jobs.webhook_dues ("due_at") WHERE NOT is_due;
