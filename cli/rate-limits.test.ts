import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough, Readable } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import { run } from './run.ts';
import { commandLine } from './testing/command-line.ts';

const KEY = { CSPM_API_KEY: 'cspm_key' };
const DETAIL = 'The limit "default" is exhausted for your IP address.';
const closing: (() => void)[] = [];

afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** @returns the address */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function answer(response: ServerResponse, status: number, body: object, retryAfter = ''): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    'x-correlation-id': 'one',
    ...(retryAfter !== '' && { 'retry-after': retryAfter }),
  });
  response.end(JSON.stringify(body));
}

const refuse = (response: ServerResponse, seconds: number) =>
  answer(response, 429, { code: 'RATE_LIMITED', detail: DETAIL }, `${seconds}`);

describe('cspm at a rate limit', () => {
  const cspm = commandLine();

  it('cspm announces its wait at a rate limit once, on standard error, and then continues', async () => {
    let requests = 0;
    const url = await serve((_request, response) => {
      requests += 1;
      if (requests === 1) refuse(response, 1);
      else answer(response, 200, { items: [], nextCursor: null });
    });
    const args = ['findings', '--format', 'table', '--severity', 'high', '--url', url];
    const { code, output, messages } = await cspm(args, { environment: KEY });
    expect({ code, output }).toEqual({ code: 0, output: '' });
    expect(messages.match(/^Rate limit reached; waiting 2 s\.$/gm)).toHaveLength(1);
    expect(requests).toBe(2);
  });

  it('cspm waits for a rate limit that lasts 90 seconds', async () => {
    const url = await serve((_request, response) => refuse(response, 90));
    const interruption = new AbortController();
    const messages = new PassThrough();
    const running = run(['findings', '--url', url], {
      input: Readable.from([]),
      output: new PassThrough(),
      messages,
      isTerminal: { input: false, output: false, messages: false },
      environment: KEY,
      interrupted: interruption.signal,
    });
    const ended = running.then(
      (code) => `ended with ${code}`,
      () => 'interrupted',
    );
    const [said] = await once(messages, 'data');
    interruption.abort(new Error('Interrupted'));
    expect(`${said}`).toMatch(/^Rate limit reached; waiting (9\d|10[0-8]) s\.\n$/);
    expect(await ended).toBe('interrupted');
  });

  it('cspm ends at once at a rate limit that lasts longer than three minutes, and names the time', async () => {
    const url = await serve((_request, response) => refuse(response, 600));
    const { code, output, messages } = await cspm(['findings', '--url', url], { environment: KEY });
    expect({ code, output }).toEqual({ code: 4, output: '' });
    expect(messages).toBe(`RATE_LIMITED: ${DETAIL}\n  Correlation id: one\nTry again in 600 s.\n`);
  });
});
