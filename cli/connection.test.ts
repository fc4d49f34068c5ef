import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newCertificate } from '../tests/kit/certificate.ts';
import { WebhookReceiver } from '../tests/kit/webhook-receiver.ts';
import { commandLine } from './testing/command-line.ts';

const SET_ADDRESS = 'Set --url or CSPM_URL to the address of the service.';
const OLD = { accessToken: 'old', refreshToken: 'spent', expiresAt: 0 };

let folder: string;
const closing: (() => unknown)[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cspm-connection-'));
});

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  await rm(folder, { recursive: true });
});

/** @returns the address */
async function serve(listener: RequestListener): Promise<string> {
  const server: Server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const sessionFile = () => join(folder, 'cspm', 'session.json');

async function storeSession(session: object): Promise<void> {
  await mkdir(join(folder, 'cspm'), { recursive: true });
  await writeFile(sessionFile(), JSON.stringify(session));
}

const storedSession = async () => JSON.parse(await readFile(sessionFile(), 'utf8'));

describe('cspm with a server that is not the service', () => {
  const cspm = commandLine();

  it.each([
    ['another JSON API', 200, { 'content-type': 'application/json' }, '{"hello":"world"}'],
    ['a page', 200, { 'content-type': 'text/html' }, '<html></html>'],
    ['a missing page', 404, { 'content-type': 'text/html' }, '<html></html>'],
  ])(
    'cspm exits with 4 and says how to set the address for %s',
    async (_, status, headers, body) => {
      const url = await serve((_request, response) =>
        response.writeHead(status, headers).end(body),
      );
      for (const args of [['findings'], ['posture']]) {
        const { code, messages } = await cspm([...args, '--url', url], {
          environment: { CSPM_API_KEY: 'cspm_key' },
        });
        expect(code).toBe(4);
        expect(messages).toContain(`${url} does not answer as the service does. ${SET_ADDRESS}\n`);
        expect(messages).not.toContain('baseUrl');
      }
    },
  );

  it('cspm names the target of a redirect', async () => {
    const location = 'https://sign-in.example.com/';
    const url = await serve((_request, response) => response.writeHead(302, { location }).end());
    const environment = { CSPM_API_KEY: 'cspm_key', CSPM_URL: url };
    const { code, messages } = await cspm(['findings'], { environment });
    expect(code).toBe(4);
    expect(messages).toContain(`${url} redirects to ${location}. ${SET_ADDRESS}\n`);
  });

  it('cspm login keeps the stored session when the answer contains no tokens', async () => {
    const url = await serve((_request, response) => response.end('{"hello":"world"}'));
    const kept = { ...OLD, url: 'http://127.0.0.1:9' };
    await storeSession(kept);
    const { code, messages } = await cspm(['login', '--email', 'ada@example.com', '--url', url], {
      environment: { XDG_CONFIG_HOME: folder },
      typed: ['password'],
    });
    expect(code).toBe(4);
    expect(messages).toContain(`${url} does not answer as the service does.`);
    expect(await storedSession()).toEqual(kept);
  });
});

describe('cspm with a key that was not copied completely', () => {
  const cspm = commandLine();

  it.each([
    ['cspm_…', '"…"'],
    ['cspm_a\nb', '"\\n"'],
    ['cspm_a b', '" "'],
  ])('cspm refuses the key %j without printing it, and exits with 2', async (key, stray) => {
    const { code, messages } = await cspm(['findings'], { environment: { CSPM_API_KEY: key } });
    expect(code).toBe(2);
    expect(messages).toContain(
      `CSPM_API_KEY contains a character that a key cannot have: ${stray}.`,
    );
    expect(messages).not.toContain('cspm_');
  });

  it('cspm takes a key with the line break that ended its file', async () => {
    const sent: unknown[] = [];
    const url = await serve(({ headers }, response) => {
      sent.push(headers['x-api-key']);
      response.setHeader('content-type', 'application/json');
      response.setHeader('x-correlation-id', 'one');
      response.end('{"items":[],"nextCursor":null}');
    });
    const environment = { CSPM_API_KEY: 'cspm_key\r\n', CSPM_URL: url };
    expect((await cspm(['webhooks', 'list'], { environment })).code).toBe(0);
    expect(sent).toEqual(['cspm_key']);
  });
});

describe('an interrupted cspm scan', () => {
  const cspm = commandLine();

  it('cspm scan cancels its scan when it is interrupted while it waits', async () => {
    const interruption = new AbortController();
    const cancelled: string[] = [];
    const url = await serve((request, response) => {
      const { method, url: path = '' } = request;
      response.setHeader('content-type', 'application/json');
      if (path.endsWith('/cancel')) {
        cancelled.push(path);
        response.end('{}');
      } else if (method === 'POST') response.end('{"id":"a-scan"}');
      // What waits for the scan gets no answer.
      else interruption.abort(new Error('Interrupted'));
    });
    const scanning = cspm(['scan', '--project', 'shop', '--url', url], {
      environment: { CSPM_API_KEY: 'cspm_key' },
      interrupted: interruption.signal,
    });
    await expect(scanning).rejects.toThrow('Interrupted');
    expect(cancelled).toEqual(['/scans/a-scan/cancel']);
  });

  it('cspm scan cancels its scan when it is interrupted before the launch is answered', async () => {
    const interruption = new AbortController();
    const cancelled: string[] = [];
    const url = await serve((request, response) => {
      const { method, url: path = '' } = request;
      response.setHeader('content-type', 'application/json');
      if (path.endsWith('/cancel')) cancelled.push(path);
      else if (method === 'POST') interruption.abort(new Error('Interrupted'));
      response.end('{"id":"a-scan"}');
    });
    const scanning = cspm(['scan', '--project', 'shop', '--url', url], {
      environment: { CSPM_API_KEY: 'cspm_key' },
      interrupted: interruption.signal,
    });
    await expect(scanning).rejects.toThrow('Interrupted');
    expect(cancelled).toEqual(['/scans/a-scan/cancel']);
  });
});

describe('the session of cspm', () => {
  const cspm = commandLine();

  it('cspm says that a server at an https:// address does not speak TLS, and exits with 4', async () => {
    const address = (await serve((_request, response) => response.end('{}'))).replace(
      'http',
      'https',
    );
    const environment = { CSPM_API_KEY: 'cspm_key', CSPM_URL: address };
    expect(await cspm(['findings'], { environment })).toEqual({
      code: 4,
      output: '',
      messages: `CONNECTION_FAILED: the server does not speak TLS; use http://\nSet --url or CSPM_URL to ${address.replace('https', 'http')}, or to an address with TLS.\n`,
    });
  });

  it('cspm says how to trust the authority of a certificate that is unknown, and exits with 4', async () => {
    const { privateKey: key, certificate: cert } = newCertificate({ address: '127.0.0.1' });
    const server = await WebhookReceiver.start({ key, cert });
    closing.push(() => server.close());
    const environment = { CSPM_API_KEY: 'cspm_key', CSPM_URL: server.url };
    const { code, messages } = await cspm(['findings'], { environment });
    expect(code).toBe(4);
    expect(messages).toContain(
      `has signed the certificate of ${server.url}. Set NODE_EXTRA_CA_CERTS`,
    );
    expect(messages).not.toContain('Is the server running?');
  });

  it('cspm takes an address with a space before it and the line break that ended its file', async () => {
    const url = await serve((_request, response) => {
      response.setHeader('content-type', 'application/json');
      response.setHeader('x-correlation-id', 'one');
      response.end('{"items":[],"nextCursor":null}');
    });
    const environment = { CSPM_API_KEY: 'cspm_key', CSPM_URL: ` ${url}\n` };
    expect((await cspm(['webhooks', 'list'], { environment })).code).toBe(0);
  });

  it.each(['', 'relative'])(
    'the session file is below HOME when XDG_CONFIG_HOME is "%s"',
    async (value) => {
      await mkdir(join(folder, '.config', 'cspm'), { recursive: true });
      const file = join(folder, '.config', 'cspm', 'session.json');
      await writeFile(file, JSON.stringify({ ...OLD, url: 'http://127.0.0.1:9' }));
      const environment = { XDG_CONFIG_HOME: value, HOME: folder };
      const { messages } = await cspm(['findings'], { environment });
      expect(messages).toContain('Cannot reach http://127.0.0.1:9.');
    },
  );

  it('a slash at the end of CSPM_URL does not hide the stored session', async () => {
    await storeSession({ ...OLD, url: 'http://127.0.0.1:9' });
    const environment = { XDG_CONFIG_HOME: folder, CSPM_URL: 'http://127.0.0.1:9/' };
    expect((await cspm(['findings'], { environment })).messages).toContain('Cannot reach');
    environment.CSPM_URL = 'http://127.0.0.1:9/other';
    expect((await cspm(['findings'], { environment })).messages).toContain(
      'not to http://127.0.0.1:9/other',
    );
  });

  it('cspm login --logout forgets the session when its server is gone, and says so', async () => {
    await storeSession({ ...OLD, url: 'http://127.0.0.1:9' });
    const environment = { XDG_CONFIG_HOME: folder, CSPM_URL: 'http://127.0.0.1:1023' };
    const { code, messages } = await cspm(['login', '--logout'], { environment });
    expect(code).toBe(4);
    expect(messages).toContain('http://127.0.0.1:9 did not end the session');
    expect(messages).not.toContain('1023');
    await expect(storedSession()).rejects.toThrow('ENOENT');
  });

  it('commands that run at the same time renew an expired session once', async () => {
    const renewals: string[] = [];
    const url = await serve(async (request, response) => {
      response.setHeader('content-type', 'application/json');
      if (request.url === '/auth/refresh') {
        let body = '';
        for await (const piece of request) body += piece;
        renewals.push(JSON.parse(body).refreshToken);
        if (renewals.length > 1) response.statusCode = 401;
        const tokens = { accessToken: 'fresh', refreshToken: 'next', expiresIn: 900 };
        response.end(JSON.stringify(renewals.length > 1 ? { code: 'UNAUTHORIZED' } : tokens));
        return;
      }
      const isFresh = request.headers.authorization === 'Bearer fresh';
      response.statusCode = isFresh ? 200 : 401;
      const page = { items: [], nextCursor: null };
      response.end(JSON.stringify(isFresh ? page : { code: 'UNAUTHORIZED' }));
    });
    await storeSession({ ...OLD, refreshToken: 'first', url });
    const environment = { XDG_CONFIG_HOME: folder };
    const list = () => cspm(['webhooks', 'list'], { environment });
    const outcomes = await Promise.all([list(), list(), list()]);
    expect(outcomes.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(renewals).toEqual(['first']);
    expect(await storedSession()).toMatchObject({ url, refreshToken: 'next' });
  });
});
