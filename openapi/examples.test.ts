import { FEATURES } from '@cspm/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestUser } from '../tests/kit/people.ts';
import { startTestServer, type TestServer } from '../tests/kit/test-server.ts';
import { type Json, OpenApiDocument } from './documented.ts';

/** In this order, each finds on a fresh server what those before it made. */
const ACCEPTED = [
  'rolesCreate',
  'rolesUpdate',
  'usersCreate',
  'apiKeysCreate',
  'projectsCreate',
  'projectsUpdate',
  'projectsUploadInventory',
  'preflightRun',
  'customRulesTest',
  'customRulesCreate',
  'customRulesUpdate',
  'profilesCreate',
  'profilesUpdate',
  'mutesCreate',
  'mutesBulkCreate',
  'viewsCreate',
  'webhooksCreate',
  'schedulesCreate',
  'scansLaunch',
  'domainsCreate',
  'authRegister',
  'authResendVerification',
  'authForgotPassword',
  'authLogout',
  'samlDiscover',
  'notificationsUpdate',
  'samlPutSettings',
  'tenantUpdate',
];

/** What the input itself can be refused with. Other refusals are about the state: a wrong code, an unknown id. */
const REFUSES_INPUT = /VALIDATION_FAILED|PAYLOAD_TOO_LARGE|UNSUPPORTED_MEDIA_TYPE/;

const openapi = new OpenApiDocument();
const operations = new Map<string, { path: string; method: string; operation: Json }>();
for (const [path, item] of Object.entries<Json>(openapi.document.paths)) {
  for (const [method, operation] of Object.entries<Json>(item)) {
    if (operation.requestBody) operations.set(operation.operationId, { path, method, operation });
  }
}
/** When the resources of the examples were created. */
const EXAMPLES_AT = Date.parse('2026-11-20T08:00:00.000Z');
/** Its example has no private key: one in the document would look like a leaked secret to every scanner. */
const WITHOUT_SECRET = 'sourcesSet';
const requests = [...operations].flatMap(([id, { operation }]) =>
  id === WITHOUT_SECRET
    ? []
    : Object.keys(operation.requestBody.content).map((type) => [id, type] as const),
);

let server: TestServer;
let owner: TestUser;

beforeAll(async () => {
  server = await startTestServer();
  owner = await server.people.user({
    tenant: await server.people.tenant(FEATURES),
    amr: ['pwd', 'otp'],
  });
});

afterAll(() => server?.close());

/** Times that are in the future in the examples would be in the past some day. */
function asFarAheadAsOnTheirDay(text: string): string {
  const passed = Date.now() - EXAMPLES_AT;
  return text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (time) =>
    Date.parse(time) > EXAMPLES_AT ? new Date(Date.parse(time) + passed).toISOString() : time,
  );
}

/** Sends the example of an operation as it stands. */
function send(id: string, type: string) {
  const found = operations.get(id);
  if (found === undefined) throw new Error(`${id} has no body`);
  const { path, method, operation } = found;
  const { example } = operation.requestBody.content[type];
  const filled = path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => {
    return operation.parameters.find((each: Json) => each.name === name).example;
  });
  const isForm = type === 'application/x-www-form-urlencoded';
  const text = isForm ? new URLSearchParams(example).toString() : example;
  const body = asFarAheadAsOnTheirDay(typeof text === 'string' ? text : JSON.stringify(text));
  return server.call(filled, {
    method: method.toUpperCase(),
    headers: { ...owner.session, 'content-type': type },
    body,
  });
}

test.each(ACCEPTED)('a fresh server accepts the example of %s', async (id) => {
  const [type = ''] = Object.keys(operations.get(id)?.operation.requestBody.content ?? {});
  const { status, text } = await send(id, type);
  expect(status, text).toBeLessThan(300);
});

test.each(requests)('the example of %s as %s is valid input', async (id, type) => {
  const { status, text, json } = await send(id, type);
  expect(status, text).toBeLessThan(500);
  expect(json?.code ?? '', text).not.toMatch(REFUSES_INPUT);
});
