import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

// biome-ignore lint/suspicious/noExplicitAny: the document as a stranger reads it, without our types
export type Json = any;

/** The parts of a response that the document describes. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Undefined where the body is not JSON. */
  readonly json: Json;
}

/** `openapi.json` as it stands in the repository: what it says of each operation, and whether answers keep to it. */
export class OpenApiDocument {
  readonly document: Json;
  readonly #ajv = new Ajv2020({ strict: false });
  readonly #compiled = new Map<string, ValidateFunction>();

  constructor() {
    this.document = JSON.parse(
      readFileSync(new URL('../openapi.json', import.meta.url), 'utf8'),
    ) as Json;
    (formats as unknown as (ajv: Ajv2020) => void)(this.#ajv);
    this.#ajv.addSchema({ ...this.document, $id: 'document' });
  }

  /** @param path with its parameters in braces, or with a colon before them. Undefined where there is no such operation. */
  operation(path: string, method: string): Json {
    const template = path.replaceAll(/:(\w+)/g, '{$1}');
    return this.document.paths[template]?.[method.toLowerCase()];
  }

  /** What a reference refers to. */
  resolved(value: Json): Json {
    const reference: unknown = value?.$ref;
    if (typeof reference !== 'string') return value;
    const [, ...names] = reference.split('/');
    return this.resolved(names.reduce((at, name) => at?.[name], this.document));
  }

  /** What is wrong with an answer by the document; null: nothing. */
  faultOf(operation: Json, answer: Answer): string | null {
    const declared = this.resolved(operation.responses[answer.status]);
    if (declared === undefined) {
      return `status ${answer.status} is not documented: ${answer.text}`;
    }
    const type = (answer.headers.get('content-type') ?? '').split(';')[0]?.trim() ?? '';
    const types = Object.keys(declared.content ?? {});
    if (types.length === 0) return answer.text === '' ? null : 'a body that is not documented';
    if (!types.includes(type)) return `${answer.status} came as ${type || 'nothing'}, not ${types}`;
    if (!/^application\/(\w+\+)?json$/.test(type)) return null;
    const validate = this.#validator(operation, answer.status, type, declared);
    return validate(answer.json)
      ? null
      : `${answer.status}: ${this.#ajv.errorsText(validate.errors)}`;
  }

  #validator(operation: Json, status: number, type: string, declared: Json): ValidateFunction {
    const id = `${operation.operationId} ${status} ${type}`;
    let validate = this.#compiled.get(id);
    if (validate === undefined) {
      const text = JSON.stringify(declared.content[type].schema).replaceAll('"#/', '"document#/');
      validate = this.#ajv.compile(JSON.parse(text));
      this.#compiled.set(id, validate);
    }
    return validate;
  }
}
