import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Analyst } from '../../../tests/kit/analyst.ts';
import { cluster } from '../../../tests/kit/export-records.ts';
import { type ReceivedMail, TestMailServer } from '../../../tests/kit/mail-server.ts';
import { rowsOf } from '../../../tests/kit/owner-queries.ts';
import type { TestTenant, TestUser, UserOptions } from '../../../tests/kit/people.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { until } from '../../../tests/kit/until.ts';

let server: TestServer;
let mails: TestMailServer;
let tenant: TestTenant;
let admin: Analyst;

beforeAll(async () => {
  mails = await TestMailServer.start();
  const mail = { url: mails.url, from: 'posture@example.com' };
  server = await startTestServer({ worker: true, config: { mail } });
});

afterAll(async () => {
  await server.close();
  await mails.stop();
});

beforeEach(async () => {
  tenant = await server.people.tenant();
  admin = await Analyst.at(server, { tenant });
});

const choose = (user: TestUser, digest: string) =>
  server.call('/auth/me/notifications', {
    ...{ method: 'PUT', headers: user.key, body: { digest } },
  });

/** A member of the tenant who gets e-mails. */
async function subscriber(digest: string, options: UserOptions = {}): Promise<TestUser> {
  const user = await server.people.user({ tenant, role: 'viewer', ...options });
  expect((await choose(user, digest)).status).toBe(200);
  return user;
}

const sentTo = ({ email }: TestUser) => mails.received.filter(({ to }) => to.includes(email));

/** The only mail that a person has got. */
async function arrived(user: TestUser): Promise<ReceivedMail> {
  const mail = await until(`a mail to ${user.email}`, async () => sentTo(user)[0]);
  expect(sentTo(user)).toHaveLength(1);
  return mail;
}

/** Waits until no mail of this tenant is due. Somebody else's mail shows that the workers looked for some after that. */
async function settled(): Promise<void> {
  const { owner } = server.database;
  await until('no due digests', async () => {
    const { rows } = await owner.query(
      'SELECT 1 FROM jobs.digest_dues WHERE tenant_id = $1 AND due_at <= $2',
      [tenant.id, server.clock.now()],
    );
    return rows.length === 0;
  });
  await until('no waiting mails', async () => {
    const { rows } = await owner.query(
      `SELECT 1 FROM graphile_worker._private_jobs j
       JOIN graphile_worker._private_tasks t ON t.id = j.task_id WHERE t.identifier = 'send-digest'`,
    );
    return rows.length === 0;
  });
}

/** Clusters with one high finding each. */
const exposed = (...names: string[]) => names.map((name) => cluster(name, { legacyAbac: true }));
const serious = async (scanId: string) =>
  (await admin.findings(`scan=${scanId}&severity=critical&severity=high`)).filter(
    ({ delta }) => delta === 'new' || delta === 'reopened',
  );

describe('an immediate digest', () => {
  it('an immediate digest lists the new critical and high findings of a scan, once, with a link to unsubscribe', async () => {
    const user = await subscriber('immediate');
    const project = await admin.project(exposed('a', 'b'));
    const scan = await admin.scan(project);
    const findings = await serious(scan.id);
    expect(findings.length).toBeGreaterThan(0);
    const mail = await arrived(user);
    expect(mail.headers['subject']).toContain(`in ${tenant.name}`);
    expect(mail.text).toContain(`&view=new&scan=${scan.id}`);
    for (const { title, asset, severity, message } of findings.slice(0, 20)) {
      const text = mail.text.replaceAll(/\s+/g, ' ');
      expect(text).toContain(
        `${severity.toUpperCase()}: ${title} (${asset.name}, project ${project}): ${message}`,
      );
    }
    const [, link] = /^<(.*)>$/.exec(mail.headers['list-unsubscribe'] ?? '') ?? [];
    expect(link?.startsWith(`${server.url}/unsubscribe?token=`)).toBe(true);
    expect(mail.headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click');
    expect(mail.text).toContain(link);
    const path = (link ?? '').slice(server.url.length);
    expect((await server.call(path, { method: 'POST' })).status).toBe(200);
    await admin.upload(project, exposed('a', 'b', 'c'));
    expect((await serious((await admin.scan(project)).id)).length).toBeGreaterThan(0);
    await settled();
    expect(sentTo(user)).toHaveLength(1);
  });

  it('an immediate digest is one mail for a scan of several projects', async () => {
    const user = await subscriber('immediate');
    const projects = [await admin.project(exposed('p')), await admin.project(exposed('q'))];
    await admin.scan(projects);
    const { text } = await arrived(user);
    for (const project of projects) expect(text).toContain(`project ${project})`);
    await settled();
    expect(sentTo(user)).toHaveLength(1);
  });

  it('an immediate digest is not sent for a scan without new critical or high findings', async () => {
    const user = await subscriber('immediate');
    const project = await admin.project(exposed('a'));
    await admin.scan(project);
    await arrived(user);
    await admin.scan(project);
    await settled();
    expect(sentTo(user)).toHaveLength(1);
  });

  it('an immediate digest leaves out muted findings, and is not sent when all are muted', async () => {
    const user = await subscriber('immediate');
    const expiresAt = new Date(server.clock.now().getTime() + 3_600_000).toISOString();
    const project = await admin.project(exposed('a'));
    await admin.ask(201, '/mutes', {
      ...{ method: 'POST', body: { selector: { project }, reason: 'Known', expiresAt } },
    });
    await admin.scan(project);
    await settled();
    expect(sentTo(user)).toEqual([]);
  });
});

describe('a digest that waits for the mail server', () => {
  let isAway = false;
  const comesBack = async () => {
    if (isAway) await mails.start();
    isAway = false;
  };
  afterEach(comesBack);

  const waiting = async () => {
    const { rows } = await server.database.owner.query<{ attempts: number }>(
      `SELECT j.attempts FROM graphile_worker._private_jobs j
       JOIN graphile_worker._private_tasks t ON t.id = j.task_id WHERE t.identifier = 'send-digest'`,
    );
    return rows;
  };

  it('a digest that waits for the mail server is sent to members only, and not to a person removed meanwhile', async () => {
    const { session } = await server.people.user({ tenant, amr: ['pwd', 'otp'] });
    const [gone, there] = [await subscriber('immediate'), await subscriber('immediate')];
    const project = await admin.project(exposed('a'));
    await mails.stop();
    isAway = true;
    await admin.scan(project);
    await until('a failed attempt for each', async () => {
      const jobs = await waiting();
      return jobs.length === 2 && jobs.every(({ attempts }) => attempts > 0);
    });
    const removal = { method: 'DELETE', headers: session };
    expect((await server.call(`/users/${gone.id}`, removal)).status).toBe(204);
    await comesBack();
    await until('an empty queue', async () => {
      await server.database.owner.query(
        'UPDATE graphile_worker._private_jobs SET run_at = now() WHERE locked_at IS NULL',
      );
      return (await waiting()).length === 0;
    });
    expect(sentTo(there)).toHaveLength(1);
    expect(sentTo(gone)).toEqual([]);
  });
});

describe('a digest', () => {
  /** At noon, so that no digest becomes due while a test runs. */
  beforeEach(() => {
    const noon = server.clock.now();
    noon.setUTCHours(36, 0, 0, 0);
    server.clock.freezeAt(noon);
  });

  it.each([
    [
      'has not confirmed the address',
      'UPDATE identity.users SET email_verified_at = NULL WHERE id = $1',
    ],
    ['has a disabled account', 'UPDATE identity.users SET disabled_at = now() WHERE id = $1'],
    [
      'has a disabled membership',
      "UPDATE identity.memberships SET status = 'disabled' WHERE user_id = $1",
    ],
    [
      'may not read findings',
      "UPDATE identity.memberships SET role = 'unknown' WHERE user_id = $1",
    ],
    ['has left the tenant', 'DELETE FROM identity.memberships WHERE user_id = $1'],
  ])('a digest is not sent to a person who %s', async (_why, statement) => {
    const [user, other] = [await subscriber('immediate'), await subscriber('immediate')];
    await server.database.owner.query(statement, [user.id]);
    await admin.scan(await admin.project(exposed('a')));
    await arrived(other);
    await settled();
    expect(sentTo(user)).toEqual([]);
  });

  it('a daily digest gathers the scans of a day, and lists only findings that are still open', async () => {
    const user = await subscriber('daily');
    const [kept, fixed] = [
      await admin.project(exposed('kept')),
      await admin.project(exposed('fixed')),
    ];
    await admin.scan(kept);
    await admin.scan(fixed);
    await admin.upload(fixed, [cluster('fixed')]);
    await admin.scan(fixed);
    const open = await admin.findings(`project=${kept}&severity=critical&severity=high`);
    const more = await admin.findings(
      `project=${fixed}&severity=critical&severity=high&status=open`,
    );
    expect(sentTo(user)).toEqual([]);
    server.clock.advance({ hours: 24 });
    const { text } = await arrived(user);
    const flat = text.replaceAll(/\s+/g, ' ');
    expect(flat).toContain(`2 scans of your tenant "${tenant.name}"`);
    const counted = [...flat.matchAll(/(\d+) (critical|high)/g)].map(([, count]) => Number(count));
    expect(counted.reduce((sum, count) => sum + count, 0)).toBe(open.length + more.length);
    await settled();
    expect(sentTo(user)).toHaveLength(1);
  });

  /** The sum of the findings that a mail counts. */
  function counted({ text }: ReceivedMail): number {
    const flat = text.replaceAll(/\s+/g, ' ');
    const [sentence = ''] = /found .*? that (is|are) new/.exec(flat) ?? [];
    const counts = [...sentence.matchAll(/(\d+) (critical|high)/g)].map(([, count]) =>
      Number(count),
    );
    return counts.reduce((sum, count) => sum + count, 0);
  }

  const SERIOUS = 'severity=critical&severity=high&status=open';

  it('a digest counts a finding once that was resolved and reopened before it is sent', async () => {
    const user = await subscriber('daily');
    const project = await admin.project(exposed('a'));
    await admin.scan(project);
    await admin.upload(project, [cluster('a')]);
    await admin.scan(project);
    await admin.upload(project, exposed('a'));
    await admin.scan(project);
    const open = await admin.findings(`project=${project}&${SERIOUS}`);
    server.clock.advance({ hours: 24 });
    expect(counted(await arrived(user))).toBe(open.length);
  });

  const many = Array.from({ length: 120 }, (_, index) => `many-${index}`);

  /** Resolves all of these findings, and has a later scan find them again. */
  async function reopen(project: string): Promise<void> {
    await admin.upload(
      project,
      many.map((name) => cluster(name)),
    );
    await admin.scan(project);
    await admin.upload(project, exposed(...many));
    await admin.scan(project);
  }

  it('a digest of more findings than are remembered counts only those that are still open', async () => {
    const user = await subscriber('daily');
    const project = await admin.project(exposed(...many));
    await admin.scan(project);
    await admin.upload(project, exposed('many-0', 'many-1', 'many-118', 'many-119'));
    await admin.scan(project);
    const open = await admin.findings(`project=${project}&${SERIOUS}`);
    server.clock.advance({ hours: 24 });
    expect(counted(await arrived(user))).toBe(open.length);
  });

  it('a digest of more findings than are remembered is not sent when all of them are resolved', async () => {
    const old = await admin.project(exposed('old'));
    await admin.scan(old);
    server.clock.advance({ hours: 48 });
    const user = await subscriber('daily');
    const project = await admin.project(exposed(...many));
    await admin.scan(project);
    await admin.upload(
      project,
      many.map((name) => cluster(name)),
    );
    await admin.scan(project);
    const open = await admin.findings(`project=${project}&${SERIOUS}`);
    expect(open).toEqual([]);
    server.clock.advance({ hours: 24 });
    await settled();
    expect(sentTo(user)).toEqual([]);
  });

  it('a digest of more findings than are remembered counts reopened findings that a later scan saw again', async () => {
    const project = await admin.project(exposed(...many));
    await admin.scan(project);
    server.clock.advance({ hours: 48 });
    const user = await subscriber('daily');
    await reopen(project);
    server.clock.advance({ minutes: 1 });
    // Another asset has the scan evaluate and write all of them again.
    await admin.upload(project, exposed(...many, 'another'));
    await admin.scan(project);
    const open = await admin.findings(`project=${project}&${SERIOUS}`);
    expect(open.some(({ delta }) => delta === 'unchanged')).toBe(true);
    server.clock.advance({ hours: 24 });
    expect(counted(await arrived(user))).toBe(open.length);
  });

  /** Noon of the next Tuesday, six days before the next weekly digest. */
  function waitForTuesday(): void {
    const noon = server.clock.now();
    const days = (2 - noon.getUTCDay() + 7) % 7;
    noon.setUTCHours(12 + days * 24, 0, 0, 0);
    server.clock.freezeAt(noon);
  }

  it('a digest of more findings than are remembered counts all since the last e-mail, also after weekly became daily', async () => {
    waitForTuesday();
    const user = await subscriber('weekly');
    const project = await admin.project(exposed(...many));
    await admin.scan(project);
    const open = await admin.findings(`project=${project}&${SERIOUS}`);
    server.clock.advance({ hours: 72 });
    await choose(user, 'daily');
    server.clock.advance({ hours: 24 });
    expect(counted(await arrived(user))).toBe(open.length);
  });

  it('a digest of more findings than are remembered leaves out findings that the last e-mail told', async () => {
    const user = await subscriber('daily');
    const told = await admin.project(exposed(...many));
    await admin.scan(told);
    server.clock.advance({ hours: 24 });
    await arrived(user);
    const project = await admin.project(exposed(...many));
    await admin.scan(project);
    await admin.upload(project, exposed('many-0', 'many-1', 'many-118', 'many-119'));
    await admin.scan(project);
    const open = await admin.findings(`project=${project}&${SERIOUS}`);
    server.clock.advance({ hours: 24 });
    const second = await until('the second mail', async () => sentTo(user)[1]);
    expect(counted(second)).toBe(open.length);
  });

  it('a digest of more findings than are remembered counts those that servers of an earlier release reopened', async () => {
    const project = await admin.project(exposed(...many));
    await admin.scan(project);
    server.clock.advance({ hours: 48 });
    const user = await subscriber('daily');
    await reopen(project);
    // They write neither of these columns.
    for (const column of ['notification_settings SET counted_from', 'findings SET reopened_at']) {
      await rowsOf(server.database, tenant.id, `UPDATE ${column} = NULL`);
    }
    const open = await admin.findings(`project=${project}&${SERIOUS}`);
    server.clock.advance({ hours: 24 });
    expect(counted(await arrived(user))).toBe(open.length);
  });

  it('a weekly digest is sent on a Monday', async () => {
    const user = await subscriber('weekly');
    await admin.scan(await admin.project(exposed('a')));
    const { rows } = await server.database.owner.query(
      'SELECT due_at FROM jobs.digest_dues WHERE user_id = $1',
      [user.id],
    );
    expect(rows[0].due_at.getUTCDay()).toBe(1);
    server.clock.advance({ hours: 7 * 24 });
    await arrived(user);
  });

  it('a digest is not sent when digests are turned off before it is due, and follows a changed setting', async () => {
    const [off, changed] = [await subscriber('daily'), await subscriber('daily')];
    await admin.scan(await admin.project(exposed('a')));
    await choose(off, 'off');
    await choose(changed, 'immediate');
    await arrived(changed);
    await choose(off, 'immediate');
    server.clock.advance({ hours: 24 });
    await settled();
    expect(sentTo(off)).toEqual([]);
  });
});
