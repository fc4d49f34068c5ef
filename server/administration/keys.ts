import { apiKeyPrefix } from '../modules/auth/credentials/api-key.ts';
import type { Statement } from '../platform/database/tenant-database.ts';
import { auditOperator, CommandError, type Operator } from './operator.ts';

/** Revokes a per-user key by its id or its prefix; someone who finds a leaked key has only the key itself. */
export async function revokeKey(operator: Operator, given: string): Promise<void> {
  const publicId = /^cspm_([A-Za-z0-9]{12})(_|$)/.exec(given)?.[1] ?? null;
  const { rows } = await operator.pool.query<{ id: string; tenant_id: string }>(
    'SELECT id, tenant_id FROM identity.api_keys WHERE (id::text = $1 OR public_id = $2) AND revoked_at IS NULL',
    [given.toLowerCase(), publicId],
  );
  const [key] = rows;
  // Does not repeat the argument, which may be the whole secret.
  if (key === undefined) throw new CommandError('No active API key has this id.');
  const prefix = await operator.tenants.write(key.tenant_id, async (db) => {
    const [row] = await db.sql<{ public_id: string; user_id: string }>(REVOKE, [
      key.id,
      operator.clock.now(),
    ]);
    if (row === undefined) throw new CommandError('The API key was revoked in the meantime.');
    await auditOperator(operator, db, {
      action: 'api_key.revoked',
      subject: key.id,
      detail: { userId: row.user_id },
    });
    return apiKeyPrefix(row.public_id);
  });
  operator.say(`Revoked ${prefix}….`);
}

const REVOKE: Statement = {
  name: 'admin-key-revoke',
  reason: 'operator',
  text: `UPDATE identity.api_keys SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL
         RETURNING public_id, user_id`,
};
