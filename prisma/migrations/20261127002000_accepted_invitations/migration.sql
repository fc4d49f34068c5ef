-- As before, and notes that no provider made the membership. An invitation from before memberships recorded it has NULL: the
-- proof of the address that accepts it would end the membership.
CREATE OR REPLACE FUNCTION identity.activate_membership(of_user uuid, at timestamptz)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $$
BEGIN
  UPDATE identity.memberships m SET status = 'active', by_provider = false
  WHERE m.tenant_id = public.current_tenant() AND m.user_id = of_user AND m.status = 'invited';
  RETURN FOUND;
END
$$;
