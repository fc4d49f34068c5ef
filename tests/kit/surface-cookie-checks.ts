import { by, type Check, expectation, wellFormed } from './surface-checks.ts';
import type { Reply } from './test-server.ts';

const COOKIE = '__Host-cspm_session';
const TRANSPORT = { 'x-session-transport': 'cookie' };
/** What browsers send with a request of a page of the service itself. */
const OWN_PAGE = { 'sec-fetch-site': 'same-origin' };

/** What others than a page of the service send with a request. */
const OTHERS: readonly (readonly [string, Record<string, string>])[] = [
  ['by another site', { 'sec-fetch-site': 'cross-site', origin: 'https://other.example' }],
  ['by a sibling of the site', { 'sec-fetch-site': 'same-site' }],
  ['by a page without Sec-Fetch-Site', { origin: 'https://other.example' }],
  ['by a program', {}],
];

const setsCookie = (reply: Reply) =>
  reply.headers.getSetCookie().some((one) => one.startsWith(`${COOKIE}=`));

/**
 * `X-Session-Transport: cookie` works on the operations that declare it, for pages of the service alone; and the session
 * cookie is a credential of no other operation.
 */
export const keepsCookieToOwnPages: Check = (tour, subject) =>
  subject.route.metadata.sessionTransport
    ? takesTransport(tour, subject)
    : ignoresTransport(tour, subject);

const takesTransport: Check = async (tour, subject) => {
  const faults: string[] = [];
  const send = async (headers: Record<string, string>) => {
    const { path, call, asker } = await wellFormed(tour, subject);
    const request = { ...call, headers: { ...call.headers, ...TRANSPORT, ...headers } };
    return tour.ask(subject, path, by(asker, request));
  };
  for (const [who, headers] of OTHERS) {
    const reply = await send(headers);
    faults.push(...expectation(reply, 403, 'CROSS_SITE_REQUEST', who));
    if (setsCookie(reply)) faults.push(`sets the cookie when asked ${who}`);
  }
  const unknown = await send({ ...OWN_PAGE, 'x-session-transport': 'body' });
  faults.push(...expectation(unknown, 400, 'VALIDATION_FAILED', 'for another transport'));
  const own = await send(OWN_PAGE);
  if (own.status === 403) faults.push('refuses a page of the service');
  // The others want the cookie in place of a token in the body.
  if (own.status === 200 && own.json?.accessToken !== undefined) {
    if (own.json.refreshToken !== '') faults.push('has the refresh token in the body');
    if (!setsCookie(own)) faults.push('sets no cookie');
  }
  return faults;
};

const ignoresTransport: Check = async (tour, subject) => {
  const { path, call, asker } = await wellFormed(tour, subject);
  const cookie = `${COOKIE}=${asker.refreshToken}`;
  const headers = { ...call.headers, ...TRANSPORT, ...OWN_PAGE, cookie };
  const reply = await tour.ask(subject, path, { ...call, headers });
  return [
    ...(subject.route.metadata.credentials === 'public'
      ? []
      : expectation(reply, 401, 'UNAUTHORIZED', 'with the session cookie alone')),
    ...(setsCookie(reply) ? ['sets the session cookie'] : []),
  ];
};
