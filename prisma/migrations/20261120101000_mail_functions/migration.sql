-- Accounts by mail. Tokens are known by their SHA-256 alone, are bound to a purpose and to the address at the time, and
-- are good once: whoever spends one locks the row of its user first, so that of parallel uses one wins and the others
-- find it spent.

-- The tenant whose audit trail tells of a person: the one entered last, else the oldest membership. Null: of none.
CREATE FUNCTION identity.tenant_to_tell(of_user uuid) RETURNS uuid
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT m.tenant_id FROM identity.memberships m
  WHERE m.user_id = of_user
  ORDER BY m.status = 'active' DESC, m.entered_at DESC NULLS LAST, m.created_at, m.tenant_id
  LIMIT 1
$$;

-- The account of an address. No row: nobody of that address.
CREATE FUNCTION identity.account_of(of_email text)
RETURNS TABLE (user_id uuid, verified boolean, disabled boolean, tenant_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT u.id, u.email_verified_at IS NOT NULL, u.disabled_at IS NOT NULL, identity.tenant_to_tell(u.id)
  FROM identity.users u
  WHERE u.email = of_email
$$;

-- Makes the connection's tenant, with its first administrator, who has yet to prove the address. False: the address is
-- taken, and nothing was made.
CREATE FUNCTION identity.register(
  tenant_name text, new_user uuid, new_email text, new_name text, new_password_hash text, at timestamptz
) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  INSERT INTO identity.users (id, email, name, password_hash, created_at)
  VALUES (new_user, new_email, new_name, new_password_hash, at)
  ON CONFLICT (email) DO NOTHING;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  INSERT INTO identity.tenants (id, name, features, created_at)
  VALUES (public.current_tenant(), tenant_name, '{}', at);
  INSERT INTO identity.memberships (tenant_id, user_id, role, status, created_at)
  VALUES (public.current_tenant(), new_user, 'admin', 'active', at);
  RETURN true;
END
$$;

-- Notes a token for a user, who must still have that address; one for nobody (null) costs the same and is not kept. An
-- invitation is to the connection's tenant.
CREATE FUNCTION identity.issue_mail_token(
  token_hash bytea, for_purpose text, for_user uuid, to_email text, token_end timestamptz
) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  INSERT INTO identity.mail_tokens (hash, purpose, user_id, tenant_id, email, expires_at)
  SELECT token_hash, for_purpose, u.id,
         CASE WHEN for_purpose = 'invitation' THEN public.current_tenant() END, u.email, token_end
  FROM identity.users u
  WHERE u.id = for_user AND u.email = to_email
$$;

-- Whose token it is, if it is one of these purposes and could be spent now. No row: it could not.
CREATE FUNCTION identity.mail_token_holder(token_hash bytea, purposes text[], at timestamptz)
RETURNS TABLE (purpose text, user_id uuid, email text, user_name text, verified boolean, tenant_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT t.purpose, u.id, u.email, u.name, u.email_verified_at IS NOT NULL,
         COALESCE(t.tenant_id, identity.tenant_to_tell(u.id))
  FROM identity.mail_tokens t
  JOIN identity.users u ON u.id = t.user_id AND u.email = t.email
  WHERE t.hash = token_hash AND t.purpose = ANY (purposes)
    AND t.spent_at IS NULL AND t.expires_at > at
    AND u.disabled_at IS NULL
$$;

-- Spends a token of that purpose. Null: it is unknown, expired or spent, or its user is not there any more as it was.
CREATE FUNCTION identity.spend_mail_token(token_hash bytea, of_purpose text, at timestamptz) RETURNS uuid
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  holder uuid;
BEGIN
  SELECT u.id INTO holder FROM identity.users u
  WHERE u.id = (SELECT t.user_id FROM identity.mail_tokens t WHERE t.hash = token_hash)
    AND u.disabled_at IS NULL
  FOR UPDATE;
  UPDATE identity.mail_tokens t SET spent_at = at
  FROM identity.users u
  WHERE t.hash = token_hash AND t.purpose = of_purpose AND u.id = holder
    AND t.user_id = u.id AND t.email = u.email
    AND t.spent_at IS NULL AND t.expires_at > at;
  RETURN CASE WHEN FOUND THEN holder END;
END
$$;

-- Makes a membership count that waits for its person's consent. False: none waits.
CREATE FUNCTION identity.activate_membership(of_user uuid, at timestamptz) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  UPDATE identity.memberships m SET status = 'active'
  WHERE m.tenant_id = public.current_tenant() AND m.user_id = of_user AND m.status = 'invited';
  RETURN FOUND;
END
$$;

-- Ends every session of a user but the one to keep, and makes links void that were sent to set the password or to prove
-- the address. Returns how many sessions ended.
CREATE FUNCTION identity.shut_out(of_user uuid, keep_session uuid, at timestamptz) RETURNS int
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  UPDATE identity.mail_tokens t SET spent_at = at
  WHERE t.user_id = of_user AND t.purpose IN ('reset-password', 'verify-email') AND t.spent_at IS NULL;
  WITH ended AS (
    UPDATE identity.sessions s SET revoked_at = at
    WHERE s.user_id = of_user AND s.revoked_at IS NULL AND s.id IS DISTINCT FROM keep_session
    RETURNING 1
  )
  SELECT count(*)::int FROM ended
$$;

-- Proves an address by the token of a verification mail. Whatever session the account had before its address was proven
-- was not opened by the address' owner. Returns the user; null: the token is not good.
CREATE FUNCTION identity.verify_email(token_hash bytea, at timestamptz) RETURNS uuid
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  holder uuid := identity.spend_mail_token(token_hash, 'verify-email', at);
BEGIN
  IF holder IS NOT NULL THEN
    UPDATE identity.users u SET email_verified_at = at WHERE u.id = holder AND u.email_verified_at IS NULL;
    IF FOUND THEN
      PERFORM identity.shut_out(holder, NULL, at);
    END IF;
  END IF;
  RETURN holder;
END
$$;

-- Sets the password of whoever holds the token, whose address is thereby proven, and ends all their sessions. A second
-- factor stays as it is. The token of an invitation is good for this only while the person has never proven the address;
-- the membership that it invites to counts from then. Returns the user; null: the token is not good.
CREATE FUNCTION identity.reset_password(token_hash bytea, of_purpose text, new_password_hash text, at timestamptz)
RETURNS TABLE (user_id uuid, sessions_ended int)
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
  UPDATE identity.users u
  SET password_hash = new_password_hash, email_verified_at = COALESCE(u.email_verified_at, at)
  WHERE u.id = reset_password.user_id;
  sessions_ended := identity.shut_out(user_id, NULL, at);
  RETURN NEXT;
END
$$;

-- Lets an invited person who has proven the address in; the password stays as it is. Returns the user; null: the token is
-- not good. Who has not proven the address may have a password that a stranger chose: they set one of their own instead.
CREATE FUNCTION identity.accept_invite(token_hash bytea, at timestamptz) RETURNS uuid
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  holder uuid := identity.spend_mail_token(token_hash, 'invitation', at);
BEGIN
  IF holder IS NULL THEN
    RETURN NULL;
  END IF;
  IF NOT EXISTS (SELECT 1 FROM identity.users u WHERE u.id = holder AND u.email_verified_at IS NOT NULL)
    OR NOT identity.activate_membership(holder, at)
  THEN
    UPDATE identity.mail_tokens t SET spent_at = NULL WHERE t.hash = token_hash;
    RETURN NULL;
  END IF;
  RETURN holder;
END
$$;

-- Sets a password for somebody who asks from an open session, and ends every other one. No row: the session has ended
-- meanwhile, as a reset or another change ends it, and with it the right to set the password.
CREATE FUNCTION identity.change_password(
  of_user uuid, new_password_hash text, from_session uuid, at timestamptz
) RETURNS TABLE (sessions_ended int)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM 1 FROM identity.users u WHERE u.id = of_user FOR UPDATE;
  UPDATE identity.users u SET password_hash = new_password_hash
  WHERE u.id = of_user AND EXISTS (
    SELECT 1 FROM identity.sessions s
    WHERE s.id = from_session AND s.user_id = of_user AND s.revoked_at IS NULL
  );
  IF FOUND THEN
    sessions_ended := identity.shut_out(of_user, from_session, at);
    RETURN NEXT;
  END IF;
END
$$;
