import {
  DEFAULT_LIMIT,
  type Deprecation,
  impliedProblems,
  LIMITS,
  type Route,
  type RoutePolicy,
} from '@cspm/contract';
import { operationIdOf } from './operation-id.ts';

/** How long a key is remembered; past that a repetition is a new request. */
export const IDEMPOTENCY_KEY_TTL_SECONDS = 24 * 60 * 60;

/** The policy in the words of the document, for tools: `x-…` beside what OpenAPI has words for. */
export function policyExtensions(route: Route): Record<`x-${string}`, unknown> {
  const { metadata: policy } = route;
  return {
    'x-credentials': policy.credentials,
    ...(policy.permission !== null && { 'x-required-permission': policy.permission }),
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

/** The tightest limit; `besides` names the one that every limited request counts against as well. */
function rateLimit(name: Exclude<RoutePolicy['limit'], 'none'>) {
  return name === 'default'
    ? { name, ...DEFAULT_LIMIT }
    : { name, ...LIMITS[name], besides: 'default' };
}

/** The successor by its operationId, which is what readers of the document know it by. */
function deprecation({ successor, ...days }: Deprecation) {
  return { ...days, ...(successor !== undefined && { successor: operationIdOf(successor) }) };
}
