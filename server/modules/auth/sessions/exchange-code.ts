import { createHash, randomBytes } from 'node:crypto';
import { type Origin, personOf, writeAudit } from '../../../platform/audit-writer.ts';
import type { Clock } from '../../../platform/clock.ts';
import type {
  Statement,
  TenantConnection,
  TenantDatabase,
} from '../../../platform/database/tenant-database.ts';
import { NO_TENANT } from '../../../platform/ids.ts';
import { ProblemError } from '../../../platform/problem.ts';
import type { WebAddress } from '../../../platform/web-address.ts';
import type { SamlConfirmation, Waiting } from '../saml/confirmation.ts';
import { holdActiveMember } from './hold-member.ts';
import { limitSession, sessionLimit } from './session-limit.ts';
import type { Sessions, TokenPair } from './sessions.ts';
import { SignInCookie } from './sign-in-cookie.ts';

const CODE_TTL_SECONDS = 60;
const CODE_BYTES = 32;

interface Dependencies {
  readonly tenants: TenantDatabase;
  readonly sessions: Sessions;
  readonly web: WebAddress;
  readonly confirmation: Pick<SamlConfirmation, 'begin'>;
  readonly clock: Clock;
}

/**
 * Codes that a browser exchanges for tokens after a federated sign-in, so that no token appears in a URL. A code has
 * 256 random bits, is stored as SHA-256, works once within 60 s on any instance, and only in the browser that started
 * the sign-in, so that a code planted by an attacker is useless.
 */
export class ExchangeCodes {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /**
   * Issues a code in the transaction of a sign-in with SAML, for the connection's tenant.
   * @param who.confirm the provider's name for the person when the provider must be confirmed first; the code alone
   * then opens no session.
   * @param who.sessionEnds when the session that the code opens ends at the latest.
   */
  async issue(
    db: TenantConnection,
    who: {
      userId: string;
      connectionId: string;
      amr: readonly string[];
      browserHash: string;
      confirm: string | null;
      sessionEnds?: Date | null;
    },
  ): Promise<string> {
    const code = randomBytes(CODE_BYTES).toString('base64url');
    const ends = new Date(this.#deps.clock.now().getTime() + CODE_TTL_SECONDS * 1000);
    const { userId, connectionId, amr, browserHash, confirm, sessionEnds = null } = who;
    const hash = hashOf(code);
    await db.sql(ISSUE, [hash, browserHash, connectionId, userId, amr, ends]);
    if (confirm !== null) {
      await db.sql(UNCONFIRMED, [hash, connectionId, userId, confirm, ends]);
    }
    if (sessionEnds !== null) await limitSession(db, hash, sessionEnds);
    return code;
  }

  /** Issues a code in the transaction of a sign-in with Google. It is valid for that Google account alone. */
  async issueForGoogle(
    db: TenantConnection,
    who: { userId: string; subject: string; amr: readonly string[]; browserHash: string },
  ): Promise<string> {
    const code = randomBytes(CODE_BYTES).toString('base64url');
    const ends = new Date(this.#deps.clock.now().getTime() + CODE_TTL_SECONDS * 1000);
    const { userId, subject, amr, browserHash } = who;
    await db.sql(ISSUE_GOOGLE, [hashOf(code), browserHash, subject, userId, amr, ends]);
    return code;
  }

  /**
   * @param cookieHeader the `Cookie` header of the request.
   * @throws {ProblemError} INVALID_TOKEN for a code that is unknown, spent, expired or of another browser;
   * CONFIRMATION_REQUIRED when the account's owner must confirm the provider first.
   */
  async redeem(code: string, cookieHeader: string | undefined, origin: Origin): Promise<TokenPair> {
    const { tenants, clock, web } = this.#deps;
    const now = clock.now();
    const codeHash = hashOf(code);
    const browserHash = new SignInCookie(web.url).hashIn(cookieHeader);
    const tenantId = await tenants.read(NO_TENANT, async (db) => {
      const [row] = await db.sql<{ tenant_id: string }>(TENANT_OF, [codeHash, now]);
      return row?.tenant_id ?? NO_TENANT;
    });
    const given = [codeHash, browserHash, now] as const;
    const tokens = await tenants.write(tenantId, (db) => this.#open(db, given, origin));
    if (tokens === null) {
      throw new ProblemError(
        'INVALID_TOKEN',
        'The code is unknown, expired, already used, or was issued to another browser. Sign in again in this browser.',
      );
    }
    if ('token' in tokens) throw confirmationRequired(tokens);
    return tokens;
  }

  async #open(
    db: TenantConnection,
    given: readonly [codeHash: string, browserHash: string | null, now: Date],
    origin: Origin,
  ): Promise<TokenPair | Waiting | null> {
    const endsAt = await sessionLimit(db, given[0]);
    const [row] = await db.sql<RedeemedRow>(REDEEM, [...given]);
    const action = 'auth.exchange';
    const hasEnded = endsAt !== null && endsAt <= given[2];
    const mayEnter = row !== undefined && !hasEnded && (await holdActiveMember(db, row.user_id));
    const waiting = mayEnter ? await this.#deps.confirmation.begin(db, given[0]) : null;
    if (row === undefined || waiting === null) {
      const nobody = { kind: 'person', id: null, label: null };
      await writeAudit(db, origin, { action, outcome: 'failure', actor: nobody });
      return null;
    }
    if (waiting === 'not needed') {
      const { user_id: userId, email, amr } = row;
      const who = { userId, email, amr, action, endsAt } as const;
      return this.#deps.sessions.open(db, who, origin);
    }
    await writeAudit(db, origin, {
      action,
      outcome: 'failure',
      actor: personOf(row.user_id, row.email),
      detail: { reason: 'confirmation' },
    });
    return waiting;
  }
}

/** What the web application finds in its address after a sign-in, with the state of the page that started it. */
export function callbackQuery(code: string, state: string | undefined): Record<string, string> {
  return state === undefined ? { code } : { code, state };
}

function confirmationRequired(confirmation: Waiting): ProblemError {
  return new ProblemError(
    'CONFIRMATION_REQUIRED',
    'Confirm that this identity provider may sign in to your account: POST /auth/confirm.',
    { members: { confirmation } },
  );
}

function hashOf(code: string): string {
  return createHash('sha256').update(code).digest('base64url');
}

interface RedeemedRow {
  user_id: string;
  email: string;
  amr: string[];
}

const ISSUE: Statement = {
  name: 'exchange-code-issue',
  reason: 'function',
  text: 'SELECT identity.issue_exchange_code($1, $2, $3, $4, $5, $6)',
};
const ISSUE_GOOGLE: Statement = {
  name: 'exchange-code-issue-google',
  reason: 'function',
  text: 'SELECT identity.issue_google_code($1, $2, $3, $4, $5, $6)',
};
const UNCONFIRMED: Statement = {
  name: 'exchange-code-unconfirmed',
  reason: 'function',
  text: 'SELECT identity.require_confirmation($1, $2, $3, $4, $5)',
};
const TENANT_OF: Statement = {
  name: 'exchange-code-tenant',
  reason: 'function',
  text: 'SELECT * FROM identity.exchange_code_tenant($1, $2)',
};
const REDEEM: Statement = {
  name: 'exchange-code-redeem',
  reason: 'function',
  text: 'SELECT * FROM identity.redeem_exchange_code($1, $2, $3)',
};
