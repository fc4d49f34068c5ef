-- Functions, views, triggers and row-level-security policies as the migrations leave them.
-- Generated from prisma/migrations by `npm run generate`. Do not edit: change a function in a new migration.


-- Schema cells

CREATE OR REPLACE FUNCTION cells.capture()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET "TimeZone" TO 'UTC'
AS $function$
DECLARE
  old_key jsonb;
  new_key jsonb;
BEGIN
  IF TG_OP <> 'INSERT' THEN EXECUTE 'SELECT ' || TG_ARGV[2] INTO old_key USING OLD; END IF;
  IF TG_OP <> 'DELETE' THEN EXECUTE 'SELECT ' || TG_ARGV[2] INTO new_key USING NEW; END IF;
  INSERT INTO cells.changes (tenant_id, relation, key)
  SELECT TG_ARGV[0]::uuid, TG_ARGV[1], k FROM (
    SELECT old_key AS k WHERE old_key IS NOT NULL AND old_key IS DISTINCT FROM new_key
    UNION ALL SELECT new_key WHERE new_key IS NOT NULL
  ) keys;
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION cells.cell_of(of_tenant uuid)
 RETURNS TABLE(cell text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT p.cell FROM cells.placements p WHERE p.tenant_id = of_tenant
$function$;

CREATE OR REPLACE FUNCTION cells.delivered(entry bigint)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  DELETE FROM cells.outbox o
  WHERE o.id = entry AND (
    o.kind = 'event' OR o.at < now() - interval '2 minutes'
    OR cells.member_since(o.tenant_id, (o.detail ->> 'userId')::uuid) IS NOT NULL
  )
$function$;

CREATE OR REPLACE FUNCTION cells.enter(at_home boolean)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(hashtextextended('cell ' || public.current_tenant()::text, 0));
  RETURN cells.standing(at_home);
END
$function$;

CREATE OR REPLACE FUNCTION cells.erase_member(of_user uuid)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT cells.erase_member(of_user, NULL)
$function$;

CREATE OR REPLACE FUNCTION cells.erase_member(of_user uuid, before timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION cells.forward_event(event jsonb)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  IF cells.enter(true) = 'active' THEN RETURN false; END IF;
  IF octet_length(event::text) > 262144 THEN
    RAISE EXCEPTION 'the event is too large' USING ERRCODE = 'program_limit_exceeded';
  END IF;
  INSERT INTO cells.outbox (tenant_id, kind, detail) VALUES (public.current_tenant(), 'event', event);
  RETURN true;
END
$function$;

CREATE OR REPLACE FUNCTION cells.guard()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  state text;
BEGIN
  IF public.current_tenant() IS NULL OR current_setting('cells.mover', true) = 'on' THEN RETURN NULL; END IF;
  state := cells.enter(TG_ARGV[0] = 'home');
  IF state = 'active' THEN RETURN NULL; END IF;
  -- Changes to identities also erase what the tenant's rows say about a person; elsewhere the outbox does that.
  IF state <> 'fenced' AND TG_OP <> 'INSERT' AND current_setting('cells.directory', true) = 'on' THEN RETURN NULL; END IF;
  RAISE EXCEPTION 'tenant % is %: its rows are in another database or on the way there', public.current_tenant(), state
    USING ERRCODE = 'cannot_connect_now';
END
$function$;

CREATE OR REPLACE FUNCTION cells.lock_tenant()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('lock tenant ' || public.current_tenant()::text, 0));
END
$function$;

CREATE OR REPLACE FUNCTION cells.member_since(in_tenant uuid, of_user uuid)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT m.created_at FROM identity.memberships m WHERE m.tenant_id = in_tenant AND m.user_id = of_user
$function$;

CREATE OR REPLACE FUNCTION cells.note_label(actor uuid, actor_label text)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  IF actor_label IS NULL OR length(actor_label) > 1024 OR EXISTS (
    SELECT 1 FROM public.audit_labels l
    WHERE l.tenant_id = public.current_tenant() AND l.actor_id = actor AND l.label = actor_label
  ) THEN
    RETURN NULL;
  END IF;
  INSERT INTO public.audit_labels (tenant_id, actor_id, label)
  VALUES (public.current_tenant(), actor, actor_label)
  ON CONFLICT (tenant_id, actor_id) DO UPDATE SET label = EXCLUDED.label;
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION cells.note_removal()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  IF EXISTS (SELECT 1 FROM cells.standings s WHERE s.tenant_id = OLD.tenant_id AND s.state <> 'active') THEN
    INSERT INTO cells.outbox (tenant_id, kind, detail)
    VALUES (OLD.tenant_id, 'erasure', jsonb_build_object('userId', OLD.user_id));
  END IF;
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION cells.rebuild_dues(of_tenant uuid, is_here boolean)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  DELETE FROM jobs.schedule_dues d WHERE d.tenant_id = of_tenant;
  DELETE FROM jobs.digest_dues d WHERE d.tenant_id = of_tenant;
  DELETE FROM jobs.webhook_dues d WHERE d.tenant_id = of_tenant;
  DELETE FROM jobs.webhook_failing d WHERE d.tenant_id = of_tenant;
  IF NOT is_here THEN RETURN; END IF;
  INSERT INTO jobs.schedule_dues (tenant_id, schedule_id, due_at)
  SELECT s.tenant_id, s.id, s.next_run_at FROM public.schedules s
  WHERE s.tenant_id = of_tenant AND s.enabled AND s.next_run_at IS NOT NULL;
  INSERT INTO jobs.digest_dues (tenant_id, user_id, due_at)
  SELECT n.tenant_id, n.user_id, n.due_at FROM public.notification_settings n
  WHERE n.tenant_id = of_tenant AND n.due_at IS NOT NULL;
  INSERT INTO jobs.webhook_dues (tenant_id, webhook_id, delivery_id, due_at)
  SELECT d.tenant_id, d.webhook_id, d.id, d.next_attempt_at FROM public.webhook_deliveries d
  WHERE d.tenant_id = of_tenant AND d.status = 'pending' AND d.next_attempt_at IS NOT NULL;
  INSERT INTO jobs.webhook_failing (tenant_id, webhook_id)
  SELECT w.tenant_id, w.id FROM public.webhooks w WHERE w.tenant_id = of_tenant AND w.failing_since IS NOT NULL;
END
$function$;

CREATE OR REPLACE FUNCTION cells.standing(at_home boolean)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT COALESCE(
    (SELECT CASE WHEN s.state = 'fenced' AND s.until <= clock_timestamp() THEN 'active' ELSE s.state END
     FROM cells.standings s WHERE s.tenant_id = public.current_tenant()),
    CASE WHEN at_home THEN 'active' ELSE 'absent' END
  )
$function$;

CREATE OR REPLACE FUNCTION cells.this_tenant()
 RETURNS TABLE(id uuid, name text, features text[], settings jsonb)
 LANGUAGE sql
 STABLE
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT t.id, t.name, t.features, t.settings
  FROM jsonb_to_record(NULLIF(current_setting('cells.tenant', true), '')::jsonb)
    AS t (id uuid, name text, features text[], settings jsonb)
  WHERE t.id = public.current_tenant()
$function$;

CREATE OR REPLACE FUNCTION cells.waiting(most integer)
 RETURNS TABLE(id bigint, tenant_id uuid, kind text, detail jsonb, at timestamp with time zone)
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT o.id, o.tenant_id, o.kind, o.detail, o.at
  FROM (SELECT e.*, row_number() OVER (PARTITION BY e.tenant_id ORDER BY e.id) AS place FROM cells.outbox e) o
  ORDER BY o.place, random() LIMIT LEAST(GREATEST(most, 1), 1000)
$function$;


-- Schema identity

CREATE OR REPLACE FUNCTION identity.accept_invite(token_hash bytea, at timestamp with time zone)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  holder uuid := identity.spend_mail_token(token_hash, 'invitation', at);
BEGIN
  IF holder IS NULL THEN
    RETURN NULL;
  END IF;
  IF NOT EXISTS (SELECT 1 FROM identity.users u WHERE u.id = holder AND u.email_verified_at IS NOT NULL)
    OR NOT identity.activate_membership(holder, at)
  THEN
    UPDATE identity.mail_tokens t SET spent_at = NULL WHERE t.hash = token_hash;
    RETURN NULL;
  END IF;
  RETURN holder;
END
$function$;

CREATE OR REPLACE FUNCTION identity.account_of(of_email text)
 RETURNS TABLE(user_id uuid, verified boolean, disabled boolean, tenant_id uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT u.id, u.email_verified_at IS NOT NULL, u.disabled_at IS NOT NULL, identity.tenant_to_tell(u.id)
  FROM identity.users u
  WHERE u.email = of_email
$function$;

CREATE OR REPLACE FUNCTION identity.account_standing(of_user uuid)
 RETURNS TABLE(proven boolean, has_password boolean, elsewhere boolean)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT u.email_verified_at IS NOT NULL, u.password_hash IS NOT NULL, identity.belongs_elsewhere(u.id)
  FROM identity.users u WHERE u.id = of_user
$function$;

CREATE OR REPLACE FUNCTION identity.activate_membership(of_user uuid, at timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  UPDATE identity.memberships m SET status = 'active', by_provider = false
  WHERE m.tenant_id = public.current_tenant() AND m.user_id = of_user AND m.status = 'invited';
  RETURN FOUND;
END
$function$;

CREATE OR REPLACE FUNCTION identity.active_keys(of_user uuid, at timestamp with time zone)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  tenant CONSTANT uuid := public.current_tenant();
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended(format('keys %s %s', tenant, of_user), 0));
  RETURN (
    SELECT count(*)::int FROM identity.api_keys k
    WHERE k.tenant_id = tenant AND k.user_id = of_user AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > at)
  );
END
$function$;

CREATE OR REPLACE FUNCTION identity.add_domain(new_domain text, new_token text, at timestamp with time zone, most integer)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  PERFORM 1 FROM identity.tenants t WHERE t.id = public.current_tenant() FOR NO KEY UPDATE;
  IF EXISTS (
    SELECT 1 FROM identity.tenant_domains d WHERE d.tenant_id = public.current_tenant() AND d.domain = new_domain
  ) THEN
    RETURN 'exists';
  END IF;
  IF (SELECT count(*) FROM identity.tenant_domains d WHERE d.tenant_id = public.current_tenant()) >= most THEN
    RETURN 'full';
  END IF;
  INSERT INTO identity.tenant_domains (tenant_id, domain, token, created_at)
  VALUES (public.current_tenant(), new_domain, new_token, at);
  RETURN 'added';
END
$function$;

CREATE OR REPLACE FUNCTION identity.admin_addresses()
 RETURNS TABLE(email text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT u.email
  FROM identity.memberships m
  JOIN identity.users u ON u.id = m.user_id
  WHERE m.tenant_id = public.current_tenant() AND m.role = 'admin' AND m.status = 'active'
    AND u.disabled_at IS NULL AND u.email_verified_at IS NOT NULL
  ORDER BY u.email
$function$;

CREATE OR REPLACE FUNCTION identity.admit_by_google(subject text, address text, person_name text, tenant_title text, new_user uuid, at timestamp with time zone, may_register boolean)
 RETURNS TABLE(outcome text, user_id uuid, email text, linked boolean, voided boolean, registered boolean)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  SELECT e.outcome, e.user_id, e.linked, e.voided, e.registered INTO outcome, user_id, linked, voided, registered
  FROM identity.enter_by_google(subject, address, person_name, tenant_title, new_user, at, may_register) e;
  SELECT u.email INTO email FROM identity.users u WHERE u.id = admit_by_google.user_id;
  RETURN NEXT;
END
$function$;

CREATE OR REPLACE FUNCTION identity.admit_by_saml(connection uuid, subject text, address text, person_name text, new_user uuid, at timestamp with time zone, seen_role text, must_confirm boolean, newcomers_allowed boolean)
 RETURNS TABLE(outcome text, user_id uuid, email text, created boolean, linked boolean, voided boolean, member boolean)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  via identity.saml_connections;
  held identity.users;
  joined identity.memberships;
  known uuid;
  proven boolean;
  unproven boolean;
  of_this_tenant_alone boolean;
BEGIN
  created := false; linked := false; voided := false; member := false;
  SELECT c.* INTO via FROM identity.saml_connections c
  WHERE c.id = connection AND c.tenant_id = public.current_tenant() FOR SHARE;
  IF via.id IS NULL THEN
    outcome := 'connection_gone';
    RETURN NEXT; RETURN;
  END IF;
  outcome := 'entered';
  SELECT i.user_id INTO known FROM identity.saml_identities i WHERE i.connection_id = via.id AND i.name_id = subject;

  IF known IS NULL AND NOT EXISTS (SELECT 1 FROM identity.users u WHERE u.email = address) THEN
    IF NOT newcomers_allowed THEN
      outcome := 'default_role';
      RETURN NEXT; RETURN;
    END IF;
    INSERT INTO identity.users (id, email, name, created_at) VALUES (new_user, address, person_name, at)
    ON CONFLICT DO NOTHING;
    created := FOUND;
  END IF;
  SELECT u.* INTO held FROM identity.users u
  WHERE CASE WHEN known IS NULL THEN u.email = address ELSE u.id = known END FOR UPDATE;
  SELECT m.* INTO joined FROM identity.memberships m
  WHERE m.tenant_id = via.tenant_id AND m.user_id = held.id FOR NO KEY UPDATE;
  user_id := held.id;
  email := held.email;
  member := joined.user_id IS NOT NULL;
  proven := identity.has_domain_of(via.tenant_id, held.email);
  -- Nobody proved the address, and no tenant that has proven its domain made the account.
  unproven := held.email_verified_at IS NULL AND proven
    AND NOT EXISTS (
      SELECT 1 FROM identity.saml_identities i JOIN identity.saml_connections c ON c.id = i.connection_id
      WHERE i.user_id = held.id
        AND (c.tenant_id = via.tenant_id OR identity.has_domain_of(c.tenant_id, held.email))
    )
    AND (held.password_hash IS NOT NULL OR NOT EXISTS (
      SELECT 1 FROM identity.memberships m
      WHERE m.user_id = held.id AND m.status = 'active'
        AND (m.tenant_id = via.tenant_id OR identity.has_domain_of(m.tenant_id, held.email))
    ));
  -- Nobody but this tenant's provider ever opened the account.
  -- A password and a tenant that were registered afterwards count for nothing until the address is proven: anybody may
  -- have registered them, and must not shut the person out.
  of_this_tenant_alone := held.email_verified_at IS NULL AND held.google_sub IS NULL
    AND (held.password_hash IS NULL OR identity.is_by_provider(joined))
    AND joined.status = 'active' AND NOT EXISTS (
      SELECT 1 FROM identity.memberships m
      WHERE m.user_id = held.id AND m.tenant_id <> via.tenant_id AND m.status <> 'invited'
        AND (held.password_hash IS NULL OR identity.is_by_provider(m))
    );

  IF joined.role IS DISTINCT FROM seen_role THEN
    outcome := 'changed';
  ELSIF held.disabled_at IS NOT NULL OR joined.status = 'disabled' THEN
    outcome := 'disabled';
  ELSIF NOT created AND NOT proven AND of_this_tenant_alone IS NOT TRUE THEN
    outcome := 'unverified_domain';
  ELSIF NOT created AND joined.status IS DISTINCT FROM 'active' AND unproven IS NOT TRUE THEN
    outcome := 'no_member';
  ELSIF joined.status = 'invited' AND must_confirm THEN
    outcome := 'invited';
  ELSIF joined.user_id IS NULL AND NOT newcomers_allowed THEN
    outcome := 'default_role';
  ELSIF EXISTS (
    SELECT 1 FROM identity.saml_identities i
    WHERE i.connection_id = via.id AND i.user_id = held.id AND i.name_id <> subject
  ) THEN
    outcome := 'linked_to_another';
  ELSIF must_confirm THEN
    outcome := 'confirm';
  END IF;
  IF outcome <> 'entered' THEN
    RETURN NEXT; RETURN;
  END IF;

  IF unproven AND NOT created THEN
    voided := true;
    PERFORM identity.void_unproven(held.id, at);
  END IF;
  INSERT INTO identity.memberships (tenant_id, user_id, role, status, created_at, by_provider)
  VALUES (via.tenant_id, held.id, via.default_role, 'active', at, true)
  ON CONFLICT ON CONSTRAINT memberships_pkey DO UPDATE SET status = 'active';
  INSERT INTO identity.saml_identities (connection_id, name_id, user_id) VALUES (via.id, subject, held.id)
  ON CONFLICT DO NOTHING;
  linked := FOUND;
  RETURN NEXT;
END
$function$;

CREATE OR REPLACE FUNCTION identity.applicant(of_email text)
 RETURNS TABLE(user_id uuid, disabled boolean, only_invited boolean, tenant_id uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT u.id, u.disabled_at IS NOT NULL, identity.is_only_invited(u), identity.tenant_to_tell(u.id)
  FROM identity.users u WHERE u.email = of_email
$function$;

CREATE OR REPLACE FUNCTION identity.authenticate_key(key_public_id text, key_secret_hash bytea, at timestamp with time zone)
 RETURNS TABLE(key_id uuid, expires_at timestamp with time zone, user_id uuid, email text, user_name text, email_verified boolean, two_factor boolean, tenant_id uuid, tenant_name text, features text[], role text, custom_permissions text[])
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT k.id, k.expires_at,
         u.id, u.email, u.name, u.email_verified_at IS NOT NULL, u.totp_enabled_at IS NOT NULL,
         t.id, t.name, t.features,
         m.role, r.permissions
  FROM identity.api_keys k
  JOIN identity.memberships m ON m.tenant_id = k.tenant_id AND m.user_id = k.user_id
  JOIN identity.users u ON u.id = k.user_id
  JOIN identity.tenants t ON t.id = k.tenant_id
  LEFT JOIN identity.roles r ON r.tenant_id = m.tenant_id AND r.name = m.role
  WHERE k.public_id = key_public_id
    AND k.secret_hash = key_secret_hash
    AND k.revoked_at IS NULL
    AND (k.expires_at IS NULL OR k.expires_at > at)
    AND m.status = 'active'
    AND u.disabled_at IS NULL
$function$;

CREATE OR REPLACE FUNCTION identity.authenticate_session(session uuid, session_user_id uuid, session_tenant uuid, at timestamp with time zone)
 RETURNS TABLE(session_id uuid, started_at timestamp with time zone, amr text[], user_id uuid, email text, user_name text, email_verified boolean, two_factor boolean, tenant_id uuid, tenant_name text, features text[], role text, custom_permissions text[])
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT s.id, s.created_at, s.amr,
         u.id, u.email, u.name, u.email_verified_at IS NOT NULL, u.totp_enabled_at IS NOT NULL,
         t.id, t.name, t.features,
         m.role, r.permissions
  FROM identity.sessions s
  JOIN identity.memberships m ON m.tenant_id = s.tenant_id AND m.user_id = s.user_id
  JOIN identity.users u ON u.id = s.user_id
  JOIN identity.tenants t ON t.id = s.tenant_id
  LEFT JOIN identity.roles r ON r.tenant_id = m.tenant_id AND r.name = m.role
  WHERE s.id = session
    AND s.user_id = session_user_id
    AND s.tenant_id = session_tenant
    AND s.revoked_at IS NULL
    AND s.expires_at > at
    AND m.status = 'active'
    AND u.disabled_at IS NULL
$function$;

CREATE OR REPLACE FUNCTION identity.begin_confirmation(code_hash text, token_hash text, ends timestamp with time zone)
 RETURNS boolean
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  WITH spent AS (
    DELETE FROM identity.one_time_values v
    WHERE v.kind = 'unconfirmed_code' AND v.value = code_hash
      AND v.detail->>'tenantId' = public.current_tenant()::text
    RETURNING v.detail
  ), begun AS (
    INSERT INTO identity.one_time_values (kind, value, detail, expires_at)
    SELECT 'saml_confirmation', token_hash, s.detail, ends FROM spent s
    RETURNING 1
  )
  SELECT EXISTS (SELECT 1 FROM begun)
$function$;

CREATE OR REPLACE FUNCTION identity.begin_google(state_hash text, browser_hash text, nonce_hash text, at timestamp with time zone, ends timestamp with time zone)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  DELETE FROM identity.one_time_values v USING (
    SELECT o.kind, o.value FROM identity.one_time_values o WHERE o.expires_at <= identity.not_after_now(at)
    ORDER BY o.expires_at LIMIT 50 FOR UPDATE SKIP LOCKED
  ) gone WHERE v.kind = gone.kind AND v.value = gone.value;
  INSERT INTO identity.one_time_values (kind, value, detail, expires_at)
  VALUES (
    'google_request', state_hash, jsonb_build_object('browser', browser_hash, 'nonce', nonce_hash),
    LEAST(ends, identity.not_after_now(at) + interval '1 hour')
  );
$function$;

CREATE OR REPLACE FUNCTION identity.begin_pending_factor(of_user uuid, sealed bytea, in_session uuid, at timestamp with time zone)
 RETURNS boolean
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  WITH begun AS (
    UPDATE identity.users u
    SET totp_secret = sealed, totp_last_step = NULL, totp_pending_at = at, totp_pending_session = in_session
    WHERE u.id = of_user AND u.totp_enabled_at IS NULL
    RETURNING 1
  )
  SELECT EXISTS (SELECT 1 FROM begun)
$function$;

CREATE OR REPLACE FUNCTION identity.begin_saml(connection uuid, request_id text, at timestamp with time zone, ends timestamp with time zone)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  DELETE FROM identity.one_time_values v USING (
    SELECT o.kind, o.value FROM identity.one_time_values o WHERE o.expires_at <= identity.not_after_now(at)
    ORDER BY o.expires_at LIMIT 50 FOR UPDATE SKIP LOCKED
  ) gone WHERE v.kind = gone.kind AND v.value = gone.value;
  INSERT INTO identity.one_time_values (kind, value, detail, expires_at)
  VALUES ('saml_request', request_id, jsonb_build_object('connectionId', connection), ends);
$function$;

CREATE OR REPLACE FUNCTION identity.begin_saml(connection uuid, request_id text, browser_hash text, at timestamp with time zone, ends timestamp with time zone)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  DELETE FROM identity.one_time_values v USING (
    SELECT o.kind, o.value FROM identity.one_time_values o WHERE o.expires_at <= identity.not_after_now(at)
    ORDER BY o.expires_at LIMIT 50 FOR UPDATE SKIP LOCKED
  ) gone WHERE v.kind = gone.kind AND v.value = gone.value;
  INSERT INTO identity.one_time_values (kind, value, detail, expires_at)
  VALUES ('saml_request', request_id, jsonb_build_object('connectionId', connection, 'browser', browser_hash), ends);
$function$;

CREATE OR REPLACE FUNCTION identity.begin_two_factor(of_user uuid, sealed bytea)
 RETURNS boolean
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  WITH begun AS (
    UPDATE identity.users u SET totp_secret = sealed, totp_last_step = NULL
    WHERE u.id = of_user AND u.totp_enabled_at IS NULL
    RETURNING 1
  )
  SELECT EXISTS (SELECT 1 FROM begun)
$function$;

CREATE OR REPLACE FUNCTION identity.belongs_elsewhere(member uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT EXISTS (
    SELECT 1 FROM identity.memberships m
    WHERE m.user_id = member AND m.tenant_id <> public.current_tenant() AND m.status = 'active'
  )
$function$;

CREATE OR REPLACE FUNCTION identity.change_member(of_user uuid, new_name text, new_role text, new_status text, at timestamp with time zone)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  -- The person before the membership, as whoever accepts an invitation does: in two orders they would wait for each other.
  SELECT FROM identity.users u WHERE u.id = of_user FOR NO KEY UPDATE;
  -- Before the membership, which a sign-in that has spent one of these updates.
  DELETE FROM identity.one_time_values v
  WHERE v.kind IN ('exchange_code', 'unconfirmed_code', 'saml_confirmation')
    AND v.detail->>'tenantId' = public.current_tenant()::text AND v.detail->>'userId' = of_user::text
    AND (new_status = 'disabled' OR (new_role IS NOT NULL AND v.detail ? 'connectionId'));
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
    AND (new_status = 'disabled' OR (new_role IS NOT NULL AND 'saml' = ANY (s.amr)));
  UPDATE identity.api_keys k SET revoked_at = at
  WHERE k.tenant_id = public.current_tenant() AND k.user_id = of_user AND k.revoked_at IS NULL AND k.by_provider
    AND new_role IS NOT NULL AND NOT identity.is_newcomers_role(new_role);
$function$;

CREATE OR REPLACE FUNCTION identity.change_password(of_user uuid, checked_hash text, new_password_hash text, from_session uuid, at timestamp with time zone)
 RETURNS TABLE(is_current boolean, sessions_ended integer)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  present text;
BEGIN
  SELECT u.password_hash INTO present FROM identity.users u WHERE u.id = of_user FOR UPDATE;
  IF NOT EXISTS (
    SELECT 1 FROM identity.sessions s
    WHERE s.id = from_session AND s.user_id = of_user AND s.revoked_at IS NULL
  ) THEN
    RETURN;
  END IF;
  is_current := present IS NOT NULL AND present = checked_hash;
  IF is_current THEN
    SELECT c.sessions_ended INTO sessions_ended
    FROM identity.change_password(of_user, new_password_hash, from_session, at) c;
  END IF;
  RETURN NEXT;
END
$function$;

CREATE OR REPLACE FUNCTION identity.change_password(of_user uuid, new_password_hash text, from_session uuid, at timestamp with time zone)
 RETURNS TABLE(sessions_ended integer)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  PERFORM 1 FROM identity.users u WHERE u.id = of_user FOR UPDATE;
  UPDATE identity.users u SET password_hash = new_password_hash
  WHERE u.id = of_user AND EXISTS (
    SELECT 1 FROM identity.sessions s
    WHERE s.id = from_session AND s.user_id = of_user AND s.revoked_at IS NULL
  );
  IF FOUND THEN
    sessions_ended := identity.shut_out(of_user, from_session, at);
    RETURN NEXT;
  END IF;
END
$function$;

CREATE OR REPLACE FUNCTION identity.change_role(role_name text, holds text[])
 RETURNS TABLE(name text)
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  DELETE FROM identity.one_time_values v
  USING identity.memberships m, identity.roles r
  WHERE v.kind IN ('exchange_code', 'unconfirmed_code', 'saml_confirmation') AND v.detail ? 'connectionId'
    AND v.detail->>'tenantId' = public.current_tenant()::text
    AND m.tenant_id = public.current_tenant() AND m.user_id = (v.detail->>'userId')::uuid AND m.role = role_name
    AND r.tenant_id = m.tenant_id AND r.name = role_name AND NOT holds <@ r.permissions;
  UPDATE identity.sessions s SET revoked_at = now()
  FROM identity.memberships m, identity.roles r
  WHERE s.tenant_id = public.current_tenant() AND s.revoked_at IS NULL AND 'saml' = ANY (s.amr)
    AND m.tenant_id = s.tenant_id AND m.user_id = s.user_id AND m.role = role_name
    AND r.tenant_id = s.tenant_id AND r.name = role_name AND NOT holds <@ r.permissions;
  UPDATE identity.api_keys k SET revoked_at = now()
  FROM identity.memberships m, identity.roles r
  WHERE k.tenant_id = public.current_tenant() AND k.revoked_at IS NULL AND k.by_provider
    AND m.tenant_id = k.tenant_id AND m.user_id = k.user_id AND m.role = role_name
    AND r.tenant_id = k.tenant_id AND r.name = role_name AND NOT holds <@ r.permissions
    AND holds && ARRAY['admin.users', 'admin.settings', 'admin.audit'];
  UPDATE identity.roles r SET permissions = holds
  WHERE r.tenant_id = public.current_tenant() AND r.name = role_name
  RETURNING r.name;
$function$;

CREATE OR REPLACE FUNCTION identity.change_tenant(new_name text, new_settings jsonb)
 RETURNS TABLE(id uuid, name text, features text[], settings jsonb)
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  UPDATE identity.tenants t SET name = COALESCE(new_name, t.name), settings = t.settings || new_settings
  WHERE t.id = public.current_tenant()
  RETURNING t.id, t.name, t.features, t.settings
$function$;

CREATE OR REPLACE FUNCTION identity.complete_confirmation(token_hash text, at timestamp with time zone)
 RETURNS TABLE(user_id uuid, email text, connection_id uuid)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  spent jsonb;
  subject text;
BEGIN
  PERFORM 1 FROM identity.users u
  WHERE u.id = (
    SELECT (v.detail->>'userId')::uuid FROM identity.one_time_values v
    WHERE v.kind = 'saml_confirmation' AND v.value = token_hash
  ) FOR UPDATE;
  DELETE FROM identity.one_time_values v
  WHERE v.kind = 'saml_confirmation' AND v.value = token_hash AND v.expires_at > at
    AND v.detail->>'tenantId' = public.current_tenant()::text
  RETURNING v.detail INTO spent;
  IF spent IS NULL THEN RETURN; END IF;
  subject := spent->>'nameId';
  SELECT u.id, u.email, c.id INTO user_id, email, connection_id
  FROM identity.users u
  JOIN identity.memberships m
    ON m.user_id = u.id AND m.tenant_id = public.current_tenant() AND m.status = 'active'
  JOIN identity.saml_connections c
    ON c.id = (spent->>'connectionId')::uuid AND c.tenant_id = public.current_tenant()
  WHERE u.id = (spent->>'userId')::uuid AND u.disabled_at IS NULL
  FOR UPDATE OF u FOR SHARE OF c;
  IF user_id IS NULL OR EXISTS (
    SELECT 1 FROM identity.saml_identities i
    WHERE i.connection_id = complete_confirmation.connection_id AND (
      (i.user_id = complete_confirmation.user_id AND i.name_id <> subject)
      OR (i.user_id <> complete_confirmation.user_id AND i.name_id = subject)
    )
  ) THEN
    RETURN;
  END IF;
  INSERT INTO identity.saml_identities AS i (connection_id, name_id, user_id, confirmed_at)
  VALUES (complete_confirmation.connection_id, subject, complete_confirmation.user_id, at)
  ON CONFLICT ON CONSTRAINT saml_identities_pkey DO UPDATE SET confirmed_at = at;
  RETURN NEXT;
END
$function$;

CREATE OR REPLACE FUNCTION identity.consume_google(state_hash text, at timestamp with time zone)
 RETURNS boolean
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  WITH spent AS (
    DELETE FROM identity.one_time_values v
    WHERE v.kind = 'google_request' AND v.value = state_hash AND v.expires_at > at
    RETURNING 1
  )
  SELECT EXISTS (SELECT 1 FROM spent)
$function$;

CREATE OR REPLACE FUNCTION identity.consume_saml(connection uuid, request_id text, assertion_id text, at timestamp with time zone, ends timestamp with time zone)
 RETURNS boolean
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  WITH spent AS (
    DELETE FROM identity.one_time_values v
    WHERE v.kind = 'saml_request' AND v.value = request_id AND v.expires_at > at
      AND v.detail->>'connectionId' = connection::text
    RETURNING 1
  ), seen AS (
    INSERT INTO identity.one_time_values (kind, value, detail, expires_at)
    SELECT 'saml_assertion', connection || ' ' || assertion_id, '{}', ends FROM spent
    ON CONFLICT DO NOTHING
    RETURNING 1
  )
  SELECT EXISTS (SELECT 1 FROM seen)
$function$;

CREATE OR REPLACE FUNCTION identity.create_key(new_id uuid, new_public_id text, for_user uuid, key_name text, new_secret_hash bytea, at timestamp with time zone, key_end timestamp with time zone)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  INSERT INTO identity.api_keys (id, public_id, tenant_id, user_id, name, secret_hash, created_at, expires_at)
  VALUES (new_id, new_public_id, public.current_tenant(), for_user, key_name, new_secret_hash, at, key_end)
$function$;

CREATE OR REPLACE FUNCTION identity.create_role(role_name text, holds text[])
 RETURNS TABLE(name text)
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  INSERT INTO identity.roles AS r (tenant_id, name, permissions) VALUES (public.current_tenant(), role_name, holds)
  ON CONFLICT DO NOTHING
  RETURNING r.name
$function$;

CREATE OR REPLACE FUNCTION identity.create_session_key(new_id uuid, new_public_id text, for_user uuid, key_name text, new_secret_hash bytea, at timestamp with time zone, key_end timestamp with time zone, in_provider_session boolean)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  INSERT INTO identity.api_keys
    (id, public_id, tenant_id, user_id, name, secret_hash, created_at, expires_at, by_provider)
  VALUES (new_id, new_public_id, public.current_tenant(), for_user, key_name, new_secret_hash, at, key_end, in_provider_session)
$function$;

CREATE OR REPLACE FUNCTION identity.custom_roles()
 RETURNS TABLE(name text, permissions text[])
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT r.name, r.permissions FROM identity.roles r
  WHERE r.tenant_id = public.current_tenant()
  ORDER BY r.name
$function$;

CREATE OR REPLACE FUNCTION identity.database_time(at timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT now()
$function$;

CREATE OR REPLACE FUNCTION identity.delete_exchange_codes(of_user uuid, in_tenant uuid)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  DELETE FROM identity.one_time_values v
  WHERE v.kind IN ('exchange_code', 'unconfirmed_code') AND v.detail->>'userId' = of_user::text
    AND (in_tenant IS NULL OR v.detail->>'tenantId' = in_tenant::text);
$function$;

CREATE OR REPLACE FUNCTION identity.delete_role(role_name text)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION identity.delete_saml_settings()
 RETURNS TABLE(id uuid)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  PERFORM 1 FROM identity.tenants t WHERE t.id = public.current_tenant() FOR NO KEY UPDATE;
  PERFORM 1 FROM identity.saml_connections c WHERE c.tenant_id = public.current_tenant() FOR UPDATE;
  IF NOT FOUND THEN RETURN; END IF;
  PERFORM identity.revoke_saml_access(now());
  RETURN QUERY DELETE FROM identity.saml_connections c WHERE c.tenant_id = public.current_tenant() RETURNING c.id;
END
$function$;

CREATE OR REPLACE FUNCTION identity.digest_recipient(member uuid)
 RETURNS TABLE(tenant_id uuid, tenant_name text, features text[], role text, custom_permissions text[], email text, is_active boolean)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT c.tenant_id, c.tenant_name, c.features, c.role, c.custom_permissions, c.email,
         c.is_active AND u.email_verified_at IS NOT NULL
  FROM identity.schedule_creator(member) c
  JOIN identity.users u ON u.id = member
$function$;

CREATE OR REPLACE FUNCTION identity.disable_two_factor(of_user uuid)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  UPDATE identity.users u SET totp_secret = NULL, totp_enabled_at = NULL, totp_last_step = NULL WHERE u.id = of_user;
  DELETE FROM identity.recovery_codes r WHERE r.user_id = of_user;
  UPDATE identity.sessions s SET amr = array_remove(s.amr, 'otp') WHERE s.user_id = of_user AND 'otp' = ANY (s.amr);
$function$;

CREATE OR REPLACE FUNCTION identity.enable_pending_factor(of_user uuid, sealed bytea, step bigint, hashes bytea[], at timestamp with time zone, in_session uuid, since timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  PERFORM 1 FROM identity.users u WHERE u.id = of_user FOR UPDATE;
  IF NOT identity.has_pending_factor(of_user, in_session, since) THEN RETURN false; END IF;
  RETURN identity.enable_two_factor(of_user, sealed, step, hashes, at);
END
$function$;

CREATE OR REPLACE FUNCTION identity.enable_two_factor(of_user uuid, sealed bytea, step bigint, hashes bytea[], at timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  UPDATE identity.users u SET totp_enabled_at = at, totp_last_step = step
  WHERE u.id = of_user AND u.totp_enabled_at IS NULL AND u.totp_secret = sealed;
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM identity.replace_recovery_codes(of_user, hashes);
  RETURN true;
END
$function$;

CREATE OR REPLACE FUNCTION identity.end_membership(of_user uuid, in_tenant uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION identity.end_session(refresh_hash bytea, at timestamp with time zone)
 RETURNS TABLE(session_id uuid)
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  UPDATE identity.sessions s SET revoked_at = at
  FROM identity.refresh_tokens r
  WHERE r.hash = refresh_hash AND s.id = r.session_id AND s.revoked_at IS NULL
  RETURNING s.id
$function$;

CREATE OR REPLACE FUNCTION identity.ends_at_proof(held identity.memberships)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT identity.is_by_provider(held) AND EXISTS (
    SELECT 1 FROM identity.users u
    WHERE u.id = held.user_id AND u.email_verified_at IS NULL AND NOT identity.has_domain_of(held.tenant_id, u.email)
  )
$function$;

CREATE OR REPLACE FUNCTION identity.enter_break_glass(of_key bytea, at timestamp with time zone, ends timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  present timestamptz := identity.not_after_now(at);
  fixed timestamptz;
BEGIN
  SELECT w.ends_at INTO fixed FROM identity.break_glass_windows w WHERE w.key_hash = of_key;
  IF fixed IS NULL THEN
    INSERT INTO identity.break_glass_windows (key_hash, opened_at, ends_at)
    VALUES (of_key, present, LEAST(ends, present + interval '1 day'))
    ON CONFLICT (key_hash) DO NOTHING;
    SELECT w.ends_at INTO fixed FROM identity.break_glass_windows w WHERE w.key_hash = of_key;
  END IF;
  RETURN fixed;
END
$function$;

CREATE OR REPLACE FUNCTION identity.enter_by_google(subject text, address text, person_name text, tenant_title text, new_user uuid, at timestamp with time zone, may_register boolean)
 RETURNS TABLE(outcome text, user_id uuid, linked boolean, voided boolean, registered boolean)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  held identity.users;
  entering uuid := public.current_tenant();
BEGIN
  linked := false; voided := false; registered := false;
  SELECT u.* INTO held FROM identity.users u WHERE u.google_sub = subject FOR UPDATE;
  IF held.id IS NULL THEN
    linked := true;
    IF may_register THEN
      INSERT INTO identity.users (id, email, name, email_verified_at, google_sub, created_at)
      VALUES (new_user, address, person_name, at, subject, at)
      ON CONFLICT DO NOTHING;
    END IF;
    SELECT u.* INTO held FROM identity.users u WHERE u.email = address FOR UPDATE;
  END IF;
  user_id := held.id;
  IF held.id IS NULL THEN
    outcome := 'closed';
    RETURN NEXT; RETURN;
  END IF;
  IF held.disabled_at IS NOT NULL OR (held.google_sub IS NOT NULL AND held.google_sub <> subject) THEN
    outcome := 'refused';
    RETURN NEXT; RETURN;
  END IF;

  IF held.email_verified_at IS NULL THEN
    voided := true;
    PERFORM identity.void_unproven(held.id, at);
    UPDATE identity.users u SET email_verified_at = at, name = COALESCE(person_name, u.name) WHERE u.id = held.id;
  END IF;
  UPDATE identity.users u SET google_sub = subject WHERE u.id = held.id AND u.google_sub IS NULL;

  IF EXISTS (
    SELECT 1 FROM identity.memberships m
    WHERE m.tenant_id = entering AND m.user_id = held.id AND m.status = 'active'
  ) THEN
    outcome := 'entered';
  ELSIF EXISTS (SELECT 1 FROM identity.tenants t WHERE t.id = entering) OR EXISTS (
    SELECT 1 FROM identity.memberships m WHERE m.user_id = held.id AND m.status = 'active'
  ) THEN
    outcome := 'again';
  ELSIF may_register THEN
    INSERT INTO identity.tenants (id, name, features, created_at) VALUES (entering, tenant_title, '{}', at);
    INSERT INTO identity.memberships (tenant_id, user_id, role, status, created_at)
    VALUES (entering, held.id, 'admin', 'active', at);
    registered := true;
    outcome := 'entered';
  ELSE
    outcome := 'closed';
  END IF;
  RETURN NEXT;
END
$function$;

CREATE OR REPLACE FUNCTION identity.enter_by_saml(connection uuid, subject text, address text, person_name text, new_user uuid, at timestamp with time zone)
 RETURNS TABLE(outcome text, user_id uuid, email text, created boolean, linked boolean, voided boolean)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  via identity.saml_connections;
  held identity.users;
  member identity.memberships;
  known uuid;
  unproven boolean;
BEGIN
  created := false; linked := false; voided := false;
  SELECT c.* INTO via FROM identity.saml_connections c
  WHERE c.id = connection AND c.tenant_id = public.current_tenant() FOR SHARE;
  IF via.id IS NULL THEN
    outcome := 'connection_gone';
    RETURN NEXT; RETURN;
  END IF;
  outcome := 'entered';
  SELECT i.user_id INTO known FROM identity.saml_identities i WHERE i.connection_id = via.id AND i.name_id = subject;

  IF known IS NULL AND NOT EXISTS (SELECT 1 FROM identity.users u WHERE u.email = address) THEN
    IF NOT identity.is_newcomers_role(via.default_role) THEN
      outcome := 'default_role';
      RETURN NEXT; RETURN;
    END IF;
    INSERT INTO identity.users (id, email, name, created_at) VALUES (new_user, address, person_name, at)
    ON CONFLICT DO NOTHING;
    created := FOUND;
  END IF;
  SELECT u.* INTO held FROM identity.users u
  WHERE CASE WHEN known IS NULL THEN u.email = address ELSE u.id = known END FOR UPDATE;
  SELECT m.* INTO member FROM identity.memberships m
  WHERE m.tenant_id = via.tenant_id AND m.user_id = held.id FOR UPDATE;
  user_id := held.id;
  email := held.email;
  unproven := held.id IS NOT NULL AND held.email_verified_at IS NULL
    AND NOT EXISTS (SELECT 1 FROM identity.saml_identities i WHERE i.user_id = held.id)
    AND (held.password_hash IS NOT NULL OR NOT EXISTS (
      SELECT 1 FROM identity.memberships m WHERE m.user_id = held.id AND m.status = 'active'
    ));

  IF held.disabled_at IS NOT NULL OR member.status = 'disabled' THEN
    outcome := 'disabled';
  ELSIF member.status IS DISTINCT FROM 'active' AND unproven IS NOT TRUE THEN
    outcome := 'no_member';
  ELSIF member.user_id IS NULL AND NOT identity.is_newcomers_role(via.default_role) THEN
    outcome := 'default_role';
  ELSIF EXISTS (
    SELECT 1 FROM identity.saml_identities i
    WHERE i.connection_id = via.id AND i.user_id = held.id AND i.name_id <> subject
  ) THEN
    outcome := 'linked_to_another';
  END IF;
  IF outcome <> 'entered' THEN
    RETURN NEXT; RETURN;
  END IF;

  IF unproven AND NOT created THEN
    voided := true;
    PERFORM identity.void_unproven(held.id, at);
  END IF;
  INSERT INTO identity.memberships (tenant_id, user_id, role, status, created_at)
  VALUES (via.tenant_id, held.id, via.default_role, 'active', at)
  ON CONFLICT ON CONSTRAINT memberships_pkey DO UPDATE SET status = 'active';
  INSERT INTO identity.saml_identities (connection_id, name_id, user_id) VALUES (via.id, subject, held.id)
  ON CONFLICT DO NOTHING;
  linked := FOUND;
  RETURN NEXT;
END
$function$;

CREATE OR REPLACE FUNCTION identity.exchange_code_tenant(code_hash text, at timestamp with time zone)
 RETURNS TABLE(tenant_id uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT (v.detail->>'tenantId')::uuid FROM identity.one_time_values v
  WHERE v.kind = 'exchange_code' AND v.value = code_hash AND v.expires_at > at
$function$;

CREATE OR REPLACE FUNCTION identity.find_google(subject text, address text)
 RETURNS TABLE(user_id uuid, tenant_id uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT u.id, entered.tenant_id
  FROM identity.users u
  LEFT JOIN LATERAL (
    SELECT m.tenant_id FROM identity.memberships m
    WHERE m.user_id = u.id AND m.status = 'active' AND NOT identity.ends_at_proof(m)
    ORDER BY m.entered_at DESC NULLS LAST, m.created_at, m.tenant_id
    LIMIT 1
  ) entered ON true
  WHERE u.google_sub = subject OR u.email = address
  ORDER BY (u.google_sub = subject) DESC NULLS LAST
  LIMIT 1
$function$;

CREATE OR REPLACE FUNCTION identity.find_login(login_email text, in_tenant uuid)
 RETURNS TABLE(user_id uuid, password_hash text, may_sign_in boolean, two_factor boolean, tenant_id uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT u.id, u.password_hash, u.disabled_at IS NULL AND u.email_verified_at IS NOT NULL,
         u.totp_enabled_at IS NOT NULL, entered.tenant_id
  FROM identity.users u
  LEFT JOIN LATERAL (
    SELECT m.tenant_id FROM identity.memberships m
    WHERE m.user_id = u.id AND m.status = 'active' AND (in_tenant IS NULL OR m.tenant_id = in_tenant)
      AND NOT identity.ends_at_proof(m)
    ORDER BY m.entered_at DESC NULLS LAST, m.created_at, m.tenant_id
    LIMIT 1
  ) entered ON true
  WHERE u.email = login_email
$function$;

CREATE OR REPLACE FUNCTION identity.find_member(member uuid)
 RETURNS SETOF identity.members
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT m.* FROM identity.members m WHERE m.invitation_id = member OR (m.user_id = member AND m.id = member)
$function$;

CREATE OR REPLACE FUNCTION identity.find_tenant(named uuid)
 RETURNS TABLE(tenant_id uuid, tenant_name text, features text[])
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT t.id, t.name, t.features FROM identity.tenants t WHERE t.id = named
$function$;

CREATE OR REPLACE FUNCTION identity.google_request(state_hash text, at timestamp with time zone)
 RETURNS TABLE(browser_hash text, nonce_hash text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT v.detail->>'browser', v.detail->>'nonce' FROM identity.one_time_values v
  WHERE v.kind = 'google_request' AND v.value = state_hash AND v.expires_at > at
$function$;

CREATE OR REPLACE FUNCTION identity.has_domain_of(in_tenant uuid, address text)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT EXISTS (
    SELECT 1 FROM identity.tenant_domains d
    WHERE d.tenant_id = in_tenant AND d.domain = lower(regexp_replace(address, '^.*@', ''))
      AND d.verified_at IS NOT NULL
  )
$function$;

CREATE OR REPLACE FUNCTION identity.has_other_admin(than uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT EXISTS (
    SELECT 1 FROM identity.memberships m JOIN identity.users u ON u.id = m.user_id
    WHERE m.tenant_id = public.current_tenant() AND m.user_id <> than
      AND m.role = 'admin' AND m.status = 'active' AND u.disabled_at IS NULL AND NOT identity.ends_at_proof(m)
  )
$function$;

CREATE OR REPLACE FUNCTION identity.has_pending_factor(of_user uuid, in_session uuid, since timestamp with time zone)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT EXISTS (
    SELECT 1 FROM identity.users u
    WHERE u.id = of_user AND u.totp_secret IS NOT NULL AND u.totp_enabled_at IS NULL
      AND u.totp_pending_session = in_session AND u.totp_pending_at > since
  )
$function$;

CREATE OR REPLACE FUNCTION identity.has_saml()
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT EXISTS (SELECT 1 FROM identity.saml_connections c WHERE identity.has_sso(c.tenant_id))
$function$;

CREATE OR REPLACE FUNCTION identity.has_sso(in_tenant uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT EXISTS (SELECT 1 FROM identity.tenants t WHERE t.id = in_tenant AND 'sso' = ANY (t.features))
$function$;

CREATE OR REPLACE FUNCTION identity.hold_active_member(of_user uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  PERFORM 1 FROM identity.memberships m
  WHERE m.tenant_id = public.current_tenant() AND m.user_id = of_user AND m.status = 'active' FOR NO KEY UPDATE;
  RETURN FOUND;
END
$function$;

CREATE OR REPLACE FUNCTION identity.hold_member(of_user uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  PERFORM 1 FROM identity.memberships m
  WHERE m.tenant_id = public.current_tenant() AND m.user_id = of_user FOR KEY SHARE;
  RETURN FOUND;
END
$function$;

CREATE OR REPLACE FUNCTION identity.hold_person_of(session uuid, of_user uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  PERFORM 1 FROM identity.users u WHERE u.id = of_user FOR UPDATE;
  RETURN EXISTS (
    SELECT 1 FROM identity.sessions s WHERE s.id = session AND s.user_id = of_user AND s.revoked_at IS NULL
  );
END
$function$;

CREATE OR REPLACE FUNCTION identity.hold_session(session uuid, of_user uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  IF NOT identity.hold_member(of_user) THEN RETURN false; END IF;
  PERFORM 1 FROM identity.sessions s
  WHERE s.id = session AND s.user_id = of_user AND s.revoked_at IS NULL FOR SHARE;
  RETURN FOUND;
END
$function$;

CREATE OR REPLACE FUNCTION identity.invite_member(new_id uuid, invited_email text, invited_name text, invited_role text, at timestamp with time zone)
 RETURNS TABLE(user_id uuid, tenant_name text, is_new boolean)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION identity.is_by_provider(held identity.memberships)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT held.status <> 'invited' AND COALESCE(
    held.by_provider,
    held.created_at <> (SELECT t.created_at FROM identity.tenants t WHERE t.id = held.tenant_id)
  )
$function$;

CREATE OR REPLACE FUNCTION identity.is_newcomers_role(role_name text)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT role_name IN ('analyst', 'viewer', 'legacy') OR EXISTS (
    SELECT 1 FROM identity.roles r
    WHERE r.tenant_id = public.current_tenant() AND r.name = role_name
      AND NOT r.permissions && ARRAY['admin.users', 'admin.settings', 'admin.audit']
  )
$function$;

CREATE OR REPLACE FUNCTION identity.is_only_invited(held identity.users)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT held.email_verified_at IS NULL AND held.password_hash IS NULL AND held.google_sub IS NULL AND held.disabled_at IS NULL
    AND NOT EXISTS (
      SELECT 1 FROM identity.memberships m
      WHERE m.user_id = held.id AND m.status <> 'invited' AND NOT identity.ends_at_proof(m)
    )
$function$;

CREATE OR REPLACE FUNCTION identity.is_provider_key(of_key uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT EXISTS (SELECT 1 FROM identity.api_keys k WHERE k.id = of_key AND k.by_provider)
$function$;

CREATE OR REPLACE FUNCTION identity.issue_exchange_code(code_hash text, browser_hash text, via_connection uuid, for_user uuid, methods text[], ends timestamp with time zone)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  INSERT INTO identity.one_time_values (kind, value, detail, expires_at)
  VALUES ('exchange_code', code_hash, jsonb_build_object(
    'tenantId', public.current_tenant(), 'connectionId', via_connection, 'userId', for_user, 'amr', methods,
    'browser', browser_hash
  ), ends)
$function$;

CREATE OR REPLACE FUNCTION identity.issue_exchange_code(code_hash text, via_connection uuid, for_user uuid, methods text[], ends timestamp with time zone)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  INSERT INTO identity.one_time_values (kind, value, detail, expires_at)
  VALUES ('exchange_code', code_hash, jsonb_build_object(
    'tenantId', public.current_tenant(), 'connectionId', via_connection, 'userId', for_user, 'amr', methods
  ), ends)
$function$;

CREATE OR REPLACE FUNCTION identity.issue_google_code(code_hash text, browser_hash text, subject text, for_user uuid, methods text[], ends timestamp with time zone)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  INSERT INTO identity.one_time_values (kind, value, detail, expires_at)
  VALUES ('exchange_code', code_hash, jsonb_build_object(
    'tenantId', public.current_tenant(), 'googleSub', subject, 'userId', for_user, 'amr', methods,
    'browser', browser_hash
  ), ends)
$function$;

CREATE OR REPLACE FUNCTION identity.issue_mail_token(token_hash bytea, for_purpose text, for_user uuid, to_email text, token_end timestamp with time zone)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  INSERT INTO identity.mail_tokens (hash, purpose, user_id, tenant_id, email, expires_at)
  SELECT token_hash, for_purpose, u.id,
         CASE WHEN for_purpose = 'invitation' THEN public.current_tenant() END, u.email, token_end
  FROM identity.users u
  WHERE u.id = for_user AND u.email = to_email
  FOR KEY SHARE OF u
$function$;

CREATE OR REPLACE FUNCTION identity.limit_session(code_hash text, ends timestamp with time zone)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  UPDATE identity.one_time_values v SET detail = v.detail || jsonb_build_object('sessionEnds', ends)
  WHERE v.kind IN ('exchange_code', 'unconfirmed_code') AND v.value = code_hash
    AND v.detail->>'tenantId' = public.current_tenant()::text
$function$;

CREATE OR REPLACE FUNCTION identity.list_domains()
 RETURNS TABLE(domain text, token text, created_at timestamp with time zone, verified_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT d.domain, d.token, d.created_at, d.verified_at FROM identity.tenant_domains d
  WHERE d.tenant_id = public.current_tenant() ORDER BY d.created_at DESC, d.domain
$function$;

CREATE OR REPLACE FUNCTION identity.list_keys(of_user uuid, before uuid, most integer)
 RETURNS TABLE(id uuid, public_id text, user_id uuid, name text, created_at timestamp with time zone, expires_at timestamp with time zone, last_used_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT k.id, k.public_id, k.user_id, k.name, k.created_at, k.expires_at, k.last_used_at
  FROM identity.api_keys k
  WHERE k.tenant_id = public.current_tenant() AND k.user_id = of_user AND k.revoked_at IS NULL
    AND (before IS NULL OR k.id < before)
  ORDER BY k.id DESC
  LIMIT LEAST(most, 1000)
$function$;

CREATE OR REPLACE FUNCTION identity.list_members(before_at timestamp with time zone, before_id uuid, most integer)
 RETURNS SETOF identity.members
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT m.* FROM identity.members m
  WHERE before_at IS NULL OR (m.created_at, m.id) < (before_at, before_id)
  ORDER BY m.created_at DESC, m.id DESC
  LIMIT LEAST(most, 1000)
$function$;

CREATE OR REPLACE FUNCTION identity.list_sessions(of_user uuid, in_tenant uuid, before uuid, most integer, at timestamp with time zone)
 RETURNS TABLE(id uuid, tenant_id uuid, amr text[], created_at timestamp with time zone, last_used_at timestamp with time zone, expires_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT s.id, s.tenant_id, s.amr, s.created_at, newest.issued_at, newest.expires_at
  FROM identity.sessions s
  JOIN identity.memberships m ON m.tenant_id = s.tenant_id AND m.user_id = s.user_id AND m.status = 'active'
  CROSS JOIN LATERAL (
    SELECT r.issued_at, r.expires_at FROM identity.refresh_tokens r
    WHERE r.session_id = s.id ORDER BY r.issued_at DESC LIMIT 1
  ) newest
  WHERE s.user_id = of_user AND s.revoked_at IS NULL AND newest.expires_at > at
    AND (in_tenant IS NULL OR s.tenant_id = in_tenant)
    AND (before IS NULL OR s.id < before)
  ORDER BY s.id DESC
  LIMIT most
$function$;

CREATE OR REPLACE FUNCTION identity.lock_tenant()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  PERFORM 1 FROM identity.tenants t WHERE t.id = public.current_tenant() FOR NO KEY UPDATE;
END
$function$;

CREATE OR REPLACE FUNCTION identity.mail_token_holder(token_hash bytea, purposes text[], at timestamp with time zone)
 RETURNS TABLE(purpose text, user_id uuid, email text, user_name text, verified boolean, tenant_id uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT t.purpose, u.id, u.email, u.name, u.email_verified_at IS NOT NULL,
         COALESCE(t.tenant_id, identity.tenant_to_tell(u.id))
  FROM identity.mail_tokens t
  JOIN identity.users u ON u.id = t.user_id AND u.email = t.email
  WHERE t.hash = token_hash AND t.purpose = ANY (purposes)
    AND t.spent_at IS NULL AND t.expires_at > at
    AND u.disabled_at IS NULL
$function$;

CREATE OR REPLACE FUNCTION identity.membership_of(member uuid, in_tenant uuid)
 RETURNS TABLE(tenant_id uuid, tenant_name text, features text[], role text, custom_permissions text[])
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT t.id, t.name, t.features, m.role, r.permissions
  FROM identity.memberships m
  JOIN identity.tenants t ON t.id = m.tenant_id
  LEFT JOIN identity.roles r ON r.tenant_id = m.tenant_id AND r.name = m.role
  WHERE m.user_id = member AND m.tenant_id = in_tenant AND m.status = 'active'
$function$;

CREATE OR REPLACE FUNCTION identity.memberships_of(member uuid)
 RETURNS TABLE(tenant_id uuid, tenant_name text, role text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT t.id, t.name, m.role
  FROM identity.memberships m
  JOIN identity.tenants t ON t.id = m.tenant_id
  WHERE m.user_id = member AND m.status = 'active'
  ORDER BY m.created_at, t.id
$function$;

CREATE OR REPLACE FUNCTION identity.name_only_members()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION identity.not_after_now(at timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT LEAST(at, now() + interval '5 minutes')
$function$;

CREATE OR REPLACE FUNCTION identity.note_confirmation_mail(token_hash text, new_mail_hash text, at timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  UPDATE identity.one_time_values v SET detail = v.detail || jsonb_build_object('mailHash', new_mail_hash)
  WHERE v.kind = 'saml_confirmation' AND v.value = token_hash AND v.expires_at > at
    AND v.detail->>'tenantId' = public.current_tenant()::text;
  RETURN FOUND;
END
$function$;

CREATE OR REPLACE FUNCTION identity.note_label(actor uuid, actor_label text)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION identity.only_of_members()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION identity.open_session(new_session uuid, for_user uuid, methods text[], refresh_hash bytea, at timestamp with time zone, session_end timestamp with time zone, refresh_end timestamp with time zone)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  UPDATE identity.memberships m SET entered_at = at
  WHERE m.tenant_id = public.current_tenant() AND m.user_id = for_user;
  INSERT INTO identity.sessions (id, tenant_id, user_id, amr, created_at, expires_at)
  VALUES (new_session, public.current_tenant(), for_user, methods, at, session_end);
  INSERT INTO identity.refresh_tokens (hash, session_id, issued_at, expires_at)
  VALUES (refresh_hash, new_session, at, refresh_end);
$function$;

CREATE OR REPLACE FUNCTION identity.password_of(of_user uuid)
 RETURNS TABLE(password_hash text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT u.password_hash FROM identity.users u WHERE u.id = of_user
$function$;

CREATE OR REPLACE FUNCTION identity.put_saml_connection(new_id uuid, idp_entity_id text, idp_sso_url text, idp_certificates text[], domains text[], newcomers_role text, at timestamp with time zone, vouched text[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  PERFORM identity.put_saml_settings(
    new_id, idp_entity_id, idp_sso_url, idp_certificates, domains, newcomers_role, at
  );
  UPDATE identity.saml_connections c SET vouches = vouched
  WHERE c.tenant_id = public.current_tenant() AND c.id = new_id;
END
$function$;

CREATE OR REPLACE FUNCTION identity.put_saml_settings(new_id uuid, idp_entity_id text, idp_sso_url text, idp_certificates text[], domains text[], newcomers_role text, at timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  PERFORM 1 FROM identity.tenants t WHERE t.id = public.current_tenant() FOR NO KEY UPDATE;
  PERFORM 1 FROM identity.saml_connections c WHERE c.tenant_id = public.current_tenant() FOR UPDATE;
  IF EXISTS (
    SELECT 1 FROM identity.saml_connections c
    WHERE c.tenant_id = public.current_tenant() AND NOT (
      c.entity_id = idp_entity_id AND c.sso_url = idp_sso_url AND c.certificates && idp_certificates
    )
  ) THEN
    PERFORM identity.revoke_saml_access(at);
  END IF;
  DELETE FROM identity.saml_connections c WHERE c.tenant_id = public.current_tenant();
  INSERT INTO identity.saml_connections
    (tenant_id, id, entity_id, sso_url, certificates, email_domains, default_role, created_at)
  VALUES (public.current_tenant(), new_id, idp_entity_id, idp_sso_url, idp_certificates, domains, newcomers_role, at);
END
$function$;

CREATE OR REPLACE FUNCTION identity.raise_session(session uuid, of_user uuid, method text, refresh_hash bytea, at timestamp with time zone, refresh_end timestamp with time zone)
 RETURNS TABLE(amr text[])
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  held identity.sessions;
  present timestamptz := identity.database_time(at);
BEGIN
  UPDATE identity.sessions s SET amr = array_append(array_remove(s.amr, method), method)
  WHERE s.id = session AND s.user_id = of_user AND s.revoked_at IS NULL AND s.expires_at > at
  RETURNING s.* INTO held;
  IF NOT FOUND THEN RETURN; END IF;
  UPDATE identity.refresh_tokens r SET spent_at = present WHERE r.session_id = session AND r.spent_at IS NULL;
  INSERT INTO identity.refresh_tokens (hash, session_id, issued_at, expires_at)
  VALUES (refresh_hash, session, present, LEAST(refresh_end, held.expires_at));
  RETURN QUERY SELECT held.amr;
END
$function$;

CREATE OR REPLACE FUNCTION identity.redeem_exchange_code(code_hash text, at timestamp with time zone)
 RETURNS TABLE(user_id uuid, email text, amr text[])
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT FROM identity.tenants t WHERE t.id = public.current_tenant() FOR SHARE;
  WITH spent AS (
    DELETE FROM identity.one_time_values v
    WHERE v.kind = 'exchange_code' AND v.value = code_hash AND v.expires_at > at
      AND v.detail->>'tenantId' = public.current_tenant()::text
    RETURNING v.detail
  )
  SELECT u.id, u.email, ARRAY(SELECT jsonb_array_elements_text(s.detail->'amr'))
  FROM spent s
  JOIN identity.users u ON u.id = (s.detail->>'userId')::uuid AND u.disabled_at IS NULL
  JOIN identity.memberships m
    ON m.user_id = u.id AND m.tenant_id = public.current_tenant() AND m.status = 'active'
  JOIN identity.saml_connections c ON c.id = (s.detail->>'connectionId')::uuid AND identity.has_sso(c.tenant_id)
$function$;

CREATE OR REPLACE FUNCTION identity.redeem_exchange_code(code_hash text, browser_hash text, at timestamp with time zone)
 RETURNS TABLE(user_id uuid, email text, amr text[])
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  -- Locked before the code, as by the command that withdraws the feature: the code then opens no session, or one that the
  -- command ends.
  SELECT FROM identity.tenants t WHERE t.id = public.current_tenant() FOR SHARE;
  -- And the person, as by a sign-in that voids the code, which holds the membership that the session needs.
  SELECT FROM identity.users u
  WHERE u.id = (
    SELECT (v.detail->>'userId')::uuid FROM identity.one_time_values v
    WHERE v.kind = 'exchange_code' AND v.value = code_hash
  ) FOR KEY SHARE;
  WITH spent AS (
    DELETE FROM identity.one_time_values v
    WHERE v.kind = 'exchange_code' AND v.value = code_hash AND v.expires_at > at
      AND v.detail->>'tenantId' = public.current_tenant()::text
      AND v.detail->>'browser' = browser_hash
    RETURNING v.detail
  ), unconfirmed AS (
    -- Locked, because the removal of expired values could otherwise delete it before the confirmation begins.
    SELECT 1 FROM identity.one_time_values v
    WHERE v.kind = 'unconfirmed_code' AND v.value = code_hash
      AND v.detail->>'tenantId' = public.current_tenant()::text
    FOR UPDATE
  )
  SELECT u.id, u.email, ARRAY(SELECT jsonb_array_elements_text(s.detail->'amr'))
  FROM spent s
  JOIN identity.users u ON u.id = (s.detail->>'userId')::uuid AND u.disabled_at IS NULL
  JOIN identity.memberships m
    ON m.user_id = u.id AND m.tenant_id = public.current_tenant() AND m.status = 'active'
  WHERE CASE
    WHEN s.detail ? 'googleSub' THEN u.google_sub = s.detail->>'googleSub'
    ELSE EXISTS (
      SELECT 1 FROM identity.saml_connections c
      WHERE c.id = (s.detail->>'connectionId')::uuid AND identity.has_sso(c.tenant_id)
    )
  END AND (NOT s.detail ? 'mustConfirm' OR EXISTS (SELECT 1 FROM unconfirmed))
$function$;

CREATE OR REPLACE FUNCTION identity.register(tenant_name text, new_user uuid, new_email text, new_name text, new_password_hash text, at timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  INSERT INTO identity.users (id, email, name, password_hash, created_at)
  VALUES (new_user, new_email, new_name, new_password_hash, at)
  ON CONFLICT (email) DO NOTHING;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  INSERT INTO identity.tenants (id, name, features, created_at)
  VALUES (public.current_tenant(), tenant_name, '{}', at);
  INSERT INTO identity.memberships (tenant_id, user_id, role, status, created_at)
  VALUES (public.current_tenant(), new_user, 'admin', 'active', at);
  RETURN true;
END
$function$;

CREATE OR REPLACE FUNCTION identity.register_applicant(tenant_name text, new_user uuid, new_email text, new_name text, new_password_hash text, at timestamp with time zone)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  held identity.users;
BEGIN
  INSERT INTO identity.users (id, email, name, created_at) VALUES (new_user, new_email, new_name, at)
  ON CONFLICT (email) DO NOTHING;
  SELECT u.* INTO held FROM identity.users u WHERE u.email = new_email FOR UPDATE;
  IF held.id IS NULL OR NOT identity.is_only_invited(held) THEN
    RETURN NULL;
  END IF;
  -- Tenants whose provider made the account continue to show the name that it gave.
  UPDATE identity.memberships m SET name = held.name
  WHERE m.user_id = held.id AND m.name IS NULL AND identity.is_by_provider(m);
  UPDATE identity.users u SET password_hash = new_password_hash, name = COALESCE(new_name, u.name) WHERE u.id = held.id;
  INSERT INTO identity.tenants (id, name, features, created_at) VALUES (public.current_tenant(), tenant_name, '{}', at);
  INSERT INTO identity.memberships (tenant_id, user_id, role, status, created_at)
  VALUES (public.current_tenant(), held.id, 'admin', 'active', at);
  RETURN held.id;
END
$function$;

CREATE OR REPLACE FUNCTION identity.release_attempt(of_key text, at timestamp with time zone)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  UPDATE identity.throttles t SET attempts = GREATEST(t.attempts - 1, 0)
  WHERE t.key = of_key AND t.ends_at > at
$function$;

CREATE OR REPLACE FUNCTION identity.remove_domain(of_domain text)
 RETURNS TABLE(domain text)
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  DELETE FROM identity.tenant_domains d
  WHERE d.tenant_id = public.current_tenant() AND d.domain = of_domain
  RETURNING d.domain
$function$;

CREATE OR REPLACE FUNCTION identity.remove_member(of_user uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  -- Held fast first, so that an invitation that comes or is accepted at this moment is either seen or comes after.
  PERFORM 1 FROM identity.users u WHERE u.id = of_user FOR UPDATE;
  PERFORM identity.end_membership(of_user, public.current_tenant());
  IF NOT EXISTS (SELECT 1 FROM identity.memberships m WHERE m.user_id = of_user) THEN
    DELETE FROM identity.saml_identities i WHERE i.user_id = of_user;
    DELETE FROM identity.users u WHERE u.id = of_user;
  END IF;
END
$function$;

CREATE OR REPLACE FUNCTION identity.replace_recovery_codes(of_user uuid, hashes bytea[])
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  DELETE FROM identity.recovery_codes r WHERE r.user_id = of_user;
  INSERT INTO identity.recovery_codes (user_id, hash) SELECT of_user, unnest(hashes);
$function$;

CREATE OR REPLACE FUNCTION identity.require_confirmation(code_hash text, via_connection uuid, for_user uuid, subject text, ends timestamp with time zone)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  UPDATE identity.one_time_values v SET detail = v.detail || '{"mustConfirm": true}'
  WHERE v.kind = 'exchange_code' AND v.value = code_hash AND v.detail->>'tenantId' = public.current_tenant()::text;
  INSERT INTO identity.one_time_values (kind, value, detail, expires_at)
  VALUES ('unconfirmed_code', code_hash, jsonb_build_object(
    'tenantId', public.current_tenant(), 'connectionId', via_connection, 'userId', for_user, 'nameId', subject
  ), ends)
$function$;

CREATE OR REPLACE FUNCTION identity.reserve_attempt(of_key text, most integer, window_seconds integer, at timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  present timestamptz := identity.not_after_now(at);
  taken boolean;
BEGIN
  INSERT INTO identity.throttles AS t (key, attempts, ends_at)
  VALUES (of_key, 1, present + make_interval(secs => LEAST(window_seconds, 86400)))
  ON CONFLICT (key) DO UPDATE SET
    attempts = CASE WHEN t.ends_at <= present THEN 1 ELSE t.attempts + 1 END,
    ends_at = CASE WHEN t.ends_at <= present THEN EXCLUDED.ends_at ELSE t.ends_at END
  WHERE t.ends_at <= present OR t.attempts < most;
  taken := FOUND;
  DELETE FROM identity.throttles t WHERE t.key IN (
    SELECT o.key FROM identity.throttles o WHERE o.ends_at <= present AND o.key <> of_key
    ORDER BY o.ends_at LIMIT 3 FOR UPDATE SKIP LOCKED
  );
  RETURN taken;
END
$function$;

CREATE OR REPLACE FUNCTION identity.reset_password(token_hash bytea, of_purpose text, new_password_hash text, at timestamp with time zone)
 RETURNS TABLE(user_id uuid, sessions_ended integer)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  user_id := identity.spend_mail_token(token_hash, of_purpose, at);
  IF user_id IS NULL THEN
    RETURN;
  END IF;
  IF of_purpose = 'invitation' AND (
    EXISTS (SELECT 1 FROM identity.users u WHERE u.id = reset_password.user_id AND u.email_verified_at IS NOT NULL)
    OR NOT identity.activate_membership(user_id, at)
  ) THEN
    -- Undoes that the token was spent: whoever has proven the address since can still accept the invitation with it.
    UPDATE identity.mail_tokens t SET spent_at = NULL WHERE t.hash = token_hash;
    RETURN;
  END IF;
  sessions_ended := identity.shut_out(user_id, NULL, at);
  IF EXISTS (SELECT 1 FROM identity.users u WHERE u.id = reset_password.user_id AND u.email_verified_at IS NULL) THEN
    PERFORM identity.void_unproven(user_id, at);
  END IF;
  UPDATE identity.users u
  SET password_hash = new_password_hash, email_verified_at = COALESCE(u.email_verified_at, at)
  WHERE u.id = reset_password.user_id;
  RETURN NEXT;
END
$function$;

CREATE OR REPLACE FUNCTION identity.revoke_key(key_id uuid, of_user uuid, at timestamp with time zone)
 RETURNS TABLE(id uuid, name text, user_id uuid)
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  UPDATE identity.api_keys k SET revoked_at = at
  WHERE k.id = key_id AND k.tenant_id = public.current_tenant() AND k.revoked_at IS NULL
    AND (of_user IS NULL OR k.user_id = of_user)
  RETURNING k.id, k.name, k.user_id
$function$;

CREATE OR REPLACE FUNCTION identity.revoke_saml_access(at timestamp with time zone)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  UPDATE identity.sessions s SET revoked_at = at
  WHERE s.tenant_id = public.current_tenant() AND s.revoked_at IS NULL AND 'saml' = ANY (s.amr);
  UPDATE identity.api_keys k SET revoked_at = at
  WHERE k.tenant_id = public.current_tenant() AND k.revoked_at IS NULL AND k.by_provider;
$function$;

CREATE OR REPLACE FUNCTION identity.revoke_session(session uuid, of_user uuid, in_tenant uuid, at timestamp with time zone)
 RETURNS TABLE(id uuid)
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  UPDATE identity.sessions s SET revoked_at = at
  WHERE s.id = session AND s.user_id = of_user AND s.revoked_at IS NULL
    AND (in_tenant IS NULL OR s.tenant_id = in_tenant)
  RETURNING s.id
$function$;

CREATE OR REPLACE FUNCTION identity.revoke_sessions(of_user uuid, in_tenant uuid, at timestamp with time zone)
 RETURNS integer
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT identity.delete_exchange_codes(of_user, in_tenant);
  WITH ended AS (
    UPDATE identity.sessions s SET revoked_at = at
    WHERE s.user_id = of_user AND s.revoked_at IS NULL AND (in_tenant IS NULL OR s.tenant_id = in_tenant)
    RETURNING 1
  )
  SELECT count(*)::int FROM ended
$function$;

CREATE OR REPLACE FUNCTION identity.roles_at_domains(domains text[])
 RETURNS TABLE(role text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT DISTINCT m.role
  FROM identity.memberships m
  JOIN identity.users u ON u.id = m.user_id
  WHERE m.tenant_id = public.current_tenant() AND lower(regexp_replace(u.email, '^.*@', '')) = ANY (domains)
$function$;

CREATE OR REPLACE FUNCTION identity.rotate_refresh(old_hash bytea, new_hash bytea, at timestamp with time zone, new_end timestamp with time zone, grace_seconds integer)
 RETURNS TABLE(outcome text, amr text[])
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  token identity.refresh_tokens;
  held identity.sessions;
  present timestamptz := identity.database_time(at);
BEGIN
  -- The session is locked first, so that parallel uses of one token come one after another.
  SELECT s.* INTO held FROM identity.sessions s
  WHERE s.id = (SELECT r.session_id FROM identity.refresh_tokens r WHERE r.hash = old_hash)
  FOR UPDATE;
  SELECT r.* INTO token FROM identity.refresh_tokens r WHERE r.hash = old_hash;

  IF held.id IS NULL OR held.revoked_at IS NOT NULL OR held.expires_at <= at OR NOT EXISTS (
    SELECT 1 FROM identity.memberships m JOIN identity.users u ON u.id = m.user_id
    WHERE m.tenant_id = held.tenant_id AND m.user_id = held.user_id
      AND m.status = 'active' AND u.disabled_at IS NULL
  ) THEN
    outcome := 'refused';
  ELSIF token.spent_at IS NOT NULL THEN
    IF token.spent_at > present - make_interval(secs => grace_seconds) AND EXISTS (
      SELECT 1 FROM identity.refresh_tokens r
      WHERE r.session_id = held.id AND r.issued_at = token.spent_at AND r.spent_at IS NULL
    ) THEN
      outcome := 'repeated';
    ELSE
      outcome := 'reused';
      UPDATE identity.sessions s SET revoked_at = at WHERE s.id = held.id;
    END IF;
  ELSIF token.expires_at <= at THEN
    outcome := 'refused';
  ELSE
    outcome := 'rotated';
    UPDATE identity.refresh_tokens r SET spent_at = present WHERE r.hash = old_hash;
    INSERT INTO identity.refresh_tokens (hash, session_id, issued_at, expires_at)
    VALUES (new_hash, held.id, present, LEAST(new_end, held.expires_at));
  END IF;
  amr := held.amr;
  RETURN NEXT;
END
$function$;

CREATE OR REPLACE FUNCTION identity.saml_candidate(connection uuid, subject text, address text)
 RETURNS TABLE(role text, confirmed boolean)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  holder uuid := COALESCE(
    (SELECT i.user_id FROM identity.saml_identities i WHERE i.connection_id = connection AND i.name_id = subject),
    (SELECT u.id FROM identity.users u WHERE u.email = address)
  );
BEGIN
  PERFORM 1 FROM identity.users u WHERE u.id = holder FOR UPDATE;
  RETURN QUERY
    SELECT m.role, EXISTS (
      SELECT 1 FROM identity.saml_identities i
      WHERE i.connection_id = connection AND i.name_id = subject AND i.user_id = holder AND i.confirmed_at IS NOT NULL
    )
    FROM identity.memberships m
    WHERE m.tenant_id = public.current_tenant() AND m.user_id = holder
    FOR NO KEY UPDATE OF m;
END
$function$;

CREATE OR REPLACE FUNCTION identity.saml_confirmation(token_hash text, at timestamp with time zone)
 RETURNS TABLE(tenant_id uuid, user_id uuid, email text, password_hash text, two_factor boolean, mail_hash text, ends timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT c.tenant_id, u.id, u.email,
         CASE WHEN u.email_verified_at IS NOT NULL THEN u.password_hash END,
         u.email_verified_at IS NOT NULL AND u.totp_enabled_at IS NOT NULL,
         v.detail->>'mailHash', v.expires_at
  FROM identity.one_time_values v
  JOIN identity.saml_connections c
    ON c.id = (v.detail->>'connectionId')::uuid AND c.tenant_id = (v.detail->>'tenantId')::uuid
  JOIN identity.users u ON u.id = (v.detail->>'userId')::uuid AND u.disabled_at IS NULL
  JOIN identity.memberships m ON m.user_id = u.id AND m.tenant_id = c.tenant_id AND m.status = 'active'
  WHERE v.kind = 'saml_confirmation' AND v.value = token_hash AND v.expires_at > at
    AND identity.has_sso(c.tenant_id)
$function$;

CREATE OR REPLACE FUNCTION identity.saml_connection_of(in_tenant uuid)
 RETURNS SETOF identity.saml_connections
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT c.* FROM identity.saml_connections c WHERE c.tenant_id = in_tenant AND identity.has_sso(in_tenant)
$function$;

CREATE OR REPLACE FUNCTION identity.saml_request(request_id text, at timestamp with time zone)
 RETURNS SETOF identity.saml_connections
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT c.* FROM identity.one_time_values v
  JOIN identity.saml_connections c ON c.id = (v.detail->>'connectionId')::uuid
  WHERE v.kind = 'saml_request' AND v.value = request_id AND v.expires_at > at AND identity.has_sso(c.tenant_id)
$function$;

CREATE OR REPLACE FUNCTION identity.saml_request_browser(request_id text, at timestamp with time zone)
 RETURNS TABLE(browser_hash text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT v.detail->>'browser' FROM identity.one_time_values v
  WHERE v.kind = 'saml_request' AND v.value = request_id AND v.expires_at > at AND v.detail ? 'browser'
$function$;

CREATE OR REPLACE FUNCTION identity.saml_settings()
 RETURNS SETOF identity.saml_connections
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT c.* FROM identity.saml_connections c WHERE c.tenant_id = public.current_tenant()
$function$;

CREATE OR REPLACE FUNCTION identity.saml_tenant_of_domain(of_domain text)
 RETURNS TABLE(tenant_id uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT d.tenant_id FROM identity.tenant_domains d
  JOIN identity.saml_connections c ON c.tenant_id = d.tenant_id AND of_domain = ANY (c.email_domains)
  WHERE d.domain = of_domain AND d.verified_at IS NOT NULL AND identity.has_sso(d.tenant_id)
  ORDER BY d.verified_at, d.tenant_id
  LIMIT 1
$function$;

CREATE OR REPLACE FUNCTION identity.schedule_creator(member uuid)
 RETURNS TABLE(tenant_id uuid, tenant_name text, features text[], role text, custom_permissions text[], email text, is_active boolean)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT t.id, t.name, t.features, m.role, r.permissions, u.email,
         m.status = 'active' AND u.disabled_at IS NULL
  FROM identity.memberships m
  JOIN identity.users u ON u.id = m.user_id
  JOIN identity.tenants t ON t.id = m.tenant_id
  LEFT JOIN identity.roles r ON r.tenant_id = m.tenant_id AND r.name = m.role
  WHERE m.user_id = member AND m.tenant_id = public.current_tenant()
$function$;

CREATE OR REPLACE FUNCTION identity.session_limit(value_hash text)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT (v.detail->>'sessionEnds')::timestamptz FROM identity.one_time_values v
  WHERE v.kind IN ('exchange_code', 'saml_confirmation') AND v.value = value_hash
    AND v.detail->>'tenantId' = public.current_tenant()::text
$function$;

CREATE OR REPLACE FUNCTION identity.session_of(refresh_hash bytea)
 RETURNS TABLE(session_id uuid, user_id uuid, email text, tenant_id uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT s.id, s.user_id, u.email, s.tenant_id
  FROM identity.refresh_tokens r
  JOIN identity.sessions s ON s.id = r.session_id
  JOIN identity.users u ON u.id = s.user_id
  WHERE r.hash = refresh_hash
$function$;

CREATE OR REPLACE FUNCTION identity.set_domain_verified(of_domain text, checked_token text, at timestamp with time zone)
 RETURNS TABLE(domain text, token text, created_at timestamp with time zone, verified_at timestamp with time zone)
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  UPDATE identity.tenant_domains d
  SET verified_at = CASE WHEN at IS NOT NULL THEN COALESCE(d.verified_at, at) END
  WHERE d.tenant_id = public.current_tenant() AND d.domain = of_domain AND d.token = checked_token
  RETURNING d.domain, d.token, d.created_at, d.verified_at
$function$;

CREATE OR REPLACE FUNCTION identity.shut_out(of_user uuid, keep_session uuid, at timestamp with time zone)
 RETURNS integer
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  UPDATE identity.mail_tokens t SET spent_at = at
  WHERE t.user_id = of_user AND t.purpose IN ('reset-password', 'verify-email') AND t.spent_at IS NULL;
  SELECT identity.delete_exchange_codes(of_user, NULL);
  WITH ended AS (
    UPDATE identity.sessions s SET revoked_at = at
    WHERE s.user_id = of_user AND s.revoked_at IS NULL AND s.id IS DISTINCT FROM keep_session
    RETURNING 1
  )
  SELECT count(*)::int FROM ended
$function$;

CREATE OR REPLACE FUNCTION identity.spend_mail_token(token_hash bytea, of_purpose text, at timestamp with time zone)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  holder uuid;
BEGIN
  SELECT u.id INTO holder FROM identity.users u
  WHERE u.id = (SELECT t.user_id FROM identity.mail_tokens t WHERE t.hash = token_hash)
    AND u.disabled_at IS NULL
  FOR UPDATE;
  UPDATE identity.mail_tokens t SET spent_at = at
  FROM identity.users u
  WHERE t.hash = token_hash AND t.purpose = of_purpose AND u.id = holder
    AND t.user_id = u.id AND t.email = u.email
    AND t.spent_at IS NULL AND t.expires_at > at;
  RETURN CASE WHEN FOUND THEN holder END;
END
$function$;

CREATE OR REPLACE FUNCTION identity.spend_recovery_code(of_user uuid, code_hash bytea, at timestamp with time zone)
 RETURNS boolean
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT FROM identity.users u WHERE u.id = of_user FOR NO KEY UPDATE;
  WITH spent AS (
    UPDATE identity.recovery_codes r SET spent_at = at
    WHERE r.user_id = of_user AND r.hash = code_hash AND r.spent_at IS NULL
    RETURNING 1
  )
  SELECT EXISTS (SELECT 1 FROM spent)
$function$;

CREATE OR REPLACE FUNCTION identity.spend_totp_step(of_user uuid, sealed bytea, step bigint, resealed bytea)
 RETURNS boolean
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  WITH spent AS (
    UPDATE identity.users u SET totp_last_step = step, totp_secret = resealed
    WHERE u.id = of_user AND u.totp_enabled_at IS NOT NULL AND u.totp_secret = sealed
      AND (u.totp_last_step IS NULL OR u.totp_last_step < step)
    RETURNING 1
  )
  SELECT EXISTS (SELECT 1 FROM spent)
$function$;

CREATE OR REPLACE FUNCTION identity.still_holds_password(of_user uuid, checked_hash text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  present text;
BEGIN
  SELECT u.password_hash INTO present FROM identity.users u WHERE u.id = of_user FOR NO KEY UPDATE;
  RETURN present IS NOT NULL AND present = checked_hash;
END
$function$;

CREATE OR REPLACE FUNCTION identity.take_google_token(token_hash text, at timestamp with time zone, ends timestamp with time zone)
 RETURNS boolean
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  WITH taken AS (
    INSERT INTO identity.one_time_values (kind, value, detail, expires_at)
    VALUES ('google_token', token_hash, '{}', LEAST(ends, identity.not_after_now(at) + interval '3 hours'))
    ON CONFLICT DO NOTHING
    RETURNING 1
  )
  SELECT EXISTS (SELECT 1 FROM taken)
$function$;

CREATE OR REPLACE FUNCTION identity.tenant_of_sign_in(of_user uuid, named uuid)
 RETURNS uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT m.tenant_id FROM identity.memberships m
  WHERE m.user_id = of_user AND m.status <> 'invited' AND NOT identity.ends_at_proof(m)
  ORDER BY m.tenant_id IS NOT DISTINCT FROM named DESC, m.status = 'active' DESC, m.entered_at DESC NULLS LAST,
    m.created_at, m.tenant_id
  LIMIT 1
$function$;

CREATE OR REPLACE FUNCTION identity.tenant_to_tell(of_user uuid)
 RETURNS uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT m.tenant_id FROM identity.memberships m
  WHERE m.user_id = of_user AND m.status <> 'invited' AND NOT identity.ends_at_proof(m)
  ORDER BY m.status = 'active' DESC, m.entered_at DESC NULLS LAST, m.created_at, m.tenant_id
  LIMIT 1
$function$;

CREATE OR REPLACE FUNCTION identity.this_tenant()
 RETURNS TABLE(id uuid, name text, features text[], settings jsonb)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT t.id, t.name, t.features, t.settings FROM identity.tenants t WHERE t.id = public.current_tenant()
$function$;

CREATE OR REPLACE FUNCTION identity.touch_key(used_key uuid, at timestamp with time zone)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  UPDATE identity.api_keys SET last_used_at = identity.not_after_now(at)
  WHERE id = used_key
    AND (last_used_at IS NULL OR last_used_at < identity.not_after_now(at) - interval '1 minute')
$function$;

CREATE OR REPLACE FUNCTION identity.two_factor_of(of_user uuid)
 RETURNS TABLE(secret bytea, enrolled boolean, last_step bigint)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT u.totp_secret, u.totp_enabled_at IS NOT NULL, u.totp_last_step
  FROM identity.users u WHERE u.id = of_user
$function$;

CREATE OR REPLACE FUNCTION identity.verify_email(token_hash bytea, at timestamp with time zone)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  holder uuid := identity.spend_mail_token(token_hash, 'verify-email', at);
  chosen text;
BEGIN
  IF holder IS NOT NULL THEN
    SELECT u.password_hash INTO chosen FROM identity.users u WHERE u.id = holder AND u.email_verified_at IS NULL;
    IF FOUND THEN
      PERFORM identity.void_unproven(holder, at);
      UPDATE identity.users u SET password_hash = chosen, email_verified_at = at WHERE u.id = holder;
    END IF;
  END IF;
  RETURN holder;
END
$function$;

CREATE OR REPLACE FUNCTION identity.void_invitation(of_user uuid)
 RETURNS TABLE(tenant_name text, is_new boolean, last_end timestamp with time zone)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  -- Held fast first, so that an invitation that is accepted at this moment is either seen or comes after.
  SELECT u.email_verified_at IS NULL INTO is_new FROM identity.users u WHERE u.id = of_user FOR UPDATE;
  IF NOT EXISTS (
    SELECT 1 FROM identity.memberships m
    WHERE m.tenant_id = public.current_tenant() AND m.user_id = of_user AND m.status = 'invited'
  ) THEN
    RETURN;
  END IF;
  WITH gone AS (
    DELETE FROM identity.mail_tokens t
    WHERE t.tenant_id = public.current_tenant() AND t.user_id = of_user AND t.purpose = 'invitation'
    RETURNING t.expires_at
  )
  SELECT max(g.expires_at) INTO last_end FROM gone g;
  SELECT t.name INTO tenant_name FROM identity.tenants t WHERE t.id = public.current_tenant();
  RETURN NEXT;
END
$function$;

CREATE OR REPLACE FUNCTION identity.void_unproven(of_user uuid, at timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  UPDATE identity.users u
  SET password_hash = NULL, totp_secret = NULL, totp_enabled_at = NULL, totp_last_step = NULL,
      totp_pending_at = NULL, totp_pending_session = NULL
  WHERE u.id = of_user AND u.email_verified_at IS NULL;
  DELETE FROM identity.one_time_values v
  WHERE v.kind IN ('exchange_code', 'unconfirmed_code', 'saml_confirmation') AND v.detail->>'userId' = of_user::text;
  UPDATE identity.sessions s SET revoked_at = at WHERE s.user_id = of_user AND s.revoked_at IS NULL;
  UPDATE identity.api_keys k SET revoked_at = at WHERE k.user_id = of_user AND k.revoked_at IS NULL;
  DELETE FROM identity.recovery_codes c WHERE c.user_id = of_user;
  PERFORM identity.end_membership(ended.user_id, ended.tenant_id)
  FROM (
    SELECT m.user_id, m.tenant_id FROM identity.memberships m
    WHERE m.user_id = of_user AND identity.ends_at_proof(m) ORDER BY m.tenant_id
  ) ended;
  DELETE FROM identity.saml_identities i WHERE i.user_id = of_user;
  -- Invitations stay: they were sent to the address, and are about a tenant.
  DELETE FROM identity.mail_tokens t WHERE t.user_id = of_user AND t.tenant_id IS NULL;
END
$function$;

CREATE VIEW identity.members AS
 SELECT
        CASE
            WHEN (m.status = 'invited'::text) THEN COALESCE(m.invitation_id, m.user_id)
            ELSE m.user_id
        END AS id,
    m.user_id,
    m.invitation_id,
    u.email,
        CASE
            WHEN (m.status = 'invited'::text) THEN m.name
            ELSE COALESCE(m.name, u.name)
        END AS name,
    m.role,
    m.status,
    ((m.status <> 'invited'::text) AND (u.totp_enabled_at IS NOT NULL)) AS two_factor,
    m.entered_at AS last_login_at,
    m.created_at
   FROM (identity.memberships m
     JOIN identity.users u ON ((u.id = m.user_id)))
  WHERE (m.tenant_id = current_tenant());


-- Schema jobs

CREATE OR REPLACE FUNCTION jobs.abandoned(of_task text)
 RETURNS TABLE(id bigint, payload json)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  RETURN QUERY
    SELECT j.id, j.payload
    FROM graphile_worker._private_jobs j
    JOIN graphile_worker._private_tasks t ON t.id = j.task_id
    WHERE t.identifier = of_task AND j.locked_by IS NULL AND j.attempts >= j.max_attempts
    ORDER BY j.id
    LIMIT 100;
END
$function$;

CREATE OR REPLACE FUNCTION jobs.analyze_grown()
 RETURNS SETOF text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  least_pages CONSTANT bigint := 64;
  few_rows CONSTANT float := 100;
  many_rows CONSTANT integer := 1000;
  least_age CONSTANT interval := interval '10 seconds';
  tenant uuid := public.current_tenant();
  candidate record;
  plan json;
  is_misleading boolean;
BEGIN
  FOR candidate IN
    SELECT c.oid::regclass AS name, s.size > 2 * c.relpages AS has_doubled,
      c.oid IN ('public.findings'::regclass, 'public.mutes'::regclass)
      AND COALESCE(GREATEST(pg_stat_get_last_analyze_time(c.oid), pg_stat_get_last_autoanalyze_time(c.oid)), '-infinity')
        < now() - least_age AS is_by_tenant
    FROM pg_class c
    CROSS JOIN LATERAL (SELECT pg_relation_size(c.oid) / current_setting('block_size')::bigint AS size) s
    WHERE c.relkind = 'r' AND c.relnamespace IN ('public'::regnamespace, 'partitions'::regnamespace) AND s.size > least_pages
    ORDER BY c.oid
  LOOP
    is_misleading := candidate.has_doubled;
    IF NOT is_misleading AND candidate.is_by_tenant AND tenant IS NOT NULL THEN
      EXECUTE format('EXPLAIN (FORMAT JSON) SELECT FROM %s WHERE tenant_id = %L', candidate.name, tenant) INTO plan;
      IF (plan -> 0 -> 'Plan' ->> 'Plan Rows')::float < few_rows THEN
        EXECUTE format('SELECT EXISTS (SELECT FROM %s WHERE tenant_id = %L OFFSET %s)', candidate.name, tenant, many_rows)
        INTO is_misleading;
      END IF;
    END IF;
    CONTINUE WHEN NOT is_misleading;
    EXECUTE format('ANALYZE (SKIP_LOCKED) %s', candidate.name);
    RETURN NEXT candidate.name::text;
  END LOOP;
END
$function$;

CREATE OR REPLACE FUNCTION jobs.analyze_grown_mutes()
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  least_pages CONSTANT bigint := 64;
  few_rows CONSTANT float := 100;
  many_rows CONSTANT integer := 1000;
  least_age CONSTANT interval := interval '10 seconds';
  mutes CONSTANT regclass := 'public.mutes';
  tenant CONSTANT uuid := public.current_tenant();
  size CONSTANT bigint := pg_relation_size(mutes) / current_setting('block_size')::bigint;
  analyzed_at timestamptz;
  plan json;
BEGIN
  IF size <= least_pages THEN RETURN false; END IF;
  IF size <= 2 * (SELECT c.relpages FROM pg_class c WHERE c.oid = mutes) THEN
    analyzed_at := GREATEST(pg_stat_get_last_analyze_time(mutes), pg_stat_get_last_autoanalyze_time(mutes));
    IF tenant IS NULL OR analyzed_at >= now() - least_age THEN RETURN false; END IF;
    EXECUTE format('EXPLAIN (FORMAT JSON) SELECT FROM public.mutes WHERE tenant_id = %L', tenant) INTO plan;
    IF (plan -> 0 -> 'Plan' ->> 'Plan Rows')::float >= few_rows
      OR NOT EXISTS (SELECT FROM public.mutes m WHERE m.tenant_id = tenant OFFSET many_rows) THEN
      RETURN false;
    END IF;
  END IF;
  ANALYZE (SKIP_LOCKED) public.mutes;
  RETURN true;
END
$function$;

CREATE OR REPLACE FUNCTION jobs.beat(workers text[], at timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  IF cardinality(workers) > 256 OR EXISTS (SELECT 1 FROM unnest(workers) w WHERE w IS NULL OR length(w) > 128) THEN
    RAISE EXCEPTION 'too many workers, or too long a name of one' USING ERRCODE = 'program_limit_exceeded';
  END IF;
  INSERT INTO jobs.heartbeats (worker_id, beat_at) SELECT DISTINCT unnest(workers), LEAST(at, now())
  ON CONFLICT (worker_id) DO UPDATE SET beat_at = EXCLUDED.beat_at;
  -- A locked one is being written by its own process, which may do the same with those of this one.
  UPDATE jobs.heartbeats b SET beat_at = clock_timestamp() FROM (
    SELECT h.worker_id FROM jobs.heartbeats h WHERE h.beat_at > clock_timestamp() FOR NO KEY UPDATE SKIP LOCKED
  ) ahead
  WHERE b.worker_id = ahead.worker_id;
END
$function$;

CREATE OR REPLACE FUNCTION jobs.claim_webhooks(at timestamp with time zone, most integer, lease_seconds integer)
 RETURNS TABLE(tenant_id uuid, webhook_id uuid, delivery_id uuid)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  RETURN QUERY SELECT l.tenant_id, l.webhook_id, l.delivery_id
    FROM jobs.lease_deliveries(at, LEAST(most, 512), lease_seconds, '{}', NULL) l;
END
$function$;

CREATE OR REPLACE FUNCTION jobs.depth(at timestamp with time zone)
 RETURNS TABLE(task text, waiting integer, running integer, failed integer, oldest_seconds double precision)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  RETURN QUERY
  SELECT t.identifier,
         count(*) FILTER (WHERE j.locked_at IS NULL AND j.attempts < j.max_attempts AND j.run_at <= at)::int,
         count(*) FILTER (WHERE j.locked_at IS NOT NULL)::int,
         count(*) FILTER (WHERE j.locked_at IS NULL AND j.attempts >= j.max_attempts)::int,
         COALESCE(EXTRACT(EPOCH FROM at - min(GREATEST(j.run_at, j.created_at))
           FILTER (WHERE j.locked_at IS NULL AND j.attempts < j.max_attempts AND j.run_at <= at)), 0)::float8
  FROM graphile_worker._private_tasks t
  JOIN graphile_worker._private_jobs j ON j.task_id = t.id
  GROUP BY t.identifier;
END
$function$;

CREATE OR REPLACE FUNCTION jobs.due_digests(at timestamp with time zone, most integer)
 RETURNS TABLE(tenant_id uuid, user_id uuid)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  RETURN QUERY
  SELECT due.tenant_id, due.user_id
  FROM (
    SELECT d.tenant_id, d.user_id, d.due_at,
           row_number() OVER (PARTITION BY d.tenant_id ORDER BY d.due_at, d.user_id) AS place
    FROM jobs.digest_dues d
    WHERE d.due_at <= identity.not_after_now(at)
  ) due
  ORDER BY due.place, due.due_at, due.user_id
  LIMIT GREATEST(0, LEAST(GREATEST(most, 1), 50) - (
    SELECT count(*) FROM graphile_worker._private_jobs j
    JOIN graphile_worker._private_tasks t ON t.id = j.task_id
    WHERE t.identifier = 'send-digest' AND j.attempts = 0
  ));
END
$function$;

CREATE OR REPLACE FUNCTION jobs.due_schedules(at timestamp with time zone, most integer)
 RETURNS TABLE(tenant_id uuid, schedule_id uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT due.tenant_id, due.schedule_id
  FROM (
    SELECT d.tenant_id, d.schedule_id, d.due_at,
           row_number() OVER (PARTITION BY d.tenant_id ORDER BY d.due_at, d.schedule_id) AS place
    FROM jobs.schedule_dues d
    WHERE d.due_at <= identity.not_after_now(at)
  ) due
  ORDER BY due.place, due.due_at, due.schedule_id
  LIMIT LEAST(GREATEST(most, 1), 100)
$function$;

CREATE OR REPLACE FUNCTION jobs.enqueue(task text, payload json, queue text, once_key text, marks text[] DEFAULT NULL::text[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  of_tenant uuid := public.current_tenant();
  mail_of_tenant_priority CONSTANT integer := 5;
  due timestamptz;
  rank integer := 0;
BEGIN
  IF task IS NULL OR task NOT IN ('scan-project', 'send-mail', 'send-digest') THEN
    RAISE EXCEPTION 'there is no task of the name %', task USING ERRCODE = 'invalid_parameter_value';
  END IF;
  IF octet_length(payload::text) > 262144 OR length(queue) > 128 OR length(once_key) > 256
    OR cardinality(marks) > 8 OR length(array_to_string(marks, '')) > 1024
  THEN
    RAISE EXCEPTION 'the job is too large' USING ERRCODE = 'program_limit_exceeded';
  END IF;
  IF task = 'scan-project' AND of_tenant IS NOT NULL THEN
    due := CASE WHEN payload->>'slot' IS NOT NULL AND EXISTS (
      SELECT 1 FROM public.scan_projects p
      WHERE p.tenant_id = of_tenant AND p.scan_id::text = payload->>'scanId'
        AND p.project_id::text = payload->>'projectId' AND p.status = 'running'
    ) THEN now() - interval '11 days' ELSE jobs.next_turn(of_tenant) END;
  ELSIF task = 'send-mail' AND of_tenant IS NOT NULL AND payload->>'ofTenant' IS NOT NULL THEN
    due := jobs.next_mail_turn(of_tenant);
    rank := mail_of_tenant_priority;
  END IF;
  PERFORM graphile_worker.add_job(
    task, payload, queue_name => queue, job_key => once_key, max_attempts => 10, flags => marks, run_at => due, priority => rank
  );
END
$function$;

CREATE OR REPLACE FUNCTION jobs.enqueue_pull(pull uuid, turn integer, delay_seconds integer, trace json)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  of_tenant uuid := public.current_tenant();
BEGIN
  IF of_tenant IS NULL OR pull IS NULL OR turn IS NULL THEN
    RAISE EXCEPTION 'a pull belongs to a tenant' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  IF octet_length(trace::text) > 4096 THEN
    RAISE EXCEPTION 'the job is too large' USING ERRCODE = 'program_limit_exceeded';
  END IF;
  PERFORM graphile_worker.add_job(
    'pull-inventory',
    (COALESCE(trace::jsonb, '{}') || jsonb_build_object('tenantId', of_tenant, 'pullId', pull, 'turn', turn))::json,
    queue_name => 'pulls:' || of_tenant::text,
    max_attempts => 10,
    run_at => CASE WHEN delay_seconds > 0 THEN now() + make_interval(secs => LEAST(delay_seconds, 3600))
              ELSE jobs.next_turn(of_tenant) END
  );
END
$function$;

CREATE OR REPLACE FUNCTION jobs.ensure_partitions(since timestamp with time zone, months integer)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET lock_timeout TO '1s'
AS $function$
  SELECT partitions.ensure(
    GREATEST(identity.not_after_now(since), now() - interval '1 month'), LEAST(months, 6)
  )
$function$;

CREATE OR REPLACE FUNCTION jobs.erase_event_addresses(of_user uuid)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  UPDATE public.webhook_events e
  SET body = jsonb_set(e.body::jsonb, '{data,user,email}', '"removed user"')::text
  WHERE e.tenant_id = public.current_tenant() AND e.type IN ('api_key.created', 'sign_in.locked')
    AND e.body::jsonb #>> '{data,user,id}' = of_user::text;
$function$;

CREATE OR REPLACE FUNCTION jobs.erase_former_members(most integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION jobs.forget(job bigint)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  DELETE FROM graphile_worker._private_jobs j
  WHERE j.id = job AND j.locked_by IS NULL AND j.attempts >= j.max_attempts;
END
$function$;

CREATE OR REPLACE FUNCTION jobs.forget_identity(at timestamp with time zone)
 RETURNS TABLE(what text, removed integer)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  present timestamptz := identity.not_after_now(at);
BEGIN
  what := 'sessions';
  DELETE FROM identity.sessions s WHERE LEAST(s.expires_at, s.revoked_at) < present - interval '7 days';
  GET DIAGNOSTICS removed = ROW_COUNT;
  RETURN NEXT;
  what := 'API keys';
  DELETE FROM identity.api_keys k WHERE LEAST(k.expires_at, k.revoked_at) < present - interval '90 days';
  GET DIAGNOSTICS removed = ROW_COUNT;
  RETURN NEXT;
  what := 'mail tokens';
  DELETE FROM identity.mail_tokens t WHERE t.expires_at < present - interval '7 days';
  GET DIAGNOSTICS removed = ROW_COUNT;
  RETURN NEXT;
  what := 'one-time values';
  DELETE FROM identity.one_time_values v WHERE v.expires_at < present;
  GET DIAGNOSTICS removed = ROW_COUNT;
  RETURN NEXT;
  what := 'throttles';
  DELETE FROM identity.throttles h WHERE h.ends_at < present;
  GET DIAGNOSTICS removed = ROW_COUNT;
  RETURN NEXT;
END
$function$;

CREATE OR REPLACE FUNCTION jobs.forget_registrations(at timestamp with time zone, most integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  present CONSTANT timestamptz := identity.not_after_now(at);
  caller_tenant CONSTANT text := current_setting('app.tenant_id', true);
  registered record;
  removed int := 0;
BEGIN
  FOR registered IN
    -- The person is locked, as by a confirmation of the address. One that runs now keeps the tenant.
    SELECT t.id AS tenant_id, u.id AS user_id
    FROM identity.tenants t
    JOIN identity.memberships m ON m.tenant_id = t.id AND m.created_at = t.created_at
    JOIN identity.users u ON u.id = m.user_id
    WHERE t.created_at < present - interval '30 days' AND t.features = '{}'
      AND m.entered_at IS NULL AND m.by_provider IS NOT TRUE
      AND u.email_verified_at IS NULL AND u.google_sub IS NULL
      AND NOT EXISTS (SELECT 1 FROM identity.memberships o WHERE o.tenant_id = t.id AND o.user_id <> u.id)
      AND NOT EXISTS (SELECT 1 FROM identity.saml_connections c WHERE c.tenant_id = t.id)
      AND NOT EXISTS (SELECT 1 FROM cells.standings s WHERE s.tenant_id = t.id)
      AND NOT EXISTS (
        SELECT 1 FROM identity.mail_tokens k
        WHERE k.user_id = u.id AND k.tenant_id IS NULL AND k.spent_at IS NULL AND k.expires_at > present
      )
    ORDER BY t.created_at
    LIMIT LEAST(GREATEST(most, 1), 1000)
    FOR UPDATE OF u SKIP LOCKED
  LOOP
    -- Row-level security also binds the owner. The global API key can have made a project in any tenant.
    PERFORM set_config('app.tenant_id', registered.tenant_id::text, true);
    CONTINUE WHEN EXISTS (SELECT 1 FROM public.projects p WHERE p.tenant_id = registered.tenant_id);
    PERFORM identity.end_membership(registered.user_id, registered.tenant_id);
    DELETE FROM identity.tenants t WHERE t.id = registered.tenant_id;
    IF EXISTS (SELECT 1 FROM identity.memberships m WHERE m.user_id = registered.user_id) THEN
      -- Invited by another tenant: as before the registration.
      UPDATE identity.users u SET password_hash = NULL WHERE u.id = registered.user_id;
    ELSE
      DELETE FROM identity.users u WHERE u.id = registered.user_id;
    END IF;
    removed := removed + 1;
  END LOOP;
  PERFORM set_config('app.tenant_id', COALESCE(caller_tenant, ''), true);
  RETURN removed;
END
$function$;

CREATE OR REPLACE FUNCTION jobs.keep_trying(of_task text, pause interval, longest interval)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  retry_priority CONSTANT smallint := 10;
  bounded_pause interval := GREATEST(LEAST(pause, interval '1 hour'), interval '1 second');
  bounded_longest interval := LEAST(longest, interval '7 days');
BEGIN
  IF of_task IS NULL OR of_task NOT IN ('send-mail', 'send-digest') THEN
    RAISE EXCEPTION 'jobs of % are given up by the queue', of_task USING ERRCODE = 'invalid_parameter_value';
  END IF;
  WITH tried AS MATERIALIZED (
    SELECT w.id, due.latest
    FROM graphile_worker._private_jobs w
    JOIN graphile_worker._private_tasks t ON t.id = w.task_id
    CROSS JOIN LATERAL (
      SELECT now() + CASE
        WHEN w.last_error IN ('Failed to send the mail (EENVELOPE)', 'Failed to send the mail (EMESSAGE)')
        THEN GREATEST(bounded_pause, LEAST(interval '1 hour', (now() - w.created_at) / 4))
        ELSE bounded_pause
      END AS latest
    ) due
    WHERE t.identifier = of_task AND w.locked_by IS NULL AND w.attempts > 0 AND w.created_at > now() - bounded_longest
      AND (w.priority <> retry_priority OR w.run_at > due.latest OR w.attempts >= w.max_attempts)
    FOR UPDATE OF w SKIP LOCKED
  )
  UPDATE graphile_worker._private_jobs j
  SET run_at = LEAST(j.run_at, tried.latest), attempts = LEAST(j.attempts, j.max_attempts - 1), priority = retry_priority
  FROM tried WHERE j.id = tried.id;
END
$function$;

CREATE OR REPLACE FUNCTION jobs.lease_deliveries(at timestamp with time zone, most integer, lease_seconds integer, quick uuid[], worker integer)
 RETURNS TABLE(tenant_id uuid, webhook_id uuid, delivery_id uuid)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
AS $function$
DECLARE
  present CONSTANT timestamptz := identity.not_after_now(at);
  alive int[];
BEGIN
  IF cardinality(quick) > 1000 THEN
    RAISE EXCEPTION 'too many quick webhooks' USING ERRCODE = 'program_limit_exceeded';
  END IF;
  PERFORM pg_advisory_xact_lock(hashtextextended('claim webhooks', 0));
  -- 7303 is the class of the locks that workers hold.
  SELECT COALESCE(array_agg(l.objid::bigint::int), '{}') INTO alive FROM pg_locks l
  WHERE l.locktype = 'advisory' AND l.classid = 7303 AND l.objsubid = 2 AND l.granted
    AND l.database = (SELECT b.oid FROM pg_database b WHERE b.datname = current_database());
  -- Each further attempt whose time has come. The others of a backlog follow with the next claims.
  UPDATE jobs.webhook_dues d SET is_due = true
  WHERE d.ctid = ANY (ARRAY(
    SELECT x.ctid FROM jobs.webhook_dues x WHERE NOT x.is_due AND x.due_at <= present
    ORDER BY x.due_at LIMIT 2000 FOR UPDATE SKIP LOCKED
  ));
  RETURN QUERY
  WITH RECURSIVE endpoint AS (
    (SELECT d.tenant_id, d.webhook_id FROM jobs.webhook_dues d WHERE d.is_due ORDER BY d.tenant_id, d.webhook_id LIMIT 1)
    UNION ALL
    SELECT n.tenant_id, n.webhook_id
    FROM endpoint e CROSS JOIN LATERAL (
      SELECT d.tenant_id, d.webhook_id FROM jobs.webhook_dues d
      WHERE d.is_due AND (d.tenant_id, d.webhook_id) > (e.tenant_id, e.webhook_id)
      ORDER BY d.tenant_id, d.webhook_id LIMIT 1
    ) n
  ), webhook AS MATERIALIZED (
    SELECT e.tenant_id, e.webhook_id, f.webhook_id IS NULL AND e.webhook_id = ANY(quick) AS is_quick,
           CASE WHEN f.webhook_id IS NOT NULL THEN 1 WHEN e.webhook_id = ANY(quick) THEN 32 ELSE 4 END AS most_leases
    FROM endpoint e
    LEFT JOIN jobs.webhook_failing f ON f.tenant_id = e.tenant_id AND f.webhook_id = e.webhook_id
  ), seen AS MATERIALIZED (
    SELECT w.tenant_id, w.webhook_id, w.is_quick, w.most_leases, d.at_row, d.delivery_id, d.due_at,
           COALESCE(d.held_until > present AND (d.leased_by IS NULL OR d.leased_by = ANY(alive)), false)
             OR COALESCE(d.leased_until > present, false) AS is_leased
    FROM webhook w CROSS JOIN LATERAL (
      SELECT d.ctid AS at_row, d.delivery_id, d.due_at, d.held_until, d.leased_until, d.leased_by FROM jobs.webhook_dues d
      WHERE d.is_due AND d.tenant_id = w.tenant_id AND d.webhook_id = w.webhook_id AND d.due_at <= present
      -- Also a webhook that was quick until now may have 32.
      ORDER BY d.due_at LIMIT 32 + w.most_leases
    ) d
  ), held AS (
    SELECT s.tenant_id, s.webhook_id, s.is_quick, count(*) AS leases FROM seen s
    WHERE s.is_leased GROUP BY s.tenant_id, s.webhook_id, s.is_quick
  ), tenant AS (
    SELECT h.tenant_id, sum(h.leases) AS leases,
           sum(h.leases - 1) FILTER (WHERE NOT h.is_quick) AS shared,
           sum(h.leases - 1) FILTER (WHERE h.is_quick) AS shared_by_quick
    FROM held h GROUP BY h.tenant_id
  ), ready AS (
    SELECT s.tenant_id, s.webhook_id, s.at_row, s.delivery_id, s.due_at, s.is_quick, s.most_leases,
           row_number() OVER (PARTITION BY s.tenant_id, s.webhook_id ORDER BY s.due_at, s.delivery_id)
             + COALESCE(h.leases, 0) AS turn
    FROM seen s LEFT JOIN held h ON h.tenant_id = s.tenant_id AND h.webhook_id = s.webhook_id
    WHERE NOT s.is_leased
  ), placed AS (
    SELECT r.*,
           row_number() OVER (PARTITION BY r.tenant_id ORDER BY r.turn, r.due_at, r.delivery_id)
             + COALESCE(t.leases, 0) AS place,
           row_number() OVER (PARTITION BY r.tenant_id, r.turn = 1, r.is_quick ORDER BY r.turn, r.due_at, r.delivery_id)
             + COALESCE(CASE WHEN r.is_quick THEN t.shared_by_quick ELSE t.shared END, 0) AS share
    FROM ready r LEFT JOIN tenant t ON t.tenant_id = r.tenant_id
    WHERE r.turn <= r.most_leases
  ), chosen AS MATERIALIZED (
    SELECT p.at_row FROM placed p
    WHERE p.turn = 1 OR p.share <= CASE WHEN p.is_quick THEN 1000 ELSE 28 END
    ORDER BY p.place, p.due_at, p.delivery_id LIMIT LEAST(GREATEST(most, 1), 2048)
  )
  UPDATE jobs.webhook_dues d
  SET held_until = present + make_interval(secs => LEAST(GREATEST(lease_seconds, 1), 300)), leased_by = worker
  WHERE d.ctid = ANY (ARRAY(
    SELECT x.ctid FROM jobs.webhook_dues x WHERE x.ctid = ANY (ARRAY(SELECT c.at_row FROM chosen c)) FOR UPDATE SKIP LOCKED
  ))
  RETURNING d.tenant_id, d.webhook_id, d.delivery_id;
END
$function$;

CREATE OR REPLACE FUNCTION jobs.moved_tenants()
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT s.tenant_id FROM cells.standings s
  WHERE s.state = 'gone' AND EXISTS (SELECT FROM identity.tenants t WHERE t.id = s.tenant_id)
$function$;

CREATE OR REPLACE FUNCTION jobs.next_mail_turn(of_tenant uuid)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  earliest timestamptz := now() - interval '10 days';
  turn timestamptz;
BEGIN
  UPDATE jobs.mail_turns t SET last = LEAST(now(), GREATEST(earliest, t.last + interval '30 seconds'))
  FROM (SELECT m.tenant_id FROM jobs.mail_turns m WHERE m.tenant_id = of_tenant FOR UPDATE SKIP LOCKED) free
  WHERE t.tenant_id = free.tenant_id
  RETURNING t.last INTO turn;
  IF turn IS NULL THEN
    SELECT LEAST(now(), GREATEST(earliest, t.last + interval '30 seconds')) INTO turn
    FROM jobs.mail_turns t WHERE t.tenant_id = of_tenant;
  END IF;
  IF turn IS NULL THEN
    IF pg_try_advisory_xact_lock(hashtextextended('mail turns ' || of_tenant::text, 0)) THEN
      INSERT INTO jobs.mail_turns (tenant_id, last) VALUES (of_tenant, earliest) ON CONFLICT (tenant_id) DO NOTHING;
    END IF;
    turn := earliest;
  END IF;
  RETURN turn;
END
$function$;

CREATE OR REPLACE FUNCTION jobs.next_turn(of_tenant uuid)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  earliest timestamptz := now() - interval '10 days';
  turn timestamptz;
BEGIN
  UPDATE jobs.turns t SET last = LEAST(now(), GREATEST(earliest, t.last + interval '30 seconds'))
  FROM (SELECT tenant_id FROM jobs.turns WHERE tenant_id = of_tenant FOR UPDATE SKIP LOCKED) free
  WHERE t.tenant_id = free.tenant_id
  RETURNING t.last INTO turn;
  IF turn IS NULL THEN
    SELECT LEAST(now(), GREATEST(earliest, t.last + interval '30 seconds')) INTO turn
    FROM jobs.turns t WHERE t.tenant_id = of_tenant;
  END IF;
  IF turn IS NULL THEN
    -- The first scan of the tenant.
    INSERT INTO jobs.turns (tenant_id, last) VALUES (of_tenant, earliest) ON CONFLICT (tenant_id) DO NOTHING;
    turn := earliest;
  END IF;
  RETURN turn;
END
$function$;

CREATE OR REPLACE FUNCTION jobs.not_after_now(at timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT identity.not_after_now(at)
$function$;

CREATE OR REPLACE FUNCTION jobs.note_digest()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  IF TG_OP <> 'DELETE' AND NEW.due_at IS NOT NULL THEN
    INSERT INTO jobs.digest_dues (tenant_id, user_id, due_at) VALUES (NEW.tenant_id, NEW.user_id, NEW.due_at)
    ON CONFLICT (tenant_id, user_id) DO UPDATE SET due_at = EXCLUDED.due_at;
  ELSIF TG_OP <> 'INSERT' THEN
    DELETE FROM jobs.digest_dues d WHERE d.tenant_id = OLD.tenant_id AND d.user_id = OLD.user_id;
  END IF;
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION jobs.note_schedule()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  IF TG_OP = 'DELETE' THEN
    DELETE FROM jobs.schedule_dues d WHERE d.tenant_id = OLD.tenant_id AND d.schedule_id = OLD.id;
  ELSIF NEW.enabled AND NEW.next_run_at IS NOT NULL THEN
    INSERT INTO jobs.schedule_dues (tenant_id, schedule_id, due_at) VALUES (NEW.tenant_id, NEW.id, NEW.next_run_at)
    ON CONFLICT (tenant_id, schedule_id) DO UPDATE SET due_at = EXCLUDED.due_at;
  ELSE
    DELETE FROM jobs.schedule_dues d WHERE d.tenant_id = NEW.tenant_id AND d.schedule_id = NEW.id;
  END IF;
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION jobs.note_webhook()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  IF TG_OP = 'UPDATE' AND NEW.failing_since IS NOT NULL THEN
    INSERT INTO jobs.webhook_failing (tenant_id, webhook_id) VALUES (NEW.tenant_id, NEW.id) ON CONFLICT DO NOTHING;
  ELSE
    DELETE FROM jobs.webhook_failing f WHERE f.tenant_id = OLD.tenant_id AND f.webhook_id = OLD.id;
  END IF;
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION jobs.note_webhook_deliveries()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET enable_seqscan TO 'off'
 SET enable_sort TO 'off'
 SET enable_incremental_sort TO 'off'
AS $function$
DECLARE
  gone record;
  due record;
  -- Times of deliveries are rounded to milliseconds, so that now() can be before the time of one that is due now.
  soon CONSTANT timestamptz := now() + interval '1 second';
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO jobs.webhook_dues (tenant_id, webhook_id, delivery_id, due_at, is_due)
    SELECT p.tenant_id, p.webhook_id, p.id, p.next_attempt_at, p.next_attempt_at <= soon FROM present p
    WHERE p.status = 'pending' AND p.next_attempt_at IS NOT NULL;
    IF FOUND THEN
      PERFORM pg_notify('webhook_dues', '');
    END IF;
    RETURN NULL;
  END IF;
  FOR gone IN EXECUTE CASE TG_OP
    WHEN 'DELETE' THEN 'SELECT f.tenant_id, f.webhook_id, f.id FROM former f WHERE f.status = ''pending'''
    ELSE 'SELECT p.tenant_id, p.webhook_id, p.id FROM present p
          WHERE NOT (p.status = ''pending'' AND p.next_attempt_at IS NOT NULL)'
  END LOOP
    -- Locked before it is deleted, because a lease may be writing it.
    SELECT d.ctid AS place, d.tenant_id, d.webhook_id, d.delivery_id INTO due FROM jobs.webhook_dues d
    WHERE (d.tenant_id, d.webhook_id, d.delivery_id) >= (gone.tenant_id, gone.webhook_id, gone.id)
      AND (d.tenant_id, d.webhook_id, d.delivery_id) <= (gone.tenant_id, gone.webhook_id, gone.id)
    ORDER BY d.tenant_id, d.webhook_id, d.delivery_id LIMIT 1 FOR UPDATE;
    IF FOUND THEN
      DELETE FROM jobs.webhook_dues d WHERE d.ctid = due.place;
    END IF;
  END LOOP;
  IF TG_OP = 'UPDATE' THEN
    INSERT INTO jobs.webhook_dues (tenant_id, webhook_id, delivery_id, due_at, is_due)
    SELECT p.tenant_id, p.webhook_id, p.id, p.next_attempt_at, p.next_attempt_at <= soon FROM present p
    WHERE p.status = 'pending' AND p.next_attempt_at IS NOT NULL
    ON CONFLICT (tenant_id, webhook_id, delivery_id)
      DO UPDATE SET due_at = EXCLUDED.due_at, is_due = EXCLUDED.is_due, leased_until = NULL, held_until = NULL, leased_by = NULL;
    -- Not for another attempt, which is due later. The first condition spares outcomes the join of both.
    IF EXISTS (SELECT 1 FROM former f WHERE f.status <> 'pending') AND EXISTS (
      SELECT 1 FROM present p JOIN former f ON f.tenant_id = p.tenant_id AND f.id = p.id
      WHERE p.status = 'pending' AND f.status <> 'pending'
    ) THEN
      PERFORM pg_notify('webhook_dues', '');
    END IF;
  END IF;
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION jobs.note_webhook_delivery()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  IF TG_OP <> 'DELETE' AND NEW.status = 'pending' AND NEW.next_attempt_at IS NOT NULL THEN
    INSERT INTO jobs.webhook_dues (tenant_id, webhook_id, delivery_id, due_at)
    VALUES (NEW.tenant_id, NEW.webhook_id, NEW.id, NEW.next_attempt_at)
    ON CONFLICT (tenant_id, webhook_id, delivery_id) DO UPDATE SET due_at = EXCLUDED.due_at, leased_until = NULL;
    -- Not for another attempt, which is due later.
    IF TG_OP = 'INSERT' OR OLD.status <> 'pending' THEN
      PERFORM pg_notify('webhook_dues', '');
    END IF;
  ELSIF TG_OP <> 'INSERT' THEN
    DELETE FROM jobs.webhook_dues d
    WHERE d.tenant_id = OLD.tenant_id AND d.webhook_id = OLD.webhook_id AND d.delivery_id = OLD.id;
  END IF;
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION jobs.postpone_digest(of_tenant uuid, of_user uuid, until timestamp with time zone)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  UPDATE jobs.digest_dues d
  SET due_at = LEAST(until, identity.not_after_now(until) + interval '1 hour')
  WHERE d.tenant_id = of_tenant AND d.user_id = of_user
$function$;

CREATE OR REPLACE FUNCTION jobs.postpone_schedule(of_tenant uuid, schedule uuid, until timestamp with time zone)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  UPDATE jobs.schedule_dues d
  SET due_at = LEAST(until, identity.not_after_now(until) + interval '1 hour')
  WHERE d.tenant_id = of_tenant AND d.schedule_id = schedule
$function$;

CREATE OR REPLACE FUNCTION jobs.release_dead(dead_before timestamp with time zone)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  silent_since timestamptz := LEAST(dead_before, now() - interval '10 seconds');
  dead text[];
BEGIN
  INSERT INTO jobs.heartbeats (worker_id, beat_at)
  SELECT j.locked_by, now() FROM graphile_worker._private_jobs j
  WHERE j.locked_by IS NOT NULL AND j.locked_at > clock_timestamp()
  UNION
  SELECT q.locked_by, now() FROM graphile_worker._private_job_queues q
  WHERE q.locked_by IS NOT NULL AND q.locked_at > clock_timestamp()
  ON CONFLICT (worker_id) DO NOTHING;
  SELECT array_agg(DISTINCT held.worker) INTO dead
  FROM (
    SELECT locked_by AS worker, locked_at FROM graphile_worker._private_jobs
    WHERE locked_by IS NOT NULL
    UNION ALL
    SELECT locked_by, locked_at FROM graphile_worker._private_job_queues
    WHERE locked_by IS NOT NULL
  ) held
  LEFT JOIN jobs.heartbeats b ON b.worker_id = held.worker
  WHERE COALESCE(b.beat_at, held.locked_at) < silent_since;
  DELETE FROM jobs.heartbeats WHERE beat_at < silent_since;
  IF dead IS NULL THEN
    RETURN 0;
  END IF;
  UPDATE graphile_worker._private_jobs j SET run_at = now() WHERE j.locked_by = ANY (dead) AND j.run_at > now();
  PERFORM graphile_worker.force_unlock_workers(dead);
  RETURN cardinality(dead);
END
$function$;

CREATE OR REPLACE FUNCTION jobs.release_deliveries(worker integer, tenants uuid[], webhooks uuid[], deliveries uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET enable_seqscan TO 'off'
 SET enable_sort TO 'off'
 SET enable_incremental_sort TO 'off'
AS $function$
BEGIN
  IF cardinality(deliveries) > 5000 THEN
    RAISE EXCEPTION 'too many deliveries' USING ERRCODE = 'program_limit_exceeded';
  END IF;
  UPDATE jobs.webhook_dues d SET held_until = NULL, leased_by = NULL
  WHERE d.ctid = ANY (ARRAY(
    SELECT held.place
    FROM unnest(tenants, webhooks, deliveries) u(tenant_id, webhook_id, delivery_id)
    CROSS JOIN LATERAL (
      SELECT x.ctid AS place FROM jobs.webhook_dues x
      WHERE (x.tenant_id, x.webhook_id, x.delivery_id) >= (u.tenant_id, u.webhook_id, u.delivery_id)
        AND (x.tenant_id, x.webhook_id, x.delivery_id) <= (u.tenant_id, u.webhook_id, u.delivery_id)
        AND x.leased_by IS NOT DISTINCT FROM worker
      ORDER BY x.tenant_id, x.webhook_id, x.delivery_id LIMIT 1 FOR UPDATE SKIP LOCKED
    ) held
  ));
END
$function$;

CREATE OR REPLACE FUNCTION jobs.retire_default_rows(parent text, before timestamp with time zone, most integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  -- The same limit as that of jobs.retire_partitions.
  kept_from timestamptz := (
    date_trunc('month', identity.not_after_now(now() + interval '100 years') AT TIME ZONE 'UTC') - interval '1 month'
  ) AT TIME ZONE 'UTC';
  removed int;
BEGIN
  IF parent IS NULL OR parent NOT IN ('audit_events', 'scan_findings') THEN
    RAISE EXCEPTION 'rows of % are kept', parent;
  END IF;
  -- Through the parent, whose policy applies. Its time excludes the partitions of later months.
  EXECUTE format(
    'WITH expired AS MATERIALIZED (
       SELECT p.ctid FROM public.%1$I p
       WHERE p.tenant_id = $1 AND p.%2$I < $2 AND p.tableoid = $3 LIMIT $4)
     DELETE FROM public.%1$I p
     WHERE p.tenant_id = $1 AND p.%2$I < $2 AND p.tableoid = $3
       AND p.ctid = ANY (ARRAY(SELECT e.ctid FROM expired e))',
    parent, CASE parent WHEN 'audit_events' THEN 'at' ELSE 'scan_at' END
  )
  USING public.current_tenant(), LEAST(before, kept_from), format('partitions.%I', parent || '_default')::regclass,
    LEAST(GREATEST(most, 0), 10000);
  GET DIAGNOSTICS removed = ROW_COUNT;
  RETURN removed;
END
$function$;

CREATE OR REPLACE FUNCTION jobs.retire_partitions(parent text, before timestamp with time zone)
 RETURNS SETOF text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET lock_timeout TO '2s'
AS $function$
DECLARE
  child text;
  kept_from timestamp := date_trunc('month', identity.not_after_now(now() + interval '100 years') AT TIME ZONE 'UTC') - interval '1 month';
BEGIN
  IF parent IS NULL OR parent NOT IN ('audit_events', 'scan_findings') THEN
    RAISE EXCEPTION 'partitions of % are kept', parent;
  END IF;
  FOR child IN
    SELECT c.relname FROM pg_class c
    JOIN pg_inherits i ON i.inhrelid = c.oid
    WHERE i.inhparent = format('public.%I', parent)::regclass
      AND c.relname ~ (parent || '_\d{4}_\d{2}$')
      AND to_date(right(c.relname, 7), 'YYYY_MM') + interval '1 month' <= LEAST(before AT TIME ZONE 'UTC', kept_from)
    ORDER BY 1
  LOOP
    EXECUTE format('DROP TABLE partitions.%I', child);
    RETURN NEXT child;
  END LOOP;
END
$function$;

CREATE OR REPLACE FUNCTION jobs.tenants()
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT t.id FROM identity.tenants t
  WHERE NOT EXISTS (SELECT 1 FROM cells.standings s WHERE s.tenant_id = t.id AND s.state <> 'active')
  UNION
  SELECT s.tenant_id FROM cells.standings s WHERE s.state = 'active'
$function$;


-- Schema partitions

CREATE OR REPLACE FUNCTION partitions.ensure(since timestamp with time zone, months integer)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
DECLARE
  parent text;
  first_day date := date_trunc('month', since AT TIME ZONE 'UTC')::date;
  from_day date;
  child text;
BEGIN
  FOREACH parent IN ARRAY ARRAY['audit_events', 'scan_findings'] LOOP
    FOR ahead IN 0 .. months - 1 LOOP
      from_day := first_day + make_interval(months => ahead);
      child := parent || to_char(from_day, '_YYYY_MM');
      CONTINUE WHEN to_regclass(format('partitions.%I', child)) IS NOT NULL;
      BEGIN
        EXECUTE format(
          'CREATE TABLE partitions.%I PARTITION OF public.%I FOR VALUES FROM (%L) TO (%L)',
          child, parent,
          from_day::text || ' 00:00:00+00',
          (from_day + interval '1 month')::date::text || ' 00:00:00+00'
        );
        EXECUTE format('ALTER TABLE partitions.%I ENABLE ROW LEVEL SECURITY', child);
        EXECUTE format('ALTER TABLE partitions.%I FORCE ROW LEVEL SECURITY', child);
      EXCEPTION WHEN check_violation THEN
        NULL;
      END;
    END LOOP;
  END LOOP;
END
$function$;


-- Schema public

CREATE OR REPLACE FUNCTION public.current_tenant()
 RETURNS uuid
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid;

CREATE OR REPLACE FUNCTION public.delete_asset_index()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET enable_sort TO 'off'
 SET enable_seqscan TO 'off'
AS $function$
DECLARE
  next record;
BEGIN
  SELECT a.name, a.type INTO next FROM public.inventory_assets a
  WHERE a.tenant_id = OLD.tenant_id AND a.inventory_id = OLD.id ORDER BY a.name, a.type OFFSET 10000 LIMIT 1;
  IF FOUND THEN
    DELETE FROM public.inventory_assets a
    WHERE a.tenant_id = OLD.tenant_id AND a.inventory_id = OLD.id AND (a.name, a.type) < (next.name, next.type);
  ELSE
    DELETE FROM public.inventory_assets a WHERE a.tenant_id = OLD.tenant_id AND a.inventory_id = OLD.id;
  END IF;
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION public.delete_findings()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  DELETE FROM public.findings f WHERE f.tenant_id = OLD.tenant_id AND f.project_id = OLD.id;
  RETURN NULL;
END
$function$;

CREATE TRIGGER delete_asset_index AFTER DELETE ON inventories FOR EACH ROW EXECUTE FUNCTION delete_asset_index();

CREATE TRIGGER note_changed_digest AFTER UPDATE OF due_at ON notification_settings FOR EACH ROW WHEN (new.due_at IS DISTINCT FROM old.due_at) EXECUTE FUNCTION jobs.note_digest();

CREATE TRIGGER note_digest AFTER INSERT OR DELETE ON notification_settings FOR EACH ROW EXECUTE FUNCTION jobs.note_digest();

CREATE TRIGGER only_of_members AFTER INSERT ON notification_settings FOR EACH ROW EXECUTE FUNCTION identity.only_of_members();

CREATE TRIGGER delete_findings AFTER DELETE ON projects FOR EACH ROW EXECUTE FUNCTION delete_findings();

CREATE TRIGGER name_only_members BEFORE INSERT OR UPDATE OF created_by_label ON pulls FOR EACH ROW WHEN (new.created_by_id IS NOT NULL AND new.created_by_label <> 'removed user'::text) EXECUTE FUNCTION identity.name_only_members();

CREATE TRIGGER only_of_members AFTER INSERT ON saved_views FOR EACH ROW WHEN (NOT new.shared) EXECUTE FUNCTION identity.only_of_members();

CREATE TRIGGER only_of_members_unshared AFTER UPDATE OF shared ON saved_views FOR EACH ROW WHEN (old.shared AND NOT new.shared) EXECUTE FUNCTION identity.only_of_members();

CREATE TRIGGER name_only_members BEFORE INSERT OR UPDATE OF created_by_label ON scans FOR EACH ROW WHEN (new.created_by_id IS NOT NULL AND new.created_by_label <> 'removed user'::text) EXECUTE FUNCTION identity.name_only_members();

CREATE TRIGGER note_schedule AFTER INSERT OR DELETE OR UPDATE OF enabled, next_run_at ON schedules FOR EACH ROW EXECUTE FUNCTION jobs.note_schedule();

CREATE TRIGGER name_only_members BEFORE INSERT OR UPDATE OF created_by_label ON sources FOR EACH ROW WHEN (new.created_by_id IS NOT NULL AND new.created_by_label <> 'removed user'::text) EXECUTE FUNCTION identity.name_only_members();

CREATE TRIGGER note_webhook_delivery AFTER INSERT ON webhook_deliveries REFERENCING NEW TABLE AS present FOR EACH STATEMENT EXECUTE FUNCTION jobs.note_webhook_deliveries();

CREATE TRIGGER note_webhook_delivery_change AFTER UPDATE ON webhook_deliveries REFERENCING OLD TABLE AS former NEW TABLE AS present FOR EACH STATEMENT EXECUTE FUNCTION jobs.note_webhook_deliveries();

CREATE TRIGGER note_webhook_delivery_end AFTER DELETE ON webhook_deliveries REFERENCING OLD TABLE AS former FOR EACH STATEMENT EXECUTE FUNCTION jobs.note_webhook_deliveries();

CREATE TRIGGER note_webhook AFTER DELETE OR UPDATE OF failing_since ON webhooks FOR EACH ROW EXECUTE FUNCTION jobs.note_webhook();

ALTER TABLE public.audit_events ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.audit_events FORCE ROW LEVEL SECURITY;

CREATE POLICY tenant_isolation ON public.audit_events AS PERMISSIVE FOR ALL TO public
  USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid))
  WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

ALTER TABLE public.audit_labels ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.audit_labels FORCE ROW LEVEL SECURITY;

CREATE POLICY tenant_isolation ON public.audit_labels AS PERMISSIVE FOR ALL TO public
  USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid))
  WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

ALTER TABLE public.custom_rules ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.custom_rules FORCE ROW LEVEL SECURITY;

CREATE POLICY tenant_isolation ON public.custom_rules AS PERMISSIVE FOR ALL TO public
  USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid))
  WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

ALTER TABLE public.finding_repeats ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.finding_repeats FORCE ROW LEVEL SECURITY;

CREATE POLICY tenant_isolation ON public.finding_repeats AS PERMISSIVE FOR ALL TO public
  USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid))
  WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

ALTER TABLE public.findings ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.findings FORCE ROW LEVEL SECURITY;

CREATE POLICY tenant_isolation ON public.findings AS PERMISSIVE FOR ALL TO public
  USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid))
  WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

ALTER TABLE public.idempotency_records ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.idempotency_records FORCE ROW LEVEL SECURITY;

CREATE POLICY tenant_isolation ON public.idempotency_records AS PERMISSIVE FOR ALL TO public
  USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid))
  WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

ALTER TABLE public.inventories ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.inventories FORCE ROW LEVEL SECURITY;

CREATE POLICY tenant_isolation ON public.inventories AS PERMISSIVE FOR ALL TO public
  USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid))
  WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

ALTER TABLE public.inventory_assets ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.inventory_assets FORCE ROW LEVEL SECURITY;

CREATE POLICY tenant_isolation ON public.inventory_assets AS PERMISSIVE FOR ALL TO public
  USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid))
  WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

ALTER TABLE public.inventory_chunks ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.inventory_chunks FORCE ROW LEVEL SECURITY;

CREATE POLICY tenant_isolation ON public.inventory_chunks AS PERMISSIVE FOR ALL TO public
  USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid))
  WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

ALTER TABLE public.mutes ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.mutes FORCE ROW LEVEL SECURITY;

CREATE POLICY tenant_isolation ON public.mutes AS PERMISSIVE FOR ALL TO public
  USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid))
  WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

ALTER TABLE public.notification_settings ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.notification_settings FORCE ROW LEVEL SECURITY;

CREATE POLICY tenant_isolation ON public.notification_settings AS PERMISSIVE FOR ALL TO public
  USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid))
  WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

ALTER TABLE public.posture_days ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.posture_days FORCE ROW LEVEL SECURITY;

CREATE POLICY tenant_isolation ON public.posture_days AS PERMISSIVE FOR ALL TO public
  USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid))
  WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

ALTER TABLE public.posture_totals ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.posture_totals FORCE ROW LEVEL SECURITY;

CREATE POLICY tenant_isolation ON public.posture_totals AS PERMISSIVE FOR ALL TO public
  USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid))
  WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

ALTER TABLE public.profiles ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.profiles FORCE ROW LEVEL SECURITY;

CREATE POLICY tenant_isolation ON public.profiles AS PERMISSIVE FOR ALL TO public
  USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid))
  WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

ALTER TABLE public.projects ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.projects FORCE ROW LEVEL SECURITY;

CREATE POLICY tenant_isolation ON public.projects AS PERMISSIVE FOR ALL TO public
  USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid))
  WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

ALTER TABLE public.pull_pages ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.pull_pages FORCE ROW LEVEL SECURITY;

CREATE POLICY tenant_isolation ON public.pull_pages AS PERMISSIVE FOR ALL TO public
  USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid))
  WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

ALTER TABLE public.pulls ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.pulls FORCE ROW LEVEL SECURITY;

CREATE POLICY tenant_isolation ON public.pulls AS PERMISSIVE FOR ALL TO public
  USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid))
  WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

ALTER TABLE public.rulesets ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.rulesets FORCE ROW LEVEL SECURITY;

CREATE POLICY tenant_isolation ON public.rulesets AS PERMISSIVE FOR ALL TO public
  USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid))
  WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

ALTER TABLE public.saved_views ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.saved_views FORCE ROW LEVEL SECURITY;

CREATE POLICY tenant_isolation ON public.saved_views AS PERMISSIVE FOR ALL TO public
  USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid))
  WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

ALTER TABLE public.scan_claims ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.scan_claims FORCE ROW LEVEL SECURITY;

CREATE POLICY tenant_isolation ON public.scan_claims AS PERMISSIVE FOR ALL TO public
  USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid))
  WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

ALTER TABLE public.scan_findings ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.scan_findings FORCE ROW LEVEL SECURITY;

CREATE POLICY tenant_isolation ON public.scan_findings AS PERMISSIVE FOR ALL TO public
  USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid))
  WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

ALTER TABLE public.scan_projects ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.scan_projects FORCE ROW LEVEL SECURITY;

CREATE POLICY tenant_isolation ON public.scan_projects AS PERMISSIVE FOR ALL TO public
  USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid))
  WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

ALTER TABLE public.scan_rule_counts ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.scan_rule_counts FORCE ROW LEVEL SECURITY;

CREATE POLICY tenant_isolation ON public.scan_rule_counts AS PERMISSIVE FOR ALL TO public
  USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid))
  WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

ALTER TABLE public.scan_slots ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.scan_slots FORCE ROW LEVEL SECURITY;

CREATE POLICY tenant_isolation ON public.scan_slots AS PERMISSIVE FOR ALL TO public
  USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid))
  WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

ALTER TABLE public.scan_verdicts ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.scan_verdicts FORCE ROW LEVEL SECURITY;

CREATE POLICY tenant_isolation ON public.scan_verdicts AS PERMISSIVE FOR ALL TO public
  USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid))
  WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

ALTER TABLE public.scans ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.scans FORCE ROW LEVEL SECURITY;

CREATE POLICY tenant_isolation ON public.scans AS PERMISSIVE FOR ALL TO public
  USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid))
  WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

ALTER TABLE public.schedules ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.schedules FORCE ROW LEVEL SECURITY;

CREATE POLICY tenant_isolation ON public.schedules AS PERMISSIVE FOR ALL TO public
  USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid))
  WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

ALTER TABLE public.sources ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.sources FORCE ROW LEVEL SECURITY;

CREATE POLICY tenant_isolation ON public.sources AS PERMISSIVE FOR ALL TO public
  USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid))
  WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

ALTER TABLE public.webhook_deliveries ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.webhook_deliveries FORCE ROW LEVEL SECURITY;

CREATE POLICY tenant_isolation ON public.webhook_deliveries AS PERMISSIVE FOR ALL TO public
  USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid))
  WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

ALTER TABLE public.webhook_events ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.webhook_events FORCE ROW LEVEL SECURITY;

CREATE POLICY tenant_isolation ON public.webhook_events AS PERMISSIVE FOR ALL TO public
  USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid))
  WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));

ALTER TABLE public.webhooks ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.webhooks FORCE ROW LEVEL SECURITY;

CREATE POLICY tenant_isolation ON public.webhooks AS PERMISSIVE FOR ALL TO public
  USING ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid))
  WITH CHECK ((tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid));
