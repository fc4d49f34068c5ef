import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OTHER, testCells } from '../../tests/kit/cells.ts';
import { startTestServer, type TestServer } from '../../tests/kit/test-server.ts';
import { Metrics } from './metrics.ts';
import { type MetricsServer, serveMetrics } from './metrics-server.ts';

describe('the metrics', () => {
  let server: TestServer;
  let metrics: MetricsServer;

  beforeAll(async () => {
    server = await startTestServer({ worker: true, config: { rateLimit: 3 } });
    metrics = await serveMetrics(server.services.metrics, { host: '127.0.0.1', port: 0 });
  });

  afterAll(async () => {
    await metrics.stop();
    await server.close();
  });

  const scrape = async () => (await fetch(`http://127.0.0.1:${metrics.port}/metrics`)).text();

  /** The value of a series, named with its labels in Prometheus syntax. */
  const sample = async (series: string) => {
    const line = (await scrape()).split('\n').find((text) => text.startsWith(`${series} `));
    return line === undefined ? null : Number(line.slice(series.length));
  };

  it('the metrics count requests by the operation of the contract, never by the requested path', async () => {
    await server.call('/scans/0199c2a4-9b60-7d41-a3f2-58c1e7d90b36');
    await server.call('/nothing/of/ours?secret=1');
    const series = 'http_server_request_duration_seconds_count';
    expect(await sample(`${series}{operation="scans.get",method="GET",status="401"}`)).toBe(1);
    expect(await sample(`${series}{operation="none",method="GET",status="404"}`)).toBe(1);
    expect(await scrape()).not.toMatch(/secret|0199c2a4/);
  });

  it('the metrics count refusals by the limit that refused', async () => {
    const ip = '203.0.113.9';
    for (let calls = 0; calls < 5; calls += 1) await server.call('/auth/me', { ip });
    expect(await sample('cspm_rate_limited_total{limit="default"}')).toBe(2);
  });

  it('the metrics show 0 for each task of the service that has no jobs', async () => {
    const { owner } = server.database;
    const tasks = async () => {
      const { rows } = await owner.query(
        `SELECT t.identifier FROM graphile_worker._private_tasks t
         WHERE NOT EXISTS (SELECT FROM graphile_worker._private_jobs j WHERE j.task_id = t.id)`,
      );
      return rows.map(({ identifier }) => identifier);
    };
    await expect.poll(tasks).toEqual(expect.arrayContaining(['scan-project', 'send-mail']));
    for (const task of await tasks()) {
      expect([task, await sample(`cspm_queue_oldest_seconds{task="${task}"}`)]).toEqual([task, 0]);
      expect(await sample(`cspm_queue_jobs{task="${task}",state="waiting"}`)).toBe(0);
    }
  });

  it('the metrics show the current numbers of connections, password hashes and jobs', async () => {
    expect(await sample('cspm_database_connections{pool="serving",state="awaited"}')).toBe(0);
    expect(await sample('cspm_password_queue')).toBe(0);
    const { owner } = server.database;
    await owner.query(`SELECT graphile_worker.add_job('nobody-does-this', '{}')`);
    await owner.query(
      `UPDATE graphile_worker._private_jobs j SET created_at = $1::timestamptz - interval '90 s', run_at = $1::timestamptz - interval '90 s'
       FROM graphile_worker._private_tasks t WHERE t.id = j.task_id AND t.identifier = 'nobody-does-this'`,
      [server.clock.now()],
    );
    expect(await sample('cspm_queue_jobs{task="nobody-does-this",state="waiting"}')).toBe(1);
    const oldest = await sample('cspm_queue_oldest_seconds{task="nobody-does-this"}');
    expect(oldest).toBeGreaterThanOrEqual(90);
    expect(oldest).toBeLessThan(120);
  });

  it('both metrics of a queue come from one reading in each scrape, without the tasks of an earlier one', async () => {
    const own = new Metrics();
    let readings = 0;
    const states = [
      { task: 'one', waiting: 1, running: 0, failed: 0, oldestSeconds: 90 },
      { task: 'two', waiting: 2, running: 0, failed: 0, oldestSeconds: 30 },
    ];
    const depth = async () => states.slice(readings++, readings);
    own.watchQueues([{ cell: null, depth }]);
    const queue = async () => {
      const lines = (await own.text()).split('\n');
      return lines.filter((line) => /^cspm_queue_.*(waiting|oldest)/.test(line)).toSorted();
    };
    expect(await queue()).toEqual([
      'cspm_queue_jobs{task="one",state="waiting"} 1',
      'cspm_queue_oldest_seconds{task="one"} 90',
    ]);
    expect(await queue()).toEqual([
      'cspm_queue_jobs{task="two",state="waiting"} 2',
      'cspm_queue_oldest_seconds{task="two"} 30',
    ]);
    expect(await queue()).toEqual([]);
    expect(readings).toBe(3);
  });

  it('a queue that cannot be read is omitted from the metrics, and those of other cells are not', async () => {
    const own = new Metrics();
    const depth = async () => [
      { task: 'one', waiting: 1, running: 0, failed: 0, oldestSeconds: 90 },
    ];
    own.watchQueues([
      { cell: 'home', depth: () => Promise.reject(new Error('unavailable')) },
      { cell: 'eu', depth },
    ]);
    const text = await own.text();
    expect(text).toContain('cspm_queue_oldest_seconds{task="one",cell="eu"} 90');
    expect(text).not.toContain('cell="home"');
  });

  it('the metrics port serves nothing but the metrics', async () => {
    const other = await fetch(`http://127.0.0.1:${metrics.port}/health/ready`);
    expect(other.status).toBe(404);
  });

  it('a metrics port that is in use is reported with the variable to set', async () => {
    const again = serveMetrics(server.services.metrics, { host: '127.0.0.1', port: metrics.port });
    await expect(again).rejects.toThrow(`127.0.0.1:${metrics.port}; set METRICS_PORT`);
  });

  it('a metrics host that is not an address of this machine is reported with the variable HOST', async () => {
    const elsewhere = serveMetrics(server.services.metrics, { host: '192.0.2.1', port: 0 });
    await expect(elsewhere).rejects.toThrow('192.0.2.1:0 (EADDRNOTAVAIL); set HOST');
  });

  it('the metrics report whether rate limits are shared through Redis', async () => {
    const own = new Metrics();
    let isUp = true;
    own.watchRedis(() => isUp);
    expect(await own.text()).toMatch(/^cspm_redis_up 1$/m);
    isUp = false;
    expect(await own.text()).toMatch(/^cspm_redis_up 0$/m);
  });

  it('the metrics are exactly those that the dashboard shows', async () => {
    const file = new URL('../../deploy/grafana/dashboard.json', import.meta.url);
    const shown = new Set(
      queriesOf(JSON.parse(await readFile(file, 'utf8')))
        .flatMap((expr) => expr.match(/\b(cspm|http|process|nodejs)_\w+/g) ?? [])
        .map((name) => name.replace(/_(bucket|count|sum)$/, '')),
    );
    const families = [...(await scrape()).matchAll(/^# TYPE (\w+)/gm)].map(([, name = '']) => name);
    expect([...shown]).toEqual(expect.arrayContaining(families));
    // Process metrics depend on the operating system. This test has no Redis and no metrics about it.
    const own = [...shown].filter((name) => /^(cspm|http)_/.test(name));
    expect([...families, 'cspm_redis_up']).toEqual(expect.arrayContaining(own));
    expect(own.length).toBeGreaterThan(10);
  });
});

describe('the metrics of a server with tenants on several databases', () => {
  it('the metrics show the queue of each database by its cell, and the connections to each cell', async () => {
    const databases = await testCells();
    const server = await startTestServer({ database: databases.home, cells: databases.cells });
    try {
      await databases.other.owner.query("SELECT graphile_worker.add_job('nobody-does-this', '{}')");
      await databases.home.owner.query("SELECT graphile_worker.add_job('nor-this', '{}')");
      // Jobs are due by the clock of the server.
      server.clock.advance({ minutes: 1 });
      const text = await server.services.metrics.text();
      for (const series of [
        `cspm_queue_jobs{task="nobody-does-this",state="waiting",cell="${OTHER}"} 1`,
        'cspm_queue_jobs{task="nor-this",state="waiting",cell="home"} 1',
        `cspm_database_connections{pool="cell ${OTHER}",state="idle"} `,
        `cspm_database_connections{pool="background of cell ${OTHER}",state="awaited"} 0`,
        'cspm_database_connections{pool="directory",state="busy"} 0',
      ]) {
        expect(text).toContain(series);
      }
      expect(text).toMatch(/cspm_queue_oldest_seconds\{task="nobody-does-this",cell="other"\} \d/);
    } finally {
      await server.close();
      await databases.drop();
    }
  });
});

interface Panel {
  readonly panels?: readonly Panel[];
  readonly targets?: readonly { readonly expr: string }[];
}

function queriesOf({ panels = [], targets = [] }: Panel): string[] {
  return [...targets.map(({ expr }) => expr), ...panels.flatMap(queriesOf)];
}
