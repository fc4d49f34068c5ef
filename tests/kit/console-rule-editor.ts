import type { Locator } from 'playwright-core';
import { beforeEach } from 'vitest';
import { Analyst } from './analyst.ts';
import { type ConsoleFixture, consoleFixture } from './console-fixture.ts';
import type { ConsoleOptions, ConsoleVisitor } from './console-page.ts';
import { bucket, bucketPolicy, cluster } from './export-records.ts';
import type { TestTenant, TestUser } from './people.ts';

export const BUCKET_TYPE = 'storage.googleapis.com/Bucket';

/** A custom rule that finds buckets without uniform access. */
export const CUSTOM_RULE = {
  id: 'mine',
  title: 'Bucket is not uniform',
  severity: 'high',
  assetTypes: [BUCKET_TYPE],
  predicate: 'resource.data.iamConfiguration.uniformBucketLevelAccess.enabled == false',
};

/** The editor of custom rules on the page of a visitor. */
export class RuleEditor {
  readonly #visitor: ConsoleVisitor;

  constructor(visitor: ConsoleVisitor) {
    this.#visitor = visitor;
  }

  condition(): Locator {
    return this.#visitor.page.getByRole('textbox', { name: 'Condition' });
  }

  completions(): Locator {
    return this.#visitor.page.getByRole('listbox', { name: 'Completions' });
  }

  /** The lines of the condition. */
  written(): Promise<string[]> {
    return this.condition().locator('.cm-line').allInnerTexts();
  }

  /** Replaces the text as a person does: the editor gives up a selection that it did not make itself. */
  async write(text: string): Promise<void> {
    const { keyboard } = this.#visitor.page;
    await this.condition().press('ControlOrMeta+a');
    if (text === '') await keyboard.press('Delete');
    else await keyboard.insertText(text);
  }

  /** Fills in the fields that a new rule needs, except the condition. */
  async fillIn(title: string): Promise<void> {
    const { page } = this.#visitor;
    await page.getByLabel('Title').fill(title);
    await page.getByLabel('Asset types', { exact: true }).fill(BUCKET_TYPE);
    await page.keyboard.press('Enter');
    await page.getByText(BUCKET_TYPE, { exact: true }).waitFor();
  }

  /** Puts the cursor into the condition and waits for the fields that it completes. */
  async focus(): Promise<void> {
    const fields = this.#visitor.page.waitForResponse(/custom-rules\/fields/);
    await this.condition().click();
    await fields;
  }
}

/** A tenant with custom rules, and somebody who writes them. */
class CustomRuleFixture {
  readonly site: ConsoleFixture;
  tenant!: TestTenant;
  user!: TestUser;
  analyst!: Analyst;
  visitor!: ConsoleVisitor;
  editor!: RuleEditor;

  constructor(site: ConsoleFixture) {
    this.site = site;
  }

  async begin(): Promise<void> {
    const { people } = this.site.server;
    this.tenant = await people.tenant(['custom_rules']);
    this.user = await people.user({ tenant: this.tenant });
    this.analyst = new Analyst(this.site.server, this.user.key, this.tenant.id);
  }

  /** Signs in on the way to a path, by default as the administrator of the tenant. */
  async open(path: string, options: ConsoleOptions = {}, user = this.user): Promise<void> {
    this.visitor = await this.site.open(path, user, options);
    this.editor = new RuleEditor(this.visitor);
  }

  /** Creates `CUSTOM_RULE`, with changes. */
  plant(more: object = {}) {
    const body = { ...CUSTOM_RULE, ...more };
    return this.analyst.ask(201, '/custom-rules', { method: 'POST', body });
  }

  /** Creates a project in which the rule finds one asset, passes one and leaves one undecided. */
  inventory(): Promise<string> {
    return this.analyst.project([
      bucket('good'),
      bucket('bad', { uniform: false }),
      bucketPolicy('bare'),
      cluster('of-another-type'),
    ]);
  }
}

/** Registers the hooks of a file that tests custom rules: a new tenant for each test. */
export function customRuleFixture(): CustomRuleFixture {
  const fixture = new CustomRuleFixture(consoleFixture({ worker: true }));
  beforeEach(() => fixture.begin());
  return fixture;
}
