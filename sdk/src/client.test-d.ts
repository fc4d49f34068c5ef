/**
 * Wrong use that must not compile, and right use that must. Nothing here runs: `tsc` is the test, and it fails on an
 * `@ts-expect-error` that expects in vain.
 */
import type { Call, Finding, ListCall, Page, Scan, Tokens, WithResponse } from './index.ts';
import { createClient, RateLimitError } from './index.ts';

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
// @ts-expect-error -- two credentials.
createClient({ baseUrl, apiKey: 'k', session });
// @ts-expect-error -- two credentials.
createClient({ baseUrl, apiKey: 'k', masterKey: 'm', reason: 'r' });
// @ts-expect-error -- two credentials.
createClient({ baseUrl, session, masterKey: 'm', reason: 'r' });
// @ts-expect-error -- a master key without a reason.
createClient({ baseUrl, masterKey: 'm' });
// @ts-expect-error -- a reason without a master key.
createClient({ baseUrl, reason: 'r' });
// @ts-expect-error -- a reason with another credential.
createClient({ baseUrl, apiKey: 'k', reason: 'r' });
// @ts-expect-error -- half a session.
createClient({ baseUrl, session: { accessToken: 'a' } });
// @ts-expect-error -- no address.
createClient({ apiKey: 'k' });
// @ts-expect-error -- an option that does not exist.
createClient({ baseUrl, timeout: 5000 });
// @ts-expect-error -- the clock is no public option.
createClient({ baseUrl, clock: {} });

const cspm = createClient({ baseUrl, apiKey: 'k' });

// Results.
same<ReturnType<typeof cspm.scans.launch>, Call<Scan>>(true);
same<ReturnType<typeof cspm.findings.list>, ListCall<Finding>>(true);
same<Awaited<ReturnType<typeof cspm.findings.list>>, Page<Finding>>(true);
same<Awaited<ReturnType<typeof cspm.auth.login>>, Tokens>(true);
same<Awaited<ReturnType<typeof cspm.projects.delete>>, void>(true);
same<Awaited<ReturnType<ReturnType<typeof cspm.scans.get>['withResponse']>>, WithResponse<Scan>>(
  true,
);
same<Awaited<ReturnType<typeof cspm.scans.wait>>, Scan>(true);
async () => {
  for await (const finding of cspm.findings.list({ severity: 'high' }))
    same<typeof finding, Finding>(true);
  // @ts-expect-error -- a scan has no such status.
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
cspm.projects.uploadInventory({ name: 'shop-prod', inventory: new Blob() });
cspm.projects.uploadInventory({ name: 'shop-prod', inventory: [{ name: 'asset' }] });
// @ts-expect-error -- a member is missing.
cspm.scans.launch({ projects: ['shop-prod'] });
// @ts-expect-error -- a member that does not exist.
cspm.scans.launch({ projects: ['shop-prod'], profile: 'full', dryRun: true });
// @ts-expect-error -- a value that is none.
cspm.findings.list({ severity: 'severe' });
// @ts-expect-error -- an input that is wanted.
cspm.scans.get();
// @ts-expect-error -- the id goes into the object.
cspm.scans.get('0199c2a4-9b60-7d41-a3f2-58c1e7d90b36');
// @ts-expect-error -- a number is no inventory.
cspm.projects.uploadInventory({ name: 'shop-prod', inventory: 5 });
// @ts-expect-error -- options where the input belongs.
cspm.auth.me({ signal: AbortSignal.timeout(1000) });

// Options.
// @ts-expect-error -- an operation that takes no Idempotency-Key.
cspm.scans.get({ id: 'x' }, { idempotencyKey: 'k' });
// @ts-expect-error -- `true` says nothing about how.
cspm.scans.get({ id: 'x' }, { retry: true });
// @ts-expect-error -- waiting takes no headers.
cspm.scans.wait('x', { headers: {} });

// Errors.
declare const thrown: unknown;
if (thrown instanceof RateLimitError) {
  same<typeof thrown.retryAfterMs, number | undefined>(true);
  same<typeof thrown.status, number | undefined>(true);
  // @ts-expect-error -- errors are read, not written.
  thrown.retryAfterMs = 5;
}
