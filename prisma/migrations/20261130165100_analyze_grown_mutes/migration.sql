-- Renews the statistics of `mutes` if they would mislead the planner, as jobs.analyze_grown does for all tables after scans, and returns
-- whether it did: if the table has doubled since, or if the planner expects few mutes of this tenant where it has many. A bulk mute calls
-- it before it commits. Until autovacuum did so, the planner would read all mutes of the tenant for each finding of a list.
CREATE FUNCTION jobs.analyze_grown_mutes() RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  least_pages CONSTANT bigint := 64;
  few_rows CONSTANT float := 100;
  many_rows CONSTANT integer := 1000;
  least_age CONSTANT interval := interval '10 seconds';
  mutes CONSTANT regclass := 'public.mutes';
  tenant CONSTANT uuid := public.current_tenant();
  size CONSTANT bigint := pg_relation_size(mutes) / current_setting('block_size')::bigint;
  analyzed_at timestamptz;
  plan json;
BEGIN
  IF size <= least_pages THEN RETURN false; END IF;
  IF size <= 2 * (SELECT c.relpages FROM pg_class c WHERE c.oid = mutes) THEN
    analyzed_at := GREATEST(pg_stat_get_last_analyze_time(mutes), pg_stat_get_last_autoanalyze_time(mutes));
    IF tenant IS NULL OR analyzed_at >= now() - least_age THEN RETURN false; END IF;
    EXECUTE format('EXPLAIN (FORMAT JSON) SELECT FROM public.mutes WHERE tenant_id = %L', tenant) INTO plan;
    IF (plan -> 0 -> 'Plan' ->> 'Plan Rows')::float >= few_rows
      OR NOT EXISTS (SELECT FROM public.mutes m WHERE m.tenant_id = tenant OFFSET many_rows) THEN
      RETURN false;
    END IF;
  END IF;
  ANALYZE (SKIP_LOCKED) public.mutes;
  RETURN true;
END
$$;
