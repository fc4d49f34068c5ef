-- Deletes a private view or a notification setting that is stored after the membership of its person has ended. A request
-- that began before the end writes its row after the erasure, which would miss it.

-- Whether the person is a member of the tenant. The lock lasts until the transaction ends: an end of the membership that comes
-- later waits for it, and its erasure sees what the transaction has stored.
CREATE FUNCTION identity.hold_member(of_user uuid) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM 1 FROM identity.memberships m
  WHERE m.tenant_id = public.current_tenant() AND m.user_id = of_user FOR KEY SHARE;
  RETURN FOUND;
END
$$;

CREATE FUNCTION identity.only_of_members() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  -- The database of a cell has no identities: there the courier repeats the erasure. A move copies rows as they are.
  IF current_setting('cells.mover', true) = 'on'
    OR NOT EXISTS (SELECT 1 FROM identity.tenants t WHERE t.id = NEW.tenant_id)
  THEN
    RETURN NULL;
  END IF;
  IF TG_TABLE_NAME = 'saved_views' THEN
    IF NOT identity.hold_member(NEW.owner_id) THEN
      DELETE FROM public.saved_views v WHERE v.tenant_id = NEW.tenant_id AND v.id = NEW.id;
    END IF;
  ELSIF NOT identity.hold_member(NEW.user_id) THEN
    DELETE FROM public.notification_settings n WHERE n.tenant_id = NEW.tenant_id AND n.user_id = NEW.user_id;
  END IF;
  RETURN NULL;
END
$$;

-- Only for rows that the erasure cannot see yet: it waits for a change of any other row. A trigger for those would wait for the
-- erasure while the erasure waits for the row.
CREATE TRIGGER only_of_members AFTER INSERT ON public.saved_views FOR EACH ROW
  WHEN (NOT NEW.shared) EXECUTE FUNCTION identity.only_of_members();
CREATE TRIGGER only_of_members_unshared AFTER UPDATE OF shared ON public.saved_views FOR EACH ROW
  WHEN (OLD.shared AND NOT NEW.shared) EXECUTE FUNCTION identity.only_of_members();
-- By its name it comes after note_digest, which must see the deletion last.
CREATE TRIGGER only_of_members AFTER INSERT ON public.notification_settings FOR EACH ROW
  EXECUTE FUNCTION identity.only_of_members();
