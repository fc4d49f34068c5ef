import { describe, expect, it } from 'vitest';
import { noBrowser } from '../kit/browser.ts';
import { BUCKET_TYPE, CUSTOM_RULE, customRuleFixture } from '../kit/console-rule-editor.ts';

describe.skipIf(noBrowser !== null)('custom rules in the console', () => {
  const rules = customRuleFixture();

  const testRequests = () =>
    rules.visitor.takeRequests().filter((one) => one === 'POST /custom-rules/test');

  it('the console completes a custom rule, shows its error in place, tries it out, saves it and shows its violation', async () => {
    const project = await rules.inventory();
    await rules.open('/custom-rules');
    const { page } = rules.visitor;
    await page.getByRole('link', { name: 'Create rule' }).first().click();
    await rules.editor.fillIn(CUSTOM_RULE.title);
    await rules.editor.focus();
    await page.keyboard.type('true &&\nresourc.data.x');
    rules.visitor.takeRequests();
    await page.keyboard.press('Control+Enter');
    await page.locator('.cm-faultText').getByText('unknown variable resourc').waitFor();
    expect(await page.locator('.cm-fault').innerText()).toBe('resourc');
    await page.getByRole('alert').filter({ hasText: 'Condition, line 2, column 1' }).waitFor();
    expect(testRequests()).toHaveLength(1);

    await page.keyboard.press('Control+A');
    await page.keyboard.type('reso');
    await rules.editor.completions().getByText('resource', { exact: true }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.type('.');
    await rules.editor.completions().getByText('data', { exact: true }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.type('.iamC');
    await rules.editor.completions().getByText('iamConfiguration', { exact: true }).waitFor();
    await rules.editor.completions().getByText('object · 2 of 3').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.type('.uni');
    await rules.editor
      .completions()
      .getByText('uniformBucketLevelAccess', { exact: true })
      .waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.type('.enabled == false');
    await expect.poll(() => rules.editor.written()).toEqual([CUSTOM_RULE.predicate]);
    await expect.poll(() => page.locator('.cm-faultText').count()).toBe(0);

    await page.getByRole('button', { name: /^Run/ }).click();
    await page.getByRole('button', { name: 'Violations 1' }).waitFor();
    await page.getByRole('list', { name: 'Violations' }).getByText('bad').waitFor();
    await page.getByRole('button', { name: 'Undecided 1' }).click();
    await page.getByRole('list', { name: 'Undecided' }).getByText('RESOURCE').waitFor();
    await page.getByRole('button', { name: 'Passed 1' }).click();
    await page.getByRole('list', { name: 'Passed' }).getByText('good').waitFor();
    await page.getByText(`3 assets of ${project} evaluated`).waitFor();

    await page.getByRole('button', { name: 'Create rule' }).click();
    await page.getByRole('heading', { name: CUSTOM_RULE.title, level: 1 }).waitFor();
    const scan = await rules.analyst.scan(project);
    expect(scan.status).toBe('completed');
    await page.getByRole('link', { name: 'Open findings' }).click();
    await page.getByText('bad', { exact: true }).filter({ visible: true }).first().waitFor();
    expect(await rules.analyst.findings('rule=bucket-is-not-uniform')).toHaveLength(1);
  });

  it('the console changes, disables and deletes a custom rule', async () => {
    await rules.plant();
    await rules.open('/custom-rules');
    const { page } = rules.visitor;
    await page.getByRole('link', { name: CUSTOM_RULE.title }).click();
    await page.getByLabel('Title').fill('Renamed');
    await page.getByRole('checkbox', { name: /Enabled/ }).uncheck();
    await page.getByText('Unsaved changes').waitFor();
    await page.getByRole('button', { name: 'Save rule' }).click();
    await page.getByRole('heading', { name: 'Renamed', level: 1 }).waitFor();
    await page.getByText('Unsaved changes').waitFor({ state: 'detached' });
    const saved = async () => (await rules.analyst.ask(200, '/custom-rules')).items;
    expect(await saved()).toMatchObject([{ ...CUSTOM_RULE, title: 'Renamed', enabled: false }]);

    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete rule' }).click();
    await page.getByText('There are no custom rules yet').waitFor();
    expect(await saved()).toEqual([]);
  });

  it('the console runs the tests of a custom rule, shows those that differ, and refuses to save them', async () => {
    await rules.open('/custom-rules/_new');
    const { page } = rules.visitor;
    await rules.editor.fillIn('Bucket without an owner');
    await rules.editor.condition().click();
    await page.keyboard.type('!has(resource.data.labels');
    await page.getByRole('button', { name: 'Add a test' }).click();
    const test = page.getByRole('group', { name: /Test 1/ });
    await test.getByLabel('Asset').fill('{ "name": ');
    await page.getByRole('button', { name: 'Create rule' }).click();
    await test.getByText(/The asset is not valid JSON/).waitFor();
    const asset = { name: 'b', asset_type: BUCKET_TYPE, resource: { data: { labels: {} } } };
    await test.getByLabel('Asset').fill(JSON.stringify(asset));
    await page.getByRole('button', { name: 'Create rule' }).click();
    await test.getByText('the rule returns pass; expected fail').waitFor();
    await page.getByRole('button', { name: /^Run/ }).click();
    await test.getByText('Returned pass').waitFor();
    await page.getByText('1 of 1 test failed').waitFor();

    await test.getByRole('combobox', { name: 'Expected verdict' }).click();
    await page.getByRole('option', { name: /^pass/ }).click();
    await page.getByRole('button', { name: /^Run/ }).click();
    await page.getByText('1 test passed').waitFor();
    await page.getByRole('button', { name: 'Create rule' }).click();
    await page.getByRole('heading', { name: 'Bucket without an owner', level: 1 }).waitFor();
    expect((await rules.analyst.ask(200, '/custom-rules')).items[0].tests).toEqual([
      { asset, verdict: 'pass' },
    ]);
  });

  it('the console does not overwrite a custom rule that was changed meanwhile without asking', async () => {
    await rules.plant();
    await rules.open('/custom-rules/mine');
    const { page } = rules.visitor;
    await page.getByLabel('Title').fill('Mine');
    const saved = async () => (await rules.analyst.ask(200, '/custom-rules')).items[0];
    const change = (title: string) => {
      const { id: _, ...body } = { ...CUSTOM_RULE, title };
      return rules.analyst.ask(200, '/custom-rules/mine', { method: 'PUT', body });
    };
    await change('Theirs');
    const save = page.getByRole('button', { name: 'Save rule' });
    await save.click();
    const dialog = page.getByRole('dialog', { name: 'The rule was changed meanwhile' });
    await dialog.getByRole('button', { name: 'Keep editing' }).click();
    await page.getByText('Version 2 of this rule was saved meanwhile').waitFor();
    expect(await page.getByLabel('Title').inputValue()).toBe('Mine');
    expect(await saved()).toMatchObject({ title: 'Theirs', version: 2 });
    await save.click();
    await dialog.waitFor();
    expect(await rules.visitor.accessibilityViolations()).toEqual([]);
    await dialog.getByRole('button', { name: 'Overwrite version 2' }).click();
    await page.getByRole('heading', { name: 'Mine', level: 1 }).waitFor();
    expect(await saved()).toMatchObject({ title: 'Mine', version: 3 });
    await page.getByLabel('Title').fill('Mine again');
    await save.click();
    await page.getByRole('heading', { name: 'Mine again', level: 1 }).waitFor();
    expect(await saved()).toMatchObject({ version: 4 });
  });

  it('the form of a custom rule that somebody else has deleted says so, keeps the text and creates the rule again', async () => {
    await rules.plant();
    await rules.open('/custom-rules/mine');
    const { page } = rules.visitor;
    await page.getByLabel('Title').fill('Mine');
    await rules.analyst.ask(204, '/custom-rules/mine', { method: 'DELETE' });
    await page.getByRole('button', { name: 'Save rule' }).click();
    const question = page.getByRole('dialog', { name: 'The rule was deleted meanwhile' });
    await question.waitFor();
    expect(await rules.visitor.accessibilityViolations()).toEqual([]);
    await question.getByRole('button', { name: 'Keep editing' }).click();
    await page.getByText('This rule was deleted meanwhile.').waitFor();
    expect(await page.getByLabel('Title').inputValue()).toBe('Mine');
    await page.getByRole('button', { name: 'Save rule' }).click();
    await question.getByRole('button', { name: 'Create it again' }).click();
    await page.getByRole('heading', { name: 'Mine', level: 1 }).waitFor();
    const stored = async () => (await rules.analyst.ask(200, '/custom-rules')).items;
    expect(await stored()).toMatchObject([{ id: 'mine', title: 'Mine' }]);
    await page.getByLabel('Title').fill('Mine again');
    await page.getByRole('button', { name: 'Save rule' }).click();
    await page.getByRole('heading', { name: 'Mine again', level: 1 }).waitFor();
    expect(await stored()).toMatchObject([{ id: 'mine', title: 'Mine again' }]);
  });

  it('the console asks before unsaved changes of a custom rule are lost', async () => {
    await rules.plant();
    await rules.open('/custom-rules');
    const { page } = rules.visitor;
    await page.getByRole('link', { name: CUSTOM_RULE.title }).click();
    await page.getByLabel('Title').fill('Changed');
    await page.getByRole('link', { name: 'All custom rules' }).click();
    const dialog = page.getByRole('dialog', { name: 'Leave without saving?' });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => page.getByLabel('Title').inputValue()).toBe('Changed');
    await page.evaluate(() => history.back());
    await dialog.getByRole('button', { name: 'Discard changes' }).click();
    await page.getByLabel('Title').waitFor({ state: 'detached' });
    expect((await rules.analyst.ask(200, '/custom-rules')).items).toMatchObject([CUSTOM_RULE]);
  });
});
