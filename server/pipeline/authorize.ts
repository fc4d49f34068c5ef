import type { RoutePolicy } from '@cspm/contract';
import type { Principal } from '../identity/principal.ts';
import { ProblemError } from './problems.ts';

/**
 * Whether a principal may use an endpoint, asked in the order of the specification: kind of credential, permission,
 * licensed feature, second factor.
 * @throws {ProblemError} CREDENTIAL_NOT_ALLOWED, FORBIDDEN, FEATURE_NOT_LICENSED or MFA_REQUIRED.
 */
export function authorize(policy: RoutePolicy, principal: Principal): void {
  if (policy.credentials !== 'public' && !policy.credentials.includes(principal.kind)) {
    throw new ProblemError(
      'CREDENTIAL_NOT_ALLOWED',
      `This endpoint takes: ${policy.credentials.join(', ')}.`,
      { members: { accepts: [...policy.credentials] } },
    );
  }
  if (policy.permission !== null && !principal.permissions.has(policy.permission)) {
    throw new ProblemError('FORBIDDEN', `You lack the permission ${policy.permission}.`, {
      members: { permission: policy.permission },
    });
  }
  if (policy.feature !== null && !principal.tenant.features.includes(policy.feature)) {
    throw new ProblemError('FEATURE_NOT_LICENSED', `Your tenant lacks ${policy.feature}.`, {
      members: { feature: policy.feature },
    });
  }
  // The master key is the emergency door: whoever lost the second factor comes in by it.
  if (policy.mfa && !principal.mfa && principal.kind !== 'master_key') {
    throw new ProblemError('MFA_REQUIRED', 'This endpoint wants a session with a second factor.');
  }
}
