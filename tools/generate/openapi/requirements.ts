import {
  type CredentialKind,
  type Deprecation,
  LIMITS,
  OPEN_STREAMS,
  type RoutePolicy,
  type StreamName,
} from '@cspm/contract';
import { operationIdOf } from './operation-id.ts';
import { usableCredentials } from './security.ts';

const CREDENTIAL_WORDS: Record<CredentialKind, string> = {
  jwt: 'a session',
  api_key: 'an API key',
  global_api_key: 'the global API key',
  master_key: 'a master key',
};

const REPETITION_WORDS: Record<RoutePolicy['idempotency'], string> = {
  safe: 'Safe to repeat: changes nothing.',
  natural: 'Safe to repeat: has the same effect as one request.',
  accepted: 'Safe to repeat with an `Idempotency-Key`.',
  none: 'Not safe to repeat: each request has its own effect.',
};

const NAVIGATION_WORDS =
  'If `Accept` prefers `text/html`, a refusal redirects to `/auth/callback` of the web application with the code of the problem as `error`, and `correlationId`.';

const CACHE_WORDS =
  'Has an `ETag`: with `If-None-Match`, an unchanged response is 304 without a body.';

/** The policy's requirements as text, because documentation pages show descriptions, not extensions. */
export function requirements(policy: RoutePolicy): string {
  return [
    policy.deprecated !== null && `- ${deprecationWords(policy.deprecated)}`,
    `- Accepts ${credentialWords(policy)}.`,
    policy.permissions.length > 0 && `- Requires ${permissionWords(policy.permissions)}.`,
    policy.feature !== null && `- Requires the licensed feature \`${policy.feature}\`.`,
    `- ${limitWords(policy.limit)}`,
    policy.stream !== null && `- ${streamWords(policy.stream)}`,
    `- ${REPETITION_WORDS[policy.idempotency]}`,
    policy.cache === 'revalidate' && `- ${CACHE_WORDS}`,
    policy.navigation && `- ${NAVIGATION_WORDS}`,
  ]
    .filter((line) => line !== false)
    .join('\n');
}

function permissionWords(permissions: RoutePolicy['permissions']): string {
  const names = permissions.map((permission) => `\`${permission}\``);
  return names.length === 1 ? `permission ${names[0]}` : `the permissions ${names.join(' and ')}`;
}

function deprecationWords({ since, sunset, successor }: Deprecation): string {
  return [
    `Deprecated since ${since}`,
    sunset !== undefined && `, to be removed from ${sunset} on`,
    successor !== undefined && `; use \`${operationIdOf(successor)}\``,
    '.',
  ]
    .filter((words) => words !== false)
    .join('');
}

function credentialWords(policy: RoutePolicy): string {
  if (policy.credentials === 'public') return 'no credential; credentials are ignored';
  const words = usableCredentials(policy).map((kind) =>
    policy.mfa && kind === 'jwt'
      ? 'a session that has passed a second factor'
      : CREDENTIAL_WORDS[kind],
  );
  return words.length === 1 ? `${words[0]} only` : alternatives(words);
}

function alternatives(words: readonly string[]): string {
  const last = words.at(-1);
  return words.length === 2 ? words.join(' or ') : `${words.slice(0, -1).join(', ')}, or ${last}`;
}

function limitWords(limit: RoutePolicy['limit']): string {
  if (limit === 'none') return 'Not subject to rate limits.';
  if (limit === 'default') return 'Counts against the default rate limit.';
  const { quota, windowSeconds } = LIMITS[limit];
  return `Rate limit \`${limit}\`: ${quota} in ${windowSeconds} s, in addition to the default limit.`;
}

function streamWords(name: StreamName): string {
  const { perCredential, perTenant } = OPEN_STREAMS[name];
  const streams = perCredential === 1 ? 'stream' : 'streams';
  return `At most ${perCredential} open ${streams} of the kind \`${name}\` per credential, ${perTenant} per tenant.`;
}
