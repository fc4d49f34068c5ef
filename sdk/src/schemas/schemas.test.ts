import { fileURLToPath } from 'node:url';
import { contract } from '@cspm/contract';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { type Method, methodsOf } from '../../../tools/generate/sdk-operations.ts';
import { capitalized } from '../../../tools/generate/sdk-text.ts';
import { ANSWERS } from './answers.gen.ts';
import * as schemas from './index.ts';

const BY_NAME = schemas as unknown as Record<string, z.ZodType>;

describe('@cspm/sdk/schemas', () => {
  it('@cspm/sdk/schemas has the schema of the contract for every response', () => {
    const answers = methodsOf(contract).filter(({ result, stream }) => result && !stream);
    expect(answers.length).toBeGreaterThan(70);
    for (const { route, result } of answers) {
      const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
      const schema = ANSWERS[`${route.method} ${path}`]?.();
      expect(shapeOf(schema), path).toEqual(shapeOf(result as z.ZodType));
    }
  });

  it('@cspm/sdk/schemas has the schema of the contract for every body', () => {
    const bodies = methodsOf(contract).filter(({ body }) => Object.keys(body).length > 0);
    expect(bodies.length).toBeGreaterThan(30);
    for (const method of bodies) {
      const name = schemaName(method);
      const ofContract = z.strictObject(method.body as z.ZodRawShape);
      expect(shapeOf(BY_NAME[name], 'input'), name).toEqual(shapeOf(ofContract, 'input'));
    }
  });

  it('@cspm/sdk/schemas refuses a body with a member that the server refuses', () => {
    expect(schemas.ProjectsCreateBodySchema.safeParse({ name: 'shop' }).success).toBe(true);
    const { error } = schemas.ProjectsCreateBodySchema.safeParse({ name: '!', nmae: 'shop' });
    expect(error?.issues.map(({ code }) => code)).toEqual(['invalid_format', 'unrecognized_keys']);
  });

  it('@cspm/sdk/schemas refuses a body with two members that exclude each other, or with neither', () => {
    const { MutesCreateBodySchema: body } = schemas;
    const one = { reason: 'public on purpose', selector: { ruleId: 'bucket-public' } };
    expect(body.safeParse(one).success).toBe(true);
    const faults = [{ reason: 'none' }, { ...one, fingerprint: 'f'.repeat(64) }].map(
      (value) => body.safeParse(value).error?.issues[0]?.message,
    );
    expect(faults).toEqual(Array(2).fill('must have exactly one of fingerprint, selector'));
  });

  it('@cspm/sdk/schemas keeps members of responses that a later server added', () => {
    const answer = { framework: 'cis-gcp-4.0', id: '5.1', added: true };
    expect(schemas.ComplianceSchema.parse(answer)).toEqual(answer);
  });

  it('@cspm/sdk/schemas costs an application only the schemas that it imports', async () => {
    const { outputFiles } = await build({
      stdin: {
        contents: "import { SeveritySchema } from './schemas.js'; console.log(SeveritySchema);",
        resolveDir: fileURLToPath(new URL('../../dist', import.meta.url)),
      },
      bundle: true,
      minify: true,
      format: 'esm',
      external: ['zod', '@cspm/sdk'],
      write: false,
    });
    expect(outputFiles[0]?.text.length).toBeLessThan(500);
  });
});

describe('a client with validateResponses', () => {
  let server: TestServer;
  let apiKey: string;

  beforeAll(async () => {
    server = await startTestServer();
    apiKey = (await server.people.user()).key['x-api-key'];
  });

  afterAll(() => server.close());

  const client = (change: (text: string) => string, calls: string[] = []) =>
    schemas.createClient({
      baseUrl: `${server.url}/api/v1`,
      apiKey,
      validateResponses: true,
      fetch: async (url, init) => {
        calls.push(String(url));
        const response = await fetch(url, init);
        return new Response(change(await response.text()) || null, response);
      },
    });

  it('a client with validateResponses accepts the responses of the server', async () => {
    const cspm = client((text) => text);
    await cspm.projects.create({ name: 'shop' });
    expect((await cspm.projects.get({ name: 'shop' })).name).toBe('shop');
    expect(await cspm.rules.list().toArray()).not.toEqual([]);
    expect((await cspm.findings.summary()).total.open).toBe(0);
    await cspm.projects.delete({ name: 'shop' });
    await expect(cspm.projects.get({ name: 'shop' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('a client with validateResponses ends a call whose answer does not match with an error that names the member, after one attempt', async () => {
    const calls: string[] = [];
    const cspm = client((text) => text.replaceAll('"severity":"', '"severity":"very-'), calls);
    const error = await cspm.rules.list({ limit: 1 }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      name: 'ApiError',
      code: 'INVALID_RESPONSE',
      operation: 'rules.list',
      message: expect.stringContaining('items.0.severity'),
      body: expect.stringContaining('"very-'),
    });
    expect(calls).toHaveLength(1);
  });

  it('a client without validateResponses does not validate responses', async () => {
    const cspm = schemas.createClient({
      baseUrl: server.url,
      apiKey,
      fetch: async () => Response.json({ items: [{}], nextCursor: null }),
    });
    expect((await cspm.rules.list()).items).toEqual([{}]);
  });
});

function schemaName({ group, name }: Method): string {
  return `${capitalized(group)}${capitalized(name)}BodySchema`;
}

/** A schema as the JSON that it takes or gives, without names, texts, examples, defaults and added members. */
function shapeOf(schema: z.ZodType | undefined, io: 'input' | 'output' = 'output'): unknown {
  if (!schema) return undefined;
  const json = z.toJSONSchema(schema, { io, reused: 'inline', unrepresentable: 'any' });
  return plain(json, (json as { $defs?: Record<string, unknown> }).$defs ?? {});
}

const UNSEEN = ['$schema', '$defs', 'id', 'title', 'description', 'example', 'examples', 'default'];

function plain(value: unknown, defs: Record<string, unknown>, within: string[] = []): unknown {
  if (Array.isArray(value)) return value.map((item) => plain(item, defs, within));
  if (typeof value !== 'object' || value === null) return value;
  const { $ref } = value as { $ref?: string };
  if ($ref) {
    if (within.includes($ref)) return 'itself';
    const shape = plain(defs[$ref.replace('#/$defs/', '')], defs, [...within, $ref]);
    // Only JSON values contain themselves. The contract describes them as any value.
    return JSON.stringify(shape).includes('"itself"') ? {} : shape;
  }
  const members = Object.entries(value)
    .filter(([name]) => !UNSEEN.includes(name))
    .map(([name, member]) => [
      name,
      name === 'properties' ? membersOf(member, defs, within) : plain(member, defs, within),
    ]);
  return Object.fromEntries(
    members.filter(([name, member]) => !(name === 'additionalProperties' && isEmpty(member))),
  );
}

function membersOf(shape: object, defs: Record<string, unknown>, within: string[]) {
  const members = Object.entries(shape);
  return Object.fromEntries(members.map(([name, member]) => [name, plain(member, defs, within)]));
}

/** Answers may have more members here than in the contract. */
function isEmpty(member: unknown): boolean {
  return typeof member === 'boolean' || JSON.stringify(member) === '{}';
}
