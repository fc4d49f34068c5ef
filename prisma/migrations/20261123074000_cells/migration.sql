-- Tenants on several databases (docs/decisions/0068). Every database has these objects. Without `DATABASE_CELLS` nothing
-- uses them, and no table has their triggers: the first start with `DATABASE_CELLS` creates those.
CREATE SCHEMA cells;

-- In the directory database: where the rows of a tenant are. No row: in the directory database itself.
CREATE TABLE cells.placements (
  tenant_id uuid        PRIMARY KEY,
  cell      text        NOT NULL,
  placed_at timestamptz NOT NULL DEFAULT now()
);

-- In the directory database: moves that have not ended. `copying` until the directory names the new cell, `switched` after.
CREATE TABLE cells.moves (
  tenant_id  uuid        PRIMARY KEY,
  from_cell  text        NOT NULL,
  to_cell    text        NOT NULL,
  step       text        NOT NULL CHECK (step IN ('copying', 'switched')),
  started_at timestamptz NOT NULL DEFAULT now()
);

-- In each database: whether the rows of a tenant may be used here. No row: yes in the directory database, no elsewhere.
-- A fence ends by itself at `until`, so that a move that was killed does not keep a tenant from writing.
CREATE TABLE cells.standings (
  tenant_id uuid        PRIMARY KEY,
  state     text        NOT NULL CHECK (state IN ('active', 'fenced', 'arriving', 'gone')),
  until     timestamptz
);

-- In the database that a tenant leaves: the keys of rows that were written during the move.
CREATE TABLE cells.changes (
  id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id uuid   NOT NULL,
  relation  text   NOT NULL,
  key       jsonb  NOT NULL
);
CREATE INDEX changes_tenant_id_id_idx ON cells.changes (tenant_id, id);

-- In the database that a tenant moves to: how far each table is copied.
CREATE TABLE cells.copied (
  tenant_id uuid    NOT NULL,
  relation  text    NOT NULL,
  last      jsonb,
  done      boolean NOT NULL DEFAULT false,
  PRIMARY KEY (tenant_id, relation)
);

-- In the directory database: effects of changes to identities on the rows of tenants elsewhere, until they are applied.
CREATE TABLE cells.outbox (
  id        bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id uuid        NOT NULL,
  kind      text        NOT NULL CHECK (kind IN ('event', 'erasure')),
  detail    jsonb       NOT NULL,
  at        timestamptz NOT NULL DEFAULT now()
);

CREATE FUNCTION cells.cell_of(of_tenant uuid) RETURNS TABLE (cell text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT p.cell FROM cells.placements p WHERE p.tenant_id = of_tenant
$$;

-- The state of the connection's tenant in this database, for reads.
CREATE FUNCTION cells.standing(at_home boolean) RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT COALESCE(
    (SELECT CASE WHEN s.state = 'fenced' AND s.until <= clock_timestamp() THEN 'active' ELSE s.state END
     FROM cells.standings s WHERE s.tenant_id = public.current_tenant()),
    CASE WHEN at_home THEN 'active' ELSE 'absent' END
  )
$$;

-- The same for writes. The lock lasts until the transaction ends: a fence waits for all transactions that began before it.
CREATE FUNCTION cells.enter(at_home boolean) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(hashtextextended('cell ' || public.current_tenant()::text, 0));
  RETURN cells.standing(at_home);
END
$$;

-- Refuses statements that write a tenant's rows where they may not be written, whoever sends them.
CREATE FUNCTION cells.guard() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
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
$$;

-- Notes the keys of written rows. Arguments: the tenant, the table, and an expression that makes the key of a row `$1`.
CREATE FUNCTION cells.capture() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET timezone = 'UTC' AS $$
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
$$;

-- Serializes as identity.lock_tenant does, in a database without the tenant's row there.
CREATE FUNCTION cells.lock_tenant() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('lock tenant ' || public.current_tenant()::text, 0));
END
$$;

-- As identity.note_label, for a person of whom the server has asked the directory whether they are a member.
CREATE FUNCTION cells.note_label(actor uuid, actor_label text) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
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
$$;

-- The tenant as the server has just read it from the directory.
CREATE FUNCTION cells.this_tenant() RETURNS TABLE (id uuid, name text, features text[], settings jsonb)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT t.id, t.name, t.features, t.settings
  FROM jsonb_to_record(NULLIF(current_setting('cells.tenant', true), '')::jsonb)
    AS t (id uuid, name text, features text[], settings jsonb)
  WHERE t.id = public.current_tenant()
$$;

-- Erases a removed member from the rows of the connection's tenant, as identity.remove_member and the server do at home.
CREATE FUNCTION cells.erase_member(of_user uuid) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  DELETE FROM public.audit_labels l WHERE l.tenant_id = public.current_tenant() AND l.actor_id = of_user;
  UPDATE public.scans s SET created_by_label = 'removed user'
  WHERE s.tenant_id = public.current_tenant() AND s.created_by_id = of_user AND s.created_by_label <> 'removed user';
  DELETE FROM public.saved_views v
  WHERE v.tenant_id = public.current_tenant() AND v.owner_id = of_user AND NOT v.shared;
  DELETE FROM public.notification_settings n WHERE n.tenant_id = public.current_tenant() AND n.user_id = of_user;
$$;

-- Keeps an event for the database of the connection's tenant. False: the tenant is at home, and nothing is kept.
CREATE FUNCTION cells.forward_event(event jsonb) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF cells.enter(true) IN ('active', 'fenced') THEN RETURN false; END IF;
  IF octet_length(event::text) > 262144 THEN
    RAISE EXCEPTION 'the event is too large' USING ERRCODE = 'program_limit_exceeded';
  END IF;
  INSERT INTO cells.outbox (tenant_id, kind, detail) VALUES (public.current_tenant(), 'event', event);
  RETURN true;
END
$$;

CREATE FUNCTION cells.note_removal() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM cells.standings s WHERE s.tenant_id = OLD.tenant_id AND s.state <> 'active') THEN
    INSERT INTO cells.outbox (tenant_id, kind, detail)
    VALUES (OLD.tenant_id, 'erasure', jsonb_build_object('userId', OLD.user_id));
  END IF;
  RETURN NULL;
END
$$;

-- For the courier, which applies them at the tenant's cell. Nobody else reads or removes entries.
CREATE FUNCTION cells.waiting(most integer) RETURNS TABLE (id bigint, tenant_id uuid, kind text, detail jsonb, at timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT o.id, o.tenant_id, o.kind, o.detail, o.at FROM cells.outbox o ORDER BY o.id LIMIT LEAST(GREATEST(most, 1), 1000)
$$;

-- An erasure is kept and repeated for two minutes: a request of that person may still have been running.
CREATE FUNCTION cells.delivered(entry bigint) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  DELETE FROM cells.outbox o WHERE o.id = entry AND (o.kind = 'event' OR o.at < now() - interval '2 minutes')
$$;

-- Fills the tables of what is due from the tenant's rows, or empties them.
CREATE FUNCTION cells.rebuild_dues(of_tenant uuid, is_here boolean) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
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
$$;

-- The tenants whose rows are here: those that daily work visits.
CREATE OR REPLACE FUNCTION jobs.tenants() RETURNS SETOF uuid
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT t.id FROM identity.tenants t
  WHERE NOT EXISTS (SELECT 1 FROM cells.standings s WHERE s.tenant_id = t.id AND s.state <> 'active')
  UNION
  SELECT s.tenant_id FROM cells.standings s WHERE s.state = 'active'
$$;
