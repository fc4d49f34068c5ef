import type { Clock } from './clock.ts';
import type { Credential } from './core.ts';
import { fingerprint } from './credential.ts';
import { UnauthorizedError } from './errors.ts';
import type { SessionOptions, SessionTokens } from './options.ts';
import { waitAtMost } from './wait-at-most.ts';

/** A credential whose tokens change: given to the client, or taken up by a sign-in. */
export interface SessionCredential extends Credential {
  /** Takes up the tokens of a sign-in. */
  adopt(tokens: SessionTokens): void;
  /** Lets go of the session that a refresh token belonged to. */
  end(refreshToken: unknown): void;
}

/** Keeps the tokens of a session, and renews them once however many calls find them refused. */
export function sessionCredential(
  session: SessionOptions | undefined,
  clock: Clock,
  refresh: (refreshToken: string) => Promise<SessionTokens>,
): SessionCredential {
  let tokens: SessionTokens | undefined = session;
  let principal = fingerprint(session?.refreshToken);
  let renewal: { readonly refused: string; readonly done: Promise<void> } | undefined;

  async function replace(spent: string) {
    const { accessToken, refreshToken } = await refresh(spent);
    tokens = { accessToken, refreshToken };
    await session?.onRefresh?.(tokens);
  }

  return {
    // Of the tokens that the session began with: its budget outlives them.
    get principal() {
      return principal;
    },
    sign(headers) {
      if (tokens) headers.set('authorization', `Bearer ${tokens.accessToken}`);
      return tokens?.accessToken;
    },
    async renew(refused, call, attempts) {
      // Until the renewal is over its waiters stay together, so that all are replayed after `onRefresh`.
      if (renewal?.refused !== refused) {
        // A late refusal: there is a newer token already.
        if (tokens?.accessToken !== refused) return tokens !== undefined;
        const done = replace(tokens.refreshToken).finally(() => {
          if (renewal?.done === done) renewal = undefined;
        });
        renewal = { refused, done };
      }
      try {
        await waitAtMost(renewal.done, call.deadline - clock.now(), call.signal, attempts);
        return true;
      } catch (error) {
        if (error instanceof UnauthorizedError) return false;
        throw error;
      }
    },
    adopt(signedIn) {
      tokens = signedIn;
      principal = fingerprint(signedIn.refreshToken);
    },
    end(refreshToken) {
      if (tokens?.refreshToken === refreshToken) tokens = undefined;
    },
  };
}
