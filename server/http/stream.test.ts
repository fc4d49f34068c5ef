import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { Response } from 'express';
import { afterEach, describe, expect, it } from 'vitest';
import { sendStream } from './stream.ts';

const server = createServer();

afterEach(async () => {
  server.close();
  await once(server, 'close');
});

const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;

it('a stream whose client has left before its first piece ends, closes its source and leaves no timer', async () => {
  let pull = () => {};
  const pulled = new Promise<void>((resolve) => {
    pull = resolve;
  });
  let isClosed = false;
  let running = 0;
  async function* source(leave: Promise<unknown>) {
    try {
      pull();
      await leave;
      running = timers();
      for (;;) yield 'piece';
    } finally {
      isClosed = true;
    }
  }
  const sent = new Promise<void>((resolve) => {
    server.once('request', (_, res) => {
      const left = once(res, 'close');
      resolve(sendStream(res as unknown as Response, {}, source(left)));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: test\r\n\r\n');
  await pulled;
  socket.destroy();
  await sent;
  expect(isClosed).toBe(true);
  expect(timers()).toBe(running);
});

describe('a stream to a client of HTTP/1.0', () => {
  /** Sends a stream, and returns the events with which the connection of the client ends. */
  async function endOf(source: (client: Socket) => AsyncIterable<string>): Promise<string[]> {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    const events: string[] = [];
    client.on('end', () => events.push('end')).on('error', () => events.push('error'));
    server.once('request', (_, res) => {
      sendStream(res as unknown as Response, {}, source(client)).catch(() => undefined);
    });
    client.write('GET / HTTP/1.0\r\n\r\n');
    await new Promise((resolve) => client.once('close', resolve));
    return events;
  }

  it('a stream to a client of HTTP/1.0 is reset if its source fails, because a closed connection would be the end of the whole stream', async () => {
    async function* failing(client: Socket) {
      yield 'a part';
      // Node reports data and a reset that arrive at the same time as data and the normal end.
      await once(client, 'data');
      throw new Error('The source failed');
    }
    expect(await endOf(failing)).toEqual(['error']);
  });

  it('a stream to a client of HTTP/1.0 is closed after the whole stream', async () => {
    async function* whole(client: Socket) {
      yield 'all ';
      client.resume();
      yield 'of it';
    }
    expect(await endOf(whole)).toEqual(['end']);
  });
});
