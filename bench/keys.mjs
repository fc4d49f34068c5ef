// Keys of all tenants but the first, whose key the server creates at its start.
import { createHash } from 'node:crypto';

/** The public id and the secret of a key, the same in each run. @param {string} subject at most 12 characters */
function partsOf(subject) {
  return { publicId: subject.padEnd(12, '0'), secret: subject.padEnd(43, 's') };
}

/** The key that `giveKey` stores. @param {string} subject */
export function keyOf(subject) {
  const { publicId, secret } = partsOf(subject);
  return `cspm_${publicId}_${secret}`;
}

/**
 * Gives a tenant an administrator with a key.
 * @param {import('pg').Client} owner connected as the owner of the database
 * @param {string} tenantId
 * @param {string} subject names both
 */
export async function giveKey(owner, tenantId, subject) {
  const { publicId, secret } = partsOf(subject);
  const hash = createHash('sha256').update(secret).digest();
  await owner.query(
    `WITH person AS (
       INSERT INTO identity.users (id, email, created_at) VALUES (gen_random_uuid(), $2, now()) RETURNING id
     ), member AS (
       INSERT INTO identity.memberships (tenant_id, user_id, role, created_at, entered_at)
       SELECT $1::uuid, person.id, 'admin', now(), now() FROM person RETURNING tenant_id, user_id
     )
     INSERT INTO identity.api_keys (id, public_id, tenant_id, user_id, name, secret_hash, created_at)
     SELECT gen_random_uuid(), $3, tenant_id, user_id, 'bench', $4, now() FROM member`,
    [tenantId, `${subject}@example.com`, publicId, hash],
  );
}
