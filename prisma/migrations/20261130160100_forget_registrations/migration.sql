-- Deletes up to `most` tenants that were registered more than 30 days ago by somebody who never confirmed the address, and the
-- account if it belongs to no other tenant. Nobody can have signed in to such an account with the password, and nobody to the
-- tenant: a tenant with a sign-in, another member, a licensed feature or a project stays. Returns the number of deleted tenants.
CREATE FUNCTION jobs.forget_registrations(at timestamptz, most int) RETURNS int
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  present CONSTANT timestamptz := identity.not_after_now(at);
  caller_tenant CONSTANT text := current_setting('app.tenant_id', true);
  registered record;
  removed int := 0;
BEGIN
  FOR registered IN
    -- The person is locked, as by a confirmation of the address. One that runs now keeps the tenant.
    SELECT t.id AS tenant_id, u.id AS user_id
    FROM identity.tenants t
    JOIN identity.memberships m ON m.tenant_id = t.id AND m.created_at = t.created_at
    JOIN identity.users u ON u.id = m.user_id
    WHERE t.created_at < present - interval '30 days' AND t.features = '{}'
      AND m.entered_at IS NULL AND m.by_provider IS NOT TRUE
      AND u.email_verified_at IS NULL AND u.google_sub IS NULL
      AND NOT EXISTS (SELECT 1 FROM identity.memberships o WHERE o.tenant_id = t.id AND o.user_id <> u.id)
      AND NOT EXISTS (SELECT 1 FROM identity.saml_connections c WHERE c.tenant_id = t.id)
      AND NOT EXISTS (SELECT 1 FROM cells.standings s WHERE s.tenant_id = t.id)
      AND NOT EXISTS (
        SELECT 1 FROM identity.mail_tokens k
        WHERE k.user_id = u.id AND k.tenant_id IS NULL AND k.spent_at IS NULL AND k.expires_at > present
      )
    ORDER BY t.created_at
    LIMIT LEAST(GREATEST(most, 1), 1000)
    FOR UPDATE OF u SKIP LOCKED
  LOOP
    -- Row-level security also binds the owner. The global API key can have made a project in any tenant.
    PERFORM set_config('app.tenant_id', registered.tenant_id::text, true);
    CONTINUE WHEN EXISTS (SELECT 1 FROM public.projects p WHERE p.tenant_id = registered.tenant_id);
    PERFORM identity.end_membership(registered.user_id, registered.tenant_id);
    DELETE FROM identity.tenants t WHERE t.id = registered.tenant_id;
    IF EXISTS (SELECT 1 FROM identity.memberships m WHERE m.user_id = registered.user_id) THEN
      -- Invited by another tenant: as before the registration.
      UPDATE identity.users u SET password_hash = NULL WHERE u.id = registered.user_id;
    ELSE
      DELETE FROM identity.users u WHERE u.id = registered.user_id;
    END IF;
    removed := removed + 1;
  END LOOP;
  PERFORM set_config('app.tenant_id', COALESCE(caller_tenant, ''), true);
  RETURN removed;
END
$$;
