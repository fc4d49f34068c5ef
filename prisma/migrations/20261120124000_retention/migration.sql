-- What is over is cleared away: by these functions, which the worker may call once a day, and which take the time from it.

-- Tenants, so that each one's rows can be cleared under its own row-level security.
CREATE FUNCTION jobs.tenants() RETURNS SETOF uuid
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT id FROM identity.tenants
$$;

-- Sessions that have ended, a week ago or longer, go with their spent tokens: until then a stolen one still shows as such.
CREATE FUNCTION jobs.forget_identity(at timestamptz) RETURNS TABLE (what text, removed int)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  what := 'sessions';
  DELETE FROM identity.sessions s WHERE LEAST(s.expires_at, s.revoked_at) < at - interval '7 days';
  GET DIAGNOSTICS removed = ROW_COUNT;
  RETURN NEXT;
  what := 'mail tokens';
  DELETE FROM identity.mail_tokens t WHERE t.expires_at < at - interval '7 days';
  GET DIAGNOSTICS removed = ROW_COUNT;
  RETURN NEXT;
  what := 'one-time values';
  DELETE FROM identity.one_time_values v WHERE v.expires_at < at;
  GET DIAGNOSTICS removed = ROW_COUNT;
  RETURN NEXT;
  what := 'throttles';
  DELETE FROM identity.throttles h WHERE h.ends_at < at;
  GET DIAGNOSTICS removed = ROW_COUNT;
  RETURN NEXT;
END
$$;

-- Drops the partitions of a table whose months ended before a moment, and makes those of the months to come. Each is named
-- by its month (audit_events_2026_11). Whoever reads or writes the table waits for at most two seconds; if the drop would
-- take longer to get its lock, the next day will do.
CREATE FUNCTION jobs.retire_partitions(parent text, before timestamptz) RETURNS SETOF text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '2s'
AS $$
DECLARE
  child text;
BEGIN
  IF parent NOT IN ('audit_events', 'scan_findings') THEN
    RAISE EXCEPTION 'partitions of % are kept', parent;
  END IF;
  FOR child IN
    SELECT c.relname FROM pg_class c
    JOIN pg_inherits i ON i.inhrelid = c.oid
    WHERE i.inhparent = format('public.%I', parent)::regclass
      AND c.relname ~ (parent || '_\d{4}_\d{2}$')
      AND to_date(right(c.relname, 7), 'YYYY_MM') + interval '1 month' <= (before AT TIME ZONE 'UTC')
    ORDER BY 1
  LOOP
    EXECUTE format('DROP TABLE partitions.%I', child);
    RETURN NEXT child;
  END LOOP;
END
$$;

-- What every start of a server does; a server that runs for months has it done by the worker.
CREATE FUNCTION jobs.ensure_partitions(since timestamptz, months int) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT partitions.ensure(since, months)
$$;
