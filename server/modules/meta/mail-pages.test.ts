import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { launchBrowser, noBrowser } from '../../../tests/kit/browser.ts';
import { type ReceivedMail, TestMailServer } from '../../../tests/kit/mail-server.ts';
import { linkIn } from '../../../tests/kit/mailbox.ts';
import { TEST_PASSWORD } from '../../../tests/kit/people.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { until } from '../../../tests/kit/until.ts';

const NEW_PASSWORD = 'a password nobody has';
const PAGES = ['/verify-email', '/reset-password', '/accept-invite', '/auth/callback'];

let server: TestServer;
let mails: TestMailServer;

beforeAll(async () => {
  mails = await TestMailServer.start();
  const mail = { url: mails.url, from: 'posture@example.com' };
  // With the console, these paths lead to its pages.
  server = await startTestServer({ worker: true, config: { mail } });
});

afterAll(async () => {
  await server.close();
  await mails.stop();
});

const post = (path: string, body: unknown, headers = {}) =>
  server.call(path, { method: 'POST', body, headers });
const login = (email: string, password: string, tenantId?: string) =>
  post('/auth/login', { email, password, tenantId });

/** Waits for the newest mail to an address. */
function arrived(email: string, subject: RegExp): Promise<ReceivedMail> {
  return until(`a mail to ${email}`, async () =>
    mails.received.findLast(
      ({ to, headers }) => to.includes(email) && subject.test(headers['subject'] ?? ''),
    ),
  );
}

async function register(email: string): Promise<string> {
  await post('/auth/register', { email, password: TEST_PASSWORD, tenantName: 'Example' });
  return linkIn(await arrived(email, /Confirm/)).href;
}

describe('every mail page', () => {
  it.each(PAGES)('the page %s allows no inline code and sends no referrer', async (path) => {
    const reply = await server.call(`${path}?${path === '/auth/callback' ? 'code' : 'token'}=abc`);
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(reply.headers.get('referrer-policy')).toBe('no-referrer');
    expect(reply.headers.get('cache-control')).toBe('no-store');
    const csp = reply.headers.get('content-security-policy') ?? '';
    expect(csp).toMatch(/^default-src 'none'; script-src 'self';.*form-action 'none'; frame-anc/);
    expect(csp).not.toContain('unsafe');
    expect(reply.text).not.toMatch(/<style|\bstyle=|\bon[a-z]+=|<script(?![^>]*\bsrc=)|<base/);
    // The page must not contain the token of its address.
    expect(reply.text).not.toContain('abc');
  });

  it('a mail page consumes no token when programs fetch its link', async () => {
    const email = 'scanned@example.com';
    const link = new URL(await register(email));
    for (const method of ['GET', 'HEAD', 'GET']) {
      expect((await server.call(link.pathname + link.search, { method })).status).toBe(200);
    }
    expect((await login(email, TEST_PASSWORD)).status).toBe(401);
    const token = link.searchParams.get('token');
    expect((await post('/auth/verify-email', { token })).status).toBe(204);
  });
});

describe.skipIf(noBrowser !== null)(
  `in a browser${noBrowser === null ? '' : ` (${noBrowser})`}`,
  () => {
    let browser: Browser;
    let page: Page;
    let complaints: string[];

    beforeAll(async () => {
      browser = await launchBrowser();
    });

    afterAll(() => browser?.close());

    beforeEach(async () => {
      complaints = [];
      page = await browser.newPage();
      page.on('console', (message) => complaints.push(message.text()));
      page.on('pageerror', (error) => complaints.push(String(error)));
    });

    afterEach(() => page.close());

    const said = (words: RegExp) =>
      until(`the page to say ${words}`, async () => words.test(await page.innerText('body')));

    it('the registration page in a browser confirms a person who follows the link, presses the button and signs in', async () => {
      const email = 'new@example.com';
      await page.goto(await register(email));
      expect((await login(email, TEST_PASSWORD)).status).toBe(401);
      await page.click('button');
      await said(/address is confirmed/);
      await page.waitForURL(`${server.url}/verify-email`);
      expect((await login(email, TEST_PASSWORD)).status).toBe(200);
      expect(complaints).toEqual([]);
    });

    it('the password reset page in a browser refuses an unacceptable password and then sets another', async () => {
      const { email } = await server.people.user();
      await post('/auth/forgot-password', { email });
      await page.goto(linkIn(await arrived(email, /new password/)).href);
      await page.fill('input', 'unbelievable');
      await page.click('button');
      await said(/This is one of the most common passwords/);
      await page.fill('input', NEW_PASSWORD);
      await page.click('button');
      await said(/password is set/);
      expect((await login(email, NEW_PASSWORD)).status).toBe(200);
      await arrived(email, /was changed/);
    });

    it('the invitation page in a browser accepts an invitation', async () => {
      const admin = await server.people.user({ amr: ['pwd', 'otp'] });
      const { email } = await server.people.user();
      const invited = await post('/users', { email, role: 'viewer' }, admin.session);
      expect(invited.status).toBe(201);
      await page.goto(linkIn(await arrived(email, /Invitation/)).href);
      await page.click('button');
      await said(/You have joined/);
      expect((await login(email, TEST_PASSWORD, admin.tenant.id)).status).toBe(200);
      expect(complaints).toEqual([]);
    });

    it('the invitation page in a browser lets a new person choose a password', async () => {
      const admin = await server.people.user({ amr: ['pwd', 'otp'] });
      const email = 'invited@example.com';
      expect((await post('/users', { email, role: 'viewer' }, admin.session)).status).toBe(201);
      await page.goto(linkIn(await arrived(email, /Invitation/)).href);
      await page.fill('input', NEW_PASSWORD);
      await page.click('button');
      await said(/password is set/);
      expect((await login(email, NEW_PASSWORD, admin.tenant.id)).status).toBe(200);
    });

    it('a mail page in a browser explains that a link was used before, and where to accept another invitation', async () => {
      await page.goto(`${server.url}/api/v1/reset-password?token=spent`);
      await page.fill('input', NEW_PASSWORD);
      await page.click('button');
      await said(/unknown, expired or already used/);
      expect(await page.getAttribute('#other a', 'href')).toBe('/accept-invite?token=spent');
    });

    it('a mail page in a browser says that a sign-in was refused, and shows no other text from its address', async () => {
      await page.goto(`${server.url}/auth/callback?error=REGISTRATION_CLOSED`);
      await said(/The sign-in was refused \(REGISTRATION_CLOSED\)/);
      await page.goto(`${server.url}/auth/callback?error=Call%20555&correlationId=Call%20555`);
      await said(/The sign-in was refused\. /);
      expect(await page.innerText('body')).not.toContain('555');
    });

    it('a mail page in a browser reports an invalid code', async () => {
      await page.goto(`${server.url}/auth/callback?code=none`);
      await said(/unknown, expired|No valid|not good|spent/i);
    });
  },
);
