import { AUDIT_ACTIONS, contract, type Routes } from '@cspm/contract';
import { type Draft, FILL_IN, Misuse } from './draft.ts';
import { kebab, singular } from './names.ts';
import type { Options } from './options.ts';

const RESOURCES: Readonly<Record<string, Routes>> = contract;
const EXAMPLES = 'tests/kit/contract-cases.ts';
const IDENTITY_EXAMPLES = 'tests/kit/identity-cases.ts';
const POLICY = 'contract/policy.ts';

/** What the name of an operation implies for its route. */
const USUAL: Readonly<Record<string, { method: string; ofOne: boolean }>> = {
  list: { method: 'GET', ofOne: false },
  get: { method: 'GET', ofOne: true },
  create: { method: 'POST', ofOne: false },
  update: { method: 'PUT', ofOne: true },
  delete: { method: 'DELETE', ofOne: true },
};
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

interface Operation {
  readonly resource: string;
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly string[];
  /** Null for a GET, which changes nothing. */
  readonly audit: string | null;
}

/** An operation of an existing resource: its route, handler, example and test. */
export function newEndpoint(draft: Draft, name: string, options: Options): readonly string[] {
  const operation = operationOf(name, options);
  const { resource } = operation;
  const route = importedFile(draft, 'contract/index.ts', resource);
  const handlers = importedFile(draft, 'server/handlers.ts', resource);
  const test = handlers.replace(
    /[^/]+$/,
    `${singular(kebab(resource))}-${kebab(operation.name)}.test.ts`,
  );
  addRoute(draft, route, operation);
  addHandler(draft, handlers, operation);
  const examples = addExample(draft, operation);
  draft.create(test, testFile(operation, test));
  return [
    `${route}: summary, description, policy, and the schemas of the request and the response.`,
    `${handlers}: the handler ${operation.name}.`,
    `${examples}: an accepted request, if the operation takes a body or path parameters.`,
    `${test}: what the endpoint guarantees.`,
    `Run npm run generate, then npx vitest run ${test} server/http/surface.test.ts`,
    'Add a line to CHANGELOG.md, and run npm run check.',
  ];
}

function operationOf(name: string, options: Options): Operation {
  const [resource = '', operation = ''] = name.split('.');
  if (!/^[a-z][A-Za-z0-9]*\.[a-z][A-Za-z0-9]*$/.test(name)) {
    throw new Misuse(`${name} is not an operation. Write <resource>.<operation>: mutes.get.`);
  }
  const routes = Object.hasOwn(RESOURCES, resource) ? RESOURCES[resource] : undefined;
  if (routes === undefined) {
    throw new Misuse(
      `There is no resource ${resource}. Use one of ${Object.keys(RESOURCES).join(', ')}, or first add contract/${kebab(resource)}.ts with the first operation, and list it in contract/index.ts and server/handlers.ts.`,
    );
  }
  if (Object.hasOwn(routes, operation)) {
    throw new Misuse(`${name} already exists. Choose another name for the operation.`);
  }
  const usual = USUAL[operation] ?? { method: 'POST', ofOne: true };
  const method = (options.method ?? usual.method).toUpperCase();
  if (!METHODS.includes(method)) {
    throw new Misuse(`${method} is not a method. Use --method with one of ${METHODS.join(', ')}.`);
  }
  const path = options.path ?? usualPath(routes, operation, usual.ofOne);
  if (!/^(\/:?[a-z][A-Za-z0-9_.-]*)+$/.test(path)) {
    throw new Misuse(`${path} is not a path. Write one such as --path /mutes/:id.`);
  }
  const taken = Object.entries(RESOURCES).flatMap(([other, all]) =>
    Object.entries(all).flatMap(([key, route]) =>
      route.method === method && shape(route.path) === shape(path) ? [`${other}.${key}`] : [],
    ),
  );
  if (taken.length > 0) {
    throw new Misuse(
      `${method} ${path} is ${taken[0]} already. Choose another --method or --path.`,
    );
  }
  const parameters = [...path.matchAll(/:(\w+)/g)].map(([, parameter]) => `${parameter}`);
  const audit = auditOf(name, method, options.audit);
  return { resource, name: operation, method, path, parameters, audit };
}

function shape(path: string): string {
  return path.replaceAll(/:\w+/g, ':');
}

function auditOf(name: string, method: string, given: string | undefined): string | null {
  if (method === 'GET') {
    if (given === undefined) return null;
    throw new Misuse('A GET changes nothing and is not audited. Leave out --audit.');
  }
  if (given !== undefined && /^[a-z][a-z_]*\.[a-z][a-z_]*$/.test(given)) return given;
  throw new Misuse(
    `${name} changes something, so it needs an action of the audit trail. Add --audit <noun>.<past tense>, such as --audit mute.deleted.`,
  );
}

/** `/mutes`, `/mutes/:id`, or `/mutes/:id/archive` for an operation without a usual path. */
function usualPath(routes: Routes, operation: string, ofOne: boolean): string {
  const paths = Object.values(routes).map(({ path }) => path);
  const base = paths[0]?.replace(/\/:.*/, '') ?? '';
  const one = paths.find((path) => /^\/:\w+$/.test(path.slice(base.length))) ?? `${base}/:id`;
  if (!ofOne) return base;
  return Object.hasOwn(USUAL, operation) ? one : `${one}/${kebab(operation)}`;
}

/** The file from which an index imports a resource. */
function importedFile(draft: Draft, index: string, resource: string): string {
  const pattern = new RegExp(`^import \\{[^}]*\\b${resource}\\b[^}]*\\} from '\\./(.+)';$`, 'm');
  const file = pattern.exec(draft.read(index))?.[1];
  if (file === undefined) {
    throw new Misuse(`${index} does not import ${resource}. Import it there from its file.`);
  }
  return index.replace(/[^/]+$/, file);
}

function addRoute(draft: Draft, file: string, operation: Operation): void {
  const { resource, name, method, path, parameters, audit } = operation;
  const text = draft.read(file);
  const start = text.indexOf(`export const ${resource} = `);
  const own = text.slice(start, text.indexOf('\n});', start));
  const takesBody = method !== 'GET' && method !== 'DELETE';
  const permission = permissionOf(operation);
  const pathParams = parameters.length === 0 ? '' : `    ${pathParamsIn(own, operation)}\n`;
  const response =
    method === 'DELETE'
      ? '{ 204: noBody }'
      : `{ 200: z.object({ fillIn: z.string().meta({ example: '${FILL_IN}' }) }) }`;
  const policy = [
    "auth: 'any'",
    `permission: '${permission}'`,
    `idempotency: '${method === 'GET' ? 'safe' : method === 'POST' ? 'accepted' : 'natural'}'`,
    ...(audit === null ? [] : [`audit: '${audit}'`]),
    `tx: '${method === 'GET' ? 'read' : 'write'}'`,
    ...(takesBody ? ["body: 'json'"] : []),
    ...(parameters.length === 0 ? [] : ["problems: ['NOT_FOUND']"]),
  ];
  const route = `  ${name}: {
    method: '${method}',
    path: '${path}',
    summary: '${FILL_IN}: an imperative, without a full stop',
    description: '${FILL_IN}: what a caller has to know.',
${pathParams}${takesBody ? `    body: z.strictObject({ fillIn: z.string().max(100).meta({ example: '${FILL_IN}' }) }),\n` : ''}    responses: ${response},
    metadata: policy({ ${policy.join(', ')} }),
  },
`;
  insertIn(draft, file, `export const ${resource} = `, '\n});', route);
  if (method === 'DELETE' && !/\bnoBody\b/.test(text)) {
    draft.insert(file, 'noBody, ', { before: /(?<=import \{ )[^}]*\} from '\.\/route\.ts'/ });
  }
  if (audit !== null && !(AUDIT_ACTIONS as readonly string[]).includes(audit)) {
    insertIn(draft, POLICY, 'export const AUDIT_ACTIONS', '\n] as const', `  '${audit}',\n`);
  }
}

/** The permission of a neighbour that also reads, or also writes. */
function permissionOf({ resource, method }: Operation): string {
  const routes = Object.values(RESOURCES[resource] ?? {});
  const alike = routes.filter((route) => (route.method === 'GET') === (method === 'GET'));
  const permissions = [...alike, ...routes].flatMap(({ metadata }) => metadata.permissions);
  return permissions[0] ?? 'projects.read';
}

/** The path parameters of a neighbour with the same parameters, or schemas to fill in. */
function pathParamsIn(own: string, { resource, parameters }: Operation): string {
  const shared = Object.values(RESOURCES[resource] ?? {}).some(
    ({ path }) =>
      [...path.matchAll(/:(\w+)/g)].map(([, name]) => name).join() === parameters.join(),
  );
  const line = /^ {4}(pathParams(?::.*)?,)$/m.exec(own)?.[1];
  if (shared && line !== undefined) return line;
  const members = parameters.map(
    (name) => `${name}: z.string().max(100).describe('${FILL_IN}').meta({ example: '${FILL_IN}' })`,
  );
  return `pathParams: z.strictObject({ ${members.join(', ')} }),`;
}

function addHandler(draft: Draft, file: string, { resource, name }: Operation): void {
  const handler = `
  async ${name}() {
    throw new Error('${FILL_IN}: write ${resource}.${name} in ${file}');
  },
`;
  insertIn(draft, file, `export const ${resource}: HandlersOf`, '\n};', handler);
}

/** @returns the file with the example. */
function addExample(draft: Draft, operation: Operation): string {
  const { resource, name, method, parameters } = operation;
  const ofResource = new RegExp(`^ {2}${resource}: \\{(.*)$`, 'm');
  const file = ofResource.test(draft.read(IDENTITY_EXAMPLES)) ? IDENTITY_EXAMPLES : EXAMPLES;
  const text = draft.read(file);
  const start = text.indexOf('EXAMPLES: ');
  const line = ofResource.exec(text.slice(start));
  const rest = line === null ? '' : text.slice(start + line.index);
  const own = line?.[1] === '' ? rest.slice(0, rest.indexOf('\n  },')) : (line?.[0] ?? '');
  const neighbour = /params: (by\w+)/.exec(own)?.[1];
  const params =
    neighbour ?? `async () => ({ ${parameters.map((p) => `${p}: '${FILL_IN}'`).join(', ')} })`;
  const members = [
    ...(parameters.length === 0 ? [] : [`params: ${params}`]),
    ...(method === 'GET' || method === 'DELETE'
      ? []
      : [`body: async () => ({ fillIn: '${FILL_IN}' })`]),
  ];
  const example = `${name}: { ${members.join(', ')} },`;
  const after = new RegExp(`EXAMPLES: [\\s\\S]*?\\n {2}${resource}: \\{`);
  draft.insert(file, `\n    ${example}`, { after });
  return file;
}

/** Inserts a text at the end of the block with that beginning and end. */
function insertIn(draft: Draft, file: string, begin: string, end: string, text: string): void {
  const escaped = (part: string) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  draft.insert(file, text, {
    after: new RegExp(`${escaped(begin)}[\\s\\S]*?\\n(?=${escaped(end.trimStart())})`),
  });
}

function testFile(
  { resource, name, method, path, parameters, audit }: Operation,
  file: string,
): string {
  const kit = `${'../'.repeat(file.split('/').length - 1)}tests/kit`;
  const body = audit === null || method === 'DELETE' ? '' : `, body: { fillIn: '${FILL_IN}' }`;
  const hint =
    parameters.length === 0
      ? ''
      : `    // ${FILL_IN}: replace each :parameter by the id of a row. tests/kit/fixtures.ts creates rows.\n`;
  return `import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '${kit}/test-server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

describe('${resource}.${name}', () => {
  it('${FILL_IN}: what the endpoint guarantees', async () => {
    const { session } = await server.people.user();
${hint}    const path = '${path}';
    const reply = await server.call(path, { method: '${method}', headers: session${body} });
    expect(reply).toMatchObject({ status: ${method === 'DELETE' ? 204 : 200}, json: '${FILL_IN}' });
  });
});
`;
}
