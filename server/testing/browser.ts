import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** Debian's; a browser is not something that a test fetches. */
const CHROMIUM = '/usr/bin/chromium';

/** Why tests in a browser are skipped; null: there is one. */
export const noBrowser: string | null = existsSync(CHROMIUM)
  ? null
  : `there is no Chromium at ${CHROMIUM}`;

/** A real browser without a window, which talks to nobody by itself. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: CHROMIUM,
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
