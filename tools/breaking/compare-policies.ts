import type { Report } from './change.ts';
import { list, type Node, node, texts } from './node.ts';
import type { Operation } from './operation.ts';

/** Compares the requirements for callers besides the schemas: the `x-…` members of the document. */
export function comparePolicies(before: Operation, now: Operation, report: Report): void {
  const [base, present] = [before.operation, now.operation];
  compareCredentials(credentialsOf(base), credentialsOf(present), report);
  compareWanted(base, present, report);
  compareRateLimits(node(base['x-rate-limit']), node(present['x-rate-limit']), report);
  compareIdempotency(node(base['x-idempotency']), node(present['x-idempotency']), report);
  compareDeprecation(base, present, report);
  const [action, newAction] = [base['x-audit-action'], present['x-audit-action']];
  if (action !== newAction) {
    report(
      'audit-action-changed',
      '',
      `In the audit trail it was ${action ?? 'nothing'} and is ${newAction ?? 'nothing'}.`,
    );
  }
  // Without a list, it is unknown which values were allowed before.
  if (base['x-problems'] === undefined) return;
  const [known, possible] = [texts(base['x-problems']), texts(present['x-problems'])];
  for (const code of minus(possible, known))
    report('problem-added', '', `${code} may be returned.`);
  for (const code of minus(known, possible)) {
    report('problem-removed', '', `${code} is no longer returned.`);
  }
}

/** In a document without our extension, the names of the security schemes. */
function credentialsOf(operation: Node): unknown {
  if (operation['x-credentials'] !== undefined) return operation['x-credentials'];
  const schemes = list(operation['security']).flatMap((each) => Object.keys(node(each)));
  return schemes.length === 0 ? 'public' : schemes;
}

function compareCredentials(base: unknown, present: unknown, report: Report): void {
  if (base === 'public' && present === 'public') return;
  if (base === 'public') {
    report(
      'credential-required',
      '',
      `It was public, and now requires ${texts(present).join(', ')}.`,
    );
  } else if (present === 'public') {
    report('credential-lifted', '', 'It is public now.');
  } else {
    for (const kind of minus(texts(base), texts(present))) {
      report('credential-kind-dropped', '', `${kind} is no longer accepted.`);
    }
    for (const kind of minus(texts(present), texts(base))) {
      report('credential-kind-added', '', `${kind} is also accepted.`);
    }
  }
}

const WANTED = [
  ['x-required-permission', 'permission-required', 'permission-lifted', 'permission '],
  ['x-required-feature', 'feature-required', 'feature-lifted', 'licensed feature '],
] as const;

function compareWanted(base: Node, present: Node, report: Report): void {
  for (const [extension, required, lifted, word] of WANTED) {
    const [was, is] = [wantedWords(base[extension]), wantedWords(present[extension])];
    if (was === is) continue;
    if (is === undefined) report(lifted, '', `It no longer requires the ${word}${was}.`);
    else
      report(
        required,
        '',
        `It requires the ${word}${is}${was === undefined ? '' : `, not ${was}`}.`,
      );
  }
  const [was, is] = [base['x-requires-mfa'] === true, present['x-requires-mfa'] === true];
  if (is && !was) report('mfa-required', '', 'It requires a session with a second factor.');
  if (was && !is) report('mfa-lifted', '', 'It no longer requires a second factor.');
}

/** One name, or several that are all required. */
function wantedWords(wanted: unknown): string | undefined {
  return wanted === undefined ? undefined : texts([wanted].flat()).join(' and ');
}

/** The stricter of two limits allows fewer requests in a burst or over time. */
function compareRateLimits(base: Node, present: Node, report: Report): void {
  const [was, is] = [limitOf(base), limitOf(present)];
  const message = `The limit was ${words(base)} and is ${words(present)}.`;
  if (is.quota < was.quota || is.perSecond < was.perSecond) {
    report('rate-limit-tightened', '', message);
  } else if (is.quota > was.quota || is.perSecond > was.perSecond) {
    report('rate-limit-loosened', '', message);
  }
}

function limitOf({ quota, windowSeconds }: Node): { quota: number; perSecond: number } {
  if (typeof quota !== 'number' || typeof windowSeconds !== 'number') {
    return { quota: Number.POSITIVE_INFINITY, perSecond: Number.POSITIVE_INFINITY };
  }
  return { quota, perSecond: quota / windowSeconds };
}

function words({ name, quota, windowSeconds }: Node): string {
  return name === undefined ? 'none' : `${quota} in ${windowSeconds} s (${name})`;
}

/** From "anyone may repeat it" to "nobody may repeat it". */
const SAFETY: readonly unknown[] = ['safe', 'natural', 'accepted', 'none'];

function compareIdempotency(base: Node, present: Node, report: Report): void {
  const [was, is] = [SAFETY.indexOf(base['kind']), SAFETY.indexOf(present['kind'])];
  const message = `Repeating it was ${base['kind']} and is ${present['kind']}.`;
  // A caller who repeated a request without effect can also repeat one whose repetition has no further effect.
  if (Math.max(is, 1) > Math.max(was, 1)) report('idempotency-dropped', '', message);
  else if (is < was) report('idempotency-gained', '', message);
  const [life, newLife] = [base['keyTtlSeconds'], present['keyTtlSeconds']];
  if (typeof life !== 'number' || typeof newLife !== 'number' || life === newLife) return;
  const rule = newLife < life ? 'idempotency-life-shortened' : 'idempotency-life-lengthened';
  report(rule, '', `An Idempotency-Key was remembered for ${life} s and is for ${newLife} s.`);
}

function compareDeprecation(base: Node, present: Node, report: Report): void {
  const [was, is] = [base['deprecated'] === true, present['deprecated'] === true];
  const [sunset, newSunset] = [base, present].map((each) => node(each['x-deprecation'])['sunset']);
  if (is && !was) report('operation-deprecated', '', 'The operation is deprecated.');
  if (was && !is) report('operation-reinstated', '', 'The operation is no longer deprecated.');
  if (typeof newSunset === 'string' && typeof sunset === 'string' && newSunset < sunset) {
    report('sunset-advanced', '', `It may be removed on ${newSunset}, no longer on ${sunset}.`);
  }
}

function minus(values: readonly string[], others: readonly string[]): string[] {
  return values.filter((value) => !others.includes(value));
}
