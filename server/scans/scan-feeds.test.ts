import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../ids.ts';
import { startWorker } from '../jobs/start-worker.ts';
import { createLogger } from '../operations/logger.ts';
import { Analyst } from '../testing/analyst.ts';
import { EventStream } from '../testing/event-stream.ts';
import { cluster, manyClusters } from '../testing/export-records.ts';
import type { TestUser } from '../testing/people.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import { until } from '../testing/until.ts';
import { ScanFeeds } from './scan-feeds.ts';
import { findScan } from './scan-rows.ts';

let server: TestServer;
let user: TestUser;
let analyst: Analyst;

beforeAll(async () => {
  // Without a worker: a scan stays as it is until the test has it worked on.
  server = await startTestServer();
});

afterAll(() => server.close());

beforeEach(async () => {
  user = await server.people.user();
  analyst = new Analyst(server, user.key, user.tenant.id);
});

async function launched(records: readonly unknown[] = [cluster('a')]): Promise<string> {
  return analyst.launch(await analyst.project(records), 'gke');
}

function follow(scanId: string, headers: Readonly<Record<string, string>> = user.key) {
  return EventStream.open(server, `/scans/${scanId}/events`, headers);
}

async function workedOff<T>(during: () => Promise<T>): Promise<T> {
  const worker = await startWorker({
    databaseUrl: server.database.workerUrl,
    log: createLogger('silent'),
    clock: server.clock,
  });
  return during().finally(() => worker.stop());
}

async function first(stream: EventStream) {
  return until('an event', async () => stream.events[0]);
}

describe('whoever follows a scan', () => {
  it('sees it as it is, how it goes on, at most once a second, and its end; then the stream ends', async () => {
    const scanId = await launched(manyClusters(500, 20_000));
    const stream = await follow(scanId);
    expect(stream.response.status).toBe(200);
    expect(stream.response.headers.get('content-type')).toBe('text/event-stream');
    expect(stream.response.headers.get('cache-control')).toBe('no-store');
    expect(stream.response.headers.get('x-accel-buffering')).toBe('no');
    expect(await first(stream)).toMatchObject({
      event: 'progress',
      data: await analyst.seen(scanId),
    });
    await workedOff(() => stream.ended());
    const { events } = stream;
    expect(events.map(({ event }) => event)).toEqual([
      ...events.slice(1).map(() => 'progress'),
      'done',
    ]);
    expect(events.at(-1)?.data).toEqual(await analyst.seen(scanId));
    expect(events.at(-1)?.data.status).toBe('completed');
    const progress = events.slice(0, -1);
    progress.slice(1).forEach((event, index) => {
      // A timer may be a little early, and what is sent may be read a little late.
      expect(event.at - (progress[index]?.at ?? 0)).toBeGreaterThan(950);
    });
    expect(events.map(({ id }) => id)).toEqual(
      [...new Set(events.map(({ id }) => id))].toSorted((a, b) => a - b),
    );
  });

  it('resumes after the last event that they had: what they know is not sent again, the end is', async () => {
    const scanId = await launched();
    const lost = await follow(scanId);
    const { id } = await first(lost);
    lost.leave();
    const resumed = await follow(scanId, { ...user.key, 'last-event-id': `${id}` });
    const anew = await follow(scanId);
    await first(anew);
    expect(resumed.events).toEqual([]);
    await workedOff(() => resumed.ended());
    expect(resumed.events.every((event) => event.id > id)).toBe(true);
    const done = resumed.events.at(-1);
    expect(done).toMatchObject({ event: 'done', data: { status: 'completed' } });
    // At whatever instance, and however often.
    const again = await follow(scanId, { ...user.key, 'last-event-id': `${done?.id}` });
    await again.ended();
    expect(again.events).toMatchObject([{ event: 'done', id: done?.id }]);
  });

  it('is told that it was cancelled', async () => {
    const scanId = await launched();
    const stream = await follow(scanId);
    await first(stream);
    await analyst.ask(202, `/scans/${scanId}/cancel`, { method: 'POST' });
    await stream.ended();
    expect(stream.events.at(-1)).toMatchObject({ event: 'done', data: { status: 'cancelled' } });
  });

  it.each([
    ['their key is revoked', 'UPDATE identity.api_keys SET revoked_at = now() WHERE id = $1'],
    [
      'their role may see scans no more',
      `UPDATE identity.memberships SET role = 'nothing' WHERE user_id =
         (SELECT user_id FROM identity.api_keys WHERE id = $1)`,
    ],
  ])('is cut off within seconds when %s', async (_what, sql) => {
    const scanId = await launched();
    const stream = await follow(scanId);
    const other = await server.people.user({ tenant: user.tenant });
    const others = await follow(scanId, other.session);
    await first(stream);
    await server.database.owner.query(sql, [user.keyId]);
    await until('the end of the stream', async () => stream.hasEnded, 5_000);
    expect(stream.events.map(({ event }) => event)).toEqual(['progress']);
    expect(others.hasEnded).toBe(false);
    others.leave();
  });

  it('is refused like by any other endpoint where there is nothing to follow', async () => {
    const stranger = await Analyst.at(server);
    const scanId = await launched();
    for (const path of [`/scans/${newId()}/events`, '/scans/nonsense/events']) {
      expect((await analyst.call(path)).json).toMatchObject({ code: 'NOT_FOUND' });
    }
    expect((await stranger.call(`/scans/${scanId}/events`)).status).toBe(404);
    const headers = { 'last-event-id': 'seven' };
    expect((await analyst.call(`/scans/${scanId}/events`, { headers })).json).toMatchObject({
      code: 'VALIDATION_FAILED',
      errors: [{ path: 'headers.last-event-id', message: expect.any(String) }],
    });
  });
});

describe('a server', () => {
  it('looks at a scan once for all who follow it, and no more when they are gone', async () => {
    const scanId = await launched();
    const { scanFeeds } = server.services;
    await until('the followers of before to be gone', async () => scanFeeds.watched === 0);
    const streams = await Promise.all([follow(scanId), follow(scanId), follow(scanId)]);
    await Promise.all(streams.map(first));
    expect(scanFeeds.watched).toBe(1);
    for (const stream of streams) stream.leave();
    await until('nobody to be watching', async () => scanFeeds.watched === 0);
  });

  it('that drains lets its streams end', async () => {
    const other = await startTestServer({ database: server.database });
    const scanId = await launched();
    const stream = await EventStream.open(other, `/scans/${scanId}/events`, user.key);
    await first(stream);
    other.services.health.drain();
    await stream.ended();
    expect(stream.events.map(({ event }) => event)).toEqual(['progress']);
    await other.close();
  });
});

describe('a stream in which nothing happens', () => {
  it('carries a comment now and then, so that nobody on the way takes it for dead', async () => {
    const { tenants } = server.services;
    const tenantId = user.tenant.id;
    const scanId = await launched();
    const scan = await tenants.read(tenantId, (db) => findScan(db, scanId));
    if (scan === null) throw new Error('The scan is gone');
    const pace = { lookEveryMs: 2, progressAtMostEveryMs: 1, commentEveryMs: 20, checkEveryMs: 50 };
    let checks = 0;
    const mayGoOn = async () => {
      checks += 1;
      return checks < 3;
    };
    const feeds = new ScanFeeds(tenants, () => false, pace);
    const sent: string[] = [];
    for await (const piece of feeds.follow({
      tenantId,
      scan,
      after: null,
      mayGoOn,
      isGone: () => false,
    })) {
      sent.push(piece);
    }
    expect(sent.filter((piece) => piece.startsWith(':')).length).toBeGreaterThan(3);
    expect(sent.filter((piece) => piece.startsWith('event:'))).toHaveLength(1);
    expect(feeds.watched).toBe(0);
  });
});
