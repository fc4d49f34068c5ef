import type { Page } from 'playwright-core';

export interface LostAnswers {
  /** The Idempotency-Key of each request, the later ones included. */
  readonly keys: string[];
  /** Lets answers arrive from now on. */
  readonly end: () => void;
}

/** Lets the server answer what a page sends to a path of the API with POST, and loses the answers on the way. */
export async function loseAnswers(page: Page, path: string): Promise<LostAnswers> {
  const keys: string[] = [];
  let isLost = true;
  await page.route(
    (url) => decodeURIComponent(url.pathname) === path,
    async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      keys.push((await route.request().headerValue('idempotency-key')) ?? '');
      if (!isLost) return route.continue();
      await route.fetch();
      await route.abort();
    },
  );
  return {
    keys,
    end: () => {
      isLost = false;
    },
  };
}
