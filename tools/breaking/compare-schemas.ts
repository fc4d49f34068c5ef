import type { Report } from './change.ts';
import { compareNull, compareValues } from './compare-values.ts';
import { node } from './node.ts';
import { type Facts, factsOf, type Placed } from './schema-facts.ts';

export interface Surroundings {
  /** Requests must not accept less than before; responses must not contain anything new. */
  readonly way: 'request' | 'response';
  readonly place: string;
  readonly report: Report;
}

/**
 * Compares two schemas part by part. Pairs that were already compared for the same operation and direction are skipped,
 * which ends cycles and reports a shared component once.
 */
export function compareSchemas(base: Placed, present: Placed, surroundings: Surroundings): void {
  compare(base, present, { ...surroundings, seen: seenBy(surroundings) });
}

type Seen = WeakMap<object, Set<object>>;

const SEEN = new WeakMap<Report, Record<'request' | 'response', Seen>>();

function seenBy({ report, way }: Surroundings): Seen {
  const known = SEEN.get(report) ?? { request: new WeakMap(), response: new WeakMap() };
  SEEN.set(report, known);
  return known[way];
}

interface Context extends Surroundings {
  readonly seen: Seen;
}

function compare(base: Placed, present: Placed, context: Context): void {
  compareFacts(factsOf(base), factsOf(present), context);
}

function compareFacts(was: Facts, is: Facts, context: Context): void {
  const pairs = context.seen.get(was.source) ?? new Set();
  if (pairs.has(is.source)) return;
  context.seen.set(was.source, pairs.add(is.source));

  if (was.alternatives.length > 0 || is.alternatives.length > 0) {
    compareAlternatives(was, is, context);
    return;
  }
  if (!compareValues(was, is, context)) return;
  compareMembers(was, is, context);
  if (was.items === undefined && is.items === undefined) return;
  // The items of a list without an item schema may be anything.
  const place = `${context.place}[]`;
  compare(partOf(was, was.items ?? {}), partOf(is, is.items ?? {}), { ...context, place });
}

function partOf({ document }: Facts, schema: unknown): Placed {
  return { document, schema };
}

function compareMembers(was: Facts, is: Facts, context: Context): void {
  const { way, place, report } = context;
  for (const [name, schema] of Object.entries(was.properties)) {
    const next = is.properties[name];
    const at = join(place, name);
    if (next === undefined) {
      report(`${way}-member-removed`, at, `Member ${name} is removed.`);
      continue;
    }
    compareNeed(name, at, was, is, context);
    compare(partOf(was, schema), partOf(is, next), { ...context, place: at });
  }
  for (const name of Object.keys(is.properties)) {
    if (was.properties[name] !== undefined) continue;
    const at = join(place, name);
    if (way === 'request' && is.required.includes(name)) {
      report('request-member-required', at, `Member ${name} is required.`);
    } else {
      report(`${way}-member-added`, at, `Member ${name} is added.`);
    }
  }
  compareOthers(was, is, context);
}

function compareNeed(name: string, at: string, was: Facts, is: Facts, context: Context): void {
  const { way, report } = context;
  const [needed, isNeeded] = [was.required.includes(name), is.required.includes(name)];
  if (needed === isNeeded) return;
  if (way === 'request') {
    if (isNeeded) report('request-member-required', at, `Member ${name} is now required.`);
    else report('request-member-optional', at, `Member ${name} is now optional.`);
  } else if (isNeeded) {
    report('response-member-guaranteed', at, `Member ${name} is always there.`);
  } else {
    report('response-member-optional', at, `Member ${name} may be missing.`);
  }
}

/** Additional members: the entries of a map. */
function compareOthers(was: Facts, is: Facts, context: Context): void {
  const { way, place, report } = context;
  const at = join(place, '*');
  const [had, has] = [was.others !== false, is.others !== false];
  if (had && has) {
    if (was.others === true && is.others === true) return;
    compare(partOf(was, node(was.others)), partOf(is, node(is.others)), { ...context, place: at });
  } else if (way === 'request') {
    if (had) report('request-members-closed', at, 'Members beside those named are not taken.');
    if (has) report('request-members-opened', at, 'Members beside those named are taken.');
  } else if (had && was.others !== true) {
    report('response-member-removed', at, 'The entries of the map are gone.');
  }
}

/** A union. Equal variants are paired; the remaining ones were removed or added. */
function compareAlternatives(was: Facts, is: Facts, context: Context): void {
  const { way, place, report } = context;
  const [gone, come] = [formsOf(was), formsOf(is)];
  compareNull(orNull(was, gone), orNull(is, come), context);
  for (const isLike of [sameLook, sameTypes]) {
    for (const form of [...gone]) {
      const next = come.find((other) => isLike(form, other));
      if (next === undefined) continue;
      gone.splice(gone.indexOf(form), 1);
      come.splice(come.indexOf(next), 1);
      compareFacts({ ...form, nullable: false }, { ...next, nullable: false }, context);
    }
  }
  for (const form of gone) {
    report(`${way}-alternative-removed`, place, `A form of the value is gone: ${look(form)}.`);
  }
  for (const form of come) {
    report(`${way}-alternative-added`, place, `There is a new form of the value: ${look(form)}.`);
  }
}

/** A union of one variant is that variant. */
function formsOf(facts: Facts): Facts[] {
  if (facts.alternatives.length === 0) return [facts];
  return facts.alternatives.map((form) => factsOf(partOf(facts, form)));
}

function orNull(facts: Facts, forms: readonly Facts[]): boolean {
  return facts.nullable || forms.some((form) => form.nullable);
}

function sameLook(one: Facts, other: Facts): boolean {
  return look(one) === look(other);
}

function sameTypes(one: Facts, other: Facts): boolean {
  return String(one.types) === String(other.types);
}

function look({ types, properties, values, keywords }: Facts): string {
  if (values !== undefined) return `one of ${values.join(', ')}`;
  const words = [(types ?? ['anything']).join(' or '), keywords['format'], keywords['pattern']];
  return [...words, ...Object.keys(properties)].filter((word) => word !== undefined).join(' ');
}

function join(place: string, name: string): string {
  return /^(body|query parameter \S+|[1-5]\d\d|every refusal)$/.test(place)
    ? `${place} ${name}`
    : `${place}.${name}`;
}
