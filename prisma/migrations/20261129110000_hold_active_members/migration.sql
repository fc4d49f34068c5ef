-- Whether the person may enter the tenant. The lock is that of the update with which a session is opened, so that two sign-ins
-- wait for each other. A removal or a disabling that comes later waits too, and ends the session.
CREATE FUNCTION identity.hold_active_member(of_user uuid) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM 1 FROM identity.memberships m
  WHERE m.tenant_id = public.current_tenant() AND m.user_id = of_user AND m.status = 'active' FOR NO KEY UPDATE;
  RETURN FOUND;
END
$$;
