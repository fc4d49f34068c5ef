import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { noBrowser } from '../kit/browser.ts';
import { consoleFixture } from '../kit/console-fixture.ts';
import {
  acceptInvitation,
  choose,
  confirmWithCode,
  enterCode,
  invite,
  signOut,
  turnOnTwoFactor,
  waitForShell,
} from '../kit/console-journeys.ts';
import { linkOfMail } from '../kit/console-mail.ts';
import type { ConsoleVisitor } from '../kit/console-page.ts';

const SAMPLE = new URL('../../samples/shop-prod.ndjson', import.meta.url);
const PASSWORD = 'seven green bottles on a wall';
const REASON = 'Public on purpose: a static site';

/** How many findings the explorer says there are. */
async function findingsCount(page: Page): Promise<number> {
  const text = await page.getByText(/^[\d,]+ findings? in 1 project$/).innerText();
  return Number(text.split(' ')[0]?.replaceAll(',', ''));
}

describe.skipIf(noBrowser !== null)("a person's day in the console", () => {
  const site = consoleFixture({ worker: true, mail: true, browser: { isComplete: true } });

  async function register(visitor: ConsoleVisitor, email: string): Promise<void> {
    const { page } = visitor;
    await page.goto(site.server.url);
    await page.getByRole('link', { name: 'Create one' }).click();
    await page.getByLabel('Your name').fill('Ada Lovelace');
    await page.getByLabel('Organization').fill('Example Ltd');
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByRole('heading', { name: 'Check your mail' }).waitFor();
    await page.goto(await linkOfMail(site.mails, email, /Confirm/));
    await page.getByRole('button', { name: 'Confirm the address' }).click();
    await page.getByText('Your address is confirmed').waitFor();
    await page.getByRole('link', { name: 'Sign in' }).click();
    await visitor.signIn(email, PASSWORD);
    await waitForShell(visitor);
  }

  async function firstRun({ page }: ConsoleVisitor): Promise<void> {
    await page.getByRole('heading', { name: 'Welcome' }).waitFor();
    await page.getByLabel('Name').fill('shop-prod');
    await page.getByRole('button', { name: 'Create project' }).click();
    await page.getByTestId('drop-zone').waitFor();
    const file = { name: 'shop-prod.ndjson', mimeType: '', buffer: await readFile(SAMPLE) };
    await page.getByLabel('Inventory file').setInputFiles(file);
    await page.getByRole('checkbox', { name: /shop-prod/ }).waitFor();
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByRole('button', { name: 'Launch scan' }).click();
    await page.getByText(/The scan of \d+ assets ended with \d+ findings/).waitFor();
    await page.getByRole('link', { name: 'See the findings' }).click();
  }

  /** Opens a critical finding, reads its evidence, and mutes it. @returns its title. */
  async function triage({ page }: ConsoleVisitor): Promise<string> {
    const before = await findingsCount(page);
    await page.getByRole('button', { name: /^Critical/ }).click();
    await page.waitForURL(/severity=critical/);
    await expect.poll(() => findingsCount(page)).toBeLessThan(before);
    const critical = await findingsCount(page);
    await page.getByRole('grid', { name: 'Findings' }).getByRole('row').nth(1).click();
    const panel = page.getByRole('complementary', { name: /^Finding:/ });
    const title = await panel.getByRole('heading', { level: 2 }).innerText();
    await panel.getByRole('heading', { name: 'Evidence' }).waitFor();
    await panel.getByRole('heading', { name: 'Remediation' }).waitFor();
    await page.keyboard.press('m');
    const dialog = page.getByRole('dialog', { name: 'Mute this finding' });
    await dialog.getByLabel('Reason').fill(REASON);
    await dialog.getByRole('button', { name: 'Mute' }).click();
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => findingsCount(page)).toBe(critical - 1);
    return title;
  }

  async function exported({ page }: ConsoleVisitor): Promise<string> {
    await page.getByRole('button', { name: 'Export' }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: /CSV/ }).click();
    return readFile(await (await download).path(), 'utf8');
  }

  it('a person can sign up, mute findings, export, invite a colleague and add a second factor in the console', async () => {
    const person = await site.visit();
    const { page } = person;
    const email = `${randomUUID()}@example.com`;
    await register(person, email);
    await firstRun(person);
    const title = await triage(person);
    const remaining = await findingsCount(page);
    const csv = await exported(person);
    // One line has the names of the columns.
    expect(csv.trimEnd().split(/\r?\n(?=[^,]*,)/).length).toBeGreaterThan(remaining);
    expect(csv).toContain('critical');
    expect(csv).not.toContain(REASON);
    await page.getByRole('tab', { name: 'Muted' }).click();
    await page.getByRole('grid', { name: 'Findings' }).getByText(title).first().waitFor();

    await choose(person, 'Your account');
    const secret = await turnOnTwoFactor(person, site.server);
    await choose(person, 'People');
    const colleague = `${randomUUID()}@example.com`;
    await invite(person, colleague, 'Grace Hopper', 'analyst');
    await confirmWithCode(person, site.server, secret);
    await page.getByRole('row', { name: /Grace Hopper.*analyst.*Invited/ }).waitFor();

    const guest = await site.visit();
    await acceptInvitation(guest, site.mails, colleague, PASSWORD);
    await choose(guest, 'Findings');
    await guest.page.getByRole('tab', { name: 'Muted' }).click();
    await guest.page.getByRole('grid', { name: 'Findings' }).getByText(title).first().click();
    await guest.page.getByText(REASON).first().waitFor();
    await page.reload();
    await page.getByRole('row', { name: /Grace Hopper.*analyst.*Active/ }).waitFor();

    await signOut(person);
    await person.signIn(email, PASSWORD);
    await enterCode(person, site.server, secret);
    await waitForShell(person);
    await page
      .getByRole('row', { name: /Ada Lovelace/ })
      .getByText('On')
      .waitFor();
  });
});
