import type { Statement, TenantDatabase } from '../database/tenant-database.ts';
import { NO_TENANT } from '../ids.ts';
import { type AuditEntry, type Origin, personOf, writeAudit } from '../pipeline/audit.ts';
import { ProblemError } from '../pipeline/problems.ts';
import { hashMailToken, type MailTokenPurpose } from './mail-tokens.ts';

/** Whose token it is. The tenant is the one that an invitation is to, else the one whose audit trail tells of the person. */
export interface TokenHolder {
  readonly hash: Buffer;
  readonly purpose: MailTokenPurpose;
  readonly userId: string;
  readonly email: string;
  readonly name: string | null;
  readonly tenantId: string;
}

/**
 * Finds whose a token is, before anything costly is done for it. That it can be spent now does not mean that it still can
 * be later: spending it is what decides.
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
 * Does what a token is for, in a transaction of its holder's tenant, and audits how it went.
 * @param effect gives undefined when the token is not good any more.
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
  return new ProblemError('INVALID_TOKEN', 'The link is unknown, expired or used up.');
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
  text: 'SELECT * FROM identity.mail_token_holder($1, $2, $3)',
};
