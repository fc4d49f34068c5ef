import { readFile } from 'node:fs/promises';
import {
  CREDENTIAL_KINDS,
  type CredentialKind,
  contract,
  FEATURES,
  LIMITS,
  PERMISSIONS,
  type Permission,
  type Problem,
  type ProblemCode,
} from '@cspm/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import type { TestUser } from '../tests/kit/people.ts';
import {
  GLOBAL_KEY_TENANT_ID,
  globalKeyHeaders,
  masterKeyHeaders,
  SHARED_CREDENTIALS,
} from '../tests/kit/shared-credentials.ts';
import {
  type Call,
  freshAddress,
  startTestServer,
  type TestServer,
} from '../tests/kit/test-server.ts';
import type { NamedRoute } from '../tools/generate/openapi/operation.ts';
import { publishedRoutes } from '../tools/generate/openapi.ts';

// biome-ignore lint/suspicious/noExplicitAny: the document is looked at member by member
const document: any = JSON.parse(
  await readFile(new URL('../openapi.json', import.meta.url), 'utf8'),
);
const routes = publishedRoutes(contract);

/** Above every tighter limit, so that those are met first. */
const RATE_LIMIT = 40;

let server: TestServer;
/** May do everything, everywhere. */
let admin: TestUser;
const lacking = new Map<Permission, TestUser>();

beforeAll(async () => {
  server = await startTestServer({ config: { ...SHARED_CREDENTIALS, rateLimit: RATE_LIMIT } });
  const tenant = await server.people.tenant(FEATURES, GLOBAL_KEY_TENANT_ID);
  admin = await server.people.user({ tenant, amr: ['pwd', 'otp'] });
  for (const permission of PERMISSIONS) {
    const role = PERMISSIONS.filter((other) => other !== permission);
    lacking.set(permission, await server.people.user({ tenant, role }));
  }
});

afterAll(() => server?.close());

/** The examples that the document gives of a refusal of an operation: one for each permission or limit that shares it. */
function examplesOf({ resource, operation }: NamedRoute, code: ProblemCode): Problem[] {
  const id = resource + operation.slice(0, 1).toUpperCase() + operation.slice(1);
  const { responses } = operationOf(id);
  const examples = Object.values(responses).flatMap((response) => {
    const content = resolved(response).content?.['application/problem+json'];
    return Object.values(content?.examples ?? {}).map((example) => resolved(example).value);
  });
  return examples
    .filter((example) => example.code === code)
    .map((example) => ({ ...example, correlationId: '' }));
}

// biome-ignore lint/suspicious/noExplicitAny: as above
function operationOf(id: string): any {
  // biome-ignore lint/suspicious/noExplicitAny: as above
  const operations: any[] = Object.values(document.paths).flatMap((item: any) =>
    Object.values(item),
  );
  return operations.find(({ operationId }) => operationId === id);
}

// biome-ignore lint/suspicious/noExplicitAny: as above
function resolved(value: any): any {
  const steps: string[] = value?.$ref?.slice(2).split('/') ?? [];
  return steps.length === 0 ? value : steps.reduce((found, step) => found[step], document);
}

async function ask({ resource, operation, route }: NamedRoute, call: Call = {}, query = '') {
  const id = resource + operation.slice(0, 1).toUpperCase() + operation.slice(1);
  const path = route.path.replaceAll(/:(\w+)/g, (_whole, name: string) => {
    // biome-ignore lint/suspicious/noExplicitAny: as above
    return operationOf(id).parameters.find((each: any) => each.name === name).example;
  });
  const body = route.metadata.body === 'json' ? { body: {} } : {};
  const { json } = await server.call(path + query, { method: route.method, ...body, ...call });
  return { ...json, correlationId: '' };
}

/** Asks every operation that `when` is about, and expects one of the answers in the document. */
async function expectExamples(
  code: ProblemCode,
  when: (route: NamedRoute) => boolean,
  how: (route: NamedRoute) => { call?: Call; query?: string },
): Promise<number> {
  const some = routes.filter(when);
  for (const each of some) {
    const { call, query } = how(each);
    const name = `${each.resource}.${each.operation}`;
    const answer = await ask(each, call, query);
    expect(examplesOf(each, code), name).toContainEqual(answer);
  }
  return some.length;
}

const isOpen = ({ route }: NamedRoute) => route.metadata.credentials === 'public';

test('a request without a credential is refused as the document says', async () => {
  expect(
    await expectExamples(
      'UNAUTHORIZED',
      (each) => !isOpen(each),
      () => ({}),
    ),
  ).toBeGreaterThan(50);
});

test('a request without the permission is refused as the document says', async () => {
  const count = await expectExamples(
    'FORBIDDEN',
    ({ route }) => route.metadata.permissions.length > 0,
    ({ route }) => ({
      call: { headers: lacking.get(route.metadata.permissions[0] as Permission)?.session ?? {} },
    }),
  );
  expect(count).toBeGreaterThan(40);
});

test('a credential of another kind is refused as the document says', async () => {
  const headers: Record<CredentialKind, Record<string, string>> = {
    jwt: admin.session,
    api_key: admin.key,
    global_api_key: globalKeyHeaders,
    master_key: masterKeyHeaders(admin.tenant),
  };
  for (const kind of CREDENTIAL_KINDS.filter((each) => each !== 'jwt')) {
    const count = await expectExamples(
      'CREDENTIAL_NOT_ALLOWED',
      (each) => !isOpen(each) && !each.route.metadata.credentials.includes(kind),
      // Attempts with a master key are few for each address.
      () => ({ call: { headers: headers[kind], ip: freshAddress() } }),
    );
    expect(count).toBeGreaterThan(5);
  }
});

test('a request of a tenant without the license is refused as the document says', async () => {
  const { session } = await server.people.user({ amr: ['pwd', 'otp'] });
  const count = await expectExamples(
    'FEATURE_NOT_LICENSED',
    ({ route }) => route.metadata.feature !== null,
    () => ({ call: { headers: session } }),
  );
  expect(count).toBeGreaterThan(5);
});

test('a session without a second factor is refused as the document says', async () => {
  const { headers } = await server.people.session(admin);
  const count = await expectExamples(
    'MFA_REQUIRED',
    ({ route }) => route.metadata.mfa,
    () => ({ call: { headers } }),
  );
  expect(count).toBeGreaterThan(5);
});

test('another content type is refused as the document says', async () => {
  const count = await expectExamples(
    'UNSUPPORTED_MEDIA_TYPE',
    ({ route }) => route.metadata.body !== 'none',
    () => ({ call: { headers: { ...admin.session, 'content-type': 'text/plain' }, body: 'x' } }),
  );
  expect(count).toBeGreaterThan(25);
});

test('invalid input is refused as the document says', async () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const count = await expectExamples(
    'VALIDATION_FAILED',
    // What is wrong with an inventory is found by the handler, line by line.
    ({ route }) => route.metadata.body !== 'inventory',
    ({ route }) => {
      const isForm = route.metadata.body === 'form';
      const call = isForm ? { headers: form, body: '&' } : { headers: admin.session };
      const hasBodyFault =
        'body' in route && route.body instanceof z.ZodType && !route.body.safeParse({}).success;
      if (hasBodyFault) return { call };
      const { query } = route;
      if (query instanceof z.ZodObject && 'limit' in query.shape)
        return { call, query: '?limit=0' };
      return { call, query: '?surplus=1' };
    },
  );
  expect(count).toBeGreaterThan(60);
});

test.each([...Object.keys(LIMITS), 'default'].filter((name) => name !== 'break-glass'))(
  'a request beyond the limit %s is refused as the document says',
  async (name) => {
    const named = routes.find(({ route }) => route.metadata.limit === name);
    if (named === undefined) throw new Error(`No operation has the limit ${name}`);
    const ip = freshAddress();
    const quota = name === 'default' ? RATE_LIMIT : LIMITS[name as keyof typeof LIMITS].quota;
    for (let asked = 0; asked < quota; asked += 1) await ask(named, { ip });
    const answer = await ask(named, { ip });
    expect(answer).toMatchObject({ code: 'RATE_LIMITED', limit: name });
    expect(examplesOf(named, 'RATE_LIMITED')).toContainEqual(answer);
  },
);
