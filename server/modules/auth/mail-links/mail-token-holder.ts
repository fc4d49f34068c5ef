import {
  type AuditEntry,
  type Origin,
  personOf,
  writeAudit,
} from '../../../platform/audit-writer.ts';
import type { Statement, TenantDatabase } from '../../../platform/database/tenant-database.ts';
import { NO_TENANT } from '../../../platform/ids.ts';
import { ProblemError } from '../../../platform/problem.ts';
import { hashMailToken, type MailTokenPurpose } from './mail-tokens.ts';

/**
 * The owner of a mail token. `tenantId` is the inviting tenant for an invitation, else the tenant that audits the
 * person.
 */
export interface TokenHolder {
  readonly hash: Buffer;
  readonly purpose: MailTokenPurpose;
  readonly userId: string;
  readonly email: string;
  readonly name: string | null;
  readonly tenantId: string;
}

/**
 * Finds the owner of a token before any expensive work. The token may still expire or be spent meanwhile; `spend`
 * checks it again.
 * @throws {ProblemError} INVALID_TOKEN, audited.
 */
export async function holderOf(
  tenants: TenantDatabase,
  token: string,
  purposes: readonly MailTokenPurpose[],
  action: AuditEntry['action'],
  origin: Origin,
): Promise<TokenHolder> {
  const hash = hashMailToken(token);
  const row = await tenants.read(NO_TENANT, async (db) => {
    const [found] = await db.sql<HolderRow>(HOLDER, [hash, purposes, origin.at]);
    return found;
  });
  if (row === undefined) {
    await tenants.write(NO_TENANT, (db) =>
      writeAudit(db, origin, { action, outcome: 'failure', actor: NOBODY }),
    );
    throw invalidToken();
  }
  return {
    hash,
    purpose: row.purpose,
    userId: row.user_id,
    email: row.email,
    name: row.user_name,
    tenantId: row.tenant_id ?? NO_TENANT,
  };
}

/**
 * Runs the effect of a token in a transaction of its owner's tenant and audits the outcome.
 * @param effect returns undefined when the token is no longer valid.
 * @throws {ProblemError} INVALID_TOKEN.
 */
export async function spend<T>(
  tenants: TenantDatabase,
  holder: TokenHolder,
  action: AuditEntry['action'],
  origin: Origin,
  effect: (db: Parameters<Parameters<TenantDatabase['write']>[1]>[0]) => Promise<T | undefined>,
): Promise<T> {
  const result = await tenants.write(holder.tenantId, async (db) => {
    const done = await effect(db);
    await writeAudit(db, origin, {
      action,
      outcome: done === undefined ? 'failure' : 'success',
      actor: personOf(holder.userId, holder.email),
      subject: holder.userId,
      detail: { purpose: holder.purpose },
    });
    return done;
  });
  if (result === undefined) throw invalidToken();
  return result;
}

function invalidToken(): ProblemError {
  return new ProblemError('INVALID_TOKEN', 'The link is unknown, expired or already used.');
}

const NOBODY = { kind: 'person', id: null, label: null };

interface HolderRow {
  purpose: MailTokenPurpose;
  user_id: string;
  email: string;
  user_name: string | null;
  verified: boolean;
  tenant_id: string | null;
}

const HOLDER: Statement = {
  name: 'mail-token-holder',
  reason: 'function',
  text: 'SELECT * FROM identity.mail_token_holder($1, $2, $3)',
};
