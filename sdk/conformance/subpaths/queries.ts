import { InfiniteQueryObserver, MutationObserver, QueryClient } from '@tanstack/react-query';
import { SCAN_ID, scan } from '../arrange.ts';
import { check, same, until } from '../check.ts';
import { type LoopbackServer, problem } from '../server.ts';
import type { SubpathCase } from './case.ts';
import type { Parts } from './parts.ts';

const GET = `GET /scans/${SCAN_ID}`;
const LAUNCH = { projects: ['shop-prod'], profile: 'full' };

/** Options of TanStack Query. */
export const queries: readonly SubpathCase[] = [
  {
    id: 'rq.keys',
    subpath: 'react-query',
    title: 'has equal keys for equal input over clients and page loads, and others for other input',
    async run(parts, server) {
      const [one, two] = [utilsFor(parts, server), utilsFor(parts, server)];
      const input = { project: 'shop-prod', limit: 10 };
      const key = one.findings.list.queryKey(input);
      same(two.findings.list.queryKey({ ...input }), key, 'the key of a second client');
      same(JSON.parse(JSON.stringify(key)), key, 'the key as it is stored');
      const others = [
        one.findings.list.queryKey({ ...input, limit: 11 }),
        one.findings.list.infiniteQueryKey(input),
        one.findings.list.queryKey(input, { tenantId: 't2' }),
        one.projects.list.queryKey({ limit: 10 }),
      ];
      const texts = [key, ...others].map((each) => JSON.stringify(each));
      check(new Set(texts).size === texts.length, `keys coincide: ${texts}`);
    },
  },
  {
    id: 'rq.cancel',
    subpath: 'react-query',
    title: 'ends the request of a query that is cancelled',
    async run(parts, server) {
      server.on(GET, 'hang');
      const queryClient = new QueryClient();
      const options = utilsFor(parts, server).scans.get.queryOptions({ id: SCAN_ID });
      const query = queryClient.fetchQuery(options).catch(() => 'cancelled');
      await until(() => server.to(GET).length === 1);
      await queryClient.cancelQueries({ queryKey: options.queryKey });
      same(await query, 'cancelled', 'the query');
      let isOver = false;
      void server.to(GET)[0]?.over.then(() => {
        isOver = true;
      });
      const givenUp = Date.now() + 5_000;
      await until(() => isOver || Date.now() > givenUp);
      check(isOver, 'the request goes on');
    },
  },
  {
    id: 'rq.no-retry',
    subpath: 'react-query',
    title: 'leaves retries to the client: a refused query is one request',
    async run(parts, server) {
      server.on(GET, problem(404, 'NOT_FOUND'));
      const queryClient = new QueryClient({ defaultOptions: { queries: { retryDelay: 0 } } });
      const options = utilsFor(parts, server).scans.get.queryOptions({ id: SCAN_ID });
      const error: unknown = await queryClient.fetchQuery(options).catch((cause) => cause);
      same((error as { code?: string }).code, 'NOT_FOUND', 'the error');
      check(server.to(GET).length === 1, `${server.to(GET).length} requests`);
    },
  },
  {
    id: 'rq.pages',
    subpath: 'react-query',
    title: 'follows the cursor of a list, and ends after the last page',
    async run(parts, server) {
      server.on('GET /projects', ({ query }) => ({
        body: { items: [], nextCursor: query.get('cursor') === 'c1' ? null : 'c1' },
      }));
      const options = utilsFor(parts, server).projects.list.infiniteQueryOptions({ limit: 2 });
      const observer = new InfiniteQueryObserver(new QueryClient(), options);
      const stop = observer.subscribe(() => {});
      await observer.refetch();
      const { hasNextPage } = await observer.fetchNextPage();
      stop();
      check(!hasNextPage, 'there is another page');
      const cursors = server.to('GET /projects').map(({ query }) => query.get('cursor'));
      same(cursors.at(-1), 'c1', 'the last cursor');
    },
  },
  {
    id: 'rq.mutation-keys',
    subpath: 'react-query',
    title: 'gives two mutations with the same object a key each',
    async run(parts, server) {
      server.on('POST /scans', { status: 202, body: scan() });
      const options = utilsFor(parts, server).scans.launch.mutationOptions();
      const queryClient = new QueryClient();
      const launch = () => new MutationObserver(queryClient, options).mutate(LAUNCH);
      await Promise.all([launch(), launch()]);
      await launch();
      check(keysOf(server).size === 3, `${keysOf(server).size} keys for 3 mutations`);
    },
  },
  {
    id: 'rq.retry-key',
    subpath: 'react-query',
    title: 'keeps the key of a mutation that is retried',
    async run(parts, server) {
      server.on('POST /scans', 'reset', { status: 202, body: scan() });
      const options = utilsFor(parts, server).scans.launch.mutationOptions();
      const retried = { ...options, retry: 1, retryDelay: 0 };
      await new MutationObserver(new QueryClient(), retried).mutate(LAUNCH);
      const sent = server.to('POST /scans').length;
      check(
        sent === 2 && keysOf(server).size === 1,
        `${keysOf(server).size} keys, ${sent} requests`,
      );
    },
  },
];

function utilsFor({ createClient, createQueryUtils }: Parts, { url: baseUrl }: LoopbackServer) {
  return createQueryUtils(createClient({ baseUrl, apiKey: 'cspm_x', retry: false }));
}

function keysOf(server: LoopbackServer) {
  return new Set(server.to('POST /scans').map(({ headers }) => headers['idempotency-key']));
}
