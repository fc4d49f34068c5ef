-- Whether a password that was checked a moment ago is still the user's; held to be so until the transaction ends. A reset
-- that comes in between has ended the sessions of before, and one opened on the old password would outlive it.
CREATE FUNCTION identity.still_holds_password(of_user uuid, checked_hash text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  present text;
BEGIN
  SELECT u.password_hash INTO present FROM identity.users u WHERE u.id = of_user FOR SHARE;
  RETURN present IS NOT NULL AND present = checked_hash;
END
$$;
