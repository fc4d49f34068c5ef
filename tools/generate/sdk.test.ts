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
  test('is what is committed', async () => {
    for (const [path, content] of Object.entries(files)) {
      const committed = await readFile(
        fileURLToPath(new URL(`../../${path}`, import.meta.url)),
        'utf8',
      );
      expect(committed, path).toBe(content);
    }
  });

  test('is the same from run to run', async () => {
    expect(await generateSdk(contract)).toEqual(files);
  });

  test('has a method and a row for every operation but those for browsers', async () => {
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

  test('takes the retry rule, limits and credential of every row from its policy', async () => {
    const rows = await tableOf(files);
    expect(rows.length).toBeGreaterThan(60);
    for (const { name, method, path, traits, counters } of rows) {
      const [group = '', key = ''] = name.split('.');
      const route = (contract as Record<string, Routes>)[group]?.[key];
      const text = path.map((part, at) => (at % 2 ? `:${part}` : part)).join('');
      expect({ method, path: text }, name).toEqual({ method: route?.method, path: route?.path });
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

  test('leaves nothing of zod, ts-rest or the contract to its users, except schemas of zod in their subpath', () => {
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

  test('documents each method with its terms and the errors that it throws', () => {
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
  test('name what has an id and spell out what has none', async () => {
    const named = z.object({ id: z.uuid() }).meta({ id: 'Thing', description: 'A thing.' });
    const text = await interfaceOf({
      responses: {
        200: z.object({ thing: named, others: z.array(named), size: z.int().nullable() }),
      },
    });
    expect(text).toContain('/** A thing. */\nexport interface Thing {\n  id: string;\n}');
    expect(text).toMatch(/thing: Thing;\s+others: Thing\[\];\s+size: number \| null;/);
  });

  test('let callers leave out what has a default, and promise it to receivers', async () => {
    const shape = { color: z.enum(['red', 'blue']).default('red') };
    const query = z.strictObject(shape);
    const text = await interfaceOf({ query, responses: { 200: z.object(shape) } });
    expect(text).toContain("readonly color?: 'red' | 'blue' | undefined;");
    expect(text).toContain("color: 'red' | 'blue';");
  });

  test('take one value where a filter takes several', async () => {
    const query = z.strictObject({ tag: z.array(z.string()).optional() });
    expect(await interfaceOf({ query })).toContain('readonly tag?: OneOrMany<string> | undefined;');
  });

  test('never end a comment early, for any description', async () => {
    const query = z.strictObject({ path: z.string().describe('such as /auth/2fa/*/x */ done') });
    expect(await interfaceOf({ query })).toContain('/** such as /auth/2fa/*\\/x *\\/ done */');
  });

  test('refuse a schema that has no plain type', async () => {
    const responses = { 200: z.object({ at: z.date() }) };
    await expect(interfaceOf({ responses })).rejects.toThrow('kind "date"');
    const piped = { 200: z.object({ at: z.string().transform(Number) }) };
    await expect(interfaceOf({ responses: piped })).rejects.toThrow('kind "pipe"');
  });
});

describe('streams', () => {
  test('streams of text are iterated over as text, of events as events with what `get` answers', () => {
    expect(files[INTERFACE]).toContain(
      'export(input?: FindingsExportInput, options?: CallOptions): Stream<string, Uint8Array>;',
    );
    expect(files[INTERFACE]).toContain(
      'events(input: ScansEventsInput, options?: CallOptions): Stream<ServerEvent<Scan>>;',
    );
  });

  test('streams of events in a group without `get` are refused', async () => {
    const { events } = contract.scans;
    const routes = { scans: { events } } as unknown as Record<string, Routes>;
    await expect(generateSdk(routes)).rejects.toThrow('no `get`');
  });
});

describe('the generator refuses', () => {
  test('a body beside a query: the client would not know which member is whose', async () => {
    const { create } = contract.projects;
    const query = z.strictObject({ dryRun: z.boolean().optional() });
    const routes = { things: { make: { ...create, query } } } as unknown as Record<string, Routes>;
    await expect(generateSdk(routes)).rejects.toThrow('query');
  });

  test('a limit that is not per minute', async () => {
    const metadata = { ...contract.projects.get.metadata, limit: 'break-glass' };
    await expect(generateSdk(one({ metadata }))).rejects.toThrow('per minute');
  });

  test('a name that stands for two of path, query and body', async () => {
    const query = z.strictObject({ name: z.string() });
    await expect(generateSdk(one({ query }))).rejects.toThrow('"name" stands for two');
  });

  test('an `inventory` beside the inventory', async () => {
    const { uploadInventory } = contract.projects;
    const query = z.strictObject({ inventory: z.string() });
    const clashing = { things: { put: { ...uploadInventory, query } } };
    await expect(generateSdk(clashing as unknown as Record<string, Routes>)).rejects.toThrow(
      '"inventory"',
    );
  });

  test('a path whose parameters are not those of its schema', async () => {
    await expect(generateSdk(one({ path: '/projects/:id' }))).rejects.toThrow('its parameters');
  });

  test('an input that is no object', async () => {
    await expect(generateSdk(one({ query: z.string() }))).rejects.toThrow('no object');
  });

  test('two schemas of one id', async () => {
    const thing = (shape: z.ZodRawShape) => z.object(shape).meta({ id: `Twin` });
    const responses = { 200: z.object({ a: thing({ x: z.string() }) }) };
    const other = { 200: z.object({ a: thing({ y: z.string() }) }) };
    const routes = { ...one({ responses }), more: one({ responses: other })['things'] };
    await expect(generateSdk(routes as Record<string, Routes>)).rejects.toThrow('id "Twin"');
  });
});

test('an operation that answers with tokens says so in its row, for the client takes them up', async () => {
  const { login, logout } = contract.auth;
  const routes = { auth: { login, logout } } as unknown as Record<string, Routes>;
  const rows = await tableOf(await generateSdk(routes));
  expect(rows.map(({ traits }) => traits.opening)).toEqual([true, false]);
});
