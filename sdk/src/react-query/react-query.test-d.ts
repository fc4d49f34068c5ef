/** Wrong and correct use of `@cspm/sdk/react-query`, as in client.test-d.ts: `tsc` is the test. */
import {
  type InfiniteData,
  type QueryClient,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useSuspenseQuery,
} from '@tanstack/react-query';
import type { Cspm, Finding, Page, ProblemOf, Project, Scan, ScanComparison } from '../index.ts';
import { createQueryUtils } from './index.ts';

type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
declare function same<A, B>(yes: Equal<A, B>): void;
declare const cspm: Cspm;
declare const queryClient: QueryClient;

const utils = createQueryUtils(cspm);

// Queries.
const project = useQuery(utils.projects.get.queryOptions({ name: 'shop' }));
same<typeof project.data, Project | undefined>(true);
same<typeof project.error, ProblemOf<'projectsGet'> | null>(true);
const certain = useSuspenseQuery(utils.projects.get.queryOptions({ name: 'shop' }));
same<typeof certain.data, Project>(true);
const name = useQuery({
  ...utils.projects.get.queryOptions({ name: 'shop' }, { timeoutMs: 5000 }),
  select: (found: Project) => found.name,
});
same<typeof name.data, string | undefined>(true);
const first = useQuery(utils.findings.list.queryOptions());
same<typeof first.data, Page<Finding> | undefined>(true);
const kept = queryClient.getQueryData(utils.projects.get.queryKey({ name: 'shop' }));
same<typeof kept, Project | undefined>(true);
if (project.error?.code === 'NOT_FOUND') project.error.correlationId?.at(0);
// @ts-expect-error TS2367 -- a code that the operation does not have.
if (project.error?.code === 'PREFLIGHT_BLOCKED') project.error.correlationId?.at(0);
// @ts-expect-error TS2554 -- the input is needed.
utils.projects.get.queryOptions();
// @ts-expect-error TS2322 -- not a severity.
utils.findings.list.queryOptions({ severity: 'urgent' });
// @ts-expect-error TS2353 -- the signal is that of react-query.
utils.rules.list.queryOptions({}, { signal: new AbortController().signal });
// @ts-expect-error TS2339 -- an operation that changes something is no query.
utils.projects.create.queryOptions({ name: 'shop' });

// Infinite queries.
const pages = useInfiniteQuery(utils.findings.list.infiniteQueryOptions({ severity: 'high' }));
same<typeof pages.data, InfiniteData<Page<Finding>, string | undefined> | undefined>(true);
same<typeof pages.error, ProblemOf<'findingsList'> | null>(true);
const compared = useInfiniteQuery(
  utils.scans.compare.infiniteQueryOptions({ id: 'later', with: 'earlier' }),
);
same<typeof compared.data, InfiniteData<ScanComparison, string | undefined> | undefined>(true);
// @ts-expect-error TS2353 -- the cursor is that of the page.
utils.findings.list.infiniteQueryOptions({ cursor: 'c' });
// @ts-expect-error TS2339 -- no list.
utils.projects.get.infiniteQueryOptions({ name: 'shop' });

// Mutations.
const launch = useMutation(utils.scans.launch.mutationOptions());
launch.mutate({ projects: ['shop'], profile: 'full' });
same<typeof launch.data, Scan | undefined>(true);
same<typeof launch.error, ProblemOf<'scansLaunch'> | null>(true);
const preflight = useMutation(utils.preflight.run.mutationOptions());
preflight.mutate({ projects: ['shop'], profile: 'full' });
const logout = useMutation(utils.auth.logoutAll.mutationOptions());
logout.mutate();
// @ts-expect-error TS2554 -- the input is needed.
launch.mutate();
// @ts-expect-error TS2339 -- a GET is no mutation.
utils.projects.get.mutationOptions();
// @ts-expect-error TS2339 -- a stream is neither.
utils.findings.export.queryOptions({ format: 'csv' });
