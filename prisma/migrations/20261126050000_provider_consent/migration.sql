-- Marks the exchange code itself, so that it opens no session when the row that says what to confirm is gone.
CREATE OR REPLACE FUNCTION identity.require_confirmation(
  code_hash text, via_connection uuid, for_user uuid, subject text, ends timestamptz
) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  UPDATE identity.one_time_values v SET detail = v.detail || '{"mustConfirm": true}'
  WHERE v.kind = 'exchange_code' AND v.value = code_hash AND v.detail->>'tenantId' = public.current_tenant()::text;
  INSERT INTO identity.one_time_values (kind, value, detail, expires_at)
  VALUES ('unconfirmed_code', code_hash, jsonb_build_object(
    'tenantId', public.current_tenant(), 'connectionId', via_connection, 'userId', for_user, 'nameId', subject
  ), ends)
$$;

-- As before, and refuses a code that must be confirmed when the row that says what to confirm is gone.
CREATE OR REPLACE FUNCTION identity.redeem_exchange_code(code_hash text, browser_hash text, at timestamptz)
RETURNS TABLE (user_id uuid, email text, amr text[])
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  WITH spent AS (
    DELETE FROM identity.one_time_values v
    WHERE v.kind = 'exchange_code' AND v.value = code_hash AND v.expires_at > at
      AND v.detail->>'tenantId' = public.current_tenant()::text
      AND v.detail->>'browser' = browser_hash
    RETURNING v.detail
  ), unconfirmed AS (
    -- Locked, because the removal of expired values could otherwise delete it before the confirmation begins.
    SELECT 1 FROM identity.one_time_values v
    WHERE v.kind = 'unconfirmed_code' AND v.value = code_hash
      AND v.detail->>'tenantId' = public.current_tenant()::text
    FOR UPDATE
  )
  SELECT u.id, u.email, ARRAY(SELECT jsonb_array_elements_text(s.detail->'amr'))
  FROM spent s
  JOIN identity.users u ON u.id = (s.detail->>'userId')::uuid AND u.disabled_at IS NULL
  JOIN identity.memberships m
    ON m.user_id = u.id AND m.tenant_id = public.current_tenant() AND m.status = 'active'
  WHERE CASE
    WHEN s.detail ? 'googleSub' THEN u.google_sub = s.detail->>'googleSub'
    ELSE EXISTS (SELECT 1 FROM identity.saml_connections c WHERE c.id = (s.detail->>'connectionId')::uuid)
  END AND (NOT s.detail ? 'mustConfirm' OR EXISTS (SELECT 1 FROM unconfirmed))
$$;

-- As before, and voids the sign-ins under way for the same reason as the sessions.
CREATE OR REPLACE FUNCTION identity.change_member(
  of_user uuid, new_name text, new_role text, new_status text, at timestamptz
) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  -- The person before the membership, as whoever accepts an invitation does: in two orders they would wait for each other.
  SELECT FROM identity.users u WHERE u.id = of_user FOR NO KEY UPDATE;
  -- Before the membership, which a sign-in that has spent one of these updates.
  DELETE FROM identity.one_time_values v
  WHERE v.kind IN ('exchange_code', 'unconfirmed_code', 'saml_confirmation')
    AND v.detail->>'tenantId' = public.current_tenant()::text AND v.detail->>'userId' = of_user::text
    AND (new_status = 'disabled' OR (new_role IS NOT NULL AND v.detail ? 'connectionId'));
  UPDATE identity.memberships m
  SET name = COALESCE(new_name, m.name), role = COALESCE(new_role, m.role), status = COALESCE(new_status, m.status)
  WHERE m.tenant_id = public.current_tenant() AND m.user_id = of_user;
  UPDATE identity.users u SET name = new_name
  WHERE u.id = of_user AND new_name IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM identity.memberships m WHERE m.user_id = of_user AND m.tenant_id <> public.current_tenant()
  ) AND EXISTS (
    SELECT 1 FROM identity.memberships m WHERE m.user_id = of_user AND m.tenant_id = public.current_tenant()
  );
  UPDATE identity.sessions s SET revoked_at = at
  WHERE s.tenant_id = public.current_tenant() AND s.user_id = of_user AND s.revoked_at IS NULL
    AND (new_status = 'disabled' OR (new_role IS NOT NULL AND 'saml' = ANY (s.amr)));
  UPDATE identity.api_keys k SET revoked_at = at
  WHERE k.tenant_id = public.current_tenant() AND k.user_id = of_user AND k.revoked_at IS NULL AND k.by_provider
    AND new_role IS NOT NULL AND NOT identity.is_newcomers_role(new_role);
$$;

-- As before, and voids the sign-ins under way for the same reason as the sessions.
CREATE OR REPLACE FUNCTION identity.change_role(role_name text, holds text[]) RETURNS TABLE (name text)
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  DELETE FROM identity.one_time_values v
  USING identity.memberships m, identity.roles r
  WHERE v.kind IN ('exchange_code', 'unconfirmed_code', 'saml_confirmation') AND v.detail ? 'connectionId'
    AND v.detail->>'tenantId' = public.current_tenant()::text
    AND m.tenant_id = public.current_tenant() AND m.user_id = (v.detail->>'userId')::uuid AND m.role = role_name
    AND r.tenant_id = m.tenant_id AND r.name = role_name AND NOT holds <@ r.permissions;
  UPDATE identity.sessions s SET revoked_at = now()
  FROM identity.memberships m, identity.roles r
  WHERE s.tenant_id = public.current_tenant() AND s.revoked_at IS NULL AND 'saml' = ANY (s.amr)
    AND m.tenant_id = s.tenant_id AND m.user_id = s.user_id AND m.role = role_name
    AND r.tenant_id = s.tenant_id AND r.name = role_name AND NOT holds <@ r.permissions;
  UPDATE identity.api_keys k SET revoked_at = now()
  FROM identity.memberships m, identity.roles r
  WHERE k.tenant_id = public.current_tenant() AND k.revoked_at IS NULL AND k.by_provider
    AND m.tenant_id = k.tenant_id AND m.user_id = k.user_id AND m.role = role_name
    AND r.tenant_id = k.tenant_id AND r.name = role_name AND NOT holds <@ r.permissions
    AND holds && ARRAY['admin.users', 'admin.settings', 'admin.audit'];
  UPDATE identity.roles r SET permissions = holds
  WHERE r.tenant_id = public.current_tenant() AND r.name = role_name
  RETURNING r.name;
$$;

-- Ends the sessions that the tenant's identity provider opened, and the keys that were made in them.
CREATE FUNCTION identity.revoke_saml_access(at timestamptz) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  UPDATE identity.sessions s SET revoked_at = at
  WHERE s.tenant_id = public.current_tenant() AND s.revoked_at IS NULL AND 'saml' = ANY (s.amr);
  UPDATE identity.api_keys k SET revoked_at = at
  WHERE k.tenant_id = public.current_tenant() AND k.revoked_at IS NULL AND k.by_provider;
$$;

-- As before, and ends the keys that were made in the sessions.
CREATE OR REPLACE FUNCTION identity.delete_saml_settings() RETURNS TABLE (id uuid)
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT identity.revoke_saml_access(now())
  FROM identity.saml_connections c WHERE c.tenant_id = public.current_tenant();
  DELETE FROM identity.saml_connections c WHERE c.tenant_id = public.current_tenant() RETURNING c.id;
$$;

-- As before, and ends what another identity provider opened. One that keeps a certificate is the same: providers announce
-- the next certificate beside the present one.
CREATE OR REPLACE FUNCTION identity.put_saml_settings(
  new_id uuid, idp_entity_id text, idp_sso_url text, idp_certificates text[], domains text[], newcomers_role text,
  at timestamptz
) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM 1 FROM identity.tenants t WHERE t.id = public.current_tenant() FOR NO KEY UPDATE;
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

-- A tenant that merely invited the person audits nothing: only people without another membership would appear there.
CREATE OR REPLACE FUNCTION identity.tenant_to_tell(of_user uuid) RETURNS uuid
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT m.tenant_id FROM identity.memberships m
  WHERE m.user_id = of_user AND m.status <> 'invited'
  ORDER BY m.status = 'active' DESC, m.entered_at DESC NULLS LAST, m.created_at, m.tenant_id
  LIMIT 1
$$;

-- Whether a key was made in a session that the tenant's identity provider opened.
CREATE FUNCTION identity.is_provider_key(of_key uuid) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT EXISTS (SELECT 1 FROM identity.api_keys k WHERE k.id = of_key AND k.by_provider)
$$;

-- As before, and erases the address from sources and pulls.
CREATE OR REPLACE FUNCTION identity.remove_member(of_user uuid) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  -- Held fast first, so that an invitation that comes or is accepted at this moment is either seen or comes after.
  PERFORM 1 FROM identity.users u WHERE u.id = of_user FOR UPDATE;
  DELETE FROM identity.memberships m WHERE m.tenant_id = public.current_tenant() AND m.user_id = of_user;
  DELETE FROM identity.mail_tokens t WHERE t.tenant_id = public.current_tenant() AND t.user_id = of_user;
  DELETE FROM identity.saml_identities i USING identity.saml_connections c
  WHERE c.id = i.connection_id AND c.tenant_id = public.current_tenant() AND i.user_id = of_user;
  DELETE FROM public.audit_labels l WHERE l.tenant_id = public.current_tenant() AND l.actor_id = of_user;
  UPDATE public.scans s SET created_by_label = 'removed user'
  WHERE s.tenant_id = public.current_tenant() AND s.created_by_id = of_user;
  UPDATE public.sources s SET created_by_label = 'removed user'
  WHERE s.tenant_id = public.current_tenant() AND s.created_by_id = of_user;
  UPDATE public.pulls p SET created_by_label = 'removed user'
  WHERE p.tenant_id = public.current_tenant() AND p.created_by_id = of_user;
  IF NOT EXISTS (SELECT 1 FROM identity.memberships m WHERE m.user_id = of_user) THEN
    DELETE FROM identity.saml_identities i WHERE i.user_id = of_user;
    DELETE FROM identity.users u WHERE u.id = of_user;
  END IF;
END
$$;

CREATE OR REPLACE FUNCTION cells.erase_member(of_user uuid) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  DELETE FROM public.audit_labels l WHERE l.tenant_id = public.current_tenant() AND l.actor_id = of_user;
  UPDATE public.scans s SET created_by_label = 'removed user'
  WHERE s.tenant_id = public.current_tenant() AND s.created_by_id = of_user AND s.created_by_label <> 'removed user';
  UPDATE public.sources s SET created_by_label = 'removed user'
  WHERE s.tenant_id = public.current_tenant() AND s.created_by_id = of_user AND s.created_by_label <> 'removed user';
  UPDATE public.pulls p SET created_by_label = 'removed user'
  WHERE p.tenant_id = public.current_tenant() AND p.created_by_id = of_user AND p.created_by_label <> 'removed user';
  DELETE FROM public.saved_views v
  WHERE v.tenant_id = public.current_tenant() AND v.owner_id = of_user AND NOT v.shared;
  DELETE FROM public.notification_settings n WHERE n.tenant_id = public.current_tenant() AND n.user_id = of_user;
$$;
