import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { Analyst } from '../kit/analyst.ts';
import { noBrowser } from '../kit/browser.ts';
import { signInWithCode } from '../kit/console-admin.ts';
import { consoleFixture } from '../kit/console-fixture.ts';
import { TestIdentityProvider } from '../kit/identity-provider.ts';

describe.skipIf(noBrowser !== null)('what two people edit in the console', () => {
  const site = consoleFixture();

  /** A page that one administrator has open, and another administrator, who uses the API. */
  async function meet(path: string, prepare: (other: Analyst) => Promise<unknown>) {
    const { people } = site.server;
    const user = await people.user();
    const { tenant } = user;
    const { session } = await people.user({ tenant, amr: ['pwd', 'otp'] });
    const other = new Analyst(site.server, session, tenant.id);
    await prepare(other);
    const visitor = await site.visit();
    await visitor.goto(path);
    await signInWithCode(visitor, site.server, user);
    const { page } = visitor;
    await page.locator('#main').getByRole('heading', { level: 1 }).waitFor();
    const replace = (at: string, body: unknown) => other.ask(200, at, { method: 'PUT', body });
    return { visitor, page, other, replace };
  }

  async function editRole() {
    const permissions = ['scans.read', 'admin.users', 'admin.audit'];
    const body = { name: 'ops', permissions };
    const met = await meet('/roles', (other) => other.ask(201, '/roles', { method: 'POST', body }));
    const { page, other, replace } = met;
    await page.getByRole('button', { name: 'Actions for the role ops' }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    const form = page.getByRole('dialog', { name: 'Edit the role ops' });
    await form.getByLabel('See projects').check();
    const save = () => form.getByRole('button', { name: 'Save', exact: true }).click();
    const question = page.getByRole('dialog', { name: 'The role was changed meanwhile' });
    const stored = async () => {
      const { items } = await other.ask(200, '/roles');
      return items.find(({ name }: { name: string }) => name === 'ops')?.permissions;
    };
    const change = (now: readonly string[]) => replace('/roles/ops', { permissions: now });
    return { ...met, form, save, question, stored, change };
  }

  it('the form of a role does not grant again what another administrator has removed', async () => {
    const { visitor, form, save, question, stored, change } = await editRole();
    await change(['scans.read']);
    await save();
    await question.getByText('Manage people and roles is now off.').waitFor();
    await question.getByText('Read the audit log is now off.').waitFor();
    expect(await stored()).toEqual(['scans.read']);
    expect(await visitor.accessibilityViolations()).toEqual([]);
    await visitor.screenshot('role-conflict');
    await question.getByRole('button', { name: 'Save my changes' }).click();
    await form.waitFor({ state: 'detached' });
    expect(await stored()).toEqual(['scans.read', 'projects.read']);
  });

  it('the form of a role saves nothing when the person discards their changes', async () => {
    const { page, form, save, question, stored, change } = await editRole();
    await change(['scans.read', 'scans.launch']);
    await save();
    await question.getByText('Launch scans is now on.').waitFor();
    await question.getByRole('button', { name: 'Discard my changes' }).click();
    await form.waitFor({ state: 'detached' });
    await page.getByRole('row', { name: /Launch scans.*Yes$/ }).waitFor();
    expect(await stored()).toEqual(['scans.read', 'scans.launch']);
  });

  /** Keeps editing what somebody else has deleted, then creates it again. */
  async function createAgain(page: Page, noun: string, save: () => Promise<unknown>) {
    const question = page.getByRole('dialog', { name: `The ${noun} was deleted meanwhile` });
    await save();
    await question.getByRole('button', { name: 'Keep editing' }).click();
    await question.waitFor({ state: 'detached' });
    await save();
    await question.getByRole('button', { name: 'Create it again' }).click();
  }

  it('the form of a role that another administrator has deleted says so and creates it again', async () => {
    const { page, form, save, other, stored } = await editRole();
    await other.ask(204, '/roles/ops', { method: 'DELETE' });
    await createAgain(page, 'role', async () => {
      await save();
      expect(await form.getByLabel('See projects').isChecked()).toBe(true);
    });
    await form.waitFor({ state: 'detached' });
    const permissions = ['projects.read', 'scans.read', 'admin.users', 'admin.audit'];
    expect((await stored()).toSorted()).toEqual(permissions.toSorted());
  });

  it('the form of a schedule that somebody else has deleted says so and creates it again', async () => {
    const { page, form, save, other, path } = await editSchedule();
    await form.getByLabel('Name', { exact: true }).fill('nightly 2');
    await other.ask(204, path, { method: 'DELETE' });
    await createAgain(page, 'schedule', save);
    await form.waitFor({ state: 'detached' });
    await page.getByRole('row', { name: /nightly 2/ }).waitFor();
    const { items } = await other.ask(200, '/schedules');
    expect(items).toMatchObject([{ name: 'nightly 2', cron: '0 3 * * *', enabled: true }]);
  });

  it('the form of a profile that somebody else has deleted says so and creates it again', async () => {
    const before = { include: ['category:kms'], exclude: [], parameters: {} };
    const { page, other } = await meet('/profiles/custom:web', (person) =>
      person.ask(201, '/profiles', { method: 'POST', body: { name: 'custom:web', ...before } }),
    );
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Exclude', { exact: true }).fill('bucket-public');
    await page.keyboard.press('Enter');
    await other.ask(204, '/profiles/custom:web', { method: 'DELETE' });
    await createAgain(page, 'profile', () =>
      page.getByRole('button', { name: 'Save profile' }).click(),
    );
    await page.getByRole('button', { name: 'Delete' }).waitFor();
    const { items } = await other.ask(200, '/profiles');
    const saved = items.find(({ name }: { name: string }) => name === 'custom:web');
    expect(saved.definition).toEqual({ ...before, exclude: ['bucket-public'] });
  });

  async function editSchedule() {
    let projects: string[] = [];
    let id = '';
    const content = { name: 'nightly', profile: 'full', cron: '0 3 * * *', timezone: 'UTC' };
    const met = await meet('/schedules', async (other) => {
      projects = [await other.project(), await other.project()];
      const body = { ...content, projects: projects.slice(0, 1) };
      id = (await other.ask(201, '/schedules', { method: 'POST', body })).id;
    });
    const { page, other, replace } = met;
    await page.getByRole('button', { name: 'Edit nightly' }).click();
    const form = page.getByRole('dialog', { name: 'Edit the schedule' });
    const save = () => form.getByRole('button', { name: 'Save', exact: true }).click();
    const question = page.getByRole('dialog', { name: 'The schedule was changed meanwhile' });
    const path = `/schedules/${id}`;
    const stored = () => other.ask(200, path);
    const change = (theirs: object) =>
      replace(path, { ...content, projects: projects.slice(0, 1), enabled: true, ...theirs });
    return { ...met, form, save, question, stored, change, projects, path };
  }

  it('the form of a schedule keeps the fields that only somebody else has changed', async () => {
    const { form, save, stored, change, projects } = await editSchedule();
    await form.getByLabel('Name', { exact: true }).fill('nightly 2');
    const theirs = { cron: '30 5 * * *', timezone: 'Europe/Berlin', projects };
    await change(theirs);
    await save();
    await form.waitFor({ state: 'detached' });
    expect(await stored()).toMatchObject({ ...theirs, name: 'nightly 2' });
  });

  it('the form of a schedule asks before a time is saved in the time zone of somebody else', async () => {
    const { form, save, question, stored, change } = await editSchedule();
    await form.getByLabel('Cron expression').fill('0 4 * * *');
    await change({ timezone: 'Asia/Tokyo' });
    await save();
    const text = 'Time is now 0 3 * * *, Asia/Tokyo. If you save, it becomes 0 4 * * *, UTC.';
    await question.getByText(text).waitFor();
    expect(await stored()).toMatchObject({ cron: '0 3 * * *', timezone: 'Asia/Tokyo' });
    await question.getByRole('button', { name: 'Keep editing' }).click();
    await question.waitFor({ state: 'detached' });
    expect(await form.getByLabel('Cron expression').inputValue()).toBe('0 4 * * *');
    await save();
    await question.getByRole('button', { name: 'Save my changes' }).click();
    await form.waitFor({ state: 'detached' });
    expect(await stored()).toMatchObject({ cron: '0 4 * * *', timezone: 'UTC' });
  });

  it('the form of a profile asks before it is saved over the change of somebody else', async () => {
    const rotation = 'kms-rotation-90d';
    const before = { include: ['category:kms'], exclude: [], parameters: {} };
    const met = await meet('/profiles/custom:web', (other) =>
      other.ask(201, '/profiles', { method: 'POST', body: { name: 'custom:web', ...before } }),
    );
    const { page, other, replace } = met;
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Exclude', { exact: true }).fill('bucket-public');
    await page.keyboard.press('Enter');
    const theirs = {
      include: ['category:kms', 'severity:critical'],
      parameters: { [rotation]: { days: 30 } },
    };
    await replace('/profiles/custom:web', { ...before, ...theirs });
    await page.getByRole('button', { name: 'Save profile' }).click();
    const question = page.getByRole('dialog', { name: 'The profile was changed meanwhile' });
    const stays = 'If you save, it stays so.';
    await question.getByText(`Include is now category:kms, severity:critical. ${stays}`).waitFor();
    await question.getByText(`Parameters is now ${rotation}: days: 30. ${stays}`).waitFor();
    await question.getByRole('button', { name: 'Save my changes' }).click();
    await page.getByRole('button', { name: 'Delete' }).waitFor();
    const { items } = await other.ask(200, '/profiles');
    const saved = items.find(({ name }: { name: string }) => name === 'custom:web');
    expect(saved.definition).toEqual({ ...theirs, exclude: ['bucket-public'] });
  });

  async function editTenant() {
    const met = await meet('/tenant', async () => undefined);
    const { page, other } = met;
    await page.getByLabel('Duration of a mute, in days').fill('60');
    const change = (settings: object) =>
      other.ask(200, '/tenant', { method: 'PATCH', body: { settings } });
    const save = () => page.getByRole('button', { name: 'Save', exact: true }).click();
    const stored = async () => (await other.ask(200, '/tenant')).settings;
    return { ...met, change, save, stored };
  }

  it('the form of the tenant saves only the settings that the person changed', async () => {
    const { page, change, save, stored } = await editTenant();
    await change({ allowedDomains: ['corp.example.com'] });
    await save();
    await page.getByText('Settings saved').waitFor();
    expect(await stored()).toMatchObject({
      muteDefaultDays: 60,
      allowedDomains: ['corp.example.com'],
    });
    await expect.poll(() => page.getByLabel('Own domains').inputValue()).toBe('corp.example.com');
  });

  it('the form of the tenant asks before it overwrites a setting that somebody else has changed', async () => {
    const { page, change, save, stored } = await editTenant();
    await change({ muteDefaultDays: 7 });
    await save();
    const question = page.getByRole('dialog', { name: 'The tenant was changed meanwhile' });
    await question
      .getByText('Duration of a mute, in days is now 7. If you save, it becomes 60.')
      .waitFor();
    expect(await stored()).toMatchObject({ muteDefaultDays: 7 });
    await question.getByRole('button', { name: 'Keep editing' }).click();
    await question.waitFor({ state: 'detached' });
    expect(await page.getByLabel('Duration of a mute, in days').inputValue()).toBe('60');
    await save();
    await question.getByRole('button', { name: 'Discard my changes' }).click();
    await expect.poll(() => page.getByLabel('Duration of a mute, in days').inputValue()).toBe('7');
  });

  /** The form of the identity provider with metadata, and what stands in the settings of somebody else. */
  async function replaceProvider(exists: boolean) {
    const [mine, theirs] = [new TestIdentityProvider(), new TestIdentityProvider()];
    const body = (of: TestIdentityProvider, emailDomains: string[], defaultRole = 'viewer') => ({
      ...{ metadataXml: of.metadataXml, emailDomains, defaultRole },
    });
    const path = '/tenant/saml';
    const met = await meet('/single-sign-on', async (other) => {
      await site.server.database.owner.query(
        `UPDATE identity.tenants SET features = '{sso}' WHERE id = $1`,
        [other.tenantId],
      );
      const first = body(theirs, ['example.com']);
      if (exists) await other.ask(200, path, { method: 'PUT', body: first });
    });
    const { page, other, replace } = met;
    if (exists) await page.getByRole('button', { name: 'Replace' }).click();
    const form = page.getByLabel('Metadata of the provider');
    await form.fill(mine.metadataXml);
    const question = page.getByRole('dialog', {
      name: 'The identity provider was changed meanwhile',
    });
    const save = () => page.getByRole('button', { name: 'Save', exact: true }).click();
    const stored = () => other.ask(200, path);
    const change = (domains: string[], role: string) => replace(path, body(theirs, domains, role));
    return { ...met, mine, theirs, form, save, question, stored, change };
  }

  it('the form of single sign-on does not take away the domains and the role that somebody else has set', async () => {
    const met = await replaceProvider(true);
    const { visitor, page, mine, theirs, form, save, question, stored, change } = met;
    await change(['example.com', 'example.org'], 'analyst');
    await save();
    const stays = 'If you save, it stays so.';
    await question.getByText(`E-mail domains is now example.com, example.org. ${stays}`).waitFor();
    await question.getByText(`Default role for new members is now analyst. ${stays}`).waitFor();
    expect(await stored()).toMatchObject({ ssoUrl: theirs.settings.ssoUrl });
    expect(await visitor.accessibilityViolations()).toEqual([]);
    await visitor.screenshot('single-sign-on-conflict');
    await question.getByRole('button', { name: 'Keep editing' }).click();
    expect(await form.inputValue()).toBe(mine.metadataXml);
    await save();
    await question.getByRole('button', { name: 'Save my changes' }).click();
    await page.getByText('Identity provider saved').waitFor();
    expect(await stored()).toMatchObject({
      certificates: mine.settings.certificates,
      emailDomains: ['example.com', 'example.org'],
      defaultRole: 'analyst',
    });
  });

  it('the form of single sign-on asks before the first provider replaces the one that somebody else has set', async () => {
    const met = await replaceProvider(false);
    const { page, mine, theirs, form, save, question, stored, change } = met;
    await page.getByLabel('E-mail domains').fill('example.net');
    await change(['example.com'], 'viewer');
    await save();
    await question
      .getByText(/^Identity provider is now .* becomes the one of your metadata\.$/)
      .waitFor();
    await question.getByText('If you save, it becomes example.net.').waitFor();
    await question.getByRole('button', { name: 'Discard my changes' }).click();
    await form.waitFor({ state: 'detached' });
    await page.getByText(theirs.entityId, { exact: true }).waitFor();
    expect((await stored()).certificates).not.toEqual(mine.settings.certificates);
  });
});
