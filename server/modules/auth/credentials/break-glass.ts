import type { IncomingHttpHeaders } from 'node:http';
import { MASTER_KEY_PERMISSIONS } from '@cspm/contract';
import type pg from 'pg';
import type { Clock } from '../../../platform/clock.ts';
import { digestOf, secretsMatch } from '../../../platform/crypto/secret-match.ts';
import type { MasterKeyPrincipal } from '../../../platform/principal.ts';
import { notFound, ProblemError, validationFailed } from '../../../platform/problem.ts';
import type { TenantDirectory } from '../../tenants/index.ts';

export interface BreakGlassConfig {
  readonly key: string;
  /** How long the key works after its first use. */
  readonly ttlMinutes: number;
}

const PERMISSIONS = new Set(MASTER_KEY_PERMISSIONS);

const LONGEST_REASON = 500;

interface Dependencies {
  /** Null when break-glass is off. */
  readonly config: BreakGlassConfig | null;
  readonly production: boolean;
  readonly pool: pg.Pool;
  readonly directory: TenantDirectory;
  readonly clock: Clock;
}

/**
 * Emergency access with a master key. Each request names one tenant; the key never works again when its time limit has
 * ended.
 */
export class BreakGlass {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /**
   * Checks the reason, then the master key, then the tenant. While break-glass is off, every key is treated as wrong.
   * @returns null when the key is wrong or its time is over.
   * @throws {ProblemError} BREAK_GLASS_REASON_REQUIRED, VALIDATION_FAILED, TENANT_REQUIRED or NOT_FOUND.
   */
  async identify(headers: IncomingHttpHeaders): Promise<MasterKeyPrincipal | null> {
    const { config, production, directory } = this.#deps;
    const reason = reasonIn(headers);
    if (production && reason === null) {
      throw new ProblemError(
        'BREAK_GLASS_REASON_REQUIRED',
        'A master key requires X-Break-Glass-Reason.',
      );
    }
    const presented = headers['x-master-key'];
    if (config === null || typeof presented !== 'string') return null;
    if (!secretsMatch(presented, config.key)) return null;
    const endsAt = await this.#enter(config);
    if (endsAt <= this.#deps.clock.now()) return null;
    const named = headers['x-tenant-id'];
    if (typeof named !== 'string' || named === '') {
      throw new ProblemError('TENANT_REQUIRED', 'Name the tenant in X-Tenant-ID.');
    }
    const tenant = await directory.tenant(named);
    if (tenant === null) throw notFound();
    return {
      kind: 'master_key',
      user: null,
      tenant,
      homeTenantId: tenant.id,
      role: 'break-glass',
      permissions: PERMISSIONS,
      reason,
      mfa: false,
      expiresAt: endsAt,
    };
  }

  /** Starts the key's time limit on first use. Concurrent first uses start it once. */
  async #enter({ key, ttlMinutes }: BreakGlassConfig): Promise<Date> {
    const now = this.#deps.clock.now();
    const ends = new Date(now.getTime() + ttlMinutes * 60_000);
    const { rows } = await this.#deps.pool.query<{ ends_at: Date }>({
      name: 'enter-break-glass',
      text: 'SELECT identity.enter_break_glass($1, $2, $3) AS ends_at',
      values: [digestOf(key), now, ends],
    });
    const [row] = rows;
    if (row === undefined) throw new Error('The window of the master key is unknown');
    return row.ends_at;
  }
}

/** @throws {ProblemError} VALIDATION_FAILED when the reason is too long or contains control characters. */
function reasonIn(headers: IncomingHttpHeaders): string | null {
  const given = headers['x-break-glass-reason'];
  const reason = String(given ?? '').trim();
  if (reason === '') return null;
  if (reason.length <= LONGEST_REASON && !/\p{Cc}/u.test(reason)) return reason;
  throw validationFailed([
    {
      path: 'headers.x-break-glass-reason',
      message: `must have at most ${LONGEST_REASON} characters, none of them a control character`,
    },
  ]);
}
