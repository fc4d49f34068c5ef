import { createHash, randomBytes } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { Statement, TenantConnection, TenantDatabase } from '../database/tenant-database.ts';
import { NO_TENANT } from '../ids.ts';
import { type Origin, writeAudit } from '../pipeline/audit.ts';
import { ProblemError } from '../pipeline/problems.ts';
import type { Sessions, TokenPair } from './sessions.ts';

const CODE_TTL_SECONDS = 60;
const CODE_BYTES = 32;

interface Dependencies {
  readonly tenants: TenantDatabase;
  readonly sessions: Sessions;
  readonly clock: Clock;
}

/**
 * Codes that a browser carries from a sign-in to the page that wants the tokens, so that no token stands in an address.
 * Of 256 bits, kept as SHA-256, good once and for 60 s, on whichever instance.
 */
export class ExchangeCodes {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** In the transaction of the sign-in, into the connection's tenant. */
  async issue(
    db: TenantConnection,
    who: { userId: string; connectionId: string; amr: readonly string[] },
  ): Promise<string> {
    const code = randomBytes(CODE_BYTES).toString('base64url');
    const ends = new Date(this.#deps.clock.now().getTime() + CODE_TTL_SECONDS * 1000);
    await db.sql(ISSUE, [hashOf(code), who.connectionId, who.userId, who.amr, ends]);
    return code;
  }

  /** @throws {ProblemError} INVALID_TOKEN for a code that is unknown, spent or expired. */
  async redeem(code: string, origin: Origin): Promise<TokenPair> {
    const { tenants, clock } = this.#deps;
    const given: [string, Date] = [hashOf(code), clock.now()];
    const tenantId = await tenants.read(NO_TENANT, async (db) => {
      const [row] = await db.sql<{ tenant_id: string }>(TENANT_OF, given);
      return row?.tenant_id ?? NO_TENANT;
    });
    const tokens = await tenants.write(tenantId, (db) => this.#open(db, given, origin));
    if (tokens === null) {
      throw new ProblemError('INVALID_TOKEN', 'The code is unknown, expired or spent.');
    }
    return tokens;
  }

  async #open(
    db: TenantConnection,
    given: [string, Date],
    origin: Origin,
  ): Promise<TokenPair | null> {
    const [row] = await db.sql<RedeemedRow>(REDEEM, given);
    const action = 'auth.exchange';
    if (row !== undefined) {
      const who = { userId: row.user_id, email: row.email, amr: row.amr, action } as const;
      return this.#deps.sessions.open(db, who, origin);
    }
    const nobody = { kind: 'person', id: null, label: null };
    await writeAudit(db, origin, { action, outcome: 'failure', actor: nobody });
    return null;
  }
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
  text: 'SELECT identity.issue_exchange_code($1, $2, $3, $4, $5)',
};
const TENANT_OF: Statement = {
  name: 'exchange-code-tenant',
  text: 'SELECT * FROM identity.exchange_code_tenant($1, $2)',
};
const REDEEM: Statement = {
  name: 'exchange-code-redeem',
  text: 'SELECT * FROM identity.redeem_exchange_code($1, $2)',
};
