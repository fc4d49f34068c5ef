import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Analyst, type Finding, type Scan } from '../../../tests/kit/analyst.ts';
import { bucket, cluster, firewall, manyClusters } from '../../../tests/kit/export-records.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { newId } from '../../platform/ids.ts';

let server: TestServer;
let analyst: Analyst;
let large: string;
let small: string;
let scan: Scan;
let all: Finding[];

beforeAll(async () => {
  server = await startTestServer({ worker: true });
  analyst = await Analyst.at(server);
  large = await analyst.project(manyClusters(450));
  small = await analyst.project([
    bucket('b', { uniform: false, logged: false }),
    firewall('f', { ports: ['22', '3389'], sourceRanges: ['0.0.0.0/0'] }),
    cluster('c0', { legacyAbac: true }),
  ]);
  scan = await analyst.scan([large, small]);
  await analyst.upload(small, [
    bucket('b', { uniform: false }),
    firewall('f'),
    cluster('c0', { legacyAbac: true }),
  ]);
  await analyst.scan(small);
  all = await analyst.findings();
});

afterAll(() => server.close());

describe('the list of findings', () => {
  it('the list of findings contains each finding once, newest first, for every page size', async () => {
    expect(all).toHaveLength(150 + 5);
    const ids = all.map(({ id }) => id);
    expect(ids).toEqual(ids.toSorted().reverse());
    expect(new Set(ids).size).toBe(ids.length);
    for (const limit of [9, 100]) {
      const some = await analyst.findings('', limit);
      expect(some).toEqual(all);
    }
  });

  it('the list of findings has pages of 25 by default, and shows whether there are more', async () => {
    const page = await analyst.ask(200, '/findings');
    expect(page.items).toEqual(all.slice(0, 25));
    expect(page.nextCursor).toEqual(expect.any(String));
    const last = await analyst.ask(200, `/findings?project=${small}&limit=100`);
    expect(last).toMatchObject({ nextCursor: null });
    const exact = await analyst.ask(200, `/findings?project=${small}&limit=${last.items.length}`);
    expect(exact).toEqual(last);
  });

  it('the list of findings is stable when findings are added while a client pages through it', async () => {
    const first = await analyst.ask(200, '/findings?limit=100');
    const project = await analyst.project([cluster('late', { legacyAbac: true })]);
    await analyst.scan(project, 'gke');
    const second = await analyst.ask(200, `/findings?limit=100&cursor=${first.nextCursor}`);
    expect([...first.items, ...second.items]).toEqual(all);
    await analyst.ask(204, `/projects/${project}`, { method: 'DELETE' });
  });

  it('the list of findings contains nothing of another tenant', async () => {
    const stranger = await Analyst.at(server);
    expect(await stranger.findings()).toEqual([]);
    expect(await stranger.findings(`scan=${scan.id}`)).toEqual([]);
    expect(await stranger.findings(`project=${small}`)).toEqual([]);
    expect((await stranger.call(`/findings/${all[0]?.id}`)).status).toBe(404);
  });
});

type Holds = (finding: Finding) => boolean;

/** SMALL and LARGE are replaced by the project names, which are created later. */
const FILTERS: [filter: string, holds: Holds][] = [
  ['project=SMALL', ({ project }) => project === small],
  ['project=SMALL&project=LARGE', () => true],
  ['project=nobodys', () => false],
  ['severity=low', ({ severity }) => severity === 'low'],
  ['severity=low&severity=medium', ({ severity }) => severity === 'low' || severity === 'medium'],
  ['status=resolved', ({ status }) => status === 'resolved'],
  ['status=open&status=resolved', () => true],
  ['status=resolved&status=resolved', ({ status }) => status === 'resolved'],
  ['project=SMALL&project=SMALL', ({ project }) => project === small],
  ['rule=fw-ssh-world', ({ ruleId }) => ruleId === 'fw-ssh-world'],
  [
    'rule=fw-ssh-world&rule=bucket-uniform-access',
    ({ ruleId }) => ruleId === 'fw-ssh-world' || ruleId === 'bucket-uniform-access',
  ],
  ['rule=no-such-rule', () => false],
  [
    'project=SMALL&severity=high&status=open',
    ({ project, severity, status }) =>
      project === small && severity === 'high' && status === 'open',
  ],
  [
    'project=SMALL&severity=high&status=resolved&rule=fw-rdp-world&rule=fw-ssh-world',
    ({ project, status, ruleId }) =>
      project === small && status === 'resolved' && ruleId.startsWith('fw-'),
  ],
];

describe('the list filter', () => {
  it.each(FILTERS)(
    'the filter %s returns exactly the matching findings, alone and together with a scan',
    async (filter, holds) => {
      const query = filter.replaceAll('SMALL', small).replace('LARGE', large);
      expect(await analyst.findings(query, 40)).toEqual(all.filter(holds));
      const seen = (await analyst.findings(`scan=${scan.id}`)).filter(holds);
      expect(await analyst.findings(`scan=${scan.id}&${query}`, 40)).toEqual(seen);
    },
  );

  it('the filter by scan returns what that scan saw or resolved, with its delta', async () => {
    const seen = await analyst.findings(`scan=${scan.id}`, 60);
    expect(seen.map(({ id }) => id)).toEqual(all.map(({ id }) => id));
    expect(new Set(seen.map(({ delta }) => delta))).toEqual(new Set(['new']));
    expect(seen).toHaveLength(scan.delta.new);
    expect(await analyst.findings(`scan=${newId()}`)).toEqual([]);
  });

  it.each([
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00+23:59',
    '9999-12-31T23:59:59-23:59',
    '2026-11-20T09:00:00+01:00',
    '2026-11-20T08:00:00.123456789Z',
  ])('the filter by time accepts %s, which Postgres alone could not read', async (time) => {
    const reply = await analyst.call(`/findings?${new URLSearchParams({ since: time })}`);
    expect(reply.status).toBe(200);
  });

  it.each([
    'severity=urgent',
    'status=closed',
    'scan=not-an-id',
    'project=Not%20A%20Name',
    'limit=0',
    'limit=501',
    'sort=oldest',
    'q=',
    'delta=gone',
    'since=yesterday',
    'limit=ten',
    'cursor=nonsense',
    'unknown=1',
    'scan=x&scan=y',
    'rule=%00',
  ])('the filter %s is refused', async (filter) => {
    const reply = await analyst.call(`/findings?${filter}`);
    expect(reply.status).toBe(400);
    expect(reply.json).toMatchObject({ code: 'VALIDATION_FAILED' });
  });
});
