import type { Clock } from '../clock.ts';
import type { Statement, TenantConnection } from '../database/tenant-database.ts';
import type { KeyRing } from './app-secrets.ts';
import { hashRecoveryCode, newRecoveryCodes } from './recovery-code.ts';
import { isSealedUnderCurrent, seal, unseal } from './seal.ts';
import { matchingStep, NOBODYS_SECRET, newTotpSecret } from './totp.ts';

/** Whose user id nobody has: a code is checked against it where there is nobody to check it against. */
const NOBODY = '00000000-0000-0000-0000-000000000000';

/** Second factors of people as they are kept: secrets sealed, recovery codes hashed, each code good for one use. */
export class SecondFactors {
  readonly #keys: KeyRing;
  readonly #clock: Clock;

  constructor(keys: KeyRing, clock: Clock) {
    this.#keys = keys;
    this.#clock = clock;
  }

  /**
   * Spends a code of a person's second factor, of the authenticator or for recovery, in the transaction of `db`. Of
   * parallel uses of one code, in whatever sessions, one wins (RFC 6238 §5.2).
   * @param userId null: nobody, for whom the same work is done.
   * @returns false for one that is wrong, spent or too old.
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

  /** @returns the new secret, not yet in force; null where a second factor is enrolled. */
  async begin(db: TenantConnection, userId: string): Promise<string | null> {
    const secret = newTotpSecret();
    const sealed = seal(this.#keys, contextOf(userId), secret);
    const [row] = await db.sql<Flag>(BEGIN, [userId, sealed]);
    return row?.done === true ? secret : null;
  }

  async state(db: TenantConnection, userId: string): Promise<'none' | 'pending' | 'enrolled'> {
    const kept = await this.#kept(db, userId);
    if (kept === null || kept.secret === null) return 'none';
    return kept.enrolled ? 'enrolled' : 'pending';
  }

  /** @returns the recovery codes, with the second factor now in force; null for a code that is not of the pending secret. */
  async enable(db: TenantConnection, userId: string, code: string): Promise<string[] | null> {
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
      ]);
      return row?.done === true;
    });
    return done ? codes : null;
  }

  async disable(db: TenantConnection, userId: string): Promise<void> {
    await db.sql(DISABLE, [userId]);
  }

  /** @returns ten new recovery codes; the ones before are void. */
  async replaceRecoveryCodes(db: TenantConnection, userId: string): Promise<string[]> {
    const codes = newRecoveryCodes();
    await db.sql(REPLACE, [userId, codes.map(hashRecoveryCode)]);
    return codes;
  }

  async #kept(db: TenantConnection, userId: string): Promise<KeptRow | null> {
    const [row] = await db.sql<KeptRow>(TWO_FACTOR_OF, [userId]);
    return row ?? null;
  }

  /**
   * Tries once more where what is kept has changed in between: it may have been sealed anew, which is no reason to refuse
   * a code. One that was spent in between is refused for its step, and an authenticator that was replaced for its codes.
   */
  async #whileKept(
    db: TenantConnection,
    userId: string,
    attempt: (kept: KeptRow | null) => Promise<boolean>,
  ): Promise<boolean> {
    const kept = await this.#kept(db, userId);
    if (await attempt(kept)) return true;
    // Of nobody as well: a refusal takes the same work whoever it is.
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
 * A secret of an authenticator under the application secret of today, so that the ones before it can be given up.
 * @returns what was given, where it is sealed so already; null when it is sealed under a secret that we no longer have.
 */
export function sealedAnew(keys: KeyRing, userId: string, sealed: Buffer): Buffer | null {
  if (isSealedUnderCurrent(keys, sealed)) return sealed;
  const opened = unseal(keys, contextOf(userId), sealed);
  return opened === null ? null : seal(keys, contextOf(userId), opened);
}

interface KeptRow {
  secret: Buffer | null;
  enrolled: boolean;
  /** A bigint, which the driver gives as text. */
  last_step: string | null;
}

interface Flag {
  done: boolean;
}

const TWO_FACTOR_OF: Statement = {
  name: 'two-factor-of',
  text: 'SELECT * FROM identity.two_factor_of($1)',
};
const SPEND_STEP: Statement = {
  name: 'spend-totp-step',
  text: 'SELECT identity.spend_totp_step($1, $2, $3, $4) AS done',
};
const SPEND_RECOVERY: Statement = {
  name: 'spend-recovery-code',
  text: 'SELECT identity.spend_recovery_code($1, $2, $3) AS done',
};
const BEGIN: Statement = {
  name: 'begin-two-factor',
  text: 'SELECT identity.begin_two_factor($1, $2) AS done',
};
const ENABLE: Statement = {
  name: 'enable-two-factor',
  text: 'SELECT identity.enable_two_factor($1, $2, $3, $4, $5) AS done',
};
const DISABLE: Statement = {
  name: 'disable-two-factor',
  text: 'SELECT identity.disable_two_factor($1)',
};
const REPLACE: Statement = {
  name: 'replace-recovery-codes',
  text: 'SELECT identity.replace_recovery_codes($1, $2)',
};

function contextOf(userId: string): string {
  return `totp:${userId}`;
}
