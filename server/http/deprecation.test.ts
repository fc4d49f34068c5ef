import { contract, type Deprecation, deprecationHeaders, type Routes } from '@cspm/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  GLOBAL_KEY_TENANT_ID,
  globalKeyHeaders,
  SHARED_CREDENTIALS,
} from '../../tests/kit/shared-credentials.ts';
import { freshAddress, startTestServer, type TestServer } from '../../tests/kit/test-server.ts';
import { GLOBAL_KEY_DEPRECATION } from './global-key-deprecation.ts';
import { RouteTable } from './match.ts';

const DEPRECATED: Deprecation = { since: '2026-11-01', sunset: '2027-05-01' };
const SAID = { deprecation: '@1793491200', sunset: 'Sat, 01 May 2027 00:00:00 GMT' };

describe('a deprecated operation', () => {
  it.each<[Deprecation, Record<string, string>]>([
    [DEPRECATED, { Deprecation: SAID.deprecation, Sunset: SAID.sunset }],
    [{ since: '2026-11-01' }, { Deprecation: SAID.deprecation }],
    [
      { since: '2028-02-29', sunset: '2028-02-29', successor: 'scans.launch' },
      { Deprecation: '@1835395200', Sunset: 'Tue, 29 Feb 2028 00:00:00 GMT' },
    ],
  ])('a deprecation %o is announced in headers', (deprecation, headers) => {
    expect(deprecationHeaders(deprecation)).toEqual(headers);
  });

  it.each([
    [{ since: '2027-02-29' }, '"2027-02-29" is not a valid date'],
    [{ since: '1 November 2026' }, 'is not a valid date'],
    [{ since: '2026-11-01T00:00:00Z' }, 'is not a valid date'],
    [{ since: '2026-11-01', sunset: 'soon' }, '"soon" is not a valid date'],
    [
      { since: '2026-11-01', sunset: '2026-10-31' },
      'The sunset date 2026-10-31 is before the deprecation date 2026-11-01',
    ],
  ])('an invalid deprecation %o is refused', (deprecation, fault) => {
    expect(() => deprecationHeaders(deprecation)).toThrow(fault);
  });
});

describe('an operation that is deprecated', () => {
  let server: TestServer;

  beforeAll(async () => {
    const get = {
      ...contract.projects.get,
      metadata: { ...contract.projects.get.metadata, deprecated: DEPRECATED },
    };
    const routes = new RouteTable({
      ...contract,
      projects: { ...contract.projects, get } as Routes,
    });
    server = await startTestServer({ routes, config: { ...SHARED_CREDENTIALS, rateLimit: 2 } });
    await server.people.tenant([], GLOBAL_KEY_TENANT_ID);
  });

  afterAll(() => server.close());

  const told = async (path: string, call: Parameters<TestServer['call']>[1] = {}) => {
    const { status, headers } = await server.call(path, call);
    return [status, headers.get('deprecation'), headers.get('sunset')];
  };

  it('a deprecated operation sends deprecation headers with every response, refusals included, and no other operation does', async () => {
    const user = await server.people.user();
    const { key: headers } = user;
    const created = await server.call('/projects', {
      method: 'POST',
      headers,
      body: { name: 'shop' },
    });
    expect(created.status).toBe(201);
    expect(created.headers.has('deprecation')).toBe(false);
    for (const path of ['/projects/shop', '/api/v1/projects/shop']) {
      expect(await told(path, { headers })).toEqual([200, SAID.deprecation, SAID.sunset]);
    }
    expect(await told('/projects/none', { headers })).toEqual([404, ...Object.values(SAID)]);
    expect(await told('/projects/shop')).toEqual([401, ...Object.values(SAID)]);
    expect(await told('/projects', { headers })).toEqual([200, null, null]);
    expect(await told('/nothing', { headers })).toEqual([404, null, null]);
  });

  it('a deprecated operation sends deprecation headers when the rate limit is used up', async () => {
    const ip = freshAddress();
    for (const status of [401, 401, 429]) {
      expect(await told('/projects/shop', { ip })).toEqual([status, ...Object.values(SAID)]);
    }
  });

  it('the headers of a deprecated operation take precedence over those of a deprecated credential', async () => {
    const headers = globalKeyHeaders;
    expect(await told('/projects/none', { headers })).toEqual([404, ...Object.values(SAID)]);
    expect(await told('/projects', { headers })).toEqual([200, GLOBAL_KEY_DEPRECATION, null]);
  });
});
