import type { Page, Request } from 'playwright-core';

export interface HeldRequest {
  /** The request, as soon as the page has sent it. */
  readonly sent: Promise<Request>;
  /** Lets it go on to the server, as well as later ones. */
  readonly release: () => void;
}

/** Holds what a page sends to a path of the API with POST. */
export async function holdPost(page: Page, path: string): Promise<HeldRequest> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(`**${path}`, async (route) => {
    if (route.request().method() === 'POST') await released;
    await route.continue();
  });
  const sent = page.waitForRequest(
    (request) => request.method() === 'POST' && request.url().endsWith(path),
  );
  return { sent, release };
}
