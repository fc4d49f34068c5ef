import { getResponse } from 'msw';
import { MOCK_KEYS } from '../../src/mock/index.ts';
import { check, same } from '../check.ts';
import type { SubpathCase } from './case.ts';
import type { Parts } from './parts.ts';

const ORIGIN = 'https://cspm.example.com';
const LAUNCH = { projects: ['shop-prod'], profile: 'full' };

/** The mock keeps the policies of the service. */
export const mocks: readonly SubpathCase[] = [
  {
    id: 'mock.limit',
    subpath: 'testing',
    title: 'refuses what is over a limit of the contract, with the time to wait',
    async run(parts) {
      const send = serviceOf(parts);
      const statuses: number[] = [];
      let response = await send('POST', '/preflight', { body: LAUNCH });
      while (response.ok && statuses.length < 100) {
        statuses.push(response.status);
        response = await send('POST', '/preflight', { body: LAUNCH });
      }
      same(response.status, 429, 'the status after many requests');
      check(Number(response.headers.get('retry-after')) > 0, 'no Retry-After');
      check(/"preflight";r=0/.test(response.headers.get('ratelimit') ?? ''), 'no RateLimit');
      same((await response.json()).code, 'RATE_LIMITED', 'the code');
    },
  },
  {
    id: 'mock.idempotency',
    subpath: 'testing',
    title:
      'repeats an answer under its key without its effect, and refuses the key with other input',
    async run(parts) {
      const send = serviceOf(parts);
      const headers = { 'idempotency-key': 'k1' };
      const launch = async (body: object) => send('POST', '/scans', { body, headers });
      const [first, second] = [await launch(LAUNCH), await launch(LAUNCH)];
      const { id } = await first.json();
      same((await second.json()).id, id, 'the scan of the repetition');
      const { items } = await (await send('GET', '/scans')).json();
      const launched = items.filter((one: { id: string }) => one.id === id);
      check(launched.length === 1, `${launched.length} scans`);
      const other = await launch({ ...LAUNCH, profile: 'cis' });
      same((await other.json()).code, 'IDEMPOTENCY_KEY_MISMATCH', 'the code');
    },
  },
  {
    id: 'mock.problems',
    subpath: 'testing',
    title:
      'refuses with problem documents: no credential, no permission, no such object, a wrong query',
    async run(parts) {
      const send = serviceOf(parts);
      const viewer = { 'x-api-key': MOCK_KEYS.viewer };
      const refusals = [
        await send('GET', '/projects', { headers: { 'x-api-key': '' } }),
        await send('POST', '/projects', { body: { name: 'a' }, headers: viewer }),
        await send('GET', '/projects/no-such-project'),
        await send('GET', '/findings?sverity=high'),
      ];
      same(
        await Promise.all(refusals.map(async (one) => [one.status, (await one.json()).code])),
        [
          [401, 'UNAUTHORIZED'],
          [403, 'FORBIDDEN'],
          [404, 'NOT_FOUND'],
          [400, 'VALIDATION_FAILED'],
        ],
        'the refusals',
      );
      for (const { headers } of refusals)
        check(headers.get('content-type')?.includes('problem+json') === true, 'no problem');
    },
  },
];

interface Sent {
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

function serviceOf({ mockCspm }: Parts) {
  const { handlers } = mockCspm({ baseUrl: ORIGIN, rateLimit: 1000, now: () => 0 });
  return async (method: string, path: string, { body, headers }: Sent = {}) => {
    const request = new Request(ORIGIN + path, {
      method,
      headers: {
        'x-api-key': MOCK_KEYS.admin,
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const response = await getResponse([...handlers], request);
    check(response !== undefined, `no handler for ${method} ${path}`);
    return response;
  };
}
