import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { Analyst } from '../kit/analyst.ts';
import { noBrowser } from '../kit/browser.ts';
import { consoleFixture } from '../kit/console-fixture.ts';
import type { TestUser } from '../kit/people.ts';
import { plantFindings } from '../kit/planted-findings.ts';

describe.skipIf(noBrowser !== null)('unsaved input in the console', () => {
  const site = consoleFixture();

  const follow = (page: Page, screen: string) =>
    page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name: screen, exact: true })
      .click();

  async function project(user: TestUser): Promise<string> {
    const made = await site.server.call('/projects', {
      method: 'POST',
      headers: user.key,
      body: { name: 'shop-prod' },
    });
    return made.json.id;
  }

  /** Starts an upload to the project on the page. Returns what lets it go on. */
  async function holdUpload(page: Page): Promise<() => void> {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/projects/shop-prod/inventory*', async (route) => {
      if (route.request().method() !== 'GET') await released;
      await route.continue();
    });
    await page.getByLabel('Inventory file').setInputFiles({
      name: 'export.ndjson',
      mimeType: 'application/x-ndjson',
      buffer: Buffer.from(
        '{"name":"//storage.googleapis.com/b","asset_type":"storage.googleapis.com/Bucket"}\n',
      ),
    });
    await page.getByRole('button', { name: 'Cancel upload' }).waitFor();
    return () => release();
  }

  it('a dialog of the console asks before a press beside it or Escape discards what was entered', async () => {
    const user = await site.server.people.user();
    await plantFindings(site.server.database, user.tenant.id, await project(user), [{}]);
    const { page } = await site.open('/findings', user);
    await page.getByRole('checkbox', { name: /^Select Bucket is public/ }).focus();
    await page.keyboard.press('m');
    const dialog = page.getByRole('dialog', { name: 'Mute this finding' });
    await dialog.waitFor();
    await page.mouse.click(5, 5);
    await dialog.waitFor({ state: 'detached' });

    await page.keyboard.press('m');
    await dialog.getByLabel('Reason').fill('A static site, public on purpose');
    await page.mouse.click(5, 5);
    const question = page.getByRole('dialog', { name: 'Discard what you entered?' });
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    expect(await dialog.getByLabel('Reason').inputValue()).toBe('A static site, public on purpose');
    await page.keyboard.press('Escape');
    await question.getByRole('button', { name: 'Discard' }).click();
    await dialog.waitFor({ state: 'detached' });
  });

  it('a dialog of the console asks before Escape discards a choice from a list', async () => {
    const { page } = await site.open('/api-keys', await site.server.people.user());
    await page.getByRole('button', { name: 'Create key' }).first().click();
    const dialog = page.getByRole('dialog', { name: /API key/ });
    const list = dialog.getByRole('combobox', { name: 'Expires after' });
    const chosen = await list.innerText();
    await list.click();
    await page.getByRole('option', { name: chosen, exact: true }).click();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Create key' }).first().click();
    await list.click();
    await page.getByRole('option', { selected: false }).first().click();
    await page.keyboard.press('Escape');
    const question = page.getByRole('dialog', { name: 'Discard what you entered?' });
    await question.getByRole('button', { name: 'Discard' }).click();
    await dialog.waitFor({ state: 'detached' });
  });

  it('the console asks before unsaved changes of a profile are lost', async () => {
    const user = await site.server.people.user();
    const { page } = await site.open('/profiles/new', user);
    await page.getByLabel('Name').fill('web-tier');
    await follow(page, 'Findings');
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    expect(await page.getByLabel('Name').inputValue()).toBe('web-tier');
    await follow(page, 'Findings');
    await question.getByRole('button', { name: 'Discard changes' }).click();
    await page.getByRole('heading', { name: 'Findings', level: 1 }).waitFor();
  });

  it('the form of a profile is restored after the session has ended and the person has signed in again', async () => {
    const user = await site.server.people.user();
    const visitor = await site.open('/profiles/new', user);
    const { page } = visitor;
    await page.getByLabel('Name').fill('web-tier');
    await page.getByLabel('Include', { exact: true }).fill('kms-rotation-90d');
    await page.keyboard.press('Enter');
    await page.getByLabel('kms-rotation-90d: days').fill('30');
    await site.server.database.owner.query(
      'UPDATE identity.sessions SET revoked_at = now() WHERE user_id = $1',
      [user.id],
    );
    await visitor.returnToTab();
    await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
    await visitor.signIn(user.email, user.password);
    await page.getByText('What you entered before is restored.').waitFor();
    expect(await visitor.accessibilityViolations()).toEqual([]);
    expect(await page.getByLabel('Name').inputValue()).toBe('web-tier');
    await page.getByRole('button', { name: 'Remove kms-rotation-90d' }).waitFor();
    expect(await page.getByLabel('kms-rotation-90d: days').inputValue()).toBe('30');
    await page.getByRole('button', { name: 'Create profile' }).click();
    await page.getByRole('heading', { name: 'custom:web-tier', level: 1 }).waitFor();
    await visitor.goto('/profiles/new');
    expect(await page.getByLabel('Name').inputValue()).toBe('');
  });

  it('the form of a webhook is restored after the session has ended and the person has signed in again', async () => {
    const user = await site.server.people.user();
    const visitor = await site.open('/webhooks', user);
    const { page } = visitor;
    const dialog = page.getByRole('dialog', { name: 'Create a webhook' });
    await page.getByRole('button', { name: 'Create webhook' }).click();
    await dialog.getByLabel('URL').fill('https://hooks.example.com/cspm');
    await dialog.getByLabel('scan.completed').check();
    await site.server.database.owner.query(
      'UPDATE identity.sessions SET revoked_at = now() WHERE user_id = $1',
      [user.id],
    );
    await visitor.returnToTab();
    await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
    await visitor.signIn(user.email, user.password);
    await page.getByRole('button', { name: 'Create webhook' }).click();
    await dialog.getByText('What you entered before is restored.').waitFor();
    expect(await dialog.getByLabel('URL').inputValue()).toBe('https://hooks.example.com/cspm');
    expect(await dialog.getByLabel('scan.completed').isChecked()).toBe(true);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Create webhook' }).click();
    expect(await dialog.getByLabel('URL').inputValue()).toBe('');
  });

  /** Creates a webhook and edits it until the session ends. The dialog is open again afterwards. */
  async function editUntilSessionEnds(
    user: TestUser,
    edit: (dialog: Locator) => Promise<void>,
    theirs: Readonly<Record<string, string>> = {},
  ) {
    const person = new Analyst(site.server, user.key, user.tenant.id);
    const content = { url: 'https://hooks.example.com/cspm', format: 'standard', enabled: true };
    const body = { ...content, events: ['scan.completed'], description: 'Tickets' };
    const { id } = await person.ask(201, '/webhooks', { method: 'POST', body });
    const visitor = await site.open('/webhooks', user);
    const { page } = visitor;
    const dialog = page.getByRole('dialog', { name: 'Edit the webhook' });
    await page.getByRole('button', { name: /^Edit/ }).click();
    await edit(dialog);
    await site.server.database.owner.query(
      'UPDATE identity.sessions SET revoked_at = now() WHERE user_id = $1',
      [user.id],
    );
    await visitor.returnToTab();
    await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
    await person.ask(200, `/webhooks/${id}`, { method: 'PUT', body: { ...body, ...theirs } });
    await visitor.signIn(user.email, user.password);
    await page.getByRole('button', { name: /^Edit/ }).click();
    await dialog.getByText('What you entered before is restored.').waitFor();
    return { person, id, page, dialog, body };
  }

  it('the form of a webhook saves only what the person changed, also after it was restored', async () => {
    const user = await site.server.people.user();
    const { person, id, dialog, body } = await editUntilSessionEnds(user, (form) =>
      form.getByLabel('Description').fill('Chat'),
    );
    const changes = { url: 'https://other.example.com/cspm', events: ['scan.failed'] };
    await person.ask(200, `/webhooks/${id}`, { method: 'PUT', body: { ...body, ...changes } });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    const saved = await person.ask(200, `/webhooks/${id}`);
    expect(saved).toMatchObject({ ...changes, description: 'Chat' });
  });

  it('a restored form of a webhook asks before it saves over what somebody else changed meanwhile', async () => {
    const user = await site.server.people.user();
    const { person, id, page, body } = await editUntilSessionEnds(
      user,
      (form) => form.getByLabel('Description').fill('Chat'),
      { description: 'Pager', url: 'https://other.example.com/cspm' },
    );
    const theirs = { ...body, description: 'Pager', url: 'https://other.example.com/cspm' };
    await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
    const question = page.getByRole('dialog', { name: 'The webhook was changed meanwhile' });
    await question.getByText('Description is now Pager. If you save, it becomes Chat.').waitFor();
    expect(await person.ask(200, `/webhooks/${id}`)).toMatchObject(theirs);
    await question.getByRole('button', { name: 'Save my changes' }).click();
    await page.getByRole('dialog').first().waitFor({ state: 'detached' });
    const saved = await person.ask(200, `/webhooks/${id}`);
    expect(saved).toMatchObject({ ...theirs, description: 'Chat' });
  });

  it('a restored form of a webhook asks before Escape discards it, until nothing is changed', async () => {
    const user = await site.server.people.user();
    const { page, dialog } = await editUntilSessionEnds(user, (form) =>
      form.getByLabel('Description').fill('Chat'),
    );
    await page.keyboard.press('Escape');
    const question = page.getByRole('dialog', { name: 'Discard what you entered?' });
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    await dialog.getByLabel('Description').fill('Tickets');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  it('the dialog of filters closes without a question, because filters apply at once', async () => {
    const user = await site.server.people.user();
    const planted = [{ severity: 'high' }, { ruleId: 'bucket-logging', title: 'Other' }];
    await plantFindings(site.server.database, user.tenant.id, await project(user), planted);
    const { page } = await site.open('/findings', user);
    await page.getByRole('button', { name: 'All filters' }).click();
    const dialog = page.getByRole('dialog', { name: 'Filters' });
    await dialog.getByRole('checkbox', { name: /bucket-logging/ }).click({ force: true });
    await page.getByText('1 of 1 loaded').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.getByText('1 of 1 loaded').waitFor();
  });

  it('a project is deleted during an upload to it without another question', async () => {
    const user = await site.server.people.user();
    await project(user);
    const { page } = await site.open('/projects/shop-prod', user);
    const release = await holdUpload(page);
    await page.getByRole('button', { name: 'More actions for shop-prod' }).click();
    await page.getByRole('menuitem', { name: 'Delete project' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete project' }).click();
    await page.getByText('There are no projects yet').waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    release();
  });

  it('the console asks before it leaves a page on which an upload runs', async () => {
    const user = await site.server.people.user();
    const analyst = new Analyst(site.server, user.key, user.tenant.id);
    await project(user);
    const { page } = await site.open('/projects/shop-prod', user);
    const release = await holdUpload(page);
    await follow(page, 'Findings');
    const question = page.getByRole('dialog', { name: 'Leave and stop the upload?' });
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    release();
    await page.getByText('Uploaded 1 asset of 1 type').waitFor();
    const { inventory } = await analyst.ask(200, '/projects/shop-prod');
    expect(inventory.assets).toBe(1);
    await follow(page, 'Findings');
    await page.getByRole('heading', { name: 'Findings', level: 1 }).waitFor();
  });
});
