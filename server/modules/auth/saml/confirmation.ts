import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { type Origin, personOf, writeAudit } from '../../../platform/audit-writer.ts';
import type { Clock } from '../../../platform/clock.ts';
import type {
  Statement,
  TenantConnection,
  TenantDatabase,
} from '../../../platform/database/tenant-database.ts';
import { NO_TENANT } from '../../../platform/ids.ts';
import type { MailQueue } from '../../../platform/mail/mail-queue.ts';
import { ProblemError } from '../../../platform/problem.ts';
import {
  clientKey,
  codeAttempts,
  passwordAttempts,
  type Throttles,
} from '../../../platform/throttle.ts';
import type { Passwords } from '../password/password.ts';
import { holdActiveMember } from '../sessions/hold-member.ts';
import { sessionLimit } from '../sessions/session-limit.ts';
import type { Sessions, TokenPair } from '../sessions/sessions.ts';
import type { SecondFactors } from '../two-factor/second-factor.ts';
import { confirmSignIn } from './mails.ts';

const TTL_SECONDS = 10 * 60;
const TOKEN_BYTES = 32;

interface Dependencies {
  readonly tenants: TenantDatabase;
  readonly passwords: Passwords;
  readonly throttles: Throttles;
  readonly secondFactors: SecondFactors;
  readonly sessions: Sessions;
  readonly mail: MailQueue;
  readonly clock: Clock;
}

/** Proof with which the account's owner confirms a sign-in. Exactly one member is set. */
export interface Proof {
  readonly password?: string | undefined;
  readonly code?: string | undefined;
  readonly mailToken?: string | undefined;
}

/** A pending confirmation, as returned to the client. */
export interface Waiting {
  readonly token: string;
  readonly methods: ('password' | 'code' | 'mail')[];
  readonly expiresAt: string;
}

/**
 * Holds back SAML sign-ins until the account's owner confirms the identity provider: once for each provider, by
 * password, second factor or mail. The signing-in browser holds one token and the owner's mailbox another. Neither the
 * provider alone nor a person who only has the mailed link can sign in.
 */
export class SamlConfirmation {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /**
   * Makes a redeemed exchange code wait for confirmation. Runs in the transaction that redeemed the code.
   * @param codeHash hash under which the code is stored.
   * @returns null when the sign-in can no longer be confirmed, for example because the tenant lost single sign-on.
   */
  async begin(db: TenantConnection, codeHash: string): Promise<Waiting | 'not needed' | null> {
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const now = this.#deps.clock.now();
    const ends = new Date(now.getTime() + TTL_SECONDS * 1000);
    const [row] = await db.sql<{ begun: boolean }>(BEGIN, [codeHash, hashOf(token), ends]);
    if (row?.begun !== true) return 'not needed';
    const [pending] = await db.sql<PendingRow>(FIND, [hashOf(token), now]);
    if (pending === undefined) return null;
    return { token, methods: methodsOf(pending), expiresAt: ends.toISOString() };
  }

  /**
   * Opens the session of a pending sign-in.
   * @throws {ProblemError} INVALID_TOKEN for a confirmation or mail token that is unknown, expired or spent;
   * INVALID_CREDENTIALS for a wrong password; INVALID_CODE for a wrong code. Wrong proofs leave the confirmation
   * pending and count as failed sign-ins.
   */
  async confirm(token: string, proof: Proof, origin: Origin): Promise<TokenPair> {
    const pending = await this.#find(token, origin);
    if (proof.password !== undefined) {
      const tokens = await this.#byPassword(token, pending, proof.password, origin);
      return tokens ?? this.#refuse(pending, 'password', origin);
    }
    if (proof.code !== undefined) {
      const tokens = await this.#byCode(token, pending, proof.code, origin);
      return tokens ?? this.#refuse(pending, 'code', origin);
    }
    const tokens = await this.#byMail(token, pending, proof.mailToken ?? '', origin);
    return tokens ?? this.#refuse(pending, 'mail', origin);
  }

  /**
   * Mails the second token to the account's owner. A token mailed earlier becomes invalid, unless the mailbox has
   * received as many as it may: then nothing is sent, and the newest token stays valid.
   * @throws {ProblemError} INVALID_TOKEN.
   */
  async sendMail(token: string, origin: Origin): Promise<void> {
    const pending = await this.#find(token, origin);
    const mailToken = randomBytes(TOKEN_BYTES).toString('base64url');
    const values = [hashOf(token), hashOf(mailToken), this.#deps.clock.now()];
    await this.#deps.tenants.write(pending.tenant_id, async (db) => {
      const mail = { to: pending.email, ...confirmSignIn(mailToken, origin) };
      if (!(await this.#deps.mail.queue(db, mail))) return;
      const [row] = await db.sql<{ noted: boolean }>(NOTE_MAIL, values);
      if (row?.noted !== true) throw invalidToken();
      await writeAudit(db, origin, {
        action: 'auth.confirm_mail',
        outcome: 'success',
        actor: personOf(pending.user_id, pending.email),
      });
    });
  }

  #byPassword(token: string, pending: PendingRow, password: string, origin: Origin) {
    const { passwords, throttles, tenants } = this.#deps;
    const { email, password_hash: hash, tenant_id: tenantId } = pending;
    return throttles.guard(passwordAttempts(email, origin.ip), async (allowed) => {
      const matches = await passwords.verify(password, hash, clientKey(origin.ip));
      if (!matches || !allowed) return null;
      return tenants.write(tenantId, async (db) => {
        const [row] = await db.sql<{ holds: boolean }>(STILL_HOLDS, [pending.user_id, hash]);
        return row?.holds === true ? this.#open(db, token, 'pwd', origin) : null;
      });
    });
  }

  #byCode(token: string, pending: PendingRow, code: string, origin: Origin) {
    const { secondFactors, throttles, tenants } = this.#deps;
    return throttles.guard([codeAttempts(pending.user_id, pending.tenant_id)], (allowed) =>
      tenants.write(pending.tenant_id, async (db) => {
        const holder = allowed && pending.two_factor ? pending.user_id : null;
        const passed = await secondFactors.spend(db, holder, code);
        return passed && holder !== null ? this.#open(db, token, 'otp', origin) : null;
      }),
    );
  }

  async #byMail(token: string, pending: PendingRow, mailToken: string, origin: Origin) {
    const [given, expected] = [
      Buffer.from(hashOf(mailToken)),
      Buffer.from(pending.mail_hash ?? ''),
    ];
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
    return this.#deps.tenants.write(pending.tenant_id, (db) =>
      this.#open(db, token, 'mail', origin),
    );
  }

  /** @throws {ProblemError} INVALID_TOKEN when the confirmation was spent concurrently. */
  async #open(
    db: TenantConnection,
    token: string,
    method: 'pwd' | 'otp' | 'mail',
    origin: Origin,
  ): Promise<TokenPair> {
    const endsAt = await sessionLimit(db, hashOf(token));
    const now = this.#deps.clock.now();
    const [row] = await db.sql<CompletedRow>(COMPLETE, [hashOf(token), now]);
    if (row === undefined || (endsAt !== null && endsAt <= now)) throw invalidToken();
    const { user_id: userId, email } = row;
    if (!(await holdActiveMember(db, userId))) throw invalidToken();
    const amr = ['saml', method];
    const who = { userId, email, amr, action: 'auth.confirm', endsAt } as const;
    return this.#deps.sessions.open(db, who, origin);
  }

  async #find(token: string, origin: Origin): Promise<PendingRow> {
    const row = await this.#deps.tenants.read(NO_TENANT, async (db) => {
      const [found] = await db.sql<PendingRow>(FIND, [hashOf(token), this.#deps.clock.now()]);
      return found;
    });
    if (row !== undefined) return row;
    const actor = { kind: 'person', id: null, label: null };
    await this.#deps.tenants.write(NO_TENANT, (db) =>
      writeAudit(db, origin, { action: 'auth.confirm', outcome: 'failure', actor }),
    );
    throw invalidToken();
  }

  async #refuse(
    pending: PendingRow,
    method: 'password' | 'code' | 'mail',
    origin: Origin,
  ): Promise<never> {
    await this.#deps.tenants.write(pending.tenant_id, (db) =>
      writeAudit(db, origin, {
        action: 'auth.confirm',
        outcome: 'failure',
        actor: personOf(pending.user_id, pending.email),
        detail: { method },
      }),
    );
    if (method === 'password') {
      throw new ProblemError('INVALID_CREDENTIALS', 'The password is wrong.');
    }
    if (method === 'code') {
      throw new ProblemError('INVALID_CODE', 'The code is wrong or was already used.');
    }
    throw new ProblemError(
      'INVALID_TOKEN',
      'The token from the mail does not belong to this sign-in. Use the newest mail.',
    );
  }
}

function methodsOf(pending: PendingRow): Waiting['methods'] {
  return [
    ...(pending.password_hash === null ? [] : (['password'] as const)),
    ...(pending.two_factor ? (['code'] as const) : []),
    'mail',
  ];
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

function invalidToken(): ProblemError {
  return new ProblemError(
    'INVALID_TOKEN',
    'The confirmation is unknown, expired or already used. Start the sign-in again.',
  );
}

interface PendingRow {
  tenant_id: string;
  user_id: string;
  email: string;
  /** Null when the account has no password, or one that was set before its owner proved the address. */
  password_hash: string | null;
  two_factor: boolean;
  mail_hash: string | null;
  ends: Date;
}

interface CompletedRow {
  connection_id: string;
  user_id: string;
  email: string;
}

const BEGIN: Statement = {
  name: 'confirmation-begin',
  reason: 'function',
  text: 'SELECT identity.begin_confirmation($1, $2, $3) AS begun',
};
const FIND: Statement = {
  name: 'confirmation-find',
  reason: 'function',
  text: 'SELECT * FROM identity.saml_confirmation($1, $2)',
};
const NOTE_MAIL: Statement = {
  name: 'confirmation-mail',
  reason: 'function',
  text: 'SELECT identity.note_confirmation_mail($1, $2, $3) AS noted',
};
const COMPLETE: Statement = {
  name: 'confirmation-complete',
  reason: 'function',
  text: 'SELECT * FROM identity.complete_confirmation($1, $2)',
};
const STILL_HOLDS: Statement = {
  name: 'still-holds-password',
  reason: 'function',
  text: 'SELECT identity.still_holds_password($1, $2) AS holds',
};
