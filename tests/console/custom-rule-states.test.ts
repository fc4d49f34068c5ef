import { describe, expect, it } from 'vitest';
import { noBrowser } from '../kit/browser.ts';
import { BUCKET_TYPE, CUSTOM_RULE, customRuleFixture } from '../kit/console-rule-editor.ts';
import { Belongings } from '../kit/fixtures.ts';

describe.skipIf(noBrowser !== null)('states of the custom rule screens', () => {
  const rules = customRuleFixture();

  it('the console shows a custom rule without controls to a person who may only read', async () => {
    await rules.plant();
    rules.user = await rules.site.server.people.user({
      tenant: rules.tenant,
      role: ['rules.read'],
    });
    await rules.open('/custom-rules');
    const { page } = rules.visitor;
    await page.getByRole('link', { name: CUSTOM_RULE.title }).click();
    await page.getByText(CUSTOM_RULE.predicate).waitFor();
    await expect.poll(() => page.getByRole('button', { name: /Save|Delete|Run/ }).count()).toBe(0);
    await rules.editor.condition().click();
    await page.keyboard.type('x');
    await expect.poll(() => rules.editor.written()).toEqual([CUSTOM_RULE.predicate]);
    expect(await rules.visitor.accessibilityViolations()).toEqual([]);
    await rules.open('/custom-rules/_new');
    await rules.visitor.page.getByText('lacks the permission rules.write').waitFor();
  });

  it('the console names the missing permission or feature for custom rules', async () => {
    rules.user = await rules.site.server.people.user({
      tenant: rules.tenant,
      role: ['scans.read'],
    });
    await rules.open('/custom-rules');
    await rules.visitor.page.getByText('lacks the permission rules.read').waitFor();
    rules.user = await rules.site.server.people.user();
    await rules.open('/custom-rules');
    await rules.visitor.page.getByText('Custom rules are not enabled for your tenant').waitFor();
    expect(await rules.visitor.accessibilityViolations()).toEqual([]);
  });

  it('the console offers no further custom rule to a tenant that has a hundred', async () => {
    const has = new Belongings(
      rules.site.server.services,
      rules.site.server.database,
      rules.tenant,
    );
    for (let made = 0; made < 100; made += 1) await has.customRule();
    await rules.open('/custom-rules');
    const { page } = rules.visitor;
    await page.getByText('Delete one to create another.').waitFor();
    await expect.poll(() => page.getByRole('link', { name: 'Create rule' }).count()).toBe(0);
  });

  it('the console uses one request for the list of custom rules and three for a rule', async () => {
    await rules.inventory();
    await rules.plant();
    await rules.open('/custom-rules');
    await rules.visitor.page.getByRole('link', { name: CUSTOM_RULE.title }).waitFor();
    const requests = () => rules.visitor.takeRequests().filter((one) => !/\/auth\//.test(one));
    expect(requests()).toEqual(['GET /custom-rules?limit=100']);
    await rules.open('/custom-rules/mine');
    await rules.editor.condition().waitFor();
    await rules.visitor.page
      .getByRole('combobox', { name: 'Inventory of' })
      .getByText('4 assets')
      .waitFor();
    expect(requests().toSorted()).toEqual([
      'GET /custom-rules?limit=100',
      'GET /projects?limit=100',
      'GET /rules?limit=500',
    ]);
  });

  it.each(['desktop', 'phone'] as const)(
    'the custom rule pages are accessible in both themes on a %s',
    async (size) => {
      await rules.inventory();
      const labels = { asset_type: BUCKET_TYPE, name: '//storage.googleapis.com/b' };
      const asset = { ...labels, resource: { data: { labels: { owner: 'web' } } } };
      await rules.plant({
        tests: [{ asset, verdict: 'unknown' }],
        description: 'Access is uniform here.',
      });
      for (const theme of ['light', 'dark'] as const) {
        await rules.open('/custom-rules', { size, theme });
        const { page } = rules.visitor;
        await page.getByRole('link', { name: CUSTOM_RULE.title }).waitFor();
        expect(await rules.visitor.accessibilityViolations()).toEqual([]);
        await rules.visitor.screenshot(`custom-rules-${size}-${theme}`);
        await page.getByRole('link', { name: CUSTOM_RULE.title }).click();
        await rules.editor.condition().waitFor();
        await page.getByRole('button', { name: /^Run/ }).click();
        await page.getByRole('button', { name: 'Violations 1' }).waitFor();
        expect(await rules.visitor.accessibilityViolations()).toEqual([]);
        await rules.visitor.screenshot(`custom-rule-${size}-${theme}`);
        await rules.editor.focus();
        await page.keyboard.press('Control+A');
        await page.keyboard.type(
          '!isPublic(iam_policy) &&\nresource.data.labels["a"] == 2.5 || resource.data.',
        );
        await rules.editor.completions().getByText('iamConfiguration', { exact: true }).waitFor();
        expect(await rules.visitor.accessibilityViolations()).toEqual([]);
        await rules.visitor.screenshot(`custom-rule-completion-${size}-${theme}`);
        await page.keyboard.press('Escape');
        await page.keyboard.press('Control+Enter');
        await page.locator('.cm-faultText').waitFor();
        expect(await rules.visitor.accessibilityViolations()).toEqual([]);
        await rules.visitor.screenshot(`custom-rule-error-${size}-${theme}`);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        expect(wide).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0);
      }
    },
  );
});
