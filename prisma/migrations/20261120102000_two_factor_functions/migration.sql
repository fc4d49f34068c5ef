-- CreateIndex
CREATE INDEX "sessions_user_id_idx" ON "identity"."sessions"("user_id");

-- Second factors, and the sessions that a person looks at and ends. What is about one person is asked by their id, which
-- the server has from their credential; what is about a tenant takes it from the connection.

-- The authenticator of a person, pending or enrolled, and what else their sign-in is checked by. No row: nobody.
CREATE FUNCTION identity.two_factor_of(of_user uuid)
RETURNS TABLE (secret bytea, enrolled boolean, last_step bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT u.totp_secret, u.totp_enabled_at IS NOT NULL, u.totp_last_step
  FROM identity.users u WHERE u.id = of_user
$$;

-- The password that a person confirms themselves with. No row: nobody; null: they have none.
CREATE FUNCTION identity.password_of(of_user uuid) RETURNS TABLE (password_hash text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT u.password_hash FROM identity.users u WHERE u.id = of_user
$$;

-- Keeps a secret that is not in force until a code of it was seen. False: a second factor is enrolled already.
CREATE FUNCTION identity.begin_two_factor(of_user uuid, sealed bytea) RETURNS boolean
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  WITH begun AS (
    UPDATE identity.users u SET totp_secret = sealed, totp_last_step = NULL
    WHERE u.id = of_user AND u.totp_enabled_at IS NULL
    RETURNING 1
  )
  SELECT EXISTS (SELECT 1 FROM begun)
$$;

-- Puts a new set of recovery codes in the place of the old one.
CREATE FUNCTION identity.replace_recovery_codes(of_user uuid, hashes bytea[]) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  DELETE FROM identity.recovery_codes r WHERE r.user_id = of_user;
  INSERT INTO identity.recovery_codes (user_id, hash) SELECT of_user, unnest(hashes);
$$;

-- Puts the pending secret in force, its first code spent. False: it is not the pending one any more, or is in force.
CREATE FUNCTION identity.enable_two_factor(of_user uuid, sealed bytea, step bigint, hashes bytea[], at timestamptz)
RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  UPDATE identity.users u SET totp_enabled_at = at, totp_last_step = step
  WHERE u.id = of_user AND u.totp_enabled_at IS NULL AND u.totp_secret = sealed;
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM identity.replace_recovery_codes(of_user, hashes);
  RETURN true;
END
$$;

-- Spends the code of a time step, and with it all before (RFC 6238 §5.2). One caller wins; false for every other.
-- resealed: the secret under the application secret of today.
CREATE FUNCTION identity.spend_totp_step(of_user uuid, sealed bytea, step bigint, resealed bytea) RETURNS boolean
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  WITH spent AS (
    UPDATE identity.users u SET totp_last_step = step, totp_secret = resealed
    WHERE u.id = of_user AND u.totp_enabled_at IS NOT NULL AND u.totp_secret = sealed
      AND (u.totp_last_step IS NULL OR u.totp_last_step < step)
    RETURNING 1
  )
  SELECT EXISTS (SELECT 1 FROM spent)
$$;

-- Spends a recovery code. One caller wins; false for every other.
CREATE FUNCTION identity.spend_recovery_code(of_user uuid, code_hash bytea, at timestamptz) RETURNS boolean
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  WITH spent AS (
    UPDATE identity.recovery_codes r SET spent_at = at
    WHERE r.user_id = of_user AND r.hash = code_hash AND r.spent_at IS NULL
    RETURNING 1
  )
  SELECT EXISTS (SELECT 1 FROM spent)
$$;

-- Takes the second factor away, and from every session what it had by it.
CREATE FUNCTION identity.disable_two_factor(of_user uuid) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  UPDATE identity.users u SET totp_secret = NULL, totp_enabled_at = NULL, totp_last_step = NULL WHERE u.id = of_user;
  DELETE FROM identity.recovery_codes r WHERE r.user_id = of_user;
  UPDATE identity.sessions s SET amr = array_remove(s.amr, 'otp') WHERE s.user_id = of_user AND 'otp' = ANY (s.amr);
$$;

-- Notes that a session has passed one more factor, and issues it a new refresh token in the place of the one it had.
-- No row: the session has ended meanwhile.
CREATE FUNCTION identity.raise_session(
  session uuid, of_user uuid, method text, refresh_hash bytea, at timestamptz, refresh_end timestamptz
) RETURNS TABLE (amr text[])
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  held identity.sessions;
BEGIN
  UPDATE identity.sessions s SET amr = array_append(array_remove(s.amr, method), method)
  WHERE s.id = session AND s.user_id = of_user AND s.revoked_at IS NULL AND s.expires_at > at
  RETURNING s.* INTO held;
  IF NOT FOUND THEN RETURN; END IF;
  UPDATE identity.refresh_tokens r SET spent_at = at WHERE r.session_id = session AND r.spent_at IS NULL;
  INSERT INTO identity.refresh_tokens (hash, session_id, issued_at, expires_at)
  VALUES (refresh_hash, session, at, LEAST(refresh_end, held.expires_at));
  RETURN QUERY SELECT held.amr;
END
$$;

-- The sessions of a person that are still good for something, newest first: in one tenant, or in whichever.
CREATE FUNCTION identity.list_sessions(of_user uuid, in_tenant uuid, before uuid, most int, at timestamptz)
RETURNS TABLE (
  id uuid, tenant_id uuid, amr text[], created_at timestamptz, last_used_at timestamptz, expires_at timestamptz
)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT s.id, s.tenant_id, s.amr, s.created_at, newest.issued_at, newest.expires_at
  FROM identity.sessions s
  JOIN identity.memberships m ON m.tenant_id = s.tenant_id AND m.user_id = s.user_id AND m.status = 'active'
  CROSS JOIN LATERAL (
    SELECT r.issued_at, r.expires_at FROM identity.refresh_tokens r
    WHERE r.session_id = s.id ORDER BY r.issued_at DESC LIMIT 1
  ) newest
  WHERE s.user_id = of_user AND s.revoked_at IS NULL AND newest.expires_at > at
    AND (in_tenant IS NULL OR s.tenant_id = in_tenant)
    AND (before IS NULL OR s.id < before)
  ORDER BY s.id DESC
  LIMIT most
$$;

-- Ends a session of a person, if it is in that tenant where one is given. No row: they have none such.
CREATE FUNCTION identity.revoke_session(session uuid, of_user uuid, in_tenant uuid, at timestamptz) RETURNS TABLE (id uuid)
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  UPDATE identity.sessions s SET revoked_at = at
  WHERE s.id = session AND s.user_id = of_user AND s.revoked_at IS NULL
    AND (in_tenant IS NULL OR s.tenant_id = in_tenant)
  RETURNING s.id
$$;

-- Ends all sessions of a person, in every tenant unless one is given; how many there were.
CREATE FUNCTION identity.revoke_sessions(of_user uuid, in_tenant uuid, at timestamptz) RETURNS int
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  WITH ended AS (
    UPDATE identity.sessions s SET revoked_at = at
    WHERE s.user_id = of_user AND s.revoked_at IS NULL AND (in_tenant IS NULL OR s.tenant_id = in_tenant)
    RETURNING 1
  )
  SELECT count(*)::int FROM ended
$$;

-- As before, and clears away a few windows that are over, so that names which nobody has do not pile up. That comes last
-- and skips what is locked: nobody waits for a row while they hold another.
CREATE OR REPLACE FUNCTION identity.reserve_attempt(of_key text, most int, window_seconds int, at timestamptz) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  taken boolean;
BEGIN
  INSERT INTO identity.throttles AS t (key, attempts, ends_at)
  VALUES (of_key, 1, at + make_interval(secs => window_seconds))
  ON CONFLICT (key) DO UPDATE SET
    attempts = CASE WHEN t.ends_at <= at THEN 1 ELSE t.attempts + 1 END,
    ends_at = CASE WHEN t.ends_at <= at THEN EXCLUDED.ends_at ELSE t.ends_at END
  WHERE t.ends_at <= at OR t.attempts < most;
  taken := FOUND;
  DELETE FROM identity.throttles t WHERE t.key IN (
    SELECT o.key FROM identity.throttles o WHERE o.ends_at <= at AND o.key <> of_key
    ORDER BY o.ends_at LIMIT 3 FOR UPDATE SKIP LOCKED
  );
  RETURN taken;
END
$$;
