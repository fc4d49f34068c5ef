-- The names behind the ids of the audit trail. The trail itself can only be added to, so what may have to be erased of
-- it, the address of a person, is kept beside it: a person goes, their row here goes, the id in the trail stays.

CREATE TABLE public.audit_labels (
    "tenant_id" UUID NOT NULL,
    "actor_id" UUID NOT NULL,
    "label" TEXT NOT NULL,

    CONSTRAINT "audit_labels_pkey" PRIMARY KEY ("tenant_id","actor_id")
);

-- What was written before this table was there. For the length of this transaction the owner is let in.
ALTER TABLE public.audit_events NO FORCE ROW LEVEL SECURITY;
INSERT INTO public.audit_labels (tenant_id, actor_id, label)
SELECT DISTINCT ON (e.tenant_id, e.actor_id) e.tenant_id, e.actor_id, e.actor_label
FROM public.audit_events e
JOIN identity.memberships m ON m.tenant_id = e.tenant_id AND m.user_id = e.actor_id
WHERE e.actor_label IS NOT NULL
ORDER BY e.tenant_id, e.actor_id, e.at DESC;
UPDATE public.audit_events SET actor_label = NULL WHERE actor_id IS NOT NULL OR actor_kind = 'person';
ALTER TABLE public.audit_events FORCE ROW LEVEL SECURITY;

ALTER TABLE public.audit_labels ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.audit_labels FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_isolation ON public.audit_labels FOR ALL
  USING (tenant_id = NULLIF(current_setting('app.tenant_id', true), '')::uuid)
  WITH CHECK (tenant_id = NULLIF(current_setting('app.tenant_id', true), '')::uuid);

-- Keeps the name of a member of the connection's tenant beside the audit trail, and answers null: what of the name stays
-- in the trail itself. Of somebody who is no member, or is being removed at this moment, nothing is kept. A name that is
-- kept already is not touched, so that two requests of one person never wait for each other.
CREATE FUNCTION identity.note_label(actor uuid, actor_label text) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF actor_label IS NULL OR EXISTS (
    SELECT 1 FROM public.audit_labels l
    WHERE l.tenant_id = public.current_tenant() AND l.actor_id = actor AND l.label = actor_label
  ) THEN
    RETURN NULL;
  END IF;
  PERFORM 1 FROM identity.memberships m
  WHERE m.tenant_id = public.current_tenant() AND m.user_id = actor FOR KEY SHARE;
  IF FOUND THEN
    INSERT INTO public.audit_labels (tenant_id, actor_id, label)
    VALUES (public.current_tenant(), actor, actor_label)
    ON CONFLICT (tenant_id, actor_id) DO UPDATE SET label = EXCLUDED.label;
  END IF;
  RETURN NULL;
END
$$;

-- AlterTable
ALTER TABLE "identity"."memberships" ADD COLUMN     "invitation_id" UUID,
ADD COLUMN     "name" TEXT;

-- CreateIndex
CREATE UNIQUE INDEX "memberships_invitation_id_key" ON "identity"."memberships"("invitation_id");

-- What administrators change of people, roles and settings happens one after another within a tenant, so that what was
-- checked (somebody else is still an admin, nobody has this role) holds until it is committed.
CREATE FUNCTION identity.lock_tenant() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM 1 FROM identity.tenants t WHERE t.id = public.current_tenant() FOR NO KEY UPDATE;
END
$$;

-- The members of the connection's tenant as its administrators see them. Of somebody who is invited they see what the
-- invitation says and nothing else: neither the id nor the name nor the second factor that the person may have already.
-- Nobody but the owner may read it, and so the functions below.
CREATE VIEW identity.members AS
  SELECT CASE WHEN m.status = 'invited' THEN COALESCE(m.invitation_id, m.user_id) ELSE m.user_id END AS id,
         m.user_id, m.invitation_id, u.email,
         CASE WHEN m.status = 'invited' THEN m.name ELSE COALESCE(m.name, u.name) END AS name,
         m.role, m.status,
         m.status <> 'invited' AND u.totp_enabled_at IS NOT NULL AS two_factor,
         m.entered_at AS last_login_at, m.created_at
  FROM identity.memberships m
  JOIN identity.users u ON u.id = m.user_id
  WHERE m.tenant_id = public.current_tenant();

-- A page of them, newest first: those after (before_at, before_id).
CREATE FUNCTION identity.list_members(before_at timestamptz, before_id uuid, most int)
RETURNS SETOF identity.members
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT m.* FROM identity.members m
  WHERE before_at IS NULL OR (m.created_at, m.id) < (before_at, before_id)
  ORDER BY m.created_at DESC, m.id DESC
  LIMIT most
$$;

-- The member of that id. Somebody who was invited keeps being found by the id of the invitation.
CREATE FUNCTION identity.find_member(member uuid)
RETURNS SETOF identity.members
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT m.* FROM identity.members m WHERE m.invitation_id = member OR (m.user_id = member AND m.id = member)
$$;

-- Whether somebody other than that person can administer the connection's tenant.
CREATE FUNCTION identity.has_other_admin(than uuid) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT EXISTS (
    SELECT 1 FROM identity.memberships m JOIN identity.users u ON u.id = m.user_id
    WHERE m.tenant_id = public.current_tenant() AND m.user_id <> than
      AND m.role = 'admin' AND m.status = 'active' AND u.disabled_at IS NULL
  )
$$;

-- Invites an address into the connection's tenant. What the caller learns is the same whether or not we knew the person:
-- `new_id` is the id of the member either way. is_new says to the mail alone whether there is an account to sign in to;
-- an address that nobody has confirmed yet counts as none. No row: the person is a member already.
CREATE FUNCTION identity.invite_member(
  new_id uuid, invited_email text, invited_name text, invited_role text, at timestamptz
) RETURNS TABLE (user_id uuid, tenant_name text, is_new boolean)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  -- The update changes nothing: it holds the person fast, so that they are not erased meanwhile.
  INSERT INTO identity.users AS u (id, email, name, created_at) VALUES (new_id, invited_email, invited_name, at)
  ON CONFLICT (email) DO UPDATE SET name = u.name
  RETURNING u.id, u.email_verified_at IS NULL INTO user_id, is_new;
  INSERT INTO identity.memberships AS m (tenant_id, user_id, role, status, name, invitation_id, created_at)
  VALUES (public.current_tenant(), invite_member.user_id, invited_role, 'invited', invited_name,
          NULLIF(new_id, invite_member.user_id), at)
  ON CONFLICT ON CONSTRAINT memberships_pkey DO NOTHING;
  IF FOUND THEN
    SELECT t.name INTO tenant_name FROM identity.tenants t WHERE t.id = public.current_tenant();
    RETURN NEXT;
  END IF;
END
$$;

-- Changes a member; null leaves a thing as it is. A name is the tenant's own unless the person belongs to it alone.
-- Whoever is disabled is signed out: being enabled again does not bring old sessions back.
CREATE FUNCTION identity.change_member(
  of_user uuid, new_name text, new_role text, new_status text, at timestamptz
) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  -- The person before the membership, as whoever accepts an invitation does: in two orders they would wait for each other.
  SELECT FROM identity.users u WHERE u.id = of_user FOR NO KEY UPDATE;
  UPDATE identity.memberships m
  SET name = COALESCE(new_name, m.name), role = COALESCE(new_role, m.role), status = COALESCE(new_status, m.status)
  WHERE m.tenant_id = public.current_tenant() AND m.user_id = of_user;
  UPDATE identity.users u SET name = new_name
  WHERE u.id = of_user AND new_name IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM identity.memberships m WHERE m.user_id = of_user AND m.tenant_id <> public.current_tenant()
  ) AND EXISTS (
    SELECT 1 FROM identity.memberships m WHERE m.user_id = of_user AND m.tenant_id = public.current_tenant()
  );
  UPDATE identity.sessions s SET revoked_at = at
  WHERE s.tenant_id = public.current_tenant() AND s.user_id = of_user AND s.revoked_at IS NULL
    AND new_status = 'disabled';
$$;

-- Removes a member of the connection's tenant with everything of theirs in it: sessions, keys and refresh tokens (by
-- cascade), invitations, federated identities, the name in the audit trail and on scans. Whoever is a member of nothing
-- any more is erased altogether.
CREATE FUNCTION identity.remove_member(of_user uuid) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
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
  IF NOT EXISTS (SELECT 1 FROM identity.memberships m WHERE m.user_id = of_user) THEN
    DELETE FROM identity.saml_identities i WHERE i.user_id = of_user;
    DELETE FROM identity.users u WHERE u.id = of_user;
  END IF;
END
$$;

-- The roles that the connection's tenant has defined.
CREATE FUNCTION identity.custom_roles()
RETURNS TABLE (name text, permissions text[])
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT r.name, r.permissions FROM identity.roles r
  WHERE r.tenant_id = public.current_tenant()
  ORDER BY r.name
$$;

-- No row: there is a role of that name already.
CREATE FUNCTION identity.create_role(role_name text, holds text[]) RETURNS TABLE (name text)
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  INSERT INTO identity.roles AS r (tenant_id, name, permissions) VALUES (public.current_tenant(), role_name, holds)
  ON CONFLICT DO NOTHING
  RETURNING r.name
$$;

-- No row: there is no such role.
CREATE FUNCTION identity.change_role(role_name text, holds text[]) RETURNS TABLE (name text)
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  UPDATE identity.roles r SET permissions = holds
  WHERE r.tenant_id = public.current_tenant() AND r.name = role_name
  RETURNING r.name
$$;

-- What became of it: deleted, in_use (by a member, or as what single sign-on gives to newcomers), or unknown.
CREATE FUNCTION identity.delete_role(role_name text) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF EXISTS (
    SELECT 1 FROM identity.memberships m WHERE m.tenant_id = public.current_tenant() AND m.role = role_name
  ) OR EXISTS (
    SELECT 1 FROM identity.saml_connections c
    WHERE c.tenant_id = public.current_tenant() AND c.default_role = role_name
  ) THEN
    RETURN 'in_use';
  END IF;
  DELETE FROM identity.roles r WHERE r.tenant_id = public.current_tenant() AND r.name = role_name;
  RETURN CASE WHEN FOUND THEN 'deleted' ELSE 'unknown' END;
END
$$;

CREATE FUNCTION identity.this_tenant()
RETURNS TABLE (id uuid, name text, features text[], settings jsonb)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT t.id, t.name, t.features, t.settings FROM identity.tenants t WHERE t.id = public.current_tenant()
$$;

-- Null leaves the name as it is; settings that are not mentioned stay as they are.
CREATE FUNCTION identity.change_tenant(new_name text, new_settings jsonb)
RETURNS TABLE (id uuid, name text, features text[], settings jsonb)
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  UPDATE identity.tenants t SET name = COALESCE(new_name, t.name), settings = t.settings || new_settings
  WHERE t.id = public.current_tenant()
  RETURNING t.id, t.name, t.features, t.settings
$$;
