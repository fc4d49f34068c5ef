import { describe, expect, it } from 'vitest';
import { noBrowser } from '../kit/browser.ts';
import { BUCKET_TYPE, customRuleFixture } from '../kit/console-rule-editor.ts';

const HOSTILE = '"><img src=x onerror=alert(1)><style>*{display:none}</style>';

describe.skipIf(noBrowser !== null)('the editor of custom rules in the console', () => {
  const rules = customRuleFixture();

  const testRequests = () =>
    rules.visitor.takeRequests().filter((one) => one === 'POST /custom-rules/test');

  it('a custom rule can be written, repaired and saved with the keyboard alone', async () => {
    await rules.inventory();
    await rules.open('/custom-rules/_new');
    const { page } = rules.visitor;
    const focused = () =>
      page.evaluate(() => {
        const outer = document.activeElement;
        const inner = outer?.shadowRoot?.activeElement ?? outer;
        return inner?.getAttribute('aria-label') ?? inner?.textContent ?? '';
      });
    await page.getByLabel('Title').focus();
    await page.keyboard.type('Typed');
    for (const _ of ['severity', 'id', 'types']) await page.keyboard.press('Tab');
    await page.keyboard.type(BUCKET_TYPE);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: `Remove ${BUCKET_TYPE}` }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await expect.poll(focused).toBe('Condition');
    // The keys of shortcuts, such as ? and g s, are text here.
    await page.keyboard.type('g s? ');
    await page.keyboard.press('Tab');
    await expect.poll(focused).toBe('Condition');
    await page.keyboard.press('Control+A');
    await page.keyboard.type('tru');
    await page.keyboard.press('Escape');
    await page.keyboard.type('e');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
    await expect.poll(focused).toBe('Add a test');
    await page.keyboard.press('Shift+Tab');
    await expect.poll(focused).toBe('Condition');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('button', { name: 'Violations 3' }).waitFor();
    await expect.poll(() => rules.editor.written()).toEqual(['true']);
    await page.getByRole('button', { name: 'Create rule' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Typed', level: 1 }).waitFor();
  });

  it('the bar of the form does not cover the field that has the focus at 200 % zoom', async () => {
    await rules.inventory();
    await rules.open('/custom-rules/_new');
    const { page } = rules.visitor;
    await page.setViewportSize({ width: 720, height: 450 });
    const bottom = () =>
      page.evaluate(() => {
        const outer = document.activeElement;
        const inner = outer?.shadowRoot?.querySelector('.cm-cursor, .cm-line') ?? outer;
        return inner?.getBoundingClientRect().bottom ?? 0;
      });
    const bar = page.getByRole('button', { name: 'Create rule' });
    const top = async () => (await bar.boundingBox())?.y ?? 0;
    await page.getByLabel('Title').focus();
    for (const _ of ['severity', 'id', 'types', 'description', 'condition']) {
      expect(await bottom()).toBeLessThan(await top());
      await page.keyboard.press('Tab');
    }
    await rules.editor.condition().focus();
    for (const line of ['a ||', 'b ||', 'c ||', 'd ||', 'e']) {
      await page.keyboard.type(line);
      await page.keyboard.press('Escape');
      await page.keyboard.press('Enter');
    }
    expect(await bottom()).toBeLessThan(await top());
  });

  it('the editor of custom rules obeys the content security policy when text is replaced, pasted or completed and the theme changes', async () => {
    const project = await rules.inventory();
    await rules.plant();
    await rules.open('/custom-rules/mine');
    const { page } = rules.visitor;
    await page.evaluate(() => {
      const seen: string[] = [];
      Object.assign(globalThis, { violations: seen });
      document.addEventListener('securitypolicyviolation', ({ violatedDirective, sourceFile }) =>
        seen.push(`${violatedDirective} ${sourceFile}`),
      );
    });
    await rules.editor.condition().waitFor();
    await rules.editor.write('"one" ==\n"two"');
    await expect.poll(() => rules.editor.written()).toEqual(['"one" ==', '"two"']);
    await page.keyboard.press('Control+A');
    await page.keyboard.press('Control+X');
    await page.keyboard.press('Control+V');
    await expect.poll(() => rules.editor.written()).toEqual(['"one" ==', '"two"']);
    await rules.editor.condition().evaluate((element, html) => {
      const data = new DataTransfer();
      data.setData('text/html', `<p style="color:red">${html}</p>`);
      data.setData('text/plain', 'pasted');
      element.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
      );
    }, HOSTILE);
    await expect.poll(async () => (await rules.editor.written()).join('')).toContain('pasted');
    await rules.editor.write('');
    await page.keyboard.type('reso');
    await rules.editor.completions().waitFor();
    await page.keyboard.press('Escape');
    await rules.editor.completions().waitFor({ state: 'detached' });
    await page.getByRole('combobox', { name: 'Inventory of' }).getByText(project).waitFor();
    await page.keyboard.press('Control+Enter');
    await page.locator('.cm-faultText').waitFor();
    await page.getByRole('button', { name: /theme/i }).first().click();
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.keyboard.press('Escape');
    const violations = await page.evaluate(
      () => (globalThis as unknown as { violations: string[] }).violations,
    );
    expect(violations).toEqual([]);
  });

  it('the editor of custom rules shows hostile text as text in every field', async () => {
    await rules.inventory();
    const asset = { name: HOSTILE, asset_type: HOSTILE, resource: { data: { [HOSTILE]: 1 } } };
    await rules.plant({
      title: HOSTILE,
      description: HOSTILE,
      recommendation: HOSTILE,
      assetTypes: [HOSTILE],
      predicate: `"${HOSTILE.replaceAll('"', "'")}" == ""`,
      tests: [{ asset, verdict: 'pass' }],
    });
    await rules.open('/custom-rules');
    const { page } = rules.visitor;
    await page.getByRole('link', { name: HOSTILE }).click();
    await page.getByRole('heading', { name: HOSTILE, level: 1 }).waitFor();
    await rules.editor.write(`${HOSTILE.slice(1)}`);
    await page.getByRole('button', { name: /^Run/ }).click();
    await page.locator('.cm-faultText').waitFor();
    await rules.editor.write('resource.');
    await rules.editor.completions().getByText(HOSTILE, { exact: true }).waitFor();
    await expect.poll(() => page.locator('img[src=x], main style').count()).toBe(0);
  });

  it('the editor of custom rules cancels a trial, and sends one request for two clicks', async () => {
    await rules.inventory();
    await rules.plant();
    await rules.open('/custom-rules/mine');
    const { page } = rules.visitor;
    await page.getByRole('button', { name: /^Run/ }).waitFor();
    await rules.editor.condition().click();
    rules.visitor.takeRequests();
    await page.keyboard.press('Control+Enter');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('button', { name: 'Violations 1' }).waitFor();
    expect(testRequests()).toHaveLength(1);

    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/custom-rules/test', async (route) => {
      await held;
      await route.abort().catch(() => undefined);
    });
    await page.keyboard.press('Control+Enter');
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('button', { name: /^Run/ }).waitFor();
    release();
  });

  it('the editor of custom rules shows a spent rate limit and a lost connection next to the trial', async () => {
    await rules.plant();
    await rules.open('/custom-rules/mine');
    const { page } = rules.visitor;
    const run = page.getByRole('button', { name: /^Run/ });
    await run.waitFor();
    await page.route('**/custom-rules/test', (route) => route.abort('connectionrefused'));
    await run.click();
    await page.getByText('The server cannot be reached.').first().waitFor();
    await page.unroute('**/custom-rules/test');
    await page.route('**/custom-rules/test', (route) =>
      route.fulfill({
        status: 429,
        headers: { 'content-type': 'application/problem+json', 'retry-after': '30' },
        body: JSON.stringify({ status: 429, code: 'RATE_LIMITED', title: 'Too many requests' }),
      }),
    );
    await run.click();
    await page.getByText('Too many requests. Try again in 30 s.').waitFor();
  });
});
