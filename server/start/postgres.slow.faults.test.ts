import type pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createPool } from '../database/pool.ts';
import { TenantDatabase } from '../database/tenant-database.ts';
import { newApiKey } from '../identity/api-key.ts';
import { Analyst, type Reachable } from '../testing/analyst.ts';
import { DebianCluster, debianPostgres } from '../testing/debian-postgres.ts';
import { manyClusters } from '../testing/export-records.ts';
import { onDatabase, type ServerProcess, serverProcesses } from '../testing/server-process.ts';
import { cutSmall } from '../testing/small-chunks.ts';
import { type Call, type Reply, send } from '../testing/test-server.ts';
import { until } from '../testing/until.ts';

/** In which a client is told, at the latest. */
const SOON_MS = 2_500;
/** What a machine that is busy with other tests may take besides. A request that is left to hang takes twelve seconds. */
const SLACK_MS = 4_000;

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
        RATE_LIMIT: '1000000',
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

    async function timed(ask: Promise<Reply>): Promise<Reply & { tookMs: number }> {
      const startedAt = performance.now();
      const reply = await ask;
      return { ...reply, tookMs: performance.now() - startedAt };
    }

    let launches = 0;

    /** A scan in the middle of its work. */
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
      // A worker that was asleep may be taken for dead, which it is told first of all.
      await until(
        'the server to recover',
        async () => (await analyst.call('/scans')).status === 200,
      );
      expect(await analyst.finished(scanId, 60_000)).toMatchObject({
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

    /** Somebody who makes projects one after the other, each until it is made, and notes all that came back. */
    class Maker {
      readonly replies: (Reply & { tookMs: number })[] = [];
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
      '%s: requests are answered 503 soon, none is half done or done twice, the scan goes on, all without a restart',
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
        expect(ready).toMatchObject({ status: 503, json: { checks: { database: 'failing' } } });
        expect(ready.tookMs).toBeLessThan(SOON_MS + SLACK_MS);
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
          // A Postgres that wakes up may still be at the first request of that key.
          const codes = ['AUTH_UNAVAILABLE', 'SERVICE_UNAVAILABLE', 'IDEMPOTENCY_KEY_IN_USE'];
          expect(codes).toContain(json.code);
          expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
        }
        expect(Math.max(...replies.map(({ tookMs }) => tookMs))).toBeLessThan(SOON_MS + SLACK_MS);
        await expectWhole(scanId);
        const made = makers.flatMap((maker) => maker.made).toSorted();
        const names = await projectNames();
        expect(names.filter((name) => name.startsWith(`${how}-`)).toSorted()).toEqual(made);
      },
      120_000,
    );

    it('frozen when the server is told to end: it ends all the same, and its scan goes on in the next one', async () => {
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
    }, 120_000);
  },
);
