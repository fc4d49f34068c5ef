import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** Debian's Chromium; tests do not download a browser. */
const CHROMIUM = '/usr/bin/chromium';
/** The same engine without windows, whose menus and toolbars are pages too: tests take a third less processor time. */
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell';

/** Why tests in a browser are skipped; null: a browser is installed. */
export const noBrowser: string | null = existsSync(CHROMIUM)
  ? null
  : `there is no Chromium at ${CHROMIUM}`;

export interface BrowserOptions {
  /** Whether to use the Chromium that people use, although the quicker headless shell is installed. Default: no. */
  readonly isComplete?: boolean;
  /** The time zone of the system, as in the variable TZ. Default: that of the machine. */
  readonly timeZone?: string;
}

/** A real headless browser, without background requests. */
export function launchBrowser(options: BrowserOptions = {}): Promise<Browser> {
  const { isComplete = false, timeZone } = options;
  return chromium.launch({
    ...(timeZone === undefined ? {} : { env: { ...process.env, TZ: timeZone } }),
    executablePath: !isComplete && existsSync(HEADLESS_SHELL) ? HEADLESS_SHELL : CHROMIUM,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
  });
}
