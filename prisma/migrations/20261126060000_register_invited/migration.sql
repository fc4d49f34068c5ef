-- Whether an account was only ever invited: nobody has proven its address or chosen a password for it, and it is in no tenant.
CREATE FUNCTION identity.is_only_invited(held identity.users) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT held.email_verified_at IS NULL AND held.password_hash IS NULL AND held.google_sub IS NULL AND held.disabled_at IS NULL
    AND NOT EXISTS (SELECT 1 FROM identity.memberships m WHERE m.user_id = held.id AND m.status <> 'invited')
$$;

-- Who has an address that somebody registers.
CREATE FUNCTION identity.applicant(of_email text)
RETURNS TABLE (user_id uuid, disabled boolean, only_invited boolean, tenant_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT u.id, u.disabled_at IS NOT NULL, identity.is_only_invited(u), identity.tenant_to_tell(u.id)
  FROM identity.users u WHERE u.email = of_email
$$;

-- As identity.register, which servers of the release before call, and also for a person who was only invited: an invitation by
-- anybody would otherwise prevent the registration. Returns the id of the person; null when the address is taken.
CREATE FUNCTION identity.register_applicant(
  tenant_name text, new_user uuid, new_email text, new_name text, new_password_hash text, at timestamptz
) RETURNS uuid
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  held identity.users;
BEGIN
  INSERT INTO identity.users (id, email, name, created_at) VALUES (new_user, new_email, new_name, at)
  ON CONFLICT (email) DO NOTHING;
  SELECT u.* INTO held FROM identity.users u WHERE u.email = new_email FOR UPDATE;
  IF held.id IS NULL OR NOT identity.is_only_invited(held) THEN
    RETURN NULL;
  END IF;
  UPDATE identity.users u SET password_hash = new_password_hash, name = COALESCE(new_name, u.name) WHERE u.id = held.id;
  INSERT INTO identity.tenants (id, name, features, created_at) VALUES (public.current_tenant(), tenant_name, '{}', at);
  INSERT INTO identity.memberships (tenant_id, user_id, role, status, created_at)
  VALUES (public.current_tenant(), held.id, 'admin', 'active', at);
  RETURN held.id;
END
$$;
