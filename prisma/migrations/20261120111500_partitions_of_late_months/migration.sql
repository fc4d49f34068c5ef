-- Makes the partitions from the month of `since` for `months` months. Safe to call again; the server does at each start.
-- A month that has begun to fill the default partition, because a server ran on for longer than its months ahead, stays
-- there: Postgres makes no partition for rows that lie in the default one, and a start must not fail for it.
CREATE OR REPLACE FUNCTION partitions.ensure(since timestamptz, months int) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  parent text;
  first_day date := date_trunc('month', since AT TIME ZONE 'UTC')::date;
  from_day date;
  child text;
BEGIN
  FOREACH parent IN ARRAY ARRAY['audit_events', 'scan_findings'] LOOP
    FOR ahead IN 0 .. months - 1 LOOP
      from_day := first_day + make_interval(months => ahead);
      child := parent || to_char(from_day, '_YYYY_MM');
      CONTINUE WHEN to_regclass(format('partitions.%I', child)) IS NOT NULL;
      BEGIN
        EXECUTE format(
          'CREATE TABLE partitions.%I PARTITION OF public.%I FOR VALUES FROM (%L) TO (%L)',
          child, parent,
          from_day::text || ' 00:00:00+00',
          (from_day + interval '1 month')::date::text || ' 00:00:00+00'
        );
        EXECUTE format('ALTER TABLE partitions.%I ENABLE ROW LEVEL SECURITY', child);
        EXECUTE format('ALTER TABLE partitions.%I FORCE ROW LEVEL SECURITY', child);
      EXCEPTION WHEN check_violation THEN
        NULL;
      END;
    END LOOP;
  END LOOP;
END
$$;
