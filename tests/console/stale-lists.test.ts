import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { Analyst } from '../kit/analyst.ts';
import { noBrowser } from '../kit/browser.ts';
import { consoleFixture } from '../kit/console-fixture.ts';
import { bucket } from '../kit/export-records.ts';

/** Holds back the answers whose address matches, as a slow network does, until they are let go. */
async function hold(page: Page, address: RegExp) {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const asked = page.waitForRequest(address);
  await page.route(address, async (route) => {
    await released;
    await route.continue();
  });
  return { asked, release };
}

describe.skipIf(noBrowser !== null)('lists of the console while another one is loading', () => {
  const site = consoleFixture({ worker: true });

  async function arrive(path: (project: string) => string) {
    const user = await site.server.people.user();
    const person = new Analyst(site.server, user.session, user.tenant.id);
    const project = await person.project([bucket('open', { uniform: false, logged: false })]);
    await person.scan(project);
    const visitor = await site.open(path(project), user);
    return { visitor, page: visitor.page, project };
  }

  it('findings by asset never show groups of the rules that were listed before', async () => {
    const { visitor, page } = await arrive(() => '/findings?by=rule');
    await page.getByRole('button', { name: 'Bucket uses ACLs' }).waitFor();
    const answers = await hold(page, /\/findings\/groups\?.*by=asset/);
    await visitor.move('/findings?by=asset');
    const table = page.getByRole('table', { name: 'Findings by asset' });
    await table.waitFor();
    await answers.asked;
    expect(await table.getByRole('button').allInnerTexts()).toEqual([]);
    answers.release();
    await table.getByRole('button', { name: 'open', exact: true }).waitFor();
  });

  it('the list of findings does not claim to be empty while a filter that was empty gives way to another', async () => {
    const { page } = await arrive(() => '/findings?view=muted');
    await page.getByText('No muted findings').waitFor();
    const answers = await hold(page, /\/findings\?.*muted=false/);
    await page.getByRole('tab', { name: 'Open', exact: true }).click();
    await answers.asked;
    await page.getByText('Loading findings').waitFor();
    expect(await page.getByText('No open findings').count()).toBe(0);
    answers.release();
    await page.getByRole('grid').getByText('Bucket uses ACLs').waitFor();
  });

  it('the list of assets does not ask for an inventory while the filters are cleared', async () => {
    const { page } = await arrive(
      (project) => `/projects/${project}/assets?q=nothing-has-this-name`,
    );
    await page.getByText('No asset matches the filters').waitFor();
    const answers = await hold(page, /\/projects\/[^/]+\/assets\?/);
    await page.getByRole('button', { name: 'Clear the filters' }).click();
    await answers.asked;
    await page.getByText('Loading assets').waitFor();
    expect(await page.getByText('The project has no assets yet').count()).toBe(0);
    answers.release();
    await page.getByRole('link', { name: 'open', exact: true }).waitFor();
  });
});
