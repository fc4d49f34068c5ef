import { randomBytes } from 'node:crypto';
import { contract } from '@cspm/contract';
import { Passwords } from '../modules/auth/password/password.ts';
import { twoFactorReset } from '../modules/auth/two-factor/mails.ts';
import { findRole, listRoles } from '../modules/roles/queries.ts';
import { lockTenant } from '../modules/tenants/lock-tenant.ts';
import { keyRing } from '../platform/crypto/app-secrets.ts';
import type { Statement } from '../platform/database/tenant-database.ts';
import { NO_TENANT, newId } from '../platform/ids.ts';
import { MailQueue } from '../platform/mail/mail-queue.ts';
import { attemptsKey, codeAttempts, FORGET_ATTEMPTS, Throttles } from '../platform/throttle.ts';
import { WebAddress } from '../platform/web-address.ts';
import { auditOperator, CommandError, inTenant, type Operator, tenantOf } from './operator.ts';

/** 120 bits, as 20 characters. */
const PASSWORD_BYTES = 15;

/**
 * Makes a person an active member of a tenant, and prints the password of a new account. An account with a verified
 * address keeps its password; an unverified one may have been registered by anyone, so it gets a new password and loses
 * everything that was set up in it.
 */
export async function createUser(
  operator: Operator,
  tenant: string,
  address: string,
  roleName: string,
): Promise<void> {
  const email = emailFrom(address);
  const tenantId = await tenantOf(operator, tenant);
  const password = randomBytes(PASSWORD_BYTES).toString('base64url');
  const passwordHash = await hashed(password);
  const isKnown = await operator.tenants.write(tenantId, async (db) => {
    await lockTenant(db);
    const role = await findRole(db, roleName);
    if (role === null) {
      const names = (await listRoles(db)).map(({ name }) => name).join(', ');
      throw new CommandError(`The tenant has no role ${roleName}. Available roles: ${names}.`);
    }
    const id = newId();
    const now = operator.clock.now();
    const [person] = await db.sql<{ id: string; known: boolean }>(FIND_OR_CREATE, [id, email, now]);
    if (person === undefined) throw new CommandError(`${email} could not be added.`);
    const [joined] = await db.sql(JOIN, [tenantId, person.id, role.name, now]);
    if (joined === undefined) throw new CommandError(`${email} is already a member of the tenant.`);
    if (!person.known) {
      await db.sql(VOID_UNPROVEN, [person.id, now]);
      await db.sql(SET_PASSWORD, [person.id, passwordHash, now]);
    }
    await auditOperator(operator, db, {
      action: 'user.created',
      subject: person.id,
      detail: { role: role.name },
    });
    return person.known;
  });
  if (isKnown) operator.say(`${email} already has an account and keeps its password.`);
  else operator.say(`Initial password of ${email} (shown only once): ${password}`);
}

/**
 * Removes a person's second factor and ends their sessions, for when authenticator and recovery codes are lost. The person
 * is told by mail, because somebody else may have asked for it.
 */
export async function resetTwoFactor(operator: Operator, address: string): Promise<void> {
  const email = emailFrom(address);
  const { rows } = await operator.pool.query<{
    id: string;
    is_enrolled: boolean;
    tenants: string[];
  }>(FIND_WITH_TENANTS, [email]);
  const [person] = rows;
  if (person === undefined) throw new CommandError(`User ${email} does not exist.`);
  const now = operator.clock.now();
  const mail = person.is_enrolled ? await mailQueueOf(operator) : null;
  // Audits the change in every tenant of the person, in one transaction.
  const told = person.tenants.length === 0 ? [NO_TENANT] : person.tenants;
  await operator.tenants.write(told[0] ?? NO_TENANT, async (db) => {
    await db.sql(DISABLE_TWO_FACTOR, [person.id]);
    // Wrong codes of the lost factor would lock the new one.
    const attempts = [null, ...person.tenants].map((of) => codeAttempts(person.id, of));
    await db.sql(FORGET_ATTEMPTS, [attempts.map(attemptsKey)]);
    await db.sql(END_SESSIONS, [person.id, now]);
    await mail?.queue(db, { to: email, ...twoFactorReset(now) });
    for (const tenantId of told) {
      await auditOperator(operator, await inTenant(db, tenantId), {
        action: 'user.two_factor_reset',
        subject: person.id,
      });
    }
  });
  operator.say(
    person.is_enrolled
      ? `Removed the second factor of ${email} and ended all sessions.`
      : `${email} has no second factor. Ended all sessions.`,
  );
}

async function mailQueueOf(operator: Operator): Promise<MailQueue> {
  return new MailQueue({
    keys: keyRing(await operator.appSecrets(), 'mail'),
    throttles: new Throttles(operator.pool, operator.clock),
    // Its mails have no links.
    web: new WebAddress(null),
  });
}

function emailFrom(address: string): string {
  const parsed = contract.users.create.body.shape.email.safeParse(address);
  if (!parsed.success) throw new CommandError(`${address} is not a valid e-mail address.`);
  return parsed.data.toLowerCase();
}

async function hashed(password: string): Promise<string> {
  const passwords = new Passwords();
  return passwords.hash(password).finally(() => passwords.close());
}

const FIND_OR_CREATE: Statement = {
  name: 'admin-user-find-or-create',
  reason: 'operator',
  text: `INSERT INTO identity.users AS u (id, email, created_at) VALUES ($1, $2, $3)
         ON CONFLICT (email) DO UPDATE SET name = u.name
         RETURNING u.id, u.email_verified_at IS NOT NULL AS known`,
};
const JOIN: Statement = {
  name: 'admin-user-join',
  reason: 'operator',
  text: `INSERT INTO identity.memberships (tenant_id, user_id, role, status, created_at)
         VALUES ($1, $2, $3, 'active', $4)
         ON CONFLICT (tenant_id, user_id) DO NOTHING RETURNING user_id`,
};
const SET_PASSWORD: Statement = {
  name: 'admin-user-password',
  reason: 'operator',
  text: 'UPDATE identity.users SET password_hash = $2, email_verified_at = $3 WHERE id = $1',
};
const VOID_UNPROVEN: Statement = {
  name: 'admin-user-void-unproven',
  reason: 'function',
  text: 'SELECT identity.void_unproven($1, $2)',
};
const FIND_WITH_TENANTS = `
  SELECT u.id, u.totp_enabled_at IS NOT NULL AS is_enrolled, ARRAY(
    SELECT m.tenant_id FROM identity.memberships m WHERE m.user_id = u.id ORDER BY m.tenant_id
  ) AS tenants
  FROM identity.users u WHERE u.email = $1`;
const DISABLE_TWO_FACTOR: Statement = {
  name: 'admin-two-factor-disable',
  reason: 'function',
  text: 'SELECT identity.disable_two_factor($1)',
};
const END_SESSIONS: Statement = {
  name: 'admin-sessions-end',
  reason: 'function',
  text: 'SELECT identity.revoke_sessions($1, NULL, $2)',
};
