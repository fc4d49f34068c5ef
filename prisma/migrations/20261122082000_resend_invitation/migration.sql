-- Voids the links of an invitation to the tenant of the connection, so that another can be sent. `last_end` is the end of the
-- newest of these links. No row: the person is not invited.
CREATE FUNCTION identity.void_invitation(of_user uuid) RETURNS TABLE (tenant_name text, is_new boolean, last_end timestamptz)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  -- Held fast first, so that an invitation that is accepted at this moment is either seen or comes after.
  SELECT u.email_verified_at IS NULL INTO is_new FROM identity.users u WHERE u.id = of_user FOR UPDATE;
  IF NOT EXISTS (
    SELECT 1 FROM identity.memberships m
    WHERE m.tenant_id = public.current_tenant() AND m.user_id = of_user AND m.status = 'invited'
  ) THEN
    RETURN;
  END IF;
  WITH gone AS (
    DELETE FROM identity.mail_tokens t
    WHERE t.tenant_id = public.current_tenant() AND t.user_id = of_user AND t.purpose = 'invitation'
    RETURNING t.expires_at
  )
  SELECT max(g.expires_at) INTO last_end FROM gone g;
  SELECT t.name INTO tenant_name FROM identity.tenants t WHERE t.id = public.current_tenant();
  RETURN NEXT;
END
$$;
