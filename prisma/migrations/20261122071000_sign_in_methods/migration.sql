-- The tenant whose identity provider signs in people of an e-mail domain: the tenant has proven the domain, and its provider
-- is set up for it. Of several tenants, the one that proved it first.
CREATE FUNCTION identity.saml_tenant_of_domain(of_domain text) RETURNS TABLE (tenant_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT d.tenant_id FROM identity.tenant_domains d
  JOIN identity.saml_connections c ON c.tenant_id = d.tenant_id AND of_domain = ANY (c.email_domains)
  WHERE d.domain = of_domain AND d.verified_at IS NOT NULL AND identity.has_sso(d.tenant_id)
  ORDER BY d.verified_at, d.tenant_id
  LIMIT 1
$$;

-- Whether any tenant has an identity provider.
CREATE FUNCTION identity.has_saml() RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT EXISTS (SELECT 1 FROM identity.saml_connections c WHERE identity.has_sso(c.tenant_id))
$$;
