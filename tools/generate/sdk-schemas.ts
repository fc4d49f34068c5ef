import type { Routes } from '@cspm/contract';
import type { z } from 'zod';
import { type Method, methodsOf } from './sdk-operations.ts';
import { capitalized, docComment, propertyName, quote } from './sdk-text.ts';
import { type Direction, defOf, metaOf } from './sdk-types.ts';

/** The parts of checks that schemas are printed from. */
interface Check {
  readonly check: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly value?: number;
  readonly inclusive?: boolean;
  readonly pattern?: RegExp;
}

/**
 * `@cspm/sdk/schemas`: a schema of zod for each body and each named answer, and a table of answers by endpoint. Of the
 * checks that are functions, it has the one for members that exclude each other. The server alone makes the others.
 */
export function schemaFiles(contract: Readonly<Record<string, Routes>>): Record<string, string> {
  const methods = methodsOf(contract);
  const printer = new SchemaPrinter();
  const bodies = methods
    .filter(({ body }) => Object.keys(body).length > 0)
    .map((one) => bodyOf(one, printer));
  const answers = methods.flatMap((one) => answerOf(one, printer)).join('');
  const types = [...printer.names(), ...bodies.map(({ input }) => input)].toSorted();
  const used = printer.names().filter((name) => new RegExp(`\\b${name}Schema\\b`).test(answers));
  const schemas = [
    "import { z } from 'zod';\n",
    `import type {\n${types.map((name) => `  ${name},\n`).join('')}} from '../index.ts';\n`,
    "import { exactlyOne, made } from './made.ts';\n\n",
    printer.declarations().join('\n'),
    ...bodies.map(({ text }) => `\n${text}`),
  ];
  const table = [
    "import { z } from 'zod';\n",
    "import { page } from './made.ts';\n",
    `import {\n${used.map((name) => `  ${name}Schema,\n`).join('')}} from './schemas.gen.ts';\n\n`,
    docComment(['The schema of each JSON response, by method and path of its endpoint.'], ''),
    `export const ANSWERS: Readonly<Record<string, () => z.ZodType>> = {\n${answers}};\n`,
  ];
  return {
    'sdk/src/schemas/schemas.gen.ts': schemas.join(''),
    'sdk/src/schemas/answers.gen.ts': table.join(''),
  };
}

/** The body of an operation. Members of the path and the query are not in it. */
function bodyOf({ group, name, path, body, alternatives }: Method, printer: SchemaPrinter) {
  const id = `${capitalized(group)}${capitalized(name)}`;
  const input = `${id}Input`;
  const inPath = Object.keys(path).map(quote);
  const type = inPath.length > 0 ? `Omit<${input}, ${inPath.join(' | ')}>` : input;
  const doc = docComment([`The body of \`${group}.${name}\`.`], '');
  const object = `z.strictObject(${printer.shape(body, 'input')})`;
  const code =
    alternatives.length > 0 ? `exactlyOne(${object}, ${JSON.stringify(alternatives)})` : object;
  return { input, text: `${doc}${declaration(`${id}Body`, type, code)}` };
}

function answerOf({ route, result, item, page, stream }: Method, printer: SchemaPrinter): string[] {
  if (!result || stream) return [];
  const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
  const isPlain = item !== undefined && page === undefined;
  const code = isPlain ? `page(${printer.print(item, 'output')})` : printer.print(result, 'output');
  return [`  '${route.method} ${path}': () => ${code},\n`];
}

function declaration(name: string, type: string, code: string): string {
  return `export const ${name}Schema: z.ZodType<${type}> = /* @__PURE__ */ made(() => ${code});\n`;
}

class SchemaPrinter {
  readonly #declarations = new Map<string, string>();

  names(): string[] {
    return [...this.#declarations.keys()];
  }

  /** Declarations of named schemas, each after those that it contains. */
  declarations(): string[] {
    return [...this.#declarations.values()];
  }

  /** @throws {Error} for a kind of schema that it cannot print */
  print(schema: z.core.$ZodType, direction: Direction): string {
    const { id, description } = metaOf(schema);
    if (!id || direction === 'input') return this.#text(schema, direction);
    if (!this.#declarations.has(id)) {
      const code = this.#text(schema, direction);
      const doc = docComment(description ? [description] : [], '');
      this.#declarations.set(id, `${doc}${declaration(id, id, code)}`);
    }
    return `${id}Schema`;
  }

  shape(shape: Readonly<Record<string, z.core.$ZodType>>, direction: Direction): string {
    const members = Object.entries(shape).map(
      ([name, schema]) => `${propertyName(name)}: ${this.print(schema, direction)}`,
    );
    return `{ ${members.join(', ')} }`;
  }

  #text(schema: z.core.$ZodType, direction: Direction): string {
    const def = defOf(schema);
    const inner = (of: z.core.$ZodType) => this.print(of, direction);
    switch (def.type) {
      case 'string':
        return `${stringOf(schema)}${checksOf(schema)}`;
      case 'number':
        return `${isInteger(schema) ? 'z.int()' : 'z.number()'}${checksOf(schema)}`;
      case 'boolean':
      case 'null':
      case 'unknown':
      case 'any':
        return `z.${def.type}()`;
      case 'literal':
        return `z.literal(${JSON.stringify(def.values.length === 1 ? def.values[0] : def.values)})`;
      case 'enum':
        return `z.enum(${JSON.stringify(Object.values(def.entries))})`;
      case 'array':
        return `z.array(${inner(def.element)})${checksOf(schema)}`;
      case 'object':
        // A later server may answer with members that this version does not know.
        return `z.${direction === 'input' ? 'strictObject' : 'looseObject'}(${this.shape(def.shape, direction)})`;
      case 'record':
        return `z.record(${inner(def.keyType)}, ${inner(def.valueType)})`;
      case 'union': {
        const { discriminator } = def as { discriminator?: string };
        const options = `[${def.options.map(inner).join(', ')}]`;
        return discriminator
          ? `z.discriminatedUnion(${quote(discriminator)}, ${options})`
          : `z.union(${options})`;
      }
      case 'nullable':
        return `${inner(def.innerType)}.nullable()`;
      case 'optional':
        return `${inner(def.innerType)}.optional()`;
      case 'readonly':
        return inner(def.innerType);
      case 'default':
        // The server fills it in.
        return direction === 'input' ? `${inner(def.innerType)}.optional()` : inner(def.innerType);
      case 'pipe':
        // A check before the schema, which only the server makes.
        return inner(def.out);
      case 'lazy':
        return 'z.json()';
      default:
        throw new Error(
          `no schema can be printed for the kind "${(def as { type: string }).type}"`,
        );
    }
  }
}

const FORMATS: Readonly<Record<string, string>> = {
  email: 'z.email()',
  uuid: 'z.uuid()',
  datetime: 'z.iso.datetime()',
  date: 'z.iso.date()',
};

function stringOf(schema: z.core.$ZodType): string {
  const { format, offset } = schema._zod.def as { format?: string; offset?: boolean };
  if (format === undefined) return 'z.string()';
  if (format === 'datetime' && offset) return 'z.iso.datetime({ offset: true })';
  const code = FORMATS[format];
  if (code === undefined) throw new Error(`no schema can be printed for the format "${format}"`);
  return code;
}

function isInteger(schema: z.core.$ZodType): boolean {
  return checksIn(schema).some(({ check }) => check === 'number_format');
}

/** The checks of a schema, its own format included. */
function checksIn(schema: z.core.$ZodType): Check[] {
  const def = schema._zod.def as Partial<Check> & { checks?: z.core.$ZodCheck[] };
  const own = def.check === undefined ? [] : [def as Check];
  return [...own, ...(def.checks ?? []).map((check) => check._zod.def as unknown as Check)];
}

function checksOf(schema: z.core.$ZodType): string {
  return checksIn(schema)
    .map(({ check, format, minimum, maximum, value, inclusive, pattern }) => {
      switch (check) {
        case 'min_length':
          return `.min(${minimum})`;
        case 'max_length':
          return `.max(${maximum})`;
        case 'greater_than':
          return inclusive ? `.min(${value})` : `.gt(${value})`;
        case 'less_than':
          return inclusive ? `.max(${value})` : `.lt(${value})`;
        case 'string_format':
          return format === 'regex' ? `.regex(${pattern})` : '';
        case 'number_format':
        case 'custom':
          return '';
        case 'overwrite':
          // The server rewrites the value; every value that it takes passes here too.
          return '';
        default:
          throw new Error(`no schema can be printed for the check "${check}"`);
      }
    })
    .join('');
}
