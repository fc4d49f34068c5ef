import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { canLimitFileSize, limitFileSize, unlimitFileSize } from '../tests/kit/file-size-limit.ts';
import { commandLine } from './testing/command-line.ts';

const TOKENS = { accessToken: 'fresh', refreshToken: 'next', expiresIn: 900 };
const REMEDY = 'Set XDG_CONFIG_HOME to a directory that you may write to, or set CSPM_API_KEY';

describe('a session that cannot be stored', () => {
  const cspm = commandLine();
  let folder: string;
  let server: Server;
  let url: string;
  let listener: RequestListener;
  let asked: string[];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cspm-session-'));
    asked = [];
    server = createServer((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      response.setHeader('content-type', 'application/json');
      listener(request, response);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  afterEach(async () => {
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true });
  });

  it('cspm login names a session file that cannot be written, ends the session and exits with 2', async () => {
    listener = ({ url: path }, response) =>
      path === '/auth/login' ? response.end(JSON.stringify(TOKENS)) : response.writeHead(204).end();
    const home = join(folder, 'file');
    await writeFile(home, '');
    const { code, messages } = await cspm(['login', '--email', 'ada@example.com', '--url', url], {
      environment: { XDG_CONFIG_HOME: home },
      typed: ['password'],
    });
    expect(code).toBe(2);
    expect(messages).toContain(`Cannot write ${join(home, 'cspm', 'session.json')}`);
    expect(messages).toContain(REMEDY);
    expect(asked).toEqual(['POST /auth/login', 'POST /auth/logout']);
  });

  it.skipIf(!canLimitFileSize())(
    'cspm login explains a full disk, and leaves no draft of the session file (skipped without prlimit)',
    async () => {
      listener = ({ url: path }, response) => {
        if (path === '/auth/login') limitFileSize(10);
        else unlimitFileSize();
        response.end(JSON.stringify(TOKENS));
      };
      const { code, messages } = await cspm(['login', '--email', 'ada@example.com', '--url', url], {
        environment: { XDG_CONFIG_HOME: folder },
        typed: ['password'],
      }).finally(unlimitFileSize);
      expect(code).toBe(2);
      expect(messages).toContain(`Cannot write ${join(folder, 'cspm', 'session.json')}`);
      expect(messages).toContain('EFBIG');
      expect(await readdir(join(folder, 'cspm'))).toEqual([]);
    },
  );

  it('cspm names the session file when a renewed session cannot be written, and leaves no draft', async () => {
    const sessions = join(folder, 'cspm');
    await mkdir(sessions);
    const expired = { url, accessToken: 'old', refreshToken: 'spent', expiresAt: 0 };
    await writeFile(join(sessions, 'session.json'), JSON.stringify(expired));
    listener = async ({ url: path }, response) => {
      if (path !== '/auth/refresh') {
        response.writeHead(401).end('{"code":"UNAUTHORIZED"}');
        return;
      }
      // A directory cannot be replaced by a file.
      await rename(join(sessions, 'session.json'), join(folder, 'moved'));
      await mkdir(join(sessions, 'session.json'));
      response.end(JSON.stringify(TOKENS));
    };
    const { code, messages } = await cspm(['webhooks', 'list'], {
      environment: { XDG_CONFIG_HOME: folder },
    });
    expect(code).toBe(2);
    expect(messages).toContain(`Cannot write ${join(sessions, 'session.json')}`);
    expect(messages).toContain(REMEDY);
    expect(await readdir(sessions)).toEqual(['session.json']);
  });

  describe('after a sign-in to another service', () => {
    const other = {
      url: 'http://127.0.0.1:9',
      accessToken: 'access-of-other',
      refreshToken: 'refresh-of-other',
    };
    let file: string;
    let received: string[];

    beforeEach(async () => {
      received = [];
      file = join(folder, 'cspm', 'session.json');
      await mkdir(join(folder, 'cspm'));
    });

    const signIn = (session: object) => writeFile(file, JSON.stringify(session));
    const list = () => cspm(['webhooks', 'list'], { environment: { XDG_CONFIG_HOME: folder } });
    const record = async (request: IncomingMessage) => {
      received.push(String(request.headers.authorization), await text(request));
    };

    it.each([
      ['its access token', Date.now() + 900_000],
      ['its refresh token', 0],
    ])(
      'a running command sends %s to no service but that one, and keeps its session',
      async (_what, expiresAt) => {
        await signIn({ url, accessToken: 'old', refreshToken: 'spent', expiresAt: 0 });
        listener = async (request, response) => {
          await record(request);
          await signIn({ ...other, expiresAt });
          response.writeHead(401).end('{"code":"UNAUTHORIZED","detail":"No valid credential."}');
        };
        const { code, messages } = await list();
        expect(received.join()).not.toContain('of-other');
        expect(code).toBe(2);
        expect(messages).toContain(
          `You are now signed in to ${other.url}, and no longer to ${url}.`,
        );
        expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ ...other, expiresAt });
      },
    );

    it('a command that renews its session meanwhile does not replace that of the other service', async () => {
      await signIn({ url, accessToken: 'old', refreshToken: 'spent', expiresAt: 0 });
      listener = async (request, response) => {
        await record(request);
        if (request.url === '/auth/refresh') {
          await signIn({ ...other, expiresAt: 0 });
          response.end(JSON.stringify(TOKENS));
        } else if (request.headers.authorization === 'Bearer fresh') {
          response.end('{"items":[],"nextCursor":null}');
        } else response.writeHead(401).end('{"code":"UNAUTHORIZED"}');
      };
      expect((await list()).code).toBe(0);
      expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ ...other, expiresAt: 0 });
    });
  });
});
