import type { AuditAction } from '@cspm/contract';
import { type Origin, personOf, writeAudit } from '../../../platform/audit-writer.ts';
import type { Clock } from '../../../platform/clock.ts';
import type {
  Statement,
  TenantConnection,
  TenantDatabase,
} from '../../../platform/database/tenant-database.ts';
import { NO_TENANT, newId } from '../../../platform/ids.ts';
import { ProblemError } from '../../../platform/problem.ts';
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

/** Opens, refreshes and ends sessions. Each outcome is audited in the same transaction. */
export class Sessions {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /**
   * Opens a session for a member of the connection's tenant, in the transaction of `db`.
   * @param who.action action of the audit row; `detail` is added to its sign-in methods.
   * @param who.amr how the person signed in (RFC 8176); `otp` means with a second factor.
   * @param who.endsAt when the session ends at the latest.
   */
  async open(
    db: TenantConnection,
    who: {
      userId: string;
      email: string;
      amr: readonly string[];
      action?: AuditAction;
      detail?: Record<string, unknown>;
      endsAt?: Date | null;
    },
    origin: Origin,
  ): Promise<TokenPair> {
    const { userId, email, amr, action = 'auth.login', detail = {}, endsAt = null } = who;
    const sessionId = newId();
    const refresh = newRefreshToken();
    const now = this.#deps.clock.now();
    await db.sql(OPEN, [
      sessionId,
      userId,
      amr,
      refresh.hash,
      now,
      earlier(after(now, SESSION_LIFE_SECONDS), endsAt),
      earlier(after(now, REFRESH_IDLE_SECONDS), endsAt),
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
   * Records that the session has passed the second factor, in the transaction of `db`. The new tokens carry it; the
   * previous refresh token is spent.
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

  /**
   * Spends a refresh token for the next pair.
   * @returns `repeated` for the token spent last, within the grace period: its session goes on. `refused` for a token that
   * is unknown, expired or spent; a spent one has ended its session.
   */
  async renew(token: string, origin: Origin): Promise<TokenPair | 'repeated' | 'refused'> {
    const hash = hashRefreshToken(token);
    const session = await this.#sessionOf(hash);
    if (session === null) return 'refused';
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
    if (rotated.outcome !== 'rotated') {
      return rotated.outcome === 'repeated' ? 'repeated' : 'refused';
    }
    const accessToken = await accessTokens.sign({
      userId: session.user_id,
      tenantId: session.tenant_id,
      sessionId: session.session_id,
      amr: rotated.amr,
    });
    return pairOf(accessToken, next.token);
  }

  /** Ends the session of a refresh token. An unknown token is ignored. */
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
  reason: 'function',
  text: 'SELECT * FROM identity.session_of($1)',
};
const OPEN: Statement = {
  name: 'open-session',
  reason: 'function',
  text: 'SELECT identity.open_session($1, $2, $3, $4, $5, $6, $7)',
};
const RAISE: Statement = {
  name: 'raise-session',
  reason: 'function',
  text: 'SELECT * FROM identity.raise_session($1, $2, $3, $4, $5, $6)',
};
const ROTATE: Statement = {
  name: 'rotate-refresh',
  reason: 'function',
  text: 'SELECT * FROM identity.rotate_refresh($1, $2, $3, $4, $5)',
};
const END: Statement = {
  name: 'end-session',
  reason: 'function',
  text: 'SELECT * FROM identity.end_session($1, $2)',
};

/** @param headers to add to the answer. */
export function refreshRefused(headers: Record<string, string> = {}): ProblemError {
  return new ProblemError('UNAUTHORIZED', 'The refresh token is invalid.', { headers });
}

function after(start: Date, seconds: number): Date {
  return new Date(start.getTime() + seconds * 1000);
}

function earlier(end: Date, limit: Date | null): Date {
  return limit !== null && limit < end ? limit : end;
}

function pairOf(accessToken: string, refreshToken: string): TokenPair {
  return { accessToken, refreshToken, tokenType: 'Bearer', expiresIn: ACCESS_TOKEN_TTL_SECONDS };
}
