-- Renews the statistics of tables that have doubled since they were last collected. Autovacuum does so within a minute. Until then,
-- statements that were planned while a table was empty can read all rows of a tenant for each row that they look up.
CREATE FUNCTION jobs.analyze_grown() RETURNS SETOF text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  least_pages CONSTANT bigint := 64;
  grown regclass;
BEGIN
  FOR grown IN
    SELECT c.oid FROM pg_class c
    WHERE c.relkind = 'r' AND c.relnamespace IN ('public'::regnamespace, 'partitions'::regnamespace)
      AND pg_relation_size(c.oid) / current_setting('block_size')::bigint > GREATEST(least_pages, 2 * c.relpages)
    ORDER BY c.oid
  LOOP
    EXECUTE format('ANALYZE (SKIP_LOCKED) %s', grown);
    RETURN NEXT grown::text;
  END LOOP;
END
$$;
