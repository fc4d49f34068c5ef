import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { buildConsole } from '../../scripts/build-console.mjs';
import { type BrowserOptions, launchBrowser } from './browser.ts';
import { type ConsoleOptions, ConsoleVisitor } from './console-page.ts';
import { TestMailServer } from './mail-server.ts';
import {
  BUILT_CONSOLE,
  startTestServer,
  type TestServer,
  type TestServerOptions,
} from './test-server.ts';

export interface ConsoleFixtureOptions extends TestServerOptions {
  /** Whether mails go to a mail server, which `mails` is. Needs a worker. */
  readonly mail?: boolean;
  readonly browser?: BrowserOptions;
}

/** The console for the tests of a file: a built console, a server, a browser, and visitors for each test. */
export interface ConsoleFixture {
  readonly browser: Browser;
  readonly server: TestServer;
  /** Present if the option `mail` is set. */
  readonly mails: TestMailServer;
  /** A person with a browser profile of their own. It is closed after the test. */
  visit(options?: ConsoleOptions): Promise<ConsoleVisitor>;
  /** The same, signed in with a password on the way to a path. */
  open(
    path: string,
    user: { readonly email: string; readonly password: string },
    options?: ConsoleOptions,
  ): Promise<ConsoleVisitor>;
}

/**
 * Registers the hooks of a file or a `describe` that tests the console. A test fails if the browser of one of its
 * visitors complained: about an error, a warning, or a violation of the policy.
 */
export function consoleFixture(options: ConsoleFixtureOptions = {}): ConsoleFixture {
  const visitors: ConsoleVisitor[] = [];
  let browser: Browser | undefined;
  let server: TestServer | undefined;
  let mails: TestMailServer | undefined;

  beforeAll(async () => {
    await buildConsole();
    mails = options.mail === true ? await TestMailServer.start() : undefined;
    const mail = mails === undefined ? {} : { mail: { url: mails.url, from: 'cspm@example.com' } };
    const config = { ...mail, ...options.config };
    [browser, server] = await Promise.all([
      launchBrowser(options.browser),
      startTestServer({ ...options, consoleFolder: BUILT_CONSOLE, config }),
    ]);
  });

  afterAll(async () => {
    await Promise.all([browser?.close(), server?.close()]);
    await mails?.stop();
  });

  afterEach(async () => {
    const complaints = visitors.flatMap((one) => one.complaints);
    await Promise.all(visitors.splice(0).map((one) => one.close()));
    expect(complaints).toEqual([]);
  });

  const started = <T>(part: T | undefined): T => {
    if (part === undefined) throw new Error('The fixture has not started this part');
    return part;
  };
  const visit = async (visitorOptions?: ConsoleOptions) => {
    const visitor = await ConsoleVisitor.open(started(browser), started(server), visitorOptions);
    visitors.push(visitor);
    return visitor;
  };
  return {
    get browser() {
      return started(browser);
    },
    get server() {
      return started(server);
    },
    get mails() {
      return started(mails);
    },
    visit,
    async open(path, { email, password }, visitorOptions) {
      const visitor = await visit(visitorOptions);
      await visitor.goto(path);
      await visitor.signIn(email, password);
      return visitor;
    },
  };
}
