import {
  DEFAULT_LIMIT,
  type Deprecation,
  impliedProblems,
  LIMITS,
  type Route,
  type RoutePolicy,
} from '@cspm/contract';
import { operationIdOf } from './operation-id.ts';

/** How long a key is stored; later, a repetition is a new request. */
export const IDEMPOTENCY_KEY_TTL_SECONDS = 24 * 60 * 60;

/** The policy as extensions of the document, for tools: `x-…` members for what OpenAPI cannot express. */
export function policyExtensions(route: Route): Record<`x-${string}`, unknown> {
  const { metadata: policy } = route;
  return {
    'x-credentials': policy.credentials,
    ...(policy.permissions.length > 0 && {
      'x-required-permission': requiredPermission(policy.permissions),
    }),
    ...(policy.feature !== null && { 'x-required-feature': policy.feature }),
    'x-requires-mfa': policy.mfa,
    ...(policy.limit !== 'none' && { 'x-rate-limit': rateLimit(policy.limit) }),
    'x-idempotency':
      policy.idempotency === 'accepted'
        ? { kind: policy.idempotency, keyTtlSeconds: IDEMPOTENCY_KEY_TTL_SECONDS }
        : { kind: policy.idempotency },
    ...(policy.audit !== 'none' && { 'x-audit-action': policy.audit }),
    'x-problems': impliedProblems(route),
    ...(policy.deprecated !== null && { 'x-deprecation': deprecation(policy.deprecated) }),
  };
}

/** One permission by name; a list if several are required together. */
function requiredPermission(permissions: RoutePolicy['permissions']) {
  return permissions.length === 1 ? permissions[0] : permissions;
}

/** The strictest limit; `besides` names the limit that applies to every request as well. */
function rateLimit(name: Exclude<RoutePolicy['limit'], 'none'>) {
  return name === 'default'
    ? { name, ...DEFAULT_LIMIT }
    : { name, ...LIMITS[name], besides: 'default' };
}

/** The successor by its operationId, by which readers of the document know it. */
function deprecation({ successor, ...days }: Deprecation) {
  return { ...days, ...(successor !== undefined && { successor: operationIdOf(successor) }) };
}
