import type { AuditAction } from '@cspm/contract';
import type { Clock } from '../clock.ts';
import type { Statement, TenantConnection, TenantDatabase } from '../database/tenant-database.ts';
import { NO_TENANT, newId } from '../ids.ts';
import { type Origin, personOf, writeAudit } from '../pipeline/audit.ts';
import { ProblemError } from '../pipeline/problems.ts';
import { ACCESS_TOKEN_TTL_SECONDS, type AccessTokens } from './access-token.ts';
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
  readonly accessTokens: AccessTokens;
  readonly clock: Clock;
}

/** Opens, renews and ends the sessions of people; each outcome is audited, in the transaction of its effect. */
export class Sessions {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /**
   * Opens a session of a member of the connection's tenant, in its transaction.
   * @param who.action what the audit trail calls it, and `detail` what it adds to the methods.
   * @param who.amr how the person signed in (RFC 8176); `otp` among them passes for a second factor.
   */
  async open(
    db: TenantConnection,
    who: {
      userId: string;
      email: string;
      amr: readonly string[];
      action?: AuditAction;
      detail?: Record<string, unknown>;
    },
    origin: Origin,
  ): Promise<TokenPair> {
    const { userId, email, amr, action = 'auth.login', detail = {} } = who;
    const sessionId = newId();
    const refresh = newRefreshToken();
    const now = this.#deps.clock.now();
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
      action,
      outcome: 'success',
      actor: personOf(userId, email),
      subject: sessionId,
      detail: { ...detail, amr },
    });
    const claims = { userId, tenantId: db.tenantId, sessionId, amr };
    return pairOf(await this.#deps.accessTokens.sign(claims), refresh.token);
  }

  /**
   * Notes that a session has passed a second factor, in the transaction of `db`. Its new tokens say so; the refresh token
   * that it had is spent.
   * @throws {ProblemError} UNAUTHORIZED when the session has ended meanwhile.
   */
  async raise(
    db: TenantConnection,
    session: { sessionId: string; userId: string; tenantId: string },
  ): Promise<TokenPair> {
    const refresh = newRefreshToken();
    const now = this.#deps.clock.now();
    const [row] = await db.sql<{ amr: string[] }>(RAISE, [
      session.sessionId,
      session.userId,
      'otp',
      refresh.hash,
      now,
      after(now, REFRESH_IDLE_SECONDS),
    ]);
    if (row === undefined) throw new ProblemError('UNAUTHORIZED', 'The session has ended.');
    return pairOf(await this.#deps.accessTokens.sign({ ...session, amr: row.amr }), refresh.token);
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

  async #sessionOf(hash: Buffer): Promise<SessionRow | null> {
    return this.#deps.tenants.read(NO_TENANT, async (db) => {
      const [row] = await db.sql<SessionRow>(SESSION_OF, [hash]);
      return row ?? null;
    });
  }
}

interface SessionRow {
  session_id: string;
  user_id: string;
  email: string;
  tenant_id: string;
}

const SESSION_OF: Statement = {
  name: 'session-of',
  text: 'SELECT * FROM identity.session_of($1)',
};
const OPEN: Statement = {
  name: 'open-session',
  text: 'SELECT identity.open_session($1, $2, $3, $4, $5, $6, $7)',
};
const RAISE: Statement = {
  name: 'raise-session',
  text: 'SELECT * FROM identity.raise_session($1, $2, $3, $4, $5, $6)',
};
const ROTATE: Statement = {
  name: 'rotate-refresh',
  text: 'SELECT * FROM identity.rotate_refresh($1, $2, $3, $4, $5)',
};
const END: Statement = { name: 'end-session', text: 'SELECT * FROM identity.end_session($1, $2)' };

function refused(): ProblemError {
  return new ProblemError('UNAUTHORIZED', 'The refresh token opens no session.');
}

function after(start: Date, seconds: number): Date {
  return new Date(start.getTime() + seconds * 1000);
}

function pairOf(accessToken: string, refreshToken: string): TokenPair {
  return { accessToken, refreshToken, tokenType: 'Bearer', expiresIn: ACCESS_TOKEN_TTL_SECONDS };
}
