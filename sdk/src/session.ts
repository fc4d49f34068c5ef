import { type Budget, budgetOf } from './budget.ts';
import type { Cspm } from './client.gen.ts';
import type { Clock } from './clock.ts';
import type { Credential, Prepared } from './core.ts';
import { type ApiError, MfaRequiredError, UnauthorizedError } from './errors.ts';
import { addHeaders } from './headers.ts';
import type {
  ClientOptions,
  KeyedCallOptions,
  SessionOptions,
  SessionSource,
  SessionTokens,
} from './options.ts';
import type { Input } from './url.ts';
import { waitAtMost } from './wait-at-most.ts';

/** A credential whose tokens change. It starts with the tokens given to the client or with those of a sign-in. */
export interface SessionCredential extends Credential {
  /** The input of an operation that opens, renews or ends a session: a logout without a token ends the present session. */
  inputOf(operation: string, input: Input): Input;
  /** The options of such an operation, with the headers of the session. */
  optionsOf(ofCall: KeyedCallOptions): KeyedCallOptions;
  /** Takes up the tokens of a sign-in, or of a session that was renewed or raised. */
  adopt(operation: string, tokens: SessionTokens): Promise<void>;
  /** Lets go of the session if such an operation has ended it. */
  end(operation: string, input: Input): Promise<void>;
}

/**
 * Stores the tokens of a session. When several calls are refused with the same token, the session is refreshed, or its
 * second factor asked for, once.
 */
export function sessionCredential(
  origin: string,
  { session, credential, onStepUp }: ClientOptions,
  clock: Clock,
  client: Cspm,
): SessionCredential {
  const source = session && 'save' in session ? session : ownSession(session, credential);
  const { headers } = source;
  let budget: Budget | undefined;
  /** By status and refused token. */
  const renewals = new Map<string, Promise<unknown>>();

  const current = () => source.apiKey ?? source.tokens?.accessToken;
  const refresh = (refreshToken?: string) => client.auth.refresh({ refreshToken });

  /** Either takes the tokens up that it is answered, as any call that is answered with tokens. */
  async function renewed(refused: string, error: ApiError): Promise<unknown> {
    if (error.status === 401) return source.renew(refused, refresh);
    let code: string | undefined;
    try {
      code = await onStepUp?.(error);
    } catch (cause) {
      Object.assign(error, { cause });
    }
    return code && client.twoFactor.verify({ code });
  }

  return {
    get budget() {
      // A session keeps the budget of its first tokens, which it may not have loaded yet.
      const secret = source.tokens?.refreshToken || current();
      if (secret) budget ??= budgetOf(origin, secret);
      return budget ?? budgetOf(origin);
    },
    sign(headers) {
      const token = current();
      addHeaders(
        headers,
        source.apiKey ? { 'x-api-key': token } : { authorization: !!token && `Bearer ${token}` },
      );
      return token;
    },
    loaded(call) {
      const loading = source.load(refresh);
      return loading && waitAtMost(loading, call.deadline - clock.now(), call.signal);
    },
    async renew(refused: string, call: Prepared, error: ApiError) {
      // A 401 for a wrong password or one-time code does not mean that the token is invalid.
      if (!isRefusal(error) || /^(INVALID|TOTP)_/.test(error.code)) return false;
      const key = error.status + refused;
      // Concurrent calls share one renewal, so all are repeated after `onRefresh`.
      let renewal = renewals.get(key);
      // After a late refusal there is a newer token already.
      if (!renewal && current() === refused) {
        renewal = renewed(refused, error).finally(() => renewals.delete(key));
        renewals.set(key, renewal);
      }
      try {
        if (renewal) await waitAtMost(renewal, call.deadline - clock.now(), call.signal);
      } catch (cause) {
        if (!isRefusal(cause)) throw cause;
        Object.assign(error, { cause });
      }
      const token = current();
      return token !== undefined && token !== refused;
    },
    inputOf: (operation, input) =>
      operation === LOGOUT && !headers && !input['refreshToken']
        ? { refreshToken: source.tokens?.refreshToken }
        : input,
    optionsOf: (ofCall) => ({ ...ofCall, headers: { ...headers, ...ofCall.headers } }),
    async adopt(operation, tokens) {
      if (!source.tokens) budget = undefined;
      await source.save(tokens, operation === 'auth.refresh');
    },
    async end(operation, { refreshToken = source.tokens?.refreshToken }) {
      const isOurs = operation === LOGOUT && refreshToken === source.tokens?.refreshToken;
      if (headers || isOurs || operation === 'auth.logoutAll') await source.clear();
    },
  };
}

const LOGOUT = 'auth.logout';

/** Keeps the credential in the memory of one client; `ask` supplies one when there is none, or it was refused. */
function ownSession(
  session: SessionOptions | undefined,
  ask: (() => Held | Promise<Held>) | undefined,
): SessionSource {
  let held: Held = session ?? {};
  let asking: Held | Promise<Held> | undefined;
  async function supply() {
    asking ??= ask?.();
    try {
      held = (await asking) ?? held;
    } finally {
      asking = undefined;
    }
  }
  return {
    get apiKey() {
      return held.apiKey;
    },
    get tokens() {
      const { accessToken, refreshToken = '' } = held;
      return accessToken ? { accessToken, refreshToken } : undefined;
    },
    load: () => (ask && !held.apiKey && !held.accessToken ? supply() : undefined),
    renew: (_refused, refresh) => (ask ? supply() : refresh(held.refreshToken)),
    async save({ accessToken, refreshToken }) {
      held = { accessToken, refreshToken };
      await session?.onRefresh?.({ accessToken, refreshToken });
    },
    clear() {
      held = {};
    },
  };
}

interface Held {
  readonly apiKey?: string;
  readonly accessToken?: string;
  readonly refreshToken?: string;
}

/** Whether the token was refused as invalid, or because the second factor is missing. */
function isRefusal(error: unknown): boolean {
  return error instanceof UnauthorizedError || error instanceof MfaRequiredError;
}
