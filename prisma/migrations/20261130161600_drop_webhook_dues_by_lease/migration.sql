-- contract: v0.1.0: its workers find deliveries with functions only, and none of these reads this index.
DROP INDEX CONCURRENTLY IF EXISTS jobs."webhook_dues_leased_until_idx";
