import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildConsole } from '../../scripts/build-console.mjs';
import { verifyWebhook } from '../../sdk/src/webhooks/index.ts';
import { Analyst } from '../kit/analyst.ts';
import { launchBrowser, noBrowser } from '../kit/browser.ts';
import { type ConsoleOptions, ConsoleVisitor } from '../kit/console-page.ts';
import { rowsOf } from '../kit/owner-queries.ts';
import type { TestUser } from '../kit/people.ts';
import { BUILT_CONSOLE, startTestServer, type TestServer } from '../kit/test-server.ts';
import { until } from '../kit/until.ts';
import { WebhookReceiver } from '../kit/webhook-receiver.ts';

describe.skipIf(noBrowser !== null)('webhooks in the console', () => {
  let browser: Browser;
  let server: TestServer;
  let receiver: WebhookReceiver;
  let user: TestUser;
  let person: Analyst;
  let visitor: ConsoleVisitor;

  beforeAll(async () => {
    await buildConsole();
    [browser, server] = await Promise.all([
      launchBrowser(),
      startTestServer({ consoleFolder: BUILT_CONSOLE, worker: true }),
    ]);
  });

  afterAll(async () => {
    await Promise.all([browser?.close(), server?.close()]);
  });

  beforeEach(async () => {
    receiver = await WebhookReceiver.start();
    user = await server.people.user();
    person = new Analyst(server, user.key, user.tenant.id);
  });

  afterEach(async () => {
    await visitor.close();
    await receiver.close();
  });

  async function open(path: string, by = user, options: ConsoleOptions = {}): Promise<void> {
    visitor = await ConsoleVisitor.open(browser, server, options);
    await visitor.goto(path);
    await visitor.signIn(by.email, by.password);
  }

  const create = (changes: object = {}) =>
    person.ask(201, '/webhooks', {
      method: 'POST',
      body: { url: receiver.url, events: ['scan.completed'], description: 'Tickets', ...changes },
    });

  it('the webhooks page creates a webhook and shows its secret once, changes, disables, enables and deletes it', async () => {
    await open('/webhooks');
    const { page } = visitor;
    await page.getByText('There are no webhooks').waitFor();
    await page.getByRole('button', { name: 'Create webhook' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('URL').fill('ftp://example.com');
    await dialog.getByLabel('Description').fill('<b>Tickets</b>');
    await dialog.getByRole('button', { name: 'Create webhook' }).click();
    await dialog.getByText('Choose at least one event.').waitFor();
    await dialog.getByLabel('findings.opened').check();
    await dialog.getByRole('button', { name: 'Create webhook' }).click();
    await dialog.getByText('must be an https:// URL').first().waitFor();
    await dialog.getByLabel('URL').fill(receiver.url);
    await dialog.getByRole('button', { name: 'Create webhook' }).click();
    const secret = await dialog.getByTestId('webhook-secret').innerText();
    expect(secret).toMatch(/^whsec_/);
    await page.keyboard.press('Escape');
    await dialog.getByTestId('webhook-secret').waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await dialog.waitFor({ state: 'detached' });
    const row = page.getByRole('row', { name: /<b>Tickets<\/b>/ });
    await row.waitFor();
    expect(await page.content()).not.toContain(secret);

    await row.getByRole('button', { name: /^Edit/ }).click();
    await dialog.getByLabel('Description').fill('Chat');
    await dialog.getByLabel('scan.failed').check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    const changed = page.getByRole('row', { name: /Chat/ });
    await changed.getByRole('button', { name: /^Disable/ }).click();
    await changed.getByText('Disabled', { exact: true }).waitFor();
    await changed.getByRole('button', { name: /^Enable/ }).click();
    await changed.getByText('Enabled', { exact: true }).waitFor();
    const { items } = await person.ask(200, '/webhooks');
    expect(items).toMatchObject([
      { description: 'Chat', events: ['scan.failed', 'findings.opened'], enabled: true },
    ]);

    await changed.getByRole('button', { name: /^Delete/ }).click();
    await dialog.getByRole('button', { name: 'Delete webhook' }).click();
    await page.getByText('There are no webhooks').waitFor();
    expect((await person.ask(200, '/webhooks')).items).toEqual([]);
    expect(visitor.complaints).toEqual([]);
  });

  it('disabling a webhook keeps what somebody else has changed since the page was opened', async () => {
    const { id, url } = await create();
    await open('/webhooks');
    const { page } = visitor;
    await page.getByRole('button', { name: /^Disable/ }).waitFor();
    const body = { url, events: ['scan.failed'], description: 'Chat', format: 'standard' };
    await person.ask(200, `/webhooks/${id}`, { method: 'PUT', body: { ...body, enabled: true } });
    await page.getByRole('button', { name: /^Disable/ }).click();
    await page.getByRole('button', { name: /^Enable/ }).waitFor();
    expect(await person.ask(200, `/webhooks/${id}`)).toMatchObject({ ...body, enabled: false });
  });

  it('the webhooks page sends a test event that is signed with the new secret after a rotation', async () => {
    const { id, secret: old } = await create();
    await open(`/webhooks/${id}`);
    const { page } = visitor;
    await page.getByRole('button', { name: 'Rotate secret' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Rotate secret' }).click();
    const secret = await dialog.getByTestId('webhook-secret').innerText();
    expect(secret).not.toBe(old);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('Previous secret').waitFor();
    expect(await page.content()).not.toContain(secret);

    await page.getByRole('button', { name: 'Send test' }).click();
    const row = page.getByRole('row', { name: /webhook\.test/ });
    await row.getByText('Delivered').waitFor();
    const { body, headers } = await until('the test event', async () => receiver.received[0]);
    const now = server.clock.now();
    const event = await verifyWebhook(body, headers, secret, { now });
    expect(event).toMatchObject({ type: 'webhook.test' });
    expect(visitor.complaints).toEqual([]);
  });

  it('the webhooks page shows the attempts of a delivery and delivers it again', async () => {
    receiver.reaction = 410;
    const { id } = await create();
    await person.ask(202, `/webhooks/${id}/test`, { method: 'POST' });
    await open(`/webhooks/${id}`);
    const { page } = visitor;
    const row = page.getByRole('row', { name: /webhook\.test/ });
    await row.getByText('Failed').waitFor();
    await row.getByRole('button', { name: 'Attempts: 1 of webhook.test' }).click();
    const dialog = page.getByRole('dialog', { name: 'webhook.test' });
    await dialog.getByText('HTTP 410', { exact: true }).waitFor();
    await dialog.getByText('This is a test', { exact: false }).waitFor();
    expect(await visitor.accessibilityViolations()).toEqual([]);
    await visitor.screenshot('webhook-delivery');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });

    // A receiver that is gone disables the webhook, and the API refuses to deliver again.
    await row.getByRole('button', { name: 'Deliver again webhook.test' }).click();
    await page.getByRole('alert').getByText('disabled', { exact: false }).waitFor();
    receiver.reaction = 204;
    const { url, events } = await person.ask(200, `/webhooks/${id}`);
    const body = { url, events, format: 'standard', enabled: true };
    await person.ask(200, `/webhooks/${id}`, { method: 'PUT', body });
    await row.getByRole('button', { name: 'Deliver again webhook.test' }).click();
    await row.getByText('Delivered').waitFor();
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids).size).toBe(1);
    expect(visitor.complaints).toEqual([]);
  });

  it('the webhooks page shows the end of a delivery after more deliveries were loaded', async () => {
    const { id } = await create();
    for (let sent = 0; sent < 27; sent += 1)
      await person.ask(202, `/webhooks/${id}/test`, { method: 'POST' });
    await until('all deliveries', async () => receiver.received.length === 27);
    const change = (sql: string) => rowsOf(server.database, user.tenant.id, sql);
    await until('the ends of all deliveries', async () => {
      const pending = await change("SELECT id FROM webhook_deliveries WHERE status = 'pending'");
      return pending.length === 0;
    });
    await change(`UPDATE webhook_deliveries SET status = 'pending', history = '[]'
      WHERE id = (SELECT id FROM webhook_deliveries ORDER BY id DESC LIMIT 1)`);
    await open(`/webhooks/${id}`);
    const { page } = visitor;
    const row = page.getByRole('row', { name: /webhook\.test/ });
    await page.getByRole('row', { name: /Pending/ }).waitFor();
    await page.getByRole('button', { name: 'Load more' }).click();
    await expect.poll(() => row.count()).toBe(27);
    await change("UPDATE webhook_deliveries SET status = 'delivered' WHERE status = 'pending'");
    await page.getByRole('row', { name: /Pending/ }).waitFor({ state: 'detached' });
    expect(await row.count()).toBe(27);
    expect(visitor.complaints).toEqual([]);
  });

  it('the webhooks page is refused without the permission for settings', async () => {
    const { id } = await create();
    const viewer = await server.people.user({ tenant: user.tenant, role: 'analyst' });
    const isRefused = async () => {
      await visitor.page.getByText('Your role lacks the permission admin.settings.').waitFor();
      expect(visitor.takeRequests().filter((one) => one.includes('webhooks'))).toEqual([]);
    };
    await open('/webhooks', viewer);
    await isRefused();
    // Both pages show the same text, so a link from one to the other would prove nothing.
    await visitor.close();
    await open(`/webhooks/${id}`, viewer);
    await isRefused();
  });

  it('the webhooks page says that a webhook does not exist', async () => {
    await open(`/webhooks/${crypto.randomUUID()}`);
    await visitor.page.getByRole('heading', { name: 'Not found' }).first().waitFor();
  });

  it.each(['desktop', 'phone'] as const)(
    'the webhooks page has no accessibility violations on a %s in either theme',
    async (size) => {
      const { id } = await create();
      await person.ask(202, `/webhooks/${id}/test`, { method: 'POST' });
      for (const theme of ['light', 'dark'] as const) {
        await open('/webhooks', user, { size, theme });
        const { page } = visitor;
        await page.getByRole('link', { name: receiver.url }).waitFor();
        expect(await visitor.accessibilityViolations()).toEqual([]);
        await visitor.screenshot(`webhooks-${size}-${theme}`);
        await page.getByRole('button', { name: 'Create webhook' }).click();
        await page.getByRole('dialog').getByLabel('findings.opened').waitFor();
        expect(await visitor.accessibilityViolations()).toEqual([]);
        await visitor.screenshot(`webhooks-create-${size}-${theme}`);
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'detached' });
        await page.getByRole('link', { name: receiver.url }).click();
        await page.getByRole('row', { name: /webhook\.test.*Delivered/ }).waitFor();
        expect(await visitor.accessibilityViolations()).toEqual([]);
        await visitor.screenshot(`webhook-${size}-${theme}`);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        expect(wide).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0);
        expect(visitor.complaints).toEqual([]);
        if (theme === 'light') await visitor.close();
      }
    },
  );

  it('the webhooks page uses at most three requests for the list and for a webhook', async () => {
    const { id } = await create();
    const asked = () => visitor.takeRequests().filter((one) => !one.includes('/auth/login'));
    await open('/webhooks');
    await visitor.page.getByRole('link', { name: receiver.url }).waitFor();
    expect(asked()).toEqual(['GET /auth/me', 'GET /webhooks?limit=100']);
    await visitor.close();
    await open(`/webhooks/${id}`);
    await visitor.page.getByText('Nothing has been sent').waitFor();
    await visitor.page.getByText('Standard Webhooks', { exact: true }).waitFor();
    expect(asked().toSorted()).toEqual([
      'GET /auth/me',
      `GET /webhooks/${id}`,
      `GET /webhooks/${id}/deliveries?limit=25`,
    ]);
  });
});
