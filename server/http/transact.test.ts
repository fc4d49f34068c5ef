import type { contract } from '@cspm/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestUser } from '../../tests/kit/people.ts';
import { startTestServer, type TestServer } from '../../tests/kit/test-server.ts';
import { handlers } from '../handlers.ts';
import { insertProject } from '../modules/projects/queries.ts';
import type { Context, Handlers } from '../platform/handler.ts';
import { newId } from '../platform/ids.ts';
import { ProblemError } from '../platform/problem.ts';
import type { Services } from '../services.ts';

type Create = Context<typeof contract.projects.create, Services>;

/** What the handler of POST /projects does after it has inserted its row. */
let afterEffect: (context: Create) => unknown;

const unsound: Handlers<Services> = {
  ...handlers,
  projects: {
    ...handlers.projects,
    async create(context) {
      const { db, input, origin, audit } = context;
      await insertProject(db, {
        id: newId(),
        name: input.body.name,
        description: null,
        createdAt: origin.at,
      });
      audit({ subject: input.body.name });
      return (await afterEffect(context)) as never;
    },
  },
};

const sound = (name: string) => ({
  id: newId(),
  name,
  description: null,
  inventory: null,
  hasSource: false,
  createdAt: '2026-11-20T08:00:00.000Z',
});

describe('when a handler has written and then', () => {
  let server: TestServer;
  let user: TestUser;

  beforeAll(async () => {
    server = await startTestServer({ handlers: unsound });
  });

  afterAll(() => server.close());

  beforeEach(async () => {
    user = await server.people.user();
  });

  const create = (name: string, key = 'k') =>
    server.call('/projects', {
      method: 'POST',
      headers: { ...user.key, 'idempotency-key': key },
      body: { name },
    });

  /** Counts the rows of projects, of audit events, and of idempotency records. */
  const rowCounts = () =>
    server.services.tenants.read(user.tenant.id, (db) =>
      db.sql({
        name: 'test-counts',
        text: `SELECT (SELECT count(*)::int FROM projects) AS projects,
                      (SELECT count(*)::int FROM audit_events WHERE outcome = 'success') AS audited,
                      (SELECT count(*)::int FROM idempotency_records) AS keys`,
      }),
    );

  it.each<[string, (context: Create) => unknown]>([
    ['returns a body that does not fit', () => ({ status: 201, body: { garbage: true } })],
    ['returns no body', () => ({ status: 201, body: undefined })],
    ['returns an undeclared status', () => ({ status: 200, body: sound('a') })],
    ['returns a status of the wrong type', () => ({ status: '201x', body: sound('a') })],
    ['returns nothing', () => undefined],
    ['throws', () => Promise.reject(new Error('a secret of the inside: /srv/app.ts'))],
    ['throws a value that is not an error', () => Promise.reject('a secret of the inside')],
    ['throws nothing at all', () => Promise.reject(undefined)],
    ['breaks its transaction', ({ db }) => db.sql({ name: 'broken', text: 'SELECT 1/0' })],
  ])(
    'a handler that %s after a write is answered 500, and nothing is stored',
    async (_what, outcome) => {
      afterEffect = outcome;
      const reply = await create('a-project');
      expect(reply.status).toBe(500);
      expect(reply.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
      expect(reply.json).toEqual({
        type: '/problems/internal',
        title: 'Internal error',
        status: 500,
        detail: 'An unexpected error occurred. The request may have been applied in part.',
        code: 'INTERNAL',
        correlationId: reply.headers.get('x-correlation-id'),
      });
      expect(await rowCounts()).toEqual([{ projects: 0, audited: 0, keys: 0 }]);
    },
  );

  it('a handler that refuses after a write stores nothing, and the idempotency key can be used again', async () => {
    afterEffect = () => {
      throw new ProblemError('CONFLICT', 'Taken.');
    };
    expect(await create('a-project')).toMatchObject({ status: 409, json: { code: 'CONFLICT' } });
    expect(await rowCounts()).toEqual([{ projects: 0, audited: 0, keys: 0 }]);
    afterEffect = ({ input }) => ({ status: 201, body: sound(input.body.name) });
    const again = await create('another-name');
    expect(again.status).toBe(201);
    expect(again.headers.has('idempotency-replayed')).toBe(false);
    expect(await rowCounts()).toEqual([{ projects: 1, audited: 1, keys: 1 }]);
  });

  it('members that the contract does not declare are removed from a response and its stored copy', async () => {
    afterEffect = ({ input }) => ({
      status: 201,
      body: { ...sound(input.body.name), passwordHash: 'surplus' },
    });
    expect((await create('a-project')).text).not.toContain('surplus');
    const replayed = await create('a-project');
    expect(replayed.headers.get('idempotency-replayed')).toBe('true');
    expect(replayed.text).not.toContain('surplus');
  });

  it('a Prisma query that a handler returns without awaiting runs in the same transaction', async () => {
    afterEffect = async ({ db, input }) => {
      const found = await Promise.all([
        db.prisma.project.findFirst({ where: { tenantId: db.tenantId, name: input.body.name } }),
      ]);
      return { status: 201, body: sound(found[0]?.name ?? 'none') };
    };
    expect((await create('seen-inside')).json.name).toBe('seen-inside');
    const outside = await server.services.tenants.read(user.tenant.id, ({ prisma }) =>
      prisma.project.findFirst({ where: { name: 'seen-inside' } }),
    );
    expect(outside?.name).toBe('seen-inside');
  });

  it('the audit row of a handler has the actor, the action, the address and the correlation id', async () => {
    afterEffect = ({ input }) => ({ status: 201, body: sound(input.body.name) });
    const reply = await server.call('/projects', {
      method: 'POST',
      ip: '203.0.113.9',
      headers: { ...user.session, 'x-correlation-id': 'trail.1' },
      body: { name: 'audited' },
    });
    expect(reply.status).toBe(201);
    const [row] = await server.services.tenants.read(user.tenant.id, (db) =>
      db.sql({
        name: 'test-audit',
        text: 'SELECT * FROM audit_events LEFT JOIN audit_labels USING (tenant_id, actor_id)',
      }),
    );
    expect(row).toMatchObject({
      tenant_id: user.tenant.id,
      action: 'project.created',
      outcome: 'success',
      actor_kind: 'jwt',
      actor_id: user.id,
      actor_label: null,
      label: user.email,
      target_tenant_id: null,
      ip: '203.0.113.9',
      correlation_id: 'trail.1',
      subject: 'audited',
    });
  });
});
