import { contract, PROBLEMS, type Route, type RoutePolicy, type Routes } from '@cspm/contract';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { exampleFaults } from './openapi/example-faults.ts';
import { faultsOf } from './openapi/faults.ts';
import { lint } from './openapi/lint.ts';
import { generateOpenApi, publishedRoutes } from './openapi.ts';

const document = generateOpenApi(contract, '1.2.3');
const GOING = { since: '2026-11-01', sunset: '2027-05-01', successor: 'preflight.run' };

test('every route is documented in OpenAPI as its policy says', () => {
  expect(faultsOf(document, contract)).toEqual([]);
});

test('OpenAPI leaves out only routes that browsers load: pages, scripts and style sheets', () => {
  const routes = Object.values(contract).flatMap((resource) => Object.values(resource));
  const operations = Object.values(document.paths ?? {}).flatMap((item) => Object.values(item));
  expect(operations.length).toBeGreaterThanOrEqual(26);
  const left = routes.length - Object.keys(contract.pages).length - 2;
  expect(operations).toHaveLength(left);
  expect(publishedRoutes(contract)).toHaveLength(left);
});

test('a list either has the parameter cursor or says that it is complete', () => {
  const complete = Object.values(contract)
    .flatMap((routes: Routes) => Object.values(routes))
    .flatMap(({ path, query, responses }: Route) => {
      const response = responses[200];
      if (!(response instanceof z.ZodObject) || !('nextCursor' in response.shape)) return [];
      const says = `${response.shape['nextCursor'].description}`;
      const hasCursor = query instanceof z.ZodObject && 'cursor' in query.shape;
      expect(says, path).toMatch(hasCursor ? /^(?!Always null)/ : /^Always null/);
      return hasCursor ? [] : [path];
    });
  expect(complete).toContain('/roles');
});

describe('a document that does not fit the contract is found out', () => {
  const { launch } = contract.scans;
  const changes: [string, Partial<RoutePolicy>][] = [
    ['x-required-permission', { permissions: ['admin.audit'] }],
    ['x-required-permission', { permissions: ['scans.launch', 'scans.read'] }],
    ['x-required-feature', { feature: 'sso' }],
    ['x-requires-mfa', { mfa: true }],
    ['x-rate-limit', { limit: 'preflight' }],
    ['RateLimit-Policy', { limit: 'none' }],
    ['x-idempotency', { idempotency: 'none' }],
    ['x-audit-action', { audit: 'none' }],
    ['security', { credentials: ['jwt'] }],
    ['X-Tenant-ID', { credentials: 'public' }],
    ['body', { body: 'inventory' }],
    ['problems', { problems: ['CONFLICT'] }],
    ['x-problems', { problems: [] }],
    ['deprecated', { deprecated: { since: '2026-11-01' } }],
    ['Sunset', { deprecated: GOING }],
    ['x-deprecation', { deprecated: GOING }],
  ];

  test.each(changes)(
    'an OpenAPI document that does not match the contract is detected: %s',
    (fault, change) => {
      const faults = faultsOf(document, withRoute({ metadata: { ...launch.metadata, ...change } }));
      expect(faults.join('\n')).toContain(fault);
      expect(faults.every((line) => line.startsWith('scans.launch: '))).toBe(true);
    },
  );

  test('an OpenAPI document that lacks a route of the contract is detected', () => {
    expect(faultsOf(document, withRoute({ path: '/scans/relaunch' }))).toEqual([
      'scans.launch: not documented',
      'scansLaunch: not a route',
    ]);
  });

  test('an OpenAPI document generated from a changed contract matches that contract', () => {
    const { metadata } = launch;
    // The second of two changes to one member is tested in a second document.
    const [all, others] = [changes.toReversed(), changes].map((list) =>
      Object.assign({}, metadata, ...list.map(([, change]) => change)),
    );
    expect(all).not.toEqual(others);
    for (const changedPolicy of [all, others]) {
      const changed = withRoute({ metadata: changedPolicy });
      expect(faultsOf(generateOpenApi(changed, '1.2.3'), changed)).toEqual([]);
    }
  });
});

test('a deprecated operation is documented with its dates, its successor and its headers', () => {
  const changed = withRoute({ metadata: { ...contract.scans.launch.metadata, deprecated: GOING } });
  const { paths } = generateOpenApi(changed, '1.2.3');
  const launch = paths?.['/scans']?.post;
  expect(launch).toMatchObject({
    deprecated: true,
    'x-deprecation': { since: '2026-11-01', sunset: '2027-05-01', successor: 'preflightRun' },
  });
  expect(launch?.description).toContain(
    '- Deprecated since 2026-11-01, to be removed from 2027-05-01 on; use `preflightRun`.',
  );
  expect(Object.keys(launch?.responses?.['202'].headers)).toEqual(
    expect.arrayContaining(['Deprecation', 'Sunset']),
  );
});

describe('the generator refuses', () => {
  test('the OpenAPI generator refuses a resource without its own texts', () => {
    expect(() => generateOpenApi({ gadgets: {} }, '1')).toThrow('gadgets has no tag');
  });

  test('the OpenAPI generator refuses a status that is both a response and a problem', () => {
    const changed = withRoute({ responses: { 202: z.object({}), 422: z.object({}) } });
    expect(() => generateOpenApi(changed, '1')).toThrow(
      'both a success response and a problem with status 422',
    );
  });

  test('the OpenAPI generator refuses a pattern with a flag that has no portable form', () => {
    const changed = withRoute({ body: z.object({ name: z.string().regex(/^shop/i) }) });
    expect(() => generateOpenApi(changed, '1')).toThrow('/^shop/i has flags');
  });

  test('the OpenAPI generator refuses a recursive schema without a name', () => {
    const tree: z.ZodType = z.lazy(() => z.array(tree));
    expect(() => generateOpenApi(withRoute({ body: tree }), '1')).toThrow('needs a name');
  });
});

describe('the examples', () => {
  test('every operation and every schema has an example that matches it', () => {
    expect(exampleFaults(document)).toEqual([]);
  });

  test('request examples are accepted by the contract', () => {
    let seen = 0;
    for (const { resource, operation, route } of publishedRoutes(contract)) {
      if (!('body' in route) || !(route.body instanceof z.ZodType)) continue;
      const body: z.ZodType = route.body;
      const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
      const described = document.paths?.[path]?.[route.method.toLowerCase() as 'post'];
      const [content] = Object.values(node(described?.requestBody, 'content'));
      const { error } = body.safeParse(node(content)['example']);
      expect(error?.issues ?? [], `${resource}.${operation}`).toEqual([]);
      seen += 1;
    }
    expect(seen).toBeGreaterThan(25);
  });

  test('missing and invalid examples are reported with their place', () => {
    const { components, paths } = structuredClone(document);
    Object.assign(node(components, 'schemas', 'Tokens'), { examples: [{ accessToken: 1 }] });
    Object.assign(node(components, 'schemas', 'Accepted'), { examples: undefined });
    Object.assign(node(components, 'schemas', 'Rule'), { description: undefined });
    Object.assign(node(paths, '/scans', 'post'), { summary: '' });
    Object.assign(node(components, 'examples', 'NotFound', 'value'), { surplus: true });
    delete node(paths, '/scans', 'post', 'requestBody', 'content', 'application/json')['example'];
    const some = ['/scans', '/scans/{id}'].map((path) => [path, paths?.[path]]);
    const faults = exampleFaults({ components, paths: Object.fromEntries(some) });
    const expected = [
      'the example of Tokens it must have required property',
      'Accepted has no example',
      'Rule has no description',
      'post /scans has no summary',
      'the example of scansGet 404 application/problem+json it must NOT have additional properties',
      'scansLaunch body application/json has no example',
    ];
    for (const fault of expected) {
      expect(faults).toContainEqual(expect.stringContaining(fault));
    }
  });

  test('problem examples name what their operation requires', () => {
    const { post: launch, get: list } = document.paths?.['/scans'] ?? {};
    const problems = (operation: unknown, status: string) => {
      const response = resolved(node(operation, 'responses', status));
      const examples = node(response, 'content', 'application/problem+json', 'examples');
      return Object.values(examples).map((example) => node(resolved(node(example)), 'value'));
    };
    const include = (...members: object[]) =>
      expect.arrayContaining(members.map((each) => expect.objectContaining(each)));
    const code = 'FORBIDDEN';
    expect(problems(launch, '403')).toEqual(include({ code, permission: 'scans.launch' }));
    expect(problems(list, '403')).toEqual(include({ code, permission: 'scans.read' }));
    expect(problems(launch, '429')).toEqual(include({ code: 'RATE_LIMITED', limit: 'scans' }));
    expect(problems(list, '429')).toEqual(include({ code: 'RATE_LIMITED', limit: 'default' }));
    expect(problems(launch, '400')).toMatchObject([
      { errors: [{ path: 'body.projects' }, { path: 'body.profile' }] },
      { code: 'TENANT_REQUIRED' },
      { code: 'BREAK_GLASS_REASON_REQUIRED' },
    ]);
    const saml = document.paths?.['/tenant/saml']?.put;
    expect(problems(saml, '403')).toEqual(include({ feature: 'sso' }));
  });
});

describe('the document', () => {
  test('the OpenAPI document has version 3.1 and that of the product, and both forms of each path', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(document.info.version).toBe('1.2.3');
    expect(document.servers?.map(({ url }) => url)).toEqual(['/', '/api/v1']);
  });

  test('a named schema in OpenAPI is nullable where it is used, not in its component', () => {
    const inner = z.object({ id: z.string() }).meta({ id: 'Inner' });
    const outer = z.object({ maybe: inner.nullable() });
    const { components, paths } = generateOpenApi(withRoute({ responses: { 202: outer } }), '1');
    expect(node(components, 'schemas', 'Inner')['type']).toBe('object');
    const content = node(paths, '/scans', 'post', 'responses', '202', 'content');
    expect(node(content, 'application/json', 'schema', 'properties', 'maybe')).toEqual({
      anyOf: [{ $ref: '#/components/schemas/Inner' }, { type: 'null' }],
    });
  });

  test('the OpenAPI document writes null as a type, never as a value of an enum', () => {
    const severity = z.enum(['high', 'low']).nullable();
    const outer = z.object({ severity });
    const { paths } = generateOpenApi(withRoute({ responses: { 202: outer } }), '1');
    const content = node(paths, '/scans', 'post', 'responses', '202', 'content');
    expect(node(content, 'application/json', 'schema', 'properties', 'severity')).toEqual({
      anyOf: [{ type: 'string', enum: ['high', 'low'] }, { type: 'null' }],
    });
    const enums = JSON.stringify(document).match(/"enum":\[[^\]]*\]/g) ?? [];
    expect(enums.length).toBeGreaterThan(10);
    expect(enums.filter((values) => /[[,]null[,\]]/.test(values))).toEqual([]);
  });

  test('the OpenAPI document lists the codes of each refusal in a closed enum, in a schema without other members', () => {
    const { components, paths } = document;
    const launch = node(resolved(node(paths, '/scans', 'post', 'responses', '422')), 'content');
    const { $ref } = node(launch, 'application/problem+json', 'schema');
    expect($ref).toBe('#/components/schemas/KeyMismatchPreflightProblem');
    const { properties } = node(components, 'schemas', 'KeyMismatchPreflightProblem');
    expect(node(properties, 'code')).toEqual({
      type: 'string',
      enum: ['IDEMPOTENCY_KEY_MISMATCH', 'PREFLIGHT_BLOCKED'],
    });
    expect(Object.keys(node(properties))).toContain('checks');
    expect(Object.keys(node(properties))).not.toContain('permission');
  });

  test('the OpenAPI document has short names for shared refusals', () => {
    const names = Object.keys(document.components?.responses ?? {});
    expect(names).toEqual(
      expect.arrayContaining(['Forbidden', 'ForbiddenMfa', 'NotFound', 'RateLimited', 'Conflict']),
    );
    expect(names.length).toBeLessThan(55);
    expect(names.filter((name) => name.length > 34)).toEqual([]);
  });

  test('the OpenAPI document has a name for every body and response with more than two members', () => {
    const { paths, components } = document;
    for (const [path, item] of Object.entries(paths ?? {})) {
      for (const method of ['get', 'post', 'put', 'patch', 'delete'] as const) {
        const holders = [node(item, method, 'requestBody')];
        for (const answer of Object.values(node(item, method, 'responses'))) {
          holders.push(resolved(node(answer)));
        }
        for (const content of holders.flatMap((each) => Object.values(node(each, 'content')))) {
          const members = Object.keys(node(content, 'schema', 'properties'));
          expect(members.length, `${method} ${path}`).toBeLessThanOrEqual(2);
        }
      }
    }
    expect(node(components, 'schemas', 'SchedulesCreateBody', 'properties')).toHaveProperty('cron');
  });

  test('the OpenAPI document offers no key where a second factor is required, because keys have none', () => {
    expect(document.paths?.['/users/{id}']?.patch?.security).toEqual([
      { bearerAuth: [] },
      { masterKey: [] },
    ]);
    expect(document.paths?.['/scans']?.post?.security).toContainEqual({ apiKey: [] });
  });

  test('the OpenAPI document is the same for the same contract', () => {
    expect(JSON.stringify(generateOpenApi(contract, '1.2.3'))).toBe(JSON.stringify(document));
  });

  test('the OpenAPI document names every problem code and every limit on its first page', () => {
    for (const code of Object.keys(PROBLEMS)) {
      expect(document.info.description).toContain(`\`${code}\``);
    }
    expect(document.info.description).toContain('| `scans` | 10 | 60 s |');
  });

  test('the OpenAPI document says how to follow a launched scan', () => {
    const headers = (path: string, status: string) =>
      document.paths?.[path]?.post?.responses?.[status].headers;
    expect(headers('/scans', '202')).toHaveProperty('Location');
    expect(headers('/projects', '201')).not.toHaveProperty('Location');
  });

  test('the OpenAPI document has only patterns that every regular expression engine reads alike', () => {
    const patterns = JSON.stringify(document).match(/"pattern":"[^"]*"/g) ?? [];
    expect(patterns.length).toBeGreaterThan(5);
    expect(patterns.filter((pattern) => /\\\\[pu0]|\(\?|\/[a-z]*"$/.test(pattern))).toEqual([]);
  });

  test('the OpenAPI document passes every rule of redocly.yaml', async () => {
    expect(await lint(document)).toEqual([]);
  });

  test('redocly.yaml refuses a dangling reference, a bad example and a missing description', async () => {
    const broken = structuredClone(document);
    Object.assign(broken.paths?.['/scans']?.get ?? {}, {
      description: '',
      operationId: 'scansLaunch',
    });
    Object.assign(broken.components?.examples?.['NotFound'] ?? {}, { value: { status: 'x' } });
    Object.assign(broken.components?.schemas?.['Finding'] ?? {}, {
      properties: { id: { $ref: '#/components/schemas/Nothing' } },
    });
    const rules = (await lint(broken)).map((fault) => fault.replace(/:.*/s, ''));
    expect(new Set(rules)).toEqual(
      new Set([
        'operation-description',
        'operation-operationId-unique',
        'no-invalid-media-type-examples',
        'no-invalid-schema-examples',
        'no-unresolved-refs',
        'no-required-schema-properties-undefined',
      ]),
    );
  });
});

/** Resolves a reference within the document. */
function resolved(value: Record<string, unknown>): Record<string, unknown> {
  const steps = `${value['$ref'] ?? ''}`.replace('#/', '').split('/');
  return value['$ref'] === undefined ? value : node(document, ...steps);
}

function node(value: unknown, ...path: string[]): Record<string, unknown> {
  return path.reduce(
    (current, step) => (current[step] ?? {}) as Record<string, unknown>,
    (value ?? {}) as Record<string, unknown>,
  );
}

/** The contract with `scans.launch` changed. */
function withRoute(change: Partial<Route>): Record<string, Routes> {
  const launch = { ...contract.scans.launch, ...change } as Route;
  return { ...contract, scans: { ...contract.scans, launch } };
}
