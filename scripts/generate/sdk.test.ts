import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { contract, type Routes } from '@cspm/contract';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { generateSdk } from './sdk.ts';

const INTERFACE = 'sdk/src/client.gen.ts';
const TABLE = 'sdk/src/operations.gen.ts';

const files = await generateSdk(contract);

/** A contract of one route, beginning as `projects.get` does. */
function one(route: Partial<Record<keyof Routes[string], unknown>>) {
  return { things: { get: { ...contract.projects.get, ...route } } } as unknown as Record<
    string,
    Routes
  >;
}

async function interfaceOf(route: Parameters<typeof one>[0]) {
  return (await generateSdk(one(route)))[INTERFACE] ?? '';
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

  test('has a method and a row for every operation that answers with JSON or nothing', async () => {
    const { operations } = await import('../../sdk/src/operations.gen.ts');
    const names = (groups: object) =>
      Object.entries(groups).flatMap(([group, members]) =>
        Object.keys(members as object).map((name) => `${group}.${name}`),
      );
    const pages =
      /^(auditEvents\.export|meta\.docs(Script|Style)?|pages\..*|saml\.(metadata|login|acs))$/;
    expect(names(operations)).toEqual(names(contract).filter((name) => !pages.test(name)));
    for (const name of names(operations)) {
      expect(files[INTERFACE]).toMatch(new RegExp(`\\n {4}${name.split('.')[1]}\\(input`));
    }
  });

  test('takes the retry rule, limit and credential of every row from its policy', async () => {
    const { operations } = await import('../../sdk/src/operations.gen.ts');
    let rows = 0;
    for (const [group, members] of Object.entries(operations)) {
      for (const [name, row] of Object.entries<Record<string, unknown>>(members)) {
        const route = (contract as Record<string, Routes>)[group]?.[name];
        expect(row).toMatchObject({
          method: route?.method,
          path: route?.path,
          idempotency: route?.metadata.idempotency,
        });
        expect(row['limit'] ?? 'default').toBe(route?.metadata.limit);
        expect(row['public'] === true).toBe(route?.metadata.credentials === 'public');
        rows += 1;
      }
    }
    expect(rows).toBeGreaterThan(20);
  });

  test('leaves nothing of zod, ts-rest or the contract to its users', () => {
    for (const [path, content] of Object.entries(files)) {
      expect(content, path).not.toMatch(/from '(?!\.\/)|import\(|\bz\.|typeof contract/);
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
      '@throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `PREFLIGHT_BLOCKED`, `INTERNAL`',
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

  test('never end a comment early, whatever a description says', async () => {
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

describe('the generator refuses', () => {
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
  const table = (await generateSdk(routes))[TABLE];
  expect(table).toMatch(/login: .*opensSession: true/);
  expect(table).not.toMatch(/logout: .*opensSession/);
});

test('query members of an operation with a body are told apart in its row', async () => {
  const { create } = contract.projects;
  const query = z.strictObject({ dryRun: z.boolean().optional() });
  const routes = { things: { make: { ...create, query } } } as unknown as Record<string, Routes>;
  expect((await generateSdk(routes))[TABLE]).toContain("query: ['dryRun']");
});
