import type { AssetFields } from '@cspm/sdk';
import type { DraftTest } from '../draft.ts';
import type { Field } from './completion.ts';

const DEPTH_MAX = 8;
const FIELDS_MAX = 500;
const ELEMENTS_MAX = 10;

/** The fields of an inventory for completion, after those that only a test has. */
export function fieldsFor(
  inventory: AssetFields | undefined,
  tests: readonly DraftTest[],
): readonly Field[] {
  const known = (inventory?.fields ?? []).map(({ path, kinds, assets }) => ({
    path,
    kinds,
    found: `${assets} of ${inventory?.sampled ?? 0}`,
  }));
  const paths = new Set(known.map(({ path }) => JSON.stringify(path)));
  const own = fieldsOfTests(tests).filter(({ path }) => !paths.has(JSON.stringify(path)));
  return [...known, ...own];
}

/** The members of `resource.data` of test assets. A test that is not valid JSON yet has none. */
function fieldsOfTests(tests: readonly DraftTest[]): readonly Field[] {
  const found = new Map<string, Field>();
  const add = (path: readonly string[], value: unknown) => {
    for (const [name, member] of membersOf(value)) {
      const own = [...path, name];
      const key = JSON.stringify(own);
      if (!found.has(key))
        found.set(key, { path: own, kinds: [kindOf(member)], found: 'in a test' });
      if (own.length < DEPTH_MAX && found.size < FIELDS_MAX) add(own, member);
    }
  };
  for (const { asset } of tests) add([], contentOf(asset));
  return [...found.values()];
}

function contentOf(text: string): unknown {
  try {
    return (JSON.parse(text) as { resource?: { data?: unknown } } | null)?.resource?.data;
  } catch {
    return undefined;
  }
}

function membersOf(value: unknown): readonly (readonly [string, unknown])[] {
  if (typeof value !== 'object' || value === null) return [];
  return Array.isArray(value)
    ? value.slice(0, ELEMENTS_MAX).map((one: unknown) => ['[]', one] as const)
    : Object.entries(value).slice(0, FIELDS_MAX);
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'list' : typeof value;
}
