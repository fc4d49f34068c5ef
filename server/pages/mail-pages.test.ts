import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { launchBrowser, noBrowser } from '../testing/browser.ts';
import { type ReceivedMail, TestMailServer } from '../testing/mail-server.ts';
import { linkIn } from '../testing/mailbox.ts';
import { TEST_PASSWORD } from '../testing/people.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import { until } from '../testing/until.ts';

const NEW_PASSWORD = 'a password nobody has';
const PAGES = ['/verify-email', '/reset-password', '/accept-invite', '/auth/callback'];

let server: TestServer;
let mails: TestMailServer;

beforeAll(async () => {
  mails = await TestMailServer.start();
  const mail = { url: mails.url, from: 'posture@example.com' };
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

/** The newest mail to somebody, once it has arrived. */
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

describe('every page', () => {
  it.each(PAGES)('%s lets nothing inline run and tells nobody its address', async (path) => {
    const reply = await server.call(`${path}?${path === '/auth/callback' ? 'code' : 'token'}=abc`);
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(reply.headers.get('referrer-policy')).toBe('no-referrer');
    expect(reply.headers.get('cache-control')).toBe('no-store');
    const csp = reply.headers.get('content-security-policy') ?? '';
    expect(csp).toMatch(/^default-src 'none'; script-src 'self';.*form-action 'none'; frame-anc/);
    expect(csp).not.toContain('unsafe');
    expect(reply.text).not.toMatch(/<style|\bstyle=|\bon[a-z]+=|<script(?![^>]*\bsrc=)|<base/);
    // What is in the address is not in the page.
    expect(reply.text).not.toContain('abc');
  });

  it('spends nothing when programs fetch the links of a mail (S73)', async () => {
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

    it('a person registers, follows the link, presses the button, and signs in', async () => {
      const email = 'new@example.com';
      await page.goto(await register(email));
      expect((await login(email, TEST_PASSWORD)).status).toBe(401);
      await page.click('button');
      await said(/address is confirmed/);
      expect(page.url()).toBe(`${server.url}/verify-email`);
      expect((await login(email, TEST_PASSWORD)).status).toBe(200);
      expect(complaints).toEqual([]);
    });

    it('a person who forgot the password sets a new one, after one that is refused', async () => {
      const { email } = await server.people.user();
      await post('/auth/forgot-password', { email });
      await page.goto(linkIn(await arrived(email, /new password/)).href);
      await page.fill('input', 'unbelievable');
      await page.click('button');
      await said(/This is among the most common passwords/);
      await page.fill('input', NEW_PASSWORD);
      await page.click('button');
      await said(/password is set/);
      expect((await login(email, NEW_PASSWORD)).status).toBe(200);
      await arrived(email, /was changed/);
    });

    it('a person accepts an invitation', async () => {
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

    it('a new person accepts an invitation by choosing a password', async () => {
      const admin = await server.people.user({ amr: ['pwd', 'otp'] });
      const email = 'invited@example.com';
      expect((await post('/users', { email, role: 'viewer' }, admin.session)).status).toBe(201);
      await page.goto(linkIn(await arrived(email, /Invitation/)).href);
      await page.fill('input', NEW_PASSWORD);
      await page.click('button');
      await said(/password is set/);
      expect((await login(email, NEW_PASSWORD, admin.tenant.id)).status).toBe(200);
    });

    it('a link that was used before says so, and where else an invitation can be accepted', async () => {
      await page.goto(`${server.url}/api/v1/reset-password?token=spent`);
      await page.fill('input', NEW_PASSWORD);
      await page.click('button');
      await said(/unknown, expired or used up/);
      expect(await page.getAttribute('#other a', 'href')).toBe('/accept-invite?token=spent');
    });

    it('a code that is not good says so', async () => {
      await page.goto(`${server.url}/auth/callback?code=none`);
      await said(/unknown, expired|No valid|not good|spent/i);
    });
  },
);
