-- As before, with a weaker lock of the membership. A change of the identity provider holds the provider, for which a sign-in waits
-- with the membership locked, and may then note the name of its administrator, which locks their membership FOR KEY SHARE.
CREATE OR REPLACE FUNCTION identity.saml_candidate(connection uuid, subject text, address text)
 RETURNS TABLE(role text, confirmed boolean)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  holder uuid := COALESCE(
    (SELECT i.user_id FROM identity.saml_identities i WHERE i.connection_id = connection AND i.name_id = subject),
    (SELECT u.id FROM identity.users u WHERE u.email = address)
  );
BEGIN
  PERFORM 1 FROM identity.users u WHERE u.id = holder FOR UPDATE;
  RETURN QUERY
    SELECT m.role, EXISTS (
      SELECT 1 FROM identity.saml_identities i
      WHERE i.connection_id = connection AND i.name_id = subject AND i.user_id = holder AND i.confirmed_at IS NOT NULL
    )
    FROM identity.memberships m
    WHERE m.tenant_id = public.current_tenant() AND m.user_id = holder
    FOR NO KEY UPDATE OF m;
END
$function$;

-- As before, with the same weaker lock.
CREATE OR REPLACE FUNCTION identity.admit_by_saml(connection uuid, subject text, address text, person_name text, new_user uuid, at timestamp with time zone, seen_role text, must_confirm boolean, newcomers_allowed boolean)
 RETURNS TABLE(outcome text, user_id uuid, email text, created boolean, linked boolean, voided boolean, member boolean)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  via identity.saml_connections;
  held identity.users;
  joined identity.memberships;
  known uuid;
  proven boolean;
  unproven boolean;
  of_this_tenant_alone boolean;
BEGIN
  created := false; linked := false; voided := false; member := false;
  SELECT c.* INTO via FROM identity.saml_connections c
  WHERE c.id = connection AND c.tenant_id = public.current_tenant() FOR SHARE;
  IF via.id IS NULL THEN
    outcome := 'connection_gone';
    RETURN NEXT; RETURN;
  END IF;
  outcome := 'entered';
  SELECT i.user_id INTO known FROM identity.saml_identities i WHERE i.connection_id = via.id AND i.name_id = subject;

  IF known IS NULL AND NOT EXISTS (SELECT 1 FROM identity.users u WHERE u.email = address) THEN
    IF NOT newcomers_allowed THEN
      outcome := 'default_role';
      RETURN NEXT; RETURN;
    END IF;
    INSERT INTO identity.users (id, email, name, created_at) VALUES (new_user, address, person_name, at)
    ON CONFLICT DO NOTHING;
    created := FOUND;
  END IF;
  SELECT u.* INTO held FROM identity.users u
  WHERE CASE WHEN known IS NULL THEN u.email = address ELSE u.id = known END FOR UPDATE;
  SELECT m.* INTO joined FROM identity.memberships m
  WHERE m.tenant_id = via.tenant_id AND m.user_id = held.id FOR NO KEY UPDATE;
  user_id := held.id;
  email := held.email;
  member := joined.user_id IS NOT NULL;
  proven := identity.has_domain_of(via.tenant_id, held.email);
  -- Nobody proved the address, and no tenant that has proven its domain made the account.
  unproven := held.email_verified_at IS NULL AND proven
    AND NOT EXISTS (
      SELECT 1 FROM identity.saml_identities i JOIN identity.saml_connections c ON c.id = i.connection_id
      WHERE i.user_id = held.id
        AND (c.tenant_id = via.tenant_id OR identity.has_domain_of(c.tenant_id, held.email))
    )
    AND (held.password_hash IS NOT NULL OR NOT EXISTS (
      SELECT 1 FROM identity.memberships m
      WHERE m.user_id = held.id AND m.status = 'active'
        AND (m.tenant_id = via.tenant_id OR identity.has_domain_of(m.tenant_id, held.email))
    ));
  -- Nobody but this tenant's provider ever opened the account.
  -- A password and a tenant that were registered afterwards count for nothing until the address is proven: anybody may
  -- have registered them, and must not shut the person out.
  of_this_tenant_alone := held.email_verified_at IS NULL AND held.google_sub IS NULL
    AND (held.password_hash IS NULL OR identity.is_by_provider(joined))
    AND joined.status = 'active' AND NOT EXISTS (
      SELECT 1 FROM identity.memberships m
      WHERE m.user_id = held.id AND m.tenant_id <> via.tenant_id AND m.status <> 'invited'
        AND (held.password_hash IS NULL OR identity.is_by_provider(m))
    );

  IF joined.role IS DISTINCT FROM seen_role THEN
    outcome := 'changed';
  ELSIF held.disabled_at IS NOT NULL OR joined.status = 'disabled' THEN
    outcome := 'disabled';
  ELSIF NOT created AND NOT proven AND of_this_tenant_alone IS NOT TRUE THEN
    outcome := 'unverified_domain';
  ELSIF NOT created AND joined.status IS DISTINCT FROM 'active' AND unproven IS NOT TRUE THEN
    outcome := 'no_member';
  ELSIF joined.status = 'invited' AND must_confirm THEN
    outcome := 'invited';
  ELSIF joined.user_id IS NULL AND NOT newcomers_allowed THEN
    outcome := 'default_role';
  ELSIF EXISTS (
    SELECT 1 FROM identity.saml_identities i
    WHERE i.connection_id = via.id AND i.user_id = held.id AND i.name_id <> subject
  ) THEN
    outcome := 'linked_to_another';
  ELSIF must_confirm THEN
    outcome := 'confirm';
  END IF;
  IF outcome <> 'entered' THEN
    RETURN NEXT; RETURN;
  END IF;

  IF unproven AND NOT created THEN
    voided := true;
    PERFORM identity.void_unproven(held.id, at);
  END IF;
  INSERT INTO identity.memberships (tenant_id, user_id, role, status, created_at, by_provider)
  VALUES (via.tenant_id, held.id, via.default_role, 'active', at, true)
  ON CONFLICT ON CONSTRAINT memberships_pkey DO UPDATE SET status = 'active';
  INSERT INTO identity.saml_identities (connection_id, name_id, user_id) VALUES (via.id, subject, held.id)
  ON CONFLICT DO NOTHING;
  linked := FOUND;
  RETURN NEXT;
END
$function$;

-- As before, and locks the person before the code.
CREATE OR REPLACE FUNCTION identity.redeem_exchange_code(code_hash text, browser_hash text, at timestamp with time zone)
 RETURNS TABLE(user_id uuid, email text, amr text[])
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  -- Locked before the code, as by the command that withdraws the feature: the code then opens no session, or one that the
  -- command ends.
  SELECT FROM identity.tenants t WHERE t.id = public.current_tenant() FOR SHARE;
  -- And the person, as by a sign-in that voids the code, which holds the membership that the session needs.
  SELECT FROM identity.users u
  WHERE u.id = (
    SELECT (v.detail->>'userId')::uuid FROM identity.one_time_values v
    WHERE v.kind = 'exchange_code' AND v.value = code_hash
  ) FOR KEY SHARE;
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
    ELSE EXISTS (
      SELECT 1 FROM identity.saml_connections c
      WHERE c.id = (s.detail->>'connectionId')::uuid AND identity.has_sso(c.tenant_id)
    )
  END AND (NOT s.detail ? 'mustConfirm' OR EXISTS (SELECT 1 FROM unconfirmed))
$function$;

-- As before, with a lock that one transaction has at a time. A confirmation locks the person FOR UPDATE afterwards: two that
-- had locked it FOR SHARE waited for each other.
CREATE OR REPLACE FUNCTION identity.still_holds_password(of_user uuid, checked_hash text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  present text;
BEGIN
  SELECT u.password_hash INTO present FROM identity.users u WHERE u.id = of_user FOR NO KEY UPDATE;
  RETURN present IS NOT NULL AND present = checked_hash;
END
$function$;
