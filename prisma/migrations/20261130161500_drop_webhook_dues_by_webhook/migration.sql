-- contract: v0.1.0: its workers find deliveries with functions only, and these read webhook_dues_due instead.
DROP INDEX CONCURRENTLY IF EXISTS jobs."webhook_dues_tenant_id_webhook_id_due_at_idx";
