import { ApiError, type SessionSource } from '@cspm/sdk';

/**
 * The session, as long as it belongs to one person in one tenant. Another tab can sign in somebody else while a call waits
 * for its turn or is about to be repeated. A client of this session ends such a call and does not send it for them.
 * @param owner the person and the tenant, as `ownerOf` gives them.
 * @param onOther called when a call has ended because the session belongs to somebody else.
 */
export function ownedSession(
  session: SessionSource,
  owner: string,
  onOther: () => void,
): SessionSource {
  return {
    ...session,
    get tokens() {
      const { tokens } = session;
      if (tokens === undefined || ownerOfToken(tokens.accessToken) === owner) return tokens;
      return {
        // A client takes up the tokens of a sign-in or a renewal without reading this one.
        get accessToken(): string {
          onOther();
          throw new ApiError({ code: 'ABORTED', message: ENDED });
        },
        refreshToken: '',
      };
    },
  };
}

const ENDED =
  'The action was not completed, because another tab has signed in to another account or tenant.';

/** The server and the console have one version, so the console may read the claims of its tokens. */
function ownerOfToken(accessToken: string): string {
  const claims = accessToken.split('.')[1] ?? '';
  const { sub, tenant_id: tenantId } = JSON.parse(
    atob(claims.replaceAll('-', '+').replaceAll('_', '/')),
  );
  return `${sub} ${tenantId}`;
}
