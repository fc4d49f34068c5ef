import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Analyst } from '../../tests/kit/analyst.ts';
import { EventStream } from '../../tests/kit/event-stream.ts';
import { cluster } from '../../tests/kit/export-records.ts';
import { startTestServer, type TestServer } from '../../tests/kit/test-server.ts';
import { until } from '../../tests/kit/until.ts';
import type { Principal } from '../platform/principal.ts';
import { ProblemError } from '../platform/problem.ts';
import { OPEN_STREAM_OPTIONS, OpenStreams } from './open-streams.ts';

let server: TestServer;
let streams: OpenStreams;
const open = new Set<EventStream>();

beforeAll(async () => {
  server = await startTestServer();
});

afterEach(async () => {
  for (const stream of open) stream.leave();
  open.clear();
  await until('all streams to be closed', async () => streams.open('events') === 0);
});

afterAll(() => server.close());

/** As in production, with fewer streams. */
function limit(perTenant: number, inAll: number): void {
  const few = { perCredential: perTenant, perTenant, inAll };
  streams = new OpenStreams({
    ...OPEN_STREAM_OPTIONS,
    limits: { events: few, export: few, report: few },
  });
  Object.assign(server.services, { openStreams: streams });
}

/** A tenant with a scan that no worker runs, so its streams stay open. */
class Tenant {
  readonly #analyst: Analyst;
  readonly #scan: string;
  /** The path of the events of its scan. */
  readonly events: string;

  private constructor(analyst: Analyst, scan: string) {
    this.#analyst = analyst;
    this.#scan = scan;
    this.events = `/scans/${scan}/events`;
  }

  static async create(): Promise<Tenant> {
    const analyst = await Analyst.at(server);
    return new Tenant(analyst, await analyst.launch(await analyst.project([cluster('a')]), 'gke'));
  }

  /** @param after the id of the last event that the client has received */
  async follow(after?: number): Promise<EventStream> {
    const resumed = after === undefined ? {} : { 'last-event-id': String(after) };
    const headers = { ...this.#analyst.headers, ...resumed };
    const stream = await EventStream.open(server, this.events, headers);
    open.add(stream);
    return stream;
  }

  /** Streams that have their first event. */
  async followWith(count: number): Promise<EventStream[]> {
    const all: EventStream[] = [];
    for (let index = 0; index < count; index += 1) all.push(await this.follow());
    const haveBegun = async () => all.every(({ events }) => events.length === 1);
    await until('all to have an event', haveBegun);
    return all;
  }

  async statusOf(path: string, method = 'GET'): Promise<number> {
    return (await this.#analyst.call(path, { method })).status;
  }

  async cancel(): Promise<void> {
    await this.#analyst.ask(202, `/scans/${this.#scan}/cancel`, { method: 'POST' });
  }
}

const ended = (all: readonly EventStream[]) => all.map(({ hasEnded }) => hasEnded);
const statusOf = async (stream: Promise<EventStream>) => (await stream).response.status;

describe('streams of events while all are open', () => {
  it('a tenant takes the place of the newest stream of the tenant with the most, if that has at least two more', async () => {
    limit(4, 6);
    const many = await Tenant.create();
    const few = await Tenant.create();
    const asker = await Tenant.create();
    const ofMany = await many.followWith(4);
    const ofFew = await few.followWith(2);
    expect(await statusOf(asker.follow())).toBe(200);
    await until('one to have ended', async () => ended(ofMany).includes(true));
    expect(ended(ofMany)).toEqual([false, false, false, true]);
    expect(await statusOf(asker.follow())).toBe(200);
    await until('another one to have ended', async () => ended(ofMany)[2] === true);
    // Each has two.
    for (const tenant of [many, few, asker]) expect(await statusOf(tenant.follow())).toBe(503);
    expect(ended([...ofMany, ...ofFew])).toEqual([false, false, true, true, false, false]);
    expect(streams.open('events')).toBe(6);
  });

  it('a request that gets no stream, for an unknown scan or with HEAD, takes no place from another tenant', async () => {
    limit(4, 4);
    const ofMany = await (await Tenant.create()).followWith(4);
    const asker = await Tenant.create();
    expect(await asker.statusOf(`/scans/${randomUUID()}/events`)).toBe(404);
    expect(await asker.statusOf(asker.events, 'HEAD')).toBe(200);
    expect(ended(ofMany)).toEqual([false, false, false, false]);
    expect(streams.open('events')).toBe(4);
    expect(await statusOf(asker.follow())).toBe(200);
    await until('one to have ended', async () => ended(ofMany)[3] === true);
  });

  it('a client whose stream made way resumes it when there is a place, and misses no event', async () => {
    limit(2, 2);
    const [first, second] = [await Tenant.create(), await Tenant.create()];
    const [, newest] = await first.followWith(2);
    const other = await second.follow();
    expect(other.response.status).toBe(200);
    await until('one to have ended', async () => newest?.hasEnded === true);
    const last = newest?.events.at(-1)?.id;
    // It takes no place back.
    expect(await statusOf(first.follow(last))).toBe(503);
    expect(other.hasEnded).toBe(false);
    await first.cancel();
    other.leave();
    await until('a place', async () => streams.open('events') < 2);
    const resumed = await first.follow(last);
    await resumed.ended();
    expect(resumed.events.map(({ event }) => event)).toEqual(['done']);
  });
});

describe('exports and reports while all are open', () => {
  const few = { perCredential: 4, perTenant: 4, inAll: 4 };
  const waits = { maxMs: 60_000, afterMs: 60_000, checkMs: 5 };

  function streamsWith(given: Partial<typeof waits>): OpenStreams {
    return new OpenStreams({
      ...OPEN_STREAM_OPTIONS,
      limits: { events: few, export: few, report: few },
      waits: { ...waits, ...given },
    });
  }

  /** Streams of clients that the server waits for, in the order in which they get a place. */
  class Clients {
    readonly begun: string[] = [];
    readonly refused: string[] = [];
    readonly ended: string[] = [];
    readonly #streams: OpenStreams;
    readonly #ends = new Map<string, () => void>();

    constructor(streams: OpenStreams) {
      this.#streams = streams;
    }

    /** @param name begins with the tenant */
    async begin(name: string, { isGone = false } = {}): Promise<void> {
      const client = {
        bytes: () => 0,
        isAwaited: () => false,
        isGone: () => isGone,
        end: () => {
          this.ended.push(name);
        },
      };
      const tenant = name.slice(0, 1);
      const principal = { kind: 'api_key', keyId: tenant, tenant: { id: tenant } } as Principal;
      try {
        const stream = this.#streams.begin('export', principal, client);
        this.#ends.set(name, stream.end);
        await stream.enter();
        this.begun.push(name);
      } catch (error) {
        if (!(error instanceof ProblemError)) throw error;
        this.end(name);
        this.refused.push(`${name} ${error.code}`);
      }
    }

    async beginAll(...names: readonly string[]): Promise<void> {
      for (const name of names) await this.begin(name);
    }

    end(name: string): void {
      this.#ends.get(name)?.();
    }
  }

  it('a place that becomes free goes to the tenant with the fewest, and not to the one that asks most', async () => {
    const clients = new Clients(streamsWith({}));
    await clients.beginAll('a1', 'a2', 'b1', 'b2');
    const waiting = ['a3', 'a4', 'b3', 'c1', 'c2', 'd1'].map((name) => clients.begin(name));
    for (const name of ['a1', 'b1', 'a2', 'b2', 'c1', 'd1']) {
      const { length } = clients.begun;
      clients.end(name);
      await until('one begins', async () => clients.begun.length > length);
    }
    await Promise.all(waiting);
    expect(clients.begun.slice(4)).toEqual(['c1', 'd1', 'a3', 'b3', 'c2', 'a4']);
    expect(clients.ended).toEqual([]);
  });

  it('a tenant with several gives one up to a tenant without any that has waited, and one with a single stream does not', async () => {
    const clients = new Clients(streamsWith({ afterMs: 0, maxMs: 200 }));
    await clients.beginAll('a1', 'b1', 'b2', 'b3');
    await clients.begin('c1');
    await clients.begin('d1');
    expect(clients.begun.slice(4)).toEqual(['c1', 'd1']);
    expect(clients.ended).toEqual(['b3', 'b2']);
    await Promise.all(['a2', 'e1'].map((name) => clients.begin(name)));
    const refused = ['a2 SERVICE_UNAVAILABLE', 'e1 SERVICE_UNAVAILABLE'];
    expect(clients.refused.toSorted()).toEqual(refused);
    expect(clients.ended).toHaveLength(2);
  });

  it('nobody makes way at once, or for a client that has disconnected', async () => {
    const streams = streamsWith({});
    const clients = new Clients(streams);
    await clients.beginAll('a1', 'a2', 'a3', 'a4');
    const patient = clients.begin('b1');
    await clients.begin('c1', { isGone: true });
    expect(clients.refused).toEqual(['c1 SERVICE_UNAVAILABLE']);
    expect([clients.ended, streams.waiting('export')]).toEqual([[], 1]);
    clients.end('a1');
    await patient;
    expect(clients.begun.at(-1)).toBe('b1');
  });

  it('streams that wait count against the limit of their tenant', async () => {
    const clients = new Clients(streamsWith({}));
    await clients.beginAll('a1', 'a2', 'b1', 'b2');
    const waiting = ['a3', 'a4'].map((name) => clients.begin(name));
    await clients.begin('a5');
    expect(clients.refused).toEqual(['a5 RATE_LIMITED']);
    for (const name of ['b1', 'b2']) clients.end(name);
    await Promise.all(waiting);
  });
});
