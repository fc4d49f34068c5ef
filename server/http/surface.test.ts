import { contract } from '@cspm/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contractCases } from '../../tests/kit/contract-operations.ts';
import { SHARED_CREDENTIALS } from '../../tests/kit/shared-credentials.ts';
import {
  type Check,
  hasItsPage,
  hidesOtherTenants,
  isServedAtBothPaths,
  keepsLimit,
  refusesMalformedIds,
  refusesNobody,
  refusesOtherKinds,
  refusesOtherMediaTypes,
  refusesOtherVerbs,
  refusesSurplusInput,
  refusesWithoutPermission,
  refusesWithoutSecondFactor,
  revalidates,
} from '../../tests/kit/surface-checks.ts';
import { keepsCookieToOwnPages } from '../../tests/kit/surface-cookie-checks.ts';
import { Tour } from '../../tests/kit/surface-tour.ts';
import { startTestServer, type TestServer } from '../../tests/kit/test-server.ts';
import { TokenIssuer } from '../../tests/kit/token-issuer.ts';

const cases = contractCases();
/** Higher than each stricter limit, so those are reached first, and still low enough to be reached soon. */
const DEFAULT_QUOTA = 12;
/**
 * A guarantee sends several hundred requests one after the other, which takes a few seconds on a quiet machine and five
 * minutes at a load of 80 on two cores.
 */
const WALK_MS = 1_200_000;

describe('every operation of the contract', () => {
  let issuer: TokenIssuer;
  let server: TestServer;
  let tour: Tour;

  beforeAll(async () => {
    issuer = await TokenIssuer.start();
    const config = { rateLimit: DEFAULT_QUOTA, ...SHARED_CREDENTIALS };
    // With the console, the pages for links in mails would redirect to it.
    server = await startTestServer({ issuer, config });
    tour = await Tour.start(server);
  });

  afterAll(async () => {
    await server.close();
    await issuer.close();
  });

  const guarantees: Record<string, Check> = {
    'is served at its plain path and under /api/v1, in any letter case': isServedAtBothPaths,
    'answers 401 to a request without a credential, unless it is public': refusesNobody,
    'answers 403 to a kind of credential that it does not take': refusesOtherKinds,
    'answers 403 naming the permission to somebody who has all others': refusesWithoutPermission,
    'answers 403 to a person who has passed one factor, where two are required':
      refusesWithoutSecondFactor,
    'gives the same answer for an object of another tenant as for one that does not exist':
      hidesOtherTenants,
    'accepts the session cookie only from pages of the service, and never in place of a token':
      keepsCookieToOwnPages,
    'answers 404 to an id that cannot be one': refusesMalformedIds,
    'answers 400 to a member or a parameter that it does not know': refusesSurplusInput,
    'answers 415 to a body of another type': refusesOtherMediaTypes,
    'answers 429 beyond its limit, also for other forms of its path': keepsLimit(DEFAULT_QUOTA),
    'answers 304 to the ETag of an unchanged response, and only with a credential': revalidates,
    'that is a problem has its page': hasItsPage,
  };

  it.each(Object.entries(guarantees))(
    '%s',
    async (_guarantee, check) => {
      for (const subject of cases) {
        expect({ [subject.name]: await check(tour, subject) }).toEqual({ [subject.name]: [] });
      }
    },
    WALK_MS,
  );

  it('every operation answers a method that its path does not support with 405 and Allow', async () => {
    for (const subject of cases) {
      expect({ [subject.name]: await refusesOtherVerbs(tour, subject, cases) }).toEqual({
        [subject.name]: [],
      });
    }
  });

  it('every operation returns only declared responses, with the headers that all responses have', () => {
    expect(tour.faults).toEqual([]);
  });

  it('the tests of the surface see every operation succeed and refuse', () => {
    const declared = Object.entries(contract).flatMap(([resource, routes]) =>
      Object.keys(routes).map((operation) => `${resource}.${operation}`),
    );
    expect(cases.map(({ name }) => name)).toEqual(declared);
    const walked = cases.map(({ name }) => {
      const seen = [...(tour.seen.get(name) ?? [])];
      return { name, served: seen.some((s) => s < 400), refused: seen.some((s) => s >= 400) };
    });
    expect(walked).toEqual(cases.map(({ name }) => ({ name, served: true, refused: true })));
  });
});

describe('operations without a credential', () => {
  it('the operations without a credential are exactly those listed', () => {
    const open = cases.filter(({ route }) => route.metadata.credentials === 'public');
    expect(open.map(({ name }) => name)).toEqual([
      'auth.login',
      'auth.refresh',
      'auth.logout',
      'auth.register',
      'auth.verifyEmail',
      'auth.resendVerification',
      'auth.forgotPassword',
      'auth.resetPassword',
      'auth.acceptInvite',
      'auth.google',
      'auth.googleLogin',
      'auth.googleCallback',
      'auth.exchange',
      'auth.confirm',
      'auth.confirmMail',
      'auth.methods',
      'saml.metadata',
      'saml.login',
      'saml.discover',
      'saml.acs',
      'meta.live',
      'meta.ready',
      'meta.openapi',
      'meta.docs',
      'meta.docsScript',
      'meta.docsStyle',
      'meta.problem',
      'pages.home',
      'pages.verifyEmail',
      'pages.resetPassword',
      'pages.acceptInvite',
      'pages.unsubscribe',
      'pages.confirmUnsubscribe',
      'pages.authCallback',
      'pages.script',
      'pages.style',
    ]);
  });

  it('only the two probes have no rate limit', () => {
    const unlimited = cases.filter(({ route }) => route.metadata.limit === 'none');
    expect(unlimited.map(({ name }) => name)).toEqual(['meta.live', 'meta.ready']);
  });
});

describe('the table of examples', () => {
  it('the table of examples is refused when an operation is missing', () => {
    expect(() => contractCases(undefined, {})).toThrow('auth.login has no example');
  });
});
