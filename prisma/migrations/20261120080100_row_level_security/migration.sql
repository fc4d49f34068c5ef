-- The second wall around a tenant: whatever the application asks for, a connection sees and changes the rows of the
-- tenant that it is bound to, and none at all when it is bound to none. FORCE: the owner of a table is no exception.

CREATE FUNCTION public.current_tenant() RETURNS uuid
LANGUAGE sql STABLE PARALLEL SAFE
RETURN NULLIF(current_setting('app.tenant_id', true), '')::uuid;

DO $$
DECLARE
  tenant_table text;
BEGIN
  FOREACH tenant_table IN ARRAY ARRAY[
    'projects', 'inventories', 'inventory_chunks', 'scans', 'scan_projects', 'scan_rule_counts',
    'findings', 'scan_findings', 'audit_events', 'idempotency_records'
  ] LOOP
    EXECUTE format('ALTER TABLE public.%I ENABLE ROW LEVEL SECURITY', tenant_table);
    EXECUTE format('ALTER TABLE public.%I FORCE ROW LEVEL SECURITY', tenant_table);
    EXECUTE format(
      'CREATE POLICY tenant_isolation ON public.%I FOR ALL
         USING (tenant_id = NULLIF(current_setting(''app.tenant_id'', true), '''')::uuid)
         WITH CHECK (tenant_id = NULLIF(current_setting(''app.tenant_id'', true), '''')::uuid)',
      tenant_table
    );
  END LOOP;
END
$$;

-- Partitions live in a schema of their own, which nobody but the owner can enter: rows are reached through the parent.
CREATE SCHEMA IF NOT EXISTS partitions;

CREATE TABLE partitions.audit_events_default PARTITION OF public.audit_events DEFAULT;
CREATE TABLE partitions.scan_findings_default PARTITION OF public.scan_findings DEFAULT;
ALTER TABLE partitions.audit_events_default ENABLE ROW LEVEL SECURITY;
ALTER TABLE partitions.audit_events_default FORCE ROW LEVEL SECURITY;
ALTER TABLE partitions.scan_findings_default ENABLE ROW LEVEL SECURITY;
ALTER TABLE partitions.scan_findings_default FORCE ROW LEVEL SECURITY;

-- Makes the partitions from the month of `since` for `months` months. Safe to call again; the server does at each start.
CREATE FUNCTION partitions.ensure(since timestamptz, months int) RETURNS void
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
      IF to_regclass(format('partitions.%I', child)) IS NULL THEN
        EXECUTE format(
          'CREATE TABLE partitions.%I PARTITION OF public.%I FOR VALUES FROM (%L) TO (%L)',
          child, parent,
          from_day::text || ' 00:00:00+00',
          (from_day + interval '1 month')::date::text || ' 00:00:00+00'
        );
        EXECUTE format('ALTER TABLE partitions.%I ENABLE ROW LEVEL SECURITY', child);
        EXECUTE format('ALTER TABLE partitions.%I FORCE ROW LEVEL SECURITY', child);
      END IF;
    END LOOP;
  END LOOP;
END
$$;
