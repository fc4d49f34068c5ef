import type pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Analyst, type Reachable } from '../../tests/kit/analyst.ts';
import { DebianCluster, debianPostgres } from '../../tests/kit/debian-postgres.ts';
import { manyClusters } from '../../tests/kit/export-records.ts';
import { onDatabase, type ServerProcess, serverProcesses } from '../../tests/kit/server-process.ts';
import { deadlineMs } from '../../tests/kit/slowness.ts';
import { cutSmall } from '../../tests/kit/small-chunks.ts';
import { type Call, type Reply, send } from '../../tests/kit/test-server.ts';
import { until } from '../../tests/kit/until.ts';
import { newApiKey } from '../modules/auth/credentials/api-key.ts';
import { createPool } from '../platform/database/pool.ts';
import { TenantDatabase } from '../platform/database/tenant-database.ts';

/** The latest response time. */
const SOON_MS = 2_500;
/** Extra time for the other processes of this test. */
const SLACK_MS = 4_000;
/** Duration of a hanging request. */
const HANG_MS = 12_000;

/** A response, how long it took, and whether that is fast enough for a machine as busy as this one was. */
type Timed = Reply & { tookMs: number; isSoon: boolean };

const start = serverProcesses();
const { key } = newApiKey();
const bin = debianPostgres();

describe.skipIf(bin === null)(
  'a Postgres of its own, under a server with its worker (skipped where Debian has no postgresql)',
  () => {
    let cluster: DebianCluster;
    let server: ServerProcess;
    let url: string;
    let pool: pg.Pool;
    let analyst: Analyst;

    beforeAll(async () => {
      cluster = await DebianCluster.start(bin ?? '');
      pool = createPool({
        url: cluster.urls.appUrl,
        name: 'test',
        maxConnections: 2,
        statementTimeoutMs: 10_000,
        onError: () => undefined,
      });
    });

    beforeEach(async () => {
      server = start({
        ...onDatabase(cluster.urls),
        APP_SECRET: 'the same secret after each restart',
        BOOTSTRAP_EMAIL: 'first@example.com',
        BOOTSTRAP_PASSWORD: 'correct horse battery staple',
        BOOTSTRAP_API_KEY: key,
        DATABASE_TIMEOUT_MS: '2000',
        TRUST_PROXY: '1',
      });
      url = await server.url();
      const call = (path: string, request?: Call) => send(url + path, request);
      const nobody = new Analyst({ call }, { 'x-api-key': key }, '');
      const { tenant } = await nobody.ask(200, '/auth/me');
      analyst = new Analyst({ call }, { 'x-api-key': key }, tenant.id);
    });

    afterEach(() => cluster.thaw());

    afterAll(async () => {
      await pool.end();
      await cluster.stop();
    });

    async function timed(ask: Promise<Reply>): Promise<Timed> {
      const startedAt = performance.now();
      const reply = await ask;
      const tookMs = performance.now() - startedAt;
      return { ...reply, tookMs, isSoon: tookMs < deadlineMs(SOON_MS + SLACK_MS, HANG_MS) };
    }

    let launches = 0;

    /** A scan in progress. */
    async function scanUnderWay(): Promise<string> {
      launches += 1;
      const name = `scanned-${launches}`;
      await analyst.ask(201, '/projects', { method: 'POST', body: { name } });
      await analyst.upload(name, manyClusters(240));
      await cutSmall(new TenantDatabase(pool), analyst, name, 2);
      const scanId = await analyst.launch(name, 'gke');
      await until('some progress', async () => (await analyst.seen(scanId)).totals.assets > 0);
      return scanId;
    }

    async function expectWhole(scanId: string): Promise<void> {
      // A worker that was stopped may count as dead; it learns that first when it continues.
      await until(
        'the server to recover',
        async () => (await analyst.call('/scans')).status === 200,
      );
      expect(await analyst.finished(scanId)).toMatchObject({
        status: 'completed',
        totals: { assets: 240, fail: 80 },
        delta: { new: 80, resolved: 0, reopened: 0, unchanged: 0 },
      });
      expect(await analyst.findings(`scan=${scanId}`)).toHaveLength(80);
    }

    async function projectNames(): Promise<string[]> {
      const names: string[] = [];
      let cursor: string | null = null;
      do {
        const at = cursor === null ? '' : `&cursor=${cursor}`;
        const page: { items: { name: string }[]; nextCursor: string | null } = await analyst.ask(
          200,
          `/projects?limit=100${at}`,
        );
        names.push(...page.items.map(({ name }) => name));
        cursor = page.nextCursor;
      } while (cursor !== null);
      return names;
    }

    /** A client that creates projects one after the other, retrying each until it exists, and records all responses. */
    class Maker {
      readonly replies: Timed[] = [];
      readonly made: string[] = [];
      readonly #working: Promise<void>;
      #leaving = false;

      constructor(by: Reachable, name: string) {
        const work = async () => {
          for (let count = 0; !this.#leaving; count += 1) {
            const body = { name: `${name}-${count}` };
            const headers = { 'x-api-key': key, 'idempotency-key': body.name };
            for (let status = 0; status !== 201; ) {
              const reply = await timed(by.call('/projects', { method: 'POST', headers, body }));
              this.replies.push(reply);
              status = reply.status;
            }
            this.made.push(body.name);
          }
        };
        this.#working = work();
      }

      refused(): number {
        return this.replies.filter(({ status }) => status === 503).length;
      }

      async leave(): Promise<void> {
        this.#leaving = true;
        await this.#working;
      }
    }

    it.each<[string, () => Promise<void>, () => Promise<void>]>([
      ['restarted', () => cluster.halt('fast'), () => cluster.start()],
      ['crashed', () => cluster.halt('immediate'), () => cluster.start()],
      ['frozen', () => cluster.freeze(), () => cluster.thaw()],
    ])(
      'while Postgres is %s, requests are answered 503, none is half done or done twice, and the scan continues without a restart',
      async (how, away, back) => {
        const scanId = await scanUnderWay();
        const makers = Array.from(
          { length: 8 },
          (_, number) => new Maker(analyst, `${how}-${number}`),
        );
        await until('some load', async () => makers.every(({ made }) => made.length > 2));
        await away();
        await until('each to be refused', async () => makers.every((maker) => maker.refused() > 0));
        const ready = await timed(analyst.call('/health/ready'));
        expect(ready).toMatchObject({ status: 503, json: { health: { database: 'failing' } } });
        expect(ready).toMatchObject({ isSoon: true });
        expect((await analyst.call('/health/live')).status).toBe(200);
        await back();
        const before = makers.map(({ made }) => made.length);
        await until('work to go on', async () =>
          makers.every(({ made }, number) => made.length > (before[number] ?? 0) + 2),
        );
        for (const maker of makers) await maker.leave();

        const replies = makers.flatMap((maker) => maker.replies);
        for (const { status, headers, json } of replies) {
          if (status === 201) continue;
          // A resumed Postgres may still be processing the first request with that key.
          const codes = ['AUTH_UNAVAILABLE', 'SERVICE_UNAVAILABLE', 'IDEMPOTENCY_KEY_IN_USE'];
          expect(codes).toContain(json.code);
          expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
        }
        expect(replies.filter(({ isSoon }) => !isSoon)).toEqual([]);
        await expectWhole(scanId);
        const made = makers.flatMap((maker) => maker.made).toSorted();
        const names = await projectNames();
        expect(names.filter((name) => name.startsWith(`${how}-`)).toSorted()).toEqual(made);
      },
      300_000,
    );

    it('a server with a frozen Postgres stops on a signal, and the next server continues its scan', async () => {
      const scanId = await scanUnderWay();
      await cluster.freeze();
      server.signal('SIGTERM');
      await server.ended();
      await cluster.thaw();
      server = start({
        ...onDatabase(cluster.urls),
        APP_SECRET: 'the same secret after each restart',
        RATE_LIMIT: '1000000',
        TRUST_PROXY: '1',
      });
      url = await server.url();
      await expectWhole(scanId);
    }, 300_000);
  },
);
