-- Replaces the address of a person in the stored events of this tenant. Only these two types of events name a person.
CREATE FUNCTION jobs.erase_event_addresses(of_user uuid) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  UPDATE public.webhook_events e
  SET body = jsonb_set(e.body::jsonb, '{data,user,email}', '"removed user"')::text
  WHERE e.tenant_id = public.current_tenant() AND e.type IN ('api_key.created', 'sign_in.locked')
    AND e.body::jsonb #>> '{data,user,id}' = of_user::text;
$$;

-- As before, and with the line about events.
CREATE OR REPLACE FUNCTION identity.remove_member(of_user uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  -- Held fast first, so that an invitation that comes or is accepted at this moment is either seen or comes after.
  PERFORM 1 FROM identity.users u WHERE u.id = of_user FOR UPDATE;
  DELETE FROM identity.memberships m WHERE m.tenant_id = public.current_tenant() AND m.user_id = of_user;
  DELETE FROM identity.mail_tokens t WHERE t.tenant_id = public.current_tenant() AND t.user_id = of_user;
  DELETE FROM identity.saml_identities i USING identity.saml_connections c
  WHERE c.id = i.connection_id AND c.tenant_id = public.current_tenant() AND i.user_id = of_user;
  DELETE FROM public.audit_labels l WHERE l.tenant_id = public.current_tenant() AND l.actor_id = of_user;
  UPDATE public.scans s SET created_by_label = 'removed user'
  WHERE s.tenant_id = public.current_tenant() AND s.created_by_id = of_user;
  UPDATE public.sources s SET created_by_label = 'removed user'
  WHERE s.tenant_id = public.current_tenant() AND s.created_by_id = of_user;
  UPDATE public.pulls p SET created_by_label = 'removed user'
  WHERE p.tenant_id = public.current_tenant() AND p.created_by_id = of_user;
  PERFORM jobs.erase_event_addresses(of_user);
  IF NOT EXISTS (SELECT 1 FROM identity.memberships m WHERE m.user_id = of_user) THEN
    DELETE FROM identity.saml_identities i WHERE i.user_id = of_user;
    DELETE FROM identity.users u WHERE u.id = of_user;
  END IF;
END
$function$;

CREATE OR REPLACE FUNCTION cells.erase_member(of_user uuid)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  DELETE FROM public.audit_labels l WHERE l.tenant_id = public.current_tenant() AND l.actor_id = of_user;
  UPDATE public.scans s SET created_by_label = 'removed user'
  WHERE s.tenant_id = public.current_tenant() AND s.created_by_id = of_user AND s.created_by_label <> 'removed user';
  UPDATE public.sources s SET created_by_label = 'removed user'
  WHERE s.tenant_id = public.current_tenant() AND s.created_by_id = of_user AND s.created_by_label <> 'removed user';
  UPDATE public.pulls p SET created_by_label = 'removed user'
  WHERE p.tenant_id = public.current_tenant() AND p.created_by_id = of_user AND p.created_by_label <> 'removed user';
  DELETE FROM public.saved_views v
  WHERE v.tenant_id = public.current_tenant() AND v.owner_id = of_user AND NOT v.shared;
  DELETE FROM public.notification_settings n WHERE n.tenant_id = public.current_tenant() AND n.user_id = of_user;
  SELECT jobs.erase_event_addresses(of_user);
$function$;
