import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

  it('the metrics port serves nothing but the metrics', async () => {
    const other = await fetch(`http://127.0.0.1:${metrics.port}/health/ready`);
    expect(other.status).toBe(404);
  });

  it('a metrics port that is in use is reported with the variable to set', async () => {
    const again = serveMetrics(server.services.metrics, { host: '127.0.0.1', port: metrics.port });
    await expect(again).rejects.toThrow(`127.0.0.1:${metrics.port}; set METRICS_PORT`);
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

interface Panel {
  readonly panels?: readonly Panel[];
  readonly targets?: readonly { readonly expr: string }[];
}

function queriesOf({ panels = [], targets = [] }: Panel): string[] {
  return [...targets.map(({ expr }) => expr), ...panels.flatMap(queriesOf)];
}
