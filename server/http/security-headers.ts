import type { Response } from 'express';

/** Responses must not be rendered, framed or cached; `/docs` sets its own policy. */
const HEADERS: Record<string, string> = {
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
};

/** One year, the minimum that browsers' HSTS preload lists require. */
const HSTS = 'max-age=31536000; includeSubDomains';

export function setSecurityHeaders(res: Response, options: { production: boolean }): void {
  for (const name in HEADERS) res.setHeader(name, HEADERS[name] ?? '');
  if (options.production) res.setHeader('Strict-Transport-Security', HSTS);
}
