-- As before, but looks each row up by the primary key; without sorts, only that has the order of the lookup. A join of 2,000 leases
-- may read all of them for each row of webhook_dues. Rows that another transaction is changing are skipped: the worker would wait
-- while a tenant ends its deliveries. If they are not ended, their leases end by themselves.
CREATE OR REPLACE FUNCTION jobs.release_deliveries(worker int, tenants uuid[], webhooks uuid[], deliveries uuid[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_sort = off SET enable_incremental_sort = off
AS $$
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
$$;
