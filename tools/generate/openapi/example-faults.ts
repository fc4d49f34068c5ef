import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

type Node = Record<string, unknown>;

/**
 * The faults in the examples of a document: missing ones, and ones that do not match their schema, including unknown
 * members. For tests.
 *
 * @returns every fault with its location; empty if there are none.
 */
export function exampleFaults(document: unknown): string[] {
  const fits = validator(document);
  const faults: string[] = [];
  const check = (place: string, pointer: readonly string[], examples: readonly unknown[]) => {
    if (examples.length === 0) faults.push(`${place} has no example: ${HINT}`);
    for (const example of examples) {
      const fault = fits(pointer, example);
      if (fault !== null) faults.push(`the example of ${place} ${fault}`);
    }
  };
  const components = node(at(document, 'components'));
  for (const [name, schema] of Object.entries(node(components['schemas']))) {
    if (!at(schema, 'description')) faults.push(`${name} has no description`);
    check(name, ['components', 'schemas', name], list(at(schema, 'examples')));
  }
  for (const [name, header] of Object.entries(node(components['headers']))) {
    check(`header ${name}`, ['components', 'headers', name, 'schema'], examplesOf(header));
  }
  for (const [path, item] of Object.entries(node(at(document, 'paths')))) {
    for (const [method, operation] of Object.entries(node(item))) {
      const id = `${at(operation, 'operationId')}`;
      const pointer = ['paths', path, method];
      for (const word of ['summary', 'description', 'operationId']) {
        if (!at(operation, word)) faults.push(`${method} ${path} has no ${word}`);
      }
      list(at(operation, 'parameters')).forEach((parameter, index) => {
        const [where, found] = resolve(document, [...pointer, 'parameters', `${index}`], parameter);
        const name = `parameter ${at(found, 'name')} of ${id}`;
        const examples = [...examplesOf(found), ...schemaExamples(at(found, 'schema'), document)];
        check(name, [...where, 'schema'], examples);
      });
      const holders = [
        ['body', ['requestBody'], at(operation, 'requestBody')] as const,
        ...Object.entries(node(at(operation, 'responses'))).map(
          ([status, response]) => [status, ['responses', status], response] as const,
        ),
      ];
      for (const [what, below, holder] of holders) {
        const [where, found] = resolve(document, [...pointer, ...below], holder);
        for (const [type, content] of Object.entries(node(at(found, 'content')))) {
          const examples = examplesOf(content, document);
          check(`${id} ${what} ${type}`, [...where, 'content', type, 'schema'], examples);
        }
      }
    }
  }
  return [...new Set(faults)];
}

const HINT = 'give one to each of its parts by .meta({ example }) in the contract';

/** Checks an example against the schema at a pointer; null: it is valid. */
function validator(document: unknown) {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true, logger: false });
  formats.default(ajv);
  ajv.addSchema({ $id: 'https://openapi.example/', ...node(closed(document)) });
  const compiled = new Map<string, ValidateFunction>();
  return (pointer: readonly string[], example: unknown): string | null => {
    const [steps] = resolve(document, pointer, at(document, ...pointer));
    const path = steps.map((step) => step.replaceAll('~', '~0').replaceAll('/', '~1'));
    const $ref = `https://openapi.example/#/${path.map(encodeURIComponent).join('/')}`;
    const validate = compiled.get($ref) ?? ajv.compile({ $ref });
    compiled.set($ref, validate);
    return validate(example) ? null : ajv.errorsText(validate.errors, { dataVar: 'it' });
  };
}

/** The same schema with all objects closed unless stated otherwise: unknown members in examples are mistakes. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, closed(member)]),
  );
  const isObject = list(copy['type']).includes('object') && 'properties' in copy;
  return isObject && !('additionalProperties' in copy)
    ? { ...copy, additionalProperties: false }
    : copy;
}

/** The examples of a parameter, header or media type. */
function examplesOf(holder: unknown, document: unknown = {}): unknown[] {
  const { example, examples } = node(holder);
  const named = Object.values(node(examples)).map((each) =>
    at(resolve(document, [], each)[1], 'value'),
  );
  return example === undefined ? named : [example, ...named];
}

/** A list may have an example of its items instead; an enum value is one. */
function schemaExamples(schema: unknown, document: unknown): unknown[] {
  const { examples, items, enum: words, default: usual } = node(resolve(document, [], schema)[1]);
  if (usual !== undefined) return [usual];
  if (Array.isArray(words)) return words.slice(0, 1);
  if (at(schema, 'type') === 'boolean') return [true];
  if (examples !== undefined || items === undefined) return list(examples);
  return schemaExamples(items, document).map((item) => [item]);
}

/** The target of a reference within the document, with its location; anything else unchanged. */
function resolve(
  document: unknown,
  pointer: readonly string[],
  value: unknown,
): [readonly string[], unknown] {
  const reference = at(value, '$ref');
  if (typeof reference !== 'string') return [pointer, value];
  const steps = reference.replace('#/', '').split('/');
  return [steps, at(document, ...steps)];
}

function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((current, key) => node(current)[key], value);
}

function node(value: unknown): Node {
  return typeof value === 'object' && value !== null ? (value as Node) : {};
}

function list(value: unknown): unknown[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}
