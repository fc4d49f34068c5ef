-- Sign-in with Google by redirect. A sign-in under way is one row that names a browser and a nonce by their hashes, like a
-- pending request to a SAML provider.

-- Notes a sign-in that goes out from a browser, for an hour at most, and deletes up to 50 expired values.
CREATE FUNCTION identity.begin_google(
  state_hash text, browser_hash text, nonce_hash text, at timestamptz, ends timestamptz
) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  DELETE FROM identity.one_time_values v USING (
    SELECT o.kind, o.value FROM identity.one_time_values o WHERE o.expires_at <= identity.not_after_now(at)
    ORDER BY o.expires_at LIMIT 50 FOR UPDATE SKIP LOCKED
  ) gone WHERE v.kind = gone.kind AND v.value = gone.value;
  INSERT INTO identity.one_time_values (kind, value, detail, expires_at)
  VALUES (
    'google_request', state_hash, jsonb_build_object('browser', browser_hash, 'nonce', nonce_hash),
    LEAST(ends, identity.not_after_now(at) + interval '1 hour')
  );
$$;

-- The browser and the nonce of a sign-in under way. No row: it is unknown, spent or expired.
CREATE FUNCTION identity.google_request(state_hash text, at timestamptz) RETURNS TABLE (browser_hash text, nonce_hash text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT v.detail->>'browser', v.detail->>'nonce' FROM identity.one_time_values v
  WHERE v.kind = 'google_request' AND v.value = state_hash AND v.expires_at > at
$$;

-- Spends a sign-in under way. False: another request has spent it.
CREATE FUNCTION identity.consume_google(state_hash text, at timestamptz) RETURNS boolean
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  WITH spent AS (
    DELETE FROM identity.one_time_values v
    WHERE v.kind = 'google_request' AND v.value = state_hash AND v.expires_at > at
    RETURNING 1
  )
  SELECT EXISTS (SELECT 1 FROM spent)
$$;

-- Keeps the hash of an exchange code of a sign-in with Google. The code is good for the Google account alone that signed in.
CREATE FUNCTION identity.issue_google_code(
  code_hash text, browser_hash text, subject text, for_user uuid, methods text[], ends timestamptz
) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  INSERT INTO identity.one_time_values (kind, value, detail, expires_at)
  VALUES ('exchange_code', code_hash, jsonb_build_object(
    'tenantId', public.current_tenant(), 'googleSub', subject, 'userId', for_user, 'amr', methods,
    'browser', browser_hash
  ), ends)
$$;

-- Spends a code of the tenant. No row: spent already, issued to another browser (then it stays unspent), or its person, SAML
-- provider or Google account is no longer admitted.
CREATE OR REPLACE FUNCTION identity.redeem_exchange_code(code_hash text, browser_hash text, at timestamptz)
RETURNS TABLE (user_id uuid, email text, amr text[])
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  WITH spent AS (
    DELETE FROM identity.one_time_values v
    WHERE v.kind = 'exchange_code' AND v.value = code_hash AND v.expires_at > at
      AND v.detail->>'tenantId' = public.current_tenant()::text
      AND v.detail->>'browser' = browser_hash
    RETURNING v.detail
  )
  SELECT u.id, u.email, ARRAY(SELECT jsonb_array_elements_text(s.detail->'amr'))
  FROM spent s
  JOIN identity.users u ON u.id = (s.detail->>'userId')::uuid AND u.disabled_at IS NULL
  JOIN identity.memberships m
    ON m.user_id = u.id AND m.tenant_id = public.current_tenant() AND m.status = 'active'
  WHERE CASE
    WHEN s.detail ? 'googleSub' THEN u.google_sub = s.detail->>'googleSub'
    ELSE EXISTS (SELECT 1 FROM identity.saml_connections c WHERE c.id = (s.detail->>'connectionId')::uuid)
  END
$$;
