import { CREDENTIAL_KINDS } from './policy.ts';
import { PROBLEMS, type ProblemCode } from './problem.ts';
import type { Route } from './route.ts';

/**
 * Every problem that an operation can return: those implied by its policy and shapes, and those that its handler
 * declares. The OpenAPI document, the SDK's doc comments and the whole-surface tests use this list; the server returns
 * no others.
 */
export function impliedProblems(route: Route): ProblemCode[] {
  const { metadata: policy } = route;
  const codes = new Set<ProblemCode>(['VALIDATION_FAILED', 'INTERNAL']);
  if (policy.limit !== 'none') codes.add('RATE_LIMITED');
  if (policy.credentials !== 'public') {
    codes.add('UNAUTHORIZED').add('AUTH_UNAVAILABLE').add('SERVICE_UNAVAILABLE');
    // X-Tenant-ID names a tenant that the user of the session does not belong to.
    codes.add('FORBIDDEN');
    if (CREDENTIAL_KINDS.some((kind) => !policy.credentials.includes(kind))) {
      codes.add('CREDENTIAL_NOT_ALLOWED');
    }
    // A master key without a reason or tenant, or for an unknown tenant.
    codes.add('BREAK_GLASS_REASON_REQUIRED').add('TENANT_REQUIRED').add('NOT_FOUND');
  }
  if (policy.sessionTransport) codes.add('CROSS_SITE_REQUEST');
  if (policy.mfa) codes.add('MFA_REQUIRED');
  if (policy.feature !== null) codes.add('FEATURE_NOT_LICENSED');
  if (route.pathParams) codes.add('NOT_FOUND');
  if (policy.body !== 'none') {
    codes.add('REQUEST_TIMEOUT').add('UNSUPPORTED_MEDIA_TYPE').add('PAYLOAD_TOO_LARGE');
  }
  if (policy.idempotency === 'accepted') {
    codes.add('IDEMPOTENCY_KEY_IN_USE').add('IDEMPOTENCY_KEY_MISMATCH');
  }
  for (const code of policy.problems) codes.add(code);
  const order = Object.keys(PROBLEMS);
  return [...codes].sort(
    (a, b) => PROBLEMS[a].status - PROBLEMS[b].status || order.indexOf(a) - order.indexOf(b),
  );
}
