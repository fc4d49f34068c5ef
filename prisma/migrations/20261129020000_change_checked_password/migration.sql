-- Replaces the password that was checked a moment ago. Of several changes at the same moment, which all name the same old
-- password, only the first one is made: for the others that password is wrong by then. No row: the session has ended.
CREATE FUNCTION identity.change_password(
  of_user uuid, checked_hash text, new_password_hash text, from_session uuid, at timestamptz
) RETURNS TABLE (is_current boolean, sessions_ended int)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  present text;
BEGIN
  SELECT u.password_hash INTO present FROM identity.users u WHERE u.id = of_user FOR UPDATE;
  IF NOT EXISTS (
    SELECT 1 FROM identity.sessions s
    WHERE s.id = from_session AND s.user_id = of_user AND s.revoked_at IS NULL
  ) THEN
    RETURN;
  END IF;
  is_current := present IS NOT NULL AND present = checked_hash;
  IF is_current THEN
    SELECT c.sessions_ended INTO sessions_ended
    FROM identity.change_password(of_user, new_password_hash, from_session, at) c;
  END IF;
  RETURN NEXT;
END
$$;
