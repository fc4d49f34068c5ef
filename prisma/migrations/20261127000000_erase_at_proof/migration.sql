-- Ends a membership and erases what the tenant stores about the person. It runs with the rights of its caller, so that only
-- functions of the owner can name a tenant.
CREATE FUNCTION identity.end_membership(of_user uuid, in_tenant uuid) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  caller_tenant text := current_setting('app.tenant_id', true);
  state text;
BEGIN
  -- Row-level security also binds the owner: without this, no row of the tenant would match.
  PERFORM set_config('app.tenant_id', in_tenant::text, true);
  -- Before the deletion, whose trigger notes the erasure for a tenant with rows in another database.
  state := cells.enter(true);
  DELETE FROM identity.memberships m WHERE m.tenant_id = in_tenant AND m.user_id = of_user;
  DELETE FROM identity.mail_tokens t WHERE t.tenant_id = in_tenant AND t.user_id = of_user;
  DELETE FROM identity.saml_identities i USING identity.saml_connections c
  WHERE c.id = i.connection_id AND c.tenant_id = in_tenant AND i.user_id = of_user;
  IF state = 'active' THEN
    PERFORM cells.erase_member(of_user);
  ELSE
    -- The audit trail of operations on identities stays in this database.
    DELETE FROM public.audit_labels l WHERE l.tenant_id = in_tenant AND l.actor_id = of_user;
  END IF;
  PERFORM set_config('app.tenant_id', COALESCE(caller_tenant, ''), true);
END
$$;

-- As before, and also erases private views and notification settings.
CREATE OR REPLACE FUNCTION identity.remove_member(of_user uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $$
BEGIN
  -- Held fast first, so that an invitation that comes or is accepted at this moment is either seen or comes after.
  PERFORM 1 FROM identity.users u WHERE u.id = of_user FOR UPDATE;
  PERFORM identity.end_membership(of_user, public.current_tenant());
  IF NOT EXISTS (SELECT 1 FROM identity.memberships m WHERE m.user_id = of_user) THEN
    DELETE FROM identity.saml_identities i WHERE i.user_id = of_user;
    DELETE FROM identity.users u WHERE u.id = of_user;
  END IF;
END
$$;

-- As before, and erases what the tenants of the memberships that it ends store about the person.
CREATE OR REPLACE FUNCTION identity.void_unproven(of_user uuid, at timestamptz)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $$
BEGIN
  UPDATE identity.users u
  SET password_hash = NULL, totp_secret = NULL, totp_enabled_at = NULL, totp_last_step = NULL,
      totp_pending_at = NULL, totp_pending_session = NULL
  WHERE u.id = of_user AND u.email_verified_at IS NULL;
  UPDATE identity.sessions s SET revoked_at = at WHERE s.user_id = of_user AND s.revoked_at IS NULL;
  UPDATE identity.api_keys k SET revoked_at = at WHERE k.user_id = of_user AND k.revoked_at IS NULL;
  DELETE FROM identity.recovery_codes c WHERE c.user_id = of_user;
  PERFORM identity.end_membership(ended.user_id, ended.tenant_id)
  FROM (
    SELECT m.user_id, m.tenant_id FROM identity.memberships m
    WHERE m.user_id = of_user AND identity.ends_at_proof(m) ORDER BY m.tenant_id
  ) ended;
  DELETE FROM identity.saml_identities i WHERE i.user_id = of_user;
  DELETE FROM identity.one_time_values v
  WHERE v.kind IN ('exchange_code', 'unconfirmed_code', 'saml_confirmation') AND v.detail->>'userId' = of_user::text;
  -- Invitations stay: they were sent to the address, and are about a tenant.
  DELETE FROM identity.mail_tokens t WHERE t.user_id = of_user AND t.tenant_id IS NULL;
END
$$;
