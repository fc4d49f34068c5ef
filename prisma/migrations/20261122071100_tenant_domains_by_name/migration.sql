-- Sign-in looks for the tenant of a domain.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "tenant_domains_domain_idx" ON "identity"."tenant_domains"("domain");
