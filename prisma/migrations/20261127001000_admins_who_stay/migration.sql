-- As before, without admins who leave when they prove their address: they do not stay to administer the tenant.
CREATE OR REPLACE FUNCTION identity.has_other_admin(than uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $$
  SELECT EXISTS (
    SELECT 1 FROM identity.memberships m JOIN identity.users u ON u.id = m.user_id
    WHERE m.tenant_id = public.current_tenant() AND m.user_id <> than
      AND m.role = 'admin' AND m.status = 'active' AND u.disabled_at IS NULL AND NOT identity.ends_at_proof(m)
  )
$$;
