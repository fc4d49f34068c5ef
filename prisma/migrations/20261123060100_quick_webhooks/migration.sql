-- Leases due deliveries to a worker, which names the webhooks whose receivers answer it quickly. A webhook has at most 4
-- leases at a time, a quick one 16, and one whose last attempt failed 1. Each webhook always has its first. The others share
-- 28 of their tenant, and those of quick webhooks another 100. So receivers that hang hold up themselves and nobody else, and
-- those that answer are not held back by them. The first of every tenant comes before the second of any, and within a tenant the first of every webhook.
-- The cost grows with the number of webhooks that have something to deliver, not with the number of their deliveries. One
-- caller at a time, so that two of them cannot exceed the limits together. Workers of earlier releases use claim_webhooks.
CREATE FUNCTION jobs.claim_deliveries(at timestamptz, most int, lease_seconds int, quick uuid[])
RETURNS TABLE (tenant_id uuid, webhook_id uuid, delivery_id uuid)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  present CONSTANT timestamptz := identity.not_after_now(at);
BEGIN
  IF cardinality(quick) > 1000 THEN
    RAISE EXCEPTION 'too many quick webhooks' USING ERRCODE = 'program_limit_exceeded';
  END IF;
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
  ), answering AS (
    SELECT DISTINCT q.id FROM unnest(quick) q(id)
  ), leased AS (
    SELECT d.tenant_id, d.webhook_id, count(*) AS held FROM jobs.webhook_dues d
    WHERE d.leased_until > present GROUP BY d.tenant_id, d.webhook_id
  ), ready AS (
    SELECT e.tenant_id, e.webhook_id, d.delivery_id, d.due_at, a.id IS NOT NULL AS is_quick,
           row_number() OVER (PARTITION BY e.tenant_id, e.webhook_id ORDER BY d.due_at, d.delivery_id)
             + COALESCE(l.held, 0) AS turn
    FROM endpoint e
    LEFT JOIN leased l ON l.tenant_id = e.tenant_id AND l.webhook_id = e.webhook_id
    LEFT JOIN jobs.webhook_failing f ON f.tenant_id = e.tenant_id AND f.webhook_id = e.webhook_id
    LEFT JOIN answering a ON a.id = e.webhook_id AND f.webhook_id IS NULL
    CROSS JOIN LATERAL (
      SELECT d.delivery_id, d.due_at FROM jobs.webhook_dues d
      WHERE d.tenant_id = e.tenant_id AND d.webhook_id = e.webhook_id AND d.due_at <= present
        AND (d.leased_until IS NULL OR d.leased_until <= present)
      ORDER BY d.due_at LIMIT GREATEST(0, CASE
        WHEN f.webhook_id IS NOT NULL THEN 1 WHEN a.id IS NOT NULL THEN 16 ELSE 4
      END - COALESCE(l.held, 0))
    ) d
  ), tenant AS (
    SELECT l.tenant_id, sum(l.held) AS held,
           sum(l.held - 1) FILTER (WHERE a.id IS NULL) AS shared,
           sum(l.held - 1) FILTER (WHERE a.id IS NOT NULL) AS shared_by_quick
    FROM leased l LEFT JOIN answering a ON a.id = l.webhook_id GROUP BY l.tenant_id
  ), placed AS (
    SELECT r.*,
           row_number() OVER (PARTITION BY r.tenant_id ORDER BY r.turn, r.due_at, r.delivery_id) + COALESCE(t.held, 0) AS place,
           row_number() OVER (PARTITION BY r.tenant_id, r.turn = 1, r.is_quick ORDER BY r.turn, r.due_at, r.delivery_id)
             + COALESCE(CASE WHEN r.is_quick THEN t.shared_by_quick ELSE t.shared END, 0) AS share
    FROM ready r LEFT JOIN tenant t ON t.tenant_id = r.tenant_id
  ), chosen AS (
    SELECT p.tenant_id, p.webhook_id, p.delivery_id FROM placed p
    WHERE p.turn = 1 OR p.share <= CASE WHEN p.is_quick THEN 100 ELSE 28 END
    ORDER BY p.place, p.due_at, p.delivery_id LIMIT LEAST(GREATEST(most, 1), 512)
  )
  UPDATE jobs.webhook_dues d
  SET leased_until = present + make_interval(secs => LEAST(GREATEST(lease_seconds, 1), 300))
  FROM chosen c
  WHERE d.tenant_id = c.tenant_id AND d.webhook_id = c.webhook_id AND d.delivery_id = c.delivery_id
  RETURNING d.tenant_id, d.webhook_id, d.delivery_id;
END
$$;
