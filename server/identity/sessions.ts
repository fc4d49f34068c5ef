import type { Clock } from '../clock.ts';
import type { Statement, TenantDatabase } from '../database/tenant-database.ts';
import { NO_TENANT, newId } from '../ids.ts';
import { type Actor, type Origin, writeAudit } from '../pipeline/audit.ts';
import { ProblemError } from '../pipeline/problems.ts';
import { ACCESS_TOKEN_TTL_SECONDS, type AccessTokens } from './access-token.ts';
import type { Passwords } from './password.ts';
import {
  hashRefreshToken,
  newRefreshToken,
  REFRESH_GRACE_SECONDS,
  REFRESH_IDLE_SECONDS,
  SESSION_LIFE_SECONDS,
} from './refresh-token.ts';

export interface TokenPair {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly tokenType: 'Bearer';
  readonly expiresIn: number;
}

interface Dependencies {
  readonly tenants: TenantDatabase;
  readonly passwords: Passwords;
  readonly accessTokens: AccessTokens;
  readonly clock: Clock;
}

/** Opens, renews and ends the sessions of people; each outcome is audited, in the transaction of its effect. */
export class Sessions {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** @throws {ProblemError} INVALID_CREDENTIALS: one answer and one timing, whatever the reason. */
  async signIn(
    given: { email: string; password: string; tenantId?: string | undefined },
    origin: Origin,
  ): Promise<TokenPair> {
    const email = given.email.toLowerCase();
    const account = await this.#findLogin(email, given.tenantId ?? null);
    const matches = await this.#deps.passwords.verify(
      given.password,
      account?.password_hash ?? null,
    );
    if (account === null || !matches || !account.may_sign_in || account.tenant_id === null) {
      await this.#auditFailure(account, email, origin);
      throw new ProblemError(
        'INVALID_CREDENTIALS',
        'The e-mail address and password open no session.',
      );
    }
    return this.#open(account.user_id, account.tenant_id, email, origin);
  }

  /** @throws {ProblemError} UNAUTHORIZED for a token that is unknown, expired or spent. */
  async refresh(token: string, origin: Origin): Promise<TokenPair> {
    const hash = hashRefreshToken(token);
    const session = await this.#sessionOf(hash);
    if (session === null) throw refused();
    const { tenants, clock, accessTokens } = this.#deps;
    const next = newRefreshToken();
    const rotated = await tenants.write(session.tenant_id, async (db) => {
      const now = clock.now();
      const [row] = await db.sql<{ outcome: string; amr: string[] }>(ROTATE, [
        hash,
        next.hash,
        now,
        after(now, REFRESH_IDLE_SECONDS),
        REFRESH_GRACE_SECONDS,
      ]);
      const outcome = row?.outcome ?? 'refused';
      await writeAudit(db, origin, {
        action: 'auth.refresh',
        outcome: outcome === 'rotated' ? 'success' : 'failure',
        actor: personOf(session.user_id, session.email),
        subject: session.session_id,
        detail: outcome === 'rotated' ? {} : { outcome },
      });
      return { outcome, amr: row?.amr ?? [] };
    });
    // Thrown after the transaction: what a reused token revokes stays revoked.
    if (rotated.outcome !== 'rotated') throw refused();
    const accessToken = await accessTokens.sign({
      userId: session.user_id,
      tenantId: session.tenant_id,
      sessionId: session.session_id,
      amr: rotated.amr,
    });
    return pairOf(accessToken, next.token);
  }

  /** Ends the session of a refresh token; of an unknown one nothing is said. */
  async end(token: string, origin: Origin): Promise<void> {
    const hash = hashRefreshToken(token);
    const session = await this.#sessionOf(hash);
    if (session === null) return;
    await this.#deps.tenants.write(session.tenant_id, async (db) => {
      const ended = await db.sql(END, [hash, this.#deps.clock.now()]);
      if (ended.length === 0) return;
      await writeAudit(db, origin, {
        action: 'auth.logout',
        outcome: 'success',
        actor: personOf(session.user_id, session.email),
        subject: session.session_id,
      });
    });
  }

  async #open(userId: string, tenantId: string, email: string, origin: Origin): Promise<TokenPair> {
    const { tenants, accessTokens, clock } = this.#deps;
    const sessionId = newId();
    const refresh = newRefreshToken();
    const amr = ['pwd'];
    await tenants.write(tenantId, async (db) => {
      const now = clock.now();
      await db.sql(OPEN, [
        sessionId,
        userId,
        amr,
        refresh.hash,
        now,
        after(now, SESSION_LIFE_SECONDS),
        after(now, REFRESH_IDLE_SECONDS),
      ]);
      await writeAudit(db, origin, {
        action: 'auth.login',
        outcome: 'success',
        actor: personOf(userId, email),
        subject: sessionId,
      });
    });
    const accessToken = await accessTokens.sign({ userId, tenantId, sessionId, amr });
    return pairOf(accessToken, refresh.token);
  }

  /** Known or not, a refused sign-in leaves one row and takes one transaction. */
  async #auditFailure(account: LoginRow | null, email: string, origin: Origin): Promise<void> {
    await this.#deps.tenants.write(account?.tenant_id ?? NO_TENANT, (db) =>
      writeAudit(db, origin, {
        action: 'auth.login',
        outcome: 'failure',
        actor: personOf(account?.user_id ?? null, email),
      }),
    );
  }

  async #findLogin(email: string, tenantId: string | null): Promise<LoginRow | null> {
    return this.#deps.tenants.read(NO_TENANT, async (db) => {
      const [row] = await db.sql<LoginRow>(FIND_LOGIN, [email, tenantId]);
      return row ?? null;
    });
  }

  async #sessionOf(hash: Buffer): Promise<SessionRow | null> {
    return this.#deps.tenants.read(NO_TENANT, async (db) => {
      const [row] = await db.sql<SessionRow>(SESSION_OF, [hash]);
      return row ?? null;
    });
  }
}

interface LoginRow {
  user_id: string;
  password_hash: string | null;
  may_sign_in: boolean;
  tenant_id: string | null;
}

interface SessionRow {
  session_id: string;
  user_id: string;
  email: string;
  tenant_id: string;
}

const FIND_LOGIN: Statement = {
  name: 'find-login',
  text: 'SELECT * FROM identity.find_login($1, $2)',
};
const SESSION_OF: Statement = {
  name: 'session-of',
  text: 'SELECT * FROM identity.session_of($1)',
};
const OPEN: Statement = {
  name: 'open-session',
  text: 'SELECT identity.open_session($1, $2, $3, $4, $5, $6, $7)',
};
const ROTATE: Statement = {
  name: 'rotate-refresh',
  text: 'SELECT * FROM identity.rotate_refresh($1, $2, $3, $4, $5)',
};
const END: Statement = { name: 'end-session', text: 'SELECT * FROM identity.end_session($1, $2)' };

function personOf(id: string | null, email: string): Actor {
  return { kind: 'person', id, label: email };
}

function refused(): ProblemError {
  return new ProblemError('UNAUTHORIZED', 'The refresh token opens no session.');
}

function after(start: Date, seconds: number): Date {
  return new Date(start.getTime() + seconds * 1000);
}

function pairOf(accessToken: string, refreshToken: string): TokenPair {
  return { accessToken, refreshToken, tokenType: 'Bearer', expiresIn: ACCESS_TOKEN_TTL_SECONDS };
}
