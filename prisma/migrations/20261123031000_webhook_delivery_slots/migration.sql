-- Workers listen for new deliveries, so that an event starts at its commit. Postgres sends one notification for each
-- transaction, whatever the number of its deliveries.
CREATE OR REPLACE FUNCTION jobs.note_webhook_delivery() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
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
$$;

-- Leases due deliveries to a worker. A webhook has at most 4 leases at a time, one whose last attempt failed has 1. Each
-- webhook always has its first; the others share 28 of their tenant. So receivers that do not answer hold up themselves and
-- nobody else, and a tenant with 100 webhooks has at most 128 leases. The first of every tenant comes before the second of
-- any, and within a tenant the first of every webhook. The cost grows with the number of webhooks that have something to
-- deliver, not with the number of their deliveries. One caller at a time, so that two of them cannot exceed the limits
-- together.
CREATE OR REPLACE FUNCTION jobs.claim_webhooks(at timestamptz, most int, lease_seconds int)
RETURNS TABLE (tenant_id uuid, webhook_id uuid, delivery_id uuid)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  present CONSTANT timestamptz := identity.not_after_now(at);
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('claim webhooks', 0));
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
  ), leased AS (
    SELECT d.tenant_id, d.webhook_id, count(*) AS held FROM jobs.webhook_dues d
    WHERE d.leased_until > present GROUP BY d.tenant_id, d.webhook_id
  ), ready AS (
    SELECT e.tenant_id, e.webhook_id, d.delivery_id, d.due_at,
           row_number() OVER (PARTITION BY e.tenant_id, e.webhook_id ORDER BY d.due_at, d.delivery_id)
             + COALESCE(l.held, 0) AS turn
    FROM endpoint e
    LEFT JOIN leased l ON l.tenant_id = e.tenant_id AND l.webhook_id = e.webhook_id
    LEFT JOIN jobs.webhook_failing f ON f.tenant_id = e.tenant_id AND f.webhook_id = e.webhook_id
    CROSS JOIN LATERAL (
      SELECT d.delivery_id, d.due_at FROM jobs.webhook_dues d
      WHERE d.tenant_id = e.tenant_id AND d.webhook_id = e.webhook_id AND d.due_at <= present
        AND (d.leased_until IS NULL OR d.leased_until <= present)
      ORDER BY d.due_at LIMIT GREATEST(0, CASE WHEN f.webhook_id IS NULL THEN 4 ELSE 1 END - COALESCE(l.held, 0))
    ) d
  ), tenant AS (
    SELECT l.tenant_id, sum(l.held) AS held, sum(l.held - 1) AS shared FROM leased l GROUP BY l.tenant_id
  ), placed AS (
    SELECT r.*,
           row_number() OVER (PARTITION BY r.tenant_id ORDER BY r.turn, r.due_at, r.delivery_id) + COALESCE(t.held, 0) AS place,
           row_number() OVER (PARTITION BY r.tenant_id, r.turn = 1 ORDER BY r.turn, r.due_at, r.delivery_id)
             + COALESCE(t.shared, 0) AS share
    FROM ready r LEFT JOIN tenant t ON t.tenant_id = r.tenant_id
  ), chosen AS (
    SELECT p.tenant_id, p.webhook_id, p.delivery_id FROM placed p
    WHERE p.turn = 1 OR p.share <= 28 ORDER BY p.place, p.due_at, p.delivery_id LIMIT LEAST(GREATEST(most, 1), 512)
  )
  UPDATE jobs.webhook_dues d
  SET leased_until = present + make_interval(secs => LEAST(GREATEST(lease_seconds, 1), 300))
  FROM chosen c
  WHERE d.tenant_id = c.tenant_id AND d.webhook_id = c.webhook_id AND d.delivery_id = c.delivery_id
  RETURNING d.tenant_id, d.webhook_id, d.delivery_id;
END
$$;
