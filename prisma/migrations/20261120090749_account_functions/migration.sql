-- Only an active membership counts: one that is invited or disabled carries no key, session or sign-in.

DROP FUNCTION identity.authenticate_key;
-- Who a per-user key stands for, where, and with what role. No row: not a valid key.
CREATE FUNCTION identity.authenticate_key(key_public_id text, key_secret_hash bytea, at timestamptz)
RETURNS TABLE (
  key_id uuid, expires_at timestamptz,
  user_id uuid, email text, user_name text, email_verified boolean, two_factor boolean,
  tenant_id uuid, tenant_name text, features text[],
  role text, custom_permissions text[]
)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT k.id, k.expires_at,
         u.id, u.email, u.name, u.email_verified_at IS NOT NULL, u.totp_enabled_at IS NOT NULL,
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
    AND m.status = 'active'
    AND u.disabled_at IS NULL
$$;

DROP FUNCTION identity.authenticate_session;
-- The same for a session. No row: it has ended, or the membership has.
CREATE FUNCTION identity.authenticate_session(session uuid, session_user_id uuid, session_tenant uuid, at timestamptz)
RETURNS TABLE (
  session_id uuid, started_at timestamptz, amr text[],
  user_id uuid, email text, user_name text, email_verified boolean, two_factor boolean,
  tenant_id uuid, tenant_name text, features text[],
  role text, custom_permissions text[]
)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT s.id, s.created_at, s.amr,
         u.id, u.email, u.name, u.email_verified_at IS NOT NULL, u.totp_enabled_at IS NOT NULL,
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
    AND m.status = 'active'
    AND u.disabled_at IS NULL
$$;

-- One membership of a user, for X-Tenant-ID.
CREATE OR REPLACE FUNCTION identity.membership_of(member uuid, in_tenant uuid)
RETURNS TABLE (tenant_id uuid, tenant_name text, features text[], role text, custom_permissions text[])
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT t.id, t.name, t.features, m.role, r.permissions
  FROM identity.memberships m
  JOIN identity.tenants t ON t.id = m.tenant_id
  LEFT JOIN identity.roles r ON r.tenant_id = m.tenant_id AND r.name = m.role
  WHERE m.user_id = member AND m.tenant_id = in_tenant AND m.status = 'active'
$$;

CREATE OR REPLACE FUNCTION identity.memberships_of(member uuid)
RETURNS TABLE (tenant_id uuid, tenant_name text, role text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT t.id, t.name, m.role
  FROM identity.memberships m
  JOIN identity.tenants t ON t.id = m.tenant_id
  WHERE m.user_id = member AND m.status = 'active'
  ORDER BY m.created_at, t.id
$$;

DROP FUNCTION identity.find_login;
-- What a sign-in is checked against, and the tenant that it would enter: the one asked for, else the one entered last,
-- else the oldest membership; null when there is none such. No row: nobody of that address.
CREATE FUNCTION identity.find_login(login_email text, in_tenant uuid)
RETURNS TABLE (user_id uuid, password_hash text, may_sign_in boolean, two_factor boolean, tenant_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT u.id, u.password_hash, u.disabled_at IS NULL AND u.email_verified_at IS NOT NULL,
         u.totp_enabled_at IS NOT NULL, entered.tenant_id
  FROM identity.users u
  LEFT JOIN LATERAL (
    SELECT m.tenant_id FROM identity.memberships m
    WHERE m.user_id = u.id AND m.status = 'active' AND (in_tenant IS NULL OR m.tenant_id = in_tenant)
    ORDER BY m.entered_at DESC NULLS LAST, m.created_at, m.tenant_id
    LIMIT 1
  ) entered ON true
  WHERE u.email = login_email
$$;

-- Spends a refresh token and issues the next. outcome:
--   rotated   the session goes on under the new token
--   repeated  the token before the newest, within the grace: refused, and nothing more (parallel refreshes)
--   reused    a token spent before: somebody else has it, so the session ends here
--   refused   unknown, expired, or of a session that has ended
CREATE OR REPLACE FUNCTION identity.rotate_refresh(
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
    SELECT 1 FROM identity.memberships m JOIN identity.users u ON u.id = m.user_id
    WHERE m.tenant_id = held.tenant_id AND m.user_id = held.user_id
      AND m.status = 'active' AND u.disabled_at IS NULL
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

-- Takes one of the attempts that a window allows, before whatever is tried is tried: of parallel attempts each takes
-- its own. False: none is left, and nothing was taken.
CREATE FUNCTION identity.reserve_attempt(of_key text, most int, window_seconds int, at timestamptz) RETURNS boolean
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  WITH taken AS (
    INSERT INTO identity.throttles AS t (key, attempts, ends_at)
    VALUES (of_key, 1, at + make_interval(secs => window_seconds))
    ON CONFLICT (key) DO UPDATE SET
      attempts = CASE WHEN t.ends_at <= at THEN 1 ELSE t.attempts + 1 END,
      ends_at = CASE WHEN t.ends_at <= at THEN EXCLUDED.ends_at ELSE t.ends_at END
    WHERE t.ends_at <= at OR t.attempts < most
    RETURNING 1
  )
  SELECT EXISTS (SELECT 1 FROM taken)
$$;

-- Gives an attempt back that turned out to be none, such as a right password.
CREATE FUNCTION identity.release_attempt(of_key text, at timestamptz) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  UPDATE identity.throttles t SET attempts = GREATEST(t.attempts - 1, 0)
  WHERE t.key = of_key AND t.ends_at > at
$$;
