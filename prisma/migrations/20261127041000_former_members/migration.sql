-- Erases what earlier releases kept of persons who are no members of this tenant any more. Changes at most that many rows, and skips
-- rows that others have locked. Returns the number of rows.
CREATE FUNCTION jobs.erase_former_members(most int) RETURNS int
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  tenant CONSTANT uuid := public.current_tenant();
  remaining int := LEAST(GREATEST(most, 0), 1000);
  total CONSTANT int := remaining;
  changed int;
BEGIN
  -- The database of a cell has no identities: everybody would seem to have left.
  IF NOT EXISTS (SELECT 1 FROM identity.tenants t WHERE t.id = tenant) THEN RETURN 0; END IF;
  WITH former AS MATERIALIZED (
    SELECT s.id FROM public.scans s
    WHERE s.tenant_id = tenant AND s.created_by_id IS NOT NULL AND s.created_by_label <> 'removed user'
      AND NOT EXISTS (SELECT 1 FROM identity.memberships m WHERE m.tenant_id = tenant AND m.user_id = s.created_by_id)
    LIMIT remaining FOR NO KEY UPDATE OF s SKIP LOCKED
  )
  UPDATE public.scans s SET created_by_label = 'removed user' FROM former f WHERE s.tenant_id = tenant AND s.id = f.id;
  GET DIAGNOSTICS changed = ROW_COUNT;
  remaining := remaining - changed;
  WITH former AS MATERIALIZED (
    SELECT s.project_id FROM public.sources s
    WHERE s.tenant_id = tenant AND s.created_by_id IS NOT NULL AND s.created_by_label <> 'removed user'
      AND NOT EXISTS (SELECT 1 FROM identity.memberships m WHERE m.tenant_id = tenant AND m.user_id = s.created_by_id)
    LIMIT remaining FOR NO KEY UPDATE OF s SKIP LOCKED
  )
  UPDATE public.sources s SET created_by_label = 'removed user' FROM former f
  WHERE s.tenant_id = tenant AND s.project_id = f.project_id;
  GET DIAGNOSTICS changed = ROW_COUNT;
  remaining := remaining - changed;
  WITH former AS MATERIALIZED (
    SELECT p.id FROM public.pulls p
    WHERE p.tenant_id = tenant AND p.created_by_id IS NOT NULL AND p.created_by_label <> 'removed user'
      AND NOT EXISTS (SELECT 1 FROM identity.memberships m WHERE m.tenant_id = tenant AND m.user_id = p.created_by_id)
    LIMIT remaining FOR NO KEY UPDATE OF p SKIP LOCKED
  )
  UPDATE public.pulls p SET created_by_label = 'removed user' FROM former f WHERE p.tenant_id = tenant AND p.id = f.id;
  GET DIAGNOSTICS changed = ROW_COUNT;
  remaining := remaining - changed;
  WITH former AS MATERIALIZED (
    SELECT l.actor_id FROM public.audit_labels l
    WHERE l.tenant_id = tenant
      AND NOT EXISTS (SELECT 1 FROM identity.memberships m WHERE m.tenant_id = tenant AND m.user_id = l.actor_id)
    LIMIT remaining FOR UPDATE OF l SKIP LOCKED
  )
  DELETE FROM public.audit_labels l USING former f WHERE l.tenant_id = tenant AND l.actor_id = f.actor_id;
  GET DIAGNOSTICS changed = ROW_COUNT;
  remaining := remaining - changed;
  WITH former AS MATERIALIZED (
    SELECT v.id FROM public.saved_views v
    WHERE v.tenant_id = tenant AND NOT v.shared
      AND NOT EXISTS (SELECT 1 FROM identity.memberships m WHERE m.tenant_id = tenant AND m.user_id = v.owner_id)
    LIMIT remaining FOR UPDATE OF v SKIP LOCKED
  )
  DELETE FROM public.saved_views v USING former f WHERE v.tenant_id = tenant AND v.id = f.id;
  GET DIAGNOSTICS changed = ROW_COUNT;
  remaining := remaining - changed;
  WITH former AS MATERIALIZED (
    SELECT n.user_id FROM public.notification_settings n
    WHERE n.tenant_id = tenant
      AND NOT EXISTS (SELECT 1 FROM identity.memberships m WHERE m.tenant_id = tenant AND m.user_id = n.user_id)
    LIMIT remaining FOR UPDATE OF n SKIP LOCKED
  )
  DELETE FROM public.notification_settings n USING former f WHERE n.tenant_id = tenant AND n.user_id = f.user_id;
  GET DIAGNOSTICS changed = ROW_COUNT;
  RETURN total - remaining + changed;
END
$$;
