import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** Debian's Chromium; tests do not download a browser. */
const CHROMIUM = '/usr/bin/chromium';

/** Why tests in a browser are skipped; null: a browser is installed. */
export const noBrowser: string | null = existsSync(CHROMIUM)
  ? null
  : `there is no Chromium at ${CHROMIUM}`;

/** A real headless browser, without background requests. */
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
