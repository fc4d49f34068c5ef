import type { ProblemCode } from '@cspm/contract';
import type { Services } from '../services.ts';
import { actorOf, isToldToFail, writeAudit } from './audit.ts';
import { type Exchange, originOf } from './exchange.ts';
import type { ProblemError } from './problems.ts';

/**
 * Refusals that tell nothing of what somebody tried to do: input that does not fit, a repetition while the first request
 * still runs (which has its own row), and things of ours that are out of reach. All else is kept, so that whoever tries doors is seen; how many rows that can be is what the rate limits allow.
 */
const UNTOLD: ReadonlySet<ProblemCode> = new Set([
  'VALIDATION_FAILED',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'RATE_LIMITED',
  // Whoever repeats a request does not try another thing: the first one tells of itself.
  'IDEMPOTENCY_KEY_IN_USE',
  'IDEMPOTENCY_KEY_IN_USE',
  'AUTH_UNAVAILABLE',
  'SERVICE_UNAVAILABLE',
]);

/**
 * Writes down that a change was refused to somebody whom we know, in a transaction of its own, since that of the change is
 * rolled back. Of those whom we do not know there is no tenant to tell; sign-ins tell of themselves. That it cannot be
 * written does not change the answer: nothing was done.
 */
export async function auditRefusal(
  exchange: Exchange,
  problem: ProblemError,
  services: Services,
): Promise<void> {
  const { endpoint, principal, req } = exchange;
  if (endpoint === null || principal === null || UNTOLD.has(problem.code)) return;
  const { audit: action } = endpoint.route.metadata;
  if (action === 'none') return;
  const origin = exchange.origin ?? originOf(exchange, services.clock);
  if (isToldToFail(origin)) return;
  const { permission } = problem.members;
  try {
    await services.tenants.write(principal.tenant.id, (db) =>
      writeAudit(db, origin, {
        action,
        outcome: 'failure',
        actor: actorOf(principal),
        targetTenantId: principal.tenant.id === principal.homeTenantId ? null : principal.tenant.id,
        subject: Object.values(req.params).map(String).at(0) ?? null,
        detail: { code: problem.code, ...(permission === undefined ? {} : { permission }) },
      }),
    );
  } catch (err) {
    const { correlationId } = exchange;
    services.log.error(
      { err, correlationId },
      'A refusal could not be written into the audit trail',
    );
  }
}
