-- Deletes expired rows of the tenant from the default partition, which is never dropped: it has the rows of months that had no
-- partition when they were written. jobs.retire_partitions drops the others.
CREATE FUNCTION jobs.retire_default_rows(parent text, before timestamptz, most int) RETURNS int
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  -- The same limit as that of jobs.retire_partitions.
  kept_from timestamptz := (
    date_trunc('month', identity.not_after_now(now() + interval '100 years') AT TIME ZONE 'UTC') - interval '1 month'
  ) AT TIME ZONE 'UTC';
  removed int;
BEGIN
  IF parent IS NULL OR parent NOT IN ('audit_events', 'scan_findings') THEN
    RAISE EXCEPTION 'rows of % are kept', parent;
  END IF;
  -- Through the parent, whose policy applies. Its time excludes the partitions of later months.
  EXECUTE format(
    'WITH expired AS MATERIALIZED (
       SELECT p.ctid FROM public.%1$I p
       WHERE p.tenant_id = $1 AND p.%2$I < $2 AND p.tableoid = $3 LIMIT $4)
     DELETE FROM public.%1$I p
     WHERE p.tenant_id = $1 AND p.%2$I < $2 AND p.tableoid = $3
       AND p.ctid = ANY (ARRAY(SELECT e.ctid FROM expired e))',
    parent, CASE parent WHEN 'audit_events' THEN 'at' ELSE 'scan_at' END
  )
  USING public.current_tenant(), LEAST(before, kept_from), format('partitions.%I', parent || '_default')::regclass,
    LEAST(GREATEST(most, 0), 10000);
  GET DIAGNOSTICS removed = ROW_COUNT;
  RETURN removed;
END
$$;
