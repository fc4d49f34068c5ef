import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { contract, LIMITS, type LimitName, type Routes } from '@cspm/contract';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type Operation, readOperations } from '../../sdk/src/operation.ts';
import { generateSdk } from './sdk.ts';

const INTERFACE = 'sdk/src/client.gen.ts';
const MODELS = 'sdk/src/models.gen.ts';
const TABLE = 'sdk/src/operations.gen.ts';

const files = await generateSdk(contract);

/** A contract of one route, derived from `projects.get`. */
function one(route: Partial<Record<keyof Routes[string], unknown>>) {
  return { things: { get: { ...contract.projects.get, ...route } } } as unknown as Record<
    string,
    Routes
  >;
}

/** The rows of a generated table, parsed as the client does. */
async function tableOf(generated: Readonly<Record<string, string>>): Promise<Operation[]> {
  const [, table = ''] = /OPERATIONS = `([^`]*)`/.exec(generated[TABLE] ?? '') ?? [];
  const rows: Operation[] = [];
  readOperations(table, (group, key, row) => {
    expect(row.name).toBe(`${group}.${key}`);
    rows.push(row);
  });
  return rows;
}

async function interfaceOf(route: Parameters<typeof one>[0]) {
  const generated = await generateSdk(one(route));
  return `${generated[INTERFACE]}\n${generated[MODELS]}`;
}

describe('the generated SDK', () => {
  test('the generated SDK is the same as the committed file', async () => {
    for (const [path, content] of Object.entries(files)) {
      const committed = await readFile(
        fileURLToPath(new URL(`../../${path}`, import.meta.url)),
        'utf8',
      );
      expect(committed, path).toBe(content);
    }
  });

  test('the generated SDK is the same in every run', async () => {
    expect(await generateSdk(contract)).toEqual(files);
  });

  test('the generated SDK has a method and a row for every operation except those for browsers', async () => {
    const forBrowsers =
      /^(meta\.docs(Script|Style)?|pages\..*|auth\.google(Login|Callback)|saml\.(metadata|login|acs))$/;
    const names = Object.entries(contract).flatMap(([group, routes]) =>
      Object.keys(routes).map((name) => `${group}.${name}`),
    );
    const rows = await tableOf(files);
    expect(rows.map(({ name }) => name)).toEqual(names.filter((name) => !forBrowsers.test(name)));
    for (const { name } of rows) {
      expect(files[INTERFACE]).toMatch(new RegExp(`\\n {4}${name.split('.')[1]}\\(input`));
    }
  });

  test('the generated SDK takes the retry rule, limits and credential of every row from its policy', async () => {
    const rows = await tableOf(files);
    expect(rows.length).toBeGreaterThan(60);
    for (const { name, method, path, traits, counters } of rows) {
      const [group = '', key = ''] = name.split('.');
      const route = (contract as Record<string, Routes>)[group]?.[key];
      const text = path.map((part, at) => (at % 2 ? `:${part}` : part)).join('');
      expect({ method, path: `/${text}` }, name).toEqual({
        method: route?.method,
        path: route?.path,
      });
      const { idempotency, limit, credentials } = route?.metadata ?? {};
      const rule = (['safe', 'natural', 'accepted'] as const).find((trait) => traits[trait]);
      expect(rule ?? 'none', name).toBe(idempotency);
      expect(traits.anonymous, name).toBe(credentials === 'public');
      const { quota, windowSeconds } = LIMITS[limit as LimitName] ?? {};
      const tighter = quota === undefined ? [] : [[limit, quota, windowSeconds]];
      const counted = limit === 'none' ? [] : [['default', Infinity, 0], ...tighter];
      expect(counters, name).toEqual(counted);
    }
  });

  test('the generated SDK contains nothing of zod, ts-rest or the contract, except schemas of zod in their subpath', () => {
    for (const [path, content] of Object.entries(files)) {
      if (path.startsWith('sdk/src/schemas/')) {
        expect(content, path).not.toMatch(
          /from '(?!\.\/|\.\.\/index\.ts'|zod')|import\(|typeof contract/,
        );
      } else {
        const client = path.startsWith('sdk/src/react-query/') ? "|\\.\\.\\/index\\.ts'" : '';
        expect(content, path).not.toMatch(
          new RegExp(`from '(?!\\.\\/${client})|import\\(|\\bz\\.|typeof contract`),
        );
      }
    }
  });

  test('the generated SDK documents each method with its terms and its errors', () => {
    const [doc = ''] =
      /\/\*\*(?:(?!\*\/)[\s\S])*\*\/\s+launch\(/.exec(files[INTERFACE] ?? '') ?? [];
    for (const part of [
      'Launch a scan.',
      '`POST /scans`',
      'permission `scans.launch`',
      'rate limit `scans` of 10 in 60 s',
      'Idempotency-Key',
      '@throws {IdempotencyError} `IDEMPOTENCY_KEY_IN_USE`, `IDEMPOTENCY_KEY_MISMATCH`',
      '@throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `REQUEST_TIMEOUT`, `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `INTERNAL`',
      '@throws {PreflightBlockedError} `PREFLIGHT_BLOCKED`',
    ]) {
      expect(doc.replace(/\s+\* /g, ' ')).toContain(part);
    }
  });
});

describe('types', () => {
  test('the types of the SDK have names for schemas with an id, and write out the others', async () => {
    const named = z.object({ id: z.uuid() }).meta({ id: 'Thing', description: 'A thing.' });
    const text = await interfaceOf({
      responses: {
        200: z.object({ thing: named, others: z.array(named), size: z.int().nullable() }),
      },
    });
    expect(text).toContain('/** A thing. */\nexport interface Thing {\n  id: string;\n}');
    expect(text).toMatch(/thing: Thing;\s+others: Thing\[\];\s+size: number \| null;/);
  });

  test('the types of the SDK let callers omit members with a default, and guarantee them in responses', async () => {
    const shape = { color: z.enum(['red', 'blue']).default('red') };
    const query = z.strictObject(shape);
    const text = await interfaceOf({ query, responses: { 200: z.object(shape) } });
    expect(text).toContain("readonly color?: 'red' | 'blue' | undefined;");
    expect(text).toContain("color: 'red' | 'blue';");
  });

  test('the types of the SDK accept one value for a filter that accepts several', async () => {
    const query = z.strictObject({ tag: z.array(z.string()).optional() });
    expect(await interfaceOf({ query })).toContain('readonly tag?: OneOrMany<string> | undefined;');
  });

  test('the types of the SDK never end a comment early, for any description', async () => {
    const query = z.strictObject({ path: z.string().describe('such as /auth/2fa/*/x */ done') });
    expect(await interfaceOf({ query })).toContain('/** such as /auth/2fa/*\\/x *\\/ done */');
  });

  test('the SDK generator refuses a schema that has no plain type', async () => {
    const responses = { 200: z.object({ at: z.date() }) };
    await expect(interfaceOf({ responses })).rejects.toThrow('kind "date"');
    const piped = { 200: z.object({ at: z.string().transform(Number) }) };
    await expect(interfaceOf({ responses: piped })).rejects.toThrow('kind "transform"');
  });
});

describe('streams', () => {
  test('text streams of the SDK are iterated over as text, and event streams as events with the result of `get`', () => {
    expect(files[INTERFACE]).toContain(
      'export(input?: FindingsExportInput, options?: CallOptions): Stream<string, Uint8Array>;',
    );
    expect(files[INTERFACE]).toContain(
      'events(input: ScansEventsInput, options?: CallOptions): Stream<ServerEvent<Scan>>;',
    );
  });

  test('an event stream in a group without `get` is refused by the SDK generator', async () => {
    const { events } = contract.scans;
    const routes = { scans: { events } } as unknown as Record<string, Routes>;
    await expect(generateSdk(routes)).rejects.toThrow('no `get`');
  });
});

describe('the generator refuses', () => {
  test('the SDK generator refuses a body together with a query, because the client could not assign the members of its input', async () => {
    const { create } = contract.projects;
    const query = z.strictObject({ dryRun: z.boolean().optional() });
    const routes = { things: { make: { ...create, query } } } as unknown as Record<string, Routes>;
    await expect(generateSdk(routes)).rejects.toThrow('query');
  });

  test('the SDK generator refuses a limit that is not per minute', async () => {
    const metadata = { ...contract.projects.get.metadata, limit: 'break-glass' };
    await expect(generateSdk(one({ metadata }))).rejects.toThrow('per minute');
  });

  test('the SDK generator refuses a name that occurs in two of path, query and body', async () => {
    const query = z.strictObject({ name: z.string() });
    await expect(generateSdk(one({ query }))).rejects.toThrow('"name" stands for two');
  });

  test('the SDK generator refuses a member `inventory` in an upload of an inventory', async () => {
    const { uploadInventory } = contract.projects;
    const query = z.strictObject({ inventory: z.string() });
    const clashing = { things: { put: { ...uploadInventory, query } } };
    await expect(generateSdk(clashing as unknown as Record<string, Routes>)).rejects.toThrow(
      '"inventory"',
    );
  });

  test('the SDK generator refuses a path whose parameters are not those of its schema', async () => {
    await expect(generateSdk(one({ path: '/projects/:id' }))).rejects.toThrow('its parameters');
  });

  test('the SDK generator refuses an input that is not an object', async () => {
    await expect(generateSdk(one({ query: z.string() }))).rejects.toThrow('is not an object');
  });

  test('the SDK generator refuses two schemas with one id', async () => {
    const thing = (shape: z.ZodRawShape) => z.object(shape).meta({ id: `Twin` });
    const responses = { 200: z.object({ a: thing({ x: z.string() }) }) };
    const other = { 200: z.object({ a: thing({ y: z.string() }) }) };
    const routes = { ...one({ responses }), more: one({ responses: other })['things'] };
    await expect(generateSdk(routes as Record<string, Routes>)).rejects.toThrow('id "Twin"');
  });
});

test("an operation that returns tokens is marked in the SDK's table, so that the client stores them", async () => {
  const { login, logout } = contract.auth;
  const routes = { auth: { login, logout } } as unknown as Record<string, Routes>;
  const rows = await tableOf(await generateSdk(routes));
  expect(rows.map(({ traits }) => traits.opening)).toEqual([true, false]);
});
