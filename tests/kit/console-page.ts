import { mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Browser, BrowserContext, Cookie, Page, Request } from 'playwright-core';
import { freshAddress, type TestServer } from './test-server.ts';
import { until } from './until.ts';

export type ConsoleTheme = 'light' | 'dark';

/** A desktop, and a phone in portrait. */
export const SIZES = {
  desktop: { width: 1440, height: 900 },
  phone: { width: 390, height: 844 },
} as const;

/** How long a page may take to show something on a busy machine. */
const SHOWN_WITHIN_MS = 120_000;

/** A folder for screenshots; left out: none are taken. */
const SCREENSHOTS = process.env['CONSOLE_SCREENSHOTS'];

export interface ConsoleOptions {
  readonly size?: keyof typeof SIZES;
  readonly theme?: ConsoleTheme;
  /** The address that rate limits count. Default: a new one, so that one visitor does not hold another back. */
  readonly address?: string;
  /** The cookies of another visitor's browser. */
  readonly cookies?: readonly Cookie[];
  readonly reducedMotion?: boolean;
  /** Such as `America/Los_Angeles`. Default: that of the machine. */
  readonly timeZone?: string;
}

/** A person in front of the console, in a browser profile of their own. */
export class ConsoleVisitor {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly #server: TestServer;
  readonly #complaints: string[] = [];
  #requests: string[] = [];
  readonly #unanswered = new Set<Request>();
  #sent = 0;

  private constructor(page: Page, context: BrowserContext, server: TestServer) {
    this.page = page;
    this.context = context;
    this.#server = server;
    context.setDefaultTimeout(SHOWN_WITHIN_MS);
    page.on('console', (message) => {
      // The browser logs every refused request, which a page cannot prevent; what the page does with it is tested.
      const isRefusal = /^Failed to load resource/.test(message.text());
      if (['error', 'warning'].includes(message.type()) && !isRefusal) {
        this.#complaints.push(message.text());
      }
    });
    page.on('pageerror', (error) => this.#complaints.push(String(error)));
    page.on('requestfinished', (request) => this.#unanswered.delete(request));
    page.on('requestfailed', (request) => this.#unanswered.delete(request));
    page.on('request', (request) => {
      this.#unanswered.add(request);
      this.#sent += 1;
      const { pathname, search } = new URL(request.url());
      if (!pathname.startsWith('/console/')) {
        this.#requests.push(`${request.method()} ${pathname}${search}`);
      }
    });
  }

  static async open(
    browser: Browser,
    server: TestServer,
    options: ConsoleOptions = {},
  ): Promise<ConsoleVisitor> {
    const { size = 'desktop', theme = 'light', address = freshAddress() } = options;
    const context = await browser.newContext({
      viewport: SIZES[size],
      colorScheme: theme,
      ...(options.timeZone === undefined ? {} : { timezoneId: options.timeZone }),
      extraHTTPHeaders: { 'x-forwarded-for': address },
      reducedMotion: options.reducedMotion === true ? 'reduce' : 'no-preference',
    });
    if (options.cookies !== undefined) await context.addCookies([...options.cookies]);
    return new ConsoleVisitor(await context.newPage(), context, server);
  }

  /** Another tab of the same browser. Closing the visitor closes it too. */
  async tab(): Promise<ConsoleVisitor> {
    return new ConsoleVisitor(await this.context.newPage(), this.context, this.#server);
  }

  /** Opens a path of the console, such as `/findings`. */
  async goto(path: string): Promise<void> {
    await this.page.goto(`${this.#server.url}/console${path}`);
  }

  /** Moves to a path of the console without loading the page again, as a link does. */
  async move(path: string): Promise<void> {
    await this.page.evaluate((to) => history.pushState({}, '', to), `/console${path}`);
  }

  /** Leaves the tab for another one and comes back. */
  async returnToTab(): Promise<void> {
    const show = (state: string) =>
      this.page.evaluate((value) => {
        Object.defineProperty(document, 'visibilityState', { configurable: true, value });
        document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
      }, state);
    await show('hidden');
    await show('visible');
  }

  /** Signs in on the page that is shown. */
  async signIn(email: string, password: string): Promise<void> {
    await this.page.getByLabel('E-mail', { exact: true }).fill(email);
    await this.page.getByLabel('Password').fill(password);
    await this.page.getByRole('button', { name: 'Sign in', exact: true }).click();
  }

  /** What the browser complained about: console errors and warnings, uncaught errors, violations of the policy. */
  get complaints(): readonly string[] {
    return this.#complaints;
  }

  /** The requests to the API since the last call, without the one of the sign-in page on the way to a screen. */
  takeRequests(): string[] {
    const taken = this.#requests;
    this.#requests = [];
    return taken.filter((one) => one !== 'GET /auth/methods');
  }

  /**
   * Waits until every request has been answered and drawing the answers sent no other one. What causes the first
   * request must be visible before, such as a changed address: a page that has not sent it yet is quiet too.
   */
  async quiet(): Promise<void> {
    let before: number;
    do {
      before = this.#sent;
      await until('an answer to every request', async () => this.#unanswered.size === 0);
      await this.page.evaluate(
        () => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn))),
      );
    } while (this.#sent !== before);
  }

  /** The violations that axe-core finds on the page, each with an element. */
  async accessibilityViolations(): Promise<string[]> {
    await this.page.evaluate(await axeSource());
    await this.#still();
    return this.page.evaluate(async () => {
      const { axe } = globalThis as unknown as { axe: Axe };
      const { violations } = await axe.run(document, {
        runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
        // Experimental, so the tags alone leave it out.
        rules: { 'label-content-name-mismatch': { enabled: true } },
        // Otherwise axe also describes each element that passes.
        resultTypes: ['violations'],
      });
      return violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
      );
    });
  }

  /** Takes a screenshot for people to look at, if a folder is set. */
  async screenshot(name: string): Promise<void> {
    if (SCREENSHOTS === undefined) return;
    await mkdir(SCREENSHOTS, { recursive: true });
    await this.#still();
    await this.page.screenshot({ path: join(SCREENSHOTS, `${name}.png`) });
  }

  /** Waits for the end of transitions, which change colours and places. Animations without an end are ignored. */
  async #still(): Promise<void> {
    await this.page.evaluate(() =>
      Promise.all(
        document
          .getAnimations()
          .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
          .map((one) => one.finished.catch(() => undefined)),
      ),
    );
  }

  close(): Promise<void> {
    return this.context.close();
  }
}

interface Axe {
  run(
    root: Document,
    options: {
      runOnly: string[];
      rules: Record<string, { enabled: boolean }>;
      resultTypes: 'violations'[];
    },
  ): Promise<{
    violations: { id: string; nodes: { html: string; failureSummary: string }[] }[];
  }>;
}

let source: Promise<string> | undefined;

/** Run in the page by the test: the policy of the page would refuse it as a script. */
function axeSource(): Promise<string> {
  source ??= readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  return source;
}
