import { request } from 'node:http';
import { OPEN_STREAMS } from '@cspm/contract';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Analyst } from '../../tests/kit/analyst.ts';
import { EventStream } from '../../tests/kit/event-stream.ts';
import { cluster } from '../../tests/kit/export-records.ts';
import type { TestUser } from '../../tests/kit/people.ts';
import { type Planted, plantFindings } from '../../tests/kit/planted-findings.ts';
import { freshAddress, startTestServer, type TestServer } from '../../tests/kit/test-server.ts';
import { until } from '../../tests/kit/until.ts';

let server: TestServer;
const open: { leave(): void }[] = [];

beforeAll(async () => {
  server = await startTestServer();
});

afterEach(async () => {
  for (const stream of open.splice(0)) stream.leave();
  const { openStreams } = server.services;
  await until('all streams to be closed', async () => openStreams.open('events') === 0);
  await until('all exports to be closed', async () => openStreams.open('export') === 0);
});

afterAll(() => server.close());

async function follow(scanId: string, headers: Readonly<Record<string, string>>) {
  const stream = await EventStream.open(server, `/scans/${scanId}/events`, headers);
  open.push(stream);
  return stream.response.status;
}

/** A scan that no worker runs, so its stream stays open. */
async function followed(): Promise<{ user: TestUser; scanId: string }> {
  const user = await server.people.user();
  const analyst = new Analyst(server, user.key, user.tenant.id);
  return { user, scanId: await analyst.launch(await analyst.project([cluster('a')]), 'gke') };
}

describe('streams of events', () => {
  const { perCredential, perTenant } = OPEN_STREAMS.events;

  it('event streams beyond the limit of a credential are refused with 429 until one ends', async () => {
    const { user, scanId } = await followed();
    for (let count = 0; count < perCredential; count += 1) {
      expect(await follow(scanId, user.key)).toBe(200);
    }
    const refused = await server.call(`/scans/${scanId}/events`, { headers: user.key });
    expect(refused).toMatchObject({ status: 429, json: { code: 'RATE_LIMITED', limit: 'events' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    // Another credential of the same person has its own streams.
    expect(await follow(scanId, user.session)).toBe(200);
    open.shift()?.leave();
    const isOver = async () => server.services.openStreams.open('events') === perCredential;
    await until('the server to notice', isOver);
    expect(await follow(scanId, user.key)).toBe(200);
  });

  it('event streams beyond the limit of a tenant are refused for all its credentials, and other tenants are served', async () => {
    const { user, scanId } = await followed();
    const keys: { readonly key: string }[] = [];
    for (let count = 0; count <= perTenant / perCredential; count += 1) {
      keys.push(await server.people.key(user));
    }
    const statuses: number[] = [];
    for (const { key } of keys) {
      for (let count = 0; count < perCredential; count += 1) {
        statuses.push(await follow(scanId, { 'x-api-key': key }));
      }
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(perTenant);
    expect(statuses.filter((status) => status === 429)).toHaveLength(perCredential);
    const other = await followed();
    expect(await follow(other.scanId, other.user.key)).toBe(200);
    // Streams hold no database connection.
    expect((await server.call('/scans', { headers: user.key })).status).toBe(200);
  });
});

describe('exports', () => {
  const { perCredential } = OPEN_STREAMS.export;

  /** Starts an export and reads nothing, so it stays open. */
  function unread(headers: Readonly<Record<string, string>>): Promise<number> {
    return new Promise((resolve, reject) => {
      const sent = request(
        `${server.url}/findings/export`,
        { agent: false, headers: { ...headers, 'x-forwarded-for': freshAddress() } },
        (response) => {
          response.pause();
          resolve(response.statusCode ?? 0);
        },
      );
      sent.once('error', reject);
      sent.end();
      open.push({ leave: () => sent.destroy() });
    });
  }

  it('unread exports are limited per credential and hold no database connection', async () => {
    const user = await server.people.user();
    const analyst = new Analyst(server, user.key, user.tenant.id);
    const project = await analyst.project([]);
    const { id } = await analyst.ask(200, `/projects/${project}`);
    // More data than the buffers between the server and a reader that does not read.
    const planted: Planted[] = Array.from({ length: 2_000 }, (_, index) => ({
      asset: `//storage.googleapis.com/${index}`,
      message: 'x'.repeat(20_000),
    }));
    await plantFindings(server.database, user.tenant.id, id, planted);
    for (let count = 0; count < perCredential; count += 1) {
      expect(await unread(user.key)).toBe(200);
    }
    const refused = await server.call('/findings/export', { headers: user.key });
    expect(refused).toMatchObject({ status: 429, json: { code: 'RATE_LIMITED', limit: 'export' } });
    const { rows } = await server.database.owner.query(
      `SELECT count(*)::int AS busy FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'cspm server' AND state <> 'idle'`,
    );
    expect(rows).toEqual([{ busy: 0 }]);
  });
});
