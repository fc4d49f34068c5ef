import type { IncomingHttpHeaders } from 'node:http';
import type { Request } from 'express';

const HTML = 'text/html';
const JSON_TYPES = ['application/json', 'application/problem+json'];

/**
 * Whether a page in a browser sent the request. Browsers put one of these headers on every POST, and pages cannot remove
 * them (Fetch standard, forbidden request headers).
 */
export function isFromBrowser(headers: IncomingHttpHeaders): boolean {
  return headers.origin !== undefined || headers['sec-fetch-site'] !== undefined;
}

/** Whether the `Accept` header names HTML and ranks it above JSON. A client that accepts anything gets no HTML. */
export function prefersHtml(request: Pick<Request, 'headers' | 'accepts'>): boolean {
  const names = request.headers.accept?.toLowerCase().includes(HTML) ?? false;
  return names && request.accepts([HTML, ...JSON_TYPES]) === HTML;
}
