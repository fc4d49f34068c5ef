import {
  impliedProblems,
  LIMITS,
  PROBLEMS,
  Problem,
  type Route,
  type RoutePolicy,
  type Routes,
} from '@cspm/contract';

type Node = Record<string, unknown>;

const StrictProblem = Problem.strict();

/** Loaded by browsers only, and so not in the document. An explicit list, so no rule can hide a route. */
const LEFT_OUT = [
  'meta.docsScript',
  'meta.docsStyle',
  'pages.home',
  'pages.verifyEmail',
  'pages.resetPassword',
  'pages.acceptInvite',
  'pages.unsubscribe',
  'pages.confirmUnsubscribe',
  'pages.authCallback',
  'pages.script',
  'pages.style',
];

/**
 * Compares a document with a contract. Shares no code with the generator, so a mistake there is not repeated here. For
 * tests.
 *
 * @returns every difference as `<resource>.<operation>: what is wrong`; empty if there are none.
 */
export function faultsOf(document: unknown, contract: Record<string, Routes>): string[] {
  const faults: string[] = [];
  const operations = new Set<unknown>();
  for (const [resource, routes] of Object.entries(contract)) {
    for (const [name, route] of Object.entries(routes)) {
      if (LEFT_OUT.includes(`${resource}.${name}`)) continue;
      const path = route.path.replace(/:([a-z]+)/gi, '{$1}');
      const operation = at(document, 'paths', path, route.method.toLowerCase());
      operations.add(operation);
      const found = isNode(operation)
        ? routeFaults(document, operation, route)
        : ['not documented'];
      faults.push(...found.map((fault) => `${resource}.${name}: ${fault}`));
    }
  }
  const documented = Object.values(node(at(document, 'paths'))).flatMap((item) =>
    Object.values(node(item)),
  );
  for (const operation of documented) {
    if (!operations.has(operation)) faults.push(`${at(operation, 'operationId')}: not a route`);
  }
  return faults;
}

function routeFaults(document: unknown, operation: Node, route: Route): string[] {
  const { metadata: policy } = route;
  const faults: string[] = [];
  const expectEqual = (what: string, actual: unknown, expected: unknown) => {
    if (JSON.stringify(actual) !== JSON.stringify(expected)) {
      faults.push(`${what} is ${JSON.stringify(actual)}, not ${JSON.stringify(expected)}`);
    }
  };
  const open = policy.credentials === 'public';
  const kinds: readonly string[] = open ? [] : policy.credentials;
  const limited = policy.limit !== 'none';
  const keyed = policy.idempotency === 'accepted';

  expectEqual('summary', operation.summary, route.summary);
  expectEqual('description', has(operation.description, route.description), true);
  expectEqual('x-credentials', operation['x-credentials'], policy.credentials);
  expectEqual(
    'x-required-permission',
    [operation['x-required-permission'] ?? []].flat(),
    policy.permissions,
  );
  expectEqual('x-required-feature', operation['x-required-feature'] ?? null, policy.feature);
  expectEqual('x-requires-mfa', operation['x-requires-mfa'], policy.mfa);
  expectEqual('x-problems', operation['x-problems'], impliedProblems(route));
  expectEqual('deprecated', operation.deprecated, policy.deprecated ? true : undefined);
  expectEqual('x-deprecation', operation['x-deprecation'], expectedDeprecation(route));
  expectEqual('x-audit-action', operation['x-audit-action'] ?? 'none', policy.audit);
  expectEqual('x-idempotency', at(operation, 'x-idempotency', 'kind'), policy.idempotency);
  expectEqual(
    'key life',
    at(operation, 'x-idempotency', 'keyTtlSeconds'),
    keyed ? 86400 : undefined,
  );
  expectEqual('x-rate-limit', operation['x-rate-limit'], expectedLimit(policy.limit));
  expectEqual('security', operation.security, [
    ...(kinds.includes('jwt') ? [{ bearerAuth: [] }] : []),
    ...(kinds.includes('api_key') && !policy.mfa ? [{ apiKey: [] }] : []),
    ...(allowsMasterKey(policy) ? [{ masterKey: [] }] : []),
  ]);

  const parameters = list(operation.parameters).map((parameter) => resolve(document, parameter));
  const sent = (where: string) =>
    parameters.filter((p) => at(p, 'in') === where).map((p) => at(p, 'name'));
  expectEqual('path parameters', sent('path'), keysOf(route.pathParams));
  expectEqual('query parameters', sent('query'), keysOf(route.query));
  expectEqual('header parameters', sent('header'), [
    ...keysOf(route.headers),
    'X-Correlation-ID',
    ...(kinds.includes('jwt') ? ['X-Tenant-ID'] : []),
    ...(allowsMasterKey(policy) ? ['X-Break-Glass-Reason'] : []),
    ...(keyed ? ['Idempotency-Key'] : []),
    ...(policy.cache === 'revalidate' ? ['If-None-Match'] : []),
    ...(policy.sessionTransport ? ['X-Session-Transport'] : []),
    ...(policy.body === 'inventory' ? ['Content-Encoding'] : []),
  ]);
  expectEqual(
    'body',
    Object.keys(node(at(operation, 'requestBody', 'content'))),
    {
      none: [],
      json: ['application/json'],
      form: ['application/x-www-form-urlencoded'],
      inventory: ['application/json', 'application/x-ndjson'],
    }[policy.body],
  );

  const { default: other, ...byStatus } = node(operation.responses);
  expectEqual('other refusals', isProblem(resolve(document, other)), true);
  const responses = Object.entries(byStatus).map(
    ([status, response]) => [Number(status), resolve(document, response)] as const,
  );
  const problems = impliedProblems(route)
    .map((code) => `${PROBLEMS[code].status} ${code}`)
    .toSorted();
  const shown = responses.flatMap(([status, response]) =>
    Object.keys(problemExamples(response)).map((key) => `${status} ${codeOf(key)}`),
  );
  expectEqual('problems', [...new Set(shown)].toSorted(), problems);
  const closed = responses.flatMap(([status, response]) => {
    const schema = at(response, 'content', 'application/problem+json', 'schema');
    const codes = at(resolve(document, schema), 'properties', 'code', 'enum');
    return list(codes).map((code) => `${status} ${code}`);
  });
  expectEqual('problem codes', closed.toSorted(), problems);
  const declared = Object.keys(route.responses);
  expectEqual(
    'answers',
    responses.filter(([, response]) => !isProblem(response)).map(([status]) => `${status}`),
    policy.cache === 'revalidate' ? [...declared, '304'] : declared,
  );
  for (const [status, response] of responses) {
    const header = (name: string) => resolve(document, at(response, 'headers', name)) !== undefined;
    const success = declared.includes(`${status}`) && status < 300;
    expectEqual(`${status} X-Correlation-ID`, header('X-Correlation-ID'), true);
    const authenticated =
      !open && ((status !== 401 && status !== 429) || refusesItself(policy, status));
    expectEqual(`${status} X-Tenant-ID`, header('X-Tenant-ID'), authenticated);
    expectEqual(`${status} RateLimit`, header('RateLimit'), limited);
    expectEqual(`${status} RateLimit-Policy`, header('RateLimit-Policy'), limited);
    expectEqual(
      `${status} Deprecation`,
      header('Deprecation'),
      policy.deprecated !== null || (isProblem(response) ? authenticated : allowsGlobalKey(policy)),
    );
    expectEqual(`${status} Sunset`, header('Sunset'), policy.deprecated?.sunset !== undefined);
    expectEqual(`${status} Idempotency-Replayed`, header('Idempotency-Replayed'), keyed && success);
    if (status > 300 && status < 304) expectEqual(`${status} Location`, header('Location'), true);
    const revalidated = policy.cache === 'revalidate' && (status === 200 || status === 304);
    expectEqual(`${status} ETag`, header('ETag'), revalidated);
    const isFile = policy.stream !== null && policy.stream !== 'events' && success;
    expectEqual(`${status} Content-Disposition`, header('Content-Disposition'), isFile);
    expectEqual(`${status} WWW-Authenticate`, header('WWW-Authenticate'), status === 401);
    expectEqual(
      `${status} Retry-After`,
      header('Retry-After'),
      isProblem(response) &&
        (status === 429 ||
          status === 503 ||
          (status === 409 && keyed) ||
          (status === 401 && renewsSession(policy))),
    );
    if (status === 401) expectEqual('401 Set-Cookie', header('Set-Cookie'), renewsSession(policy));
    faults.push(...exampleFaults(document, status, response));
  }
  return faults;
}

/** Whether the handler refuses with this status, when the tenant is known. */
function refusesItself({ problems, stream }: RoutePolicy, status: number): boolean {
  const own = problems.map((code) => PROBLEMS[code].status);
  return own.some((one) => one === status) || (status === 429 && stream !== null);
}

function allowsMasterKey({ credentials, permissions }: RoutePolicy): boolean {
  const held = /^(admin\.|(scans|findings|projects)\.read$)/;
  return credentials.includes('master_key') && permissions.every((each) => held.test(each));
}

function allowsGlobalKey({ credentials, permissions, mfa }: RoutePolicy): boolean {
  const isAdministration = permissions.some((each) => each.startsWith('admin.'));
  return credentials.includes('global_api_key') && !mfa && !isAdministration;
}

/** Whether the session is in the body or the cookie, and a refusal deletes the cookie. */
function renewsSession({ credentials, sessionTransport, problems }: RoutePolicy): boolean {
  return credentials === 'public' && sessionTransport && problems.includes('UNAUTHORIZED');
}

function exampleFaults(document: unknown, status: number, response: unknown): string[] {
  return Object.entries(problemExamples(response)).flatMap(([key, reference]) => {
    const code = codeOf(key);
    const problem = StrictProblem.safeParse(at(resolve(document, reference), 'value'));
    const fits = problem.success && problem.data.code === code && problem.data.status === status;
    return fits ? [] : [`the example of ${code} is not such a problem`];
  });
}

function problemExamples(response: unknown): Node {
  return node(at(response, 'content', 'application/problem+json', 'examples'));
}

/** The code of an example: its key up to the first dot. */
function codeOf(key: string): string | undefined {
  return key.split('.')[0];
}

function expectedLimit(limit: Route['metadata']['limit']) {
  if (limit === 'none') return undefined;
  if (limit === 'default') return { name: 'default', quota: 60, windowSeconds: 60 };
  const { quota, windowSeconds } = LIMITS[limit];
  return { name: limit, quota, windowSeconds, besides: 'default' };
}

function expectedDeprecation({ metadata: { deprecated } }: Route) {
  if (deprecated === null) return undefined;
  const { since, sunset, successor } = deprecated;
  const [resource = '', operation = ''] = (successor ?? '').split('.');
  const id = resource + operation.slice(0, 1).toUpperCase() + operation.slice(1);
  return {
    since,
    ...(sunset === undefined ? {} : { sunset }),
    ...(successor === undefined ? {} : { successor: id }),
  };
}

function isProblem(response: unknown): boolean {
  return at(response, 'content', 'application/problem+json') !== undefined;
}

function keysOf(schema: unknown): string[] {
  return Object.keys(node(at(schema, 'shape')));
}

function has(text: unknown, part: string | undefined): boolean {
  return part !== undefined && typeof text === 'string' && text.includes(part);
}

/** Resolves a reference within the document; returns anything else unchanged. */
function resolve(document: unknown, value: unknown): unknown {
  const reference = at(value, '$ref');
  if (typeof reference !== 'string') return value;
  return at(document, ...reference.replace('#/', '').split('/'));
}

function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((current, key) => node(current)[key], value);
}

function node(value: unknown): Node {
  return isNode(value) ? value : {};
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null;
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
