import { once } from 'node:events';
import { get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { afterEach, describe, expect, it } from 'vitest';
import { until } from '../../tests/kit/until.ts';
import { endInPieces } from './end-in-pieces.ts';
import { UNREAD_LIMITS, UnreadAnswers } from './unread-answers.ts';

const MIB = 1024 ** 2;
/** As in production, and no client is known to be slow. */
const LIMITS = { ...UNREAD_LIMITS, windowMs: Number.POSITIVE_INFINITY };
/** About as large as the largest page, and more than the kernel takes of an answer that nobody reads. */
const LARGE = 11;

let server: Server;
let unread: UnreadAnswers;

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** Serves large answers. Their path is the tenant and the size in MiB. */
async function serve(limits: typeof UNREAD_LIMITS): Promise<void> {
  unread = new UnreadAnswers(limits);
  const app = express();
  app.get('/:tenant/:mib', ({ params: { tenant, mib } }, res) => {
    unread.checkRoom(tenant);
    endInPieces(res, Buffer.alloc(Number(mib) * MIB));
    unread.add(res, tenant);
  });
  app.use(((_error, _req, res, _next) => {
    res.status(503).end();
  }) satisfies express.ErrorRequestHandler);
  server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
}

/** An answer that the client begins to read only when it is told to. */
class Answer {
  readonly #response: IncomingMessage;
  #bytes = 0;
  #wanted = 0;

  private constructor(response: IncomingMessage) {
    this.#response = response;
    response.on('error', () => undefined);
    response.on('data', (piece: Uint8Array) => {
      this.#bytes += piece.length;
      if (this.#bytes >= this.#wanted) response.pause();
    });
    response.pause();
  }

  static async of(tenant: string, mib = LARGE): Promise<Answer> {
    const { port } = server.address() as AddressInfo;
    const sent = get({ port, host: '127.0.0.1', path: `/${tenant}/${mib}`, agent: false });
    const [response]: IncomingMessage[] = await once(sent, 'response');
    if (response === undefined) throw new Error('There is no response');
    return new Answer(response);
  }

  get status(): number | undefined {
    return this.#response.statusCode;
  }

  /** @returns whether so much has arrived; false if the server has cut the connection before. */
  async read(mib: number): Promise<boolean> {
    this.#wanted = mib * MIB;
    const isRead = () => this.#bytes >= this.#wanted;
    if (!isRead()) this.#response.resume();
    await until('the bytes or the end', async () => isRead() || this.#response.destroyed);
    return isRead();
  }
}

const answersOf = (tenants: readonly string[], mib = LARGE) =>
  Promise.all(tenants.map((tenant) => Answer.of(tenant, mib)));

/** Three answers of each of four tenants, which take all room. */
async function takeAllRoom(): Promise<void> {
  for (let count = 0; count < 3; count += 1) await answersOf(['a', 'b', 'c', 'd']);
  expect(unread.bytes).toBeGreaterThanOrEqual(LIMITS.totalBytes);
}

describe('large answers while unread ones of four tenants take all room', () => {
  it('a tenant that uses nothing gets each of its answers, although the others ask again at once', async () => {
    await serve(LIMITS);
    await takeAllRoom();
    for (let count = 0; count < 5; count += 1) {
      const answer = await Answer.of('e');
      expect(answer.status).toBe(200);
      expect(await answer.read(LARGE)).toBe(true);
      await until('it is not counted', async () => unread.bytes <= 12 * LARGE * MIB);
      await answersOf(['a', 'b', 'c', 'd']);
      expect(unread.bytes).toBeGreaterThanOrEqual(LIMITS.totalBytes);
    }
  });

  it('a slow reader of a tenant that holds less than the others gets all of its answers', async () => {
    await serve(LIMITS);
    const slow = await answersOf(['s', 's']);
    await takeAllRoom();
    for (let mib = 1; mib <= 5; mib += 1) {
      for (const answer of slow) expect(await answer.read(mib / 4)).toBe(true);
      for (const tenant of ['e', 'f']) {
        const answer = await Answer.of(tenant);
        expect(answer.status).toBe(200);
        expect(await answer.read(LARGE)).toBe(true);
      }
      await answersOf(['a', 'b', 'c', 'd']);
    }
    for (const answer of slow) expect(await answer.read(LARGE)).toBe(true);
  });

  it('the answer without progress for the longest time makes way first', async () => {
    await serve({ ...LIMITS, tenantBytes: 64 * MIB, totalBytes: 64 * MIB });
    const read = await Answer.of('a', 32);
    const waiting = await Answer.of('a', 32);
    expect(await read.read(16)).toBe(true);
    expect((await Answer.of('b')).status).toBe(200);
    expect(await waiting.read(32)).toBe(false);
    expect(await read.read(32)).toBe(true);
  });

  it('a tenant keeps its only answer', async () => {
    await serve({ ...LIMITS, totalBytes: 31 * MIB });
    const kept = await answersOf(['a', 'b'], 30);
    for (const tenant of ['a', 'c']) expect((await Answer.of(tenant)).status).toBe(503);
    for (const answer of kept) expect(await answer.read(30)).toBe(true);
  });

  it('no answer is cut if that does not make enough room', async () => {
    await serve({ ...LIMITS, totalBytes: 31 * MIB });
    const kept = [...(await answersOf(['a', 'a'])), await Answer.of('b', 30)];
    expect((await Answer.of('c')).status).toBe(503);
    for (const answer of kept) expect(await answer.read(LARGE)).toBe(true);
  });
});
