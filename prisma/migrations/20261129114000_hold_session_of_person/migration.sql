-- Locks the person for a change of their second factor. Returns whether the session goes on: a change of the password, which
-- locks the person too, may have ended it while the request waited.
CREATE FUNCTION identity.hold_person_of(session uuid, of_user uuid) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM 1 FROM identity.users u WHERE u.id = of_user FOR UPDATE;
  RETURN EXISTS (
    SELECT 1 FROM identity.sessions s WHERE s.id = session AND s.user_id = of_user AND s.revoked_at IS NULL
  );
END
$$;
