import type { SessionStore, StoredSession } from '../../src/sessions/stores.ts';
import { SCAN_ID, scan } from '../arrange.ts';
import { check, same, until } from '../check.ts';
import type { LoopbackServer } from '../server.ts';
import { guarded, REFRESH, rotate, tokens } from '../session-wire.ts';
import type { SubpathCase } from './case.ts';
import type { Parts } from './parts.ts';

const GET = `GET /scans/${SCAN_ID}`;
let stores = 0;

/** Sessions that several tabs share. */
export const sessions: readonly SubpathCase[] = [
  {
    id: 'ses.one-refresh',
    subpath: 'session',
    title: 'renews a session once for all calls of all tabs that share it',
    async run(parts, server) {
      const store = sharedStore();
      const [one, two] = [tab(parts, server, store), tab(parts, server, store)];
      server.on(GET, guarded(2, { body: scan() }));
      server.on(REFRESH, rotate);
      await Promise.all([one, two, one, two].map(({ read }) => read()));
      same(
        server.to(REFRESH).map(({ body }) => body),
        ['{"refreshToken":"refresh-1"}'],
        'renewals',
      );
    },
  },
  {
    id: 'ses.sleeper',
    subpath: 'session',
    title: 'gives a tab that slept the tokens that another one has renewed meanwhile',
    async run(parts, server) {
      const store = sharedStore();
      const [sleeper, other] = [tab(parts, server, store), tab(parts, server, store)];
      server.on(GET, guarded(1, { body: scan() }));
      await sleeper.read();
      server.on(GET, guarded(2, { body: scan() }));
      server.on(REFRESH, rotate);
      await other.read();
      await sleeper.read();
      check(server.to(REFRESH).length === 1, `${server.to(REFRESH).length} renewals`);
    },
  },
  {
    id: 'ses.sign-out',
    subpath: 'session',
    title: 'signs all tabs out when one signs out',
    async run(parts, server) {
      const store = sharedStore();
      const [one, two] = [tab(parts, server, store), tab(parts, server, store)];
      server.on(GET, guarded(1, { body: scan() }));
      server.on('POST /auth/logout', { status: 204 });
      await Promise.all([one.read(), two.read()]);
      await one.cspm.auth.logout();
      await untilHeard(() => two.events.includes('signed-out'));
      check(!two.session.isSignedIn, 'the other tab is signed in');
      const refused = await two.read().then(
        () => 'a scan',
        (error: Error) => error.name,
      );
      same(refused, 'UnauthorizedError', 'the call of the other tab');
    },
  },
  {
    id: 'ses.kept',
    subpath: 'session',
    title: 'keeps a session over a reload, with the tokens that were renewed last',
    async run(parts, server) {
      const store = sharedStore();
      server.on(GET, guarded(2, { body: scan() }));
      server.on(REFRESH, rotate);
      await tab(parts, server, store).read();
      await tab(parts, server, store).read();
      check(server.to(REFRESH).length === 1, `${server.to(REFRESH).length} renewals`);
      same(server.to(GET).at(-1)?.headers.authorization, 'Bearer access-2', 'the credential');
    },
  },
];

function tab({ createClient, storedSession }: Parts, server: LoopbackServer, store: SessionStore) {
  const session = storedSession(store);
  const events: string[] = [];
  session.subscribe((event) => events.push(event));
  const cspm = createClient({ baseUrl: server.url, session });
  return { session, events, cspm, read: () => cspm.scans.get({ id: SCAN_ID }) };
}

/** What pages of one origin share: a store and a lock. */
function sharedStore(): SessionStore {
  stores += 1;
  const { accessToken, refreshToken } = tokens(1);
  let stored: StoredSession | null = {
    ...{ accessToken, refreshToken, expiresAt: Date.now() + 900_000 },
  };
  let last: Promise<unknown> = Promise.resolve();
  return {
    name: `conformance-${stores}`,
    load: () => stored,
    save(session) {
      stored = session;
    },
    clear() {
      stored = null;
    },
    exclusive(work) {
      const mine = last.then(work, work);
      last = mine;
      return mine;
    },
  };
}

/** Gives up after many turns of the event loop, because a session without a broadcast is never heard of. */
async function untilHeard(holds: () => boolean): Promise<void> {
  const givenUp = Date.now() + 5_000;
  await until(() => holds() || Date.now() > givenUp);
  check(holds(), 'the other tab heard nothing');
}
