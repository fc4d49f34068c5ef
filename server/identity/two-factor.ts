import type { AuditAction } from '@cspm/contract';
import type { TenantConnection, TenantDatabase } from '../database/tenant-database.ts';
import type { MailData } from '../mail/mail.ts';
import type { MailQueue } from '../mail/mail-queue.ts';
import { actorOf, type Origin, writeAudit } from '../pipeline/audit.ts';
import { ProblemError } from '../pipeline/problems.ts';
import type { SessionPrincipal } from './principal.ts';
import type { Reauthentication } from './reauthenticate.ts';
import type { SecondFactors } from './second-factor.ts';
import type { Sessions, TokenPair } from './sessions.ts';
import type { Throttles } from './throttle.ts';
import { otpauthUri } from './totp.ts';

interface Dependencies {
  readonly tenants: TenantDatabase;
  readonly throttles: Throttles;
  readonly reauthentication: Reauthentication;
  readonly secondFactors: SecondFactors;
  readonly sessions: Sessions;
  readonly mail: MailQueue;
}

/** Who asks, by which session, and from where. */
interface Asker {
  readonly principal: SessionPrincipal;
  readonly origin: Origin;
}

/**
 * What a person does with their second factor. Each success is audited in the transaction of its effect; refusals are
 * audited too. A wrong code is one guess of the account, wherever it is made.
 */
export class TwoFactor {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** @throws {ProblemError} REAUTH_REQUIRED, or CONFLICT when one is enrolled. */
  async setup(asker: Asker, password: string | undefined) {
    const { principal, origin } = asker;
    await this.#reauthenticate('two_factor.setup', asker, password);
    const { user } = principal;
    return this.#deps.tenants.write(principal.homeTenantId, async (db) => {
      const secret = await this.#deps.secondFactors.begin(db, user.id);
      if (secret === null) throw conflict('A second factor is enrolled already.');
      await writeAudit(db, origin, entry('two_factor.setup', principal));
      return { secret, otpauthUri: otpauthUri(secret, user.email) };
    });
  }

  /** @throws {ProblemError} INVALID_CODE, or CONFLICT when nothing waits to be confirmed. */
  async enable(asker: Asker, code: string): Promise<string[]> {
    await this.#demandState(asker, 'pending');
    const { secondFactors } = this.#deps;
    return this.#withCode('two_factor.enabled', asker, async (db, userId, allowed) => {
      if (!allowed) return this.#sameWork(db, code);
      const recoveryCodes = await secondFactors.enable(db, userId, code);
      if (recoveryCodes !== null) await this.#tell(db, asker, 'enabled');
      return recoveryCodes;
    });
  }

  /** @throws {ProblemError} INVALID_CODE, or CONFLICT when none is enrolled. */
  async verify(asker: Asker, code: string): Promise<TokenPair> {
    await this.#demandState(asker, 'enrolled');
    const { sessionId, homeTenantId: tenantId } = asker.principal;
    return this.#spending('two_factor.verified', asker, code, (db, userId) =>
      this.#deps.sessions.raise(db, { sessionId, userId, tenantId }),
    );
  }

  /** @throws {ProblemError} REAUTH_REQUIRED, INVALID_CODE, or CONFLICT when none is enrolled. */
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

  /** Whoever sits at somebody else's session cannot do this behind their back (ASVS 5.0, 6.3.7). */
  async #tell(
    db: TenantConnection,
    { principal, origin }: Asker,
    change: MailData['two-factor-changed']['change'],
  ): Promise<void> {
    const data = { change, at: origin.at, ip: origin.ip };
    await this.#deps.mail.queue(db, {
      to: principal.user.email,
      template: 'two-factor-changed',
      data,
    });
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

  /** What a code costs when no more guesses are left: as much as before, and for nothing. */
  async #sameWork(db: TenantConnection, code: string): Promise<null> {
    await this.#deps.secondFactors.spend(db, null, code);
    return null;
  }

  /**
   * Reserves a guess, and runs `attempt` in one transaction with its audit row.
   * @throws {ProblemError} INVALID_CODE when it gives null.
   */
  async #withCode<T>(
    action: AuditAction,
    { principal, origin }: Asker,
    attempt: (db: TenantConnection, userId: string, allowed: boolean) => Promise<T | null>,
  ): Promise<T> {
    const { tenants, throttles } = this.#deps;
    const userId = principal.user.id;
    const outcome = await throttles.guard([{ name: 'code', of: [userId] }], (allowed) =>
      tenants.write(principal.homeTenantId, async (db) => {
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
      throw new ProblemError('INVALID_CODE', 'The code is wrong, or was used before.');
    }
    return outcome;
  }

  async #reauthenticate(
    action: AuditAction,
    { principal, origin }: Asker,
    password: string | undefined,
  ): Promise<void> {
    const { reauthentication, tenants } = this.#deps;
    await reauthentication.demand(principal, password, origin).catch(async (error: unknown) => {
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
      secondFactors.state(db, principal.user.id),
    );
    if (state === wanted) return;
    throw conflict(CONFLICTS[state]);
  }
}

const CONFLICTS = {
  none: 'No second factor is enrolled. Begin with POST /auth/2fa/setup.',
  pending: 'The second factor is not in force yet. Confirm it with POST /auth/2fa/enable.',
  enrolled: 'A second factor is enrolled already.',
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
