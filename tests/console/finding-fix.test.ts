import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildConsole } from '../../scripts/build-console.mjs';
import { Analyst } from '../kit/analyst.ts';
import { launchBrowser, noBrowser } from '../kit/browser.ts';
import { ConsoleVisitor } from '../kit/console-page.ts';
import { bucket, firewall } from '../kit/export-records.ts';
import { plantFindings } from '../kit/planted-findings.ts';
import { BUILT_CONSOLE, startTestServer, type TestServer } from '../kit/test-server.ts';

describe.skipIf(noBrowser !== null)('the fix and the remediation in the panel of a finding', () => {
  let browser: Browser;
  let server: TestServer;
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
    visitor = await ConsoleVisitor.open(browser, server);
  });

  afterEach(async () => {
    expect(visitor.complaints).toEqual([]);
    await visitor.close();
  });

  const panel = () => visitor.page.getByRole('complementary', { name: /^Finding:/ });

  async function openFinding(rule: string): Promise<void> {
    const user = await server.people.user();
    const analyst = new Analyst(server, user.key, user.tenant.id);
    const project = await analyst.project([
      bucket('shop', { logged: false }),
      firewall('web', { ports: ['22'], sourceRanges: ['0.0.0.0/0', '10.0.0.0/8'] }),
    ]);
    await analyst.scan(project);
    const [finding] = await analyst.findings(`rule=${rule}`);
    await visitor.goto(`/findings?open=${finding?.id}`);
    await visitor.signIn(user.email, user.password);
    await panel().getByRole('button', { name: 'Show the fix' }).click();
  }

  it('the fix in the panel of a finding is shown on request as command, Terraform and patch, each with a button that copies it', async () => {
    await openFinding('fw-ssh-world');
    await panel().getByText('Verified on the stored asset.').waitFor();
    await panel()
      .getByText(/^gcloud compute firewall-rules update web/)
      .waitFor();
    await panel().getByText('source_ranges = ["10.0.0.0/8"]').waitFor();
    await panel().getByText('/resource/data/sourceRanges/0').waitFor();
    for (const name of ['as a command', 'in Terraform', 'as a patch']) {
      await panel()
        .getByRole('button', { name: `Copy the fix ${name}` })
        .waitFor();
    }
    expect(await visitor.accessibilityViolations()).toEqual([]);
  });

  it('the fix in the panel of a finding is replaced by the reason if there is none', async () => {
    await openFinding('bucket-logging');
    await panel().getByText('There is no automatic fix: needs a bucket for the logs.').waitFor();
  });

  it.each(['answer', 'failure'])(
    'the focus moves to the heading of the fix when the %s replaces the button that asked for it',
    async (outcome) => {
      const user = await server.people.user();
      const project = await server.call('/projects', {
        method: 'POST',
        headers: user.key,
        body: { name: 'shop-prod' },
      });
      const [id] = await plantFindings(server.database, user.tenant.id, project.json.id, [{}]);
      const { page } = visitor;
      // A finding of the list is not loaded before its fix is asked for.
      if (outcome === 'failure') {
        await page.route(`**/findings/${id}`, (route) => route.fulfill({ status: 404, body: '' }));
      }
      await visitor.goto('/findings');
      await visitor.signIn(user.email, user.password);
      await page.getByRole('grid').getByRole('button', { name: 'Bucket is public' }).press('Enter');
      const fix = panel().getByRole('button', { name: 'Show the fix' });
      await fix.press('Enter');
      await fix.waitFor({ state: 'detached' });
      const heading = panel().getByRole('heading', { name: 'Fix' });
      await expect.poll(() => heading.evaluate((one) => one === document.activeElement)).toBe(true);
      expect(await visitor.accessibilityViolations()).toEqual([]);
    },
  );

  it('the button beside a command of the remediation copies the whole command, with its list of values', async () => {
    const user = await server.people.user();
    const { json: project } = await server.call('/projects', {
      method: 'POST',
      headers: user.key,
      body: { name: 'shop-prod' },
    });
    const planted = [{ ruleId: 'sql-pg-log-connections' }];
    const [id] = await plantFindings(server.database, user.tenant.id, project.id, planted);
    await visitor.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await visitor.goto(`/findings?open=${id}`);
    await visitor.signIn(user.email, user.password);
    await panel().getByRole('button', { name: 'Copy the command' }).click();
    await panel().getByRole('button', { name: 'Copied' }).waitFor();
    expect(await visitor.page.evaluate(() => navigator.clipboard.readText())).toBe(
      'gcloud sql instances patch INSTANCE --database-flags="log_connections=on",OTHERS',
    );
  });
});
