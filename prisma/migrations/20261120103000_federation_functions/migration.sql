-- Signing in by somebody else's word: Google's for a person, an identity provider's for the members of one tenant.

-- Whom a Google account stands for, by its subject and else by the address that Google has verified, and the tenant that a
-- sign-in would enter: the one entered last, else the oldest membership; null when there is none. No row: nobody.
CREATE FUNCTION identity.find_google(subject text, address text)
RETURNS TABLE (user_id uuid, tenant_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT u.id, entered.tenant_id
  FROM identity.users u
  LEFT JOIN LATERAL (
    SELECT m.tenant_id FROM identity.memberships m
    WHERE m.user_id = u.id AND m.status = 'active'
    ORDER BY m.entered_at DESC NULLS LAST, m.created_at, m.tenant_id
    LIMIT 1
  ) entered ON true
  WHERE u.google_sub = subject OR u.email = address
  ORDER BY (u.google_sub = subject) DESC NULLS LAST
  LIMIT 1
$$;

-- Takes from an account everything that somebody knows or holds who never proved that its address is theirs: password,
-- sessions, keys, second factor, federated identities.
CREATE FUNCTION identity.void_unproven(of_user uuid, at timestamptz) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  UPDATE identity.users u
  SET password_hash = NULL, totp_secret = NULL, totp_enabled_at = NULL, totp_last_step = NULL
  WHERE u.id = of_user AND u.email_verified_at IS NULL;
  UPDATE identity.sessions s SET revoked_at = at WHERE s.user_id = of_user AND s.revoked_at IS NULL;
  UPDATE identity.api_keys k SET revoked_at = at WHERE k.user_id = of_user AND k.revoked_at IS NULL;
  DELETE FROM identity.recovery_codes c WHERE c.user_id = of_user;
  DELETE FROM identity.saml_identities i WHERE i.user_id = of_user;
  -- Invitations stay: they were sent to the address, and are about a tenant.
  DELETE FROM identity.mail_tokens t WHERE t.user_id = of_user AND t.tenant_id IS NULL;
$$;

-- Admits the person behind a Google account into the connection's tenant, which is one of theirs or a new one. outcome:
--   entered   they may have a session there
--   refused   the account is disabled, or linked to another Google account
--   closed    they belong to no tenant, and nobody may make one
--   again     the tenant is none of theirs any more, or they have got one meanwhile: ask find_google anew
-- voided: an account of that address had been registered by somebody who never proved that it was theirs. Whatever that
-- somebody knows or holds (password, sessions, keys, second factor, federated identities) is void from here on.
-- Only `entered` is to be committed.
CREATE FUNCTION identity.enter_by_google(
  subject text, address text, person_name text, tenant_title text, new_user uuid, at timestamptz, may_register boolean
) RETURNS TABLE (outcome text, user_id uuid, linked boolean, voided boolean, registered boolean)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  held identity.users;
  entering uuid := public.current_tenant();
BEGIN
  linked := false; voided := false; registered := false;
  SELECT u.* INTO held FROM identity.users u WHERE u.google_sub = subject FOR UPDATE;
  IF held.id IS NULL THEN
    linked := true;
    IF may_register THEN
      INSERT INTO identity.users (id, email, name, email_verified_at, google_sub, created_at)
      VALUES (new_user, address, person_name, at, subject, at)
      ON CONFLICT DO NOTHING;
    END IF;
    SELECT u.* INTO held FROM identity.users u WHERE u.email = address FOR UPDATE;
  END IF;
  user_id := held.id;
  IF held.id IS NULL THEN
    outcome := 'closed';
    RETURN NEXT; RETURN;
  END IF;
  IF held.disabled_at IS NOT NULL OR (held.google_sub IS NOT NULL AND held.google_sub <> subject) THEN
    outcome := 'refused';
    RETURN NEXT; RETURN;
  END IF;

  IF held.email_verified_at IS NULL THEN
    voided := true;
    PERFORM identity.void_unproven(held.id, at);
    UPDATE identity.users u SET email_verified_at = at, name = COALESCE(person_name, u.name) WHERE u.id = held.id;
  END IF;
  UPDATE identity.users u SET google_sub = subject WHERE u.id = held.id AND u.google_sub IS NULL;

  IF EXISTS (
    SELECT 1 FROM identity.memberships m
    WHERE m.tenant_id = entering AND m.user_id = held.id AND m.status = 'active'
  ) THEN
    outcome := 'entered';
  ELSIF EXISTS (SELECT 1 FROM identity.tenants t WHERE t.id = entering) OR EXISTS (
    SELECT 1 FROM identity.memberships m WHERE m.user_id = held.id AND m.status = 'active'
  ) THEN
    outcome := 'again';
  ELSIF may_register THEN
    INSERT INTO identity.tenants (id, name, features, created_at) VALUES (entering, tenant_title, '{}', at);
    INSERT INTO identity.memberships (tenant_id, user_id, role, status, created_at)
    VALUES (entering, held.id, 'admin', 'active', at);
    registered := true;
    outcome := 'entered';
  ELSE
    outcome := 'closed';
  END IF;
  RETURN NEXT;
END
$$;

-- The identity provider of the connection's tenant.
CREATE FUNCTION identity.saml_settings() RETURNS SETOF identity.saml_connections
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT c.* FROM identity.saml_connections c WHERE c.tenant_id = public.current_tenant()
$$;

-- Sets it anew, under a new id: accounts that were linked to the former one are linked no more, and requests that wait for
-- an answer wait in vain.
CREATE FUNCTION identity.put_saml_settings(
  new_id uuid, idp_entity_id text, idp_sso_url text, idp_certificates text[], domains text[], newcomers_role text,
  at timestamptz
) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM 1 FROM identity.tenants t WHERE t.id = public.current_tenant() FOR NO KEY UPDATE;
  DELETE FROM identity.saml_connections c WHERE c.tenant_id = public.current_tenant();
  INSERT INTO identity.saml_connections
    (tenant_id, id, entity_id, sso_url, certificates, email_domains, default_role, created_at)
  VALUES (public.current_tenant(), new_id, idp_entity_id, idp_sso_url, idp_certificates, domains, newcomers_role, at);
END
$$;

-- No row: there was none.
CREATE FUNCTION identity.delete_saml_settings() RETURNS TABLE (id uuid)
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  DELETE FROM identity.saml_connections c WHERE c.tenant_id = public.current_tenant() RETURNING c.id
$$;

-- Whether that tenant may use single sign-on at all.
CREATE FUNCTION identity.has_sso(in_tenant uuid) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT EXISTS (SELECT 1 FROM identity.tenants t WHERE t.id = in_tenant AND 'sso' = ANY (t.features))
$$;

-- The identity provider to which that tenant sends its people. No row: none, or not licensed.
CREATE FUNCTION identity.saml_connection_of(in_tenant uuid) RETURNS SETOF identity.saml_connections
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT c.* FROM identity.saml_connections c WHERE c.tenant_id = in_tenant AND identity.has_sso(in_tenant)
$$;

-- Notes a request that goes out, for whichever instance gets its answer; and takes what nobody came back for out of the way.
CREATE FUNCTION identity.begin_saml(connection uuid, request_id text, at timestamptz, ends timestamptz) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  DELETE FROM identity.one_time_values v USING (
    SELECT o.kind, o.value FROM identity.one_time_values o WHERE o.expires_at <= at
    ORDER BY o.expires_at LIMIT 50 FOR UPDATE SKIP LOCKED
  ) gone WHERE v.kind = gone.kind AND v.value = gone.value;
  INSERT INTO identity.one_time_values (kind, value, detail, expires_at)
  VALUES ('saml_request', request_id, jsonb_build_object('connectionId', connection), ends);
$$;

-- The connection that a request which still waits went out for. No row: there is no such request.
CREATE FUNCTION identity.saml_request(request_id text, at timestamptz) RETURNS SETOF identity.saml_connections
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT c.* FROM identity.one_time_values v
  JOIN identity.saml_connections c ON c.id = (v.detail->>'connectionId')::uuid
  WHERE v.kind = 'saml_request' AND v.value = request_id AND v.expires_at > at AND identity.has_sso(c.tenant_id)
$$;

-- Spends a request and the assertion that answers it, both in one statement, so that of several answers at once, on
-- whichever instances, one is taken. False: the request was answered or has expired, or the assertion was seen before.
CREATE FUNCTION identity.consume_saml(
  connection uuid, request_id text, assertion_id text, at timestamptz, ends timestamptz
) RETURNS boolean
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  WITH spent AS (
    DELETE FROM identity.one_time_values v
    WHERE v.kind = 'saml_request' AND v.value = request_id AND v.expires_at > at
      AND v.detail->>'connectionId' = connection::text
    RETURNING 1
  ), seen AS (
    INSERT INTO identity.one_time_values (kind, value, detail, expires_at)
    SELECT 'saml_assertion', connection || ' ' || assertion_id, '{}', ends FROM spent
    ON CONFLICT DO NOTHING
    RETURNING 1
  )
  SELECT EXISTS (SELECT 1 FROM seen)
$$;

-- Whether single sign-on may give that role of the connection's tenant to newcomers: one that exists and administers nothing.
CREATE FUNCTION identity.is_newcomers_role(role_name text) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT role_name IN ('analyst', 'viewer', 'legacy') OR EXISTS (
    SELECT 1 FROM identity.roles r
    WHERE r.tenant_id = public.current_tenant() AND r.name = role_name
      AND NOT r.permissions && ARRAY['admin.users', 'admin.settings', 'admin.audit']
  )
$$;

-- Admits somebody whom the identity provider of the connection's tenant vouches for, known by the name identifier that it
-- gives them. Its word counts in this tenant alone. outcome:
--   entered               they may have a session here
--   connection_gone       the settings were made anew meanwhile
--   disabled              the account, or its membership here, is disabled
--   no_member             somebody has an account of this address and is no member here: whoever proved an address to us
--                         has to be invited, and to accept, before this provider's word opens their account
--   linked_to_another     another name identifier has the account of this address
--   default_role          newcomers would get a role that is gone, or that administers
-- Newcomers are people without an account; with one of which nobody proved that the address is theirs, be it registered
-- or invited; what was set up for it by somebody unproven is void (voided). Their address stays unverified: the tenant says
-- that it is theirs, its owner has not. Nothing is changed unless they are entered.
CREATE FUNCTION identity.enter_by_saml(
  connection uuid, subject text, address text, person_name text, new_user uuid, at timestamptz
) RETURNS TABLE (outcome text, user_id uuid, email text, created boolean, linked boolean, voided boolean)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  via identity.saml_connections;
  held identity.users;
  member identity.memberships;
  known uuid;
  unproven boolean;
BEGIN
  created := false; linked := false; voided := false;
  SELECT c.* INTO via FROM identity.saml_connections c
  WHERE c.id = connection AND c.tenant_id = public.current_tenant() FOR SHARE;
  IF via.id IS NULL THEN
    outcome := 'connection_gone';
    RETURN NEXT; RETURN;
  END IF;
  outcome := 'entered';
  SELECT i.user_id INTO known FROM identity.saml_identities i WHERE i.connection_id = via.id AND i.name_id = subject;

  IF known IS NULL AND NOT EXISTS (SELECT 1 FROM identity.users u WHERE u.email = address) THEN
    IF NOT identity.is_newcomers_role(via.default_role) THEN
      outcome := 'default_role';
      RETURN NEXT; RETURN;
    END IF;
    INSERT INTO identity.users (id, email, name, created_at) VALUES (new_user, address, person_name, at)
    ON CONFLICT DO NOTHING;
    created := FOUND;
  END IF;
  SELECT u.* INTO held FROM identity.users u
  WHERE CASE WHEN known IS NULL THEN u.email = address ELSE u.id = known END FOR UPDATE;
  SELECT m.* INTO member FROM identity.memberships m
  WHERE m.tenant_id = via.tenant_id AND m.user_id = held.id FOR UPDATE;
  user_id := held.id;
  email := held.email;
  unproven := held.id IS NOT NULL AND held.email_verified_at IS NULL
    AND NOT EXISTS (SELECT 1 FROM identity.saml_identities i WHERE i.user_id = held.id)
    AND (held.password_hash IS NOT NULL OR NOT EXISTS (
      SELECT 1 FROM identity.memberships m WHERE m.user_id = held.id AND m.status = 'active'
    ));

  IF held.disabled_at IS NOT NULL OR member.status = 'disabled' THEN
    outcome := 'disabled';
  ELSIF member.status IS DISTINCT FROM 'active' AND unproven IS NOT TRUE THEN
    outcome := 'no_member';
  ELSIF member.user_id IS NULL AND NOT identity.is_newcomers_role(via.default_role) THEN
    outcome := 'default_role';
  ELSIF EXISTS (
    SELECT 1 FROM identity.saml_identities i
    WHERE i.connection_id = via.id AND i.user_id = held.id AND i.name_id <> subject
  ) THEN
    outcome := 'linked_to_another';
  END IF;
  IF outcome <> 'entered' THEN
    RETURN NEXT; RETURN;
  END IF;

  IF unproven AND NOT created THEN
    voided := true;
    PERFORM identity.void_unproven(held.id, at);
  END IF;
  INSERT INTO identity.memberships (tenant_id, user_id, role, status, created_at)
  VALUES (via.tenant_id, held.id, via.default_role, 'active', at)
  ON CONFLICT ON CONSTRAINT memberships_pkey DO UPDATE SET status = 'active';
  INSERT INTO identity.saml_identities (connection_id, name_id, user_id) VALUES (via.id, subject, held.id)
  ON CONFLICT DO NOTHING;
  linked := FOUND;
  RETURN NEXT;
END
$$;

-- Keeps the hash of a code that a browser carries from here to the page that exchanges it.
CREATE FUNCTION identity.issue_exchange_code(
  code_hash text, via_connection uuid, for_user uuid, methods text[], ends timestamptz
) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  INSERT INTO identity.one_time_values (kind, value, detail, expires_at)
  VALUES ('exchange_code', code_hash, jsonb_build_object(
    'tenantId', public.current_tenant(), 'connectionId', via_connection, 'userId', for_user, 'amr', methods
  ), ends)
$$;

-- The tenant that a code leads into. No row: not a code, or one that was spent or has expired.
CREATE FUNCTION identity.exchange_code_tenant(code_hash text, at timestamptz) RETURNS TABLE (tenant_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT (v.detail->>'tenantId')::uuid FROM identity.one_time_values v
  WHERE v.kind = 'exchange_code' AND v.value = code_hash AND v.expires_at > at
$$;

-- Spends a code of the connection's tenant. No row: spent already, or its person or provider is admitted no more.
CREATE FUNCTION identity.redeem_exchange_code(code_hash text, at timestamptz)
RETURNS TABLE (user_id uuid, email text, amr text[])
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  WITH spent AS (
    DELETE FROM identity.one_time_values v
    WHERE v.kind = 'exchange_code' AND v.value = code_hash AND v.expires_at > at
      AND v.detail->>'tenantId' = public.current_tenant()::text
    RETURNING v.detail
  )
  SELECT u.id, u.email, ARRAY(SELECT jsonb_array_elements_text(s.detail->'amr'))
  FROM spent s
  JOIN identity.users u ON u.id = (s.detail->>'userId')::uuid AND u.disabled_at IS NULL
  JOIN identity.memberships m
    ON m.user_id = u.id AND m.tenant_id = public.current_tenant() AND m.status = 'active'
  JOIN identity.saml_connections c ON c.id = (s.detail->>'connectionId')::uuid
$$;

-- Whether somebody is a member of another tenant than the connection's.
CREATE FUNCTION identity.belongs_elsewhere(member uuid) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT EXISTS (
    SELECT 1 FROM identity.memberships m
    WHERE m.user_id = member AND m.tenant_id <> public.current_tenant() AND m.status = 'active'
  )
$$;
