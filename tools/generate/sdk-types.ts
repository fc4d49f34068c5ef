import { z } from 'zod';
import { docComment, listOf, propertyName, quote, union } from './sdk-text.ts';

/** The parts of a zod 4 schema that types need. */
type Def =
  | { readonly type: 'string' | 'number' | 'boolean' | 'null' | 'unknown' | 'any' }
  | { readonly type: 'literal'; readonly values: readonly (string | number | boolean | null)[] }
  | { readonly type: 'enum'; readonly entries: Readonly<Record<string, string | number>> }
  | { readonly type: 'array'; readonly element: z.core.$ZodType }
  | { readonly type: 'object'; readonly shape: Readonly<Record<string, z.core.$ZodType>> }
  | {
      readonly type: 'record';
      readonly keyType: z.core.$ZodType;
      readonly valueType: z.core.$ZodType;
    }
  | { readonly type: 'union'; readonly options: readonly z.core.$ZodType[] }
  | { readonly type: 'optional' | 'nullable' | 'readonly'; readonly innerType: z.core.$ZodType }
  | {
      readonly type: 'default';
      readonly innerType: z.core.$ZodType;
      readonly defaultValue: unknown;
    }
  | { readonly type: 'lazy'; readonly getter: () => z.core.$ZodType }
  | { readonly type: 'pipe'; readonly out: z.core.$ZodType };

/** `input`: defaults are optional, and values are readonly; `output`: defaults are filled in. */
export type Direction = 'input' | 'output';

/** Converts zod schemas to TypeScript types, and collects the named ones. */
export class TypePrinter {
  readonly #declarations = new Map<string, { schema: z.core.$ZodType; text: string }>();
  readonly #suggested: Readonly<Record<string, readonly string[]>>;

  /** @param suggested values that editors complete for members with these names, which take any string */
  constructor(suggested: Readonly<Record<string, readonly string[]>> = {}) {
    this.#suggested = suggested;
  }

  /** The declarations of all named types so far, in order of first use. */
  declarations(): string[] {
    return [...this.#declarations.values()].map(({ text }) => text);
  }

  /**
   * The type of a schema; `column` is the indentation of its lines.
   * @throws {Error} for a kind of schema without a plain type: a transform, a custom check of unknown shape.
   */
  print(schema: z.core.$ZodType, direction: Direction, column = 0): string {
    const { id } = metaOf(schema);
    const def = defOf(schema);
    // Output types have names; input types are inlined, because they may be laxer.
    if (id && (direction === 'output' || def.type === 'enum')) return this.#reference(id, schema);
    switch (def.type) {
      case 'string':
      case 'number':
      case 'boolean':
      case 'null':
        return def.type;
      case 'unknown':
      case 'any':
        return 'unknown';
      case 'literal':
        return union(def.values.map(literal), column);
      case 'enum':
        return union(Object.values(def.entries).map(literal), column);
      case 'array': {
        const list = listOf(this.print(def.element, direction, column), column);
        return direction === 'input' ? `readonly ${list}` : list;
      }
      case 'object':
        return this.printObject(def.shape, direction, column);
      case 'record':
        return `Record<string, ${this.print(def.valueType, direction, column)}>`;
      case 'union':
        return union(
          def.options.map((option) => this.print(option, direction, column)),
          column,
        );
      case 'nullable':
        return `${this.print(def.innerType, direction, column)} | null`;
      case 'optional':
        return `${this.print(def.innerType, direction, column)} | undefined`;
      case 'readonly':
      case 'default':
        return this.print(def.innerType, direction, column);
      case 'lazy':
        return this.#json(def.getter());
      case 'pipe':
        // The contract checks some values before their schema does, without changing their type.
        return this.print(def.out, direction, column);
      default:
        throw new Error(`the SDK has no type for a schema of kind "${(def as Def).type}"`);
    }
  }

  /** The members of an object between braces. */
  printObject(
    shape: Readonly<Record<string, z.core.$ZodType>>,
    direction: Direction,
    column: number,
  ): string {
    const members = Object.entries(shape).map(([name, schema]) =>
      this.printMember(name, schema, direction, column + 2),
    );
    return members.length > 0 ? `{\n${members.join('')}${' '.repeat(column)}}` : '{}';
  }

  /**
   * One member of an object, with its doc comment. `oneOrMany`: a list may be given as its only member; `required`: also a
   * member that the schema leaves optional.
   */
  printMember(
    name: string,
    schema: z.core.$ZodType,
    direction: Direction,
    column: number,
    { oneOrMany = false, required = false } = {},
  ): string {
    const indent = ' '.repeat(column);
    const inner = unwrapped(schema);
    const innerDef = defOf(inner.schema);
    const leftOut = !required && isOptional(schema, direction);
    const suggested =
      direction === 'input' && innerDef.type === 'string' ? this.#suggested[name] : undefined;
    const type = suggested
      ? union([...suggested.map(quote), '(string & {})'], column)
      : oneOrMany && innerDef.type === 'array'
        ? `OneOrMany<${this.print(innerDef.element, direction, column)}>`
        : this.print(inner.schema, direction, column);
    // `| undefined` lets callers under exactOptionalPropertyTypes pass values that may be undefined.
    const undefinable = leftOut && direction === 'input' ? ' | undefined' : '';
    const doc = docComment(memberDoc(schema, direction), indent);
    const readonly = direction === 'input' ? 'readonly ' : '';
    const nullable = inner.nullable ? ' | null' : '';
    const head = `${indent}${readonly}${propertyName(name)}${leftOut ? '?' : ''}:`;
    const gap = type.startsWith('\n') ? '' : ' ';
    return `${doc}${head}${gap}${type}${nullable}${undefinable};\n`;
  }

  #reference(id: string, schema: z.core.$ZodType): string {
    const known = this.#declarations.get(id);
    if (known) {
      if (known.schema !== schema) throw new Error(`two schemas have the id "${id}"`);
      return id;
    }
    const entry = { schema, text: '' };
    this.#declarations.set(id, entry);
    const { description } = metaOf(schema);
    const doc = docComment(description ? [description] : [], '');
    const def = defOf(schema);
    if (def.type === 'object') {
      entry.text = `${doc}export interface ${id} ${this.printObject(def.shape, 'output', 0)}\n`;
    } else if (def.type === 'enum') {
      const values = Object.values(def.entries).map(literal);
      entry.text = `${doc}export type ${id} = ${union(values, 2)};\n`;
    } else {
      throw new Error(`the named schema "${id}" is neither an object nor an enum`);
    }
    return id;
  }

  /** `jsonValue` is the one lazy schema of the contract. */
  #json(schema: z.core.$ZodType): string {
    if (defOf(schema).type !== 'unknown') {
      throw new Error('the SDK supports no lazy schema except jsonValue');
    }
    const text =
      '/** Any JSON value. */\nexport type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };\n';
    if (!this.#declarations.has('JsonValue')) this.#declarations.set('JsonValue', { schema, text });
    return 'JsonValue';
  }
}

export function defOf(schema: z.core.$ZodType): Def {
  return schema._zod.def as unknown as Def;
}

/** Whether callers may omit it, or responses may lack it. */
export function isOptional(schema: z.core.$ZodType, direction: Direction): boolean {
  const def = defOf(schema);
  if (def.type === 'optional') return true;
  if (def.type === 'default') return direction === 'input';
  return def.type === 'nullable' && isOptional(def.innerType, direction);
}

/** The metadata of a schema: its name, description and example. */
export function metaOf(schema: z.core.$ZodType) {
  return z.globalRegistry.get(schema) ?? {};
}

/** The schema without optional and nullable wrappers. */
function unwrapped(schema: z.core.$ZodType): { schema: z.core.$ZodType; nullable: boolean } {
  const def = defOf(schema);
  if (metaOf(schema).id) return { schema, nullable: false };
  if (def.type === 'optional' || def.type === 'default') return unwrapped(def.innerType);
  if (def.type !== 'nullable') return { schema, nullable: false };
  return { schema: unwrapped(def.innerType).schema, nullable: true };
}

function memberDoc(schema: z.core.$ZodType, direction: Direction): string[] {
  const sentences: string[] = [];
  let example: unknown;
  for (let at: z.core.$ZodType | undefined = schema; at && !metaOf(at).id; at = innerOf(at)) {
    const def = defOf(at);
    const { description, example: shown } = metaOf(at) as {
      description?: string;
      example?: unknown;
    };
    if (description && sentences.length === 0) sentences.push(description);
    if (at instanceof z.ZodNumber && direction === 'input') {
      sentences.push(`From ${at.minValue} to ${at.maxValue}.`);
    }
    if (at instanceof z.ZodISODateTime) sentences.push('RFC 3339, in UTC.');
    if (def.type === 'default') sentences.push(`Default: ${JSON.stringify(def.defaultValue)}.`);
    // Formats such as UUIDs and times need no example.
    if (!(at instanceof z.ZodUUID || at instanceof z.ZodISODateTime)) example ??= shown;
  }
  if (example !== undefined && example !== null) {
    const shown = typeof example === 'string' ? example : JSON.stringify(example);
    sentences.push(`Example: \`${shown}\`.`);
  }
  return sentences.length > 0 ? [sentences.join(' ')] : [];
}

function innerOf(schema: z.core.$ZodType): z.core.$ZodType | undefined {
  const def = defOf(schema);
  return 'innerType' in def ? def.innerType : undefined;
}

function literal(value: string | number | boolean | null): string {
  return typeof value === 'string' ? quote(value) : String(value);
}
