-- E-mail domains that tenants have proven to be theirs by a DNS TXT record.

-- CreateTable
CREATE TABLE "identity"."tenant_domains" (
    "tenant_id" UUID NOT NULL,
    "domain" TEXT NOT NULL,
    "token" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "verified_at" TIMESTAMPTZ(3),

    CONSTRAINT "tenant_domains_pkey" PRIMARY KEY ("tenant_id","domain")
);

-- AddForeignKey
ALTER TABLE "identity"."tenant_domains" ADD CONSTRAINT "tenant_domains_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "identity"."tenants"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The domains of the connection's tenant.
CREATE FUNCTION identity.list_domains()
RETURNS TABLE (domain text, token text, created_at timestamptz, verified_at timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT d.domain, d.token, d.created_at, d.verified_at FROM identity.tenant_domains d
  WHERE d.tenant_id = public.current_tenant() ORDER BY d.created_at DESC, d.domain
$$;

-- Adds an unverified domain to the connection's tenant. Returns added, exists, or full.
CREATE FUNCTION identity.add_domain(new_domain text, new_token text, at timestamptz, most int) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM 1 FROM identity.tenants t WHERE t.id = public.current_tenant() FOR NO KEY UPDATE;
  IF EXISTS (
    SELECT 1 FROM identity.tenant_domains d WHERE d.tenant_id = public.current_tenant() AND d.domain = new_domain
  ) THEN
    RETURN 'exists';
  END IF;
  IF (SELECT count(*) FROM identity.tenant_domains d WHERE d.tenant_id = public.current_tenant()) >= most THEN
    RETURN 'full';
  END IF;
  INSERT INTO identity.tenant_domains (tenant_id, domain, token, created_at)
  VALUES (public.current_tenant(), new_domain, new_token, at);
  RETURN 'added';
END
$$;

-- Records the result of a DNS check: verified since `at`, or not verified (null). The token must be the one that was
-- checked: a domain that was removed and added again meanwhile keeps its new state. No row: there is no such domain.
CREATE FUNCTION identity.set_domain_verified(of_domain text, checked_token text, at timestamptz)
RETURNS TABLE (domain text, token text, created_at timestamptz, verified_at timestamptz)
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  UPDATE identity.tenant_domains d
  SET verified_at = CASE WHEN at IS NOT NULL THEN COALESCE(d.verified_at, at) END
  WHERE d.tenant_id = public.current_tenant() AND d.domain = of_domain AND d.token = checked_token
  RETURNING d.domain, d.token, d.created_at, d.verified_at
$$;

-- No row: there was no such domain.
CREATE FUNCTION identity.remove_domain(of_domain text) RETURNS TABLE (domain text)
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  DELETE FROM identity.tenant_domains d
  WHERE d.tenant_id = public.current_tenant() AND d.domain = of_domain
  RETURNING d.domain
$$;

-- Whether a tenant has proven the domain of an e-mail address.
CREATE FUNCTION identity.has_domain_of(in_tenant uuid, address text) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT EXISTS (
    SELECT 1 FROM identity.tenant_domains d
    WHERE d.tenant_id = in_tenant AND d.domain = lower(regexp_replace(address, '^.*@', ''))
      AND d.verified_at IS NOT NULL
  )
$$;
