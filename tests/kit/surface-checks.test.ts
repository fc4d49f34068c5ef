import { contract, type Routes } from '@cspm/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { handlers } from '../../server/handlers.ts';
import { RouteTable } from '../../server/http/match.ts';
import { findScan } from '../../server/modules/scans/queries.ts';
import { scanView } from '../../server/modules/scans/view.ts';
import type { Handlers } from '../../server/platform/handler.ts';
import { notFound, ProblemError } from '../../server/platform/problem.ts';
import type { Services } from '../../server/services.ts';
import { type ContractCase, contractCases } from './contract-operations.ts';
import { replyFaults } from './reply-faults.ts';
import { SHARED_CREDENTIALS } from './shared-credentials.ts';
import {
  type Check,
  hasItsPage,
  hidesOtherTenants,
  isServedAtBothPaths,
  keepsLimit,
  refusesMalformedIds,
  refusesNobody,
  refusesOtherKinds,
  refusesOtherMediaTypes,
  refusesOtherVerbs,
  refusesSurplusInput,
  refusesWithoutPermission,
  refusesWithoutSecondFactor,
} from './surface-checks.ts';
import { keepsCookieToOwnPages } from './surface-cookie-checks.ts';
import { Tour } from './surface-tour.ts';
import { type Reply, startTestServer, type TestServer } from './test-server.ts';

const DEFAULT_QUOTA = 12;
const { auth, apiKeys, roles, projects, preflight, scans, findings, profiles, rules, meta } =
  contract;

/** The contract with one planted fault in each of many places, as a careless change might cause. */
const doctored: Record<string, Routes> = {
  ...contract,
  auth: {
    ...auth,
    login: { ...auth.login, metadata: { ...auth.login.metadata, limit: 'default' } },
    refresh: { ...auth.refresh, metadata: { ...auth.refresh.metadata, limit: 'login' } },
    logout: { ...auth.logout, metadata: { ...auth.logout.metadata, sessionTransport: false } },
  },
  apiKeys: {
    ...apiKeys,
    list: { ...apiKeys.list, metadata: { ...apiKeys.list.metadata, limit: 'none' } },
    create: {
      ...apiKeys.create,
      metadata: { ...apiKeys.create.metadata, credentials: ['jwt', 'api_key'] },
    },
  },
  roles: {
    ...roles,
    update: { ...roles.update, metadata: { ...roles.update.metadata, mfa: false } },
  },
  projects: {
    ...projects,
    list: { ...projects.list, query: projects.list.query.loose() },
    create: { ...projects.create, body: projects.create.body.strip() },
    put: { ...projects.get, method: 'PUT', body: z.undefined() },
  },
  preflight: { run: { ...preflight.run, metadata: { ...preflight.run.metadata, body: 'none' } } },
  scans: { ...scans, rules: { ...scans.rules, pathParams: z.strictObject({ id: z.string() }) } },
  findings: {
    ...findings,
    list: { ...findings.list, metadata: { ...findings.list.metadata, permissions: [] } },
  },
  profiles: {
    list: { ...profiles.list, metadata: { ...profiles.list.metadata, credentials: 'public' } },
  },
  rules: { get: rules.get },
  meta: {
    ...meta,
    live: { ...meta.live, metadata: { ...meta.live.metadata, limit: 'default' } },
    problem: { ...meta.problem, pathParams: z.strictObject({ code: z.enum(['not-found']) }) },
  },
};

/** Handlers that read other tenants' data. */
function careless(theirs: () => string): Handlers<Services> {
  // A method that is missing in the contract's types.
  const put = { put: handlers.projects.get };
  return {
    ...handlers,
    projects: {
      ...handlers.projects,
      ...put,
      async delete({ input, services }) {
        const there = { tenantId: theirs(), name: input.params.name };
        await services.tenants.write(there.tenantId, ({ prisma }) =>
          prisma.project.deleteMany({ where: there }),
        );
        throw notFound();
      },
    },
    scans: {
      ...handlers.scans,
      async get({ input, services }) {
        const scan = await services.tenants.read(theirs(), (db) => findScan(db, input.params.id));
        if (scan === null) throw notFound();
        return { status: 200, body: scanView(scan) };
      },
      async list({ input, services }) {
        const [id = ''] = input.query.ids ?? [];
        const scan = await services.tenants.read(theirs(), (db) => findScan(db, id));
        return {
          status: 200,
          body: { items: scan === null ? [] : [scanView(scan)], nextCursor: null },
        };
      },
    },
    findings: {
      ...handlers.findings,
      async get({ input, services }) {
        const found = await services.tenants.read(theirs(), ({ prisma }) =>
          prisma.finding.findFirst({ where: { id: input.params.id } }),
        );
        throw new ProblemError('NOT_FOUND', found === null ? 'None such.' : 'Not yours.');
      },
    },
    rules: {
      ...handlers.rules,
      async get() {
        throw new ProblemError('CONFLICT', 'Which the contract does not declare.');
      },
    },
  };
}

describe('each check of the surface complains', () => {
  let server: TestServer;
  let tour: Tour;
  const cases = contractCases();

  beforeAll(async () => {
    server = await startTestServer({
      config: { rateLimit: DEFAULT_QUOTA, ...SHARED_CREDENTIALS },
      routes: new RouteTable(doctored),
      handlers: careless(() => tour.stranger.user.tenant.id),
    });
    tour = await Tour.start(server);
  });

  afterAll(() => server.close());

  function caseOf(name: string): ContractCase {
    const found = cases.find((subject) => subject.name === name);
    if (found === undefined) throw new Error(`There is no ${name}`);
    return found;
  }

  const limit = keepsLimit(DEFAULT_QUOTA);
  const verbs: Check = (t, subject) => refusesOtherVerbs(t, subject, cases);

  it.each<[string, Check, string, string]>([
    ['of an operation that is not served', isServedAtBothPaths, 'rules.list', 'answers 404'],
    ['of a public policy', refusesNobody, 'profiles.list', 'should be 401 UNAUTHORIZED'],
    ['of a kind too many', refusesOtherKinds, 'apiKeys.create', 'should be 403'],
    ['of a missing permission', refusesWithoutPermission, 'findings.list', 'should be 403'],
    ['of a cookie for other sites', keepsCookieToOwnPages, 'auth.logout', 'should be 403'],
    ['of a missing second factor', refusesWithoutSecondFactor, 'roles.update', 'should be 403'],
    ["of another tenant's row", hidesOtherTenants, 'scans.get', 'should be 404 NOT_FOUND'],
    ["of another tenant's row in a list", hidesOtherTenants, 'scans.list', 'can be told apart'],
    ['of words that tell', hidesOtherTenants, 'findings.get', 'can be told apart'],
    ['of an effect over there', hidesOtherTenants, 'projects.delete', 'changed another'],
    ['of an id that reaches the database', refusesMalformedIds, 'scans.rules', 'is 500 INTERNAL'],
    ['of a body that takes anything', refusesSurplusInput, 'projects.create', 'unknown member'],
    ['of a query that takes anything', refusesSurplusInput, 'projects.list', 'unknown parameter'],
    ['of a body of no type', refusesOtherMediaTypes, 'preflight.run', 'should be 415'],
    ['of a limit that is not kept', limit, 'auth.login', 'beyond 5'],
    ['of a limit that is too tight', limit, 'auth.refresh', '429 at 6 of 10'],
    ['of an operation without limits', limit, 'apiKeys.list', 'beyond 12'],
    ['of a probe that is counted', limit, 'meta.live', 'is counted'],
    ['of a verb that nobody declared', verbs, 'projects.get', 'PUT is'],
    ['of a problem without a page', hasItsPage, 'meta.problem', 'internal has no page'],
  ])('the surface check complains %s', async (_fault, check, name, complaint) => {
    expect((await check(tour, caseOf(name))).join('\n')).toContain(complaint);
  });

  it('the surface check reports a response that the contract does not declare', async () => {
    tour.faults.length = 0;
    await isServedAtBothPaths(tour, caseOf('rules.get'));
    expect(tour.faults.join('\n')).toContain('CONFLICT is not among the problems of the operation');
  });

  it('the surface check reports nothing when nothing is wrong', async () => {
    const sound = caseOf('projects.get');
    for (const check of [isServedAtBothPaths, refusesNobody, hidesOtherTenants, limit]) {
      expect(await check(tour, sound)).toEqual([]);
    }
  });
});

describe('the faults of an answer', () => {
  const problem = {
    type: '/problems/not-found',
    title: 'Not found',
    status: 404,
    detail: 'None such.',
    code: 'NOT_FOUND',
    correlationId: 'abc',
  };
  const sound = {
    'x-correlation-id': 'abc',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'content-type': 'application/problem+json; charset=utf-8',
  };

  function reply(status: number, json: unknown, headers: Record<string, string> = {}): Reply {
    return {
      status,
      headers: new Headers({ ...sound, ...headers }),
      text: JSON.stringify(json),
      json,
    };
  }

  it('the check of a response finds no fault in a valid problem', () => {
    expect(replyFaults(reply(404, problem), projects.get)).toEqual([]);
  });

  it.each([
    ['a problem of another status', reply(403, problem), 'NOT_FOUND came as 403'],
    ['a surplus member', reply(404, { ...problem, stack: 'at x' }), 'is no problem'],
    ['HTML', reply(404, problem, { 'content-type': 'text/html' }), '404 is text/html'],
    ['another id', reply(404, { ...problem, correlationId: 'x' }), 'not that of the header'],
    ['a wrong type', reply(404, { ...problem, type: '/problems/x' }), 'type is /problems/x'],
    ['a server that tells its name', reply(404, problem, { 'x-powered-by': 'E' }), 'x-powered-by'],
    ['something to be kept', reply(404, problem, { 'cache-control': 'public' }), 'cache-control'],
    ['401 without a challenge', reply(401, { ...problem }), '401 with www-authenticate null'],
    ['503 without Retry-After', reply(503, problem), '503 with retry-after null'],
    ['a header', reply(404, problem, { location: '/' }), 'Location of 404 is not in openapi.json'],
    ['a body that does not fit', reply(200, { id: 1 }), 'content type is application/problem'],
    ['an undeclared success', reply(206, {}), 'status 206 is not declared'],
  ])('the check of a response reports %s', (_what, wrong, fault) => {
    expect(replyFaults(wrong, projects.get).join('\n')).toContain(fault);
  });

  it('the check of a response reports a body that does not match its schema', () => {
    const json = { 'content-type': 'application/json; charset=utf-8' };
    expect(replyFaults(reply(200, { id: 1 }, json), projects.get).join()).toContain('does not fit');
  });
});
