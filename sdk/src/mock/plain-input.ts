import type { MockJson } from './document.ts';
import { Problem } from './problem.ts';
import type { MockInput } from './types.ts';

/** Refuses unknown, missing and misspelled members of queries. Bodies and paths are taken as they are. */
export const plainInput: MockInput = {
  query(operation, search) {
    const declared = operation.parameters.filter((parameter) => parameter.in === 'query');
    const errors = [...new Set(search.keys())]
      .filter((name) => !declared.some((parameter) => parameter.name === name))
      .map((name) => ({ path: `query.${name}`, message: 'is not known' }));
    const values: Record<string, unknown> = {};
    for (const { name, schema, required } of declared) {
      const given = search.getAll(name);
      if (given.length > 0) values[name] = readParameter(given, schema);
      else if (schema['default'] !== undefined) values[name] = schema['default'];
      else if (required) errors.push({ path: `query.${name}`, message: 'is missing' });
    }
    refuseIf(errors);
    return values;
  },
  body() {},
  matchesPath: () => true,
};

/** @throws {Problem} VALIDATION_FAILED that lists the faults */
export function refuseIf(errors: readonly { path: string; message: string }[]): void {
  if (errors.length === 0) return;
  throw new Problem('VALIDATION_FAILED', 'The request does not match the contract.', {
    members: { errors },
  });
}

/** Converts the values of a parameter to the type of its schema. */
export function readParameter(
  texts: readonly string[],
  schema: Readonly<Record<string, MockJson>>,
): unknown {
  if (schema['type'] === 'array') {
    const items = schema['items'];
    const of = typeof items === 'object' && items !== null && !Array.isArray(items) ? items : {};
    return texts.map((text) => scalar(text, of as Readonly<Record<string, MockJson>>));
  }
  return texts.length === 1 ? scalar(texts[0] ?? '', schema) : texts;
}

function scalar(text: string, schema: Readonly<Record<string, MockJson>>): unknown {
  if (schema['type'] === 'integer' && /^-?\d{1,15}$/.test(text)) return Number(text);
  if (schema['type'] === 'boolean' && /^(true|false)$/.test(text)) return text === 'true';
  return text;
}
