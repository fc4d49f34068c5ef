import { VERSION } from './version.gen.ts';

/** What the client says of itself. Browsers set `User-Agent` themselves, so there the version has a header of its own. */
export function sdkHeader(): Record<string, string> {
  // Node has a navigator from version 21 on.
  const runtime = (globalThis as Partial<typeof globalThis>).navigator?.userAgent ?? 'Node.js';
  return /^Mozilla/.test(runtime)
    ? { 'x-sdk-version': VERSION }
    : { 'user-agent': `cspm-sdk/${VERSION} (${runtime})` };
}
