-- Binds a SAML sign-in to the browser that began it. `browser_hash` is the SHA-256 of a cookie of that browser. The functions
-- of the release before, which know no browser, stay for as long as that release may run.

-- Notes a request that goes out from a browser, and deletes up to 50 expired values.
CREATE FUNCTION identity.begin_saml(
  connection uuid, request_id text, browser_hash text, at timestamptz, ends timestamptz
) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  DELETE FROM identity.one_time_values v USING (
    SELECT o.kind, o.value FROM identity.one_time_values o WHERE o.expires_at <= at
    ORDER BY o.expires_at LIMIT 50 FOR UPDATE SKIP LOCKED
  ) gone WHERE v.kind = gone.kind AND v.value = gone.value;
  INSERT INTO identity.one_time_values (kind, value, detail, expires_at)
  VALUES ('saml_request', request_id, jsonb_build_object('connectionId', connection, 'browser', browser_hash), ends);
$$;

-- The browser that a pending request went out from. No row: there is no such request, or it was begun without a browser.
CREATE FUNCTION identity.saml_request_browser(request_id text, at timestamptz) RETURNS TABLE (browser_hash text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT v.detail->>'browser' FROM identity.one_time_values v
  WHERE v.kind = 'saml_request' AND v.value = request_id AND v.expires_at > at AND v.detail ? 'browser'
$$;

-- Keeps the hash of a code that a browser carries from a sign-in to the page that exchanges it. The code is good in that
-- browser alone.
CREATE FUNCTION identity.issue_exchange_code(
  code_hash text, browser_hash text, via_connection uuid, for_user uuid, methods text[], ends timestamptz
) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  INSERT INTO identity.one_time_values (kind, value, detail, expires_at)
  VALUES ('exchange_code', code_hash, jsonb_build_object(
    'tenantId', public.current_tenant(), 'connectionId', via_connection, 'userId', for_user, 'amr', methods,
    'browser', browser_hash
  ), ends)
$$;

-- Spends a code of the connection's tenant. No row: spent already, issued to another browser (then it stays unspent), or its
-- person or provider is no longer admitted.
CREATE FUNCTION identity.redeem_exchange_code(code_hash text, browser_hash text, at timestamptz)
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
  JOIN identity.saml_connections c ON c.id = (s.detail->>'connectionId')::uuid
$$;
