-- What was set up for an account before its address was first proven does not count afterwards; and a second factor that
-- waits for its first code belongs to one session and expires.

-- AlterTable
ALTER TABLE "identity"."users" ADD COLUMN     "totp_pending_at" TIMESTAMPTZ(3),
ADD COLUMN     "totp_pending_session" UUID;

-- Keeps a secret that is not in force until a code of it was seen, in the session that asked for it. False: a second
-- factor is enrolled already.
CREATE FUNCTION identity.begin_pending_factor(of_user uuid, sealed bytea, in_session uuid, at timestamptz) RETURNS boolean
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  WITH begun AS (
    UPDATE identity.users u
    SET totp_secret = sealed, totp_last_step = NULL, totp_pending_at = at, totp_pending_session = in_session
    WHERE u.id = of_user AND u.totp_enabled_at IS NULL
    RETURNING 1
  )
  SELECT EXISTS (SELECT 1 FROM begun)
$$;

-- Whether a session has a secret of that person that still waits for its first code.
CREATE FUNCTION identity.has_pending_factor(of_user uuid, in_session uuid, since timestamptz) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT EXISTS (
    SELECT 1 FROM identity.users u
    WHERE u.id = of_user AND u.totp_secret IS NOT NULL AND u.totp_enabled_at IS NULL
      AND u.totp_pending_session = in_session AND u.totp_pending_at > since
  )
$$;

-- As enable_two_factor, for a secret of that session that began to wait after `since`.
CREATE FUNCTION identity.enable_pending_factor(
  of_user uuid, sealed bytea, step bigint, hashes bytea[], at timestamptz, in_session uuid, since timestamptz
) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM 1 FROM identity.users u WHERE u.id = of_user FOR UPDATE;
  IF NOT identity.has_pending_factor(of_user, in_session, since) THEN RETURN false; END IF;
  RETURN identity.enable_two_factor(of_user, sealed, step, hashes, at);
END
$$;

-- How an account stands towards its provider sessions: whether its address was proven, whether it has a password, and
-- whether it is an active member of another tenant than the connection's. No row: nobody.
CREATE FUNCTION identity.account_standing(of_user uuid)
RETURNS TABLE (proven boolean, has_password boolean, elsewhere boolean)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT u.email_verified_at IS NOT NULL, u.password_hash IS NOT NULL, identity.belongs_elsewhere(u.id)
  FROM identity.users u WHERE u.id = of_user
$$;

-- Takes from an account everything that somebody knows or holds who never proved that its address is theirs: password,
-- sessions, keys, second factor, federated identities, and sign-ins that are under way.
CREATE OR REPLACE FUNCTION identity.void_unproven(of_user uuid, at timestamptz) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  UPDATE identity.users u
  SET password_hash = NULL, totp_secret = NULL, totp_enabled_at = NULL, totp_last_step = NULL,
      totp_pending_at = NULL, totp_pending_session = NULL
  WHERE u.id = of_user AND u.email_verified_at IS NULL;
  UPDATE identity.sessions s SET revoked_at = at WHERE s.user_id = of_user AND s.revoked_at IS NULL;
  UPDATE identity.api_keys k SET revoked_at = at WHERE k.user_id = of_user AND k.revoked_at IS NULL;
  DELETE FROM identity.recovery_codes c WHERE c.user_id = of_user;
  DELETE FROM identity.saml_identities i WHERE i.user_id = of_user;
  DELETE FROM identity.one_time_values v
  WHERE v.kind IN ('exchange_code', 'unconfirmed_code', 'saml_confirmation') AND v.detail->>'userId' = of_user::text;
  -- Invitations stay: they were sent to the address, and are about a tenant.
  DELETE FROM identity.mail_tokens t WHERE t.user_id = of_user AND t.tenant_id IS NULL;
$$;

-- Proves an address by the token of a verification mail. What the account had before does not count afterwards, except
-- the password: the person who registers chooses it before the mail is sent. Returns the user; null: the token is not good.
CREATE OR REPLACE FUNCTION identity.verify_email(token_hash bytea, at timestamptz) RETURNS uuid
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  holder uuid := identity.spend_mail_token(token_hash, 'verify-email', at);
  chosen text;
BEGIN
  IF holder IS NOT NULL THEN
    SELECT u.password_hash INTO chosen FROM identity.users u WHERE u.id = holder AND u.email_verified_at IS NULL;
    IF FOUND THEN
      PERFORM identity.void_unproven(holder, at);
      UPDATE identity.users u SET password_hash = chosen, email_verified_at = at WHERE u.id = holder;
    END IF;
  END IF;
  RETURN holder;
END
$$;

-- Sets the password of whoever holds the token, whose address is thereby proven, and ends all their sessions. A second
-- factor stays in force if the address was proven before; the first proof voids what was set up until then. The token of
-- an invitation is good for this only while the person has never proven the address; the membership that it invites to
-- counts from then. Returns the user; null: the token is not good.
CREATE OR REPLACE FUNCTION identity.reset_password(
  token_hash bytea, of_purpose text, new_password_hash text, at timestamptz
) RETURNS TABLE (user_id uuid, sessions_ended int)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  user_id := identity.spend_mail_token(token_hash, of_purpose, at);
  IF user_id IS NULL THEN
    RETURN;
  END IF;
  IF of_purpose = 'invitation' AND (
    EXISTS (SELECT 1 FROM identity.users u WHERE u.id = reset_password.user_id AND u.email_verified_at IS NOT NULL)
    OR NOT identity.activate_membership(user_id, at)
  ) THEN
    -- Undoes that the token was spent: whoever has proven the address since can still accept the invitation with it.
    UPDATE identity.mail_tokens t SET spent_at = NULL WHERE t.hash = token_hash;
    RETURN;
  END IF;
  sessions_ended := identity.shut_out(user_id, NULL, at);
  IF EXISTS (SELECT 1 FROM identity.users u WHERE u.id = reset_password.user_id AND u.email_verified_at IS NULL) THEN
    PERFORM identity.void_unproven(user_id, at);
  END IF;
  UPDATE identity.users u
  SET password_hash = new_password_hash, email_verified_at = COALESCE(u.email_verified_at, at)
  WHERE u.id = reset_password.user_id;
  RETURN NEXT;
END
$$;

-- The tenant whose audit trail tells of a refused sign-in: the named one if the person has a membership there in
-- state active or disabled; else the one entered last. A tenant that the person does not belong to learns nothing, and one
-- that invited them learns nothing before they accept.
CREATE FUNCTION identity.tenant_of_sign_in(of_user uuid, named uuid) RETURNS uuid
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT m.tenant_id FROM identity.memberships m
  WHERE m.user_id = of_user AND m.status <> 'invited'
  ORDER BY m.tenant_id IS NOT DISTINCT FROM named DESC, m.status = 'active' DESC, m.entered_at DESC NULLS LAST,
    m.created_at, m.tenant_id
  LIMIT 1
$$;
