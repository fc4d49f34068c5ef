-- Functions that run as their owner bound their own arguments: whatever the serving role or a worker passes, the worst
-- that comes of it is what they do every day. Times are bounded by the clock of the database.

-- A time that a caller says it is: the servers' clocks may run ahead of the database's by five minutes. What is deleted
-- because it is over is judged by this.
CREATE FUNCTION identity.not_after_now(at timestamptz) RETURNS timestamptz
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT LEAST(at, now() + interval '5 minutes')
$$;

-- A heartbeat is never one of the future: such a worker would be taken for alive for ever.
CREATE OR REPLACE FUNCTION jobs.beat(workers text[], at timestamptz) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF cardinality(workers) > 256 OR EXISTS (SELECT 1 FROM unnest(workers) w WHERE w IS NULL OR length(w) > 128) THEN
    RAISE EXCEPTION 'too many workers, or too long a name of one' USING ERRCODE = 'program_limit_exceeded';
  END IF;
  INSERT INTO jobs.heartbeats (worker_id, beat_at) SELECT DISTINCT unnest(workers), LEAST(at, now())
  ON CONFLICT (worker_id) DO UPDATE SET beat_at = EXCLUDED.beat_at;
END
$$;

-- A worker beats every 3 s: one that has within the last 10 s is alive, whatever the caller thinks.
CREATE OR REPLACE FUNCTION jobs.release_dead(dead_before timestamptz) RETURNS int
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  silent_since timestamptz := LEAST(dead_before, now() - interval '10 seconds');
  dead text[];
BEGIN
  SELECT array_agg(DISTINCT held.worker) INTO dead
  FROM (
    SELECT locked_by AS worker, locked_at FROM graphile_worker._private_jobs
    WHERE locked_by IS NOT NULL
    UNION ALL
    SELECT locked_by, locked_at FROM graphile_worker._private_job_queues
    WHERE locked_by IS NOT NULL
  ) held
  LEFT JOIN jobs.heartbeats b ON b.worker_id = held.worker
  WHERE COALESCE(b.beat_at, held.locked_at) < silent_since;
  DELETE FROM jobs.heartbeats WHERE beat_at < silent_since;
  IF dead IS NULL THEN
    RETURN 0;
  END IF;
  PERFORM graphile_worker.force_unlock_workers(dead);
  RETURN cardinality(dead);
END
$$;

-- Mails alone are tried for longer than the queue would, at sensible intervals, and for a week at most.
CREATE OR REPLACE FUNCTION jobs.keep_trying(of_task text, pause interval, longest interval) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  bounded_pause interval := GREATEST(LEAST(pause, interval '1 hour'), interval '1 second');
  bounded_longest interval := LEAST(longest, interval '7 days');
BEGIN
  IF of_task IS DISTINCT FROM 'send-mail' THEN
    RAISE EXCEPTION 'jobs of % are given up by the queue', of_task USING ERRCODE = 'invalid_parameter_value';
  END IF;
  UPDATE graphile_worker._private_jobs j
  SET run_at = least(j.run_at, now() + bounded_pause), attempts = least(j.attempts, j.max_attempts - 1)
  FROM graphile_worker._private_tasks t
  WHERE t.id = j.task_id AND t.identifier = of_task AND j.locked_by IS NULL AND j.attempts > 0
    AND j.created_at > now() - bounded_longest
    AND (j.run_at > now() + bounded_pause OR j.attempts >= j.max_attempts);
END
$$;

-- As before, by a time that is not in the future.
CREATE OR REPLACE FUNCTION jobs.forget_identity(at timestamptz) RETURNS TABLE (what text, removed int)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  present timestamptz := identity.not_after_now(at);
BEGIN
  what := 'sessions';
  DELETE FROM identity.sessions s WHERE LEAST(s.expires_at, s.revoked_at) < present - interval '7 days';
  GET DIAGNOSTICS removed = ROW_COUNT;
  RETURN NEXT;
  what := 'mail tokens';
  DELETE FROM identity.mail_tokens t WHERE t.expires_at < present - interval '7 days';
  GET DIAGNOSTICS removed = ROW_COUNT;
  RETURN NEXT;
  what := 'one-time values';
  DELETE FROM identity.one_time_values v WHERE v.expires_at < present;
  GET DIAGNOSTICS removed = ROW_COUNT;
  RETURN NEXT;
  what := 'throttles';
  DELETE FROM identity.throttles h WHERE h.ends_at < present;
  GET DIAGNOSTICS removed = ROW_COUNT;
  RETURN NEXT;
END
$$;

-- Keeps the present month and the one before whatever it is asked: the shortest time that a server can be configured to
-- keep them (LEAST_RETENTION_MONTHS).
CREATE OR REPLACE FUNCTION jobs.retire_partitions(parent text, before timestamptz) RETURNS SETOF text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '2s'
AS $$
DECLARE
  child text;
  kept_from timestamp := date_trunc('month', identity.not_after_now(now() + interval '100 years') AT TIME ZONE 'UTC') - interval '1 month';
BEGIN
  IF parent IS NULL OR parent NOT IN ('audit_events', 'scan_findings') THEN
    RAISE EXCEPTION 'partitions of % are kept', parent;
  END IF;
  FOR child IN
    SELECT c.relname FROM pg_class c
    JOIN pg_inherits i ON i.inhrelid = c.oid
    WHERE i.inhparent = format('public.%I', parent)::regclass
      AND c.relname ~ (parent || '_\d{4}_\d{2}$')
      AND to_date(right(c.relname, 7), 'YYYY_MM') + interval '1 month' <= LEAST(before AT TIME ZONE 'UTC', kept_from)
    ORDER BY 1
  LOOP
    EXECUTE format('DROP TABLE partitions.%I', child);
    RETURN NEXT child;
  END LOOP;
END
$$;

-- Half a year ahead at most, beginning with a month around the present one.
CREATE OR REPLACE FUNCTION jobs.ensure_partitions(since timestamptz, months int) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '1s'
AS $$
  SELECT partitions.ensure(
    GREATEST(identity.not_after_now(since), now() - interval '1 month'), LEAST(months, 6)
  )
$$;

-- As before; windows are over by a time that is not in the future, and last for a day at most.
CREATE OR REPLACE FUNCTION identity.reserve_attempt(of_key text, most int, window_seconds int, at timestamptz) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  present timestamptz := identity.not_after_now(at);
  taken boolean;
BEGIN
  INSERT INTO identity.throttles AS t (key, attempts, ends_at)
  VALUES (of_key, 1, present + make_interval(secs => LEAST(window_seconds, 86400)))
  ON CONFLICT (key) DO UPDATE SET
    attempts = CASE WHEN t.ends_at <= present THEN 1 ELSE t.attempts + 1 END,
    ends_at = CASE WHEN t.ends_at <= present THEN EXCLUDED.ends_at ELSE t.ends_at END
  WHERE t.ends_at <= present OR t.attempts < most;
  taken := FOUND;
  DELETE FROM identity.throttles t WHERE t.key IN (
    SELECT o.key FROM identity.throttles o WHERE o.ends_at <= present AND o.key <> of_key
    ORDER BY o.ends_at LIMIT 3 FOR UPDATE SKIP LOCKED
  );
  RETURN taken;
END
$$;

-- A master key is good for a day at most (BREAK_GLASS_TTL_MINUTES goes to 1,440), however far the end that is asked for.
CREATE OR REPLACE FUNCTION identity.enter_break_glass(of_key bytea, at timestamptz, ends timestamptz) RETURNS timestamptz
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  present timestamptz := identity.not_after_now(at);
  fixed timestamptz;
BEGIN
  SELECT w.ends_at INTO fixed FROM identity.break_glass_windows w WHERE w.key_hash = of_key;
  IF fixed IS NULL THEN
    INSERT INTO identity.break_glass_windows (key_hash, opened_at, ends_at)
    VALUES (of_key, present, LEAST(ends, present + interval '1 day'))
    ON CONFLICT (key_hash) DO NOTHING;
    SELECT w.ends_at INTO fixed FROM identity.break_glass_windows w WHERE w.key_hash = of_key;
  END IF;
  RETURN fixed;
END
$$;

-- A page is a page.
CREATE OR REPLACE FUNCTION identity.list_keys(of_user uuid, before uuid, most int)
RETURNS TABLE (
  id uuid, public_id text, user_id uuid, name text,
  created_at timestamptz, expires_at timestamptz, last_used_at timestamptz
)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT k.id, k.public_id, k.user_id, k.name, k.created_at, k.expires_at, k.last_used_at
  FROM identity.api_keys k
  WHERE k.tenant_id = public.current_tenant() AND k.user_id = of_user AND k.revoked_at IS NULL
    AND (before IS NULL OR k.id < before)
  ORDER BY k.id DESC
  LIMIT LEAST(most, 1000)
$$;

CREATE OR REPLACE FUNCTION identity.list_members(before_at timestamptz, before_id uuid, most int)
RETURNS SETOF identity.members
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT m.* FROM identity.members m
  WHERE before_at IS NULL OR (m.created_at, m.id) < (before_at, before_id)
  ORDER BY m.created_at DESC, m.id DESC
  LIMIT LEAST(most, 1000)
$$;

-- A key was used now, or a little earlier; not in years.
CREATE OR REPLACE FUNCTION identity.touch_key(used_key uuid, at timestamptz) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  UPDATE identity.api_keys SET last_used_at = identity.not_after_now(at)
  WHERE id = used_key
    AND (last_used_at IS NULL OR last_used_at < identity.not_after_now(at) - interval '1 minute')
$$;
