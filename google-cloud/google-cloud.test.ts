import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { errorInfo, googleError, json } from '../tests/kit/google/answer.ts';
import { VIEWER } from '../tests/kit/google/asset-inventory.ts';
import { FakeGoogle } from '../tests/kit/google/fake-google.ts';
import { GoogleCloudError, isComplete, startPull } from './index.ts';
import { clientOf, manyRecords, pagesOf, recordsOf, SkippingClock } from './testing/pulled.ts';

const PARENT = 'projects/shop-prod';
const SAMPLE = new URL('../samples/shop-prod.ndjson', import.meta.url);
const ACCOUNT = 'scanner@tools-1.iam.gserviceaccount.com';
const MINUTE_MS = 60_000;

let clock: SkippingClock;
let google: FakeGoogle;
let key: Record<string, string>;

beforeEach(async () => {
  clock = new SkippingClock();
  google = await FakeGoogle.start({ now: () => clock.now().getTime() });
  key = google.viewer(PARENT, ACCOUNT);
});

afterEach(() => google.close());

async function failureOf(work: Promise<unknown>): Promise<GoogleCloudError> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof GoogleCloudError)) throw new Error(`not refused as expected: ${error}`);
  return error;
}

const pull = (options = {}) => pagesOf(clientOf(google, key, { clock, ...options }), PARENT, clock);

describe('a pull', () => {
  it('a pull reads all pages of all content types at one read time', async () => {
    google.inventory.serve(PARENT, manyRecords(2_500));
    const pages = await pull();
    const last = pages.at(-1)?.state;
    expect(last).toMatchObject({ next: null, pages: 7, records: 5_000, missing: [] });
    expect(new Set(recordsOf(pages)).size).toBe(5_000);
    expect(new Set(google.lists.map(({ query }) => query.get('readTime'))).size).toBe(1);
    expect(google.lists.every(({ query }) => query.get('pageSize') === '1000')).toBe(true);
    expect(google.requests.filter(({ path }) => path === '/token')).toHaveLength(1);
  });

  it('a pull yields each asset as Google wrote it, on one line', async () => {
    await google.serveFile(PARENT, SAMPLE);
    const records = recordsOf(await pull());
    expect(records.length).toBeGreaterThan(100);
    expect(records.filter((record) => /[\r\n]/.test(record))).toEqual([]);
    const project = records.map((record) => JSON.parse(record)).find(({ iamPolicy }) => iamPolicy);
    expect(project).toMatchObject({ assetType: expect.any(String), ancestors: expect.any(Array) });
  });

  it('a pull continues after any page from the stored state without a gap or a repetition', async () => {
    google.inventory.serve(PARENT, manyRecords(1_500));
    const expected = recordsOf(await pull());
    const pulled: string[] = [];
    let state = startPull(PARENT, clock.now());
    while (!isComplete(state)) {
      // A new process has a new client, and the state as it was stored.
      const client = clientOf(google, key, { clock });
      for await (const page of client.pull({ state: JSON.parse(JSON.stringify(state)) })) {
        pulled.push(...page.records);
        state = page.state;
        break;
      }
    }
    expect(pulled).toEqual(expected);
  });

  it('a pull is partial when the permission for policies is missing, and names it', async () => {
    google.inventory.serve(PARENT, manyRecords(3));
    google.inventory.grant(ACCOUNT, PARENT, ['cloudasset.assets.listResource']);
    const pages = await pull();
    expect(pages.at(-1)?.state).toMatchObject({
      next: null,
      records: 3,
      missing: [
        { contentType: 'IAM_POLICY', permission: 'cloudasset.assets.listIamPolicy' },
        { contentType: 'ORG_POLICY', permission: 'cloudasset.assets.listOrgPolicy' },
      ],
    });
    expect(pages.at(-1)?.state.missing[0]?.remedy).toContain('roles/cloudasset.viewer');
  });

  it('a pull fails when the permission for resources is missing', async () => {
    google.inventory.serve(PARENT, manyRecords(3));
    google.inventory.grant(ACCOUNT, PARENT, ['cloudasset.assets.listIamPolicy']);
    expect(await failureOf(pull())).toMatchObject({
      code: 'permission_denied',
      permission: 'cloudasset.assets.listResource',
      remedy: expect.stringContaining(
        'gcloud projects add-iam-policy-binding shop-prod --role roles/cloudasset.viewer --member user:<e-mail> (or serviceAccount:<e-mail>)',
      ),
    });
  });

  it('a pull fails when a permission is withdrawn between two pages, so that a part of the policies never counts as all', async () => {
    google.inventory.serve(PARENT, manyRecords(1_500));
    google.misbehave = ({ query }) => {
      if (query.get('contentType') === 'IAM_POLICY' && query.has('pageToken')) {
        google.inventory.grant(ACCOUNT, PARENT, ['cloudasset.assets.listResource']);
      }
      return null;
    };
    expect(await failureOf(pull())).toMatchObject({ code: 'permission_denied' });
  });

  it('a pull stops at once when it is aborted, also while it waits', async () => {
    google.inventory.serve(PARENT, manyRecords(3));
    google.misbehave = () => googleError(503, 'UNAVAILABLE', 'The service is unavailable.');
    const abort = new AbortController();
    const waiting = {
      now: () => clock.now(),
      sleep: async (_ms: number, signal: AbortSignal | undefined) => {
        abort.abort(new Error('stopped'));
        signal?.throwIfAborted();
      },
    };
    const client = clientOf(google, key, { clock: waiting });
    const state = startPull(PARENT, clock.now());
    const pulling = client.pull({ state, signal: abort.signal }).next();
    await expect(pulling).rejects.toThrow('stopped');
  });
});

describe('quota and failures', () => {
  it('a pull sends at most 100 calls in a minute', async () => {
    google.inventory.serve(PARENT, manyRecords(300));
    google.inventory.largestPage = 5;
    expect((await pull()).at(-1)?.state.records).toBe(600);
    expect(google.lists.length).toBeGreaterThan(100);
    expect(clock.waits.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThan(MINUTE_MS / 2);
  });

  it('a pull waits as long as Retry-After says when others use up the quota', async () => {
    google.inventory.serve(PARENT, manyRecords(3));
    google.inventory.quotaPerMinute = 1;
    expect((await pull()).at(-1)?.state.records).toBe(6);
    expect(clock.waits).toEqual([MINUTE_MS, MINUTE_MS]);
  });

  it('a pull gives up when the quota stays exhausted, and says when to try again', async () => {
    google.misbehave = ({ path }) =>
      path.endsWith('/assets')
        ? {
            ...googleError(429, 'RESOURCE_EXHAUSTED', 'Quota exceeded'),
            headers: { 'retry-after': '7200' },
          }
        : null;
    expect(await failureOf(pull())).toMatchObject({
      code: 'quota_exceeded',
      retryAfterSeconds: 7200,
    });
  });

  it.each(['999999999', '9'.repeat(400), 'Fri, 31 Dec 9999 23:59:59 GMT'])(
    'a pull puts off at most for a day what Retry-After puts off for longer: %s',
    async (later) => {
      google.misbehave = ({ path }) =>
        path.endsWith('/assets')
          ? {
              ...googleError(429, 'RESOURCE_EXHAUSTED', 'Quota exceeded'),
              headers: { 'retry-after': later },
            }
          : null;
      expect(await failureOf(pull())).toMatchObject({ retryAfterSeconds: 86_400 });
    },
  );

  it('a pull retries a request that Google has not read in time (408)', async () => {
    google.inventory.serve(PARENT, manyRecords(3));
    let isLate = true;
    google.misbehave = ({ path }) => {
      if (!path.endsWith('/assets') || !isLate) return null;
      isLate = false;
      return googleError(408, 'DEADLINE_EXCEEDED', 'The request timed out.');
    };
    expect((await pull()).at(-1)?.state.records).toBe(6);
  });

  it('a pull retries broken connections and 5xx with growing waits, then reports that Google is unavailable', async () => {
    google.inventory.serve(PARENT, manyRecords(3));
    let faults = 3;
    google.misbehave = ({ path }) => {
      if (!path.endsWith('/assets') || faults === 0) return null;
      faults -= 1;
      return faults === 1 ? 'cut' : googleError(503, 'UNAVAILABLE', 'Try later.');
    };
    expect((await pull()).at(-1)?.state.records).toBe(6);
    expect(clock.waits).toHaveLength(3);
    google.misbehave = ({ path }) => (path.endsWith('/assets') ? 'cut' : null);
    expect(await failureOf(pull())).toMatchObject({ code: 'unavailable' });
  });

  it('a pull gets a new token when Google ends one early', async () => {
    google.inventory.serve(PARENT, manyRecords(1_500));
    let hasEnded = false;
    google.misbehave = ({ query }) => {
      if (query.has('pageToken') && !hasEnded) {
        hasEnded = true;
        google.identities.endTokens();
      }
      return null;
    };
    expect((await pull()).at(-1)?.state.records).toBe(3_000);
    expect(google.requests.filter(({ path }) => path === '/token')).toHaveLength(2);
  });

  it('a pull reports a page token that has expired, so that it can be started again', async () => {
    google.inventory.serve(PARENT, manyRecords(1_500));
    google.misbehave = ({ query }) => {
      if (query.has('pageToken')) google.inventory.endPageTokens();
      return null;
    };
    expect(await failureOf(pull())).toMatchObject({ code: 'page_token_expired' });
  });

  it('a pull requests a page that is too large again with fewer assets', async () => {
    google.inventory.serve(PARENT, manyRecords(1_200));
    const pages = await pull({ maxPageBytes: 100_000 });
    expect(recordsOf(pages)).toHaveLength(2_400);
    expect(new Set(recordsOf(pages)).size).toBe(2_400);
    expect(await failureOf(pull({ maxPageBytes: 100 }))).toMatchObject({
      code: 'invalid_response',
    });
  });

  it('a pull without any resource fails, so that an empty inventory does not replace the one before', async () => {
    google.inventory.serve(PARENT, []);
    expect(await failureOf(pull())).toMatchObject({
      code: 'invalid_response',
      message: expect.stringContaining(`no resource of ${PARENT}`),
    });
  });

  it('a pull may have a first page without assets', async () => {
    google.inventory.serve(PARENT, manyRecords(3));
    let isFirst = true;
    google.misbehave = ({ path, query }) => {
      // The fake knows only its own tokens.
      if (query.get('pageToken') === 'next') query.delete('pageToken');
      if (!path.endsWith('/assets') || !isFirst) return null;
      isFirst = false;
      return json({ nextPageToken: 'next' });
    };
    expect((await pull()).at(-1)?.state.records).toBe(6);
  });

  it('a pull refuses an endless list of pages', async () => {
    google.misbehave = ({ path }) =>
      path.endsWith('/assets') ? json({ assets: [], nextPageToken: 'again' }) : null;
    expect(await failureOf(pull())).toMatchObject({ code: 'invalid_response' });
  });

  it('a pull does not follow a redirect with the token', async () => {
    google.misbehave = ({ path }) =>
      path.endsWith('/assets')
        ? { status: 302, headers: { location: `${google.url}/elsewhere` }, body: '' }
        : null;
    expect(await failureOf(pull())).toMatchObject({ code: 'invalid_response' });
    expect(google.requests.map(({ path }) => path)).not.toContain('/elsewhere');
  });
});

describe('refusals', () => {
  it('a refusal by Google names the command that enables the API', async () => {
    google.inventory.disableApi('tools-1');
    expect(await failureOf(pull())).toMatchObject({
      code: 'service_disabled',
      remedy: expect.stringContaining(
        'gcloud services enable cloudasset.googleapis.com --project tools-1',
      ),
    });
  });

  it('a parent that does not exist is reported as such', async () => {
    google.inventory.grant(ACCOUNT, 'projects/shop-prud', VIEWER);
    const client = clientOf(google, key, { clock });
    expect(await failureOf(pagesOf(client, 'projects/shop-prud'))).toMatchObject({
      code: 'parent_not_found',
    });
  });

  it('a token without the scope, as of a virtual machine, is reported as such instead of a missing role', async () => {
    const words = 'Request had insufficient authentication scopes.';
    const info = errorInfo('ACCESS_TOKEN_SCOPE_INSUFFICIENT', {});
    google.misbehave = ({ path }) =>
      path.endsWith('/assets') ? googleError(403, 'PERMISSION_DENIED', words, [info]) : null;
    const { code, message, remedy } = await failureOf(pull());
    expect(code).toBe('credential_refused');
    expect(message).toContain('does not have the scope');
    expect(remedy).toContain('--scopes cloud-platform');
    expect(remedy).not.toContain('roles/');
    const { checks } = await clientOf(google, key, { clock }).check(PARENT);
    expect(checks[0]).toMatchObject({ name: 'credential', ok: false, remedy });
  });

  it('a refusal by VPC Service Controls is reported as such, and fails the pull for every content type', async () => {
    google.inventory.serve(PARENT, manyRecords(3));
    const prohibited = "Request is prohibited by organization's policy.";
    const refused = googleError(403, 'PERMISSION_DENIED', prohibited, [
      errorInfo('SECURITY_POLICY_VIOLATED', { service: 'cloudasset.googleapis.com' }),
    ]);
    for (const type of ['RESOURCE', 'IAM_POLICY', 'ORG_POLICY']) {
      google.misbehave = ({ query }) => (query.get('contentType') === type ? refused : null);
      const { code, message, remedy } = await failureOf(pull());
      expect(code).toBe('permission_denied');
      expect(message).toContain(prohibited);
      expect(remedy).toContain('perimeter');
      expect(remedy).not.toContain('roles/');
    }
  });

  it('a deleted account is reported, without the key or the assertion', async () => {
    google.identities.remove(ACCOUNT);
    const error = await failureOf(pull());
    expect(error).toMatchObject({ code: 'credential_refused' });
    const told = JSON.stringify([error.message, error.remedy, error.stack, error.cause]);
    expect(told).not.toMatch(/PRIVATE KEY|eyJ/);
  });
});

describe('check', () => {
  const check = () => clientOf(google, key, { clock }).check(PARENT);
  const failed = async () => (await check()).checks.filter(({ ok }) => !ok).map(({ name }) => name);

  it('a check passes after reading pages of one asset', async () => {
    google.inventory.serve(PARENT, manyRecords(2));
    const { ok, checks } = await check();
    expect(ok).toBe(true);
    expect(checks.map(({ name }) => name)).toEqual([
      'credential',
      'api',
      'parent',
      'cloudasset.assets.listResource',
      'cloudasset.assets.listIamPolicy',
      'cloudasset.assets.listOrgPolicy',
    ]);
    expect(google.lists.map(({ query }) => query.get('pageSize'))).toEqual(['1', '1', '1']);
  });

  it('a check reports within two attempts that Google does not answer or that the quota is used up', async () => {
    google.misbehave = () => 'cut';
    expect((await check()).checks[0]).toMatchObject({ name: 'credential', ok: false });
    expect(clock.waits).toHaveLength(1);
    google.misbehave = null;
    google.inventory.quotaPerMinute = 0;
    const { checks } = await check();
    expect(checks.find(({ ok }) => !ok)).toMatchObject({
      name: 'api',
      detail: expect.stringContaining('quota'),
    });
    expect(clock.waits).toHaveLength(1);
  });

  it('a check names the first stage that fails, with a remedy, and does not throw', async () => {
    google.inventory.serve(PARENT, manyRecords(2));
    google.inventory.grant(ACCOUNT, PARENT, VIEWER.slice(0, 1));
    expect(await failed()).toEqual(VIEWER.slice(1));
    google.inventory.grant(ACCOUNT, PARENT, []);
    expect(await failed()).toEqual(['parent', ...VIEWER]);
    google.inventory.disableApi('tools-1');
    expect((await failed())[0]).toBe('api');
    google.identities.remove(ACCOUNT);
    const { ok, checks } = await check();
    expect(ok).toBe(false);
    expect(checks[0]).toMatchObject({ name: 'credential', ok: false });
    expect(checks[0]?.remedy).not.toBe('');
  });
});
