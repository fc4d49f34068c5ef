import { z } from 'zod';
import { TurnYielder } from '../platform/database/large-results.ts';
import { TenantTurns } from '../platform/tenant-turns.ts';

/** A list with more items is large, even if few bytes of the database were read for it. */
const LARGE_ITEMS = 100;

/** One large answer of each tenant is built at a time, because its bytes are kept until it is complete. */
const BUILDING = new TenantTurns(Number.POSITIVE_INFINITY);

/** Whether a body has so many items that building its JSON at once would delay other requests. */
export function hasManyItems(body: unknown): boolean {
  return isObject(body) && Array.isArray(body['items']) && body['items'].length > LARGE_ITEMS;
}

/** A body that was reduced to the shape of its schema, and its JSON. */
interface Built {
  readonly body: unknown;
  readonly json: Buffer;
}

/**
 * Reduces a large body to the shape of its schema and writes its JSON, in turns of the tenant: requests of other tenants are
 * served between the elements of its lists. The result is what the schema and `JSON.stringify` return for the whole.
 * @param check is called when the answers of the tenant before it are built, and throws if it refuses this one.
 * @throws {z.ZodError} for a body of another shape.
 */
export function buildInTurns(
  schema: z.ZodType,
  body: unknown,
  tenantId: string,
  check: () => void = () => undefined,
): Promise<Built> {
  return BUILDING.run(tenantId, async () => {
    check();
    const writer = new Writer(tenantId);
    await writer.pause();
    const reduced = await write(schema, body, writer);
    return { body: reduced, json: writer.end() };
  });
}

/** Collects text, and encodes it piece by piece. A piece takes about a millisecond. */
class Writer {
  readonly #yielder: TurnYielder;
  readonly #encoded: Buffer[] = [];
  #texts: string[] = [];

  constructor(tenantId: string) {
    this.#yielder = new TurnYielder(tenantId);
  }

  add(text: string): void {
    this.#texts.push(text);
  }

  /** Whether the piece is long enough. */
  get isDue(): boolean {
    return this.#yielder.isDue;
  }

  /** Ends the piece, and waits for the next turn. */
  async pause(): Promise<void> {
    this.#encode();
    await this.#yielder.yieldNow();
  }

  end(): Buffer {
    this.#encode();
    return Buffer.concat(this.#encoded);
  }

  #encode(): void {
    this.#encoded.push(Buffer.from(this.#texts.join('')));
    this.#texts = [];
  }
}

async function write(schema: z.ZodType, body: unknown, writer: Writer): Promise<unknown> {
  const members = isObject(body) ? membersOf(schema) : null;
  if (members === null) return writeWhole(schema, body, writer);
  const given = body as Readonly<Record<string, unknown>>;
  const reduced: Record<string, unknown> = {};
  let separator = '{';
  for (const [name, member] of Object.entries(members)) {
    const value = given[name];
    const before = `${separator}${JSON.stringify(name)}:`;
    const element = Array.isArray(value) ? elementOf(member) : null;
    const result =
      element === null
        ? await writeWhole(member, value, writer, before)
        : await writeList(element, value as readonly unknown[], writer, before);
    if (result === undefined) continue;
    reduced[name] = result;
    separator = ',';
  }
  writer.add(separator === '{' ? '{}' : '}');
  return reduced;
}

async function writeList(
  element: z.ZodType,
  values: readonly unknown[],
  writer: Writer,
  before: string,
): Promise<unknown[]> {
  const reduced: unknown[] = [];
  writer.add(`${before}[`);
  for (const value of values) {
    const one = element.parse(value);
    if (reduced.length > 0) writer.add(',');
    writer.add(JSON.stringify(one));
    reduced.push(one);
    if (writer.isDue) await writer.pause();
  }
  writer.add(']');
  return reduced;
}

/** Writes nothing for a value that the schema reduces to undefined. */
async function writeWhole(
  schema: z.ZodType,
  value: unknown,
  writer: Writer,
  before = '',
): Promise<unknown> {
  const reduced = schema.parse(value);
  if (reduced === undefined) return undefined;
  if (writer.isDue) await writer.pause();
  writer.add(`${before}${JSON.stringify(reduced)}`);
  if (writer.isDue) await writer.pause();
  return reduced;
}

/** The members of an object that has no other rules; null: the schema must see the value as a whole. */
function membersOf(schema: z.ZodType): Readonly<Record<string, z.ZodType>> | null {
  if (!(schema instanceof z.ZodObject) || schema.def.catchall !== undefined) return null;
  return hasChecks(schema) ? null : schema.shape;
}

/** The same for the elements of a list. */
function elementOf(schema: z.ZodType): z.ZodType | null {
  if (!(schema instanceof z.ZodArray) || hasChecks(schema)) return null;
  return schema.element as z.ZodType;
}

function hasChecks({ def }: z.ZodType): boolean {
  return (def.checks ?? []).length > 0;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
