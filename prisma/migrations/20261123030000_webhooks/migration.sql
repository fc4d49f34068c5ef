-- Webhooks: events that are sent to the URLs of tenants.
-- CreateTable
CREATE TABLE "webhooks" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "url" TEXT NOT NULL,
    "events" TEXT[],
    "description" TEXT NOT NULL,
    "format" TEXT NOT NULL,
    "enabled" BOOLEAN NOT NULL,
    "secret" BYTEA NOT NULL,
    "previous_secret" BYTEA,
    "previous_secret_until" TIMESTAMPTZ(3),
    "failing_since" TIMESTAMPTZ(3),
    "disabled_code" TEXT,
    "disabled_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "webhooks_pkey" PRIMARY KEY ("tenant_id","id")
);

-- CreateTable
CREATE TABLE "webhook_events" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "type" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "webhook_events_pkey" PRIMARY KEY ("tenant_id","id")
);

-- CreateTable
CREATE TABLE "webhook_deliveries" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "webhook_id" UUID NOT NULL,
    "event_id" UUID NOT NULL,
    "status" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3),
    "history" JSONB NOT NULL DEFAULT '[]',
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "webhook_deliveries_pkey" PRIMARY KEY ("tenant_id","id")
);

-- CreateTable
CREATE TABLE "jobs"."webhook_dues" (
    "tenant_id" UUID NOT NULL,
    "webhook_id" UUID NOT NULL,
    "delivery_id" UUID NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "leased_until" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_dues_pkey" PRIMARY KEY ("tenant_id","webhook_id","delivery_id")
);

-- CreateTable
CREATE TABLE "jobs"."webhook_failing" (
    "tenant_id" UUID NOT NULL,
    "webhook_id" UUID NOT NULL,

    CONSTRAINT "webhook_failing_pkey" PRIMARY KEY ("tenant_id","webhook_id")
);

-- CreateIndex
CREATE INDEX "webhook_events_tenant_id_created_at_idx" ON "webhook_events"("tenant_id", "created_at");

-- CreateIndex
CREATE INDEX "webhook_deliveries_tenant_id_webhook_id_id_idx" ON "webhook_deliveries"("tenant_id", "webhook_id", "id" DESC);

-- CreateIndex
CREATE INDEX "webhook_deliveries_tenant_id_created_at_idx" ON "webhook_deliveries"("tenant_id", "created_at");

-- CreateIndex
CREATE INDEX "webhook_deliveries_tenant_id_event_id_idx" ON "webhook_deliveries"("tenant_id", "event_id");

-- CreateIndex
CREATE INDEX "webhook_dues_tenant_id_webhook_id_due_at_idx" ON "jobs"."webhook_dues"("tenant_id", "webhook_id", "due_at");

-- CreateIndex
CREATE INDEX "webhook_dues_leased_until_idx" ON "jobs"."webhook_dues"("leased_until");

-- Row-level security: a connection sees the rows of its tenant only. Migration grants rights from grants.ts.
ALTER TABLE public.webhooks ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.webhooks FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_isolation ON public.webhooks FOR ALL
  USING (tenant_id = NULLIF(current_setting('app.tenant_id', true), '')::uuid)
  WITH CHECK (tenant_id = NULLIF(current_setting('app.tenant_id', true), '')::uuid);
ALTER TABLE public.webhook_events ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.webhook_events FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_isolation ON public.webhook_events FOR ALL
  USING (tenant_id = NULLIF(current_setting('app.tenant_id', true), '')::uuid)
  WITH CHECK (tenant_id = NULLIF(current_setting('app.tenant_id', true), '')::uuid);
ALTER TABLE public.webhook_deliveries ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.webhook_deliveries FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_isolation ON public.webhook_deliveries FOR ALL
  USING (tenant_id = NULLIF(current_setting('app.tenant_id', true), '')::uuid)
  WITH CHECK (tenant_id = NULLIF(current_setting('app.tenant_id', true), '')::uuid);

-- A worker is bound to no tenant when it looks for what is due, so it sees no delivery. These tables tell it the ids alone.
CREATE FUNCTION jobs.note_webhook_delivery() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF TG_OP <> 'DELETE' AND NEW.status = 'pending' AND NEW.next_attempt_at IS NOT NULL THEN
    INSERT INTO jobs.webhook_dues (tenant_id, webhook_id, delivery_id, due_at)
    VALUES (NEW.tenant_id, NEW.webhook_id, NEW.id, NEW.next_attempt_at)
    ON CONFLICT (tenant_id, webhook_id, delivery_id) DO UPDATE SET due_at = EXCLUDED.due_at, leased_until = NULL;
  ELSIF TG_OP <> 'INSERT' THEN
    DELETE FROM jobs.webhook_dues d
    WHERE d.tenant_id = OLD.tenant_id AND d.webhook_id = OLD.webhook_id AND d.delivery_id = OLD.id;
  END IF;
  RETURN NULL;
END
$$;

CREATE TRIGGER note_webhook_delivery AFTER INSERT OR UPDATE OF status, next_attempt_at OR DELETE
  ON public.webhook_deliveries FOR EACH ROW EXECUTE FUNCTION jobs.note_webhook_delivery();

CREATE FUNCTION jobs.note_webhook() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND NEW.failing_since IS NOT NULL THEN
    INSERT INTO jobs.webhook_failing (tenant_id, webhook_id) VALUES (NEW.tenant_id, NEW.id) ON CONFLICT DO NOTHING;
  ELSE
    DELETE FROM jobs.webhook_failing f WHERE f.tenant_id = OLD.tenant_id AND f.webhook_id = OLD.id;
  END IF;
  RETURN NULL;
END
$$;

CREATE TRIGGER note_webhook AFTER UPDATE OF failing_since OR DELETE ON public.webhooks
  FOR EACH ROW EXECUTE FUNCTION jobs.note_webhook();

-- Leases due deliveries to a worker. A webhook has at most 4 leases at a time, one whose last attempt failed has 1, and a
-- tenant has 64: receivers that do not answer hold up themselves. The first of every tenant comes before the second of any,
-- and within a tenant the first of every webhook. The cost grows with the number of webhooks that have something to deliver,
-- not with the number of their deliveries. One caller at a time, so that two of them cannot exceed the limits together.
CREATE FUNCTION jobs.claim_webhooks(at timestamptz, most int, lease_seconds int)
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
  ), placed AS (
    SELECT r.*,
           row_number() OVER (PARTITION BY r.tenant_id ORDER BY r.turn, r.due_at, r.delivery_id) + COALESCE(t.held, 0) AS place
    FROM ready r
    LEFT JOIN (SELECT l.tenant_id, sum(l.held) AS held FROM leased l GROUP BY l.tenant_id) t ON t.tenant_id = r.tenant_id
  ), chosen AS (
    SELECT p.tenant_id, p.webhook_id, p.delivery_id FROM placed p
    WHERE p.place <= 64 ORDER BY p.place, p.due_at, p.delivery_id LIMIT LEAST(GREATEST(most, 1), 256)
  )
  UPDATE jobs.webhook_dues d
  SET leased_until = present + make_interval(secs => LEAST(GREATEST(lease_seconds, 1), 300))
  FROM chosen c
  WHERE d.tenant_id = c.tenant_id AND d.webhook_id = c.webhook_id AND d.delivery_id = c.delivery_id
  RETURNING d.tenant_id, d.webhook_id, d.delivery_id;
END
$$;
