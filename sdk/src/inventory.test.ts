import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { arrange, failureOf } from '../conformance/arrange.ts';
import { problem, startServer } from '../conformance/server.ts';
import { REFRESH, rotate, session } from '../conformance/session-steps.ts';
import {
  AbortError,
  ConnectionError,
  UnauthorizedError,
  UnavailableError,
  ValidationError,
} from './errors.ts';
import type { InventorySource } from './inventory.ts';

const PUT = 'PUT /projects/shop-prod/inventory';
const DONE = { status: 201, body: { assets: 2 } };
const assets = [{ name: 'a' }, { name: 'ö' }];
const ndjson = '{"name":"a"}\n{"name":"ö"}\n';
const bytes = new TextEncoder().encode(ndjson);

async function* lazily<T>(items: Iterable<T>) {
  for (const item of items) {
    await new Promise((resolve) => setImmediate(resolve));
    yield item;
  }
}

function stream(text: string) {
  return new Blob([text]).stream();
}

const REPLAYABLE: [string, () => InventorySource][] = [
  ['a string', () => ndjson],
  ['bytes', () => bytes],
  ['an ArrayBuffer', () => bytes.slice().buffer],
  ['a Blob', () => new Blob([ndjson])],
  ['an array of assets', () => assets],
];

const ONE_SHOT: [string, () => InventorySource][] = [
  ['a ReadableStream of bytes', () => stream(ndjson)],
  ['a stream of Node', () => Readable.from([bytes.slice(0, 5), bytes.slice(5)])],
  ['a generator of assets', () => assets.values()],
  ['an async generator of assets', () => lazily(assets)],
  ['an async generator of text', () => lazily(ndjson)],
];

describe('an inventory arrives unchanged from', () => {
  test.each([...REPLAYABLE, ...ONE_SHOT])(
    'an inventory arrives unchanged from %s',
    async (_, source) => {
      const { server, cspm } = await arrange();
      server.on(PUT, DONE);
      const input = { name: 'shop-prod', inventory: source() };
      expect(await cspm.projects.uploadInventory(input)).toMatchObject({ assets: 2 });
      expect(server.requests[0]?.body).toBe(ndjson);
      expect(server.requests[0]?.headers['content-type']).toBe('application/x-ndjson');
    },
  );

  test.each([
    ['a string', ' \n[{"name":"a"}]'],
    ['bytes', new TextEncoder().encode('\ufeff[{"name":"a"}]')],
    ['a Blob', new Blob(['[{"name":"a"}]'])],
  ])('an inventory arrives as a JSON array from %s with a JSON array', async (_, inventory) => {
    const { server, cspm } = await arrange();
    server.on(PUT, DONE);
    await cspm.projects.uploadInventory({ name: 'shop-prod', inventory });
    expect(server.requests[0]?.headers['content-type']).toBe('application/json');
  });

  test.each([
    ['as terraform show prints it', '{"format_version":"1.2","planned_values":{}}'],
    ['that was formatted and sorted', '{\n  "applyable": true,\n  "format_version": "1.2"\n}'],
  ])('a Terraform plan %s is sent as JSON', async (_, plan) => {
    const { server, cspm } = await arrange();
    server.on(PUT, DONE);
    for (const inventory of [plan, new TextEncoder().encode(plan), new Blob([plan])]) {
      await cspm.projects.uploadInventory({ name: 'shop-prod', inventory });
    }
    expect(server.requests.map(({ headers }) => headers['content-type'])).toEqual(
      Array(3).fill('application/json'),
    );
  });

  test('an inventory arrives unchanged from compressed bytes, when the caller declares them', async () => {
    const { server, cspm } = await arrange();
    server.on(PUT, DONE);
    const headers = { 'content-encoding': 'gzip', 'content-type': 'application/json' };
    await cspm.projects.uploadInventory({ name: 'shop-prod', inventory: bytes }, { headers });
    expect(server.requests[0]?.headers).toMatchObject(headers);
  });
});

describe('an inventory upload after a failure', () => {
  test.each(REPLAYABLE)(
    'after a failure, an inventory from %s is sent again',
    async (_, source) => {
      const { server, cspm } = await arrange();
      server.on(PUT, { status: 503 }, 'reset', DONE);
      await cspm.projects.uploadInventory({ name: 'shop-prod', inventory: source() });
      expect(server.requests.map(({ body }) => body)).toEqual([ndjson, ndjson, ndjson]);
    },
  );

  test.each(ONE_SHOT)(
    'after a failure, an inventory from %s is not sent again once it has been read',
    async (_, source) => {
      const { server, cspm } = await arrange();
      server.on(PUT, { status: 503 });
      const call = cspm.projects.uploadInventory({ name: 'shop-prod', inventory: source() });
      const error = await failureOf(call, UnavailableError);
      expect(error.attempts).toHaveLength(1);
    },
  );

  test('an inventory upload does not send a stream again, even after a 429 or with a refreshed token', async () => {
    const { server, client } = await arrange();
    const cspm = client({ session });
    server.on(REFRESH, rotate);
    for (const refusal of [problem(429, 'RATE_LIMITED'), problem(401, 'UNAUTHORIZED')]) {
      server.on(PUT, refusal);
      const inventory = lazily(assets);
      await failureOf(cspm.projects.uploadInventory({ name: 'shop-prod', inventory }));
    }
    expect(server.to(PUT)).toHaveLength(2);
  });

  test('an inventory upload that is refused with an expired token renews the session for the next one', async () => {
    const { server, client } = await arrange();
    const cspm = client({ session });
    server.on(REFRESH, rotate);
    server.on(PUT, ({ headers }) =>
      headers.authorization === 'Bearer access-2' ? DONE : problem(401, 'UNAUTHORIZED'),
    );
    const upload = () =>
      cspm.projects.uploadInventory({ name: 'shop-prod', inventory: lazily(assets) });
    await failureOf(upload(), UnauthorizedError);
    expect(await upload()).toMatchObject({ assets: 2 });
    expect(server.to(PUT)).toHaveLength(2);
  });

  test('an inventory upload fails with the error of a file that is missing, even one that occurs before it is read', async () => {
    const { server, client } = await arrange();
    const inventory = createReadStream('/missing/export.ndjson');
    const failed = new Promise<void>((resolve) => inventory.once('close', () => resolve()));
    const cspm = client({
      credential: async () => {
        await failed;
        return { apiKey: 'cspm_k' };
      },
    });
    const upload = cspm.projects.uploadInventory({ name: 'shop-prod', inventory });
    // The test's own listener must not be the one that keeps the process running.
    expect(inventory.listenerCount('error')).toBeGreaterThan(0);
    expect(await failureOf(upload)).toMatchObject({ name: 'Error', code: 'ENOENT' });
    expect(server.requests).toEqual([]);
  });

  test.each(ONE_SHOT)(
    'an inventory from %s is sent again when no connection was made',
    async (_, source) => {
      const { server, client } = await arrange();
      server.on(PUT, DONE);
      let refusals = 2;
      const flaky: typeof fetch = (input, init) =>
        refusals-- > 0 ? fetch(gone.url, init) : fetch(input, init);
      const gone = await startServer();
      await gone.close();
      const cspm = client({ fetch: flaky });
      await cspm.projects.uploadInventory({ name: 'shop-prod', inventory: source() });
      expect(server.requests.map(({ body }) => body)).toEqual([ndjson]);
    },
  );

  test('an inventory upload closes its source when it gives up', async () => {
    const { server, cspm } = await arrange();
    server.on(PUT, 'refuse-body');
    let pieces = 0;
    let closed = false;
    const inventory = (function* () {
      try {
        for (; pieces < 1000; pieces += 1) yield 'x'.repeat(100_000);
      } finally {
        closed = true;
      }
    })();
    await failureOf(cspm.projects.uploadInventory({ name: 'shop-prod', inventory }));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(closed).toBe(true);
    expect(pieces).toBeLessThan(200);
  });

  test.each([
    ['its first piece', 0],
    ['a later piece', 3],
  ])(
    'an inventory upload rejects with the very error of its source at %s, and is not retried',
    async (_, pieces) => {
      const { server, client } = await arrange();
      server.on(PUT, DONE);
      const seen: number[] = [];
      const cspm = client({ hooks: { onRequest: ({ attempt }) => seen.push(attempt) } });
      // Errors that the client retries when they are those of its own connection, or adds the attempts to.
      const refused = new Error('connect ECONNREFUSED 127.0.0.1:1');
      for (const error of [
        refused,
        new ConnectionError({ message: 'm', code: 'CONNECTION_FAILED' }),
      ]) {
        const inventory = (async function* () {
          for (let at = 0; at < pieces; at += 1) yield 'x'.repeat(100_000);
          throw error;
        })();
        const call = cspm.projects.uploadInventory({ name: 'shop-prod', inventory });
        expect(await failureOf(call)).toBe(error);
      }
      expect(seen).toEqual([1, 1]);
    },
  );

  test('an inventory upload that is aborted rejects with an AbortError, although its source fails with it', async () => {
    const { server, cspm } = await arrange();
    server.on(PUT, DONE);
    const controller = new AbortController();
    const inventory = (async function* () {
      yield 'x'.repeat(100_000);
      controller.abort(new Error('changed my mind'));
      throw new Error('aborted');
    })();
    const call = cspm.projects.uploadInventory(
      { name: 'shop-prod', inventory },
      { signal: controller.signal },
    );
    expect((await failureOf(call, AbortError)).cause).toBe(controller.signal.reason);
  });

  test.each([[5], [{ a: 1 }], [null], [undefined], [true]])(
    'an inventory of another type is refused with the accepted types before anything is sent: %j',
    async (inventory) => {
      const { server, cspm } = await arrange();
      const input = { name: 'shop-prod', inventory: inventory as unknown as InventorySource };
      const error = await failureOf(cspm.projects.uploadInventory(input), ValidationError);
      expect(error.message).toBe('inventory must be text, bytes, a Blob or an iterable');
      expect(server.requests).toEqual([]);
    },
  );
});

test('a large inventory of small assets is sent in large chunks, one after the other', async () => {
  const { server, cspm } = await arrange();
  server.on(PUT, DONE);
  const asset = { name: 'x'.repeat(90) };
  function* many() {
    for (let at = 0; at < 20_000; at += 1) yield asset;
  }
  await cspm.projects.uploadInventory({ name: 'shop-prod', inventory: many() });
  expect(server.requests[0]?.body.length).toBe(20_000 * (JSON.stringify(asset).length + 1));
});
