-- As before, and locks the person before the confirmation, as changes of the member do.
CREATE OR REPLACE FUNCTION identity.complete_confirmation(token_hash text, at timestamptz)
RETURNS TABLE (user_id uuid, email text, connection_id uuid)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  spent jsonb;
  subject text;
BEGIN
  PERFORM 1 FROM identity.users u
  WHERE u.id = (
    SELECT (v.detail->>'userId')::uuid FROM identity.one_time_values v
    WHERE v.kind = 'saml_confirmation' AND v.value = token_hash
  ) FOR UPDATE;
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

-- As before, and locks the person before the code, as a code of the authenticator and changes of the second factor do.
CREATE OR REPLACE FUNCTION identity.spend_recovery_code(of_user uuid, code_hash bytea, at timestamptz) RETURNS boolean
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT FROM identity.users u WHERE u.id = of_user FOR NO KEY UPDATE;
  WITH spent AS (
    UPDATE identity.recovery_codes r SET spent_at = at
    WHERE r.user_id = of_user AND r.hash = code_hash AND r.spent_at IS NULL
    RETURNING 1
  )
  SELECT EXISTS (SELECT 1 FROM spent)
$$;
