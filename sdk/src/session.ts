import { budgetOf } from './budget.ts';
import type { Cspm } from './client.gen.ts';
import type { Clock } from './clock.ts';
import type { Credential, Prepared } from './core.ts';
import { type ApiError, MfaRequiredError, UnauthorizedError } from './errors.ts';
import type { ClientOptions, SessionTokens } from './options.ts';
import { waitAtMost } from './wait-at-most.ts';

/** A credential whose tokens change: given to the client, or taken up by a sign-in. */
export interface SessionCredential extends Credential {
  /** Takes up the tokens of a sign-in, or of a session that was renewed or raised. */
  adopt(tokens: SessionTokens): Promise<void>;
  /** Lets go of the session that a refresh token belonged to. */
  end(refreshToken: unknown): void;
}

/** Keeps the tokens of a session, and renews or raises them once however many calls find them refused. */
export function sessionCredential(
  origin: string,
  { session, onStepUp }: ClientOptions,
  clock: Clock,
  client: Cspm,
): SessionCredential {
  let tokens: SessionTokens | undefined = session;
  let budget = budgetOf(origin, session?.refreshToken);
  /** By status and refused token. */
  const renewals = new Map<string, Promise<unknown>>();

  async function adopt({ accessToken, refreshToken }: SessionTokens) {
    // A session keeps the budget of its first tokens.
    if (!tokens) budget = budgetOf(origin, refreshToken);
    tokens = { accessToken, refreshToken };
    await session?.onRefresh?.(tokens);
  }

  /** Either takes the tokens up that it is answered, as any call that is answered with tokens. */
  async function renewed({ refreshToken }: SessionTokens, error: ApiError): Promise<unknown> {
    if (error.status === 401) return client.auth.refresh({ refreshToken });
    let code: string | undefined;
    try {
      code = await onStepUp?.(error);
    } catch (cause) {
      Object.assign(error, { cause });
    }
    if (!code) throw error;
    return client.twoFactor.verify({ code });
  }

  return {
    get budget() {
      return budget;
    },
    sign(headers) {
      if (tokens) headers['authorization'] = `Bearer ${tokens.accessToken}`;
      return tokens?.accessToken;
    },
    async renew(refused: string, call: Prepared, error: ApiError) {
      // A 401 for a wrong password or one-time code is no fault of the token.
      if (!isRefusal(error) || /^(INVALID|TOTP)_/.test(error.code)) return false;
      const key = error.status + refused;
      // Until the renewal is over its waiters stay together, so that all are replayed after `onRefresh`.
      let renewal = renewals.get(key);
      if (!renewal) {
        // A late refusal: there is a newer token already.
        if (tokens?.accessToken !== refused) return tokens !== undefined;
        renewal = renewed(tokens, error).finally(() => renewals.delete(key));
        renewals.set(key, renewal);
      }
      try {
        await waitAtMost(renewal, call.deadline - clock.now(), call.signal);
      } catch (fault) {
        if (!isRefusal(fault)) throw fault;
      }
      return tokens !== undefined && tokens.accessToken !== refused;
    },
    adopt,
    end(refreshToken) {
      if (tokens?.refreshToken === refreshToken) tokens = undefined;
    },
  };
}

/** Of a token, for want of validity or of a second factor. */
function isRefusal(error: unknown): boolean {
  return error instanceof UnauthorizedError || error instanceof MfaRequiredError;
}
