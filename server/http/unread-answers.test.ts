import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { Analyst } from '../../tests/kit/analyst.ts';
import { freshAddress, startTestServer, type TestServer } from '../../tests/kit/test-server.ts';
import { until } from '../../tests/kit/until.ts';
import { endInPieces } from './end-in-pieces.ts';
import { UNREAD_LIMITS, UnreadAnswers } from './unread-answers.ts';

const MIB = 1024 ** 2;
/** More than the kernel takes of an answer that nobody reads. */
const PROFILES = 100;

let server: TestServer;
let one: Analyst;
let other: Analyst;
/** The bytes of the profiles of a tenant. */
let size: number;
const open = new Set<Unread>();

beforeAll(async () => {
  server = await startTestServer();
  one = await Analyst.at(server);
  other = await Analyst.at(server);
  for (const analyst of [one, other]) {
    for (let count = 0; count < PROFILES; count += 1) {
      await analyst.ask(201, '/profiles', { method: 'POST', body: profile(count) });
    }
  }
  size = Buffer.byteLength((await one.call('/profiles')).text);
});

afterEach(async () => {
  for (const answer of open) answer.leave();
  open.clear();
  await until('no answer is counted', async () => server.services.unreadAnswers.bytes === 0);
});

afterAll(() => server.close());

/** As large as a profile may be. */
function profile(count: number) {
  const patterns = (prefix: string) => Array.from({ length: 200 }, () => prefix.padEnd(90, '*'));
  const allowedDomains = Array.from(
    { length: 70 },
    (_, index) => `${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.d${index}.example.com`,
  );
  return {
    name: `custom:planted-${count}`,
    include: patterns('*'),
    exclude: patterns('bucket-l'),
    parameters: { 'iam-external-members': { allowedDomains } },
  };
}

/** Every client is slow. */
const SLOW = { windowMs: 1, bytesPerSecond: Number.POSITIVE_INFINITY };

/** Bounds the unread answers from now on. By default, no client is slow. */
function limit(limits: Partial<typeof UNREAD_LIMITS>): void {
  const unreadAnswers = new UnreadAnswers({ windowMs: Number.POSITIVE_INFINITY, ...limits });
  Object.assign(server.services, { unreadAnswers });
}

/** An answer that the client begins to read only when it is told to. */
class Unread {
  readonly #response: Promise<IncomingMessage>;

  constructor(analyst: Analyst, path: string) {
    const headers = { ...analyst.headers, 'x-forwarded-for': freshAddress() };
    this.#response = new Promise((resolve, reject) => {
      const sent = request(server.url + path, { agent: false, headers }, resolve);
      sent.once('error', reject).end();
    });
    this.#response.catch(() => undefined);
  }

  /** Asks for the profiles, and waits for the header fields. By then, the answer is counted. */
  static async of(analyst: Analyst): Promise<Unread> {
    const answer = new Unread(analyst, '/profiles');
    open.add(answer);
    const response = await answer.#response;
    response.pause();
    expect(response.statusCode).toBe(200);
    return answer;
  }

  /** @returns how many bytes arrive; null if the server has cut the connection. */
  async read(): Promise<number | null> {
    const response = await this.#response;
    let bytes = 0;
    return new Promise((resolve) => {
      response.on('data', (piece) => {
        bytes += piece.length;
      });
      response.once('end', () => resolve(bytes)).once('error', () => resolve(null));
      response.resume();
    });
  }

  leave(): void {
    this.#response.then(
      (response) => response.destroy(),
      () => undefined,
    );
  }
}

/** What arrives of each answer, first of those that arrive. */
async function bytesOf(unread: readonly Unread[]): Promise<(number | null)[]> {
  const read = await Promise.all(unread.map((answer) => answer.read()));
  return read.toSorted();
}

describe('answers that clients do not read', () => {
  it('a tenant with unread answers up to its limit is refused further large ones, and nobody is refused small ones', async () => {
    limit({ tenantBytes: 2 * size });
    const unread = [await Unread.of(one), await Unread.of(one)];
    const refused = await one.call('/profiles');
    expect(refused).toMatchObject({ status: 503, json: { code: 'SERVICE_UNAVAILABLE' } });
    expect(refused.json.detail).toContain('Your tenant has ');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await one.call('/scans')).status).toBe(200);
    expect((await other.call('/profiles')).text).toHaveLength(size);
    for (const answer of unread) expect(await answer.read()).toBe(size);
    expect((await one.call('/profiles')).text).toHaveLength(size);
  });

  it('a slow client of a tenant beyond its limit is disconnected, and others read their answers', async () => {
    limit({ tenantBytes: 2 * size, ...SLOW });
    const unread = [await Unread.of(one), await Unread.of(one)];
    const last = await Unread.of(one);
    expect(await bytesOf(unread)).toEqual([size, null]);
    expect(await last.read()).toBe(size);
  });

  it('a slow client of the tenant with the most unread bytes makes way when the server is at its limit', async () => {
    limit({ totalBytes: 3 * size, ...SLOW });
    const alone = await Unread.of(other);
    const most = [await Unread.of(one), await Unread.of(one)];
    expect((await one.call('/profiles')).json.detail).toContain('The server has ');
    expect((await other.call('/profiles')).text).toHaveLength(size);
    expect(await bytesOf(most)).toEqual([size, null]);
    expect(await alone.read()).toBe(size);
  });

  it('a server with unread answers up to its limit refuses large ones, and small ones to none', async () => {
    limit({ totalBytes: size });
    const unread = await Unread.of(one);
    const refused = await other.call('/profiles');
    expect(refused).toMatchObject({ status: 503, json: { code: 'SERVICE_UNAVAILABLE' } });
    expect(refused.json.detail).toContain('The server has ');
    expect((await other.call('/scans')).status).toBe(200);
    expect(await unread.read()).toBe(size);
    expect((await other.call('/profiles')).text).toHaveLength(size);
  });

  it('a slow client makes way for another tenant when the server is at its limit, and not for its own', async () => {
    limit({ totalBytes: 2 * size, ...SLOW });
    const unread = [await Unread.of(one), await Unread.of(one)];
    expect((await one.call('/profiles')).json.detail).toContain('The server has ');
    expect((await other.call('/profiles')).text).toHaveLength(size);
    expect(await bytesOf(unread)).toEqual([size, null]);
  });

  it('a slow client does not make way for small answers of another tenant', async () => {
    limit({ totalBytes: 2 * size, ...SLOW });
    const unread = [await Unread.of(one), await Unread.of(one)];
    for (const path of ['/scans', '/projects', '/auth/me']) {
      expect((await other.call(path)).status).toBe(200);
    }
    expect(await bytesOf(unread)).toEqual([size, size]);
  });

  it('a request with a different URL from those with unread answers is not a repetition', async () => {
    const unreadAnswers = new UnreadAnswers({ tenantBytes: 1 });
    const app = express();
    app.get('/large', (req, res) => {
      unreadAnswers.checkRepeated('tenant', req);
      endInPieces(res, Buffer.alloc(32 * MIB));
      unreadAnswers.add(res, 'tenant');
    });
    const listening = app.listen(0, '127.0.0.1');
    onTestFinished(() => {
      listening.closeAllConnections();
      listening.close();
    });
    await once(listening, 'listening');
    const { port } = listening.address() as AddressInfo;
    const statusOf = async (query: string) =>
      (await fetch(`http://127.0.0.1:${port}/large${query}`)).status;
    expect(await statusOf('?limit=500')).toBe(200);
    expect(await statusOf('?limit=500')).toBe(500);
    expect(await statusOf('?limit=1')).toBe(200);
  });

  it('a repeated request is refused before the database is asked', async () => {
    limit({ tenantBytes: size });
    const { tenants } = server.services;
    const { read } = tenants;
    let reads = 0;
    tenants.read = (...given) => {
      reads += 1;
      return Reflect.apply(read, tenants, given);
    };
    const answer = await Unread.of(one);
    expect(reads).toBe(1);
    expect((await one.call('/profiles')).status).toBe(503);
    expect(reads).toBe(1);
    tenants.read = read;
    expect(await answer.read()).toBe(size);
  });

  it('requests without a body to read are answered and counted by nobody', async () => {
    limit({ tenantBytes: 2 * size });
    const head = await one.call('/profiles', { method: 'HEAD' });
    expect(head.headers.get('content-length')).toBe(String(size));
    const etag = head.headers.get('etag') ?? '';
    expect((await one.call('/profiles', { headers: { 'if-none-match': etag } })).status).toBe(304);
    expect(server.services.unreadAnswers.bytes).toBe(0);
  });

  it('the largest page of a tenant fits three times into its limit, and a tenant into a quarter of the server', () => {
    expect(UNREAD_LIMITS.tenantBytes).toBeGreaterThan(2 * 11 * MIB);
    expect(UNREAD_LIMITS.totalBytes / UNREAD_LIMITS.tenantBytes).toBe(4);
  });
});
