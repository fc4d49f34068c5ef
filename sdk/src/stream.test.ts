import { describe, expect, test } from 'vitest';
import { arrange, arrangeInRealTime, failureOf, SCAN_ID, scan } from '../conformance/arrange.ts';
import { endsAtOnce } from '../conformance/at-once.ts';
import { problem, type Reply, type Step } from '../conformance/server.ts';
import {
  AbortError,
  ConnectionError,
  FeatureNotLicensedError,
  NotFoundError,
  TimeoutError,
} from './errors.ts';
import type { ServerEvent } from './event-stream.ts';
import type { Scan } from './models.gen.ts';

const EXPORT = 'GET /findings/export';
const EVENTS = `GET /scans/${SCAN_ID}/events`;

async function collect<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const pieces: T[] = [];
  for await (const piece of stream) pieces.push(piece);
  return pieces;
}

function lines(reply: Reply): Reply {
  return { headers: { 'content-type': 'application/x-ndjson' }, ...reply };
}

/** A response of events with ids and statuses; `done` for a finished scan. */
function events(
  shown: readonly (readonly [id: number, status: Scan['status']])[],
  reply: Reply = {},
): Reply {
  const pieces = shown.map(([id, status]) => {
    const event = status === 'running' ? 'progress' : 'done';
    return `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(scan({ status }))}\n\n`;
  });
  return { headers: { 'content-type': 'text/event-stream' }, pieces, ...reply };
}

function brief({ id, event, data }: ServerEvent<Scan>) {
  return `${id} ${event} ${data.status}`;
}

describe('an export', () => {
  test('an export is text in any chunks, and has the requested format', async () => {
    const { server, cspm } = await arrange();
    const bytes = new TextEncoder().encode('{"n":"ä€😀"}\n');
    server.on(EXPORT, lines({ pieces: Array.from(bytes, (byte) => Uint8Array.of(byte)) }));
    const text = await collect(cspm.findings.export({ format: 'ndjson', severity: 'high' }));
    expect(text.join('')).toBe('{"n":"ä€😀"}\n');
    expect(text.every((piece) => piece !== '')).toBe(true);
    expect(server.requests[0]?.query.toString()).toBe('format=ndjson&severity=high');
  });

  test('an export with a deadline of its own call fails with TimeoutError while it is still being read', async () => {
    const { server, cspm } = await arrangeInRealTime();
    server.on(EXPORT, lines({ pieces: ['a'], unfinished: true }));
    await failureOf(collect(cspm.findings.export({}, { timeoutMs: 200 })), TimeoutError);
    await server.requests[0]?.over;
  });

  test('an export is empty when there is nothing to export', async () => {
    const { server, cspm } = await arrange();
    server.on('GET /audit-events/export', lines({ pieces: [] }));
    expect(await collect(cspm.auditEvents.export())).toEqual([]);
  });

  test('an export is requested when it is iterated over, and each time again', async () => {
    const { server, cspm } = await arrange();
    server.on(EXPORT, lines({ pieces: ['a\n'] }));
    const stream = cspm.findings.export();
    expect(server.requests).toEqual([]);
    expect(await collect(stream)).toEqual(['a\n']);
    expect(await collect(stream)).toEqual(['a\n']);
    expect(server.requests).toHaveLength(2);
  });

  test.each<[string, Step]>([
    ['was refused with 503', { status: 503 }],
    ['lost its connection', 'reset'],
    ['broke after its head', lines({ pieces: [], broken: true })],
  ])('an export is requested again when it %s before any data arrived', async (_, step) => {
    const { server, cspm } = await arrange();
    server.on(EXPORT, step, lines({ pieces: ['a\n'] }));
    expect(await collect(cspm.findings.export())).toEqual(['a\n']);
    expect(server.requests).toHaveLength(2);
  });

  test('an export ends with an error when it breaks off, and never appears complete', async () => {
    const { server, cspm } = await arrange();
    server.on(EXPORT, lines({ pieces: ['a\n', 'b\n'], everyMs: 20, broken: true }));
    const seen: string[] = [];
    const reading = async () => {
      for await (const piece of cspm.findings.export()) seen.push(piece);
    };
    const error = await failureOf(reading(), ConnectionError);
    expect(seen.join('')).toBe('a\nb\n');
    expect(error.attempts.map(({ status }) => status)).toEqual([200]);
    expect(server.requests).toHaveLength(1);
  });

  test('an export ends with the error of a refusal', async () => {
    const { server, cspm } = await arrange();
    server.on('GET /audit-events/export', problem(403, 'FEATURE_NOT_LICENSED'));
    await failureOf(collect(cspm.auditEvents.export()), FeatureNotLicensedError);
  });

  test('an export may last longer than the limits of attempt and call, which apply only to its start', async () => {
    const { server, cspm } = await arrangeInRealTime({ timeoutMs: 4_000, attemptTimeoutMs: 3_500 });
    server.on(EXPORT, lines({ pieces: ['a', 'b', 'c', 'd'], everyMs: 1_100 }));
    expect((await collect(cspm.findings.export())).join('')).toBe('abcd');
  });

  test('an export is requested again when its response does not start, and ends with the deadline', async () => {
    const { server, cspm } = await arrangeInRealTime({ attemptTimeoutMs: 2_000 });
    server.on(EXPORT, 'hang', lines({ pieces: ['a'] }));
    expect(await collect(cspm.findings.export())).toEqual(['a']);
    server.on(EXPORT, 'hang');
    await failureOf(collect(cspm.findings.export({}, { timeoutMs: 80 })), TimeoutError);
  });

  test('an export ends immediately on abort with the reason as cause, and closes the connection', async () => {
    const { server, cspm } = await arrangeInRealTime();
    server.on(EXPORT, lines({ pieces: ['a'], unfinished: true }));
    const controller = new AbortController();
    const { signal } = controller;
    const pieces = cspm.findings.export({}, { signal })[Symbol.asyncIterator]();
    expect((await pieces.next()).value).toBe('a');
    const next = failureOf(pieces.next(), AbortError);
    expect(await endsAtOnce(next, () => controller.abort('enough'))).toBe(true);
    expect((await next).cause).toBe('enough');
    await server.requests[0]?.over;
  });

  test('an export closes the connection when it is aborted while nobody reads', async () => {
    const { server, cspm } = await arrangeInRealTime();
    server.on(EXPORT, lines({ pieces: ['a'], unfinished: true }));
    const controller = new AbortController();
    const { signal } = controller;
    const pieces = cspm.findings.export({}, { signal })[Symbol.asyncIterator]();
    await pieces.next();
    controller.abort();
    await server.requests[0]?.over;
    await failureOf(pieces.next(), AbortError);
  });

  test('an export closes the connection when it is left early, even while a chunk is awaited', async () => {
    const { server, cspm } = await arrangeInRealTime();
    server.on(EXPORT, lines({ pieces: ['a'], unfinished: true }));
    for await (const piece of cspm.findings.export()) if (piece) break;
    await server.requests[0]?.over;

    const pieces = cspm.findings.export()[Symbol.asyncIterator]();
    await pieces.next();
    const awaited = failureOf(pieces.next(), AbortError);
    await pieces.return?.();
    await awaited;
    await server.requests[1]?.over;
    expect(await pieces.next()).toMatchObject({ done: true });
  });
});

describe('the events of a scan', () => {
  test('the events of a scan have id and type and end when the scan ends, even if the connection stays open', async () => {
    const { server, cspm } = await arrange();
    const shown = events([
      [1, 'running'],
      [2, 'running'],
      [3, 'partial'],
    ]);
    server.on(EVENTS, { ...shown, unfinished: true });
    const seen = await collect(cspm.scans.events({ id: SCAN_ID }));
    expect(seen.map(brief)).toEqual(['1 progress running', '2 progress running', '3 done partial']);
    expect(seen[2]?.data).toEqual(scan({ status: 'partial' }));
    await server.requests[0]?.over;
  });

  test.each<[string, Reply]>([
    ['breaks', { broken: true }],
    ['ends', {}],
  ])('the events of a scan resume after the last event when a connection %s', async (_, how) => {
    const { server, cspm } = await arrange();
    const first = events(
      [
        [1, 'running'],
        [2, 'running'],
      ],
      { everyMs: 20, ...how },
    );
    server.on(EVENTS, first, events([[3, 'completed']]));
    const seen = await collect(
      cspm.scans.events({ id: SCAN_ID }, { headers: { 'x-own': 'mine' } }),
    );
    expect(seen.map(({ id }) => id)).toEqual(['1', '2', '3']);
    expect(server.requests.map(({ headers }) => headers['last-event-id'])).toEqual([
      undefined,
      '2',
    ]);
    expect(server.requests.map(({ headers }) => headers['x-own'])).toEqual(['mine', 'mine']);
  });

  test('the events of a scan end with an error after three connections without events', async () => {
    const { server, cspm } = await arrange();
    const none = { headers: { 'content-type': 'text/event-stream' }, pieces: [': hello\n\n'] };
    server.on(EVENTS, events([[1, 'running']]), none);
    const error = await failureOf(collect(cspm.scans.events({ id: SCAN_ID })), ConnectionError);
    expect(server.requests).toHaveLength(3);
    expect(error.attempts.map(({ status }) => status)).toEqual([200, 200]);
  });

  test('the events of a scan resume any number of times while events arrive', async () => {
    const { server, cspm, clock } = await arrange();
    clock.chance = () => 0;
    let at = 0;
    server.on(EVENTS, () => {
      at += 1;
      return events([[at, at < 60 ? 'running' : 'completed']]);
    });
    expect(await collect(cspm.scans.events({ id: SCAN_ID }))).toHaveLength(60);
  });

  test('the events of a scan are not requested again before the delay that the stream asks for', async () => {
    const { server, cspm, clock } = await arrange();
    const { pieces = [], ...rest } = events([[1, 'running']]);
    server.on(
      EVENTS,
      { ...rest, pieces: ['retry: 7000\n', ...pieces] },
      events([[2, 'completed']]),
    );
    await collect(cspm.scans.events({ id: SCAN_ID }));
    expect(clock.sleeps[0]).toBeGreaterThanOrEqual(7000);
    expect(clock.sleeps[0]).toBeLessThanOrEqual(8400);
  });

  test('the events of a scan are not requested again with `retry: false`', async () => {
    const { server, cspm } = await arrange();
    server.on(EVENTS, events([[1, 'running']]));
    const stream = cspm.scans.events({ id: SCAN_ID }, { retry: false });
    await failureOf(collect(stream), ConnectionError);
    expect(server.requests).toHaveLength(1);
  });

  test('the events of a scan end with the connection when the scan is finished, with any type of the last event', async () => {
    const { server, cspm } = await arrange();
    const data = JSON.stringify(scan({ status: 'failed' }));
    server.on(EVENTS, { pieces: [`data: ${data}\n\n`] });
    expect(await collect(cspm.scans.events({ id: SCAN_ID }))).toHaveLength(1);
    expect(server.requests).toHaveLength(1);
  });

  test('the events of a scan use the retry budget when they resume, and return it on success', async () => {
    const { server, cspm, clock } = await arrange();
    clock.chance = () => 0;
    server.on(EVENTS, { pieces: [': hello\n\n'] });
    for (let call = 0; call < 150; call += 1) {
      await failureOf(collect(cspm.scans.events({ id: SCAN_ID })), ConnectionError);
    }
    expect(server.requests.length).toBeLessThanOrEqual(190);
  });

  test('the events of a scan end with TimeoutError after the deadline of their own call, whether they arrive or not', async () => {
    const { server, cspm } = await arrangeInRealTime();
    const many = Array.from({ length: 100 }, (_, id) => [id, 'running'] as const);
    for (const reply of [{ unfinished: true }, { everyMs: 50 }]) {
      server.on(EVENTS, events(many, reply));
      const stream = cspm.scans.events({ id: SCAN_ID }, { timeoutMs: 300 });
      await failureOf(collect(stream), TimeoutError);
    }
  });

  test('the events of a scan are refused for an unknown scan', async () => {
    const { cspm } = await arrange();
    await failureOf(collect(cspm.scans.events({ id: SCAN_ID })), NotFoundError);
  });

  test('the events of a scan end with an error when they are not JSON', async () => {
    const { server, cspm } = await arrange();
    server.on(EVENTS, { pieces: ['data: <html>\n\n'] });
    const error = await failureOf(collect(cspm.scans.events({ id: SCAN_ID })), ConnectionError);
    expect(error.cause).toBeInstanceOf(Error);
    expect(error.message).toContain('JSON');
  });

  test('the events of a scan resume with a new token when the session was refreshed meanwhile', async () => {
    const { server, client } = await arrange();
    const cspm = client({ session: { accessToken: 'a1', refreshToken: 'r1' } });
    server.on('POST /auth/refresh', { body: { accessToken: 'a2', refreshToken: 'r2' } });
    const expired = problem(401, 'UNAUTHORIZED');
    server.on(EVENTS, events([[1, 'running']]), expired, events([[2, 'completed']]));
    expect(await collect(cspm.scans.events({ id: SCAN_ID }))).toHaveLength(2);
    const last = server.to(EVENTS).at(-1)?.headers;
    expect(last).toMatchObject({ authorization: 'Bearer a2', 'last-event-id': '1' });
  });

  test('the events of a scan end on abort while waiting to resume', async () => {
    const { server, cspm } = await arrangeInRealTime();
    const { pieces = [], ...rest } = events([[1, 'running']]);
    server.on(EVENTS, { ...rest, pieces: ['retry: 9000\n', ...pieces] });
    const controller = new AbortController();
    const { signal } = controller;
    const reading = async () => {
      for await (const event of cspm.scans.events({ id: SCAN_ID }, { signal })) {
        setTimeout(() => controller.abort('enough'), 50);
        expect(event.id).toBe('1');
      }
    };
    const error = await failureOf(reading(), AbortError);
    expect(error.cause).toBe('enough');
  });
});
