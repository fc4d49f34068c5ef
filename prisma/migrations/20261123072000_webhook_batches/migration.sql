-- Delivers webhooks in batches: one statement moves many deliveries, and changes few pages and no index.

-- The worker that has the lease: the number of an advisory lock that its listening connection holds. When the process is
-- killed, Postgres releases the lock, and the lease is worth nothing. Null: a worker of an earlier release, or of a test.
ALTER TABLE jobs.webhook_dues ADD COLUMN leased_by integer;

-- Until when. It replaces leased_until, which has an index: each lease wrote an entry there, and each look for leases read
-- those of deliveries that had ended. What release 0.1.0 leased before this migration stays leased.
ALTER TABLE jobs.webhook_dues ADD COLUMN held_until timestamptz(3);

-- Room in each page, so that a lease and an outcome change no index.
ALTER TABLE jobs.webhook_dues SET (fillfactor = 50);
ALTER TABLE public.webhook_deliveries SET (fillfactor = 50);

-- Keeps webhook_dues, once for each statement. Joins by the primary key only: what the planner knows of these tables is
-- often that they are empty.
CREATE FUNCTION jobs.note_webhook_deliveries() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off
AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    DELETE FROM jobs.webhook_dues d USING former f
    WHERE d.tenant_id = f.tenant_id AND d.webhook_id = f.webhook_id AND d.delivery_id = f.id;
    RETURN NULL;
  END IF;
  IF TG_OP = 'UPDATE' THEN
    DELETE FROM jobs.webhook_dues d USING present p
    WHERE d.tenant_id = p.tenant_id AND d.webhook_id = p.webhook_id AND d.delivery_id = p.id
      AND NOT (p.status = 'pending' AND p.next_attempt_at IS NOT NULL);
    INSERT INTO jobs.webhook_dues (tenant_id, webhook_id, delivery_id, due_at)
    SELECT p.tenant_id, p.webhook_id, p.id, p.next_attempt_at FROM present p
    WHERE p.status = 'pending' AND p.next_attempt_at IS NOT NULL
    ON CONFLICT (tenant_id, webhook_id, delivery_id)
      DO UPDATE SET due_at = EXCLUDED.due_at, leased_until = NULL, held_until = NULL, leased_by = NULL;
    -- Not for another attempt, which is due later. The first condition spares outcomes the join of both.
    IF EXISTS (SELECT 1 FROM former f WHERE f.status <> 'pending') AND EXISTS (
      SELECT 1 FROM present p JOIN former f ON f.tenant_id = p.tenant_id AND f.id = p.id
      WHERE p.status = 'pending' AND f.status <> 'pending'
    ) THEN
      PERFORM pg_notify('webhook_dues', '');
    END IF;
    RETURN NULL;
  END IF;
  INSERT INTO jobs.webhook_dues (tenant_id, webhook_id, delivery_id, due_at)
  SELECT p.tenant_id, p.webhook_id, p.id, p.next_attempt_at FROM present p
  WHERE p.status = 'pending' AND p.next_attempt_at IS NOT NULL;
  IF FOUND THEN
    PERFORM pg_notify('webhook_dues', '');
  END IF;
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER note_webhook_delivery AFTER INSERT ON public.webhook_deliveries
  REFERENCING NEW TABLE AS present FOR EACH STATEMENT EXECUTE FUNCTION jobs.note_webhook_deliveries();
CREATE TRIGGER note_webhook_delivery_change AFTER UPDATE ON public.webhook_deliveries
  REFERENCING OLD TABLE AS former NEW TABLE AS present FOR EACH STATEMENT EXECUTE FUNCTION jobs.note_webhook_deliveries();
CREATE TRIGGER note_webhook_delivery_end AFTER DELETE ON public.webhook_deliveries
  REFERENCING OLD TABLE AS former FOR EACH STATEMENT EXECUTE FUNCTION jobs.note_webhook_deliveries();

-- Leases due deliveries to a worker, which names the webhooks whose receivers answer it quickly. A webhook has at most 4
-- leases at a time, a quick one 32, of which its worker attempts 16 at a time, and one whose last attempt failed 1. Each
-- webhook always has its first. The others share 28 of their tenant, and those of quick webhooks another 1000. So receivers
-- that hang hold up themselves and nobody else. The first of every tenant comes before the second of any, and within a
-- tenant the first of every webhook. The leases of a webhook are those among its earliest deliveries, which are leased
-- first; so the cost grows with the number of webhooks that have something to deliver, and not with the number of their
-- deliveries. One caller at a time, so that two of them cannot exceed the limits together.
CREATE FUNCTION jobs.lease_deliveries(at timestamptz, most int, lease_seconds int, quick uuid[], worker int)
RETURNS TABLE (tenant_id uuid, webhook_id uuid, delivery_id uuid)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
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
  RETURN QUERY
  WITH RECURSIVE endpoint AS (
    (SELECT d.tenant_id, d.webhook_id FROM jobs.webhook_dues d ORDER BY d.tenant_id, d.webhook_id LIMIT 1)
    UNION ALL
    SELECT n.tenant_id, n.webhook_id
    FROM endpoint e CROSS JOIN LATERAL (
      SELECT d.tenant_id, d.webhook_id FROM jobs.webhook_dues d
      WHERE (d.tenant_id, d.webhook_id) > (e.tenant_id, e.webhook_id)
      ORDER BY d.tenant_id, d.webhook_id LIMIT 1
    ) n
  ), webhook AS MATERIALIZED (
    SELECT e.tenant_id, e.webhook_id, f.webhook_id IS NULL AND e.webhook_id = ANY(quick) AS is_quick,
           CASE WHEN f.webhook_id IS NOT NULL THEN 1 WHEN e.webhook_id = ANY(quick) THEN 32 ELSE 4 END AS most_leases
    FROM endpoint e
    LEFT JOIN jobs.webhook_failing f ON f.tenant_id = e.tenant_id AND f.webhook_id = e.webhook_id
  ), seen AS MATERIALIZED (
    SELECT w.tenant_id, w.webhook_id, w.is_quick, w.most_leases, d.delivery_id, d.due_at,
           COALESCE(d.held_until > present AND (d.leased_by IS NULL OR d.leased_by = ANY(alive)), false)
             OR COALESCE(d.leased_until > present, false) AS is_leased
    FROM webhook w CROSS JOIN LATERAL (
      SELECT d.delivery_id, d.due_at, d.held_until, d.leased_until, d.leased_by FROM jobs.webhook_dues d
      WHERE d.tenant_id = w.tenant_id AND d.webhook_id = w.webhook_id AND d.due_at <= present
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
    SELECT s.tenant_id, s.webhook_id, s.delivery_id, s.due_at, s.is_quick, s.most_leases,
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
    SELECT p.tenant_id, p.webhook_id, p.delivery_id FROM placed p
    WHERE p.turn = 1 OR p.share <= CASE WHEN p.is_quick THEN 1000 ELSE 28 END
    ORDER BY p.place, p.due_at, p.delivery_id LIMIT LEAST(GREATEST(most, 1), 2048)
  )
  UPDATE jobs.webhook_dues d
  SET held_until = present + make_interval(secs => LEAST(GREATEST(lease_seconds, 1), 300)), leased_by = worker
  FROM chosen c
  WHERE d.tenant_id = c.tenant_id AND d.webhook_id = c.webhook_id AND d.delivery_id = c.delivery_id
  RETURNING d.tenant_id, d.webhook_id, d.delivery_id;
END
$$;

-- Gives leases back that their worker has not used.
CREATE FUNCTION jobs.release_deliveries(worker int, tenants uuid[], webhooks uuid[], deliveries uuid[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF cardinality(deliveries) > 5000 THEN
    RAISE EXCEPTION 'too many deliveries' USING ERRCODE = 'program_limit_exceeded';
  END IF;
  UPDATE jobs.webhook_dues d SET held_until = NULL, leased_by = NULL
  FROM unnest(tenants, webhooks, deliveries) u(tenant_id, webhook_id, delivery_id)
  WHERE d.tenant_id = u.tenant_id AND d.webhook_id = u.webhook_id AND d.delivery_id = u.delivery_id
    AND d.leased_by IS NOT DISTINCT FROM worker;
END
$$;

-- That of workers of release 0.1.0, with their limits and the leases of both.
CREATE OR REPLACE FUNCTION jobs.claim_webhooks(at timestamptz, most int, lease_seconds int)
RETURNS TABLE (tenant_id uuid, webhook_id uuid, delivery_id uuid)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  RETURN QUERY SELECT l.tenant_id, l.webhook_id, l.delivery_id
    FROM jobs.lease_deliveries(at, LEAST(most, 512), lease_seconds, '{}', NULL) l;
END
$$;

-- No release has used it.
DROP FUNCTION jobs.claim_deliveries(timestamptz, int, int, uuid[]);
