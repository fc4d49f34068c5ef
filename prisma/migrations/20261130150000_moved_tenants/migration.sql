-- The tenants with rows in another database. What operations on identities recorded about them is here, and expires here. The
-- database of a cell has none: its schema identity is empty.
CREATE FUNCTION jobs.moved_tenants() RETURNS SETOF uuid
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT s.tenant_id FROM cells.standings s
  WHERE s.state = 'gone' AND EXISTS (SELECT FROM identity.tenants t WHERE t.id = s.tenant_id)
$$;
