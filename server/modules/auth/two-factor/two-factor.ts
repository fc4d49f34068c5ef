import type { AuditAction } from '@cspm/contract';
import { actorOf, type Origin, writeAudit } from '../../../platform/audit-writer.ts';
import type {
  TenantConnection,
  TenantDatabase,
} from '../../../platform/database/tenant-database.ts';
import type { MailQueue } from '../../../platform/mail/mail-queue.ts';
import type { SessionPrincipal } from '../../../platform/principal.ts';
import { ProblemError } from '../../../platform/problem.ts';
import { codeAttempts, type Throttles } from '../../../platform/throttle.ts';
import { holdPersonOf } from '../sessions/hold-member.ts';
import type { Reauthentication } from '../sessions/reauthenticate.ts';
import type { Sessions, TokenPair } from '../sessions/sessions.ts';
import { type TwoFactorChange, twoFactorChanged } from './mails.ts';
import type { SecondFactors } from './second-factor.ts';
import { otpauthUri } from './totp.ts';

interface Dependencies {
  readonly tenants: TenantDatabase;
  readonly throttles: Throttles;
  readonly reauthentication: Reauthentication;
  readonly secondFactors: SecondFactors;
  readonly sessions: Sessions;
  readonly mail: MailQueue;
}

/** The signed-in person, their session and the request's origin. */
interface Asker {
  readonly principal: SessionPrincipal;
  readonly origin: Origin;
}

/**
 * Manages a person's second factor. Each success is audited in the same transaction; refusals are audited too. A wrong
 * code counts as one attempt of the account, wherever it was sent; see `codeAttempts`.
 */
export class TwoFactor {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** @throws {ProblemError} REAUTH_REQUIRED, UNAUTHORIZED, or CONFLICT when a second factor is already active. */
  async setup(asker: Asker, password: string | undefined) {
    const { principal, origin } = asker;
    await this.#reauthenticate('two_factor.setup', asker, password);
    const { user } = principal;
    return this.#deps.tenants.write(principal.homeTenantId, async (db) => {
      await demandSession(db, principal);
      const secret = await this.#deps.secondFactors.begin(db, user.id, principal.sessionId);
      if (secret === null) throw conflict('A second factor is already enrolled.');
      await writeAudit(db, origin, entry('two_factor.setup', principal));
      return { secret, otpauthUri: otpauthUri(secret, user.email) };
    });
  }

  /**
   * Accepts the first code in the session that started enrolment. That session reauthenticated then; one that an
   * identity provider opened does so again, because the account may have joined another tenant meanwhile.
   * @throws {ProblemError} REAUTH_REQUIRED, INVALID_CODE, or CONFLICT when no enrolment is pending.
   */
  async enable(asker: Asker, password: string | undefined, code: string): Promise<string[]> {
    await this.#reauthenticate('two_factor.enabled', asker, password, 'setup');
    await this.#demandState(asker, 'pending');
    const { secondFactors } = this.#deps;
    return this.#withCode('two_factor.enabled', asker, async (db, userId, allowed) => {
      if (!allowed) return this.#sameWork(db, code);
      const recoveryCodes = await secondFactors.enable(db, userId, asker.principal.sessionId, code);
      if (recoveryCodes !== null) await this.#tell(db, asker, 'enabled');
      return recoveryCodes;
    });
  }

  /** @throws {ProblemError} INVALID_CODE, or CONFLICT when no second factor is active. */
  async verify(asker: Asker, code: string): Promise<TokenPair> {
    await this.#demandState(asker, 'enrolled');
    const { sessionId, homeTenantId: tenantId } = asker.principal;
    return this.#spending('two_factor.verified', asker, code, (db, userId) =>
      this.#deps.sessions.raise(db, { sessionId, userId, tenantId }),
    );
  }

  /** @throws {ProblemError} REAUTH_REQUIRED, INVALID_CODE, or CONFLICT when no second factor is active. */
  async disable(asker: Asker, password: string | undefined, code: string): Promise<void> {
    await this.#reauthenticate('two_factor.disabled', asker, password);
    await this.#demandState(asker, 'enrolled');
    await this.#spending('two_factor.disabled', asker, code, async (db, userId) => {
      await this.#deps.secondFactors.disable(db, userId);
      await this.#tell(db, asker, 'disabled');
      return true;
    });
  }

  /** @throws {ProblemError} as `disable`. */
  async replaceRecoveryCodes(
    asker: Asker,
    password: string | undefined,
    code: string,
  ): Promise<string[]> {
    await this.#reauthenticate('two_factor.recovery_codes_replaced', asker, password);
    await this.#demandState(asker, 'enrolled');
    return this.#spending('two_factor.recovery_codes_replaced', asker, code, async (db, userId) => {
      await this.#tell(db, asker, 'recovery-codes');
      return this.#deps.secondFactors.replaceRecoveryCodes(db, userId);
    });
  }

  /** Notifies the owner, so that nobody can change this unnoticed from a stolen session (ASVS 5.0, 6.3.7). */
  async #tell(
    db: TenantConnection,
    { principal, origin }: Asker,
    change: TwoFactorChange,
  ): Promise<void> {
    const notice = twoFactorChanged(change, origin);
    await this.#deps.mail.queue(db, { to: principal.user.email, ...notice });
  }

  #spending<T>(
    action: AuditAction,
    asker: Asker,
    code: string,
    effect: (db: TenantConnection, userId: string) => Promise<T>,
  ): Promise<T> {
    return this.#withCode(action, asker, async (db, userId, allowed) => {
      if (!allowed) return this.#sameWork(db, code);
      const spent = await this.#deps.secondFactors.spend(db, userId, code);
      return spent ? effect(db, userId) : null;
    });
  }

  /** Takes the same work as checking a code, after all attempts are used up. */
  async #sameWork(db: TenantConnection, code: string): Promise<null> {
    await this.#deps.secondFactors.spend(db, null, code);
    return null;
  }

  /**
   * Reserves an attempt and runs `attempt` in one transaction with its audit row.
   * @throws {ProblemError} INVALID_CODE when `attempt` returns null, UNAUTHORIZED when the session has ended.
   */
  async #withCode<T>(
    action: AuditAction,
    { principal, origin }: Asker,
    attempt: (db: TenantConnection, userId: string, allowed: boolean) => Promise<T | null>,
  ): Promise<T> {
    const { tenants, throttles } = this.#deps;
    const { confined, homeTenantId } = principal;
    const userId = principal.user.id;
    const attempts = codeAttempts(userId, confined ? homeTenantId : null);
    const outcome = await throttles.guard([attempts], (allowed) =>
      tenants.write(homeTenantId, async (db) => {
        await demandSession(db, principal);
        const done = await attempt(db, userId, allowed);
        await writeAudit(
          db,
          origin,
          entry(action, principal, done === null ? 'failure' : 'success'),
        );
        return done;
      }),
    );
    if (outcome === null) {
      throw new ProblemError('INVALID_CODE', 'The code is wrong or was already used.');
    }
    return outcome;
  }

  async #reauthenticate(
    action: AuditAction,
    { principal, origin }: Asker,
    password: string | undefined,
    vouchedBy: 'age' | 'setup' = 'age',
  ): Promise<void> {
    const { reauthentication, tenants } = this.#deps;
    const proof = { password, vouchedBy };
    await reauthentication.demand(principal, proof, origin).catch(async (error: unknown) => {
      if (error instanceof ProblemError && error.code === 'REAUTH_REQUIRED') {
        await tenants.write(principal.homeTenantId, (db) =>
          writeAudit(db, origin, entry(action, principal, 'failure')),
        );
      }
      throw error;
    });
  }

  async #demandState({ principal }: Asker, wanted: 'pending' | 'enrolled'): Promise<void> {
    const { tenants, secondFactors } = this.#deps;
    const state = await tenants.read(principal.homeTenantId, (db) =>
      secondFactors.state(db, principal.user.id, principal.sessionId),
    );
    if (state === wanted) return;
    throw conflict(CONFLICTS[state]);
  }
}

/**
 * Checking the password can take seconds, in which its change may have ended the session.
 * @throws {ProblemError} UNAUTHORIZED.
 */
async function demandSession(db: TenantConnection, principal: SessionPrincipal): Promise<void> {
  if (await holdPersonOf(db, principal)) return;
  throw new ProblemError('UNAUTHORIZED', 'The session has ended.');
}

const CONFLICTS = {
  none: 'No second factor is enrolled, and none was set up in this session in the last 10 minutes. Start with POST /auth/2fa/setup.',
  pending: 'The second factor is not enabled yet. Confirm it with POST /auth/2fa/enable.',
  enrolled: 'A second factor is already enrolled.',
};

function conflict(detail: string): ProblemError {
  return new ProblemError('CONFLICT', detail);
}

function entry(
  action: AuditAction,
  principal: SessionPrincipal,
  outcome: 'success' | 'failure' = 'success',
) {
  return { action, outcome, actor: actorOf(principal), subject: principal.user.id };
}
