-- Renews statistics that would mislead the planner, and returns the names of the analyzed tables: those that have doubled since
-- their statistics were collected, and those in which the planner expects few rows of this tenant where it has many. Every
-- index of `findings` begins with the tenant; a planner that expects one row of a tenant takes any of them to look a finding up by
-- its id, and then reads all findings of the tenant. Autovacuum waits until a tenth of all rows has changed.
CREATE FUNCTION jobs.analyze_grown() RETURNS SETOF text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
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
$$;
