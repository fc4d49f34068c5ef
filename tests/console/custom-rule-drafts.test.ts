import { beforeEach, describe, expect, it } from 'vitest';
import { noBrowser } from '../kit/browser.ts';
import { CUSTOM_RULE, customRuleFixture } from '../kit/console-rule-editor.ts';

const CHANGED = 'Changed and not saved';

describe.skipIf(noBrowser !== null)('the draft of a custom rule in the console', () => {
  const rules = customRuleFixture();

  beforeEach(async () => {
    await rules.plant();
    await rules.open('/custom-rules/mine');
    await rules.visitor.page.getByLabel('Title').fill(CHANGED);
    await rules.visitor.page.getByText('Unsaved changes').first().waitFor();
  });

  const title = () => rules.visitor.page.getByLabel('Title');
  const offer = () => rules.visitor.page.getByRole('region', { name: 'Unsaved changes' });
  const stored = () => rules.visitor.page.evaluate(() => Object.keys(sessionStorage));
  const drafts = async () => (await stored()).filter((key) => key.startsWith('cspm-draft'));

  async function loseSession(): Promise<void> {
    await rules.site.server.database.owner.query(
      'UPDATE identity.sessions SET revoked_at = now() WHERE user_id = $1',
      [rules.user.id],
    );
    await rules.visitor.returnToTab();
    await rules.visitor.page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
  }

  it('the draft of a custom rule is offered after the session has ended and the person has signed in again', async () => {
    const { page } = rules.visitor;
    await rules.editor.write('true');
    await page.getByRole('button', { name: 'Add a test' }).click();
    await page
      .getByRole('group', { name: /Test 1/ })
      .getByLabel('Asset')
      .fill('{"name": "mine"');
    await loseSession();
    await rules.visitor.signIn(rules.user.email, rules.user.password);
    await offer().waitFor();
    await expect.poll(() => title().inputValue()).toBe(CUSTOM_RULE.title);
    expect(await rules.visitor.accessibilityViolations()).toEqual([]);
    await rules.visitor.screenshot('custom-rule-draft');
    await page.getByRole('button', { name: 'Restore draft' }).click();
    await expect.poll(() => title().inputValue()).toBe(CHANGED);
    await expect.poll(() => rules.editor.written()).toEqual(['true']);
    const asset = page.getByRole('group', { name: /Test 1/ }).getByLabel('Asset');
    expect(await asset.inputValue()).toBe('{"name": "mine"');
    await page
      .getByRole('button', { name: /^Remove/ })
      .last()
      .click();
    await page.getByRole('button', { name: 'Save rule' }).click();
    await page.getByRole('heading', { name: CHANGED, level: 1 }).waitFor();
    await expect.poll(drafts).toEqual([]);
  });

  it('the draft of a custom rule is deleted when it is discarded, and when the person leaves without saving', async () => {
    const { page } = rules.visitor;
    page.on('dialog', (dialog) => void dialog.accept());
    await page.reload();
    await page.getByRole('button', { name: 'Discard draft' }).click();
    await offer().waitFor({ state: 'detached' });
    await expect.poll(drafts).toEqual([]);
    await title().fill(CHANGED);
    await page.getByRole('link', { name: 'All custom rules' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Discard changes' }).click();
    await page.getByRole('link', { name: CUSTOM_RULE.title }).click();
    await title().waitFor();
    await expect.poll(() => offer().count()).toBe(0);
    expect(await drafts()).toEqual([]);
  });

  it('the draft of a custom rule is deleted when the person signs out', async () => {
    expect(await drafts()).toHaveLength(1);
    const { page } = rules.visitor;
    await page.getByRole('button', { name: /Account of/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await question.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
    expect(await drafts()).toEqual([]);
  });

  it('the draft of a custom rule is not shown to another person who signs in after the session has ended', async () => {
    const other = await rules.site.server.people.user({ tenant: rules.tenant });
    await loseSession();
    await rules.visitor.signIn(other.email, other.password);
    await expect.poll(() => title().inputValue()).toBe(CUSTOM_RULE.title);
    await expect.poll(drafts).toEqual([]);
    expect(await offer().count()).toBe(0);
  });
});
