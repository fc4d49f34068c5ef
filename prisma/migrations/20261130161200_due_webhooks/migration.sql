-- Webhooks with deliveries that are due, and those deliveries in order.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "webhook_dues_due" ON jobs.webhook_dues ("tenant_id", "webhook_id", "due_at") WHERE is_due;
