import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Analyst } from '../../../tests/kit/analyst.ts';
import { EventStream } from '../../../tests/kit/event-stream.ts';
import { cluster, manyClusters } from '../../../tests/kit/export-records.ts';
import type { TestUser } from '../../../tests/kit/people.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { until } from '../../../tests/kit/until.ts';
import { newId } from '../../platform/ids.ts';
import { createLogger } from '../../platform/logger.ts';
import { startWorker } from '../../start/start-worker.ts';
import { findScan } from './queries.ts';
import { ScanFeeds } from './scan-events.ts';

let server: TestServer;
let user: TestUser;
let analyst: Analyst;

beforeAll(async () => {
  // Without a worker, so that a scan changes only when the test runs it.
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

describe('a client that follows a scan', () => {
  it('a client that follows a scan gets its state, changes at most once a second, and its end, after which the stream ends', async () => {
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
      // Timers may fire slightly early and data may be read slightly late.
      expect(event.at - (progress[index]?.at ?? 0)).toBeGreaterThan(950);
    });
    expect(events.map(({ id }) => id)).toEqual(
      [...new Set(events.map(({ id }) => id))].toSorted((a, b) => a - b),
    );
  });

  it('a client that follows a scan resumes after its last event: earlier events are not repeated, the end is', async () => {
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
    // Reconnecting with the last id repeats the final event, on any instance.
    const again = await follow(scanId, { ...user.key, 'last-event-id': `${done?.id}` });
    await again.ended();
    expect(again.events).toMatchObject([{ event: 'done', id: done?.id }]);
  });

  it('a client that follows a scan gets the cancellation', async () => {
    const scanId = await launched();
    const stream = await follow(scanId);
    await first(stream);
    await analyst.ask(202, `/scans/${scanId}/cancel`, { method: 'POST' });
    await stream.ended();
    expect(stream.events.at(-1)).toMatchObject({ event: 'done', data: { status: 'cancelled' } });
  });

  it.each([
    ['its key is revoked', 'UPDATE identity.api_keys SET revoked_at = now() WHERE id = $1'],
    [
      'its role loses access to scans',
      `UPDATE identity.memberships SET role = 'nothing' WHERE user_id =
         (SELECT user_id FROM identity.api_keys WHERE id = $1)`,
    ],
  ])('a client that follows a scan is disconnected within seconds when %s', async (_what, sql) => {
    const scanId = await launched();
    const stream = await follow(scanId);
    const other = await server.people.user({ tenant: user.tenant });
    const others = await follow(scanId, other.session);
    await first(stream);
    await server.database.owner.query(sql, [user.keyId]);
    await until('the end of the stream', async () => stream.hasEnded);
    expect(stream.events.map(({ event }) => event)).toEqual(['progress']);
    expect(others.hasEnded).toBe(false);
    others.leave();
  });

  it('a client that follows a scan gets the refusals of any other endpoint', async () => {
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

describe('a server with event streams', () => {
  it('a server reads a scan once for all clients that follow it, and stops when they are gone', async () => {
    const scanId = await launched();
    const { scanFeeds } = server.services;
    await until('the followers of before to be gone', async () => scanFeeds.watched === 0);
    const streams = await Promise.all([follow(scanId), follow(scanId), follow(scanId)]);
    await Promise.all(streams.map(first));
    expect(scanFeeds.watched).toBe(1);
    for (const stream of streams) stream.leave();
    await until('nobody to be watching', async () => scanFeeds.watched === 0);
  });

  it('a server ends its event streams while draining', async () => {
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

describe('an idle event stream', () => {
  it('an idle event stream sends comments, so that no proxy closes it', async () => {
    const { tenants } = server.services;
    const tenantId = user.tenant.id;
    const scanId = await launched();
    const scan = await tenants.read(tenantId, (db) => findScan(db, scanId));
    if (scan === null) throw new Error('The scan is gone');
    const pace = { lookEveryMs: 2, progressAtMostEveryMs: 1, commentEveryMs: 20, checkEveryMs: 50 };
    const sent: string[] = [];
    const comments = () => sent.filter((piece) => piece.startsWith(':')).length;
    const mayGoOn = async () => comments() <= 3;
    const feeds = new ScanFeeds(tenants, () => false, pace);
    for await (const piece of feeds.follow({
      tenantId,
      scan,
      after: null,
      mayGoOn,
      isGone: () => false,
    })) {
      sent.push(piece);
    }
    expect(comments()).toBeGreaterThan(3);
    expect(sent.filter((piece) => piece.startsWith('event:'))).toHaveLength(1);
    expect(feeds.watched).toBe(0);
  });
});
