import { createVerify, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { type Answer, googleError, json, oauthError, unauthenticated } from './answer.ts';

const SCOPE = 'https://www.googleapis.com/auth/cloud-platform';
const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const CLIENT = { id: 'gcloud.apps.googleusercontent.example', secret: 'not-a-secret' };
const CLOCK_SKEW_SECONDS = 300;
const ASSERTION_SECONDS = 3_600;

/** A token that a service of the fake accepts, and whom it stands for. */
export interface Session {
  readonly principal: string;
  readonly isUser: boolean;
  readonly scopes: readonly string[];
  readonly expiresAt: number;
}

interface Account {
  readonly publicKey: KeyObject;
  readonly keyId: string;
}

/** Key pairs take long to generate, and a test does not depend on which one it has. */
let pair: ReturnType<typeof newPair> | null = null;
const newPair = () => generateKeyPairSync('rsa', { modulusLength: 2048 });

/** The accounts, the token endpoint and IAM Credentials of the fake. */
export class Identities {
  /** How long access tokens live. */
  tokenSeconds = 3_600;
  readonly #now: () => number;
  readonly #accounts = new Map<string, Account>();
  readonly #refreshTokens = new Map<string, string>();
  readonly #sessions = new Map<string, Session>();
  readonly #impersonators = new Map<string, Set<string>>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Creates a service account with a key. @returns the JSON of the key file */
  serviceAccount(email: string, tokenUrl: string): Record<string, string> {
    pair ??= newPair();
    const keyId = randomBytes(20).toString('hex');
    this.#accounts.set(email, { publicKey: pair.publicKey, keyId });
    return {
      type: 'service_account',
      project_id: projectIn(email),
      private_key_id: keyId,
      private_key: pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      client_email: email,
      client_id: '100000000000000000001',
      auth_uri: 'https://accounts.google.com/o/oauth2/auth',
      token_uri: tokenUrl,
      universe_domain: 'googleapis.com',
    };
  }

  /** Creates a user who has signed in. @returns the JSON of the Application Default Credentials of gcloud */
  user(email: string, quotaProject: string | null): Record<string, string> {
    const refreshToken = `1//${randomBytes(24).toString('base64url')}`;
    this.#refreshTokens.set(refreshToken, email);
    return {
      type: 'authorized_user',
      client_id: CLIENT.id,
      client_secret: CLIENT.secret,
      refresh_token: refreshToken,
      account: '',
      universe_domain: 'googleapis.com',
      ...(quotaProject !== null && { quota_project_id: quotaProject }),
    };
  }

  /** Deletes the account with its keys; its tokens end too. */
  remove(principal: string): void {
    this.#accounts.delete(principal);
    for (const [token, email] of this.#refreshTokens) {
      if (email === principal) this.#refreshTokens.delete(token);
    }
    for (const [token, session] of this.#sessions) {
      if (session.principal === principal) this.#sessions.delete(token);
    }
  }

  /** Lets `source` get tokens of `target`. */
  allowImpersonation(source: string, target: string): void {
    const sources = this.#impersonators.get(target) ?? new Set();
    this.#impersonators.set(target, sources.add(source));
  }

  /** Ends all tokens before their time. */
  endTokens(): void {
    this.#sessions.clear();
  }

  /** The valid token of a request with the scope that Google's APIs need; null if it has none. */
  sessionOf(authorization: string | undefined): Session | null {
    const [, token = ''] = /^Bearer (\S+)$/.exec(authorization ?? '') ?? [];
    const session = this.#sessions.get(token);
    if (session === undefined || session.expiresAt <= this.#now()) return null;
    return session.scopes.includes(SCOPE) ? session : null;
  }

  /** `POST /token` */
  token(form: URLSearchParams, tokenUrl: string): Answer {
    switch (form.get('grant_type')) {
      case JWT_BEARER:
        return this.#byAssertion(form.get('assertion') ?? '', tokenUrl);
      case 'refresh_token':
        return this.#byRefreshToken(form);
      default:
        return oauthError('unsupported_grant_type', 'Invalid grant_type.');
    }
  }

  /** `POST /v1/projects/-/serviceAccounts/<target>:generateAccessToken` */
  generateAccessToken(authorization: string | undefined, target: string, body: unknown): Answer {
    const session = this.sessionOf(authorization);
    if (session === null) return unauthenticated;
    if (this.#impersonators.get(target)?.has(session.principal) !== true) {
      return googleError(
        403,
        'PERMISSION_DENIED',
        "Permission 'iam.serviceAccounts.getAccessToken' denied on resource (or it may not exist).",
        [
          {
            '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
            reason: 'IAM_PERMISSION_DENIED',
            domain: 'iam.googleapis.com',
            metadata: { permission: 'iam.serviceAccounts.getAccessToken' },
          },
        ],
      );
    }
    const { scope, lifetime } = body as { scope?: unknown; lifetime?: unknown };
    const seconds = Number(/^(\d+)s$/.exec(String(lifetime ?? '3600s'))?.[1]);
    if (!Array.isArray(scope) || scope.length === 0 || !(seconds > 0 && seconds <= 3_600)) {
      return googleError(400, 'INVALID_ARGUMENT', 'Request contains an invalid argument.');
    }
    const { token, expiresAt } = this.#open(target, false, scope.map(String), seconds);
    return json({ accessToken: token, expireTime: new Date(expiresAt).toISOString() });
  }

  #byAssertion(assertion: string, tokenUrl: string): Answer {
    const parts = assertion.split('.');
    const [header = '', payload = '', signature = ''] = parts;
    const [head, claims] = [partOf(header), partOf(payload)];
    if (parts.length !== 3 || head === null || claims === null) {
      return oauthError('invalid_request', 'Bad Request');
    }
    const { iss, aud, scope, iat, exp } = claims;
    const account = this.#accounts.get(String(iss));
    if (account === undefined) {
      return oauthError('invalid_grant', 'Invalid grant: account not found');
    }
    const signed = createVerify('RSA-SHA256').update(`${header}.${payload}`);
    if (
      head['alg'] !== 'RS256' ||
      !signed.verify(account.publicKey, Buffer.from(signature, 'base64url'))
    ) {
      return oauthError('invalid_grant', 'Invalid JWT Signature.');
    }
    const now = this.#now() / 1000;
    const [issued, expires] = [Number(iat), Number(exp)];
    if (
      !(issued <= now + CLOCK_SKEW_SECONDS) ||
      !(expires > now - CLOCK_SKEW_SECONDS) ||
      !(expires - issued <= ASSERTION_SECONDS)
    ) {
      return oauthError(
        'invalid_grant',
        'Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. Check your iat and exp values in the JWT claim.',
      );
    }
    if (aud !== tokenUrl) return oauthError('invalid_grant', 'Invalid JWT: Failed audience check.');
    if (typeof scope !== 'string' || scope === '') {
      return oauthError('invalid_scope', 'Invalid OAuth scope or ID token audience provided.');
    }
    const { token } = this.#open(String(iss), false, scope.split(' '), this.tokenSeconds);
    return json({ access_token: token, expires_in: this.tokenSeconds, token_type: 'Bearer' });
  }

  #byRefreshToken(form: URLSearchParams): Answer {
    if (form.get('client_id') !== CLIENT.id || form.get('client_secret') !== CLIENT.secret) {
      return oauthError('invalid_client', 'The OAuth client was not found.', 401);
    }
    const user = this.#refreshTokens.get(form.get('refresh_token') ?? '');
    if (user === undefined) {
      return oauthError('invalid_grant', 'Token has been expired or revoked.');
    }
    const { token } = this.#open(user, true, [SCOPE], this.tokenSeconds);
    return json({
      access_token: token,
      expires_in: this.tokenSeconds,
      scope: SCOPE,
      token_type: 'Bearer',
    });
  }

  #open(principal: string, isUser: boolean, scopes: readonly string[], seconds: number) {
    const token = `ya29.${randomBytes(24).toString('base64url')}`;
    const expiresAt = this.#now() + seconds * 1000;
    this.#sessions.set(token, { principal, isUser, scopes, expiresAt });
    return { token, expiresAt };
  }
}

function partOf(text: string): Record<string, unknown> | null {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    return null;
  }
}

/** The project of a service account, which is charged for its requests. */
export function projectIn(email: string): string {
  return /@([^.]+)\./.exec(email)?.[1] ?? '';
}
