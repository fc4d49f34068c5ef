import type { Response } from 'express';

/** Nothing that we answer is meant to be rendered, framed or kept; `/docs` sets a policy of its own. */
const HEADERS: Record<string, string> = {
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
};

/** One year, as browsers ask for before they take a site into their lists. */
const HSTS = 'max-age=31536000; includeSubDomains';

export function setSecurityHeaders(res: Response, options: { production: boolean }): void {
  for (const name in HEADERS) res.setHeader(name, HEADERS[name] ?? '');
  if (options.production) res.setHeader('Strict-Transport-Security', HSTS);
}
