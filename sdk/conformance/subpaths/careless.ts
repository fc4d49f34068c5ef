import { HttpResponse, http } from 'msw';
import type { ClientOptions, Cspm, CspmLike } from '../../src/index.ts';
import type { SessionStore } from '../../src/sessions/stores.ts';
import { ours } from './ours.ts';
import type { Parts } from './parts.ts';

type Send = (input: object, options?: object) => PromiseLike<unknown>;

/**
 * What somebody writes in an afternoon: sessions that each tab renews by itself, queries without a signal, a mock without
 * rules, answers that nobody checks, progress that is guessed, webhooks that are taken on trust. Every case must fail.
 */
export const careless: Parts = {
  ...ours,
  storedSession: ({ load }: SessionStore) => {
    let held = load() as Awaited<ReturnType<SessionStore['load']>>;
    // Its own store, so that no tab learns anything of another one.
    return ours.storedSession({
      load: () => held,
      save(session) {
        held = session;
      },
      clear() {
        held = null;
      },
    });
  },
  createQueryUtils: ((client: Cspm) => {
    const of = (group: string, name: string) => {
      const send = (client as unknown as Record<string, Record<string, Send>>)[group]?.[name];
      const query = (input: object) => ({
        queryKey: [group, name, Math.random()],
        queryFn: () => send?.(input),
        retry: 2,
        initialPageParam: undefined,
        getNextPageParam: () => 'more',
      });
      return {
        queryKey: (input: object) => query(input).queryKey,
        infiniteQueryKey: (input: object) => query(input).queryKey,
        queryOptions: query,
        infiniteQueryOptions: query,
        mutationOptions: () => {
          let sent = 0;
          return {
            mutationFn: (input: object) => {
              sent += 1;
              // One key for two mutations, and another one for a retry.
              return send?.(input, { idempotencyKey: `k${sent > 1 ? Math.min(sent, 2) : 1}` });
            },
          };
        },
      };
    };
    return {
      findings: { list: of('findings', 'list') },
      projects: { list: of('projects', 'list') },
      scans: { get: of('scans', 'get'), launch: of('scans', 'launch') },
    };
  }) as unknown as Parts['createQueryUtils'],
  mockCspm: (() => ({
    handlers: [http.all('*', () => HttpResponse.json({ id: `${Math.random()}`, items: [] }))],
  })) as unknown as Parts['mockCspm'],
  createValidatingClient: ((options: ClientOptions) => {
    const client = ours.createClient({ ...options, apiKey: 'cspm_other' } as ClientOptions);
    // It keeps only the members that it knows.
    const launch: NonNullable<NonNullable<CspmLike['scans']>['launch']> = async (input) => {
      const { id, status } = await client.scans.launch(input);
      return { id, status } as Awaited<ReturnType<Cspm['scans']['launch']>>;
    };
    return { scans: { launch } };
  }) as unknown as Parts['createValidatingClient'],
  uploadInventory: (async (
    client: Cspm,
    upload: Parameters<Cspm['projects']['uploadInventory']>[0],
    { onProgress }: { onProgress: (progress: object) => void },
  ) => {
    for (const bytes of [50, 100, 90]) onProgress({ bytes, totalBytes: 100, attempt: 1 });
    const options = { timeoutMs: 1000, retry: false } as const;
    return client.projects.uploadInventory({ ...upload, inventory: '{}' }, options);
  }) as unknown as Parts['uploadInventory'],
  verifyWebhook: (async (body: string) => {
    const { type } = JSON.parse(body);
    return { type: `${type}`.toUpperCase() };
  }) as unknown as Parts['verifyWebhook'],
};
