import { contract, PROBLEMS, type Route, type RoutePolicy, type Routes } from '@cspm/contract';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { faultsOf } from './openapi/faults.ts';
import { lint } from './openapi/lint.ts';
import { generateOpenApi, publishedRoutes } from './openapi.ts';

const document = generateOpenApi(contract, '1.2.3');

test('every route is documented as its policy says', () => {
  expect(faultsOf(document, contract)).toEqual([]);
});

test('no route is left out but what browsers load: pages, scripts and style sheets', () => {
  const routes = Object.values(contract).flatMap((resource) => Object.values(resource));
  const operations = Object.values(document.paths ?? {}).flatMap((item) => Object.values(item));
  expect(operations.length).toBeGreaterThanOrEqual(26);
  const left = routes.length - Object.keys(contract.pages).length - 2;
  expect(operations).toHaveLength(left);
  expect(publishedRoutes(contract)).toHaveLength(left);
});

describe('a document that does not fit the contract is found out', () => {
  const { launch } = contract.scans;
  const changes: [string, Partial<RoutePolicy>][] = [
    ['x-required-permission', { permission: 'admin.audit' }],
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
  ];

  test.each(changes)('%s', (fault, change) => {
    const faults = faultsOf(document, withRoute({ metadata: { ...launch.metadata, ...change } }));
    expect(faults.join('\n')).toContain(fault);
    expect(faults.every((line) => line.startsWith('scans.launch: '))).toBe(true);
  });

  test('a route that is missing', () => {
    expect(faultsOf(document, withRoute({ path: '/scans/relaunch' }))).toEqual([
      'scans.launch: not documented',
      'scansLaunch: not a route',
    ]);
  });

  test('and follows the contract when it is generated again', () => {
    for (const [, change] of changes) {
      const changed = withRoute({ metadata: { ...launch.metadata, ...change } });
      expect(faultsOf(generateOpenApi(changed, '1.2.3'), changed)).toEqual([]);
    }
  });
});

describe('the generator refuses', () => {
  test('a resource without words of its own', () => {
    expect(() => generateOpenApi({ gadgets: {} }, '1')).toThrow('gadgets has no tag');
  });

  test('a status that is an answer and a problem at once', () => {
    const changed = withRoute({ responses: { 202: z.object({}), 422: z.object({}) } });
    expect(() => generateOpenApi(changed, '1')).toThrow('both an answer and a problem of 422');
  });

  test('a pattern with a flag whose portable form is not known', () => {
    const changed = withRoute({ body: z.object({ name: z.string().regex(/^shop/i) }) });
    expect(() => generateOpenApi(changed, '1')).toThrow('/^shop/i has flags');
  });

  test('a recursive schema without a name', () => {
    const tree: z.ZodType = z.lazy(() => z.array(tree));
    expect(() => generateOpenApi(withRoute({ body: tree }), '1')).toThrow('needs a name');
  });
});

describe('the document', () => {
  test('is OpenAPI 3.1, of the given version, in both path forms', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(document.info.version).toBe('1.2.3');
    expect(document.servers?.map(({ url }) => url)).toEqual(['/', '/api/v1']);
  });

  test('is the same for the same contract', () => {
    expect(JSON.stringify(generateOpenApi(contract, '1.2.3'))).toBe(JSON.stringify(document));
  });

  test('names every problem code and every limit on its first page', () => {
    for (const code of Object.keys(PROBLEMS)) {
      expect(document.info.description).toContain(`\`${code}\``);
    }
    expect(document.info.description).toContain('| `scans` | 10 | 60 s |');
  });

  test('says where to follow a scan that was launched', () => {
    const headers = (path: string, status: string) =>
      document.paths?.[path]?.post?.responses?.[status].headers;
    expect(headers('/scans', '202')).toHaveProperty('Location');
    expect(headers('/projects', '201')).not.toHaveProperty('Location');
  });

  test('holds only patterns that every regular expression engine reads alike', () => {
    const patterns = JSON.stringify(document).match(/"pattern":"[^"]*"/g) ?? [];
    expect(patterns.length).toBeGreaterThan(5);
    expect(patterns.filter((pattern) => /\\\\[pu0]|\(\?|\/[a-z]*"$/.test(pattern))).toEqual([]);
  });

  test('passes every rule of redocly.yaml', async () => {
    expect(await lint(document)).toEqual([]);
  });

  test('would not pass them with a dangling reference, a bad example or a missing description', async () => {
    const broken = structuredClone(document);
    Object.assign(broken.paths?.['/scans']?.get ?? {}, {
      description: '',
      operationId: 'scansLaunch',
    });
    Object.assign(broken.components?.examples?.['NOT_FOUND'] ?? {}, { value: { status: 'x' } });
    Object.assign(broken.components?.schemas?.['Finding'] ?? {}, {
      properties: { id: { $ref: '#/components/schemas/Nothing' } },
    });
    const rules = (await lint(broken)).map((fault) => fault.replace(/:.*/s, ''));
    expect(new Set(rules)).toEqual(
      new Set([
        'operation-description',
        'operation-operationId-unique',
        'no-invalid-media-type-examples',
        'no-unresolved-refs',
        'no-required-schema-properties-undefined',
      ]),
    );
  });
});

/** The contract with `scans.launch` changed. */
function withRoute(change: Partial<Route>): Record<string, Routes> {
  const launch = { ...contract.scans.launch, ...change } as Route;
  return { ...contract, scans: { ...contract.scans, launch } };
}
