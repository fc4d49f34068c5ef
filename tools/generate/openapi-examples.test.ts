import { contract } from '@cspm/contract';
import { RULES } from '@cspm/scanner';
import { expect, test } from 'vitest';
import { generateOpenApi } from './openapi.ts';

/** Members whose examples are ids of built-in rules, except in examples of a tenant's own rules. */
const NAMES_RULES = /^(ruleId|rules|include|exclude)$/;
const OF_A_TENANT = new Set(['bucket-has-owner']);

test('examples of the OpenAPI document name only rules that exist', () => {
  const known = new Set(RULES.map(({ id }) => id));
  const named = new Set<string>();
  collect(generateOpenApi(contract, '1.0.0'), null, named);
  const ids = [...named].filter(
    (id) => /^[a-z0-9]+(-[a-z0-9]+)+$/.test(id) && !OF_A_TENANT.has(id),
  );
  expect(ids.length).toBeGreaterThan(2);
  expect(ids.filter((id) => !known.has(id))).toEqual([]);
});

/** The strings in examples below a member that names rules, at any depth. */
function collect(node: unknown, member: string | null, found: Set<string>): void {
  if (typeof node === 'string') {
    if (member !== null && NAMES_RULES.test(member)) found.add(node);
    return;
  }
  if (typeof node !== 'object' || node === null) return;
  for (const [name, value] of Object.entries(node)) {
    // Inside an array or an `example`, the name of the enclosing member counts.
    const keeps = Array.isArray(node) || /^(example|examples|value|default)$/.test(name);
    collect(value, keeps ? member : name, found);
  }
}
