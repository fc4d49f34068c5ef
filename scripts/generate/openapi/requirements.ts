import { type CredentialKind, type Deprecation, LIMITS, type RoutePolicy } from '@cspm/contract';
import { operationIdOf } from './operation-id.ts';

const CREDENTIAL_WORDS: Record<CredentialKind, string> = {
  jwt: 'a session',
  api_key: 'an API key',
  global_api_key: 'the global API key',
  master_key: 'a master key',
};

const REPETITION_WORDS: Record<RoutePolicy['idempotency'], string> = {
  safe: 'Safe to repeat: changes nothing.',
  natural: 'Safe to repeat: twice has the effect of once.',
  accepted: 'Safe to repeat with an `Idempotency-Key`.',
  none: 'Not safe to repeat: each request has its own effect.',
};

/** What the policy asks of a caller, for people: readers of a page see descriptions, not extensions. */
export function requirements(policy: RoutePolicy): string {
  return [
    policy.deprecated !== null && `- ${deprecationWords(policy.deprecated)}`,
    `- Takes ${credentialWords(policy.credentials)}.`,
    policy.permission !== null && `- Needs permission \`${policy.permission}\`.`,
    policy.feature !== null && `- Needs the licensed feature \`${policy.feature}\`.`,
    policy.mfa && '- Needs a session that has passed a second factor.',
    `- ${limitWords(policy.limit)}`,
    `- ${REPETITION_WORDS[policy.idempotency]}`,
  ]
    .filter((line) => line !== false)
    .join('\n');
}

function deprecationWords({ since, sunset, successor }: Deprecation): string {
  return [
    `Deprecated since ${since}`,
    sunset !== undefined && `, and gone from ${sunset} on`,
    successor !== undefined && `; use \`${operationIdOf(successor)}\``,
    '.',
  ]
    .filter((words) => words !== false)
    .join('');
}

function credentialWords(credentials: RoutePolicy['credentials']): string {
  if (credentials === 'public') return 'no credential; one that is sent is ignored';
  const words = credentials.map((kind) => CREDENTIAL_WORDS[kind]).join(' or ');
  return credentials.length === 1 ? `${words} only` : words;
}

function limitWords(limit: RoutePolicy['limit']): string {
  if (limit === 'none') return 'Outside all rate limits.';
  if (limit === 'default') return 'Counts against the default rate limit.';
  const { quota, windowSeconds } = LIMITS[limit];
  return `Rate limit \`${limit}\`: ${quota} in ${windowSeconds} s, beside the default one.`;
}
