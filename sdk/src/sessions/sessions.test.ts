import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { until } from '../../../tests/kit/until.ts';
import { arrange, failureOf, SCAN_ID, scan } from '../../conformance/arrange.ts';
import { problem, type Received, type Step } from '../../conformance/server.ts';
import { expired, GET, guarded, REFRESH, rotate, tokens } from '../../conformance/session-steps.ts';
import { UnauthorizedError } from '../errors.ts';
import { cookieSession } from './cookie-session.ts';
import type { SessionEvent } from './events.ts';
import { fileStore } from './file-store.ts';
import { storedSession } from './stored-session.ts';
import { memoryStore, type SessionStore } from './stores.ts';

let sessions = 0;

/** A name that no other test has used: pages of one name share a session. */
function freshName(): string {
  sessions += 1;
  return `session-test-${sessions}`;
}

/** What a server answers that keeps the refresh token in a cookie. */
const cookieTokens = (generation: number) => ({ ...tokens(generation), refreshToken: '' });
const LOGIN = 'POST /auth/login';
const credentials = { email: 'ada@example.com', password: 'correct horse' };
/** Another page has just renewed the session. */
const repeated: Step = { ...problem(401, 'UNAUTHORIZED'), headers: { 'retry-after': '1' } };

describe('a session with the refresh token in a cookie', () => {
  test('a cookie session starts with a sign-in, whose request asks for the cookie', async () => {
    const { server, cspm } = await arrange({ session: cookieSession({ name: freshName() }) });
    server.on(LOGIN, { body: cookieTokens(1) });
    server.on(GET, guarded(1));
    await cspm.auth.login(credentials);
    await cspm.scans.get({ id: SCAN_ID });
    expect(server.to(LOGIN)[0]?.headers['x-session-transport']).toBe('cookie');
    expect(server.to(GET)[0]?.headers['x-session-transport']).toBeUndefined();
    expect(server.to(GET)).toHaveLength(1);
  });

  test('a cookie session is renewed before the first call of a page, without a refresh token in the body', async () => {
    const { server, cspm } = await arrange({ session: cookieSession({ name: freshName() }) });
    server.on(REFRESH, { body: cookieTokens(1) });
    server.on(GET, guarded(1));
    await Promise.all([cspm.scans.get({ id: SCAN_ID }), cspm.scans.get({ id: SCAN_ID })]);
    expect(server.to(REFRESH).map(({ body }) => body)).toEqual(['{}']);
    expect(server.to(REFRESH)[0]?.headers['x-session-transport']).toBe('cookie');
    expect(server.to(GET)).toHaveLength(2);
  });

  test('a cookie session is renewed before its token expires', async () => {
    const { server, cspm } = await arrange({ session: cookieSession({ name: freshName() }) });
    server.on(LOGIN, { body: { ...cookieTokens(1), expiresIn: 20 } });
    server.on(REFRESH, { body: cookieTokens(2) });
    server.on(GET, guarded(2));
    await cspm.auth.login(credentials);
    await cspm.scans.get({ id: SCAN_ID });
    expect(server.to(GET)).toHaveLength(1);
  });

  test('a cookie session is shared by two pages: the second one gets the token without a request', async () => {
    const name = freshName();
    const { server, client } = await arrange();
    const [one, two] = [1, 2].map(() => client({ session: cookieSession({ name }) }));
    server.on(LOGIN, { body: cookieTokens(1) });
    server.on(REFRESH, { body: cookieTokens(2) });
    server.on(GET, guarded(1));
    await one?.auth.login(credentials);
    await two?.scans.get({ id: SCAN_ID });
    expect(server.to(REFRESH)).toEqual([]);
  });

  test('a page with a cookie session uses the token of another page that has just refreshed, instead of signing out', async () => {
    const name = freshName();
    const { server, client } = await arrange();
    const [here, there] = [1, 2].map(() => cookieSession({ name }));
    const cspm = client({ session: here as SessionSourceOf });
    server.on(REFRESH, async () => {
      await there?.save(cookieTokens(5), true);
      return repeated;
    });
    server.on(GET, guarded(5));
    await cspm.scans.get({ id: SCAN_ID });
    expect(server.to(REFRESH)).toHaveLength(1);
    expect(here?.isSignedIn).toBe(true);
  });

  test('a cookie session ends in all pages when one signs out', async () => {
    const name = freshName();
    const { server, client } = await arrange();
    const [here, there] = [1, 2].map(() => cookieSession({ name }));
    const events: SessionEvent[] = [];
    there?.subscribe((event) => events.push(event));
    const cspm = client({ session: here as SessionSourceOf });
    server.on(LOGIN, { body: cookieTokens(1) });
    server.on('POST /auth/logout', { status: 204 });
    await cspm.auth.login(credentials);
    await until('the other page has the token', async () => there?.tokens !== undefined);
    await cspm.auth.logout();
    expect(server.to('POST /auth/logout').map(({ body }) => body)).toEqual(['{}']);
    await until('the other page has no token', async () => there?.tokens === undefined);
    expect(events).toEqual(['signed-in', 'signed-out']);
  });

  test.each(['logoutAll', 'changePassword'] as const)(
    'a cookie session ends after %s',
    async (operation) => {
      const session = cookieSession({ name: freshName() });
      const { server, cspm } = await arrange({ session });
      server.on(LOGIN, { body: cookieTokens(1) });
      server.on('POST /auth/logout-all', { status: 204 });
      server.on('POST /auth/change-password', { status: 204 });
      await cspm.auth.login(credentials);
      if (operation === 'logoutAll') await cspm.auth.logoutAll();
      else await cspm.auth.changePassword({ currentPassword: 'a', newPassword: 'b' });
      expect(session.tokens).toBeUndefined();
    },
  );

  test('a cookie session ends when its refresh is refused, and the call ends with the refusal', async () => {
    const session = cookieSession({ name: freshName() });
    const events: SessionEvent[] = [];
    session.subscribe((event) => events.push(event));
    const { server, cspm } = await arrange({ session });
    server.on(LOGIN, { body: cookieTokens(1) });
    server.on(GET, expired);
    server.on(REFRESH, expired);
    await cspm.auth.login(credentials);
    await failureOf(cspm.scans.get({ id: SCAN_ID }), UnauthorizedError);
    expect(events).toEqual(['signed-in', 'signed-out']);
    expect(session.tokens).toBeUndefined();
  });

  test('a cookie session ends when its refresh is refused with the last request of a rate limit', async () => {
    const session = cookieSession({ name: freshName() });
    const { server, cspm } = await arrange({ session });
    server.on(LOGIN, { body: cookieTokens(1) });
    server.on(GET, expired);
    server.on(REFRESH, { ...expired, headers: { ratelimit: '"refresh";r=0;t=40' } });
    await cspm.auth.login(credentials);
    await failureOf(cspm.scans.get({ id: SCAN_ID }), UnauthorizedError);
    expect(server.to(REFRESH)).toHaveLength(1);
    expect(session.tokens).toBeUndefined();
  });

  test('a cookie session continues when a refresh fails for another reason than a refusal', async () => {
    const session = cookieSession({ name: freshName() });
    const { server, cspm } = await arrange({ session });
    server.on(LOGIN, { body: cookieTokens(1) });
    server.on(GET, expired, guarded(2));
    server.on(REFRESH, problem(503, 'SERVICE_UNAVAILABLE'), { body: cookieTokens(2) });
    await cspm.auth.login(credentials);
    await failureOf(cspm.scans.get({ id: SCAN_ID }));
    expect(session.tokens).toBeDefined();
    await cspm.scans.get({ id: SCAN_ID });
  });

  test('a cookie session stays signed out when a sign-out overtakes a refresh', async () => {
    const session = cookieSession({ name: freshName() });
    const { server, cspm } = await arrange({ session });
    server.on(REFRESH, async () => {
      await session.clear();
      return { body: cookieTokens(1) };
    });
    server.on(GET, expired);
    await failureOf(cspm.scans.get({ id: SCAN_ID }), UnauthorizedError);
    expect(session.tokens).toBeUndefined();
  });
});

type SessionSourceOf = ReturnType<typeof cookieSession>;

describe('a stored session', () => {
  test('a stored session is read from the store before the first call', async () => {
    const store = memoryStore();
    await store.save({ ...tokens(1), expiresAt: Date.now() + 900_000 });
    const { server, cspm } = await arrange({ session: storedSession(store) });
    server.on(GET, guarded(1));
    await cspm.scans.get({ id: SCAN_ID });
    expect(server.to(REFRESH)).toEqual([]);
  });

  test('a stored session stores every new pair', async () => {
    const store = memoryStore();
    const { server, cspm } = await arrange({ session: storedSession(store) });
    server.on(LOGIN, { body: tokens(1) });
    server.on(REFRESH, rotate);
    server.on(GET, guarded(2));
    await cspm.auth.login(credentials);
    await cspm.scans.get({ id: SCAN_ID });
    expect(await store.load()).toMatchObject({ refreshToken: 'refresh-2' });
  });

  test('a stored session is available before the first call if its store answers at once', async () => {
    const store = memoryStore();
    expect(storedSession(store).isSignedIn).toBe(false);
    await store.save({ ...tokens(1), expiresAt: Date.now() + 900_000 });
    expect(storedSession(store).isSignedIn).toBe(true);
  });

  test.each([
    ['answers later', async () => ({ ...tokens(1), expiresAt: 0 })],
    ['fails later', () => Promise.reject(new Error('later'))],
    // biome-ignore lint/suspicious/noThenProperty: the query of a database is no Promise.
    ['answers with another promise', () => ({ then: () => undefined }) as never],
    ['does not exist where a page is rendered', () => globalThis.localStorage.key(0) as never],
  ])('a stored session appears missing before the first call if its store %s', (_what, load) => {
    expect(storedSession({ ...memoryStore(), load }).isSignedIn).toBe(false);
  });

  test('a stored session is taken from the store by a page that slept while another one renewed it', async () => {
    const store: SessionStore = { ...memoryStore(), name: freshName() };
    const { server, client } = await arrange();
    const [awake, asleep] = [1, 2].map(() => client({ session: storedSession(store) }));
    await store.save({ ...tokens(1), expiresAt: Date.now() + 900_000 });
    server.on(REFRESH, rotate);
    server.on(GET, guarded(1), guarded(2), expired, guarded(3));
    await asleep?.scans.get({ id: SCAN_ID });
    await awake?.auth.refresh({ refreshToken: 'refresh-1' });
    await awake?.scans.get({ id: SCAN_ID });
    await awake?.auth.refresh({ refreshToken: 'refresh-2' });
    await asleep?.scans.get({ id: SCAN_ID });
    expect(server.to(REFRESH)).toHaveLength(2);
  });

  test('a stored session is renewed by the page that wakes when the stored token has expired too', async () => {
    const store = memoryStore();
    const { server, cspm } = await arrange({ session: storedSession(store) });
    await store.save({ ...tokens(1), expiresAt: Date.now() + 900_000 });
    server.on(GET, expired, guarded(4));
    server.on(REFRESH, rotate);
    const first = cspm.scans.get({ id: SCAN_ID });
    await store.save({ ...tokens(3), expiresAt: Date.now() - 1 });
    await first;
    expect(server.to(REFRESH).map(refreshTokenOf)).toEqual(['refresh-3']);
  });

  test('a stored session outlives a refused refresh when the tokens of another page reach its storage later', async () => {
    const kept = memoryStore();
    const later = { ...tokens(2), expiresAt: Date.now() + 900_000 };
    await kept.save({ ...tokens(1), expiresAt: Date.now() + 900_000 });
    let looks = 0;
    const store: SessionStore = {
      ...kept,
      name: freshName(),
      async load() {
        // Once after the refusal, the storage still has the old tokens.
        if (server.to(REFRESH).length > 0) looks += 1;
        if (looks === 2) await kept.save(later);
        return kept.load();
      },
    };
    const { server, client } = await arrange();
    server.on(GET, expired, guarded(2));
    server.on(REFRESH, expired);
    await client({ session: storedSession(store) }).scans.get({ id: SCAN_ID });
    expect(server.to(REFRESH).map(refreshTokenOf)).toEqual(['refresh-1']);
    expect(await kept.load()).toEqual(later);
  });

  test('a session in memory is renewed once by the clients that share its store', async () => {
    const store = memoryStore();
    await store.save({ ...tokens(1), expiresAt: 0 });
    const { server, client } = await arrange();
    const clients = Array.from({ length: 4 }, () => client({ session: storedSession(store) }));
    server.on(GET, guarded(2));
    server.on(REFRESH, rotate);
    for (let round = 0; round < 2; round += 1) {
      await Promise.all(clients.map((cspm) => cspm.scans.get({ id: SCAN_ID })));
    }
    expect(server.to(REFRESH).map(refreshTokenOf)).toEqual(['refresh-1']);
  });

  test('a session in memory is renewed by a client although the renewal of another one has failed', async () => {
    const store = memoryStore();
    await store.save({ ...tokens(1), expiresAt: 0 });
    const { server, client } = await arrange();
    const [one, two] = [1, 2].map(() => client({ session: storedSession(store), retry: false }));
    server.on(GET, guarded(2));
    server.on(REFRESH, problem(500, 'INTERNAL'), rotate);
    const calls = [one, two].map((cspm) => cspm?.scans.get({ id: SCAN_ID }));
    const statuses = (await Promise.allSettled(calls)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual(['fulfilled', 'rejected']);
  });

  test('a stored session is ended by a logout without a token, in the store as well', async () => {
    const store = memoryStore();
    const { server, cspm } = await arrange({ session: storedSession(store) });
    server.on(LOGIN, { body: tokens(1) });
    server.on('POST /auth/logout', { status: 204 });
    await cspm.auth.login(credentials);
    await cspm.auth.logout();
    expect(server.to('POST /auth/logout').map(refreshTokenOf)).toEqual(['refresh-1']);
    expect(await store.load()).toBeUndefined();
  });

  test('a stored session is deleted from the store when its refresh is refused', async () => {
    const store = memoryStore();
    await store.save({ ...tokens(1), expiresAt: 0 });
    const { server, cspm } = await arrange({ session: storedSession(store) });
    server.on(GET, expired);
    server.on(REFRESH, expired);
    await failureOf(cspm.scans.get({ id: SCAN_ID }), UnauthorizedError);
    expect(await store.load()).toBeUndefined();
  });
});

describe('a session in a file', () => {
  async function folder(): Promise<string> {
    const path = await mkdtemp(join(tmpdir(), 'cspm-session-'));
    onTestFinished(() => rm(path, { recursive: true, force: true }));
    return path;
  }

  test('a session in a file can be read by its owner only, whatever mode an earlier file had', async () => {
    const path = join(await folder(), 'session.json');
    await writeFile(path, '{}', { mode: 0o644 });
    const store = fileStore(path);
    const stored = { accessToken: 'a', refreshToken: 'r', expiresAt: 5 };
    await store.save(stored);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await store.load()).toEqual(stored);
    await store.clear();
    expect(await store.load()).toBeUndefined();
  });

  test('a session in a file leaves no draft with its tokens when it cannot be saved', async () => {
    const parent = await folder();
    const path = join(parent, 'session.json');
    // A directory cannot be replaced by a file.
    await mkdir(path);
    const stored = { accessToken: 'a', refreshToken: 'r', expiresAt: 5 };
    await expect(fileStore(path).save(stored)).rejects.toThrow('rename');
    expect(await readdir(parent)).toEqual(['session.json']);
  });

  test('a session in a file counts as none when the file is not a session', async () => {
    const path = join(await folder(), 'session.json');
    for (const text of ['', '{', 'null', '[]', '{"accessToken":1}']) {
      await writeFile(path, text);
      expect(await fileStore(path).load()).toBeUndefined();
    }
  });

  test('a session in a file is found by a program that started before the sign-in of another one', async () => {
    const path = join(await folder(), 'session.json');
    const { server, client } = await arrange();
    const cspm = client({ session: storedSession(fileStore(path)) });
    server.on(GET, guarded(1));
    await failureOf(cspm.scans.get({ id: SCAN_ID }), UnauthorizedError);
    await fileStore(path).save({ ...tokens(1), expiresAt: Date.now() + 900_000 });
    await cspm.scans.get({ id: SCAN_ID });
    expect(server.to(REFRESH)).toEqual([]);
  });

  test('a session in a file keeps its lock while a renewal lasts', async () => {
    const path = join(await folder(), 'session.json');
    const store = fileStore(path);
    let release = () => {};
    const isReleased = new Promise<void>((resolve) => {
      release = resolve;
    });
    const renewal = store.exclusive?.(() => isReleased);
    const lock = `${path}.lock`;
    await vi.waitFor(() => utimes(lock, 0, 0));
    await vi.waitFor(async () => expect((await stat(lock)).mtimeMs).toBeGreaterThan(0), 30_000);
    release();
    await renewal;
    await expect(stat(lock)).rejects.toThrow('ENOENT');
  });

  test('a session in a file is renewed once by two programs that share it', async () => {
    const at = await folder();
    const path = join(at, 'session.json');
    await fileStore(path).save({ ...tokens(1), expiresAt: Date.now() + 900_000 });
    const { server, client } = await arrange();
    const programs = [1, 2].map(() => client({ session: storedSession(fileStore(path)) }));
    server.on(REFRESH, rotate);
    server.on(GET, ({ headers }) =>
      headers.authorization === 'Bearer access-2' ? { body: scan() } : expired,
    );
    await Promise.all(programs.map((cspm) => cspm.scans.get({ id: SCAN_ID })));
    expect(server.to(REFRESH)).toHaveLength(1);
    expect(await readdir(at)).toEqual(['session.json']);
  });
});

function refreshTokenOf({ body }: Received): unknown {
  return JSON.parse(body).refreshToken;
}
