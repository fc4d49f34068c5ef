-- Credentials that stand for nobody: the master key and the global API key.

-- AlterTable
-- Scans that such a credential launched have no id of a creator.
ALTER TABLE "public"."scans" ALTER COLUMN "created_by_id" DROP NOT NULL;

-- A tenant that a credential names. No row: there is none of that id.
CREATE FUNCTION identity.find_tenant(named uuid)
RETURNS TABLE (tenant_id uuid, tenant_name text, features text[])
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT t.id, t.name, t.features FROM identity.tenants t WHERE t.id = named
$$;

-- The end of the time in which a master key may be used. The first to ask sets it, for good: of many at once, one does,
-- and all are told the same.
CREATE FUNCTION identity.enter_break_glass(of_key bytea, at timestamptz, ends timestamptz) RETURNS timestamptz
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  fixed timestamptz;
BEGIN
  SELECT w.ends_at INTO fixed FROM identity.break_glass_windows w WHERE w.key_hash = of_key;
  IF fixed IS NULL THEN
    INSERT INTO identity.break_glass_windows (key_hash, opened_at, ends_at) VALUES (of_key, at, ends)
    ON CONFLICT (key_hash) DO NOTHING;
    SELECT w.ends_at INTO fixed FROM identity.break_glass_windows w WHERE w.key_hash = of_key;
  END IF;
  RETURN fixed;
END
$$;

-- Whom the administrators of the connection's tenant are reached by.
CREATE FUNCTION identity.admin_addresses() RETURNS TABLE (email text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT u.email
  FROM identity.memberships m
  JOIN identity.users u ON u.id = m.user_id
  WHERE m.tenant_id = public.current_tenant() AND m.role = 'admin' AND m.status = 'active'
    AND u.disabled_at IS NULL AND u.email_verified_at IS NOT NULL
  ORDER BY u.email
$$;
