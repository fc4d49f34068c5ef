-- Whether the session goes on and its person is a member of the tenant. What ends either later waits for the lock, and then sees
-- what the transaction has stored. The membership comes first, as in its removal, which deletes its sessions.
CREATE FUNCTION identity.hold_session(session uuid, of_user uuid) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF NOT identity.hold_member(of_user) THEN RETURN false; END IF;
  PERFORM 1 FROM identity.sessions s
  WHERE s.id = session AND s.user_id = of_user AND s.revoked_at IS NULL FOR SHARE;
  RETURN FOUND;
END
$$;

-- As before, and waits for exchanges (by the tenant) and confirmations (by the connection) that are not committed: the sessions
-- that they open are then ended too.
CREATE OR REPLACE FUNCTION identity.delete_saml_settings() RETURNS TABLE (id uuid)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM 1 FROM identity.tenants t WHERE t.id = public.current_tenant() FOR NO KEY UPDATE;
  PERFORM 1 FROM identity.saml_connections c WHERE c.tenant_id = public.current_tenant() FOR UPDATE;
  IF NOT FOUND THEN RETURN; END IF;
  PERFORM identity.revoke_saml_access(now());
  RETURN QUERY DELETE FROM identity.saml_connections c WHERE c.tenant_id = public.current_tenant() RETURNING c.id;
END
$$;

-- As before, with the same lock of the connection.
CREATE OR REPLACE FUNCTION identity.put_saml_settings(
  new_id uuid, idp_entity_id text, idp_sso_url text, idp_certificates text[], domains text[], newcomers_role text, at timestamptz
) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM 1 FROM identity.tenants t WHERE t.id = public.current_tenant() FOR NO KEY UPDATE;
  PERFORM 1 FROM identity.saml_connections c WHERE c.tenant_id = public.current_tenant() FOR UPDATE;
  IF EXISTS (
    SELECT 1 FROM identity.saml_connections c
    WHERE c.tenant_id = public.current_tenant() AND NOT (
      c.entity_id = idp_entity_id AND c.sso_url = idp_sso_url AND c.certificates && idp_certificates
    )
  ) THEN
    PERFORM identity.revoke_saml_access(at);
  END IF;
  DELETE FROM identity.saml_connections c WHERE c.tenant_id = public.current_tenant();
  INSERT INTO identity.saml_connections
    (tenant_id, id, entity_id, sso_url, certificates, email_domains, default_role, created_at)
  VALUES (public.current_tenant(), new_id, idp_entity_id, idp_sso_url, idp_certificates, domains, newcomers_role, at);
END
$$;
