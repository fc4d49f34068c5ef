-- As before, and locks what the erasure changes before the membership, in the order in which the deletion of a project locks the same
-- rows: scans, notification settings, sources, pulls. In another order, a removal and a deletion at the same moment were a
-- deadlock. The locks are statements of their own: one that locks and updates a row can deadlock by itself.
CREATE OR REPLACE FUNCTION identity.end_membership(of_user uuid, in_tenant uuid) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  caller_tenant text := current_setting('app.tenant_id', true);
  state text;
BEGIN
  -- Row-level security also binds the owner: without this, no row of the tenant would match.
  PERFORM set_config('app.tenant_id', in_tenant::text, true);
  -- Before the deletion, whose trigger notes the erasure for a tenant with rows in another database.
  state := cells.enter(true);
  PERFORM 1 FROM public.scans s
  WHERE s.tenant_id = in_tenant AND s.created_by_id = of_user AND s.created_by_label <> 'removed user'
  ORDER BY s.id FOR NO KEY UPDATE;
  PERFORM 1 FROM public.notification_settings n WHERE n.tenant_id = in_tenant AND n.user_id = of_user FOR UPDATE;
  -- Before the membership also because a change of a source locks both in this order, by its trigger.
  PERFORM 1 FROM public.sources s WHERE s.tenant_id = in_tenant AND s.created_by_id = of_user ORDER BY s.project_id FOR UPDATE;
  PERFORM 1 FROM public.pulls p
  WHERE p.tenant_id = in_tenant AND p.created_by_id = of_user AND p.created_by_label <> 'removed user'
  ORDER BY p.project_id, p.id FOR NO KEY UPDATE;
  DELETE FROM identity.memberships m WHERE m.tenant_id = in_tenant AND m.user_id = of_user;
  DELETE FROM identity.mail_tokens t WHERE t.tenant_id = in_tenant AND t.user_id = of_user;
  DELETE FROM identity.saml_identities i USING identity.saml_connections c
  WHERE c.id = i.connection_id AND c.tenant_id = in_tenant AND i.user_id = of_user;
  IF state = 'active' THEN
    PERFORM cells.erase_member(of_user);
  ELSE
    -- The audit trail of operations on identities stays in this database.
    DELETE FROM public.audit_labels l WHERE l.tenant_id = in_tenant AND l.actor_id = of_user;
  END IF;
  PERFORM set_config('app.tenant_id', COALESCE(caller_tenant, ''), true);
END
$$;

-- As before, with the same locks for the database of a cell, in which nothing else has taken them.
CREATE OR REPLACE FUNCTION cells.erase_member(of_user uuid, before timestamptz) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  ends timestamptz := COALESCE(before, 'infinity');
BEGIN
  PERFORM 1 FROM public.scans s
  WHERE s.tenant_id = public.current_tenant() AND s.created_by_id = of_user AND s.created_by_label <> 'removed user'
    AND s.created_at < ends
  ORDER BY s.id FOR NO KEY UPDATE;
  IF before IS NULL THEN
    PERFORM 1 FROM public.notification_settings n
    WHERE n.tenant_id = public.current_tenant() AND n.user_id = of_user FOR UPDATE;
  END IF;
  PERFORM 1 FROM public.sources s
  WHERE s.tenant_id = public.current_tenant() AND s.created_by_id = of_user AND s.created_by_label <> 'removed user'
    AND s.created_at < ends
  ORDER BY s.project_id FOR NO KEY UPDATE;
  PERFORM 1 FROM public.pulls p
  WHERE p.tenant_id = public.current_tenant() AND p.created_by_id = of_user AND p.created_by_label <> 'removed user'
    AND p.created_at < ends
  ORDER BY p.project_id, p.id FOR NO KEY UPDATE;
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
