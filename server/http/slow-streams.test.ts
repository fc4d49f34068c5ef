import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { StreamName } from '@cspm/contract';
import type { Response } from 'express';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Analyst } from '../../tests/kit/analyst.ts';
import { EventStream } from '../../tests/kit/event-stream.ts';
import { cluster } from '../../tests/kit/export-records.ts';
import { plantFindings } from '../../tests/kit/planted-findings.ts';
import { freshAddress, startTestServer, type TestServer } from '../../tests/kit/test-server.ts';
import { until } from '../../tests/kit/until.ts';
import type { Principal } from '../platform/principal.ts';
import { ProblemError } from '../platform/problem.ts';
import { readerOf } from './client-pace.ts';
import { OpenStreams } from './open-streams.ts';
import { sendStream } from './stream.ts';

const BYTES_PER_SECOND = 32 * 1024;

const WAITS = { maxMs: 50, afterMs: Number.POSITIVE_INFINITY, checkMs: 10 };

/** As in production, with fewer streams and shorter times. */
function streamsWith(windowMs: number, waits: Partial<typeof WAITS> = {}): OpenStreams {
  const few = { perCredential: 2, perTenant: 2, inAll: 4 };
  return new OpenStreams({
    limits: { events: few, export: few, report: few },
    slow: { bytesPerSecond: BYTES_PER_SECOND, windowMs },
    waits: { ...WAITS, ...waits },
  });
}

/** A client that reads what it is told to. */
class Reader {
  readonly socket: Socket;
  bytesRead = 0;
  /** The last that it has read. */
  end = '';
  isClosed = false;

  constructor(url: string, path: string, headers: Readonly<Record<string, string>>) {
    this.socket = connect(Number(new URL(url).port), '127.0.0.1');
    this.socket.on('error', () => undefined);
    this.socket.once('close', () => {
      this.isClosed = true;
    });
    const all = {
      Host: 'test',
      Connection: 'close',
      'X-Forwarded-For': freshAddress(),
      ...headers,
    };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
    this.socket.write(`${[`GET ${path} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n`);
    open.add(this);
  }

  /** Reads some bytes from time to time, until it reads all. */
  async readEvery(ms: number, bytes: number): Promise<void> {
    while (!this.isClosed && this.socket.listenerCount('data') === 0) {
      const piece: Uint8Array | null = this.socket.read(bytes);
      this.bytesRead += piece?.length ?? 0;
      await delay(ms);
    }
  }

  readAll(): this {
    this.socket.on('data', (piece) => {
      this.bytesRead += piece.length;
      this.end = `${this.end}${piece.toString('latin1')}`.slice(-10);
    });
    return this;
  }
}

const open = new Set<Reader>();

afterEach(() => {
  for (const { socket } of open) socket.destroy();
  open.clear();
});

describe('exports of slow clients', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await startTestServer();
  });

  afterAll(() => server.close());

  /** Opens as many exports as there may be, of two tenants. */
  async function takeAll(streams: OpenStreams): Promise<Reader[]> {
    Object.assign(server.services, { openStreams: streams });
    const readers: Reader[] = [];
    for (let tenant = 0; tenant < 2; tenant += 1) {
      const user = await server.people.user();
      const analyst = new Analyst(server, user.key, user.tenant.id);
      const { id } = await analyst.ask(200, `/projects/${await analyst.project([])}`);
      // More than the buffers between the server and its clients.
      const planted = Array.from({ length: 600 }, () => ({ message: 'x'.repeat(20_000) }));
      await plantFindings(server.database, user.tenant.id, id, planted);
      for (let count = 0; count < 2; count += 1) {
        readers.push(new Reader(server.url, '/findings/export', user.key));
      }
    }
    await until('all exports to be open', async () => streams.open('export') === 4);
    return readers;
  }

  it('a slow export gives its place to an export of another tenant, and the others are complete', async () => {
    const streams = streamsWith(300);
    const slow = await takeAll(streams);
    for (const reader of slow) void reader.readEvery(20, 20);
    const another = await Analyst.at(server);
    const answer = await until('an export of another tenant', async () => {
      const reply = await another.call('/findings/export');
      return reply.status === 503 ? null : reply;
    });
    expect(answer.status).toBe(200);
    await until('the new one to end', async () => streams.open('export') === 3);
    // A client sees the end after what the network holds.
    for (const reader of slow) reader.readAll();
    await until('all to be closed', async () => slow.every(({ isClosed }) => isClosed));
    expect(slow.filter(({ end }) => end.endsWith('\r\n0\r\n\r\n'))).toHaveLength(3);
  });

  it('an export of a tenant without any waits for a place of a tenant with several, even if no pace is known', async () => {
    const streams = streamsWith(600_000, { maxMs: 600_000, afterMs: 100 });
    const slow = await takeAll(streams);
    const another = await Analyst.at(server);
    expect((await another.call('/findings/export')).status).toBe(200);
    await until('the new one to end', async () => streams.open('export') === 3);
    for (const reader of slow) reader.readAll();
    await until('all to be closed', async () => slow.every(({ isClosed }) => isClosed));
    expect(slow.filter(({ end }) => end.endsWith('\r\n0\r\n\r\n'))).toHaveLength(3);
  });

  it('event streams are never ended because nothing happens', async () => {
    const streams = streamsWith(1);
    Object.assign(server.services, { openStreams: streams });
    const followers: EventStream[] = [];
    const follow = async () => {
      const analyst = await Analyst.at(server);
      // No worker runs it.
      const scan = await analyst.launch(await analyst.project([cluster('a')]), 'gke');
      return EventStream.open(server, `/scans/${scan}/events`, analyst.headers);
    };
    for (let count = 0; count < 4; count += 1) followers.push(await follow());
    await until('all to have the first event', async () =>
      followers.every(({ events }) => events.length === 1),
    );
    expect((await follow()).response.status).toBe(503);
    expect(followers.map(({ hasEnded }) => hasEnded)).toEqual([false, false, false, false]);
    expect(streams.open('events')).toBe(4);
    for (const follower of followers) follower.leave();
  });
});

describe('streams with one slow client', () => {
  const streams = streamsWith(300);
  /** Targets of the streams that have ended. */
  const ended: string[] = [];

  /** Its path is the tenant and what it sends. */
  const server = createServer(async (req, res) => {
    const [, kind = '', tenant = '', source = ''] = (req.url ?? '').split('/');
    const response = res as unknown as Response;
    const stream = streams.begin(kind as StreamName, principalOf(tenant), readerOf(response));
    await stream.enter();
    await sendStream(response, {}, stream.pace.whileTaken(SOURCES[source as Source]()));
    stream.end();
    ended.push(req.url ?? '');
  });
  let url = '';

  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  afterAll(() => server.close());

  it.each([
    ['export', 'flood'],
    ['report', 'whole'],
  ] as const)(
    'a client that reads as fast as the server produces keeps its %s, and a slow one does not: %s',
    async (kind, source) => {
      const endedOnes = () => ended.filter((target) => target.startsWith(`/${kind}/`));
      const fast = ['a', 'a', 'b'].map((tenant) =>
        new Reader(url, `/${kind}/${tenant}/trickle`, {}).readAll(),
      );
      const slow = new Reader(url, `/${kind}/b/${source}`, {});
      void slow.readEvery(20, 20);
      await until('all streams to be open', async () => streams.open(kind) === 4);
      const ask = (tenant: string) => {
        const [bytes, isAwaited, isGone] = [() => 0, () => true, () => false];
        const client = { bytes, isAwaited, isGone, end: () => undefined };
        return attempt(async () => {
          const stream = streams.begin(kind, principalOf(tenant), client);
          await stream.enter().catch((error: unknown) => {
            stream.end();
            throw error;
          });
          return stream;
        });
      };
      const own = await until('the own tenant to be refused', async () => ask('b'));
      expect(own).toMatchObject({ code: 'RATE_LIMITED' });
      const stream = await until('another tenant to get a place', async () => {
        const answer = await ask('c');
        return answer instanceof ProblemError ? null : answer;
      });
      await until('the slow one to be ended', async () => endedOnes().length > 0);
      expect(endedOnes()).toEqual([`/${kind}/b/${source}`]);
      const [first] = fast;
      const enough = (first?.bytesRead ?? 0) + 200 * TRICKLE.length;
      await until('the others to have been measured', async () => {
        expect(await ask('d')).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
        return (first?.bytesRead ?? 0) > enough;
      });
      expect(fast.map(({ isClosed }) => isClosed)).toEqual([false, false, false]);
      stream.end();
    },
  );
});

const TRICKLE = 'x'.repeat(100);

type Source = 'trickle' | 'flood' | 'whole';

const SOURCES: Record<Source, () => AsyncIterable<string>> = {
  /** Slower than a client may be. */
  async *trickle() {
    for (;;) {
      yield TRICKLE;
      await delay(5);
    }
  },
  async *flood() {
    const piece = 'x'.repeat(64 * 1024);
    for (;;) yield piece;
  },
  /** It ends before its client has read it. */
  async *whole() {
    yield 'x'.repeat(32 * 1024 * 1024);
  },
};

async function attempt<T>(ask: () => Promise<T>): Promise<T | ProblemError> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof ProblemError) return error;
    throw error;
  }
}

function principalOf(id: string): Principal {
  return { kind: 'api_key', keyId: id, tenant: { id } } as Principal;
}
