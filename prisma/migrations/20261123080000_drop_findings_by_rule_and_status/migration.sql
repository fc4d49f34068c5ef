-- contract: v0.1.0: only its list of the findings of a rule with a status reads this index. It finds the same rows by another index, more slowly.
DROP INDEX CONCURRENTLY IF EXISTS "findings_tenant_id_rule_id_status_id_idx";
