import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cloneDatabase, type TestDatabase } from '../../../tests/kit/database.ts';
import { newId } from '../ids.ts';
import { PrismaClient } from './generated/client.ts';
import { type TenantConnection, TenantDatabase } from './tenant-database.ts';
import { isDatabaseUnavailable } from './unavailable.ts';

interface Tenant {
  readonly id: string;
  readonly project: string;
}

let database: TestDatabase;
let pool: pg.Pool;
let tenants: TenantDatabase;
const all: Tenant[] = Array.from({ length: 24 }, () => ({ id: newId(), project: newId() }));
const [one, two] = all as [Tenant, Tenant];

/** Fewer connections than readers, so each connection switches between tenants. */
const CONNECTIONS = 6;

beforeAll(async () => {
  database = await cloneDatabase();
  pool = poolOf(CONNECTIONS);
  tenants = new TenantDatabase(pool);
  for (const { id, project } of all) {
    await tenants.write(id, (db) => db.sql(INSERT_PROJECT, [id, project, `of-${id}`]));
  }
});

afterAll(async () => {
  await pool.end();
  await database.drop();
});

/** Without the server's limit on waiting: here hundreds wait for a few connections. */
function poolOf(max: number): pg.Pool {
  const made = new pg.Pool({ connectionString: database.appUrl, max });
  made.on('error', () => undefined);
  made.on('connect', (client) => client.on('error', () => undefined));
  return made;
}

const INSERT_PROJECT = {
  name: 'test-insert-project',
  text: 'INSERT INTO projects (tenant_id, id, name, created_at) VALUES ($1, $2, $3, now())',
};
/** Without a tenant condition: row-level security alone must filter. */
const EVERY_PROJECT = { name: 'test-every-project', text: 'SELECT id FROM projects' };
const WHOSE = { name: 'test-whose', text: "SELECT current_setting('app.tenant_id') AS tenant" };

interface Backend {
  pid: number;
}
const BACKEND = { name: 'test-backend', text: 'SELECT pg_backend_pid() AS pid' };

const byId = ({ id: tenantId, project: id }: Tenant) => ({
  where: { tenantId_id: { tenantId, id } },
});

/** Queries that name no tenant, or another one; each returns the ids of the projects that it saw. */
const WAYS: Record<string, (db: TenantConnection, other: Tenant) => Promise<unknown[]>> = {
  'hand-written SQL': async (db) =>
    (await db.sql<{ id: string }>(EVERY_PROJECT)).map(({ id }) => id),
  findMany: async ({ prisma }) => (await prisma.project.findMany()).map(({ id }) => id),
  findFirst: async ({ prisma }) => [(await prisma.project.findFirst())?.id],
  'findUnique of one of its own and one of another': async ({ prisma, tenantId }, other) => {
    const own = all.find(({ id }) => id === tenantId) ?? one;
    const found = await Promise.all([
      prisma.project.findUnique(byId(own)),
      prisma.project.findUnique(byId(other)),
    ]);
    return found.flatMap((project) => (project === null ? [] : [project.id]));
  },
  'raw SQL of Prisma': async ({ prisma }) =>
    (await prisma.$queryRaw<{ id: string }[]>`SELECT id FROM projects`).map(({ id }) => id),
  count: async ({ prisma, tenantId }) =>
    (await prisma.project.count()) === 1 ? [all.find(({ id }) => id === tenantId)?.project] : [],
};

describe('a tenant connection', () => {
  it.each(Object.entries(WAYS))(
    'a tenant connection shows only the rows of its tenant, with hundreds open at once: %s',
    async (_name, read) => {
      const readers = Array.from({ length: 300 }, (_, index) => ({
        mine: all[index % all.length] ?? one,
        other: all[(index * 7 + 3) % all.length] ?? two,
      })).filter(({ mine, other }) => mine !== other);
      const seen = await Promise.all(
        readers.map(({ mine, other }, index) =>
          index % 3 === 0
            ? tenants.write(mine.id, (db) => read(db, other))
            : tenants.read(mine.id, (db) => read(db, other)),
        ),
      );
      expect(seen).toEqual(readers.map(({ mine }) => [mine.project]));
    },
  );

  it('a tenant connection shows only the rows of its tenant when all query methods are mixed', async () => {
    const ways = Object.values(WAYS);
    const mixed = Array.from({ length: 200 }, (_, index) => all[(index * 5) % all.length] ?? one);
    await Promise.all(
      mixed.map((mine, index) =>
        tenants.read(mine.id, async (db) => {
          for (let step = 0; step < 4; step += 1) {
            const other = all[(index + step + 1) % all.length] ?? two;
            if (other === mine) continue;
            const read = ways[(index + step) % ways.length] ?? (async () => []);
            expect(await read(db, other)).toEqual([mine.project]);
          }
        }),
      ),
    );
  });

  it('tenant connections answer findUnique of many tenants in one tick, each from its own connection', async () => {
    // All are checked out before any of them queries, so their queries fall into one tick.
    const ready = barrier(CONNECTIONS);
    const found = await Promise.all(
      all.slice(0, CONNECTIONS).map((mine, index) =>
        tenants.read(mine.id, async ({ prisma }) => {
          await ready();
          const other = all[(index + 1) % CONNECTIONS] ?? two;
          return Promise.all([
            prisma.project.findUnique(byId(mine)),
            prisma.project.findUnique(byId(other)),
            prisma.project.findUniqueOrThrow(byId(mine)),
          ]);
        }),
      ),
    );
    expect(found.map((projects) => projects.map((project) => project?.id ?? null))).toEqual(
      all.slice(0, CONNECTIONS).map(({ project }) => [project, null, project]),
    );
  });

  it('findUnique of plain Prisma would mix tenants, so a tenant connection sends findFirst instead', async () => {
    const statements: string[] = [];
    const shared = listening(statements);
    const bare = new PrismaClient({ adapter: new PrismaPg(shared) });
    await Promise.all(all.slice(0, 4).map((tenant) => bare.project.findUnique(byId(tenant))));
    await shared.end();
    // Four queries become one statement; all answers come from the connection that sends it.
    expect(statements).toHaveLength(1);
    const ours: string[] = [];
    const own = listening(ours);
    await new TenantDatabase(own).read(one.id, ({ prisma }) =>
      Promise.all(all.slice(0, 4).map((tenant) => prisma.project.findUnique(byId(tenant)))),
    );
    await own.end();
    expect(ours.filter((text) => text.includes('"projects"'))).toHaveLength(4);
  });

  it('a tenant connection shows only the rows of its tenant when another instance has used its connection for another tenant', async () => {
    const single = poolOf(1);
    const [first, second] = [new TenantDatabase(single), new TenantDatabase(single)];
    for (const instance of [first, second, first]) {
      for (const { id, project } of [one, two]) {
        expect(await instance.read(id, (db) => db.sql(EVERY_PROJECT))).toEqual([{ id: project }]);
        expect(await second.read(one.id, (db) => db.sql(EVERY_PROJECT))).toEqual([
          { id: one.project },
        ]);
      }
    }
    await single.end();
  });

  it('a tenant connection may be opened within another one, of the same tenant or not', async () => {
    const seen = await tenants.read(one.id, async (outer) => {
      const inner = await tenants.write(two.id, async (db) => {
        const nested = await tenants.read(one.id, ({ prisma }) => prisma.project.findMany());
        return [...nested, ...(await db.prisma.project.findMany())];
      });
      return [...inner, ...(await outer.prisma.project.findMany())].map(({ id }) => id);
    });
    expect(seen).toEqual([one.project, two.project, one.project]);
  });
});

describe('a write', () => {
  it.each([
    ['an error of ours', () => Promise.reject(new Error('no'))],
    [
      'a refused statement',
      ({ sql }: TenantConnection) => sql({ name: 'test-no', text: 'SELECT 1 / 0' }),
    ],
    [
      'a row of another tenant',
      ({ sql }: TenantConnection) => sql(INSERT_PROJECT, [two.id, newId(), 'stolen']),
    ],
  ])(
    'a write that ends with %s leaves nothing behind and a usable connection',
    async (_what, fails) => {
      const lone = poolOf(1);
      const narrow = new TenantDatabase(lone);
      const id = newId();
      const failing = narrow.write(one.id, async (db) => {
        await db.sql(INSERT_PROJECT, [one.id, id, `p-${id}`]);
        await fails(db);
      });
      await expect(failing).rejects.toBeDefined();
      for (const tenant of [one, two]) {
        const rows = await narrow.read(tenant.id, (db) => db.sql(EVERY_PROJECT));
        expect(rows).toEqual([{ id: tenant.project }]);
      }
      await lone.end();
    },
  );

  it('a write in the background is bound to its tenant, on a connection that other work of the tenants does not use', async () => {
    const [requests, background] = [poolOf(CONNECTIONS), poolOf(1)];
    const both = new TenantDatabase(requests, { background });
    const pids = async () => {
      const seen = await Promise.all(
        all.slice(0, CONNECTIONS).map(({ id }) => both.read(id, (db) => db.sql<Backend>(BACKEND))),
      );
      return seen.flat().map(({ pid }) => pid);
    };
    const others = await pids();
    for (const mine of [one, two]) {
      const [backend, seen] = await both.write(
        mine.id,
        async (db) => [await db.sql<Backend>(BACKEND), await db.sql<{ id: string }>(EVERY_PROJECT)],
        { inBackground: true },
      );
      expect(seen).toEqual([{ id: mine.project }]);
      expect(others).not.toContain(backend[0]?.pid);
    }
    await requests.end();
    await background.end();
  });

  it('a failed write does not run any of its statements for the next tenant', async () => {
    const lone = poolOf(1);
    const narrow = new TenantDatabase(lone);
    const failing = narrow.write(one.id, (db) =>
      Promise.all([
        db.sql(WHOSE),
        db.sql({ name: 'test-fails', text: 'SELECT 1 / 0' }),
        db.prisma.project.findMany(),
        db.sql(WHOSE),
      ]),
    );
    const next = narrow.read(two.id, (db) => Promise.all([db.sql(WHOSE), db.sql(EVERY_PROJECT)]));
    await expect(failing).rejects.toMatchObject({ code: '22012' });
    expect(await next).toEqual([[{ tenant: two.id }], [{ id: two.project }]]);
    await lone.end();
  });

  it('a write on an ended connection reports an unreachable database, and the next one gets a new connection', async () => {
    const operator = new pg.Client({ connectionString: database.appUrl });
    await operator.connect();
    const failing = tenants.write(one.id, async ({ sql }) => {
      const [own] = await sql<{ pid: number }>({
        name: 'test-pid',
        text: 'SELECT pg_backend_pid() AS pid',
      });
      await operator.query('SELECT pg_terminate_backend($1)', [own?.pid]);
      return sql(EVERY_PROJECT);
    });
    const error = await failing.catch((reason: unknown) => reason);
    await operator.end();
    expect(isDatabaseUnavailable(error)).toBe(true);
    expect(await tenants.read(one.id, (db) => db.sql(EVERY_PROJECT))).toEqual([
      { id: one.project },
    ]);
  });
});

describe('Prisma', () => {
  it('Prisma is refused outside a tenant connection', async () => {
    const own = poolOf(2);
    const kept = await new TenantDatabase(own).read(one.id, async ({ prisma }) => prisma);
    await expect(kept.project.findMany()).rejects.toThrow('outside a tenant connection');
    await own.end();
  });

  it('Prisma opens no separate transaction', async () => {
    const opened = tenants.read(one.id, ({ prisma }) =>
      prisma.$transaction([prisma.project.findMany(), prisma.project.count()]),
    );
    await expect(opened).rejects.toThrow('TenantDatabase.write');
  });
});

/** A barrier that opens once `count` participants have arrived. */
function barrier(parties: number): () => Promise<void> {
  let waiting = 0;
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return () => {
    waiting += 1;
    if (waiting === parties) open();
    return opened;
  };
}

/** A pool that records the text of every statement. */
function listening(statements: string[]): pg.Pool {
  const listener = new pg.Pool({ connectionString: database.appUrl });
  listener.on('connect', (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    client.query = ((...args: unknown[]) => {
      const [first] = args;
      statements.push(typeof first === 'string' ? first : String((first as pg.QueryConfig).text));
      return query(...args);
    }) as typeof client.query;
  });
  return listener;
}
