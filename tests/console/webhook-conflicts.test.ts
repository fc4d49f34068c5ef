import { describe, expect, it } from 'vitest';
import { Analyst } from '../kit/analyst.ts';
import { noBrowser } from '../kit/browser.ts';
import { consoleFixture } from '../kit/console-fixture.ts';
import type { ConsoleOptions } from '../kit/console-page.ts';

const BEFORE = {
  url: 'https://hooks.example.com/a',
  description: 'Tickets',
  events: ['scan.completed'],
  format: 'standard',
};
/** What somebody else saves while the form is open. */
const THEIRS = { ...BEFORE, url: 'https://hooks.example.com/b', description: 'Pager' };

describe.skipIf(noBrowser !== null)('a webhook that two people edit in the console', () => {
  const site = consoleFixture();

  /** Changes the description in a form, which somebody else has changed too when it is saved. */
  async function conflict(options: ConsoleOptions = {}) {
    const user = await site.server.people.user();
    const person = new Analyst(site.server, user.key, user.tenant.id);
    const { id } = await person.ask(201, '/webhooks', { method: 'POST', body: BEFORE });
    const path = `/webhooks/${id}`;
    const visitor = await site.open('/webhooks', user, options);
    const { page } = visitor;
    await page.getByRole('button', { name: /^Edit/ }).click();
    const form = page.getByRole('dialog', { name: 'Edit the webhook' });
    await form.getByLabel('Description').fill('Chat');
    await person.ask(200, path, { method: 'PUT', body: { ...THEIRS, enabled: true } });
    await form.getByRole('button', { name: 'Save', exact: true }).click();
    const question = page.getByRole('dialog', { name: 'The webhook was changed meanwhile' });
    await question.getByText(`URL is now ${THEIRS.url}. If you save, it stays so.`).waitFor();
    await question.getByText('Description is now Pager. If you save, it becomes Chat.').waitFor();
    const press = (name: string) => question.getByRole('button', { name }).click();
    return { visitor, page, form, press, stored: () => person.ask(200, path), path, person };
  }

  it.each(['desktop', 'phone'] as const)(
    'a webhook that somebody else changed is not saved before the person decides, on a %s',
    async (size) => {
      const { visitor, form, press, stored } = await conflict({ size });
      expect(await visitor.accessibilityViolations()).toEqual([]);
      await visitor.screenshot(`webhook-conflict-${size}`);
      expect(await stored()).toMatchObject(THEIRS);
      await press('Keep editing');
      expect(await form.getByLabel('Description').inputValue()).toBe('Chat');
      expect(await stored()).toMatchObject(THEIRS);
    },
  );

  it('saving over the change of somebody else keeps the fields that only they changed', async () => {
    const { form, press, stored } = await conflict();
    await press('Save my changes');
    await form.waitFor({ state: 'detached' });
    expect(await stored()).toMatchObject({ ...THEIRS, description: 'Chat' });
  });

  it('saving over a change asks again if there is another one', async () => {
    const { page, press, stored, path, person } = await conflict();
    const body = { ...THEIRS, description: 'Siren', enabled: true };
    await person.ask(200, path, { method: 'PUT', body });
    await press('Save my changes');
    await page.getByText('Description is now Siren. If you save, it becomes Chat.').waitFor();
    expect(await stored()).toMatchObject({ description: 'Siren' });
  });

  it('a webhook that somebody else has deleted is created again, with a new secret', async () => {
    const user = await site.server.people.user();
    const person = new Analyst(site.server, user.key, user.tenant.id);
    const { id } = await person.ask(201, '/webhooks', { method: 'POST', body: BEFORE });
    const { page } = await site.open('/webhooks', user);
    await page.getByRole('button', { name: /^Edit/ }).click();
    const form = page.getByRole('dialog', { name: 'Edit the webhook' });
    await form.getByLabel('Description').fill('Chat');
    await person.ask(204, `/webhooks/${id}`, { method: 'DELETE' });
    await form.getByRole('button', { name: 'Save', exact: true }).click();
    const question = page.getByRole('dialog', { name: 'The webhook was deleted meanwhile' });
    await question.getByRole('button', { name: 'Create it again' }).click();
    await page.getByTestId('webhook-secret').waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    const { items } = await person.ask(200, '/webhooks');
    expect(items).toMatchObject([{ ...BEFORE, description: 'Chat' }]);
  });

  it('discarding the changes shows what somebody else saved', async () => {
    const { page, form, press, stored } = await conflict();
    await press('Discard my changes');
    await form.waitFor({ state: 'detached' });
    await page.getByText('Pager').waitFor();
    expect(await stored()).toMatchObject(THEIRS);
  });
});
