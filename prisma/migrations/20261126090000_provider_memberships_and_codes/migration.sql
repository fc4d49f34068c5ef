-- AlterTable
-- Rows from before keep NULL. A default in the same statement would call them false.
ALTER TABLE "identity"."memberships" ADD COLUMN     "by_provider" BOOLEAN;
ALTER TABLE "identity"."memberships" ALTER COLUMN "by_provider" SET DEFAULT false;

-- Whether the first sign-in through the tenant's provider made a membership of an account whose address nobody has proven. Before
-- this migration only a registration made others, beside invitations, together with their tenant.
CREATE FUNCTION identity.is_by_provider(held identity.memberships) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT held.status <> 'invited' AND COALESCE(
    held.by_provider,
    held.created_at <> (SELECT t.created_at FROM identity.tenants t WHERE t.id = held.tenant_id)
  )
$$;

-- Whether the first proof of its person's address ends a membership: a provider without a verified domain made it, and the
-- owner of the address may not know.
CREATE FUNCTION identity.ends_at_proof(held identity.memberships) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT identity.is_by_provider(held) AND EXISTS (
    SELECT 1 FROM identity.users u
    WHERE u.id = held.user_id AND u.email_verified_at IS NULL AND NOT identity.has_domain_of(held.tenant_id, u.email)
  )
$$;

-- As before, and ends the memberships that a provider without a verified domain made.
CREATE OR REPLACE FUNCTION identity.void_unproven(of_user uuid, at timestamptz)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $$
  UPDATE identity.users u
  SET password_hash = NULL, totp_secret = NULL, totp_enabled_at = NULL, totp_last_step = NULL,
      totp_pending_at = NULL, totp_pending_session = NULL
  WHERE u.id = of_user AND u.email_verified_at IS NULL;
  UPDATE identity.sessions s SET revoked_at = at WHERE s.user_id = of_user AND s.revoked_at IS NULL;
  UPDATE identity.api_keys k SET revoked_at = at WHERE k.user_id = of_user AND k.revoked_at IS NULL;
  DELETE FROM identity.recovery_codes c WHERE c.user_id = of_user;
  DELETE FROM identity.memberships m WHERE m.user_id = of_user AND identity.ends_at_proof(m);
  DELETE FROM identity.saml_identities i WHERE i.user_id = of_user;
  DELETE FROM identity.one_time_values v
  WHERE v.kind IN ('exchange_code', 'unconfirmed_code', 'saml_confirmation') AND v.detail->>'userId' = of_user::text;
  -- Invitations stay: they were sent to the address, and are about a tenant.
  DELETE FROM identity.mail_tokens t WHERE t.user_id = of_user AND t.tenant_id IS NULL;
$$;

-- As before, and accounts of which the first proof of the address leaves nothing but invitations count as only invited.
CREATE OR REPLACE FUNCTION identity.is_only_invited(held identity.users)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $$
  SELECT held.email_verified_at IS NULL AND held.password_hash IS NULL AND held.google_sub IS NULL AND held.disabled_at IS NULL
    AND NOT EXISTS (
      SELECT 1 FROM identity.memberships m
      WHERE m.user_id = held.id AND m.status <> 'invited' AND NOT identity.ends_at_proof(m)
    )
$$;

-- As before. It also registers accounts that a provider without a verified domain made.
CREATE OR REPLACE FUNCTION identity.register_applicant(tenant_name text, new_user uuid, new_email text, new_name text, new_password_hash text, at timestamptz)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $$
DECLARE
  held identity.users;
BEGIN
  INSERT INTO identity.users (id, email, name, created_at) VALUES (new_user, new_email, new_name, at)
  ON CONFLICT (email) DO NOTHING;
  SELECT u.* INTO held FROM identity.users u WHERE u.email = new_email FOR UPDATE;
  IF held.id IS NULL OR NOT identity.is_only_invited(held) THEN
    RETURN NULL;
  END IF;
  -- Tenants whose provider made the account continue to show the name that it gave.
  UPDATE identity.memberships m SET name = held.name
  WHERE m.user_id = held.id AND m.name IS NULL AND identity.is_by_provider(m);
  UPDATE identity.users u SET password_hash = new_password_hash, name = COALESCE(new_name, u.name) WHERE u.id = held.id;
  INSERT INTO identity.tenants (id, name, features, created_at) VALUES (public.current_tenant(), tenant_name, '{}', at);
  INSERT INTO identity.memberships (tenant_id, user_id, role, status, created_at)
  VALUES (public.current_tenant(), held.id, 'admin', 'active', at);
  RETURN held.id;
END
$$;

-- As before, and notes that the provider made the membership.
CREATE OR REPLACE FUNCTION identity.admit_by_saml(connection uuid, subject text, address text, person_name text, new_user uuid, at timestamptz, seen_role text, must_confirm boolean, newcomers_allowed boolean)
 RETURNS TABLE(outcome text, user_id uuid, email text, created boolean, linked boolean, voided boolean, member boolean)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $$
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
  WHERE m.tenant_id = via.tenant_id AND m.user_id = held.id FOR UPDATE;
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
$$;

-- As before, without the memberships that this sign-in ends.
CREATE OR REPLACE FUNCTION identity.find_google(subject text, address text)
 RETURNS TABLE(user_id uuid, tenant_id uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $$
  SELECT u.id, entered.tenant_id
  FROM identity.users u
  LEFT JOIN LATERAL (
    SELECT m.tenant_id FROM identity.memberships m
    WHERE m.user_id = u.id AND m.status = 'active' AND NOT identity.ends_at_proof(m)
    ORDER BY m.entered_at DESC NULLS LAST, m.created_at, m.tenant_id
    LIMIT 1
  ) entered ON true
  WHERE u.google_sub = subject OR u.email = address
  ORDER BY (u.google_sub = subject) DESC NULLS LAST
  LIMIT 1
$$;

-- As before. Tenants whose provider made the account without a verified domain are not told what its owner does.
CREATE OR REPLACE FUNCTION identity.find_login(login_email text, in_tenant uuid)
 RETURNS TABLE(user_id uuid, password_hash text, may_sign_in boolean, two_factor boolean, tenant_id uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $$
  SELECT u.id, u.password_hash, u.disabled_at IS NULL AND u.email_verified_at IS NOT NULL,
         u.totp_enabled_at IS NOT NULL, entered.tenant_id
  FROM identity.users u
  LEFT JOIN LATERAL (
    SELECT m.tenant_id FROM identity.memberships m
    WHERE m.user_id = u.id AND m.status = 'active' AND (in_tenant IS NULL OR m.tenant_id = in_tenant)
      AND NOT identity.ends_at_proof(m)
    ORDER BY m.entered_at DESC NULLS LAST, m.created_at, m.tenant_id
    LIMIT 1
  ) entered ON true
  WHERE u.email = login_email
$$;

CREATE OR REPLACE FUNCTION identity.tenant_of_sign_in(of_user uuid, named uuid)
 RETURNS uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $$
  SELECT m.tenant_id FROM identity.memberships m
  WHERE m.user_id = of_user AND m.status <> 'invited' AND NOT identity.ends_at_proof(m)
  ORDER BY m.tenant_id IS NOT DISTINCT FROM named DESC, m.status = 'active' DESC, m.entered_at DESC NULLS LAST,
    m.created_at, m.tenant_id
  LIMIT 1
$$;

CREATE OR REPLACE FUNCTION identity.tenant_to_tell(of_user uuid)
 RETURNS uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $$
  SELECT m.tenant_id FROM identity.memberships m
  WHERE m.user_id = of_user AND m.status <> 'invited' AND NOT identity.ends_at_proof(m)
  ORDER BY m.status = 'active' DESC, m.entered_at DESC NULLS LAST, m.created_at, m.tenant_id
  LIMIT 1
$$;

-- As before, and refuses a code of a SAML sign-in when the tenant has lost single sign-on.
CREATE OR REPLACE FUNCTION identity.redeem_exchange_code(code_hash text, browser_hash text, at timestamptz)
 RETURNS TABLE(user_id uuid, email text, amr text[])
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $$
  -- Locked before the code, as by the command that withdraws the feature: the code then opens no session, or one that the
  -- command ends.
  SELECT FROM identity.tenants t WHERE t.id = public.current_tenant() FOR SHARE;
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
$$;

CREATE OR REPLACE FUNCTION identity.redeem_exchange_code(code_hash text, at timestamptz)
 RETURNS TABLE(user_id uuid, email text, amr text[])
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $$
  SELECT FROM identity.tenants t WHERE t.id = public.current_tenant() FOR SHARE;
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
  JOIN identity.saml_connections c ON c.id = (s.detail->>'connectionId')::uuid AND identity.has_sso(c.tenant_id)
$$;

-- Ends sign-ins whose codes were not redeemed yet, in one tenant or in all. Callers end the sessions afterwards: a code that is
-- redeemed at this moment has then opened one of them.
CREATE FUNCTION identity.delete_exchange_codes(of_user uuid, in_tenant uuid) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  DELETE FROM identity.one_time_values v
  WHERE v.kind IN ('exchange_code', 'unconfirmed_code') AND v.detail->>'userId' = of_user::text
    AND (in_tenant IS NULL OR v.detail->>'tenantId' = in_tenant::text);
$$;

-- As before, and ends sign-ins whose codes were not redeemed yet.
CREATE OR REPLACE FUNCTION identity.revoke_sessions(of_user uuid, in_tenant uuid, at timestamptz)
 RETURNS integer
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $$
  SELECT identity.delete_exchange_codes(of_user, in_tenant);
  WITH ended AS (
    UPDATE identity.sessions s SET revoked_at = at
    WHERE s.user_id = of_user AND s.revoked_at IS NULL AND (in_tenant IS NULL OR s.tenant_id = in_tenant)
    RETURNING 1
  )
  SELECT count(*)::int FROM ended
$$;

-- As before, and ends sign-ins whose codes were not redeemed yet.
CREATE OR REPLACE FUNCTION identity.shut_out(of_user uuid, keep_session uuid, at timestamptz)
 RETURNS integer
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $$
  UPDATE identity.mail_tokens t SET spent_at = at
  WHERE t.user_id = of_user AND t.purpose IN ('reset-password', 'verify-email') AND t.spent_at IS NULL;
  SELECT identity.delete_exchange_codes(of_user, NULL);
  WITH ended AS (
    UPDATE identity.sessions s SET revoked_at = at
    WHERE s.user_id = of_user AND s.revoked_at IS NULL AND s.id IS DISTINCT FROM keep_session
    RETURNING 1
  )
  SELECT count(*)::int FROM ended
$$;

-- As identity.enter_by_google, which servers of the release before call, and with the address of the account. Google may assert
-- another one.
CREATE FUNCTION identity.admit_by_google(
  subject text, address text, person_name text, tenant_title text, new_user uuid, at timestamptz, may_register boolean
) RETURNS TABLE (outcome text, user_id uuid, email text, linked boolean, voided boolean, registered boolean)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  SELECT e.outcome, e.user_id, e.linked, e.voided, e.registered INTO outcome, user_id, linked, voided, registered
  FROM identity.enter_by_google(subject, address, person_name, tenant_title, new_user, at, may_register) e;
  SELECT u.email INTO email FROM identity.users u WHERE u.id = admit_by_google.user_id;
  RETURN NEXT;
END
$$;
