import type { Page, Request } from 'playwright-core';

export interface HeldRequest {
  /** The request, as soon as the page has sent it. */
  readonly sent: Promise<Request>;
  /** Lets it go on to the server, as well as later ones. */
  readonly release: () => void;
}

/** Holds what a page sends to a path of the API with POST. */
export function holdPost(page: Page, path: string): Promise<HeldRequest> {
  return hold(page, 'POST', path);
}

/** The same with DELETE. */
export function holdDelete(page: Page, path: string): Promise<HeldRequest> {
  return hold(page, 'DELETE', path);
}

async function hold(page: Page, method: string, path: string): Promise<HeldRequest> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const isOfPath = (url: URL) => decodeURIComponent(url.pathname + url.search).endsWith(path);
  await page.route(isOfPath, async (route) => {
    if (route.request().method() === method) await released;
    await route.continue();
  });
  const sent = page.waitForRequest(
    (request) => request.method() === method && isOfPath(new URL(request.url())),
  );
  return { sent, release };
}
