import type { Clock } from '../../../platform/clock.ts';
import type { KeyRing } from '../../../platform/crypto/app-secrets.ts';
import { isSealedUnderCurrent, seal, unseal } from '../../../platform/crypto/seal.ts';
import type { Statement, TenantConnection } from '../../../platform/database/tenant-database.ts';
import { hashRecoveryCode, newRecoveryCodes } from './recovery-code.ts';
import { matchingStep, NOBODYS_SECRET, newTotpSecret } from './totp.ts';

/** No user has this id. Codes are checked against it when there is no user, to take the same work. */
const NOBODY = '00000000-0000-0000-0000-000000000000';

/** How long a new secret waits for its first code. */
const PENDING_TTL_SECONDS = 10 * 60;

/** Stores second factors: secrets encrypted, recovery codes hashed, each code usable once. */
export class SecondFactors {
  readonly #keys: KeyRing;
  readonly #clock: Clock;

  constructor(keys: KeyRing, clock: Clock) {
    this.#keys = keys;
    this.#clock = clock;
  }

  /**
   * Spends a TOTP or recovery code in the transaction of `db`. When one code is used concurrently, in any sessions, one
   * use succeeds (RFC 6238 §5.2).
   * @param userId null for an unknown user, which takes the same work.
   * @returns false for a code that is wrong, spent or too old.
   */
  async spend(db: TenantConnection, userId: string | null, code: string): Promise<boolean> {
    const holder = userId ?? NOBODY;
    if (!/^[0-9]{6}$/.test(code)) {
      const [row] = await db.sql<Flag>(SPEND_RECOVERY, [
        holder,
        hashRecoveryCode(code),
        this.#clock.now(),
      ]);
      return row?.done === true;
    }
    return this.#whileKept(db, holder, async (kept) => {
      const step = this.#stepOf(holder, kept, code);
      if (kept === null || kept.secret === null || !kept.enrolled || step === null) return false;
      const resealed = sealedAnew(this.#keys, holder, kept.secret) ?? kept.secret;
      const [row] = await db.sql<Flag>(SPEND_STEP, [holder, kept.secret, step, resealed]);
      return row?.done === true;
    });
  }

  /**
   * Starts enrolment in one session. The secret waits 10 minutes for its first code.
   * @returns the new secret, not active yet; null when a second factor is already active.
   */
  async begin(db: TenantConnection, userId: string, sessionId: string): Promise<string | null> {
    const secret = newTotpSecret();
    const sealed = seal(this.#keys, contextOf(userId), secret);
    const [row] = await db.sql<Flag>(BEGIN, [userId, sealed, sessionId, this.#clock.now()]);
    return row?.done === true ? secret : null;
  }

  /** `pending` applies only in the session that started enrolment, for 10 minutes. */
  async state(
    db: TenantConnection,
    userId: string,
    sessionId: string,
  ): Promise<'none' | 'pending' | 'enrolled'> {
    const kept = await this.#kept(db, userId);
    if (kept === null || kept.secret === null) return 'none';
    if (kept.enrolled) return 'enrolled';
    const [row] = await db.sql<Flag>(PENDING, [userId, sessionId, this.#pendingSince()]);
    return row?.done === true ? 'pending' : 'none';
  }

  /**
   * @returns the recovery codes, with the second factor now active; null when the code does not match the pending
   * secret.
   */
  async enable(
    db: TenantConnection,
    userId: string,
    sessionId: string,
    code: string,
  ): Promise<string[] | null> {
    const codes = newRecoveryCodes();
    const done = await this.#whileKept(db, userId, async (kept) => {
      const step = this.#stepOf(userId, kept, code);
      if (kept === null || step === null) return false;
      const hashes = codes.map(hashRecoveryCode);
      const [row] = await db.sql<Flag>(ENABLE, [
        userId,
        kept.secret,
        step,
        hashes,
        this.#clock.now(),
        sessionId,
        this.#pendingSince(),
      ]);
      return row?.done === true;
    });
    return done ? codes : null;
  }

  async disable(db: TenantConnection, userId: string): Promise<void> {
    await db.sql(DISABLE, [userId]);
  }

  /** @returns ten new recovery codes; the earlier ones become invalid. */
  async replaceRecoveryCodes(db: TenantConnection, userId: string): Promise<string[]> {
    const codes = newRecoveryCodes();
    await db.sql(REPLACE, [userId, codes.map(hashRecoveryCode)]);
    return codes;
  }

  /** Enrolments started before this moment have expired. */
  #pendingSince(): Date {
    return new Date(this.#clock.now().getTime() - PENDING_TTL_SECONDS * 1000);
  }

  async #kept(db: TenantConnection, userId: string): Promise<KeptRow | null> {
    const [row] = await db.sql<KeptRow>(TWO_FACTOR_OF, [userId]);
    return row ?? null;
  }

  /**
   * Tries again when the stored row changed in between: it may only have been re-encrypted, which is no reason to
   * refuse a code. A code spent in between fails by its step, and a replaced authenticator by its secret.
   */
  async #whileKept(
    db: TenantConnection,
    userId: string,
    attempt: (kept: KeptRow | null) => Promise<boolean>,
  ): Promise<boolean> {
    const kept = await this.#kept(db, userId);
    if (await attempt(kept)) return true;
    // Runs for unknown users too, so that a refusal always takes the same work.
    const now = await this.#kept(db, userId);
    const before = kept?.secret ?? null;
    return before !== null && now?.secret?.equals(before) === false && attempt(now);
  }

  #stepOf(userId: string, kept: KeptRow | null, code: string): number | null {
    const opened =
      kept === null || kept.secret === null
        ? null
        : unseal(this.#keys, contextOf(userId), kept.secret);
    const lastStep = kept === null || kept.last_step === null ? null : Number(kept.last_step);
    const step = matchingStep(opened ?? NOBODYS_SECRET, code, this.#clock.now(), lastStep);
    return opened === null ? null : step;
  }
}

/**
 * Re-encrypts a TOTP secret with the current application secret, so that earlier application secrets can be removed.
 * @returns `sealed` itself when it already uses the current secret; null when its secret is no longer configured.
 */
export function sealedAnew(keys: KeyRing, userId: string, sealed: Buffer): Buffer | null {
  if (isSealedUnderCurrent(keys, sealed)) return sealed;
  const opened = unseal(keys, contextOf(userId), sealed);
  return opened === null ? null : seal(keys, contextOf(userId), opened);
}

interface KeptRow {
  secret: Buffer | null;
  enrolled: boolean;
  /** A bigint, which the driver returns as text. */
  last_step: string | null;
}

interface Flag {
  done: boolean;
}

const TWO_FACTOR_OF: Statement = {
  name: 'two-factor-of',
  reason: 'function',
  text: 'SELECT * FROM identity.two_factor_of($1)',
};
const SPEND_STEP: Statement = {
  name: 'spend-totp-step',
  reason: 'function',
  text: 'SELECT identity.spend_totp_step($1, $2, $3, $4) AS done',
};
const SPEND_RECOVERY: Statement = {
  name: 'spend-recovery-code',
  reason: 'function',
  text: 'SELECT identity.spend_recovery_code($1, $2, $3) AS done',
};
const BEGIN: Statement = {
  name: 'begin-pending-factor',
  reason: 'function',
  text: 'SELECT identity.begin_pending_factor($1, $2, $3, $4) AS done',
};
const PENDING: Statement = {
  name: 'has-pending-factor',
  reason: 'function',
  text: 'SELECT identity.has_pending_factor($1, $2, $3) AS done',
};
const ENABLE: Statement = {
  name: 'enable-pending-factor',
  reason: 'function',
  text: 'SELECT identity.enable_pending_factor($1, $2, $3, $4, $5, $6, $7) AS done',
};
const DISABLE: Statement = {
  name: 'disable-two-factor',
  reason: 'function',
  text: 'SELECT identity.disable_two_factor($1)',
};
const REPLACE: Statement = {
  name: 'replace-recovery-codes',
  reason: 'function',
  text: 'SELECT identity.replace_recovery_codes($1, $2)',
};

function contextOf(userId: string): string {
  return `totp:${userId}`;
}
