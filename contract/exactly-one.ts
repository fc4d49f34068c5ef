import type { z } from 'zod';

/** The names that each check asks for. */
const NAMES = new WeakMap<object, readonly string[]>();

/**
 * The arguments of `refine` for an object that must have exactly one of some optional members. `alternativesOf` finds their
 * names again, for the types of clients.
 */
export function exactlyOneOf<Name extends string>(...names: readonly Name[]) {
  const check = (value: { readonly [name in Name]?: unknown }) =>
    names.filter((name) => value[name] !== undefined).length === 1;
  NAMES.set(check, names);
  const list = `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
  return [check, { error: `must have exactly one of ${list}` }] as const;
}

/** The members of which an object must have exactly one; empty: there are none. */
export function alternativesOf(schema: z.core.$ZodType): readonly string[] {
  for (const check of schema._zod.def.checks ?? []) {
    const { fn } = check._zod.def as { readonly fn?: object };
    const names = fn && NAMES.get(fn);
    if (names !== undefined) return names;
  }
  return [];
}
