import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Document, Json, Operation } from './document.ts';
import { Problem } from './problem.ts';

/** Validates input against the schemas of the document (JSON Schema 2020-12). */
export class Input {
  readonly #ajv: Ajv2020;
  readonly #compiled = new Map<string, ValidateFunction>();

  constructor(document: Document) {
    this.#ajv = new Ajv2020({ strict: false, allErrors: true, coerceTypes: false });
    // The package is CommonJS: TypeScript sees its function one `default` deeper than it is.
    (addFormats as unknown as (ajv: Ajv2020) => void)(this.#ajv);
    this.#ajv.addSchema({ $id: 'document', components: document.components });
  }

  /** @throws {Problem} VALIDATION_FAILED that lists every fault with its path */
  query(operation: Operation, search: URLSearchParams): Readonly<Record<string, unknown>> {
    const declared = operation.parameters.filter((parameter) => parameter.in === 'query');
    const values: Record<string, unknown> = {};
    const faults: Fault[] = [];
    for (const name of new Set(search.keys())) {
      const parameter = declared.find((one) => one.name === name);
      if (parameter === undefined) faults.push({ path: `query.${name}`, message: 'is not known' });
      else values[name] = read(search.getAll(name), parameter.schema);
    }
    for (const { name, schema, required } of declared) {
      if (values[name] === undefined) {
        if (schema['default'] !== undefined) values[name] = schema['default'];
        else if (required) faults.push({ path: `query.${name}`, message: 'is missing' });
        continue;
      }
      faults.push(
        ...this.#faults(`${operation.id} ${name}`, schema, values[name], `query.${name}`),
      );
    }
    refuseIf(faults);
    return values;
  }

  /** @throws {Problem} VALIDATION_FAILED, as `query` */
  body(operation: Operation, value: unknown): void {
    const schema = operation.body['application/json']?.schema;
    if (schema === undefined) return;
    refuseIf(this.#faults(`${operation.id} body`, schema, value, 'body'));
  }

  /** Whether the path parameters match their schemas. */
  matchesPath(operation: Operation, params: Readonly<Record<string, string>>): boolean {
    return operation.parameters
      .filter((parameter) => parameter.in === 'path')
      .every(({ name, schema }) => {
        const faults = this.#faults(`${operation.id} path ${name}`, schema, params[name], '');
        return faults.length === 0;
      });
  }

  #faults(id: string, schema: Json, value: unknown, at: string): Fault[] {
    let validate = this.#compiled.get(id);
    if (validate === undefined) {
      validate = this.#ajv.compile(absolute(schema) as object);
      this.#compiled.set(id, validate);
    }
    return validate(value) ? [] : (validate.errors ?? []).map((error) => faultOf(error, at));
  }
}

interface Fault {
  readonly path: string;
  readonly message: string;
}

/** Makes references absolute, because each schema is compiled on its own. */
function absolute(schema: Json): Json {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/'));
}

function faultOf({ instancePath, message, params }: ErrorObject, at: string): Fault {
  const surplus = 'additionalProperty' in params ? `.${params['additionalProperty']}` : '';
  const path = at + instancePath.replaceAll('/', '.') + surplus;
  return { path, message: surplus === '' ? (message ?? 'is not valid') : 'is not known' };
}

function refuseIf(errors: readonly Fault[]): void {
  if (errors.length === 0) return;
  throw new Problem('VALIDATION_FAILED', 'The request does not match the contract.', {
    members: { errors },
  });
}

/** Converts a query value to the type of its schema. */
function read(texts: readonly string[], schema: Readonly<Record<string, Json>>): unknown {
  if (schema['type'] === 'array') {
    const items = schema['items'];
    const of = typeof items === 'object' && items !== null && !Array.isArray(items) ? items : {};
    return texts.map((text) => scalar(text, of as Readonly<Record<string, Json>>));
  }
  return texts.length === 1 ? scalar(texts[0] ?? '', schema) : texts;
}

function scalar(text: string, schema: Readonly<Record<string, Json>>): unknown {
  if (schema['type'] === 'integer' && /^-?\d{1,15}$/.test(text)) return Number(text);
  if (schema['type'] === 'boolean' && /^(true|false)$/.test(text)) return text === 'true';
  return text;
}
