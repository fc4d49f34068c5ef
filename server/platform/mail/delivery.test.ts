import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { TestMailServer } from '../../../tests/kit/mail-server.ts';
import { linkIn } from '../../../tests/kit/mailbox.ts';
import {
  startTestServer,
  type TestServer,
  type TestServerOptions,
} from '../../../tests/kit/test-server.ts';
import { until } from '../../../tests/kit/until.ts';
import { invitation } from '../../modules/members/mails.ts';

const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function start(options: TestServerOptions): Promise<TestServer> {
  const server = await startTestServer({ worker: true, ...options });
  closing.push(() => server.close());
  return server;
}

async function mailServer(): Promise<TestMailServer> {
  const mails = await TestMailServer.start();
  closing.push(() => mails.stop());
  return mails;
}

const forgot = (server: TestServer, email: string) =>
  server.call('/auth/forgot-password', { method: 'POST', body: { email } });

async function waiting({ database }: TestServer): Promise<number> {
  const { rows } = await database.owner.query(
    'SELECT count(*)::int AS jobs FROM graphile_worker._private_jobs WHERE attempts > 0',
  );
  return rows[0].jobs;
}

describe('with a mail server', () => {
  it('a mail arrives complete with its sender and recipient, after the request was answered', async () => {
    const mails = await mailServer();
    mails.hold();
    const from = 'Posture <posture@example.com>';
    const server = await start({ config: { mail: { url: mails.url, from } } });
    const { email } = await server.people.user();
    // The mail server does not answer, and the request does not wait for it.
    expect((await forgot(server, email)).status).toBe(202);
    expect(mails.received).toEqual([]);
    mails.release();
    const mail = await until('the mail', async () => mails.received[0]);
    expect(mail).toMatchObject({ from: 'posture@example.com', to: [email] });
    expect(mail.headers).toMatchObject({
      from: 'Posture <posture@example.com>',
      to: email,
      subject: 'Choose a new password',
      'auto-submitted': 'auto-generated',
    });
    expect(linkIn(mail).href).toMatch(
      new RegExp(`^${server.url}/reset-password\\?token=[A-Za-z0-9_-]{43}$`),
    );
  });

  it('a mail keeps names of tenants in any script', async () => {
    const mails = await mailServer();
    const from = 'Straße <posture@example.com>';
    const server = await start({ config: { mail: { url: mails.url, from } } });
    const { tenant, email } = await server.people.user();
    await server.services.tenants.write(tenant.id, (db) => {
      const data = { token: 't'.repeat(43), tenantName: 'Ünïcode 株式会社', newPerson: true };
      return server.services.mail.queue(db, { to: email, ...invitation(data) });
    });
    const mail = await until('the mail', async () => mails.received[0]);
    expect(mail.text).toContain('You are invited to join "Ünïcode 株式会社".');
    expect(linkIn(mail).searchParams.get('token')).toBe('t'.repeat(43));
  });

  it('a mail shows a name that looks like an encoded word of a header undecoded in its subject', async () => {
    const mails = await mailServer();
    const server = await start({
      config: { mail: { url: mails.url, from: 'posture@example.com' } },
    });
    const { tenant, email } = await server.people.user();
    await server.services.tenants.write(tenant.id, (db) => {
      const tenantName = '=?utf-8?B?4oCuZXZpbA==?=';
      const data = { token: 't'.repeat(43), tenantName, newPerson: true };
      return server.services.mail.queue(db, { to: email, ...invitation(data) });
    });
    const mail = await until('the mail', async () => mails.received[0]);
    expect(mail.headers['subject']).toBe('Invitation to = ?utf-8?B?4oCuZXZpbA==?=');
  });

  it('a mail that the mail server refuses permanently is given up, and the next one is sent', async () => {
    const mails = await mailServer();
    const server = await start({ config: { mail: { url: mails.url, from: 'a@example.com' } } });
    const [gone, there] = [await server.people.user(), await server.people.user()];
    mails.refuses(gone.email);
    await forgot(server, gone.email);
    await forgot(server, there.email);
    await until('the other mail', async () => mails.received[0]);
    expect(mails.received).toMatchObject([{ to: [there.email] }]);
    await until('an empty queue', async () => (await waiting(server)) === 0);
  });

  type Refusal = (mails: TestMailServer, email: string) => void;
  const SENDER =
    (status: number): Refusal =>
    (mails) =>
      mails.refusesSenders(status);
  const RELAY: Refusal = (mails, email) =>
    mails.refuses(email, 554, `5.7.1 <${email}>: Relay access denied`);

  it('a mail to an unknown recipient is given up although the response names an address with the word relay', async () => {
    const mails = await mailServer();
    const server = await start({ config: { mail: { url: mails.url, from: 'a@example.com' } } });
    const { email } = await server.people.user();
    mails.refuses(email, 550, '5.1.1 <relay@relay.example>: unknown user');
    await forgot(server, email);
    await until('an attempt', async () => mails.attempts[0]);
    await until('an empty queue', async () => (await waiting(server)) === 0);
  });

  it.each([
    ['requires authentication', SENDER(530)],
    ['does not accept the sender address', SENDER(553)],
    ['does not relay for us', RELAY],
  ])('mails are kept, and sent later, while the mail server %s', async (_reason, refuse) => {
    const mails = await mailServer();
    const server = await start({ config: { mail: { url: mails.url, from: 'a@example.com' } } });
    const { email } = await server.people.user();
    refuse(mails, email);
    await forgot(server, email);
    const reason = await until('a mail that waits for another attempt', async () => {
      const jobs = 'SELECT last_error FROM graphile_worker._private_jobs WHERE attempts > 0';
      const { rows } = await server.database.owner.query(`${jobs} AND locked_at IS NULL`);
      return rows[0]?.last_error;
    });
    // So it is retried each minute, unlike a mail whose recipient is refused.
    expect(reason).not.toContain('EENVELOPE');
    mails.refusesSenders(null);
    mails.accepts(email);
    await server.database.owner.query('UPDATE graphile_worker._private_jobs SET run_at = now()');
    await until('the mail', async () => mails.received[0]);
    expect(mails.received).toMatchObject([{ to: [email] }]);
  });
});

describe('without one', () => {
  it('without a mail server, each mail becomes a file that only its user can read, with a name in order of time', async () => {
    const server = await start({});
    const outbox = join(server.dataDir, 'outbox');
    closing.push(() => rm(server.dataDir, { recursive: true, force: true }));
    const people = [await server.people.user(), await server.people.user()];
    const written = async () => {
      const names = await readdir(outbox).catch(() => []);
      return names.filter((name) => name.endsWith('.eml')).sort();
    };
    for (const [index, { email }] of people.entries()) {
      await forgot(server, email);
      await until(`the mail to ${email}`, async () => (await written()).length > index);
    }
    const names = await written();
    expect(names).toHaveLength(2);
    for (const [index, name] of names.entries()) {
      expect(name).toMatch(/^[0-9a-f-]{36}-reset-password\.eml$/);
      const text = await readFile(join(outbox, name), 'utf8');
      expect(text).toContain(`\r\nTo: ${people[index]?.email}\r\n`);
      expect(text).toMatch(/^From: no-reply@example\.com\r\n/m);
      expect(text).toContain('Content-Type: multipart/alternative;');
      // Complete as soon as it is visible.
      expect(linkIn({ text }).href).toMatch(/\/reset-password\?token=[A-Za-z0-9_-]{43}$/);
      expect((await stat(join(outbox, name))).mode & 0o777).toBe(0o600);
    }
  });
});
