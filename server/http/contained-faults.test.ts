import { contract, type Routes } from '@cspm/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { TestUser } from '../../tests/kit/people.ts';
import { startTestServer, type TestServer } from '../../tests/kit/test-server.ts';
import { handlers } from '../handlers.ts';
import type { Handlers } from '../platform/handler.ts';
import type { Services } from '../services.ts';
import { RouteTable } from './match.ts';

/** A schema that throws, as one does that recurses over deeply nested input. */
const exhausted = z.strictObject({ name: z.string() }).refine(() => {
  throw new RangeError('Maximum call stack size exceeded');
});

const { create, list, get } = contract.projects;

/** Operations of the contract with a planted fault each, and the function that plants it. */
const planted: Record<string, Handlers<Services>['projects']['list']> = {
  async rejects() {
    throw new TypeError('planted');
  },
  async rejectsLater() {
    await new Promise((resolve) => setImmediate(resolve));
    throw new RangeError('planted');
  },
  rejectsWithNothing() {
    return Promise.reject(undefined);
  },
  throwsSynchronously() {
    throw new Error('planted');
  },
  async answersWhatCannotBeWritten() {
    return { status: 200, body: { items: [], nextCursor: null }, headers: { 'X-A': 'a\r\nb: c' } };
  },
  async answersNothing() {
    return undefined as never;
  },
};

const routes: Record<string, Routes> = {
  ...contract,
  projects: {
    ...contract.projects,
    create: { ...create, body: exhausted },
    get: { ...get, responses: { 200: exhausted } },
    ...Object.fromEntries(
      Object.keys(planted).map((name) => [
        name,
        { ...list, path: `/planted/${name.toLowerCase()}` },
      ]),
    ),
  },
};

describe('a request that meets a fault of the server', () => {
  let server: TestServer;
  let user: TestUser;
  const strays: unknown[] = [];
  const keep = (error: unknown) => strays.push(error);

  beforeAll(async () => {
    process.on('unhandledRejection', keep);
    process.on('uncaughtException', keep);
    server = await startTestServer({
      routes: new RouteTable(routes),
      handlers: { ...handlers, projects: { ...handlers.projects, ...planted } },
    });
    user = await server.people.user();
  });

  afterAll(async () => {
    await server.close();
    process.off('unhandledRejection', keep);
    process.off('uncaughtException', keep);
  });

  async function leavesTheServerServing() {
    // Node reports an unhandled rejection after the microtasks of its turn.
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect(strays).toEqual([]);
    const next = await server.call('/auth/me', { headers: user.key });
    expect(next).toMatchObject({ status: 200, json: { user: { id: user.id } } });
  }

  const INTERNAL = { status: 500, json: { code: 'INTERNAL' } };

  it.each(Object.keys(planted))(
    'a request whose handler %s gets 500 and leaves the process serving',
    async (name) => {
      const reply = await server.call(`/planted/${name.toLowerCase()}`, { headers: user.key });
      expect(reply).toMatchObject(INTERNAL);
      expect(reply.text).not.toContain('planted');
      await leavesTheServerServing();
    },
  );

  it('a request for which the schema of its body throws gets 500 and leaves the process serving', async () => {
    const reply = await server.call('/projects', {
      method: 'POST',
      headers: user.key,
      body: { name: 'shop' },
    });
    expect(reply).toMatchObject(INTERNAL);
    await leavesTheServerServing();
  });

  it('a request for which the schema of its response throws gets 500 and leaves the process serving', async () => {
    const owner = await server.people.user();
    await server.services.tenants.write(owner.tenant.id, (db) =>
      db.prisma.project.create({
        data: {
          id: '0199c2a4-9b60-7d41-a3f2-58c1e7d90b36',
          tenantId: owner.tenant.id,
          name: 'shop',
          description: '',
          createdAt: new Date(0),
        },
      }),
    );
    expect(await server.call('/projects/shop', { headers: owner.key })).toMatchObject(INTERNAL);
    await leavesTheServerServing();
  });

  it.each([
    [
      'POST',
      '/profiles',
      (deep: unknown) => ({ name: 'custom:a', include: ['*'], parameters: { r: deep } }),
    ],
    [
      'POST',
      '/custom-rules',
      (deep: unknown) => ({ tests: [{ asset: { deep }, verdict: 'pass' }] }),
    ],
    ['POST', '/scans', (deep: unknown) => deep],
  ])(
    'a request with a body nested thousands deep is refused and leaves the process serving: %s %s',
    async (method, path, bodyOf) => {
      for (const depth of [2_000, 3_000, 20_000]) {
        const body = JSON.stringify(bodyOf('DEEP')).replace(
          '"DEEP"',
          `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`,
        );
        const reply = await server.call(path, {
          method,
          headers: { ...user.session, 'content-type': 'application/json' },
          body,
        });
        expect([400, 403]).toContain(reply.status);
        await leavesTheServerServing();
      }
    },
  );
});

it('the tests of contained faults detect an unhandled rejection', async () => {
  const seen = new Promise((resolve) => process.once('unhandledRejection', resolve));
  void Promise.reject(new Error('stray'));
  expect(await seen).toMatchObject({ message: 'stray' });
});
