/**
 * Wrong use that must not compile, and right use that must. Nothing here runs: `tsc` is the test, and it fails on an
 * `@ts-expect-error` that expects in vain. client.types.test.ts sees to it that each is there for the error that it names;
 * `npm run test:consumers` holds the same against the types that are shipped.
 */
import type {
  Call,
  Finding,
  ListCall,
  Page,
  Scan,
  ServerEvent,
  Session,
  Tokens,
  WithResponse,
} from './index.ts';
import { ApiError, createClient, NotFoundError, RateLimitError } from './index.ts';

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
// @ts-expect-error TS2322 -- a code is text: it may begin with 0.
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
// @ts-expect-error TS2741 -- half a session.
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
same<Awaited<ReturnType<typeof cspm.auth.login>>, Tokens>(true);
same<Awaited<ReturnType<typeof cspm.projects.delete>>, void>(true);
same<Awaited<ReturnType<ReturnType<typeof cspm.scans.get>['withResponse']>>, WithResponse<Scan>>(
  true,
);
same<Awaited<ReturnType<typeof cspm.scans.wait>>, Scan>(true);
same<ReturnType<typeof cspm.findings.export>, AsyncIterable<string>>(true);
same<ReturnType<typeof cspm.scans.events>, AsyncIterable<ServerEvent<Scan>>>(true);
async () => {
  for await (const finding of cspm.findings.list({ severity: 'high' }))
    same<typeof finding, Finding>(true);
  for await (const text of cspm.findings.export({ format: 'csv' })) same<typeof text, string>(true);
  for await (const { data } of cspm.scans.events({ id: 'x' })) same<typeof data, Scan>(true);
  // @ts-expect-error TS2339 -- a stream is there to be iterated over.
  void (await cspm.findings.export()).length;
  // @ts-expect-error TS2339 -- a stream has no single response.
  cspm.scans.events({ id: 'x' }).withResponse();
  // @ts-expect-error TS2504 -- a scan is no list.
  for await (const part of cspm.scans.get({ id: 'x' })) void part;
  // @ts-expect-error TS2339 -- the items are in the page.
  void (await cspm.findings.list()).length;
  // @ts-expect-error TS2339 -- a deletion answers with nothing.
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
cspm.projects.uploadInventory({ name: 'shop-prod', inventory: new Blob([]) });
cspm.projects.uploadInventory({ name: 'shop-prod', inventory: [{ name: 'asset' }] });
// @ts-expect-error TS2345 -- a member is missing.
cspm.scans.launch({ projects: ['shop-prod'] });
// @ts-expect-error TS2353 -- a member that does not exist.
cspm.scans.launch({ projects: ['shop-prod'], profile: 'full', dryRun: true });
// @ts-expect-error TS2561 -- a filter that does not exist.
cspm.findings.list({ projects: 'shop-prod' });
// @ts-expect-error TS2322 -- null is no way to leave a filter out.
cspm.findings.list({ severity: null });
// @ts-expect-error TS2322 -- a value that is none.
cspm.findings.list({ severity: 'severe' });
// @ts-expect-error TS2322 -- a format that does not exist.
cspm.findings.export({ format: 'xlsx' });
// @ts-expect-error TS2554 -- an input that is wanted.
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
// @ts-expect-error TS2540 -- methods stay what they are.
cspm.scans = {};

// Errors.
declare const thrown: unknown;
if (thrown instanceof ApiError && !(thrown instanceof NotFoundError)) {
  // The families look alike, and what is not of one is still an error.
  same<typeof thrown, ApiError>(true);
}
if (thrown instanceof RateLimitError) {
  same<typeof thrown.retryAfterMs, number | undefined>(true);
  same<typeof thrown.status, number | undefined>(true);
  // @ts-expect-error TS2540 -- errors are read, not written.
  thrown.retryAfterMs = 5;
}
