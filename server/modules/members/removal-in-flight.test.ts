import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Belongings } from '../../../tests/kit/fixtures.ts';
import { mailsTo, tokenIn } from '../../../tests/kit/mailbox.ts';
import { rowsOf, waitingFor } from '../../../tests/kit/owner-queries.ts';
import type { TestUser } from '../../../tests/kit/people.ts';
import {
  freshAddress,
  type Reply,
  startTestServer,
  type TestServer,
} from '../../../tests/kit/test-server.ts';
import { until } from '../../../tests/kit/until.ts';
import { newId } from '../../platform/ids.ts';
import { THROTTLES } from '../../platform/throttle.ts';

let server: TestServer;
let admin: TestUser;
/** Leaves the tenant while a request of theirs runs. */
let person: TestUser;
let project: string;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

beforeEach(async () => {
  admin = await server.people.user({ amr: ['pwd', 'otp'] });
  const { tenant } = admin;
  person = await server.people.user({ tenant, verified: false });
  await server.database.owner.query(
    'UPDATE identity.memberships SET by_provider = true WHERE user_id = $1',
    [person.id],
  );
  const has = new Belongings(server.services, server.database, tenant);
  project = (await has.projectWithSource()).name;
});

const remove = () =>
  server.call(`/users/${person.id}`, { method: 'DELETE', headers: admin.session });

async function prove(): Promise<Reply> {
  const { email, password } = person;
  await server.call('/auth/forgot-password', { method: 'POST', body: { email } });
  const token = tokenIn((await mailsTo(server, email)).at(-1));
  return server.call('/auth/reset-password', { method: 'POST', body: { token, password } });
}

const ask = (method: string, path: string, body?: object) =>
  server.call(path, { method, headers: person.key, ...(body === undefined ? {} : { body }) });

const launchScan = () => ask('POST', '/scans', { projects: [project], profile: 'full' });
const startPull = () => ask('POST', `/projects/${project}/inventory/pull`);
async function setSource(): Promise<Reply> {
  const tenant = await server.call('/tenant', { headers: admin.key });
  const account = `${tenant.json.googlePrincipalPrefix}1`;
  return ask('PUT', `/projects/${project}/source`, {
    kind: 'google-cloud',
    parent: 'projects/shop-prod',
    credential: {
      type: 'impersonation',
      serviceAccount: `${account}@shop-prod.iam.gserviceaccount.com`,
    },
  });
}

/** Holds the request where it reads or writes this table, until the work is done. */
async function heldAt(
  table: string,
  request: () => Promise<Reply>,
  work: () => Promise<void>,
): Promise<Reply> {
  const { owner } = server.database;
  await owner.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
  try {
    const underWay = request();
    await until('the request to wait', async () => (await waiting()) === 1);
    await work();
    await owner.query('COMMIT');
    return await underWay;
  } finally {
    await owner.query('ROLLBACK');
  }
}

const waiting = async () => (await waitingFor(server.database, 'true')).length;

const labelsOf = (table: string) =>
  rowsOf(
    server.database,
    admin.tenant.id,
    `SELECT created_by_label AS label FROM ${table} WHERE created_by_id = $1`,
    [person.id],
  );

it.each([
  ['scan', 'scans', launchScan],
  ['source', 'sources', setSource],
  ['pull', 'pulls', startPull],
] as const)(
  'a %s of a request that was authorized before the removal of its member does not store their address',
  async (_what, table, request) => {
    const reply = await heldAt('projects', request, async () => {
      expect((await remove()).status).toBe(204);
    });
    expect(reply.status, reply.text).toBeLessThan(300);
    expect(await labelsOf(table)).toEqual([{ label: 'removed user' }]);
  },
);

it('a scan of a request that was authorized before its member left by proof of the address does not store the address', async () => {
  const reply = await heldAt('projects', launchScan, async () => {
    expect((await prove()).status).toBe(204);
  });
  expect(reply.status, reply.text).toBe(202);
  expect(await labelsOf('scans')).toEqual([{ label: 'removed user' }]);
});

it('a removal waits for a scan of the member that is not committed, and erases their address in it', async () => {
  let removal: Promise<Reply> | undefined;
  const reply = await heldAt('audit_events', launchScan, async () => {
    removal = remove();
    await until('the removal to wait', async () => (await waiting()) === 2);
  });
  expect([reply.status, (await removal)?.status]).toEqual([202, 204]);
  expect(await labelsOf('scans')).toEqual([{ label: 'removed user' }]);
});

it('a member can set their source again during their removal, without a deadlock', async () => {
  expect((await setSource()).status).toBe(200);
  expect((await launchScan()).status).toBe(202);
  let set: Promise<Reply> | undefined;
  // The removal has ended the membership when it comes to the views.
  const removal = await heldAt('saved_views', remove, async () => {
    set = setSource();
    await until('the source to wait', async () => (await waiting()) === 2);
  });
  expect([removal.status, (await set)?.status]).toEqual([204, 200]);
  expect(await labelsOf('sources')).toEqual([{ label: 'removed user' }]);
});

const saveView = (shared: boolean, name = 'Mine') =>
  ask('POST', '/views', { name, query: 'severity=high', shared });
const subscribe = () => ask('PUT', '/auth/me/notifications', { digest: 'daily' });

/** How many views and settings of the person the tenant stores. */
async function stored() {
  const count = async (rows: string) => {
    const sql = `SELECT count(*)::int AS count FROM ${rows} = $1`;
    return (await rowsOf(server.database, admin.tenant.id, sql, [person.id]))[0]?.['count'];
  };
  return {
    views: await count('saved_views WHERE owner_id'),
    settings: await count('notification_settings WHERE user_id'),
  };
}

const sharedViews = async () => {
  const sql = 'SELECT count(*)::int AS count FROM saved_views WHERE owner_id = $1 AND shared';
  return (await rowsOf(server.database, admin.tenant.id, sql, [person.id]))[0]?.['count'];
};

/** Ends the membership while the test holds a table that the end needs too. */
const ENDS = {
  'by removal': 'SELECT identity.remove_member($1)',
  'by proof of the address': 'SELECT identity.void_unproven($1, now())',
};

describe.each(Object.entries(ENDS))(
  'a request that was authorized before its member left, %s',
  (_how, end) => {
    const leave = async () => {
      await rowsOf(server.database, admin.tenant.id, end, [person.id]);
    };

    it('a request that was authorized before its member left stores no private view', async () => {
      const reply = await heldAt('saved_views', () => saveView(false), leave);
      expect(reply.status, reply.text).toBe(201);
      expect(await stored()).toEqual({ views: 0, settings: 0 });
    });

    it('a request that was authorized before its member left stores no view that it makes private', async () => {
      const { json } = await saveView(true);
      const content = { name: 'Mine', query: '', shared: false };
      const unshare = () => ask('PUT', `/views/${json.id}`, content);
      const reply = await heldAt('saved_views', unshare, leave);
      expect(reply.status, reply.text).toBe(409);
      expect(await sharedViews()).toBe(1);
    });

    it('a request that was authorized before its member left stores no notification setting', async () => {
      const reply = await heldAt('notification_settings', subscribe, leave);
      expect(reply.status, reply.text).toBe(200);
      expect(await stored()).toEqual({ views: 0, settings: 0 });
    });

    it('a request that was authorized before its member left stores a shared view, which the tenant keeps', async () => {
      const reply = await heldAt('saved_views', () => saveView(true), leave);
      expect(reply.status, reply.text).toBe(201);
      expect(await stored()).toEqual({ views: 1, settings: 0 });
    });
  },
);

it.each([
  ['first', async () => undefined],
  ['changed', subscribe],
])(
  'a removal waits for a %s notification setting of the member that is not committed, and erases it',
  async (_which, before) => {
    await before();
    let removal: Promise<Reply> | undefined;
    const reply = await heldAt('audit_events', subscribe, async () => {
      removal = remove();
      await until('the removal to wait', async () => (await waiting()) === 2);
    });
    expect([reply.status, (await removal)?.status]).toEqual([200, 204]);
    expect(await stored()).toEqual({ views: 0, settings: 0 });
  },
);

it('a removal waits for a private view of the member that is not committed, and erases it', async () => {
  let removal: Promise<Reply> | undefined;
  const reply = await heldAt(
    'audit_events',
    () => saveView(false),
    async () => {
      removal = remove();
      await until('the removal to wait', async () => (await waiting()) === 2);
    },
  );
  expect([reply.status, (await removal)?.status]).toEqual([201, 204]);
  expect(await stored()).toEqual({ views: 0, settings: 0 });
});

/** Exhausts the failed sign-ins of the person, and returns a further one, whose refusal is an event for webhooks. */
async function lockOut(): Promise<() => Promise<Reply>> {
  const { tenant } = admin;
  person = await server.people.user({ tenant });
  const body = { url: 'https://hooks.example.com/', events: ['sign_in.locked'] };
  const webhook = { method: 'POST', headers: admin.key, body };
  expect((await server.call('/webhooks', webhook)).status).toBe(201);
  const [ip, wrong] = [freshAddress(), { email: person.email, password: 'not the password' }];
  const { signIn, clock } = server.services;
  // Past the limit on requests of an address, which would refuse them first.
  for (let n = 0; n < THROTTLES['login-account-address']; n += 1) {
    const origin = { ip, correlationId: newId(), at: clock.now() };
    await expect(signIn.withPassword(wrong, origin)).rejects.toThrow('Invalid credentials');
  }
  return () => server.call('/auth/login', { method: 'POST', body: wrong, ip });
}

const lockedUsers = () =>
  rowsOf(
    server.database,
    admin.tenant.id,
    `SELECT body::jsonb #> '{data,user}' AS user FROM webhook_events WHERE type = 'sign_in.locked'`,
  );

it('a refused sign-in that began before the removal of its member stores an event without their address', async () => {
  const signIn = await lockOut();
  const reply = await heldAt('audit_events', signIn, async () => {
    await rowsOf(server.database, admin.tenant.id, ENDS['by removal'], [person.id]);
  });
  expect(reply.status).toBe(401);
  expect(await lockedUsers()).toEqual([{ user: { id: person.id, email: 'removed user' } }]);
});

it('a removal waits for the event of a refused sign-in that is not committed, and erases the address in it', async () => {
  const signIn = await lockOut();
  let removal: Promise<Reply> | undefined;
  const reply = await heldAt('webhook_events', signIn, async () => {
    removal = remove();
    await until('the removal to wait', async () => (await waiting()) === 2);
  });
  expect([reply.status, (await removal)?.status]).toEqual([401, 204]);
  expect(await lockedUsers()).toEqual([{ user: { id: person.id, email: 'removed user' } }]);
});

it('a refused sign-in of a member stores an event with their address', async () => {
  const signIn = await lockOut();
  expect((await signIn()).status).toBe(401);
  expect(await lockedUsers()).toEqual([{ user: { id: person.id, email: person.email } }]);
});

it('an administrator cannot make the shared view of a member who has left private, which would delete it', async () => {
  const { json } = await saveView(true);
  expect((await remove()).status).toBe(204);
  const body = { name: 'Mine', query: '', shared: false };
  const reply = await server.call(`/views/${json.id}`, {
    method: 'PUT',
    headers: admin.session,
    body,
  });
  expect(reply).toMatchObject({ status: 409, json: { code: 'CONFLICT' } });
  expect(await sharedViews()).toBe(1);
});

/** Sends a request while the removal of the person is not committed, which it comes to wait for. */
async function duringRemoval(request: () => Promise<Reply>): Promise<Reply> {
  const { owner } = server.database;
  await owner.query('BEGIN');
  try {
    await rowsOf(server.database, admin.tenant.id, ENDS['by removal'], [person.id]);
    const reply = request();
    await until('the request to wait', async () => (await waiting()) === 1);
    await owner.query('COMMIT');
    return await reply;
  } finally {
    await owner.query('ROLLBACK');
  }
}

it('a request for an API key that was authorized before the removal of its member is refused', async () => {
  const { session: headers } = person;
  const request = { method: 'POST', headers, body: { name: 'nightly' } };
  const reply = await duringRemoval(() => server.call('/api-keys', request));
  expect(reply).toMatchObject({ status: 401, json: { code: 'UNAUTHORIZED' } });
});

it('a sign-in to a tenant from which its member is removed meanwhile is refused', async () => {
  person = await server.people.user({ tenant: admin.tenant });
  await server.people.join(person, await server.people.tenant());
  const { email, password } = person;
  const body = { email, password, tenantId: admin.tenant.id };
  const signIn = () => server.call('/auth/login', { method: 'POST', body });
  const reply = await duringRemoval(signIn);
  expect(reply).toMatchObject({ status: 401, json: { code: 'INVALID_CREDENTIALS' } });
});

it('a request for a password reset answers as always when the account is deleted meanwhile', async () => {
  const request = { method: 'POST', body: { email: person.email } };
  const reply = await duringRemoval(() => server.call('/auth/forgot-password', request));
  expect(reply.status).toBe(202);
});

it('members keep their private views and notification settings', async () => {
  const { json } = await saveView(true, 'Shared');
  expect((await saveView(false)).status).toBe(201);
  const content = { name: 'Shared', query: '', shared: false };
  expect((await ask('PUT', `/views/${json.id}`, content)).status).toBe(200);
  expect((await subscribe()).status).toBe(200);
  expect(await stored()).toEqual({ views: 2, settings: 1 });
});

it('members keep their names on what they create', async () => {
  for (const request of [launchScan, setSource, startPull]) {
    const reply = await request();
    expect(reply.status, reply.text).toBeLessThan(300);
  }
  for (const table of ['scans', 'sources', 'pulls']) {
    expect(await labelsOf(table)).toEqual([{ label: person.email }]);
  }
});
