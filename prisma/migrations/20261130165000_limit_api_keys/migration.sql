-- How many keys of a person in the tenant are neither revoked nor expired. One transaction of a person counts at a time, until it
-- ends: several that each saw one place left would create more keys than are allowed.
CREATE FUNCTION identity.active_keys(of_user uuid, at timestamptz) RETURNS int
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  tenant CONSTANT uuid := public.current_tenant();
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended(format('keys %s %s', tenant, of_user), 0));
  RETURN (
    SELECT count(*)::int FROM identity.api_keys k
    WHERE k.tenant_id = tenant AND k.user_id = of_user AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > at)
  );
END
$$;

-- Also deletes keys that were revoked or expired 90 days ago. Audit rows keep their ids as text.
CREATE OR REPLACE FUNCTION jobs.forget_identity(at timestamp with time zone)
 RETURNS TABLE(what text, removed integer)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  present timestamptz := identity.not_after_now(at);
BEGIN
  what := 'sessions';
  DELETE FROM identity.sessions s WHERE LEAST(s.expires_at, s.revoked_at) < present - interval '7 days';
  GET DIAGNOSTICS removed = ROW_COUNT;
  RETURN NEXT;
  what := 'API keys';
  DELETE FROM identity.api_keys k WHERE LEAST(k.expires_at, k.revoked_at) < present - interval '90 days';
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
$function$;
