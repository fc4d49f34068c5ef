/**
 * Wrong use that must not compile, and correct use that must. Nothing here runs: `tsc` is the test and fails on an
 * unused `@ts-expect-error`. client.types.test.ts checks that each one is needed for the error it names;
 * `npm run test:consumers` checks the shipped types in the same way.
 */
import type {
  Call,
  ComparedFinding,
  Cspm,
  CspmLike,
  Finding,
  ListCall,
  Page,
  Permission,
  ProblemOf,
  Scan,
  ScanComparison,
  ScanStatus,
  ServerEvent,
  Session,
  Stream,
  Tokens,
  WithResponse,
} from './index.ts';
import { ApiError, createClient, NotFoundError, RateLimitError } from './index.ts';
import { cookieSession, memoryStore, storedSession } from './sessions/index.ts';

type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
declare function same<A, B>(yes: Equal<A, B>): void;

const baseUrl = 'http://127.0.0.1:3000';
const session = { accessToken: 'a', refreshToken: 'r' };
declare const env: { CSPM_API_KEY?: string };

// One credential, or none.
createClient({ baseUrl });
createClient({ baseUrl: new URL(baseUrl), apiKey: 'cspm_x' });
createClient({ baseUrl, apiKey: env.CSPM_API_KEY });
createClient({ baseUrl, session });
createClient({
  baseUrl,
  session: { ...session, onRefresh: ({ refreshToken }) => void refreshToken },
});
createClient({ baseUrl, masterKey: 'm', reason: 'INC-4711' });
createClient({
  baseUrl,
  session,
  onStepUp: async (error) => (error.status ? '123456' : undefined),
});
// @ts-expect-error TS2322 -- a code is a string, because it may start with 0.
createClient({ baseUrl, session, onStepUp: () => 123456 });
// @ts-expect-error TS2345 -- two credentials.
createClient({ baseUrl, apiKey: 'k', session });
// @ts-expect-error TS2345 -- two credentials.
createClient({ baseUrl, apiKey: 'k', masterKey: 'm', reason: 'r' });
// @ts-expect-error TS2345 -- two credentials.
createClient({ baseUrl, session, masterKey: 'm', reason: 'r' });
// @ts-expect-error TS2345 -- a master key without a reason.
createClient({ baseUrl, masterKey: 'm' });
// @ts-expect-error TS2345 -- a reason without a master key.
createClient({ baseUrl, reason: 'r' });
// @ts-expect-error TS2345 -- a reason with another credential.
createClient({ baseUrl, apiKey: 'k', reason: 'r' });
createClient({ baseUrl, session: cookieSession() });
createClient({ baseUrl, session: storedSession(memoryStore()) });
// @ts-expect-error TS2322 -- a store is no session.
createClient({ baseUrl, session: memoryStore() });
// @ts-expect-error TS2345 -- a store has to save.
storedSession({ load: () => null, clear: () => undefined });
// @ts-expect-error TS2322 -- half a session.
createClient({ baseUrl, session: { accessToken: 'a' } });
// @ts-expect-error TS2345 -- no address.
createClient({ apiKey: 'k' });
// @ts-expect-error TS2561 -- an option that does not exist.
createClient({ baseUrl, timeout: 5000 });
// @ts-expect-error TS2353 -- the clock is no public option.
createClient({ baseUrl, clock: {} });

const cspm = createClient({ baseUrl, apiKey: 'k' });

// Results.
same<ReturnType<typeof cspm.scans.launch>, Call<Scan>>(true);
same<ReturnType<typeof cspm.findings.list>, ListCall<Finding>>(true);
same<Awaited<ReturnType<typeof cspm.findings.list>>, Page<Finding>>(true);
same<Awaited<ReturnType<typeof cspm.sessions.list>>, Page<Session>>(true);
same<ReturnType<typeof cspm.scans.compare>, ListCall<ComparedFinding, ScanComparison>>(true);
same<Awaited<ReturnType<typeof cspm.scans.compare>>, ScanComparison>(true);
same<Awaited<ReturnType<typeof cspm.auth.login>>, Tokens>(true);
same<Awaited<ReturnType<typeof cspm.projects.delete>>, void>(true);
same<Awaited<ReturnType<ReturnType<typeof cspm.scans.get>['withResponse']>>, WithResponse<Scan>>(
  true,
);
same<Awaited<ReturnType<typeof cspm.scans.wait>>, Scan>(true);
same<ReturnType<typeof cspm.findings.export>, Stream<string, Uint8Array>>(true);
same<ReturnType<typeof cspm.scans.report>, Stream<Uint8Array>>(true);
same<ReturnType<typeof cspm.scans.events>, Stream<ServerEvent<Scan>>>(true);
async () => {
  for await (const finding of cspm.findings.list({ severity: 'high' }))
    same<typeof finding, Finding>(true);
  for await (const text of cspm.findings.export({ format: 'csv' })) same<typeof text, string>(true);
  for await (const { data } of cspm.scans.events({ id: 'x' })) same<typeof data, Scan>(true);
  // @ts-expect-error TS2339 -- a stream is an iterable.
  void (await cspm.findings.export()).length;
  // @ts-expect-error TS2339 -- a stream has no single response.
  cspm.scans.events({ id: 'x' }).withResponse();
  // @ts-expect-error TS2504 -- a scan is no list.
  for await (const part of cspm.scans.get({ id: 'x' })) void part;
  // @ts-expect-error TS2339 -- the items are in the page.
  void (await cspm.findings.list()).length;
  // @ts-expect-error TS2339 -- a deletion returns nothing.
  void (await cspm.projects.delete({ name: 'shop-prod' })).name;
  // @ts-expect-error TS2339 -- the data is beside the response.
  void (await cspm.scans.get({ id: 'x' }).withResponse()).status;
  // @ts-expect-error TS2367 -- a scan has no such status.
  return (await cspm.scans.get({ id: 'x' })).status === 'done';
};

// Inputs.
cspm.findings.list();
cspm.findings.list({ project: 'shop-prod', severity: ['high', 'critical'], limit: undefined });
cspm.scans.launch({ projects: ['shop-prod'], profile: 'full' }, { idempotencyKey: 'k' });
const names: readonly string[] = ['shop-prod'];
cspm.scans.launch({ projects: names, profile: 'full' });
cspm.auth.me();
cspm.auth.me({}, { signal: AbortSignal.timeout(1000), retry: false });
const fingerprint = 'f'.repeat(64);
const selector = { ruleId: 'bucket-public' };
declare const target: { fingerprint: string } | { selector: { ruleId: string } };
cspm.mutes.create({ reason: 'public on purpose', selector });
cspm.mutes.create({ reason: 'public on purpose', fingerprint, selector: undefined });
cspm.mutes.create({ reason: 'public on purpose', ...target });
// @ts-expect-error TS2345 -- neither a fingerprint nor a selector.
cspm.mutes.create({ reason: 'public on purpose' });
// @ts-expect-error TS2345 -- both.
cspm.mutes.create({ reason: 'public on purpose', fingerprint, selector });
cspm.projects.uploadInventory({ name: 'shop-prod', inventory: new Blob([]) });
cspm.projects.uploadInventory({ name: 'shop-prod', inventory: [{ name: 'asset' }] });
// @ts-expect-error TS2345 -- a member is missing.
cspm.scans.launch({ projects: ['shop-prod'] });
// @ts-expect-error TS2353 -- a member that does not exist.
cspm.scans.launch({ projects: ['shop-prod'], profile: 'full', dryRun: true });
// @ts-expect-error TS2561 -- a filter that does not exist.
cspm.findings.list({ projects: 'shop-prod' });
// @ts-expect-error TS2322 -- null does not omit a filter.
cspm.findings.list({ severity: null });
// @ts-expect-error TS2322 -- an invalid value.
cspm.findings.list({ severity: 'severe' });
// @ts-expect-error TS2322 -- a format that does not exist.
cspm.findings.export({ format: 'xlsx' });
// @ts-expect-error TS2554 -- a required input is missing.
cspm.scans.get();
// @ts-expect-error TS2345 -- the id goes into the object.
cspm.scans.get('0199c2a4-9b60-7d41-a3f2-58c1e7d90b36');
// @ts-expect-error TS2345 -- an upload without its inventory.
cspm.projects.uploadInventory({ name: 'shop-prod' });
// @ts-expect-error TS2322 -- a number is no inventory.
cspm.projects.uploadInventory({ name: 'shop-prod', inventory: 5 });
// @ts-expect-error TS2322 -- options where the input belongs.
cspm.auth.me({ signal: AbortSignal.timeout(1000) });

// Options.
// @ts-expect-error TS2353 -- an operation that takes no Idempotency-Key.
cspm.scans.get({ id: 'x' }, { idempotencyKey: 'k' });
// @ts-expect-error TS2353 -- nor does a list.
cspm.findings.list({}, { idempotencyKey: 'k' });
// @ts-expect-error TS2353 -- nor does a sign-in.
cspm.auth.login({ email: 'ada@example.com', password: 'p' }, { idempotencyKey: 'k' });
// @ts-expect-error TS2561 -- an option that does not exist.
cspm.scans.get({ id: 'x' }, { timeout: 5000 });
// @ts-expect-error TS2353 -- a member of the input among the options.
cspm.findings.list({}, { severity: 'high' });
// @ts-expect-error TS2322 -- `true` says nothing about how.
cspm.scans.get({ id: 'x' }, { retry: true });
// @ts-expect-error TS2353 -- waiting takes no headers.
cspm.scans.wait('x', { headers: {} });

// @ts-expect-error TS2339 -- a method that does not exist.
cspm.scans.start({ projects: ['shop-prod'], profile: 'full' });
// @ts-expect-error TS2540 -- methods are read-only.
cspm.scans = {};

// Errors.
declare const thrown: unknown;
if (thrown instanceof ApiError && !(thrown instanceof NotFoundError)) {
  // All families have the same shape, and other errors remain unknown.
  same<typeof thrown, ApiError>(true);
}
if (thrown instanceof RateLimitError) {
  same<typeof thrown.retryAfterMs, number | undefined>(true);
  same<typeof thrown.status, number | undefined>(true);
  // @ts-expect-error TS2540 -- errors are read-only.
  thrown.retryAfterMs = 5;
}

// One credential: a function that supplies it is one.
createClient({ baseUrl, credential: async () => ({ apiKey: 'k' }) });
createClient({ baseUrl: '/api', credential: () => ({ accessToken: 'a' }) });
// @ts-expect-error TS2345 -- two credentials.
createClient({ baseUrl, apiKey: 'k', credential: () => ({ apiKey: 'k' }) });
// @ts-expect-error TS2322 -- no kind of credential.
createClient({ baseUrl, credential: () => ({ token: 'a' }) });

// Derived clients.
same<ReturnType<typeof cspm.withOptions>, Cspm>(true);
cspm.withOptions({ headers: { 'x-team': 'a' }, timeoutMs: 5_000, logger: console });
// @ts-expect-error TS2353 -- the credential belongs to the session that is shared.
cspm.withOptions({ apiKey: 'k' });

// Endpoints by path: typed where they are known.
const byPath = cspm.request('GET /scans/{id}', { id: 'x' });
same<Awaited<typeof byPath>, Scan>(true);
const unknownPath = cspm.request('POST /things/{id}', { id: 'x' });
same<Awaited<typeof unknownPath>, unknown>(true);
// @ts-expect-error TS2769 -- a route begins with its method.
cspm.request('/scans');
// @ts-expect-error TS2769 -- a filter that a known endpoint does not have.
cspm.request('GET /projects', { limi: 1 });
// @ts-expect-error TS2345 -- a known endpoint without its required input.
cspm.request('GET /scans/{id}');
declare const anyRoute: `GET /${string}`;
const anyPath = cspm.request(anyRoute, { limit: 1 });
same<Awaited<typeof anyPath>, unknown>(true);

// Lists and raw responses.
const everything = cspm.findings.list().toArray({ limit: 10 });
same<Awaited<typeof everything>, Finding[]>(true);
const raw = cspm.scans.get({ id: 'x' }).asResponse();
same<Awaited<typeof raw>, Response>(true);

// The codes of one operation.
const status: ScanStatus = 'queued';
const permission: Permission = 'scans.launch';
(error: ProblemOf<'scansLaunch'>) => {
  switch (error.code) {
    case 'PREFLIGHT_BLOCKED':
      return [error.problem?.checks, status, permission];
    // @ts-expect-error TS2678 -- a misspelled code.
    case 'PREFLIGHT_BLOCKT':
      return null;
    // @ts-expect-error TS2678 -- a code of another operation.
    case 'DOMAIN_NOT_VERIFIED':
      return null;
    default: {
      const other: string = error.code;
      return other;
    }
  }
};

// Fakes of tests.
const fake: CspmLike = { scans: { get: async ({ id }) => ({ ...({} as Scan), id }) } };
const real: CspmLike = cspm;
(client: Pick<CspmLike, 'scans'> = fake) => client.scans?.get?.({ id: 'x' }) ?? real;
// @ts-expect-error TS2322 -- a fake returns what the call returns.
const wrong: CspmLike = { scans: { get: async () => ({ id: 1 }) } };
void wrong;

// Profiles are completed, and may be any string.
cspm.scans.launch({ projects: ['a'], profile: 'custom:mine' });
