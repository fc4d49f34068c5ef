-- As before, but looks at webhooks with deliveries that are due only. An attempt that becomes due is noted by the next claim.
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

-- As before, but notes which deliveries wait for another attempt.
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
