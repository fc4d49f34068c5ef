import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mailJobsOf, mailsOf, mailsTo } from '../../../tests/kit/mailbox.ts';
import { comparable } from '../../../tests/kit/surface-checks.ts';
import {
  type Reply,
  startTestServer,
  TEST_APP_SECRET,
  type TestServer,
} from '../../../tests/kit/test-server.ts';
import { breakGlassUsed } from '../../modules/auth/credentials/mails.ts';
import {
  accountExists,
  passwordChanged,
  resetPassword,
} from '../../modules/auth/password/mails.ts';
import { confirmSignIn } from '../../modules/auth/saml/mails.ts';
import { invitation } from '../../modules/members/mails.ts';
import { keyRing } from '../crypto/app-secrets.ts';
import type { Mail } from './mail.ts';
import { messageIn } from './mail-queue.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

const forgot = (email: string) =>
  server.call('/auth/forgot-password', { method: 'POST', body: { email } });

async function queue(mail: Mail | null): Promise<void> {
  const { tenant } = await server.people.user();
  await server.services.tenants.write(tenant.id, (db) => server.services.mail.queue(db, mail));
}

describe('a mailbox', () => {
  it('a mailbox gets three mails in 15 minutes, and the fourth request is answered like the first', async () => {
    const { email } = await server.people.user();
    const replies: Reply[] = [];
    for (let count = 0; count < 5; count += 1) replies.push(await forgot(email));
    expect(new Set(replies.map(comparable)).size).toBe(1);
    expect(await mailsTo(server, email)).toHaveLength(3);
    server.clock.advance({ minutes: 16 });
    await forgot(email);
    expect(await mailsTo(server, email)).toHaveLength(4);
  });

  it('a mailbox gets no more than three mails by concurrent requests, other endpoints or other people', async () => {
    const { email } = await server.people.user({ verified: false });
    const paths = ['forgot-password', 'resend-verification', 'forgot-password'];
    await Promise.all(
      [...paths, ...paths].map((path) =>
        server.call(`/auth/${path}`, { method: 'POST', body: { email } }),
      ),
    );
    expect(await mailsTo(server, email)).toHaveLength(3);
  });

  it('a mailbox gets the link for a new password although somebody has registered it several times', async () => {
    const { email } = await server.people.user();
    const body = { email, password: 'a password of somebody else', tenantName: 'Somebody' };
    for (let count = 0; count < 4; count += 1) {
      expect((await server.call('/auth/register', { method: 'POST', body })).status).toBe(202);
    }
    await forgot(email);
    const templates = (await mailsTo(server, email)).map(({ template }) => template);
    expect(templates).toEqual(['account-exists', 'account-exists', 'reset-password']);
  });

  it('a mailbox counts as one in all spellings of its address', async () => {
    const spellings = [
      'Box@example.com',
      'box+a@example.com',
      'BOX+b@EXAMPLE.com',
      'box@example.com',
    ];
    for (const to of spellings) await queue({ to, ...resetPassword('t') });
    const sent = (await mailsOf(server)).map(({ to }) => to).filter((to) => /^box/i.test(to));
    expect(sent).toEqual(spellings.slice(0, 3));
    await queue({ to: 'box2@example.com', ...resetPassword('t') });
    expect(await mailsTo(server, 'box2@example.com')).toHaveLength(1);
  });

  it('a mailbox has limits of its own for invitations and for mails that confirm a sign-in', async () => {
    const to = 'apart@example.com';
    const origin = { at: new Date(), ip: '192.0.2.1' };
    for (let count = 0; count < 4; count += 1) {
      await queue({ to, ...resetPassword('t') });
      await queue({ to, ...accountExists() });
    }
    for (let count = 0; count < 4; count += 1) {
      await queue({ to, ...confirmSignIn('t', origin) });
    }
    for (let count = 0; count < 4; count += 1) {
      await queue({ to, ...invitation({ token: 't', tenantName: 'T', newPerson: true }) });
    }
    const templates = (await mailsTo(server, to)).map(({ template }) => template);
    expect(templates.slice(3)).toEqual([
      ...Array(3).fill('confirm-sign-in'),
      ...Array(3).fill('invitation'),
    ]);
  });

  it('a mailbox over the limit still gets the notices that only its owner can cause', async () => {
    const { email } = await server.people.user();
    for (let count = 0; count < 4; count += 1) await forgot(email);
    const origin = { at: new Date(), ip: '192.0.2.1' };
    await queue({ to: email, ...passwordChanged(origin) });
    const alarm = breakGlassUsed({ tenantName: 'T', reason: 'Locked out' }, origin);
    await queue({ to: email, ...alarm });
    const templates = (await mailsTo(server, email)).map(({ template }) => template);
    expect(templates.slice(3)).toEqual(['password-changed', 'break-glass']);
  });
});

describe('a queued mail', () => {
  it('a mail is not queued if its transaction is rolled back', async () => {
    const { tenant } = await server.people.user();
    const failing = server.services.tenants.write(tenant.id, async (db) => {
      const mail = { to: 'rolled-back@example.com', ...resetPassword('t') };
      await server.services.mail.queue(db, mail);
      throw new Error('on purpose');
    });
    await expect(failing).rejects.toThrow('on purpose');
    expect(await mailsTo(server, 'rolled-back@example.com')).toEqual([]);
  });

  it('a queued mail reveals neither recipient nor content without the secret', async () => {
    const to = 'sealed@example.com';
    await queue({ to, ...resetPassword('marker-token') });
    const job = (await mailJobsOf(server)).at(-1) ?? { sealed: '' };
    expect(Object.keys(job)).toEqual(['sealed']);
    expect(Buffer.from(job.sealed, 'base64').toString('latin1')).not.toMatch(/marker|sealed@/);
    const another = 'another secret of 32 bytes or more';
    expect(() => messageIn(keyRing([another], 'mail'), job)).toThrow('not configured');
    const rotated = keyRing([another, TEST_APP_SECRET], 'mail');
    expect(messageIn(rotated, job)?.text).toContain('marker-token');
  });

  it('a mail without a recipient is queued as a job too', async () => {
    const before = (await mailJobsOf(server)).length;
    await queue(null);
    const jobs = await mailJobsOf(server);
    expect(jobs).toHaveLength(before + 1);
    expect(messageIn(keyRing([TEST_APP_SECRET], 'mail'), jobs.at(-1) ?? { sealed: '' })).toBeNull();
  });
});
