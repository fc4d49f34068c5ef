-- What the serving role may know of people, sessions and keys: these functions and nothing else. Each runs as its owner
-- (SECURITY DEFINER) with a fixed search path, and takes the time from its caller, so that one clock decides.
-- Functions about one tenant take it from the connection (current_tenant()), never from an argument.

-- Who a per-user key stands for, where, and with what role. No row: not a valid key.
CREATE FUNCTION identity.authenticate_key(key_public_id text, key_secret_hash bytea, at timestamptz)
RETURNS TABLE (
  key_id uuid, expires_at timestamptz,
  user_id uuid, email text, user_name text, email_verified boolean,
  tenant_id uuid, tenant_name text, features text[],
  role text, custom_permissions text[]
)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT k.id, k.expires_at,
         u.id, u.email, u.name, u.email_verified_at IS NOT NULL,
         t.id, t.name, t.features,
         m.role, r.permissions
  FROM identity.api_keys k
  JOIN identity.memberships m ON m.tenant_id = k.tenant_id AND m.user_id = k.user_id
  JOIN identity.users u ON u.id = k.user_id
  JOIN identity.tenants t ON t.id = k.tenant_id
  LEFT JOIN identity.roles r ON r.tenant_id = m.tenant_id AND r.name = m.role
  WHERE k.public_id = key_public_id
    AND k.secret_hash = key_secret_hash
    AND k.revoked_at IS NULL
    AND (k.expires_at IS NULL OR k.expires_at > at)
    AND u.disabled_at IS NULL
$$;

-- The same for a session. No row: it has ended, or the membership has.
CREATE FUNCTION identity.authenticate_session(session uuid, session_user_id uuid, session_tenant uuid, at timestamptz)
RETURNS TABLE (
  session_id uuid, started_at timestamptz, amr text[],
  user_id uuid, email text, user_name text, email_verified boolean,
  tenant_id uuid, tenant_name text, features text[],
  role text, custom_permissions text[]
)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT s.id, s.created_at, s.amr,
         u.id, u.email, u.name, u.email_verified_at IS NOT NULL,
         t.id, t.name, t.features,
         m.role, r.permissions
  FROM identity.sessions s
  JOIN identity.memberships m ON m.tenant_id = s.tenant_id AND m.user_id = s.user_id
  JOIN identity.users u ON u.id = s.user_id
  JOIN identity.tenants t ON t.id = s.tenant_id
  LEFT JOIN identity.roles r ON r.tenant_id = m.tenant_id AND r.name = m.role
  WHERE s.id = session
    AND s.user_id = session_user_id
    AND s.tenant_id = session_tenant
    AND s.revoked_at IS NULL
    AND s.expires_at > at
    AND u.disabled_at IS NULL
$$;

-- One membership of a user, for X-Tenant-ID.
CREATE FUNCTION identity.membership_of(member uuid, in_tenant uuid)
RETURNS TABLE (tenant_id uuid, tenant_name text, features text[], role text, custom_permissions text[])
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT t.id, t.name, t.features, m.role, r.permissions
  FROM identity.memberships m
  JOIN identity.tenants t ON t.id = m.tenant_id
  LEFT JOIN identity.roles r ON r.tenant_id = m.tenant_id AND r.name = m.role
  WHERE m.user_id = member AND m.tenant_id = in_tenant
$$;

CREATE FUNCTION identity.memberships_of(member uuid)
RETURNS TABLE (tenant_id uuid, tenant_name text, role text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT t.id, t.name, m.role
  FROM identity.memberships m
  JOIN identity.tenants t ON t.id = m.tenant_id
  WHERE m.user_id = member
  ORDER BY m.created_at, t.id
$$;

-- Kept to the minute, so that a busy key does not write on every request.
CREATE FUNCTION identity.touch_key(used_key uuid, at timestamptz) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  UPDATE identity.api_keys SET last_used_at = at
  WHERE id = used_key AND (last_used_at IS NULL OR last_used_at < at - interval '1 minute')
$$;

-- What a sign-in is checked against, and the tenant that it would enter: the one asked for, else the one entered last,
-- else the oldest membership; null when there is none such. No row: nobody of that address.
CREATE FUNCTION identity.find_login(login_email text, in_tenant uuid)
RETURNS TABLE (user_id uuid, password_hash text, may_sign_in boolean, tenant_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT u.id, u.password_hash, u.disabled_at IS NULL AND u.email_verified_at IS NOT NULL, entered.tenant_id
  FROM identity.users u
  LEFT JOIN LATERAL (
    SELECT m.tenant_id FROM identity.memberships m
    WHERE m.user_id = u.id AND (in_tenant IS NULL OR m.tenant_id = in_tenant)
    ORDER BY m.entered_at DESC NULLS LAST, m.created_at, m.tenant_id
    LIMIT 1
  ) entered ON true
  WHERE u.email = login_email
$$;

-- Opens a session of a member of the connection's tenant.
CREATE FUNCTION identity.open_session(
  new_session uuid, for_user uuid, methods text[],
  refresh_hash bytea, at timestamptz, session_end timestamptz, refresh_end timestamptz
) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  UPDATE identity.memberships m SET entered_at = at
  WHERE m.tenant_id = public.current_tenant() AND m.user_id = for_user;
  INSERT INTO identity.sessions (id, tenant_id, user_id, amr, created_at, expires_at)
  VALUES (new_session, public.current_tenant(), for_user, methods, at, session_end);
  INSERT INTO identity.refresh_tokens (hash, session_id, issued_at, expires_at)
  VALUES (refresh_hash, new_session, at, refresh_end);
$$;

-- The session that a refresh token belongs to, and in which tenant. No row: not a token of ours.
CREATE FUNCTION identity.session_of(refresh_hash bytea)
RETURNS TABLE (session_id uuid, user_id uuid, email text, tenant_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT s.id, s.user_id, u.email, s.tenant_id
  FROM identity.refresh_tokens r
  JOIN identity.sessions s ON s.id = r.session_id
  JOIN identity.users u ON u.id = s.user_id
  WHERE r.hash = refresh_hash
$$;

-- Spends a refresh token and issues the next. outcome:
--   rotated   the session goes on under the new token
--   repeated  the token before the newest, within the grace: refused, and nothing more (parallel refreshes)
--   reused    a token spent before: somebody else has it, so the session ends here
--   refused   unknown, expired, or of a session that has ended
CREATE FUNCTION identity.rotate_refresh(
  old_hash bytea, new_hash bytea, at timestamptz, new_end timestamptz, grace_seconds int
) RETURNS TABLE (outcome text, amr text[])
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  token identity.refresh_tokens;
  held identity.sessions;
  newest timestamptz;
BEGIN
  -- The session is locked first, so that parallel uses of one token come one after another.
  SELECT s.* INTO held FROM identity.sessions s
  WHERE s.id = (SELECT r.session_id FROM identity.refresh_tokens r WHERE r.hash = old_hash)
  FOR UPDATE;
  SELECT r.* INTO token FROM identity.refresh_tokens r WHERE r.hash = old_hash;

  IF held.id IS NULL OR held.revoked_at IS NOT NULL OR held.expires_at <= at OR NOT EXISTS (
    SELECT 1 FROM identity.users u WHERE u.id = held.user_id AND u.disabled_at IS NULL
  ) THEN
    outcome := 'refused';
  ELSIF token.spent_at IS NOT NULL THEN
    SELECT max(r.issued_at) INTO newest FROM identity.refresh_tokens r WHERE r.session_id = held.id;
    IF token.spent_at > at - make_interval(secs => grace_seconds) AND newest = token.spent_at THEN
      outcome := 'repeated';
    ELSE
      outcome := 'reused';
      UPDATE identity.sessions s SET revoked_at = at WHERE s.id = held.id;
    END IF;
  ELSIF token.expires_at <= at THEN
    outcome := 'refused';
  ELSE
    outcome := 'rotated';
    UPDATE identity.refresh_tokens r SET spent_at = at WHERE r.hash = old_hash;
    INSERT INTO identity.refresh_tokens (hash, session_id, issued_at, expires_at)
    VALUES (new_hash, held.id, at, LEAST(new_end, held.expires_at));
  END IF;
  amr := held.amr;
  RETURN NEXT;
END
$$;

-- Ends the session that a refresh token belongs to. No row: nothing was left to end.
CREATE FUNCTION identity.end_session(refresh_hash bytea, at timestamptz)
RETURNS TABLE (session_id uuid)
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  UPDATE identity.sessions s SET revoked_at = at
  FROM identity.refresh_tokens r
  WHERE r.hash = refresh_hash AND s.id = r.session_id AND s.revoked_at IS NULL
  RETURNING s.id
$$;

-- Keys of one member of the connection's tenant, newest first.
CREATE FUNCTION identity.list_keys(of_user uuid, before uuid, most int)
RETURNS TABLE (
  id uuid, public_id text, user_id uuid, name text,
  created_at timestamptz, expires_at timestamptz, last_used_at timestamptz
)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT k.id, k.public_id, k.user_id, k.name, k.created_at, k.expires_at, k.last_used_at
  FROM identity.api_keys k
  WHERE k.tenant_id = public.current_tenant() AND k.user_id = of_user AND k.revoked_at IS NULL
    AND (before IS NULL OR k.id < before)
  ORDER BY k.id DESC
  LIMIT most
$$;

CREATE FUNCTION identity.create_key(
  new_id uuid, new_public_id text, for_user uuid, key_name text, new_secret_hash bytea,
  at timestamptz, key_end timestamptz
) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  INSERT INTO identity.api_keys (id, public_id, tenant_id, user_id, name, secret_hash, created_at, expires_at)
  VALUES (new_id, new_public_id, public.current_tenant(), for_user, key_name, new_secret_hash, at, key_end)
$$;

-- Revokes a key of the connection's tenant: anybody's, or only one of `of_user` where that is given. No row: none such.
CREATE FUNCTION identity.revoke_key(key_id uuid, of_user uuid, at timestamptz)
RETURNS TABLE (id uuid, name text, user_id uuid)
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  UPDATE identity.api_keys k SET revoked_at = at
  WHERE k.id = key_id AND k.tenant_id = public.current_tenant() AND k.revoked_at IS NULL
    AND (of_user IS NULL OR k.user_id = of_user)
  RETURNING k.id, k.name, k.user_id
$$;
