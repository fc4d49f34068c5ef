import { resolveProfile } from '@cspm/scanner';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Analyst, type Scan } from '../../../tests/kit/analyst.ts';
import { cluster } from '../../../tests/kit/export-records.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { newId } from '../../platform/ids.ts';

let server: TestServer;
let analyst: Analyst;
let one: string;
let two: string;
/** In order of launch. */
let ids: string[];

beforeAll(async () => {
  // Without a worker the scans stay queued; the test sets other states directly in the table.
  server = await startTestServer();
  analyst = await Analyst.at(server);
  one = await analyst.project([cluster('a')]);
  two = await analyst.project([cluster('a')]);
  ids = [];
  for (let count = 0; count < 12; count += 1) {
    ids.push(await analyst.launch(count % 3 === 0 ? [one, two] : one, 'gke'));
  }
  await server.services.tenants.write(analyst.tenantId, (db) =>
    db.sql({ name: 'test-fail', text: "UPDATE scans SET status = 'failed' WHERE id = ANY($1)" }, [
      ids.slice(0, 4),
    ]),
  );
});

afterAll(() => server.close());

async function listed(filter: string, limit = 5): Promise<string[]> {
  const found: Scan[] = [];
  let cursor: string | null = null;
  do {
    const query: string = `limit=${limit}&${filter}${cursor === null ? '' : `&cursor=${cursor}`}`;
    const page: { items: Scan[]; nextCursor: string | null } = await analyst.ask(
      200,
      `/scans?${query}`,
    );
    found.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return found.map(({ id }) => id);
}

const newestFirst = (some: readonly string[]) => some.toReversed();

describe('the list of scans', () => {
  it('the list of scans contains each scan once, newest first, for every page size', async () => {
    for (const limit of [1, 5, 12, 100]) expect(await listed('', limit)).toEqual(newestFirst(ids));
  });

  it('the list of scans shows each scan as GET /scans/{id} does', async () => {
    const { items } = await analyst.ask(200, '/scans?limit=2');
    for (const scan of items) expect(await analyst.seen(scan.id)).toEqual(scan);
  });

  it('the list of scans filters by status, by project and by ids, alone and together', async () => {
    const both = ids.filter((_, index) => index % 3 === 0);
    expect(await listed('status=failed')).toEqual(newestFirst(ids.slice(0, 4)));
    expect(await listed('status=failed&status=queued')).toEqual(newestFirst(ids));
    expect(await listed('status=completed')).toEqual([]);
    expect(await listed(`project=${two}`)).toEqual(newestFirst(both));
    expect(await listed(`project=${one}&project=${two}`)).toEqual(newestFirst(ids));
    expect(await listed(`ids=${ids[1]}&ids=${ids[7]}&ids=${newId()}`)).toEqual([ids[7], ids[1]]);
    expect(await listed(`project=${two}&status=queued&ids=${ids[0]}&ids=${ids[6]}`)).toEqual([
      ids[6],
    ]);
  });

  it('the list of scans contains nothing of another tenant, whose ids are answered 404 like unknown ones', async () => {
    const stranger = await Analyst.at(server);
    const query = ids
      .slice(0, 3)
      .map((id) => `ids=${id}`)
      .join('&');
    for (const filter of ['', `?${query}`, `?project=${one}`]) {
      expect(await stranger.ask(200, `/scans${filter}`)).toEqual({ items: [], nextCursor: null });
    }
    const text = async (path: string) =>
      (await stranger.call(path, { headers: { 'x-correlation-id': 'same' } })).text;
    for (const suffix of ['', '/rules']) {
      expect(await text(`/scans/${ids[0]}${suffix}`)).toBe(
        await text(`/scans/${newId()}${suffix}`),
      );
    }
  });

  it('the list of scans shows zeros for each rule of a scan that has not started', async () => {
    const counts = await analyst.ruleCounts(ids[0] ?? '');
    const zeros = { pass: 0, fail: 0, na: 0, unknown: 0, missing: [] };
    expect(counts).toEqual(
      resolveProfile('gke')?.rules.map(({ id }) => ({ ruleId: id, ...zeros })),
    );
    expect(counts.length).toBeGreaterThan(1);
  });
});
