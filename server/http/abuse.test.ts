import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { attacksOn, bombsFor, parsersOf } from '../../tests/kit/abuse.ts';
import { type ContractCase, contractCases, pathOf } from '../../tests/kit/contract-operations.ts';
import type { TestUser } from '../../tests/kit/people.ts';
import { StallWatch } from '../../tests/kit/stall-watch.ts';
import { Tour } from '../../tests/kit/surface-tour.ts';
import { freshAddress, startTestServer, type TestServer } from '../../tests/kit/test-server.ts';
import { threadCpuMs } from '../../tests/kit/thread-cpu.ts';
import { until } from '../../tests/kit/until.ts';
import { CLIENT_PACE } from './client-pace.ts';

const cases = contractCases();
/**
 * CPU time for which one request may block the event loop: ten times the budget, because of coverage and slow machines.
 */
const MAX_STALL_MS = 500;
/** What the server may keep in memory after all attacks so far. */
const MAX_GROWTH_BYTES = 100 * 1024 * 1024;

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** The memory that is in use, and what garbage collection has not freed yet. */
function usedBytes(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** The memory that is in use: what garbage collection leaves, and buffers. */
function liveBytes(): number {
  collectGarbage();
  return usedBytes();
}

/** Generated from the contract, so a new operation is attacked here automatically. */
describe('abuse of every parser of every operation', () => {
  let server: TestServer;
  let tour: Tour;
  let watch: StallWatch;
  let liveAtRest = 0;

  beforeAll(async () => {
    server = await startTestServer({ pace: { ...CLIENT_PACE, bodyMs: 2_000 } });
    tour = await Tour.start(server);
    // Payloads are built before the measurement starts.
    for (const subject of cases) attacksOn(subject);
    liveAtRest = liveBytes();
    watch = new StallWatch(threadCpuMs);
  });

  afterAll(async () => {
    watch.stop();
    await server.close();
  });

  /** An administrator whose session no other operation ends. */
  async function asker(): Promise<TestUser> {
    const { tenant } = tour.owner.user;
    return server.people.user({ tenant, amr: ['pwd', 'otp'] });
  }

  async function faultsOf(subject: ContractCase): Promise<string[]> {
    const found: string[] = [];
    let user = await asker();
    let sound: Record<string, string> | null = null;
    for (const attack of [...attacksOn(subject), ...bombsFor(subject)]) {
      sound ??= (await subject.example.params?.(tour.owner)) ?? {};
      const named = subject.parameters.map((name) => [name, attack.param ?? '']);
      const params = attack.param === undefined ? sound : Object.fromEntries(named);
      const path = pathOf(subject, params, attack.query);
      const ask = async () => {
        tour.faults.length = 0;
        watch.reset();
        const reply = await tour.ask(subject, path, {
          method: subject.route.method,
          headers: { ...user.session, ...attack.headers },
          ...(attack.body === undefined ? {} : { body: attack.body }),
        });
        return { reply, worstMs: watch.worstMs };
      };
      let { reply, worstMs } = await ask();
      // An input that stalls the server does so each time; a garbage collection of this process does not.
      const isRepeatable = reply.status >= 400 || subject.route.method === 'PUT';
      for (let more = 0; more < 2 && worstMs > MAX_STALL_MS && isRepeatable; more += 1) {
        ({ reply, worstMs } = await ask());
      }
      const faults = tour.faults.filter((fault) => !isOfTheParser(reply.status, fault));
      if (reply.status === 500) faults.push('is answered 500');
      if (reply.status === 403) faults.push('did not reach the parser');
      if (worstMs > MAX_STALL_MS) faults.push(`stalls the server for ${Math.round(worstMs)} ms`);
      found.push(...faults.map((fault) => `${attack.name}: ${fault.slice(-300)}`));
      if (reply.status < 400) {
        // The attack may have deleted its target or ended the session.
        sound = null;
        user = await asker();
      }
    }
    return found;
  }

  it.each(cases.map((subject) => [subject.name, subject] as const))(
    'hostile requests of the kind "%s" neither cause a 5xx response nor stall the server',
    async (_name, subject) => {
      expect(await faultsOf(subject)).toEqual([]);
      // Collecting garbage takes long, and only matters where the memory with garbage is beyond the limit.
      if (usedBytes() - liveAtRest < MAX_GROWTH_BYTES) return;
      // The rest of a refused body may still be on its way.
      await until('the memory is free', async () => liveBytes() - liveAtRest < MAX_GROWTH_BYTES);
    },
  );

  it('requests whose bodies trickle in are all ended, even when sent to every operation at once', async () => {
    const withBody = cases.filter(({ route }) => ['json', 'form'].includes(route.metadata.body));
    const answers = await Promise.all(
      withBody.map(async (subject) => {
        const params = (await subject.example.params?.(tour.owner)) ?? {};
        const path = pathOf(subject, params);
        return [subject.name, await trickle(subject, path, await asker())] as const;
      }),
    );
    expect(answers.filter(([, status]) => status !== 408)).toEqual([]);
  });

  it('the abuse tests cover every kind of request body of the contract', () => {
    const attacked = new Set(cases.flatMap(parsersOf));
    expect([...attacked].sort()).toEqual(
      ['array', 'form', 'headers', 'json', 'ndjson', 'path', 'query'].sort(),
    );
    for (const subject of cases) {
      const names = attacksOn(subject).map(({ name }) => name);
      for (const parser of parsersOf(subject)) {
        for (const kind of ['deep', 'wide', 'long', 'many']) {
          expect(names, subject.name).toContain(`${parser} ${kind}`);
        }
      }
    }
  });

  /**
   * Sends a body byte by byte until the connection closes.
   * @returns the status of the response
   */
  async function trickle(subject: ContractCase, path: string, user: TestUser): Promise<number> {
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    let text = '';
    let closed = false;
    socket.on('error', () => undefined);
    socket.on('data', (piece) => {
      text += piece.toString('latin1');
    });
    socket.once('close', () => {
      closed = true;
    });
    const type =
      subject.route.metadata.body === 'json'
        ? 'application/json'
        : 'application/x-www-form-urlencoded';
    const head = [
      `${subject.route.method} ${path} HTTP/1.1`,
      'Host: test',
      `X-Forwarded-For: ${freshAddress()}`,
      `Authorization: ${user.session.authorization}`,
      `Content-Type: ${type}`,
      'Content-Length: 100000',
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    while (!closed) {
      socket.write(' ');
      await delay(50);
    }
    return Number(text.split(' ')[1]);
  }
});

/** The HTTP parser rejects oversized header fields before our code can add its headers. */
function isOfTheParser(status: number, fault: string): boolean {
  return status === 431 && !fault.includes('500');
}
