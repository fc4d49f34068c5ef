import { type Deprecation, impliedProblems, LIMITS, PROBLEMS } from '@cspm/contract';
import { errorFamily } from '../../sdk/src/error-family.ts';
import type { Method } from './sdk-operations.ts';

const CREDENTIALS: Readonly<Record<string, string>> = {
  jwt: 'a session',
  api_key: 'an API key',
  global_api_key: 'the global API key',
  master_key: 'a master key',
};

const REPETITION = {
  safe: 'Changes nothing, so it is retried after any transient failure.',
  natural:
    'Repeating it has the same effect as one request, so it is retried after any transient failure.',
  accepted:
    'Sent with an Idempotency-Key, so it is retried after any transient failure and takes effect once.',
  none: 'Not retried once the server may have received it, except after a 429.',
  probe:
    'Changes nothing, so it is retried after any transient failure, except after a response that is not a problem document.',
  text: 'Retried after any transient failure until its first chunk arrives; a later failure ends it with a `ConnectionError`.',
  events:
    'Retried after any transient failure, and resumed after the last event if a connection ends early.',
} as const;

/** The doc comment of a method, in paragraphs, all from the contract. */
export function methodDoc(method: Method): string[] {
  const { route } = method;
  const { summary, description } = route;
  const head = /[.?!]$/.test(summary) ? summary : `${summary}.`;
  return [
    ...(description ? [head, description] : [head]),
    `\`${route.method} ${route.path}\`: ${terms(method).join('; ')}. ${repetition(method)}`,
    ...deprecation(route.metadata.deprecated),
    ...throws(method),
  ];
}

function repetition({ stream, route }: Method): string {
  const { idempotency, limit } = route.metadata;
  const streamed = stream === 'bytes' ? 'text' : stream;
  return REPETITION[streamed ?? (limit === 'none' ? 'probe' : idempotency)];
}

function terms({ route }: Method): string[] {
  const { credentials, permissions, mfa, feature, limit } = route.metadata;
  const terms =
    credentials === 'public'
      ? ['requires no credential']
      : [`requires ${credentials.map((kind) => CREDENTIALS[kind] ?? kind).join(' or ')}`];
  if (mfa)
    terms.push('the session must have passed a second factor, otherwise `onStepUp` is called');
  for (const permission of permissions) terms.push(`permission \`${permission}\``);
  if (feature) terms.push(`licensed feature \`${feature}\``);
  if (limit === 'none') terms.push('not subject to rate limits');
  else if (limit === 'default') terms.push('general rate limit');
  else {
    const { quota, windowSeconds } = LIMITS[limit];
    terms.push(
      `rate limit \`${limit}\` of ${quota} in ${windowSeconds} s in addition to the general one`,
    );
  }
  return terms;
}

/** The tag for which editors strike a method through. */
function deprecation(deprecated: Deprecation | null): string[] {
  if (deprecated === null) return [];
  const { since, sunset, successor } = deprecated;
  return [
    `@deprecated Since ${since}${sunset ? `, to be removed from ${sunset} on` : ''}.${successor ? ` Use \`${successor}\`.` : ''}`,
  ];
}

/** One tag per error class, with its codes for this operation. */
function throws({ route }: Method): string[] {
  const classes = new Map<string, string[]>();
  for (const code of impliedProblems(route)) {
    const { name } = errorFamily(PROBLEMS[code].status, code);
    classes.set(name, [...(classes.get(name) ?? []), `\`${code}\``]);
  }
  // An error response that is not a problem document has a status but no code.
  for (const status of Object.keys(route.responses).map(Number)) {
    if (status >= 400) classes.set(errorFamily(status, '').name, [`\`HTTP_${status}\``]);
  }
  return [...classes].map(([name, codes]) => `@throws {${name}} ${codes.join(', ')}`);
}
