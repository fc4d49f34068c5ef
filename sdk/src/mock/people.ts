import type { MockOperation } from './document.ts';
import { Problem } from './problem.ts';

export interface Principal {
  readonly kind: 'jwt' | 'api_key';
  readonly person: Person;
  /** Whether the session passed a second factor. */
  readonly mfa: boolean;
  readonly sessionId: string | null;
}

export interface Person {
  readonly id: string;
  readonly email: string;
  readonly role: string;
  readonly permissions: readonly string[];
  readonly twoFactor: boolean;
}

interface Session {
  readonly person: Person;
  mfa: boolean;
  refreshToken: string;
  /** Used refresh tokens, the last one at the end. Reusing one ends the session, because it may have been stolen. */
  readonly spent: Map<string, number>;
}

export const MOCK_PASSWORD = 'correct horse battery staple';
export const MOCK_CODE = '123456';
/** Keys have the format of real ones, for clients that check the format. */
export const MOCK_KEYS = {
  admin: `cspm_${'mockadmin000'}_${'m'.repeat(43)}`,
  viewer: `cspm_${'mockviewer00'}_${'m'.repeat(43)}`,
} as const;

export const TENANT = {
  id: '0199c2a4-0000-7000-8000-000000000001',
  name: 'Mock tenant',
} as const;

const REUSE_GRACE_MS = 10_000;

/** The users: an administrator with a second factor, and a user with read permissions only. */
export class People {
  readonly #people: readonly Person[];
  readonly #features: ReadonlySet<string>;
  readonly #accessSeconds: number;
  readonly #now: () => number;
  readonly #sessions = new Map<string, Session>();
  readonly #access = new Map<string, { readonly sessionId: string; readonly endsAt: number }>();

  constructor(options: {
    readonly operations: readonly MockOperation[];
    readonly features: readonly string[];
    readonly accessSeconds: number;
    readonly now: () => number;
  }) {
    const all = new Set(options.operations.flatMap(({ permissions }) => permissions));
    const readable = [...all].filter((name) => /\.read$|^preflight\.run$|^keys\.own$/.test(name));
    this.#people = [
      person('01', 'admin@example.com', 'admin', [...all].sort(), true),
      person('02', 'viewer@example.com', 'viewer', readable.sort(), false),
    ];
    this.#features = new Set(options.features);
    this.#accessSeconds = options.accessSeconds;
    this.#now = options.now;
  }

  get features(): readonly string[] {
    return [...this.#features];
  }

  /** Only the first credential counts. @throws {Problem} UNAUTHORIZED */
  authenticate(headers: Headers): Principal {
    const authorization = headers.get('authorization');
    const key = headers.get('x-api-key');
    if (headers.has('x-master-key')) throw unauthorized();
    if (authorization !== null) {
      if (/^Bearer +cspm_/i.test(authorization)) throw unauthorized(KEY_AS_BEARER);
      const token = /^Bearer (\S+)$/.exec(authorization)?.[1] ?? '';
      const access = this.#access.get(token);
      const session = access && this.#sessions.get(access.sessionId);
      if (!access || !session || access.endsAt <= this.#now()) throw unauthorized();
      const { person: who, mfa } = session;
      return { kind: 'jwt', person: who, mfa, sessionId: access.sessionId };
    }
    const role = Object.entries(MOCK_KEYS).find(([, value]) => value === key)?.[0];
    const holder = this.#people.find((one) => one.role === role);
    if (holder === undefined) throw unauthorized();
    return { kind: 'api_key', person: holder, mfa: false, sessionId: null };
  }

  /** @throws {Problem} of 403: the kind of credential, the permission, the feature, the second factor, in that order */
  authorize(principal: Principal, operation: MockOperation): void {
    const { credentials, permissions, feature, mfa } = operation;
    if (credentials !== 'public' && !credentials.includes(principal.kind)) {
      throw new Problem(
        'CREDENTIAL_NOT_ALLOWED',
        'This operation does not accept this kind of credential.',
        {
          members: { accepts: credentials },
        },
      );
    }
    const permission = permissions.find((one) => !principal.person.permissions.includes(one));
    if (permission !== undefined) {
      throw new Problem('FORBIDDEN', `This operation needs the permission ${permission}.`, {
        members: { permission },
      });
    }
    if (feature !== null && !this.#features.has(feature)) {
      throw new Problem('FEATURE_NOT_LICENSED', `Your tenant does not have ${feature}.`, {
        members: { feature },
      });
    }
    if (mfa && !principal.mfa) {
      throw new Problem(
        'MFA_REQUIRED',
        'This operation requires a session that has passed a second factor. Call POST /auth/2fa/verify. API keys cannot pass one.',
      );
    }
  }

  /** @throws {Problem} INVALID_CREDENTIALS, or TOTP_REQUIRED when only the password is right */
  login(given: Readonly<Record<string, unknown>>): object {
    const who = this.#people.find(({ email }) => email === String(given['email']).toLowerCase());
    if (who === undefined || given['password'] !== MOCK_PASSWORD) throw refusedSignIn();
    if (who.twoFactor && given['totp'] === undefined && given['recoveryCode'] === undefined) {
      throw new Problem('TOTP_REQUIRED', 'Also send the code from your authenticator app.');
    }
    // The administrator has no recovery codes. For other users, codes are ignored.
    if (who.twoFactor && given['totp'] !== MOCK_CODE) throw refusedSignIn();
    const id = crypto.randomUUID();
    const session: Session = {
      person: who,
      mfa: who.twoFactor,
      refreshToken: token(),
      spent: new Map(),
    };
    this.#sessions.set(id, session);
    return this.#tokensOf(id, session);
  }

  /**
   * Rotates the refresh token. The reuse of one ends the session, except that of the last one shortly after its use.
   * @throws {Problem} UNAUTHORIZED for an unknown or used token
   */
  refresh(refreshToken: string): object {
    for (const [id, session] of this.#sessions) {
      if (session.refreshToken === refreshToken) {
        this.#rotate(session);
        return this.#tokensOf(id, session);
      }
      const spentAt = session.spent.get(refreshToken);
      if (spentAt === undefined) continue;
      const isLast = [...session.spent.keys()].at(-1) === refreshToken;
      if (!isLast || this.#now() - spentAt > REUSE_GRACE_MS) this.#sessions.delete(id);
    }
    throw unauthorized();
  }

  /** @throws {Problem} INVALID_CODE */
  stepUp({ sessionId }: Principal, code: unknown): object {
    const session = sessionId === null ? undefined : this.#sessions.get(sessionId);
    if (session === undefined || sessionId === null) throw unauthorized();
    if (code !== MOCK_CODE) throw new Problem('INVALID_CODE', 'The code is wrong.');
    session.mfa = true;
    this.#rotate(session);
    return this.#tokensOf(sessionId, session);
  }

  logout(refreshToken: string): void {
    for (const [id, session] of this.#sessions) {
      if (session.refreshToken === refreshToken) this.#sessions.delete(id);
    }
  }

  logoutAll({ person: who }: Principal): void {
    for (const [id, session] of this.#sessions) {
      if (session.person === who) this.#sessions.delete(id);
    }
  }

  /** The response of `GET /auth/me`. */
  describe({ kind, person: who, mfa }: Principal): object {
    return {
      user: {
        id: who.id,
        email: who.email,
        name: null,
        emailVerified: true,
        twoFactorEnabled: who.twoFactor,
      },
      tenant: { ...TENANT, features: this.features },
      role: who.role,
      permissions: who.permissions,
      credential: { kind, mfa, expiresAt: null },
      memberships: [{ tenantId: TENANT.id, tenantName: TENANT.name, role: who.role }],
    };
  }

  #rotate(session: Session): void {
    session.spent.set(session.refreshToken, this.#now());
    session.refreshToken = token();
  }

  #tokensOf(sessionId: string, { refreshToken }: Session): object {
    const accessToken = `mock.${token()}`;
    const endsAt = this.#now() + this.#accessSeconds * 1000;
    this.#access.set(accessToken, { sessionId, endsAt });
    return { accessToken, refreshToken, tokenType: 'Bearer', expiresIn: this.#accessSeconds };
  }
}

function person(
  number: string,
  email: string,
  role: string,
  permissions: readonly string[],
  twoFactor: boolean,
): Person {
  const id = `0199c2a4-0000-7000-8000-0000000000${number}`;
  return { id, email, role, permissions, twoFactor };
}

function token(): string {
  return crypto.randomUUID() + crypto.randomUUID();
}

const KEY_AS_BEARER =
  'The Authorization header contains an API key. Send API keys in the X-API-Key header.';

const NO_CREDENTIAL =
  'No valid credential was sent: it is missing, unknown, expired or revoked. Send an API key in X-API-Key, or an access token in Authorization: Bearer.';

function unauthorized(detail = NO_CREDENTIAL): Problem {
  return new Problem('UNAUTHORIZED', detail, {
    headers: { 'WWW-Authenticate': 'Bearer' },
  });
}

function refusedSignIn(): Problem {
  return new Problem('INVALID_CREDENTIALS', 'Invalid credentials.', {
    headers: { 'WWW-Authenticate': 'Bearer' },
  });
}
