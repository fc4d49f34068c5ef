import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Analyst } from '../../../tests/kit/analyst.ts';
import { bucket } from '../../../tests/kit/export-records.ts';
import { mailsTo } from '../../../tests/kit/mailbox.ts';
import type { TestUser } from '../../../tests/kit/people.ts';
import {
  changeSchedule,
  createSchedule,
  runDueSchedules,
  type Schedule,
  scansOfSchedule,
} from '../../../tests/kit/schedules.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';

let server: TestServer;
let user: TestUser;
let person: Analyst;
let project: string;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

beforeEach(async () => {
  const tenant = await server.people.tenant();
  user = await server.people.user({ tenant, role: 'analyst' });
  person = new Analyst(server, user.key, tenant.id);
  project = await person.project([bucket('b')]);
});

const create = (changes: object = {}) => createSchedule(person, project, changes);
const seen = ({ id }: { id: string }): Promise<Schedule> => person.ask(200, `/schedules/${id}`);
const change = (schedule: Schedule, changes: object) => changeSchedule(person, schedule, changes);
const runDue = (workers?: number) => runDueSchedules(server, workers);
const scansOf = (schedule: Schedule) => scansOfSchedule(person, schedule);

const auditOf = async (action: string) => {
  const admin = await Analyst.at(server, { tenant: user.tenant });
  return (await admin.ask(200, `/audit-events?action=${action}`)).items;
};

describe('a schedule whose creator', () => {
  type Departure = (admin: Analyst) => Promise<unknown>;
  const patch =
    (body: object): Departure =>
    (admin) =>
      admin.ask(200, `/users/${user.id}`, { method: 'PATCH', body });

  it.each<[string, Departure, string, string]>([
    [
      'has left',
      (admin) => admin.ask(204, `/users/${user.id}`, { method: 'DELETE' }),
      'CREATOR_REMOVED',
      'has left the tenant',
    ],
    ['is disabled', patch({ status: 'disabled' }), 'CREATOR_DISABLED', 'disabled account'],
    [
      'may no longer launch scans',
      patch({ role: 'viewer' }),
      'CREATOR_NOT_PERMITTED',
      'no longer has the permission',
    ],
  ])(
    "a schedule whose creator %s is disabled with the person's others, audited, and reported to administrators once",
    async (_, depart, code, words) => {
      const boss = await server.people.user({ tenant: user.tenant, amr: ['pwd', 'otp'] });
      const admin = new Analyst(server, boss.session, user.tenant.id);
      const signedIn = async () => {
        const holder = { id: boss.id, tenant: user.tenant };
        const { headers } = await server.people.session(holder, ['pwd', 'otp']);
        return new Analyst(server, headers, user.tenant.id);
      };
      const mine = [await create(), await create({ cron: '30 0 1 1 *' })];
      const off = await create({ enabled: false });
      person = admin;
      const hers = await create();
      await depart(admin);
      server.clock.advance({ hours: 1 });
      person = await signedIn();
      await runDue(3);
      for (const schedule of mine) {
        expect(await scansOf(schedule)).toEqual([]);
        expect(await seen(schedule)).toMatchObject({
          ...{ enabled: false, nextRunAt: null, lastRun: null },
          disabledReason: { code, message: expect.stringContaining('Enable the schedule again') },
        });
      }
      expect(await seen(off)).toMatchObject({ disabledReason: null });
      expect(await scansOf(hers)).toHaveLength(1);
      const events = await auditOf('schedule.disabled');
      expect(events.map(({ subject }: { subject: string }) => subject).toSorted()).toEqual(
        mine.map(({ id }) => id).toSorted(),
      );
      expect(events[0]).toMatchObject({ actor: { kind: 'schedule' }, detail: { reason: code } });
      const mails = await mailsTo(server, boss.email);
      expect(mails.map(({ template }) => template)).toEqual(['schedules-disabled']);
      expect(mails[0]?.text).toContain(words);
      expect(mails[0]?.text).toContain('2 schedules');
      const [first] = mine;
      if (first === undefined) throw new Error('There is no schedule');
      const taken: Schedule = await change(first, { enabled: true });
      expect(taken).toMatchObject({ disabledReason: null, createdBy: { id: boss.id } });
      server.clock.advance({ hours: 1 });
      person = await signedIn();
      await runDue();
      expect(await scansOf(first)).toHaveLength(1);
    },
  );

  it('a schedule continues although its creator was demoted and promoted again between two runs', async () => {
    const schedule = await create();
    await server.people.join(user, user.tenant, 'viewer');
    await server.people.join(user, user.tenant, 'analyst');
    server.clock.advance({ hours: 1 });
    await runDue();
    expect(await scansOf(schedule)).toHaveLength(1);
  });

  it("a schedule uses the permissions that its creator's custom role has at the time", async () => {
    const { tenant } = user;
    const member = await server.people.user({ tenant, role: ['scans.launch', 'scans.read'] });
    person = new Analyst(server, member.key, tenant.id);
    const schedule = await create();
    server.clock.advance({ hours: 1 });
    await runDue();
    expect(await scansOf(schedule)).toHaveLength(1);
    await server.database.owner.query(
      "UPDATE identity.roles SET permissions = '{scans.read}' WHERE tenant_id = $1",
      [tenant.id],
    );
    server.clock.advance({ hours: 1 });
    await runDue();
    person = new Analyst(server, user.key, tenant.id);
    expect((await seen(schedule)).disabledReason?.code).toBe('CREATOR_NOT_PERMITTED');
    expect(await scansOf(schedule)).toHaveLength(1);
  });
});
