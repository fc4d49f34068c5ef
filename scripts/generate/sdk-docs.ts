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
  safe: 'Changes nothing, so it is repeated after any failure that may pass.',
  natural: 'Repeating it has the effect of one, so it is repeated after any failure that may pass.',
  accepted:
    'Sent with an Idempotency-Key, so it is repeated after any failure that may pass and takes effect once.',
  none: 'Never repeated once the server may have seen it, except after a 429.',
  probe:
    'Changes nothing, so it is repeated after any failure that may pass, except after an answer that is no problem document.',
  text: 'Repeated after any failure that may pass until its first piece has come; what breaks off after that ends with a `ConnectionError`.',
  events:
    'Repeated after any failure that may pass, and resumed after the last event where a connection ends early.',
} as const;

/** The doc comment of a method, in paragraphs: all from the contract. */
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
  return REPETITION[stream ?? (limit === 'none' ? 'probe' : idempotency)];
}

function terms({ route }: Method): string[] {
  const { credentials, permission, mfa, feature, limit } = route.metadata;
  const terms =
    credentials === 'public'
      ? ['needs no credential']
      : [`needs ${credentials.map((kind) => CREDENTIALS[kind] ?? kind).join(' or ')}`];
  if (mfa)
    terms.push('the session must have passed a second factor, or `onStepUp` is asked for one');
  if (permission) terms.push(`permission \`${permission}\``);
  if (feature) terms.push(`licensed feature \`${feature}\``);
  if (limit === 'none') terms.push('outside all rate limits');
  else if (limit === 'default') terms.push('general rate limit');
  else {
    const { quota, windowSeconds } = LIMITS[limit];
    terms.push(`rate limit \`${limit}\` of ${quota} in ${windowSeconds} s besides the general one`);
  }
  return terms;
}

/** The tag that editors strike a method through for. */
function deprecation(deprecated: Deprecation | null): string[] {
  if (deprecated === null) return [];
  const { since, sunset, successor } = deprecated;
  return [
    `@deprecated Since ${since}${sunset ? `, and gone from ${sunset} on` : ''}.${successor ? ` Use \`${successor}\`.` : ''}`,
  ];
}

/** One tag for each class of error, with the codes that it stands for here. */
function throws({ route }: Method): string[] {
  const classes = new Map<string, string[]>();
  for (const code of impliedProblems(route)) {
    const { name } = errorFamily(PROBLEMS[code].status, code);
    classes.set(name, [...(classes.get(name) ?? []), `\`${code}\``]);
  }
  // A refusal that is no problem document has no code but its status.
  for (const status of Object.keys(route.responses).map(Number)) {
    if (status >= 400) classes.set(errorFamily(status, '').name, [`\`HTTP_${status}\``]);
  }
  return [...classes].map(([name, codes]) => `@throws {${name}} ${codes.join(', ')}`);
}
