import type { Origin } from '../../../platform/audit-writer.ts';
import { type ProblemError, validationFailed } from '../../../platform/problem.ts';
import type { WebAddress } from '../../../platform/web-address.ts';
import { SessionCookie } from './session-cookie.ts';
import { refreshRefused, type Sessions, type TokenPair } from './sessions.ts';

export interface SessionServices {
  readonly sessions: Sessions;
  readonly web: WebAddress;
}

/** What of a request says how its refresh token travels. */
interface Request {
  readonly cookieSession: boolean;
  readonly cookies: string | undefined;
  readonly origin: Origin;
  readonly services: SessionServices;
}

/** `Retry-After` for a page that lost the refresh race to another page of its browser. */
const RETRY_AFTER_SECONDS = '1';

/**
 * The answer to a sign-in. In a browser session the new token replaces the one in the cookie, whose session ends
 * (ASVS 5.0, 7.2.4).
 */
export async function signedIn(tokens: TokenPair, request: Request) {
  const answer = answerWith(tokens, request);
  if (request.cookieSession) await endSessionOf(request);
  return answer;
}

/** The answer with the new tokens of a session: the refresh token in the body or in the cookie, never in both. */
export function answerWith(tokens: TokenPair, { cookieSession, services }: Request) {
  if (!cookieSession) return { status: 200, body: tokens } as const;
  const setCookie = new SessionCookie(services.web.url).keep(tokens.refreshToken);
  const body = { ...tokens, refreshToken: '' };
  return { status: 200, body, headers: { 'Set-Cookie': setCookie } } as const;
}

/** The answer to a request that ended the session: without a body, and without the cookie from here on. */
export function signedOut({ cookieSession, services }: Request) {
  const answer = { status: 204, body: undefined } as const;
  if (!cookieSession) return answer;
  return { ...answer, headers: { 'Set-Cookie': new SessionCookie(services.web.url).clear } };
}

/**
 * Renews the session of the body's refresh token or of the cookie.
 * @throws {ProblemError} UNAUTHORIZED, with the cookie deleted unless another page of the browser has just renewed the
 * session; VALIDATION_FAILED for a token in the wrong place.
 */
export async function renewed(refreshToken: string | undefined, request: Request) {
  const { services, origin } = request;
  const token = tokenOf(refreshToken, request);
  const outcome = token === null ? 'refused' : await services.sessions.renew(token, origin);
  if (typeof outcome === 'object') return answerWith(outcome, request);
  if (!request.cookieSession) throw refreshRefused();
  // Deleting the cookie here would delete the one that the other page got.
  if (outcome === 'repeated') throw refreshRefused({ 'Retry-After': RETRY_AFTER_SECONDS });
  throw refreshRefused({ 'Set-Cookie': new SessionCookie(services.web.url).clear });
}

/**
 * Ends the session of the body's refresh token or of the cookie.
 * @throws {ProblemError} VALIDATION_FAILED for a token in the wrong place.
 */
export async function endSession(refreshToken: string | undefined, request: Request) {
  const token = tokenOf(refreshToken, request);
  if (token !== null) await request.services.sessions.end(token, request.origin);
  return signedOut(request);
}

/** Ends the session that the cookie names, if any. */
export async function endSessionOf({ cookies, services, origin }: Request): Promise<void> {
  const token = new SessionCookie(services.web.url).tokenIn(cookies);
  if (token !== null) await services.sessions.end(token, origin);
}

/** The cookie is read only where the header asks for it. */
function tokenOf(inBody: string | undefined, request: Request): string | null {
  if (!request.cookieSession) {
    if (inBody !== undefined) return inBody;
    throw wrongPlace('is required without X-Session-Transport');
  }
  if (inBody !== undefined) throw wrongPlace('must not be sent with X-Session-Transport');
  return new SessionCookie(request.services.web.url).tokenIn(request.cookies);
}

function wrongPlace(message: string): ProblemError {
  return validationFailed([{ path: 'body.refreshToken', message }]);
}
