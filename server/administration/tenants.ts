import { contract, FEATURES, type Feature } from '@cspm/contract';
import type { Statement } from '../platform/database/tenant-database.ts';
import { newId } from '../platform/ids.ts';
import { auditOperator, CommandError, type Operator, tenantOf } from './operator.ts';

/** Prints the id of the new tenant. A name may exist already, with a warning. */
export async function createTenant(operator: Operator, given: string): Promise<void> {
  const parsed = contract.tenant.update.body.safeParse({ name: given });
  const name = parsed.success ? parsed.data.name : undefined;
  if (name === undefined || name.trim() === '') {
    throw new CommandError(
      'The name of a tenant must have 1 to 100 characters, and no control or format characters.',
    );
  }
  const { rows } = await operator.pool.query<{ id: string }>(
    'SELECT id FROM identity.tenants WHERE name = $1 ORDER BY id LIMIT 1',
    [name],
  );
  if (rows[0] !== undefined) {
    operator.warn(`Warning: tenant ${rows[0].id} has the same name.`);
  }
  const id = newId();
  await operator.tenants.write(id, async (db) => {
    await db.sql(CREATE, [id, name, operator.clock.now()]);
    await auditOperator(operator, db, { action: 'tenant.created', subject: id, detail: { name } });
  });
  operator.say(id);
}

/** Prints a line for each tenant: id, features, and the name without what could look like another column or line. */
export async function listTenants(operator: Operator): Promise<void> {
  const { rows } = await operator.pool.query<{ id: string; name: string; features: string[] }>(
    'SELECT id, name, features FROM identity.tenants ORDER BY id',
  );
  for (const { id, name, features } of rows) {
    operator.say(`${id}\t${features.join(',') || 'none'}\t${printable(name)}`);
  }
}

/** Replaces control characters: a name that members chose could contain line breaks and terminal escape sequences. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?');
}

/**
 * Replaces the features that a tenant is licensed for; `none` removes all. Without `sso`, the sessions that its identity
 * provider opened end, and the API keys that were made in them are revoked.
 */
export async function setFeatures(operator: Operator, tenant: string, list: string): Promise<void> {
  const features = list === 'none' ? [] : [...new Set(list.split(',').map((name) => name.trim()))];
  const unknown = features.filter((name) => !FEATURES.includes(name as Feature));
  if (unknown.length > 0) {
    throw new CommandError(
      `Unknown feature: ${unknown.join(', ')}. Available features: ${FEATURES.join(', ')}; or none.`,
    );
  }
  const id = await tenantOf(operator, tenant);
  await operator.tenants.write(id, async (db) => {
    await db.sql(LICENSE, [id, features]);
    if (!features.includes('sso')) {
      // First the pending sign-ins, which sessions can come from.
      await db.sql(DELETE_PENDING, [id]);
      await db.sql(REVOKE, [operator.clock.now()]);
    }
    await auditOperator(operator, db, {
      action: 'tenant.features_set',
      subject: id,
      detail: { features },
    });
  });
  operator.say(`${id}\t${features.join(',') || 'none'}`);
}

const CREATE: Statement = {
  name: 'admin-tenant-create',
  reason: 'operator',
  text: `INSERT INTO identity.tenants (id, name, features, created_at) VALUES ($1, $2, '{}', $3)`,
};
const LICENSE: Statement = {
  name: 'admin-tenant-license',
  reason: 'operator',
  text: 'UPDATE identity.tenants SET features = $2 WHERE id = $1',
};
const DELETE_PENDING: Statement = {
  name: 'admin-saml-pending-delete',
  reason: 'operator',
  text: `DELETE FROM identity.one_time_values v
         WHERE v.kind IN ('exchange_code', 'unconfirmed_code', 'saml_confirmation')
           AND v.detail->>'tenantId' = $1::text AND v.detail ? 'connectionId'`,
};
const REVOKE: Statement = {
  name: 'admin-saml-access-revoke',
  reason: 'function',
  text: 'SELECT identity.revoke_saml_access($1)',
};
