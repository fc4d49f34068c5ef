import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient, UnavailableError } from '@cspm/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { move, OTHER, type TestCells, testCells } from '../../../tests/kit/cells.ts';
import { rowsOf } from '../../../tests/kit/owner-queries.ts';
import type { TestUser } from '../../../tests/kit/people.ts';
import { bundled, onDatabase } from '../../../tests/kit/server-process.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { until } from '../../../tests/kit/until.ts';

const folder = bundled();
let databases: TestCells;
let servers: readonly TestServer[];

beforeAll(async () => {
  databases = await testCells();
  const { home: database, cells } = databases;
  servers = [
    await startTestServer({ database, cells }),
    await startTestServer({ database, cells }),
  ];
});

afterAll(async () => {
  for (const server of servers) await server.close();
  await databases.drop();
});

const PAUSE_MS = 5;
/** Several processes start one after the other, on a machine that may be busy. */
const MOVES_MS = 900_000;

/** Clients of the SDK that create projects through all servers in turn until they are stopped. */
class Writers {
  readonly acknowledged: string[] = [];
  readonly failures: unknown[] = [];
  readonly #running: Promise<void>[];
  #leaving = false;

  constructor(user: TestUser, count: number) {
    const clients = servers.map(({ url }) =>
      createClient({ baseUrl: url, apiKey: user.key['x-api-key'], timeoutMs: 120_000 }),
    );
    const writer = async (number: number) => {
      for (let turn = 0; !this.#leaving; turn += 1) {
        const name = `written-${number}-${turn}`;
        const client = clients[(number + turn) % clients.length];
        await client?.projects.create({ name }).then(
          () => this.acknowledged.push(name),
          (error: unknown) => this.failures.push(error),
        );
        await delay(PAUSE_MS);
      }
    };
    this.#running = Array.from({ length: count }, (_, number) => writer(number));
  }

  /** Waits until this many more writes were acknowledged. */
  async further(count: number): Promise<void> {
    const enough = this.acknowledged.length + count;
    await until('further writes', async () => this.acknowledged.length >= enough);
  }

  async leave(): Promise<void> {
    this.#leaving = true;
    await Promise.all(this.#running);
  }
}

/** `admin tenant move` in a process of its own, killed after it has said this; null: until it ends. */
async function moving(tenantId: string, to: string, killedAt: string | null) {
  const child: ChildProcess = spawn(
    process.execPath,
    [join(folder, 'admin.mjs'), 'tenant', 'move', tenantId, to],
    {
      env: {
        PATH: process.env['PATH'] ?? '',
        ...onDatabase(databases.home),
        DATABASE_CELLS: JSON.stringify({
          [OTHER]: {
            url: databases.other.ownerUrl,
            appUrl: databases.other.appUrl,
            workerUrl: databases.other.workerUrl,
          },
        }),
      },
    },
  );
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (killedAt !== null && said.includes(killedAt)) child.kill('SIGKILL');
    });
  }
  const [code] = await once(child, 'close');
  return { code, said };
}

async function namesOf(user: TestUser, which: 'home' | 'other'): Promise<string[]> {
  const rows = await rowsOf(databases[which], user.tenant.id, 'SELECT name FROM projects');
  return rows.map(({ name }) => String(name));
}

/** Each acknowledged write is there once, with its audit row, and in one database alone. */
async function expectAll(user: TestUser, writers: Writers, which: 'home' | 'other') {
  // A write that was refused for longer than the client retries is not there.
  expect(writers.failures.filter((error) => !(error instanceof UnavailableError))).toEqual([]);
  const names = await namesOf(user, which);
  expect(names.toSorted()).toEqual(writers.acknowledged.toSorted());
  expect(await namesOf(user, which === 'home' ? 'other' : 'home')).toEqual([]);
  const audited = await rowsOf(
    databases[which],
    user.tenant.id,
    "SELECT count(*)::int AS rows, count(DISTINCT subject)::int AS names FROM audit_events WHERE action = 'project.created'",
  );
  expect(audited).toEqual([{ rows: names.length, names: names.length }]);
}

describe('a tenant that is moved while two servers write for it', () => {
  it('a tenant moved under writes keeps every acknowledged write once, although the move is killed at each step', {
    timeout: MOVES_MS,
  }, async () => {
    const people = servers[0]?.people;
    const [user, other] = [await people?.user(), await people?.user()];
    if (user === undefined || other === undefined) throw new Error('no server');
    const [writers, others] = [new Writers(user, 4), new Writers(other, 2)];
    await writers.further(40);

    for (const step of ['Noting changes', 'Every value', 'Fencing', 'Switching', 'serves tenant']) {
      const { said } = await moving(user.tenant.id, OTHER, step);
      expect(said).toContain(step);
      // A fence of a killed move ends by itself, and a switch waits for the next command.
      if (step !== 'Switching') await writers.further(5);
      await others.further(1);
    }
    const ended = await moving(user.tenant.id, OTHER, null);
    expect(ended).toMatchObject({ code: 0, said: expect.stringContaining(`to ${OTHER}.`) });
    await writers.further(40);

    await move(databases, user.tenant.id, 'home');
    await writers.further(40);
    await Promise.all([writers.leave(), others.leave()]);
    await expectAll(user, writers, 'home');
    await expectAll(other, others, 'home');
    expect(others.failures).toEqual([]);
  });

  it('a tenant moved under writes stays where it was when the move is aborted before the switch', {
    timeout: MOVES_MS,
  }, async () => {
    const user = await servers[0]?.people.user();
    if (user === undefined) throw new Error('no server');
    const writers = new Writers(user, 2);
    await writers.further(20);
    await moving(user.tenant.id, OTHER, 'Every value');
    await move(databases, user.tenant.id, OTHER, { abort: true });
    await writers.further(20);
    await move(databases, user.tenant.id, OTHER);
    await expect(move(databases, user.tenant.id, OTHER, { abort: true })).rejects.toThrow(
      'No move of this tenant has begun',
    );
    await writers.leave();
    await expectAll(user, writers, 'other');
  });
});
