import type { IncomingHttpHeaders } from 'node:http';
import { ProblemError, validationFailed } from '../platform/problem.ts';

/**
 * Whether a request keeps its refresh token in the session cookie (`X-Session-Transport: cookie`). Only a page of this
 * service may ask for that. A page of another site cannot make a browser send the header, because it needs a preflight
 * that we refuse; the check below holds even if that fails. It covers requests that would use somebody's cookie (CSRF)
 * and requests that would set one (login CSRF).
 * @param webUrl where people reach the service.
 * @throws {ProblemError} VALIDATION_FAILED for another value, CROSS_SITE_REQUEST for a request of another origin.
 */
export function usesSessionCookie(headers: IncomingHttpHeaders, webUrl: string): boolean {
  const transport = headers['x-session-transport'];
  if (transport === undefined) return false;
  if (transport !== 'cookie') {
    throw validationFailed([{ path: 'headers.x-session-transport', message: 'must be "cookie"' }]);
  }
  if (isFromOwnPage(headers, webUrl)) return true;
  throw new ProblemError(
    'CROSS_SITE_REQUEST',
    'X-Session-Transport is only for pages of this service. Leave it out to get the refresh token in the body.',
  );
}

/**
 * Browsers write both headers themselves, and pages cannot change them (Fetch standard, forbidden request headers).
 * `Sec-Fetch-Site` decides where it is sent. Browsers omit it on plain http to another host than the machine itself.
 */
function isFromOwnPage(headers: IncomingHttpHeaders, webUrl: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  return headers.origin === new URL(webUrl).origin;
}
