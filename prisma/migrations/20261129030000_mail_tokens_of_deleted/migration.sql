-- As before, and waits for a deletion of the user at this moment: there is then nobody to keep a token for. Its foreign key
-- would refuse the token, as an internal error.
CREATE OR REPLACE FUNCTION identity.issue_mail_token(
  token_hash bytea, for_purpose text, for_user uuid, to_email text, token_end timestamptz
) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  INSERT INTO identity.mail_tokens (hash, purpose, user_id, tenant_id, email, expires_at)
  SELECT token_hash, for_purpose, u.id,
         CASE WHEN for_purpose = 'invitation' THEN public.current_tenant() END, u.email, token_end
  FROM identity.users u
  WHERE u.id = for_user AND u.email = to_email
  FOR KEY SHARE OF u
$$;
