import { Readable } from 'node:stream';
import type { Request, Response } from 'express';
import { expect, it } from 'vitest';
import { readBody } from './body.ts';
import { CLIENT_PACE } from './client-pace.ts';

/** Counts the turns of the event loop. */
async function withTurns(run: (turn: () => number) => Promise<void>): Promise<void> {
  let turns = 0;
  let isCounting = true;
  const count = () => {
    turns += 1;
    if (isCounting) setImmediate(count);
  };
  count();
  await run(() => turns).finally(() => {
    isCounting = false;
  });
}

function requestOf(body: string): Request {
  const headers = { 'content-type': 'application/json', 'content-length': String(body.length) };
  return Object.assign(Readable.from([Buffer.from(body)]), { headers }) as unknown as Request;
}

const LARGE = JSON.stringify({ text: 'x'.repeat(64 * 1024) });
const SMALL = JSON.stringify({ text: 'small' });

it('large JSON bodies that arrive at the same time are parsed in different turns of the event loop, those of clients alternately', async () => {
  await withTurns(async (turn) => {
    const parsed: { client: string; turn: number }[] = [];
    const read = async (client: string, body: string) => {
      const req = requestOf(body);
      await readBody(req, {} as Response, 'json', { pace: CLIENT_PACE, client });
      expect(JSON.stringify(req.body)).toBe(body);
      parsed.push({ client, turn: turn() });
    };
    const clients = ['a', 'a', 'a', 'a', 'b', 'b'];
    await Promise.all(clients.map((client) => read(client, LARGE)));
    expect(new Set(parsed.map((one) => one.turn)).size).toBe(clients.length);
    expect(parsed.map(({ client }) => client).join('')).toBe('aababa');
  });
});

it('a small JSON body is parsed while large ones wait', async () => {
  const order: string[] = [];
  const read = async (name: string, body: string) => {
    await readBody(requestOf(body), {} as Response, 'json', { pace: CLIENT_PACE, client: 'a' });
    order.push(name);
  };
  await Promise.all([
    ...Array.from({ length: 4 }, () => read('large', LARGE)),
    read('small', SMALL),
  ]);
  expect(order.indexOf('small')).toBeLessThan(2);
});

it('a large JSON body that is malformed is refused, and the next one is parsed', async () => {
  const read = (body: string) => {
    const req = requestOf(body);
    return readBody(req, {} as Response, 'json', { pace: CLIENT_PACE, client: 'a' });
  };
  const [malformed, next] = await Promise.allSettled([read(LARGE.slice(0, -1)), read(LARGE)]);
  expect(malformed).toMatchObject({ reason: { code: 'VALIDATION_FAILED' } });
  expect(next?.status).toBe('fulfilled');
});
