-- An identity provider opens no account that holds more than the person who configured it, unless the account's owner
-- confirms.

-- AlterTable: what the person who configured the provider was allowed to do. '*': everything.
ALTER TABLE "identity"."saml_connections" ADD COLUMN     "vouches" TEXT[] NOT NULL DEFAULT ARRAY['*']::TEXT[];

-- AlterTable: when the owner of the account confirmed that this provider may open it.
ALTER TABLE "identity"."saml_identities" ADD COLUMN     "confirmed_at" TIMESTAMPTZ(3);

-- AlterTable: whether the key was made in a session that a tenant's identity provider opened.
ALTER TABLE "identity"."api_keys" ADD COLUMN     "by_provider" BOOLEAN NOT NULL DEFAULT false;

-- As create_key, noting whether a tenant's identity provider opened the session.
CREATE FUNCTION identity.create_session_key(
  new_id uuid, new_public_id text, for_user uuid, key_name text, new_secret_hash bytea,
  at timestamptz, key_end timestamptz, in_provider_session boolean
) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  INSERT INTO identity.api_keys
    (id, public_id, tenant_id, user_id, name, secret_hash, created_at, expires_at, by_provider)
  VALUES (new_id, new_public_id, public.current_tenant(), for_user, key_name, new_secret_hash, at, key_end, in_provider_session)
$$;

-- As put_saml_settings, with what the person who configures it may do.
CREATE FUNCTION identity.put_saml_connection(
  new_id uuid, idp_entity_id text, idp_sso_url text, idp_certificates text[], domains text[], newcomers_role text,
  at timestamptz, vouched text[]
) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM identity.put_saml_settings(
    new_id, idp_entity_id, idp_sso_url, idp_certificates, domains, newcomers_role, at
  );
  UPDATE identity.saml_connections c SET vouches = vouched
  WHERE c.tenant_id = public.current_tenant() AND c.id = new_id;
END
$$;

-- Deleting a provider also ends the sessions that it opened.
CREATE OR REPLACE FUNCTION identity.delete_saml_settings() RETURNS TABLE (id uuid)
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  UPDATE identity.sessions s SET revoked_at = now()
  WHERE s.tenant_id = public.current_tenant() AND s.revoked_at IS NULL AND 'saml' = ANY (s.amr)
    AND EXISTS (SELECT 1 FROM identity.saml_connections c WHERE c.tenant_id = public.current_tenant());
  DELETE FROM identity.saml_connections c WHERE c.tenant_id = public.current_tenant() RETURNING c.id;
$$;

-- The roles of the members of the connection's tenant whose addresses are of these domains.
CREATE FUNCTION identity.roles_at_domains(domains text[]) RETURNS TABLE (role text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT DISTINCT m.role
  FROM identity.memberships m
  JOIN identity.users u ON u.id = m.user_id
  WHERE m.tenant_id = public.current_tenant() AND lower(regexp_replace(u.email, '^.*@', '')) = ANY (domains)
$$;

-- The membership that an assertion of that provider would open, held until the transaction ends, and whether its owner
-- has confirmed the provider. No row: there is no such member.
CREATE FUNCTION identity.saml_candidate(connection uuid, subject text, address text)
RETURNS TABLE (role text, confirmed boolean)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
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
    FOR UPDATE;
END
$$;

-- Admits somebody whom the identity provider of the connection's tenant vouches for. Its word counts in this tenant alone,
-- and for accounts that exist elsewhere only if the tenant has proven the domain of their address. Outcomes:
--   entered            they may have a session here
--   confirm            they may, once the owner of the account has confirmed the provider (must_confirm); nothing changed
--   connection_gone    the settings were changed meanwhile
--   changed            the member or their role changed since saml_candidate (seen_role)
--   disabled           the account, or its membership here, is disabled
--   unverified_domain  the tenant has not proven the domain, and the account is not one of this tenant alone
--   no_member          somebody has an account of this address and is not an active member here
--   invited            the invitation is to a role that needs confirmation: it is accepted by its own mail
--   linked_to_another  another name identifier has the account of this address
--   default_role       newcomers may not have the role that the settings give them (newcomers_allowed)
-- An account whose address nobody has proven is taken over from whoever registered it (voided), if the tenant has proven
-- the domain. Nothing is changed unless they are entered.
CREATE FUNCTION identity.admit_by_saml(
  connection uuid, subject text, address text, person_name text, new_user uuid, at timestamptz,
  seen_role text, must_confirm boolean, newcomers_allowed boolean
) RETURNS TABLE (outcome text, user_id uuid, email text, created boolean, linked boolean, voided boolean, member boolean)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
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
  of_this_tenant_alone := held.email_verified_at IS NULL AND held.password_hash IS NULL AND held.google_sub IS NULL
    AND joined.status = 'active' AND NOT EXISTS (
      SELECT 1 FROM identity.memberships m
      WHERE m.user_id = held.id AND m.tenant_id <> via.tenant_id AND m.status <> 'invited'
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
  INSERT INTO identity.memberships (tenant_id, user_id, role, status, created_at)
  VALUES (via.tenant_id, held.id, via.default_role, 'active', at)
  ON CONFLICT ON CONSTRAINT memberships_pkey DO UPDATE SET status = 'active';
  INSERT INTO identity.saml_identities (connection_id, name_id, user_id) VALUES (via.id, subject, held.id)
  ON CONFLICT DO NOTHING;
  linked := FOUND;
  RETURN NEXT;
END
$$;

-- Marks the code of a sign-in as one that opens no session before the owner of the account has confirmed the provider.
CREATE FUNCTION identity.require_confirmation(code_hash text, via_connection uuid, for_user uuid, subject text, ends timestamptz)
RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  INSERT INTO identity.one_time_values (kind, value, detail, expires_at)
  VALUES ('unconfirmed_code', code_hash, jsonb_build_object(
    'tenantId', public.current_tenant(), 'connectionId', via_connection, 'userId', for_user, 'nameId', subject
  ), ends)
$$;

-- Turns such a code, which was redeemed in this transaction, into a confirmation that waits. False: the code needs none.
CREATE FUNCTION identity.begin_confirmation(code_hash text, token_hash text, ends timestamptz) RETURNS boolean
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  WITH spent AS (
    DELETE FROM identity.one_time_values v
    WHERE v.kind = 'unconfirmed_code' AND v.value = code_hash
      AND v.detail->>'tenantId' = public.current_tenant()::text
    RETURNING v.detail
  ), begun AS (
    INSERT INTO identity.one_time_values (kind, value, detail, expires_at)
    SELECT 'saml_confirmation', token_hash, s.detail, ends FROM spent s
    RETURNING 1
  )
  SELECT EXISTS (SELECT 1 FROM begun)
$$;

-- A confirmation that waits, and what the owner of the account can confirm with: only what was set up after the address
-- was proven. No row: unknown, expired or spent, or the person or the provider is no longer admitted.
CREATE FUNCTION identity.saml_confirmation(token_hash text, at timestamptz)
RETURNS TABLE (tenant_id uuid, user_id uuid, email text, password_hash text, two_factor boolean, mail_hash text, ends timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT c.tenant_id, u.id, u.email,
         CASE WHEN u.email_verified_at IS NOT NULL THEN u.password_hash END,
         u.email_verified_at IS NOT NULL AND u.totp_enabled_at IS NOT NULL,
         v.detail->>'mailHash', v.expires_at
  FROM identity.one_time_values v
  JOIN identity.saml_connections c
    ON c.id = (v.detail->>'connectionId')::uuid AND c.tenant_id = (v.detail->>'tenantId')::uuid
  JOIN identity.users u ON u.id = (v.detail->>'userId')::uuid AND u.disabled_at IS NULL
  JOIN identity.memberships m ON m.user_id = u.id AND m.tenant_id = c.tenant_id AND m.status = 'active'
  WHERE v.kind = 'saml_confirmation' AND v.value = token_hash AND v.expires_at > at
    AND identity.has_sso(c.tenant_id)
$$;

-- Keeps the hash of the token that was mailed to the owner of the account; an earlier mail is void. False: it waits no more.
CREATE FUNCTION identity.note_confirmation_mail(token_hash text, new_mail_hash text, at timestamptz) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  UPDATE identity.one_time_values v SET detail = v.detail || jsonb_build_object('mailHash', new_mail_hash)
  WHERE v.kind = 'saml_confirmation' AND v.value = token_hash AND v.expires_at > at
    AND v.detail->>'tenantId' = public.current_tenant()::text;
  RETURN FOUND;
END
$$;

-- Spends a confirmation of the connection's tenant and links the account to the provider. Of parallel uses one wins.
-- No row: it waits no more, or another name identifier of the provider has the account meanwhile.
CREATE FUNCTION identity.complete_confirmation(token_hash text, at timestamptz)
RETURNS TABLE (user_id uuid, email text, connection_id uuid)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  spent jsonb;
  subject text;
BEGIN
  DELETE FROM identity.one_time_values v
  WHERE v.kind = 'saml_confirmation' AND v.value = token_hash AND v.expires_at > at
    AND v.detail->>'tenantId' = public.current_tenant()::text
  RETURNING v.detail INTO spent;
  IF spent IS NULL THEN RETURN; END IF;
  subject := spent->>'nameId';
  SELECT u.id, u.email, c.id INTO user_id, email, connection_id
  FROM identity.users u
  JOIN identity.memberships m
    ON m.user_id = u.id AND m.tenant_id = public.current_tenant() AND m.status = 'active'
  JOIN identity.saml_connections c
    ON c.id = (spent->>'connectionId')::uuid AND c.tenant_id = public.current_tenant()
  WHERE u.id = (spent->>'userId')::uuid AND u.disabled_at IS NULL
  FOR UPDATE OF u FOR SHARE OF c;
  IF user_id IS NULL OR EXISTS (
    SELECT 1 FROM identity.saml_identities i
    WHERE i.connection_id = complete_confirmation.connection_id AND (
      (i.user_id = complete_confirmation.user_id AND i.name_id <> subject)
      OR (i.user_id <> complete_confirmation.user_id AND i.name_id = subject)
    )
  ) THEN
    RETURN;
  END IF;
  INSERT INTO identity.saml_identities AS i (connection_id, name_id, user_id, confirmed_at)
  VALUES (complete_confirmation.connection_id, subject, complete_confirmation.user_id, at)
  ON CONFLICT ON CONSTRAINT saml_identities_pkey DO UPDATE SET confirmed_at = at;
  RETURN NEXT;
END
$$;

-- As before, and ends the sessions that an identity provider opened for a member whose role changes: the new role may
-- need a confirmation that the session was opened without. A role that administers also ends the keys made in such sessions.
CREATE OR REPLACE FUNCTION identity.change_member(
  of_user uuid, new_name text, new_role text, new_status text, at timestamptz
) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  -- The person before the membership, as whoever accepts an invitation does: in two orders they would wait for each other.
  SELECT FROM identity.users u WHERE u.id = of_user FOR NO KEY UPDATE;
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

-- As before, and ends the sessions that an identity provider opened for members with that role, for the same reason.
CREATE OR REPLACE FUNCTION identity.change_role(role_name text, holds text[]) RETURNS TABLE (name text)
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
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
