import { describe, expect, it } from 'vitest';
import { noBrowser } from '../kit/browser.ts';
import { consoleFixture } from '../kit/console-fixture.ts';
import { type Planted, plantFindings } from '../kit/planted-findings.ts';

describe.skipIf(noBrowser !== null)('muting findings that are muted for longer already', () => {
  const site = consoleFixture();

  type Target = { readonly fingerprint: string } | { readonly selector: object };

  /** Opens a list of findings, after some were muted for 180 days. */
  async function openMuted(path: string, findings: readonly Planted[], targets: readonly Target[]) {
    const user = await site.server.people.user();
    const post = async (to: string, body: object) => {
      const made = await site.server.call(to, { method: 'POST', headers: user.key, body });
      expect(made.status).toBe(201);
      return made.json.id;
    };
    const project = await post('/projects', { name: 'shop-prod' });
    await plantFindings(site.server.database, user.tenant.id, project, findings);
    const expiresAt = new Date(Date.now() + 180 * 86_400_000).toISOString();
    for (const target of targets)
      await post('/mutes', { ...target, reason: 'Reviewed before', expiresAt });
    const visitor = await site.open(path, user);
    const { page } = visitor;
    const row = (title: string) => page.getByRole('grid').getByRole('row', { name: title });
    /** Mutes findings for 30 days, and waits until the console says what came of it. */
    const mute = async (titles: readonly string[], said: string | RegExp) => {
      for (const title of titles) await row(title).getByRole('checkbox').click();
      const bar = page.getByRole('toolbar', { name: 'Selected findings' });
      await bar.getByRole('button', { name: 'Mute' }).click();
      const dialog = page.getByRole('dialog', { name: /^Mute / });
      await dialog.getByLabel('Reason').fill('A test project');
      await dialog.getByRole('radio', { name: '30 days' }).check({ force: true });
      await dialog.getByRole('button', { name: 'Mute' }).click();
      await dialog.waitFor({ state: 'detached' });
      await page.getByText(said).first().waitFor();
      await visitor.quiet();
    };
    const reasonOf = async (title: string) => {
      await row(title).getByRole('button', { name: title }).click();
      const panel = page.getByRole('complementary', { name: `Finding: ${title}` });
      return panel.getByText(/^Muted: /).innerText();
    };
    return { mute, reasonOf };
  }

  it('muting selected findings keeps the mutes that last longer, and says how many these are', async () => {
    const fingerprint = '3b'.repeat(32);
    const findings = [{ title: 'Muted for longer', fingerprint }, { title: 'Not muted' }];
    const { mute, reasonOf } = await openMuted('/findings?view=all', findings, [{ fingerprint }]);
    await mute(
      ['Muted for longer', 'Not muted'],
      /^Finding muted until .+\. 1 finding already muted for longer$/,
    );
    expect(await reasonOf('Not muted')).toContain('A test project');
    expect(await reasonOf('Muted for longer')).toContain('Reviewed before');
  });

  it('muting selected findings keeps the reason of a mute by a selector that lasts longer, and says so', async () => {
    const ruleId = 'bucket-logging';
    const findings = [{ title: 'Muted by its rule', ruleId }, { title: 'Not muted' }];
    const selectors = [{ selector: { ruleId } }];
    const { mute, reasonOf } = await openMuted('/findings?view=all', findings, selectors);
    await mute(
      ['Muted by its rule', 'Not muted'],
      /^Finding muted until .+\. 1 finding already muted for longer$/,
    );
    expect(await reasonOf('Not muted')).toContain('A test project');
    expect(await reasonOf('Muted by its rule')).toContain('Reviewed before');
  });

  it('muting only findings whose mutes last longer changes nothing, and says so', async () => {
    const fingerprints = ['3b'.repeat(32), '3c'.repeat(32)];
    const findings = fingerprints.map((fingerprint, at) => ({ title: `Old ${at}`, fingerprint }));
    const targets = fingerprints.map((fingerprint) => ({ fingerprint }));
    const { mute, reasonOf } = await openMuted('/findings?view=muted', findings, targets);
    await mute(['Old 0'], '1 finding already muted for longer');
    expect(await reasonOf('Old 0')).toContain('Reviewed before');
    await mute(['Old 0', 'Old 1'], '2 findings already muted for longer');
  });
});
