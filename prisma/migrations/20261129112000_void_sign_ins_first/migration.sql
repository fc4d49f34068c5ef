-- As before, and deletes the sign-ins under way before it ends the sessions. An exchange that is not committed has deleted its
-- code: the session that it opens is then ended too.
CREATE OR REPLACE FUNCTION identity.void_unproven(of_user uuid, at timestamptz) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  UPDATE identity.users u
  SET password_hash = NULL, totp_secret = NULL, totp_enabled_at = NULL, totp_last_step = NULL,
      totp_pending_at = NULL, totp_pending_session = NULL
  WHERE u.id = of_user AND u.email_verified_at IS NULL;
  DELETE FROM identity.one_time_values v
  WHERE v.kind IN ('exchange_code', 'unconfirmed_code', 'saml_confirmation') AND v.detail->>'userId' = of_user::text;
  UPDATE identity.sessions s SET revoked_at = at WHERE s.user_id = of_user AND s.revoked_at IS NULL;
  UPDATE identity.api_keys k SET revoked_at = at WHERE k.user_id = of_user AND k.revoked_at IS NULL;
  DELETE FROM identity.recovery_codes c WHERE c.user_id = of_user;
  PERFORM identity.end_membership(ended.user_id, ended.tenant_id)
  FROM (
    SELECT m.user_id, m.tenant_id FROM identity.memberships m
    WHERE m.user_id = of_user AND identity.ends_at_proof(m) ORDER BY m.tenant_id
  ) ended;
  DELETE FROM identity.saml_identities i WHERE i.user_id = of_user;
  -- Invitations stay: they were sent to the address, and are about a tenant.
  DELETE FROM identity.mail_tokens t WHERE t.user_id = of_user AND t.tenant_id IS NULL;
END
$$;
