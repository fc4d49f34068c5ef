import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Analyst } from '../kit/analyst.ts';
import { EventStream } from '../kit/event-stream.ts';
import { manyClusters, ndjson } from '../kit/export-records.ts';
import { Fleet, type Instance } from '../kit/fleet.ts';
import { hasNginx, TestNginx } from '../kit/nginx.ts';
import { rowsOf } from '../kit/owner-queries.ts';
import { bundled, onDatabase } from '../kit/server-process.ts';
import { ask, SteadyLoad } from '../kit/steady-load.ts';
import { send, startTestServer, TEST_APP_SECRET, type TestServer } from '../kit/test-server.ts';
import { until } from '../kit/until.ts';

const suite = 'two servers behind deploy/nginx.conf (skipped where there is no nginx)';

describe.skipIf(!hasNginx())(suite, () => {
  const folder = bundled();
  /** Observes the database; serves no requests here. */
  let origin: TestServer;
  let leaving: Instance;
  let nginx: TestNginx;
  let urls: [string, string];
  let analyst: Analyst;
  const closing: (() => Promise<unknown>)[] = [];

  beforeAll(async () => {
    origin = await startTestServer();
    closing.push(() => origin.close());
    const fleet = new Fleet({
      main: join(folder, 'main.mjs'),
      servers: 2,
      workers: 1,
      environment: {
        ...onDatabase(origin.database),
        NODE_ENV: 'production',
        HOST: '127.0.0.1',
        TRUST_PROXY: '1',
        APP_SECRET: TEST_APP_SECRET,
        WEB_URL: 'https://posture.example.com',
        MAIL_URL: 'smtp://127.0.0.1:1',
        RATE_LIMIT: '1000000',
      },
    });
    closing.push(() => fleet.kill());
    await fleet.start();
    const [one, other] = fleet.servers;
    if (one === undefined || other === undefined) throw new Error('There are not two servers');
    leaving = one;
    urls = [one.url, other.url];
    nginx = await TestNginx.start(urls);
    closing.push(() => nginx.stop());
    const { key, tenant } = await origin.people.user();
    const proxied = { call: (path: string, call = {}) => send(nginx.url + path, call) };
    analyst = new Analyst(proxied, key, tenant.id);
  });

  afterAll(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  /** A client with one of this machine's addresses that forges other ones in its headers. */
  async function client(
    address: string,
    path: string,
    headers = {},
    body: unknown = {},
    at = nginx,
  ) {
    const agent = new Agent({ localAddress: address });
    const forged = { 'x-forwarded-for': '203.0.113.9, 127.0.0.8', 'x-real-ip': '203.0.113.9' };
    return ask(at.url + path, agent, {
      method: 'POST',
      headers: { ...forged, ...headers },
      body,
    });
  }

  it("servers behind nginx count limits for the client that nginx sees, and ignore the client's X-Forwarded-For", async () => {
    const statuses = new Set<number>();
    // Each server counts for itself here, and allows five.
    for (let tried = 0; tried < 12; tried += 1) {
      statuses.add((await client('127.0.0.7', '/auth/login')).status);
    }
    expect(statuses).toEqual(new Set([400, 429]));
    expect(await client('127.0.0.8', '/auth/login')).toMatchObject({ status: 400 });
  });

  it('servers behind nginx audit the address that nginx sees', async () => {
    const made = await client('127.0.0.7', '/projects', analyst.headers, { name: 'forged' });
    expect(made).toMatchObject({ status: 201 });
    const { items } = await analyst.ask(200, '/audit-events?action=project.created');
    expect(items[0]).toMatchObject({ subject: expect.any(String), ip: '127.0.0.7' });
  });

  it('servers behind nginx and a load balancer audit the address that the load balancer adds, and trust no other client', async () => {
    const inner = await TestNginx.start(urls, '127.0.0.6');
    closing.push(() => inner.stop());
    for (const [from, name] of [
      ['127.0.0.6', 'from-the-load-balancer'],
      ['127.0.0.7', 'past-the-load-balancer'],
    ] as const) {
      const made = await client(from, '/projects', analyst.headers, { name }, inner);
      expect(made).toMatchObject({ status: 201 });
    }
    const { items } = await analyst.ask(200, '/audit-events?action=project.created');
    expect(items.slice(0, 2)).toMatchObject([{ ip: '127.0.0.7' }, { ip: '127.0.0.8' }]);
  });

  it('nginx passes events of a scan on as they come', async () => {
    const { owner } = origin.database;
    const project = await analyst.project(manyClusters(60));
    // Findings reference their project, so holding its row stops the scan in the middle of its work.
    await owner.query('BEGIN');
    await rowsOf(
      origin.database,
      analyst.tenantId,
      'SELECT 1 FROM projects WHERE name = $1 FOR UPDATE',
      [project],
    );
    const scanId = await analyst.launch(project, 'gke');
    const stream = await EventStream.open(nginx, `/scans/${scanId}/events`, analyst.headers);
    await until('a first event', async () => stream.events.length > 0);
    expect(stream.hasEnded).toBe(false);
    expect(stream.events.map(({ event }) => event)).not.toContain('done');
    await owner.query('ROLLBACK');
    await stream.ended();
    expect(stream.events.at(-1)).toMatchObject({ event: 'done', data: { status: 'completed' } });
  });

  it('nginx passes an upload of 50 MB on while it is sent, and stores none of it', async () => {
    const body = Buffer.from(ndjson(manyClusters(1_000, 50_000)));
    expect(body.length).toBeGreaterThan(50_000_000);
    const half = body.length / 2;
    const project = await analyst.project();
    const upload = request(`${nginx.url}/projects/${project}/inventory`, {
      method: 'PUT',
      headers: { ...analyst.headers, 'content-type': 'application/x-ndjson' },
    });
    const status = new Promise<number>((resolve, reject) => {
      upload.once('response', (response) => resolve(response.resume().statusCode ?? 0));
      upload.once('error', reject);
    });
    upload.write(body.subarray(0, half));
    await until('the server to have begun with it', async () => {
      const sql = "SELECT 1 FROM inventories WHERE status = 'receiving'";
      return (await rowsOf(origin.database, analyst.tenantId, sql)).length === 1;
    });
    expect(await nginx.kept()).toEqual([]);
    upload.end(body.subarray(half));
    expect(await status).toBe(201);
    expect(await nginx.kept()).toEqual([]);
    const { inventory } = await analyst.ask(200, `/projects/${project}`);
    expect(inventory).toMatchObject({ assets: 1_000 });
  });

  it('no request behind nginx is lost when one of two servers is stopped', async () => {
    if (leaving.pid === null) await leaving.start();
    const { key, tenant } = await origin.people.user();
    const load = new SteadyLoad(nginx.url, key);
    try {
      await until('some load', async () => load.answers.length > 300);
      expect(await leaving.stop()).toEqual({ code: 0, signal: null });
      const since = load.answers.length;
      await until('answers of the other one', async () => load.answers.length > since + 300);
    } finally {
      await load.leave();
    }
    expect(load.failures).toEqual([]);
    expect(new Set(load.answers.map(({ status }) => status))).toEqual(new Set([200, 201]));
    const rows = await rowsOf(origin.database, tenant.id, 'SELECT name FROM projects');
    const names = rows.map(({ name }) => name);
    expect(new Set(names)).toEqual(new Set(load.made));
    expect(names).toHaveLength(load.made.length);
  });
});
