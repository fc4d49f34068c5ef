import { describe, expect, it } from 'vitest';
import { newId } from '../../server/platform/ids.ts';
import { Analyst } from '../kit/analyst.ts';
import { EventStream } from '../kit/event-stream.ts';
import { cluster } from '../kit/export-records.ts';
import { rowsOf } from '../kit/owner-queries.ts';
import type { TestUser } from '../kit/people.ts';
import { hasRedis } from '../kit/redis.ts';
import { masterKeyHeaders } from '../kit/shared-credentials.ts';
import { testSharedIdentity } from '../kit/shared-identity.ts';
import { testFleet } from '../kit/test-fleet.ts';
import { freshAddress, type Reply } from '../kit/test-server.ts';
import { until } from '../kit/until.ts';

const fleet = testFleet({ workers: 2 });
const ALL = 3;

const people = () => fleet().instances[0].people;
const statusesOf = (replies: readonly Reply[]) => replies.map(({ status }) => status);
const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));

/** A user whose requests go to the instances in turn. */
async function analyst(): Promise<Analyst> {
  const { key, tenant } = await people().user();
  return new Analyst(fleet(), key, tenant.id);
}

const limits = { skip: !hasRedis() };
describe('limits (skipped where there is no redis-server)', limits, () => {
  let networks = 0;
  const login = (ip: string) => fleet().call('/auth/login', { method: 'POST', ip });
  const leftOf = (reply: Reply, limit: string) =>
    Number(new RegExp(`"${limit}"; ?r=(\\d+)`).exec(reply.headers.get('ratelimit') ?? '')?.[1]);

  it('the general rate limit is counted once for all instances, and each reports what remains of it', async () => {
    const ip = freshAddress();
    const replies = await fleet().everywhere('/scans', { ip }, 20);
    expect(new Set(statusesOf(replies))).toEqual(new Set([401]));
    const left = replies.map((reply) => leftOf(reply, 'default')).sort((a, b) => a - b);
    expect(left).toEqual(times(60, (index) => index));
    const refused = await fleet().everywhere('/scans', { ip });
    for (const reply of refused) {
      expect(reply).toMatchObject({ status: 429, json: { limit: 'default' } });
      expect(leftOf(reply, 'default')).toBe(0);
      expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
    }
  });

  it('rate limits of one endpoint are shared by all instances', async () => {
    const ip = freshAddress();
    const left: number[] = [];
    for (let count = 0; count < 5; count += 1) left.push(leftOf(await login(ip), 'login'));
    expect(left).toEqual([4, 3, 2, 1, 0]);
    for (const reply of await fleet().everywhere('/auth/login', { method: 'POST', ip })) {
      expect(reply).toMatchObject({ status: 429, json: { limit: 'login' } });
    }
  });

  it('rate limits count an IPv6 network as one client, at all instances together', async () => {
    networks += 2;
    const host = (network: number, number: number) =>
      `2001:db8:0:${(networks + network).toString(16)}::${number.toString(16)}`;
    const replies = await Promise.all(times(9, (index) => login(host(0, index + 1))));
    expect(statusesOf(replies).filter((status) => status === 429)).toHaveLength(4);
    for (const instance of fleet().instances) {
      const ask = (ip: string) => instance.call('/auth/login', { method: 'POST', ip });
      expect((await ask(host(0, 0xffff))).status).toBe(429);
      expect((await ask(host(1, 1))).status).toBe(400);
    }
  });

  it('the break-glass limit of ten attempts an hour from one address is shared by all instances', async () => {
    const ip = freshAddress();
    const headers = masterKeyHeaders(await people().tenant());
    const wrong = { headers: { ...headers, 'x-master-key': 'wrong' }, ip };
    for (let tried = 0; tried < 10; tried += 1) {
      expect((await fleet().call('/auth/me', wrong)).status).toBe(401);
    }
    for (const reply of await fleet().everywhere('/auth/me', { headers, ip })) {
      expect(reply).toMatchObject({ status: 429, json: { limit: 'break-glass' } });
    }
  });
});

describe('people and their credentials', () => testSharedIdentity(fleet));

describe('one Idempotency-Key at all instances concurrently', () => {
  async function expectOneEffect(
    headers: Readonly<Record<string, string>>,
    path: string,
    body: unknown,
  ): Promise<Reply> {
    const call = { method: 'POST', headers: { ...headers, 'idempotency-key': newId() }, body };
    const replies = await fleet().everywhere(path, call, 4);
    const late = await fleet().everywhere(path, call);
    const first = replies.filter(
      ({ status, headers: given }) => status < 300 && !given.has('idempotency-replayed'),
    );
    expect(first).toHaveLength(1);
    for (const reply of replies.filter(({ status }) => status >= 300)) {
      expect(reply).toMatchObject({ status: 409, json: { code: 'IDEMPOTENCY_KEY_IN_USE' } });
      expect(reply.headers.get('retry-after')).toBe('1');
    }
    for (const reply of late) expect(reply.headers.get('idempotency-replayed')).toBe('true');
    for (const reply of [...replies.filter(({ status }) => status < 300), ...late]) {
      expect(reply.text).toBe(first[0]?.text);
      expect(reply.status).toBe(first[0]?.status);
      expect(reply.headers.get('location')).toBe(first[0]?.headers.get('location'));
    }
    return late[0] as Reply;
  }

  async function count(user: TestUser, table: string) {
    return (await rowsOf(fleet().database, user.tenant.id, `SELECT 1 FROM ${table}`)).length;
  }

  it('one Idempotency-Key at all instances concurrently creates one project, and all get the same response', async () => {
    const user = await people().user();
    await expectOneEffect(user.key, '/projects', { name: 'once' });
    expect(await count(user, 'projects')).toBe(1);
    expect(await count(user, 'audit_events')).toBe(1);
  });

  it('one Idempotency-Key at all instances concurrently creates one API key, whose secret every instance returns', async () => {
    const user = await people().user();
    const { json } = await expectOneEffect(user.session, '/api-keys', { name: 'once' });
    const { items } = (await fleet().call('/api-keys', { headers: user.session })).json;
    expect(items.filter(({ name }: { name: string }) => name === 'once')).toHaveLength(1);
    const used = await fleet().everywhere('/auth/me', { headers: { 'x-api-key': json.key } });
    expect(statusesOf(used)).toEqual([200, 200, 200]);
  });

  it('one Idempotency-Key at all instances concurrently launches one scan', async () => {
    const user = await people().user();
    const asking = new Analyst(fleet(), user.key, user.tenant.id);
    const body = { projects: [await asking.project([cluster('a')])], profile: 'gke' };
    const { json } = await expectOneEffect(user.key, '/scans', body);
    expect((await asking.finished(json.id)).status).toBe('completed');
    expect(await count(user, 'scans')).toBe(1);
  });
});

describe('the queue', () => {
  it('each scan runs once, whichever instance launched it, and a project has one running scan at a time', async () => {
    const asking = await analyst();
    const projects: string[] = [];
    for (let made = 0; made < 4; made += 1) {
      projects.push(await asking.project([cluster('a', { legacyAbac: true }), cluster('b')]));
    }
    const launched = await Promise.all(
      projects.map(async (project) => {
        const ids: string[] = [];
        for (let more = 0; more < ALL; more += 1) ids.push(await asking.launch(project, 'gke'));
        return ids;
      }),
    );
    for (const ids of launched) {
      const scans = await Promise.all(ids.map((id) => asking.finished(id)));
      for (const scan of scans) {
        expect(scan).toMatchObject({ status: 'completed', totals: { assets: 2, fail: 1 } });
      }
      expect(scans.map(({ delta }) => [delta.new, delta.unchanged])).toEqual([
        [1, 0],
        [0, 1],
        [0, 1],
      ]);
      scans.slice(1).forEach((scan, index) => {
        expect(`${scan.startedAt}` >= `${scans[index]?.finishedAt}`).toBe(true);
      });
    }
    expect(await asking.findings('status=open')).toHaveLength(projects.length);
  });

  it('an instance streams the events of a scan of another one, and continues a stream that a third one started', async () => {
    const asking = await analyst();
    const scanId = await asking.launch(await asking.project([cluster('a')]), 'gke');
    const path = `/scans/${scanId}/events`;
    const [one, other, third] = fleet().instances;
    const followed = await Promise.all(
      [one, other].map((instance) => EventStream.open(instance, path, asking.headers)),
    );
    await Promise.all(followed.map((stream) => stream.ended()));
    for (const { events } of followed) {
      expect(events.at(-1)).toMatchObject({ event: 'done', data: { status: 'completed' } });
    }
    const [first] = followed[0]?.events ?? [];
    const resumed = await EventStream.open(third, path, {
      ...asking.headers,
      'last-event-id': String(first?.id),
    });
    await resumed.ended();
    expect(resumed.events).toEqual([
      { ...followed[1]?.events.at(-1), at: resumed.events[0]?.at ?? 0 },
    ]);
  });

  it('each mail is sent once, and a mailbox gets at most three, over all instances', async () => {
    const { mails, database, everywhere, call } = fleet();
    const users: TestUser[] = [];
    for (let more = 0; more < 6; more += 1) users.push(await people().user());
    const forgot = (email: string) => ({ method: 'POST', body: { email } });
    for (const { email } of users) await call('/auth/forgot-password', forgot(email));
    const besieged = await people().user();
    const asked = await everywhere('/auth/forgot-password', forgot(besieged.email), 2);
    expect(new Set(statusesOf(asked))).toEqual(new Set([202]));
    await until('the queue to be empty', async () => {
      const { rows } = await database.owner.query(
        `SELECT 1 FROM graphile_worker._private_jobs j
         JOIN graphile_worker._private_tasks t ON t.id = j.task_id WHERE t.identifier = 'send-mail'`,
      );
      return rows.length === 0;
    });
    const sentTo = (email: string) => mails.received.filter(({ to }) => to.includes(email)).length;
    expect(users.map(({ email }) => sentTo(email))).toEqual([1, 1, 1, 1, 1, 1]);
    expect(sentTo(besieged.email)).toBe(3);
  });
});

describe('a change at one instance applies at the others with the next request:', () => {
  const admin = async () => people().user({ amr: ['pwd', 'otp'] });
  const others = async (path: string, headers: Readonly<Record<string, string>>) => {
    const [, second, third] = fleet().instances;
    return Promise.all([second, third].map((instance) => instance.call(path, { headers })));
  };

  it('a change of tenant settings at one instance applies at the others with the next request', async () => {
    const { session } = await admin();
    const [first] = fleet().instances;
    for (const muteDefaultDays of [7, 8]) {
      const body = { settings: { muteDefaultDays } };
      const changed = await first.call('/tenant', { method: 'PATCH', headers: session, body });
      for (const reply of await others('/tenant', session)) expect(reply.text).toBe(changed.text);
    }
  });

  it('a change of licensed features at one instance applies at the others with the next request', async () => {
    const { session, tenant } = await admin();
    const license = (features: readonly string[]) =>
      fleet().database.owner.query('UPDATE identity.tenants SET features = $2 WHERE id = $1', [
        tenant.id,
        features,
      ]);
    const path = '/audit-events/export';
    expect(statusesOf(await others(path, session))).toEqual([403, 403]);
    await license(['audit_export']);
    expect(statusesOf(await others(path, session))).toEqual([200, 200]);
    await license([]);
    expect(statusesOf(await others(path, session))).toEqual([403, 403]);
  });

  it("a change of a role's permissions at one instance applies at the others with the next request", async () => {
    const { session, tenant } = await admin();
    const role = `role-${newId()}`;
    const [first] = fleet().instances;
    const define = (method: string, path: string, body: object) =>
      first.call(path, { method, headers: session, body });
    await define('POST', '/roles', { name: role, permissions: ['rules.read'] });
    const person = await people().user({ tenant, role: 'viewer' });
    await define('PATCH', `/users/${person.id}`, { role });
    expect(statusesOf(await others('/rules', person.key))).toEqual([200, 200]);
    await define('PUT', `/roles/${role}`, { permissions: ['scans.read'] });
    expect(statusesOf(await others('/rules', person.key))).toEqual([403, 403]);
    expect(statusesOf(await others('/rules', person.session))).toEqual([403, 403]);
  });

  it('a mute created or deleted at one instance applies at the others with the next request', async () => {
    const asking = await analyst();
    const project = await asking.project([cluster('a', { legacyAbac: true })]);
    await asking.scan(project, 'gke');
    const [finding] = await asking.findings();
    const [first] = fleet().instances;
    const muted = async () =>
      (await others('/findings', asking.headers)).map(({ json }) => json.items[0].muted !== null);
    const { json } = await first.call('/mutes', {
      method: 'POST',
      headers: asking.headers,
      body: { fingerprint: finding?.fingerprint, reason: 'accepted' },
    });
    expect(await muted()).toEqual([true, true]);
    await first.call(`/mutes/${json.id}`, { method: 'DELETE', headers: asking.headers });
    expect(await muted()).toEqual([false, false]);
  });
});
