import type { contract } from '@cspm/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestUser } from '../../tests/kit/people.ts';
import { type Reply, startTestServer, type TestServer } from '../../tests/kit/test-server.ts';
import { until } from '../../tests/kit/until.ts';
import { handlers } from '../handlers.ts';
import type { Context, Handlers } from '../platform/handler.ts';
import { ProblemError } from '../platform/problem.ts';
import type { Services } from '../services.ts';

type Create = Context<typeof contract.projects.create, Services>;

/** What the handler of POST /projects does before its transaction. */
let preparation: () => Promise<void>;
/** How often it did that. */
let preparations = 0;

const preparing: Handlers<Services> = {
  ...handlers,
  projects: {
    ...handlers.projects,
    create: {
      async prepare() {
        preparations += 1;
        await preparation();
        return handlers.projects.create as (context: Create) => Promise<never>;
      },
    },
  },
};

let server: TestServer;
let user: TestUser;

beforeAll(async () => {
  server = await startTestServer({ handlers: preparing });
});

afterAll(() => server.close());

beforeEach(async () => {
  user = await server.people.user();
  preparations = 0;
  preparation = async () => undefined;
});

const create = (name: string, on = server) =>
  on.call('/projects', {
    method: 'POST',
    headers: { ...user.key, 'idempotency-key': 'k' },
    body: { name },
  });

const isReplay = ({ headers }: Reply) => headers.get('idempotency-replayed') === 'true';

const projects = () =>
  server.services.tenants.read(user.tenant.id, ({ prisma }) => prisma.project.count());

/** A preparation that goes on until it is released. */
function held() {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  preparation = () => released;
  return { release: () => release() };
}

describe('a request that prepares before its transaction', () => {
  it('a stored response is returned without preparing the request again', async () => {
    const first = await create('once');
    expect(first.status).toBe(201);
    const again = await create('once');
    expect([again.status, isReplay(again), again.text]).toEqual([201, true, first.text]);
    const other = await create('other');
    expect(other).toMatchObject({ status: 422, json: { code: 'IDEMPOTENCY_KEY_MISMATCH' } });
    expect(preparations).toBe(1);
  });

  it('an idempotency key is in use while its request prepares, without an open transaction', async () => {
    const { release } = held();
    const first = create('once');
    await until('the request prepares', async () => preparations === 1);
    const second = await create('once');
    expect(second).toMatchObject({ status: 409, json: { code: 'IDEMPOTENCY_KEY_IN_USE' } });
    expect(second.headers.get('retry-after')).toBe('1');
    const { rows } = await server.database.owner.query(
      `SELECT query FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid() AND state LIKE 'idle in transaction%'`,
    );
    expect(rows).toEqual([]);
    release();
    expect((await first).status).toBe(201);
    expect(isReplay(await create('once'))).toBe(true);
    expect([preparations, await projects()]).toEqual([1, 1]);
  });

  it('an idempotency key can be used again after its request was refused while it prepared', async () => {
    preparation = async () => {
      throw new ProblemError('CONFLICT', 'Not yet.');
    };
    expect(await create('early')).toMatchObject({ status: 409, json: { code: 'CONFLICT' } });
    preparation = async () => undefined;
    const reply = await create('in-time');
    expect([reply.status, isReplay(reply)]).toEqual([201, false]);
  });

  it('a request that two servers prepare at the same time has one effect', async () => {
    const other = await startTestServer({ handlers: preparing, database: server.database });
    try {
      const { release } = held();
      const first = create('once');
      await until('one server prepares', async () => preparations === 1);
      const second = create('once', other);
      await until('both servers prepare', async () => preparations === 2);
      release();
      const replies = await Promise.all([first, second]);
      const effects = replies.filter((reply) => reply.status === 201 && !isReplay(reply));
      expect(effects).toHaveLength(1);
      expect(replies.every(({ status }) => status === 201 || status === 409)).toBe(true);
      expect(await projects()).toBe(1);
    } finally {
      await other.close();
    }
  });
});
