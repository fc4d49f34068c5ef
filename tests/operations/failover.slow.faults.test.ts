import { setTimeout as delay } from 'node:timers/promises';
import { ApiError, type Cspm, createClient } from '@cspm/sdk';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newApiKey } from '../../server/modules/auth/credentials/api-key.ts';
import { Analyst } from '../kit/analyst.ts';
import { DebianCluster, debianPostgres } from '../kit/debian-postgres.ts';
import { manyClusters } from '../kit/export-records.ts';
import { Fleet } from '../kit/fleet.ts';
import { bundled, onDatabase } from '../kit/server-process.ts';
import { type Call, send } from '../kit/test-server.ts';
import { until } from '../kit/until.ts';

const bin = debianPostgres();
const { key } = newApiKey();
const WRITERS = 6;
const ASSETS = 240;

/** One URL that names both hosts, with the role and the database of the first. */
function both(one: string, other: string): string {
  const { host } = new URL(other);
  return `${one.replace(/@[^@/]*\//, (at) => `${at.slice(0, -1)},${host}/`)}?target_session_attrs=read-write`;
}

/** Creates projects one after the other, each with one Idempotency-Key, until its response arrives. */
class Writer {
  readonly acknowledged = new Map<string, string>();
  readonly unexpected: unknown[] = [];
  readonly #client: Cspm;
  readonly #name: string;
  readonly #working: Promise<void>;
  #leaving = false;

  constructor(client: Cspm, name: string) {
    this.#client = client;
    this.#name = name;
    this.#working = this.#work();
  }

  async #work(): Promise<void> {
    for (let count = 0; !this.#leaving; count += 1) {
      const name = `${this.#name}-${count}`;
      for (let id: string | null = null; id === null; ) {
        id = await this.#attempt(name);
        if (id !== null) this.acknowledged.set(name, id);
      }
    }
  }

  async #attempt(name: string): Promise<string | null> {
    try {
      const project = await this.#client.projects.create({ name }, { idempotencyKey: name });
      return project.id;
    } catch (error) {
      const isOutage =
        error instanceof ApiError &&
        (error.status === undefined ||
          error.status === 503 ||
          error.code === 'IDEMPOTENCY_KEY_IN_USE');
      if (!isOutage) {
        this.unexpected.push(error);
        this.#leaving = true;
        return '';
      }
      await delay(50);
      return null;
    }
  }

  async leave(): Promise<void> {
    this.#leaving = true;
    await this.#working;
  }
}

describe.skipIf(bin === null)('a failover (skipped where Debian has no postgresql)', () => {
  const folder = bundled();
  let primary: DebianCluster;
  let standby: DebianCluster;
  let fleet: Fleet;
  let analyst: Analyst;

  beforeEach(async () => {
    primary = await DebianCluster.start(bin ?? '');
    standby = await primary.standby('standby1');
    await primary.set('synchronous_standby_names', 'standby1');
    await until('replication to be synchronous', async () => {
      const state = await primary.sql('SELECT sync_state FROM pg_stat_replication');
      return state === 'sync';
    });
    const [one, other] = [primary.urls, standby.urls];
    const environment = {
      ...onDatabase({
        ownerUrl: both(one.ownerUrl, other.ownerUrl),
        appUrl: both(one.appUrl, other.appUrl),
        workerUrl: both(one.workerUrl, other.workerUrl),
      }),
      DATABASE_REPLICA_URL: other.appUrl,
      DATABASE_TIMEOUT_MS: '3000',
      APP_SECRET: 'the same secret in all processes of the fleet',
      BOOTSTRAP_EMAIL: 'first@example.com',
      BOOTSTRAP_PASSWORD: 'correct horse battery staple',
      BOOTSTRAP_API_KEY: key,
      TRUST_PROXY: '1',
    };
    fleet = new Fleet({ main: `${folder}/main.mjs`, environment, servers: 2, workers: 1 });
    await fleet.start();
    let turn = 0;
    const call = (path: string, request?: Call) => {
      turn += 1;
      return send(`${fleet.servers[turn % 2]?.url}${path}`, request);
    };
    const nobody = new Analyst({ call }, { 'x-api-key': key }, '');
    const { tenant } = await nobody.ask(200, '/auth/me');
    analyst = new Analyst({ call }, { 'x-api-key': key }, tenant.id);
  });

  afterEach(async () => {
    await fleet.kill();
    await standby.stop();
    await primary.stop();
  });

  /** A client of the SDK whose attempts go to both servers in turn. */
  function client(): Cspm {
    let turn = 0;
    return createClient({
      baseUrl: 'http://fleet.invalid',
      apiKey: key,
      pacing: 'off',
      fetch: (url, init) => {
        turn += 1;
        const server = fleet.servers[turn % 2]?.url ?? '';
        return fetch(String(url).replace('http://fleet.invalid', server), init);
      },
    });
  }

  async function projectNames(): Promise<string[]> {
    const names: string[] = [];
    for await (const { name } of client().projects.list({ limit: 100 })) names.push(name);
    return names;
  }

  it.each<[string, () => Promise<void>]>([
    ['is killed', () => primary.kill()],
    ['is frozen', () => primary.freeze()],
  ])(
    'when the primary %s under load, each acknowledged write exists once, the scan completes, and no process restarts',
    async (_how, lose) => {
      const pids = fleet.all.map(({ pid }) => pid);
      const scanned = await analyst.project(manyClusters(ASSETS));
      const writers = Array.from(
        { length: WRITERS },
        (_, index) => new Writer(client(), `w${index}`),
      );
      const progress = (more: number) => {
        const before = writers.map(({ acknowledged }) => acknowledged.size);
        return until('each writer to go on', async () =>
          writers.every(
            ({ acknowledged, unexpected }, index) =>
              unexpected.length > 0 || acknowledged.size >= (before[index] ?? 0) + more,
          ),
        );
      };
      await progress(3);
      const scanId = await analyst.launch(scanned, 'gke');
      await lose();
      await standby.set('synchronous_standby_names', '');
      await standby.promote();
      await progress(5);
      for (const writer of writers) await writer.leave();
      expect(writers.flatMap(({ unexpected }) => unexpected)).toEqual([]);

      const made = writers.flatMap(({ acknowledged }) => [...acknowledged.keys()]);
      const names = await projectNames();
      expect(names.filter((name) => name.startsWith('w')).toSorted()).toEqual(made.toSorted());
      const created = `SELECT subject FROM audit_events
        WHERE action = 'project.created' AND outcome = 'success' AND subject ~ '^w[0-9]+-'`;
      expect((await standby.sql(created)).split('\n').toSorted()).toEqual(made.toSorted());

      await until(
        'the scan to be readable',
        async () => (await analyst.call('/scans')).status === 200,
      );
      expect(await analyst.finished(scanId)).toMatchObject({
        status: 'completed',
        totals: { assets: ASSETS, fail: 80 },
      });
      // A job of the new primary shows that the worker listens and works there.
      expect(await analyst.scan(scanned, 'gke')).toMatchObject({ status: 'completed' });
      for (const { url } of fleet.servers) {
        expect((await send(`${url}/health/ready`)).status).toBe(200);
      }
      expect(fleet.all.map(({ pid }) => pid)).toEqual(pids);
    },
    600_000,
  );
});
