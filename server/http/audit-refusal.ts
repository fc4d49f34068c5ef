import type { ProblemCode } from '@cspm/contract';
import { actorOf, writeAudit } from '../platform/audit-writer.ts';
import type { ProblemError } from '../platform/problem.ts';
import { originOf, type RequestContext } from './request-context.ts';
import type { HttpServices } from './services.ts';

/**
 * Refusals that are not audited because they say nothing about intent: invalid input, a repeated request while the
 * first one still runs (that one has its own row), and unavailable dependencies. Every other refusal is audited. The
 * rate limits bound the number of rows.
 */
const NOT_AUDITED: ReadonlySet<ProblemCode> = new Set([
  'VALIDATION_FAILED',
  'REQUEST_TIMEOUT',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'RATE_LIMITED',
  // A concurrent repetition is not a second attempt: the first request writes its own row.
  'IDEMPOTENCY_KEY_IN_USE',
  'AUTH_UNAVAILABLE',
  'SERVICE_UNAVAILABLE',
]);

/**
 * Audits that a change was refused to an identified caller. It uses its own transaction because the transaction of the
 * change is rolled back. Anonymous requests have no tenant to audit under, and sign-ins write their own rows. A failed
 * write does not change the response, because the change was not made.
 */
export async function auditRefusal(
  requestContext: RequestContext,
  problem: ProblemError,
  services: HttpServices,
): Promise<void> {
  const { endpoint, principal, req } = requestContext;
  if (endpoint === null || principal === null || NOT_AUDITED.has(problem.code)) return;
  const { audit: action } = endpoint.route.metadata;
  if (action === 'none') return;
  const arrival = requestContext.origin ?? originOf(requestContext, services.clock);
  if (arrival.failureIsAudited) return;
  // An upload may be refused long after its request arrived.
  const origin = { ...arrival, at: services.clock.now() };
  const { permission } = problem.members;
  try {
    await services.identityTenants.write(principal.tenant.id, (db) =>
      writeAudit(db, origin, {
        action,
        outcome: 'failure',
        actor: actorOf(principal),
        targetTenantId: principal.tenant.id === principal.homeTenantId ? null : principal.tenant.id,
        subject: Object.values(req.params).map(String).at(0) ?? null,
        detail: {
          code: problem.code,
          ...(permission === undefined ? {} : { permission }),
          ...problem.audited,
        },
      }),
    );
  } catch (err) {
    const { correlationId } = requestContext;
    services.log.error({ err, correlationId }, 'Failed to record a refusal in the audit trail');
  }
}
