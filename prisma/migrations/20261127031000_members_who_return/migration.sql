-- An erasure in a cell is applied late, and repeated. A person who is a member again by then keeps what was stored since.

-- When the person became a member; null: they are not one.
CREATE FUNCTION cells.member_since(in_tenant uuid, of_user uuid) RETURNS timestamptz
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT m.created_at FROM identity.memberships m WHERE m.tenant_id = in_tenant AND m.user_id = of_user
$$;

-- As before, and limited to rows that were created before a time. Rows without a time belong to the present membership then.
CREATE FUNCTION cells.erase_member(of_user uuid, before timestamptz) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  ends timestamptz := COALESCE(before, 'infinity');
BEGIN
  UPDATE public.scans s SET created_by_label = 'removed user'
  WHERE s.tenant_id = public.current_tenant() AND s.created_by_id = of_user AND s.created_by_label <> 'removed user'
    AND s.created_at < ends;
  UPDATE public.sources s SET created_by_label = 'removed user'
  WHERE s.tenant_id = public.current_tenant() AND s.created_by_id = of_user AND s.created_by_label <> 'removed user'
    AND s.created_at < ends;
  UPDATE public.pulls p SET created_by_label = 'removed user'
  WHERE p.tenant_id = public.current_tenant() AND p.created_by_id = of_user AND p.created_by_label <> 'removed user'
    AND p.created_at < ends;
  DELETE FROM public.saved_views v
  WHERE v.tenant_id = public.current_tenant() AND v.owner_id = of_user AND NOT v.shared AND v.created_at < ends;
  IF before IS NULL THEN
    DELETE FROM public.audit_labels l WHERE l.tenant_id = public.current_tenant() AND l.actor_id = of_user;
    DELETE FROM public.notification_settings n WHERE n.tenant_id = public.current_tenant() AND n.user_id = of_user;
    PERFORM jobs.erase_event_addresses(of_user);
  END IF;
END
$$;

CREATE OR REPLACE FUNCTION cells.erase_member(of_user uuid) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT cells.erase_member(of_user, NULL)
$$;

-- As before, and drops the erasure of a person who is a member again, after it was applied once.
CREATE OR REPLACE FUNCTION cells.delivered(entry bigint) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  DELETE FROM cells.outbox o
  WHERE o.id = entry AND (
    o.kind = 'event' OR o.at < now() - interval '2 minutes'
    OR cells.member_since(o.tenant_id, (o.detail ->> 'userId')::uuid) IS NOT NULL
  )
$$;
