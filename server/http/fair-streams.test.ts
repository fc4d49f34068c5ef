import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Analyst } from '../../tests/kit/analyst.ts';
import { EventStream } from '../../tests/kit/event-stream.ts';
import { cluster } from '../../tests/kit/export-records.ts';
import { startTestServer, type TestServer } from '../../tests/kit/test-server.ts';
import { until } from '../../tests/kit/until.ts';
import { OpenStreams } from './open-streams.ts';

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
    limits: { events: few, export: few, report: few },
    slow: { bytesPerSecond: 32 * 1024, windowMs: 60_000 },
  });
  Object.assign(server.services, { openStreams: streams });
}

/** A tenant with a scan that no worker runs, so its streams stay open. */
class Tenant {
  readonly #analyst: Analyst;
  readonly #scan: string;

  private constructor(analyst: Analyst, scan: string) {
    this.#analyst = analyst;
    this.#scan = scan;
  }

  static async create(): Promise<Tenant> {
    const analyst = await Analyst.at(server);
    return new Tenant(analyst, await analyst.launch(await analyst.project([cluster('a')]), 'gke'));
  }

  /** @param after the id of the last event that the client has received */
  async follow(after?: number): Promise<EventStream> {
    const resumed = after === undefined ? {} : { 'last-event-id': String(after) };
    const headers = { ...this.#analyst.headers, ...resumed };
    const stream = await EventStream.open(server, `/scans/${this.#scan}/events`, headers);
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
