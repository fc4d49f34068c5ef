-- The first entry of every tenant before the second of any, tenants in random order: entries of a cell that is away stay, and
-- there may be more of them than are read at a time.
CREATE OR REPLACE FUNCTION cells.waiting(most integer)
RETURNS TABLE (id bigint, tenant_id uuid, kind text, detail jsonb, at timestamptz)
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT o.id, o.tenant_id, o.kind, o.detail, o.at
  FROM (SELECT e.*, row_number() OVER (PARTITION BY e.tenant_id ORDER BY e.id) AS place FROM cells.outbox e) o
  ORDER BY o.place, random() LIMIT LEAST(GREATEST(most, 1), 1000)
$$;
