-- Stores `removed user` as the name of a creator whose membership has ended. A request that began before the end writes its row
-- after the erasure, which would miss the name. The lock lasts until the transaction ends: an end of the membership that
-- comes later waits for the row, and its erasure sees it.
CREATE FUNCTION identity.name_only_members() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM 1 FROM identity.memberships m
  WHERE m.tenant_id = NEW.tenant_id AND m.user_id = NEW.created_by_id FOR KEY SHARE;
  -- The database of a cell has no identities: there the courier repeats the erasure. A move copies rows as they are.
  IF NOT FOUND AND EXISTS (SELECT 1 FROM identity.tenants t WHERE t.id = NEW.tenant_id)
    AND current_setting('cells.mover', true) IS DISTINCT FROM 'on'
  THEN
    NEW.created_by_label := 'removed user';
  END IF;
  RETURN NEW;
END
$$;

-- The erasure locks these tables in this order too.
CREATE TRIGGER name_only_members BEFORE INSERT OR UPDATE OF created_by_label ON public.scans FOR EACH ROW
  WHEN (NEW.created_by_id IS NOT NULL AND NEW.created_by_label <> 'removed user')
  EXECUTE FUNCTION identity.name_only_members();
CREATE TRIGGER name_only_members BEFORE INSERT OR UPDATE OF created_by_label ON public.sources FOR EACH ROW
  WHEN (NEW.created_by_id IS NOT NULL AND NEW.created_by_label <> 'removed user')
  EXECUTE FUNCTION identity.name_only_members();
CREATE TRIGGER name_only_members BEFORE INSERT OR UPDATE OF created_by_label ON public.pulls FOR EACH ROW
  WHEN (NEW.created_by_id IS NOT NULL AND NEW.created_by_label <> 'removed user')
  EXECUTE FUNCTION identity.name_only_members();

-- As before, and locks the sources of the person before the membership, as a change of a source does by the trigger. In the other
-- order, a source that the person sets at this moment would be a deadlock.
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
  PERFORM 1 FROM public.sources s WHERE s.tenant_id = in_tenant AND s.created_by_id = of_user ORDER BY s.project_id FOR UPDATE;
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
