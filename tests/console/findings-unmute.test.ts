import { beforeEach, describe, expect, it } from 'vitest';
import { noBrowser } from '../kit/browser.ts';
import { consoleFixture } from '../kit/console-fixture.ts';
import type { ConsoleVisitor } from '../kit/console-page.ts';
import { holdDelete } from '../kit/held-request.ts';
import type { TestUser } from '../kit/people.ts';
import { type Planted, plantFindings } from '../kit/planted-findings.ts';

/** Text that runs a script where it is interpreted as HTML. */
const HOSTILE = '<img src=x onerror="document.title=1"><script>document.title=2</script>';

describe.skipIf(noBrowser !== null)('the end of mutes in the findings explorer', () => {
  const site = consoleFixture();
  let user: TestUser;
  let visitor: ConsoleVisitor;

  beforeEach(async () => {
    user = await site.server.people.user();
    visitor = await site.visit();
  });

  async function plant(findings: readonly Planted[]): Promise<void> {
    const { server } = site;
    const call = { method: 'POST', headers: user.key, body: { name: 'shop-prod' } };
    const { json } = await server.call('/projects', call);
    await plantFindings(server.database, user.tenant.id, json.id, findings);
  }

  /** Plants a muted finding and another one. @returns the id of the mute */
  async function plantMuted(reason: string): Promise<string> {
    const fingerprint = '3b'.repeat(32);
    await plant([{ title: 'Bucket is public', fingerprint }, { title: 'Another' }]);
    const call = { method: 'POST', headers: user.key, body: { fingerprint, reason } };
    return (await site.server.call('/mutes', call)).json.id;
  }

  async function open(path: string): Promise<void> {
    await visitor.goto(path);
    await visitor.signIn(user.email, user.password);
  }

  const grid = () => visitor.page.getByRole('grid', { name: 'Findings' });
  const row = (name: RegExp | string) => grid().getByRole('row').filter({ hasText: name });
  const shown = (text: string) => visitor.page.getByText(text).first().waitFor();
  const panel = () => visitor.page.getByRole('complementary', { name: /^Finding:/ });
  const tab = (name: string) => visitor.page.getByRole('tab', { name, exact: true });
  const undo = () => visitor.page.getByRole('button', { name: 'Undo' }).click();

  async function muteFromKeyboard(title: string): Promise<void> {
    const { page } = visitor;
    await row(title).getByRole('button', { name: title }).focus();
    await page.keyboard.press('m');
    const dialog = page.getByRole('dialog', { name: 'Mute this finding' });
    await dialog.getByLabel('Reason').fill('A static site');
    await dialog.getByRole('button', { name: 'Mute' }).click();
    await row(title).waitFor({ state: 'detached' });
  }

  it('the findings explorer shows muted findings on their tab and unmutes them there', async () => {
    const { page } = visitor;
    await plantMuted(HOSTILE);
    await open('/findings');
    await row('Another').waitFor();
    await expect.poll(() => row('Bucket is public').count()).toBe(0);
    await page.getByRole('tab', { name: 'Muted' }).click();
    await row('Bucket is public').getByRole('button', { name: 'Bucket is public' }).click();
    await panel().getByText(HOSTILE).waitFor();
    await panel().getByRole('button', { name: 'Unmute' }).click();
    await shown('No muted findings');
  });

  it('a finding that is unmuted while its tab is left is listed by the open tab, and no longer by the muted one', async () => {
    const { page } = visitor;
    const muteId = await plantMuted('A static site');
    await open('/findings?view=all');
    await row('Bucket is public').waitFor();
    await tab('Muted').click();
    await row('Another').waitFor({ state: 'detached' });
    await row('Bucket is public').getByRole('button', { name: 'Bucket is public' }).click();
    const held = await holdDelete(page, `/mutes/${muteId}`);
    await panel().getByRole('button', { name: 'Unmute' }).click();
    await held.sent;
    await tab('Open').click();
    await row('Another').waitFor();
    expect(await row('Bucket is public').count()).toBe(0);
    held.release();
    await shown('Finding unmuted');
    await page.getByText('1 new result').waitFor();
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await row('Bucket is public').waitFor();
    await tab('Muted').click();
    await shown('No muted findings');
  });

  it('a finding that is unmuted on the tab of all open findings leaves the muted tab when it was opened meanwhile', async () => {
    const { page } = visitor;
    const muteId = await plantMuted('A static site');
    await open('/findings?view=all');
    await row('Bucket is public').getByRole('button', { name: 'Bucket is public' }).click();
    const held = await holdDelete(page, `/mutes/${muteId}`);
    await panel().getByRole('button', { name: 'Unmute' }).click();
    await held.sent;
    await tab('Muted').click();
    await row('Another').waitFor({ state: 'detached' });
    await row('Bucket is public').waitFor();
    held.release();
    await shown('No muted findings');
    await tab('All open').click();
    await row('Bucket is public').waitFor();
  });

  it('the undo of a mute can be pressed with the mouse while a dialog is open, and leaves the dialog open', async () => {
    const { page } = visitor;
    await plant([{ title: 'Bucket is public' }, { title: 'Another' }]);
    await open('/findings');
    await row('Another').waitFor();
    await muteFromKeyboard('Bucket is public');
    await page.keyboard.press('?');
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await dialog.waitFor();
    await undo();
    await shown('Mute undone');
    await dialog.waitFor();
    expect(await visitor.accessibilityViolations()).toEqual([]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await row('Bucket is public').waitFor();
  });

  it('the undo of a mute can be reached with Tab in the topmost of two open dialogs', async () => {
    const { page } = visitor;
    await plant([{ title: 'Bucket is public' }, { title: 'Another' }]);
    await open('/findings');
    await row('Another').waitFor();
    await muteFromKeyboard('Bucket is public');
    await row('Another').getByRole('button', { name: 'Another' }).focus();
    await page.keyboard.press('m');
    await page.keyboard.type('Something that is not saved');
    await page.keyboard.press('Escape');
    const question = page.getByRole('dialog', { name: 'Discard what you entered?' });
    await question.getByRole('button', { name: 'Cancel' }).waitFor();
    const focused = page.locator(':focus');
    await expect
      .poll(async () => {
        await page.keyboard.press('Tab');
        return focused.textContent({ timeout: 1000 }).catch(() => null);
      })
      .toBe('Undo');
    await page.keyboard.press('Enter');
    await shown('Mute undone');
    await question.waitFor();
    expect((await site.server.call('/mutes', { headers: user.key })).json.items).toEqual([]);
  });

  it('the undo of a mute removes the finding from the muted tab that was opened after the mute', async () => {
    await plant([{ title: 'Bucket is public' }, { title: 'Another' }]);
    await open('/findings');
    await muteFromKeyboard('Bucket is public');
    await tab('Muted').click();
    await row('Bucket is public').waitFor();
    await undo();
    await shown('No muted findings');
    await tab('Open').click();
    await row('Bucket is public').waitFor();
  });

  it('the undo of a mute removes the finding from a list that is still loading for the first time', async () => {
    const { page } = visitor;
    await plant([{ title: 'Bucket is public' }, { title: 'Another' }]);
    await open('/findings');
    await muteFromKeyboard('Bucket is public');
    let isUndone = () => {};
    const undone = new Promise<void>((resolve) => {
      isUndone = resolve;
    });
    let answered = 0;
    await page.route('**/findings?*muted=true*', async (route) => {
      if (answered > 0) return route.continue();
      const response = await route.fetch();
      answered += 1;
      await undone;
      // The page may have given up waiting for the answer.
      await route.fulfill({ response }).catch(() => undefined);
    });
    await tab('Muted').click();
    await expect.poll(() => answered).toBe(1);
    await undo();
    await shown('Mute undone');
    isUndone();
    await shown('No muted findings');
  });

  it('the undo of a mute restores a finding of a later page after the list began again', async () => {
    const { page } = visitor;
    await plant(Array.from({ length: 201 }, (_, index) => ({ title: `Finding ${index}.` })));
    await open('/findings');
    const scroll = () =>
      page.getByRole('rowgroup', { name: 'Rows' }).evaluate((scroller) => {
        scroller.scrollTop = scroller.scrollHeight;
      });
    await shown('200 of 201 loaded');
    await scroll();
    await shown('201 of 201 loaded');
    await scroll();
    await muteFromKeyboard('Finding 0.');
    await shown('200 of 200 loaded');
    await tab('Muted').click();
    await row('Finding 0.').waitFor();
    await tab('Open').click();
    await shown('200 of 200 loaded');
    await visitor.quiet();
    await undo();
    await shown('200 of 201 loaded');
    await visitor.quiet();
    await scroll();
    await shown('201 of 201 loaded');
    await row('Finding 0.').waitFor();
  });
});
