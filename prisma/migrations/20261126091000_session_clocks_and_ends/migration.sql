-- The present time by the clock of the database, which all servers share. Tests replace the function, so that their own
-- clock counts; the argument is for them alone.
CREATE FUNCTION identity.database_time(at timestamptz) RETURNS timestamptz
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT now()
$$;

-- As before, but the time between the two uses of a token is measured by one clock, because two servers may get them. The
-- token spent last is the one whose successor is unspent; the sign-in may have been at a server whose clock is ahead.
CREATE OR REPLACE FUNCTION identity.rotate_refresh(
  old_hash bytea, new_hash bytea, at timestamptz, new_end timestamptz, grace_seconds int
) RETURNS TABLE (outcome text, amr text[])
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  token identity.refresh_tokens;
  held identity.sessions;
  present timestamptz := identity.database_time(at);
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
    IF token.spent_at > present - make_interval(secs => grace_seconds) AND EXISTS (
      SELECT 1 FROM identity.refresh_tokens r
      WHERE r.session_id = held.id AND r.issued_at = token.spent_at AND r.spent_at IS NULL
    ) THEN
      outcome := 'repeated';
    ELSE
      outcome := 'reused';
      UPDATE identity.sessions s SET revoked_at = at WHERE s.id = held.id;
    END IF;
  ELSIF token.expires_at <= at THEN
    outcome := 'refused';
  ELSE
    outcome := 'rotated';
    UPDATE identity.refresh_tokens r SET spent_at = present WHERE r.hash = old_hash;
    INSERT INTO identity.refresh_tokens (hash, session_id, issued_at, expires_at)
    VALUES (new_hash, held.id, present, LEAST(new_end, held.expires_at));
  END IF;
  amr := held.amr;
  RETURN NEXT;
END
$$;

-- As before, but the old token is spent at the time of the database, with which rotate_refresh compares.
CREATE OR REPLACE FUNCTION identity.raise_session(
  session uuid, of_user uuid, method text, refresh_hash bytea, at timestamptz, refresh_end timestamptz
) RETURNS TABLE (amr text[])
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  held identity.sessions;
  present timestamptz := identity.database_time(at);
BEGIN
  UPDATE identity.sessions s SET amr = array_append(array_remove(s.amr, method), method)
  WHERE s.id = session AND s.user_id = of_user AND s.revoked_at IS NULL AND s.expires_at > at
  RETURNING s.* INTO held;
  IF NOT FOUND THEN RETURN; END IF;
  UPDATE identity.refresh_tokens r SET spent_at = present WHERE r.session_id = session AND r.spent_at IS NULL;
  INSERT INTO identity.refresh_tokens (hash, session_id, issued_at, expires_at)
  VALUES (refresh_hash, session, present, LEAST(refresh_end, held.expires_at));
  RETURN QUERY SELECT held.amr;
END
$$;

-- Stores the hash of an ID token of Google that signs in.
-- Returns false for a token that has signed in before. A parallel use of the token waits for the first one.
CREATE FUNCTION identity.take_google_token(token_hash text, at timestamptz, ends timestamptz) RETURNS boolean
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  WITH taken AS (
    INSERT INTO identity.one_time_values (kind, value, detail, expires_at)
    VALUES ('google_token', token_hash, '{}', LEAST(ends, identity.not_after_now(at) + interval '3 hours'))
    ON CONFLICT DO NOTHING
    RETURNING 1
  )
  SELECT EXISTS (SELECT 1 FROM taken)
$$;

-- Stores the end of the session with the exchange code of a sign-in. begin_confirmation takes it over.
CREATE FUNCTION identity.limit_session(code_hash text, ends timestamptz) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  UPDATE identity.one_time_values v SET detail = v.detail || jsonb_build_object('sessionEnds', ends)
  WHERE v.kind IN ('exchange_code', 'unconfirmed_code') AND v.value = code_hash
    AND v.detail->>'tenantId' = public.current_tenant()::text
$$;

-- The end of the session that an exchange code or a confirmation opens; null: the one of every session.
CREATE FUNCTION identity.session_limit(value_hash text) RETURNS timestamptz
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT (v.detail->>'sessionEnds')::timestamptz FROM identity.one_time_values v
  WHERE v.kind IN ('exchange_code', 'saml_confirmation') AND v.value = value_hash
    AND v.detail->>'tenantId' = public.current_tenant()::text
$$;
