import { acceptedCredentials, type RoutePolicy } from '@cspm/contract';
import type { Principal } from '../platform/principal.ts';
import { ProblemError } from '../platform/problem.ts';

/**
 * Checks whether a principal may use an endpoint, in the order of the specification: kind of credential, permission,
 * licensed feature, second factor.
 * @throws {ProblemError} CREDENTIAL_NOT_ALLOWED, FORBIDDEN, FEATURE_NOT_LICENSED or MFA_REQUIRED.
 */
export function authorize(policy: RoutePolicy, principal: Principal): void {
  if (policy.credentials !== 'public' && !policy.credentials.includes(principal.kind)) {
    throw new ProblemError('CREDENTIAL_NOT_ALLOWED', acceptedCredentials(policy.credentials), {
      members: { accepts: [...policy.credentials] },
    });
  }
  const lacking = policy.permissions.find((permission) => !principal.permissions.has(permission));
  if (lacking !== undefined) {
    throw new ProblemError('FORBIDDEN', `You lack the permission ${lacking}.`, {
      members: { permission: lacking },
    });
  }
  if (policy.feature !== null && !principal.tenant.features.includes(policy.feature)) {
    throw new ProblemError(
      'FEATURE_NOT_LICENSED',
      `Your tenant is not licensed for ${policy.feature}. Ask the operator to license it.`,
      {
        members: { feature: policy.feature },
      },
    );
  }
  // The master key needs no second factor: it is the way in for an administrator who lost theirs.
  if (policy.mfa && !principal.mfa && principal.kind !== 'master_key') {
    throw new ProblemError(
      'MFA_REQUIRED',
      'This endpoint requires a session that has passed a second factor. Enroll an authenticator if you have none, then call POST /auth/2fa/verify. API keys cannot pass one.',
    );
  }
}
