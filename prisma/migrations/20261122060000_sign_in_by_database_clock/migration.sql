-- Deletes expired values by the clock of the database. The caller's time alone would let the serving role delete values that
-- are still good.
CREATE OR REPLACE FUNCTION identity.begin_saml(
  connection uuid, request_id text, browser_hash text, at timestamptz, ends timestamptz
) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  DELETE FROM identity.one_time_values v USING (
    SELECT o.kind, o.value FROM identity.one_time_values o WHERE o.expires_at <= identity.not_after_now(at)
    ORDER BY o.expires_at LIMIT 50 FOR UPDATE SKIP LOCKED
  ) gone WHERE v.kind = gone.kind AND v.value = gone.value;
  INSERT INTO identity.one_time_values (kind, value, detail, expires_at)
  VALUES ('saml_request', request_id, jsonb_build_object('connectionId', connection, 'browser', browser_hash), ends);
$$;

-- The function of the release before, which stays for as long as that release may run.
CREATE OR REPLACE FUNCTION identity.begin_saml(connection uuid, request_id text, at timestamptz, ends timestamptz) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  DELETE FROM identity.one_time_values v USING (
    SELECT o.kind, o.value FROM identity.one_time_values o WHERE o.expires_at <= identity.not_after_now(at)
    ORDER BY o.expires_at LIMIT 50 FOR UPDATE SKIP LOCKED
  ) gone WHERE v.kind = gone.kind AND v.value = gone.value;
  INSERT INTO identity.one_time_values (kind, value, detail, expires_at)
  VALUES ('saml_request', request_id, jsonb_build_object('connectionId', connection), ends);
$$;
