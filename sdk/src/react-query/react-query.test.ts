import { readFileSync } from 'node:fs';
import {
  CancelledError,
  InfiniteQueryObserver,
  MutationObserver,
  QueryClient,
} from '@tanstack/react-query';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { type Cspm, createClient, NotFoundError, type RequestEvent } from '../index.ts';
import { type CspmQueryUtils, createQueryUtils } from './index.ts';

const SAMPLE = new URL('../../../samples/shop-prod.ndjson', import.meta.url);

describe('@cspm/sdk/react-query', () => {
  let server: TestServer;
  let cspm: Cspm;
  let utils: CspmQueryUtils;
  let queryClient: QueryClient;
  const requests: (RequestEvent & { key: string | null })[] = [];
  /** Ends the next matching request before it is answered. */
  let cut: string | undefined;

  beforeAll(async () => {
    server = await startTestServer({ worker: true });
    const user = await server.people.user();
    let sent: RequestEvent;
    cspm = createClient({
      baseUrl: server.url,
      apiKey: user.key['x-api-key'],
      retry: false,
      hooks: {
        onRequest(event) {
          sent = event;
        },
      },
      fetch: async (url, init) => {
        requests.push({ ...sent, key: new Headers(init?.headers).get('idempotency-key') });
        const response = await fetch(url, init);
        if (cut !== sent.operation) return response;
        cut = undefined;
        throw new TypeError('the connection broke');
      },
    });
    utils = createQueryUtils(cspm);
    queryClient = new QueryClient();
    for (const name of ['shop-a', 'shop-b', 'shop-c']) await cspm.projects.create({ name });
    await cspm.projects.uploadInventory({ name: 'shop-a', inventory: readFileSync(SAMPLE) });
  });

  afterAll(async () => {
    queryClient.clear();
    await server.close();
  });

  it("@cspm/sdk/react-query returns the data of a query's operation, and caches it under the key of the query", async () => {
    const input = { name: 'shop-a' };
    const project = await queryClient.fetchQuery(utils.projects.get.queryOptions(input));
    expect(project).toMatchObject({ name: 'shop-a', inventory: { assets: expect.any(Number) } });
    const key = utils.projects.get.queryKey(input);
    expect(key).toEqual(['cspm', 'projects', 'get', { type: 'query', input }]);
    expect(queryClient.getQueryData(key)).toEqual(project);
  });

  it('@cspm/sdk/react-query returns the first page of a list, and all pages in an infinite query', async () => {
    const first = await queryClient.fetchQuery(utils.projects.list.queryOptions({ limit: 2 }));
    expect(first.items).toHaveLength(2);

    const options = utils.projects.list.infiniteQueryOptions({ limit: 2 });
    const observer = new InfiniteQueryObserver(queryClient, options);
    const stop = observer.subscribe(() => {});
    await expect.poll(() => observer.getCurrentResult().status).toBe('success');
    const { data, hasNextPage } = await observer.fetchNextPage();
    stop();
    expect(data?.pages.map(({ items }) => items.length)).toEqual([2, 1]);
    expect(hasNextPage).toBe(false);
    expect(queryClient.getQueryData(utils.projects.list.infiniteQueryKey({ limit: 2 }))).toBe(data);
  });

  it('@cspm/sdk/react-query ends a query with the error of the client after one call', async () => {
    const before = requests.length;
    const options = utils.projects.get.queryOptions({ name: 'no-such-project' });
    const error = await queryClient.fetchQuery(options).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(NotFoundError);
    expect(error).toMatchObject({ code: 'NOT_FOUND', operation: 'projects.get' });
    expect(requests.length - before).toBe(1);
  });

  it('@cspm/sdk/react-query aborts the call of a query that is cancelled', async () => {
    let aborted: unknown;
    let sent = false;
    const waiting = createClient({
      baseUrl: server.url,
      fetch: (_, init) => {
        sent = true;
        return new Promise((_resolve, reject) => {
          init?.signal?.addEventListener('abort', () => {
            aborted = init.signal?.reason;
            reject(aborted);
          });
        });
      },
    });
    const options = createQueryUtils(waiting, { scope: 'waiting' }).rules.list.queryOptions();
    const query = queryClient.fetchQuery(options).catch((reason: unknown) => reason);
    await expect.poll(() => sent).toBe(true);
    await queryClient.cancelQueries({ queryKey: options.queryKey });
    expect(await query).toBeInstanceOf(CancelledError);
    expect(aborted).toBeDefined();
  });

  it('@cspm/sdk/react-query invalidates the queries of an operation, a group or a scope by its key', async () => {
    const { queryKey } = utils.projects.get.queryOptions({ name: 'shop-b' });
    const isInvalidated = () => queryClient.getQueryState(queryKey)?.isInvalidated;
    for (const key of [utils.key(), utils.projects.key(), utils.projects.get.key()]) {
      await queryClient.fetchQuery(utils.projects.get.queryOptions({ name: 'shop-b' }));
      await queryClient.invalidateQueries({ queryKey: utils.scans.key() });
      expect(isInvalidated()).toBe(false);
      await queryClient.invalidateQueries({ queryKey: key });
      expect(isInvalidated()).toBe(true);
    }
  });

  it('@cspm/sdk/react-query separates the queries of two clients by scope, and of two tenants by their id', () => {
    const other = createQueryUtils(cspm, { scope: 'other' });
    expect(other.rules.list.queryKey()).not.toEqual(utils.rules.list.queryKey());
    expect(utils.rules.list.queryKey({}, { tenantId: 't2' })).not.toEqual(
      utils.rules.list.queryKey(),
    );
  });

  it('@cspm/sdk/react-query repeats a failed mutation under the same Idempotency-Key, and sends a new one under another', async () => {
    const launches = () => requests.filter(({ operation }) => operation === 'scans.launch');
    const launch = new MutationObserver(queryClient, utils.scans.launch.mutationOptions());
    const input = { projects: ['shop-a'], profile: 'full' };
    cut = 'scans.launch';
    await expect(launch.mutate(input)).rejects.toMatchObject({ code: 'CONNECTION_FAILED' });
    const scan = await launch.mutate(input);
    expect((await cspm.scans.list()).items.map(({ id }) => id)).toEqual([scan.id]);
    const second = await launch.mutate(input);
    expect(second.id).not.toBe(scan.id);
    const keys = launches().map(({ key }) => key);
    expect(keys[0]).toBe(keys[1]);
    expect(new Set(keys).size).toBe(2);
  });

  it('@cspm/sdk/react-query gives two mutations sent at once with the same object a key each, which their retries keep', async () => {
    const before = requests.length;
    const options = { ...utils.scans.launch.mutationOptions(), retry: 1, retryDelay: 0 };
    const input = { projects: ['shop-a'], profile: 'full' };
    cut = 'scans.launch';
    const scans = await Promise.all(
      [1, 2].map(() => new MutationObserver(queryClient, options).mutate(input)),
    );
    expect(new Set(scans.map(({ id }) => id)).size).toBe(2);
    const keys = requests.slice(before).map(({ key }) => key);
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(2);
  });

  it('@cspm/sdk/react-query gives a mutation that starts while another with the same object waits for its retry a different key', async () => {
    const before = requests.length;
    const input = { projects: ['shop-a'], profile: 'full' };
    cut = 'scans.launch';
    let failures = 0;
    const patient = new MutationObserver(queryClient, {
      ...utils.scans.launch.mutationOptions(),
      retry: (count) => count < 1,
      retryDelay: () => {
        failures += 1;
        return 1000;
      },
    });
    const first = patient.mutate(input);
    await expect.poll(() => failures).toBe(1);
    const other = new MutationObserver(queryClient, utils.scans.launch.mutationOptions());
    const second = await other.mutate(input);
    expect((await first).id).not.toBe(second.id);
    const [cutKey, secondKey, retryKey] = requests.slice(before).map(({ key }) => key);
    expect(retryKey).toBe(cutKey);
    expect(secondKey).not.toBe(cutKey);
  });

  it('@cspm/sdk/react-query sends mutations without input, and a read by POST as a query or a mutation', async () => {
    const check = utils.preflight.run;
    const input = { projects: ['shop-a'], profile: 'full' };
    // The checks tell how many scans are running.
    for await (const { id } of cspm.scans.list()) await cspm.scans.wait(id);
    const asQuery = await queryClient.fetchQuery(check.queryOptions(input));
    const asMutation = await new MutationObserver(queryClient, check.mutationOptions()).mutate(
      input,
    );
    expect(asMutation).toEqual({ ...asQuery, expiresAt: expect.any(String) });
    const remove = new MutationObserver(queryClient, utils.projects.delete.mutationOptions());
    expect(await remove.mutate({ name: 'shop-c' })).toBeUndefined();
  });
});
