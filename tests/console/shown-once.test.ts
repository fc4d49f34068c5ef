import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { codeAt } from '../kit/authenticator.ts';
import { noBrowser } from '../kit/browser.ts';
import { consoleFixture } from '../kit/console-fixture.ts';
import { choose, waitForShell } from '../kit/console-journeys.ts';
import type { ConsoleVisitor } from '../kit/console-page.ts';
import { WebhookReceiver } from '../kit/webhook-receiver.ts';

const SHOWN = 'Save the secret and close the dialog first. It is shown only once.';
const AWAITED = 'The server has not answered yet. Stay on the page until it has.';

/** Holds the next answer to a POST until the result is called. */
async function holdPost(
  page: Page,
  path: string,
): Promise<{ arrived: Promise<void>; release: () => void }> {
  let release = () => {};
  let arrive = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  await page.route(path, async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    arrive();
    await released;
    await route.continue();
  });
  return { arrived, release };
}

describe.skipIf(noBrowser !== null)('secrets that the console shows once', () => {
  const site = consoleFixture({ worker: true });

  /** Arrives from the dashboard, so that Back would lead away, and tries all ways that could lose a secret. */
  async function tryToLeave({ page }: ConsoleVisitor, message: string): Promise<void> {
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.evaluate(() => history.back());
    await page.getByText(message).first().waitFor();
    const asked: string[] = [];
    page.once('dialog', (question) => {
      asked.push(question.type());
      void question.dismiss();
    });
    await page.evaluate(() => location.reload());
    await expect.poll(() => asked).toEqual(['beforeunload']);
    expect(await page.getByRole('dialog').count()).toBe(1);
  }

  async function arrive(screen: string, email: string, password: string): Promise<ConsoleVisitor> {
    const visitor = await site.open('/', { email, password });
    await waitForShell(visitor);
    if (screen !== 'Your account') await choose(visitor, screen);
    else {
      await visitor.page.getByRole('button', { name: /Account of/ }).click();
      await visitor.page.getByRole('menuitem', { name: screen }).click();
    }
    return visitor;
  }

  it('the console keeps a new API key on the page, also while the server has not answered', async () => {
    const user = await site.server.people.user();
    const visitor = await arrive('API keys', user.email, user.password);
    const { page } = visitor;
    await page.getByRole('button', { name: 'Create key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('pipeline');
    const { arrived, release } = await holdPost(page, '**/api-keys');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await arrived;
    await tryToLeave(visitor, AWAITED);
    expect(await page.getByText(SHOWN).count()).toBe(0);
    expect(await dialog.getByRole('button', { name: 'Cancel' }).isDisabled()).toBe(true);
    release();
    await dialog.getByTestId('api-key').waitFor();
    await tryToLeave(visitor, SHOWN);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.evaluate(() => history.back());
    await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor({ state: 'detached' });
  });

  it('the console keeps the secret of a webhook on the page, a new and a rotated one', async () => {
    const receiver = await WebhookReceiver.start();
    try {
      const user = await site.server.people.user();
      const visitor = await arrive('Webhooks', user.email, user.password);
      const { page } = visitor;
      await page.getByRole('button', { name: 'Create webhook' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('URL').fill(receiver.url);
      await dialog.getByLabel('scan.completed').check();
      const created = await holdPost(page, '**/webhooks');
      await dialog.getByRole('button', { name: 'Create webhook' }).click();
      await created.arrived;
      await tryToLeave(visitor, AWAITED);
      expect(await page.getByText(SHOWN).count()).toBe(0);
      created.release();
      await dialog.getByTestId('webhook-secret').waitFor();
      await tryToLeave(visitor, SHOWN);
      await dialog.getByRole('button', { name: 'Done' }).click();

      await page.getByRole('link', { name: receiver.url }).click();
      await page.getByRole('button', { name: 'Rotate secret' }).click();
      const rotated = await holdPost(page, '**/rotate-secret');
      await dialog.getByRole('button', { name: 'Rotate secret' }).click();
      await rotated.arrived;
      await tryToLeave(visitor, AWAITED);
      rotated.release();
      await dialog.getByTestId('webhook-secret').waitFor();
      await tryToLeave(visitor, SHOWN);
    } finally {
      await receiver.close();
    }
  });

  it('the console keeps recovery codes on the page until the person has saved them', async () => {
    const user = await site.server.people.user();
    const visitor = await arrive('Your account', user.email, user.password);
    const { page } = visitor;
    await page.getByRole('button', { name: 'Set up' }).click();
    const dialog = page.getByRole('dialog');
    const secret = await dialog.getByTestId('totp-secret').innerText();
    await dialog.getByLabel('Code', { exact: true }).fill(codeAt(secret, site.server.clock.now()));
    const enabled = await holdPost(page, '**/2fa/enable');
    await dialog.getByRole('button', { name: 'Turn on' }).click();
    await enabled.arrived;
    await tryToLeave(visitor, AWAITED);
    expect(await page.getByText(SHOWN).count()).toBe(0);
    enabled.release();
    await page.getByRole('list', { name: 'Recovery codes' }).waitFor();
    await tryToLeave(visitor, SHOWN);
    await page.getByRole('list', { name: 'Recovery codes' }).waitFor();
  });
});
