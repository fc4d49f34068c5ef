import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rowsOf } from '../../../tests/kit/owner-queries.ts';
import type { TestUser } from '../../../tests/kit/people.ts';
import { plantFindings } from '../../../tests/kit/planted-findings.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { expiringMutes } from './expiring-mutes.ts';
import { likePattern } from './like-pattern.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

const NAMES = 200;

/** A generator of equal numbers in every run: mulberry32. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

type Below = ReturnType<typeof random>;

const anyOf = <T>(below: Below, values: readonly T[]): T => values[below(values.length)] as T;

/** Few characters, so that texts often almost match: letter cases, and what is special in patterns, expressions and UTF-8. */
const CHARACTERS = ['a', 'A', 'b', '/', '-', '%', '_', '\\', '?', '.', '(', 'ä', '漢', '🙂', ' '];
const WORDS = ['//storage.googleapis.com/', 'projects/shop-prod/', 'buckets/uploads-', 'Projects/'];

const textOf = (below: Below, most: number) =>
  Array.from({ length: below(most + 1) }, () => anyOf(below, CHARACTERS)).join('');

function nameOf(below: Below): string {
  const words = Array.from({ length: below(4) }, () => anyOf(below, WORDS) + textOf(below, 4));
  return `${words.join('')}${textOf(below, 20)}x`;
}

/** A pattern made from a part of a name, so that it often matches it, sometimes changed a little. */
function globOf(below: Below, names: readonly string[], shortest: number): string {
  const points = [...anyOf(below, names)];
  const from = below(3) === 0 ? 0 : below(points.length);
  const to = below(3) === 0 ? points.length : from + shortest + below(24);
  const part = points.slice(from, to);
  for (let cut = below(4); cut > 0; cut -= 1) part.splice(below(part.length + 1), below(3), '*');
  if (below(4) === 0) part.splice(below(part.length + 1), 1, anyOf(below, CHARACTERS));
  return `${from === 0 ? '' : '*'}${part.join('')}${to >= points.length ? '' : '*'}`;
}

const labelOf = (below: Below) =>
  anyOf(below, [
    'env',
    'env=prod',
    'env=test',
    'env=',
    'team',
    'team=b',
    'k1',
    'k3=v',
    'k7=v',
    'none=v',
  ]);

/** Labels of an asset: few keys, which many assets have, and many, which few have. */
function labelsOf(below: Below): Record<string, string> {
  const own = anyOf(below, [
    {},
    { env: 'prod' },
    { env: 'test', team: 'a' },
    { env: '', team: 'b' },
  ]);
  return below(3) === 0 ? own : { ...own, [`k${below(20)}`]: anyOf(below, ['v', 'w']) };
}

interface Planted {
  readonly user: TestUser;
  readonly projects: readonly string[];
}

async function tenantWith(below: Below, names: readonly string[]): Promise<Planted> {
  const user = await server.people.user();
  const projects: string[] = [];
  for (const name of ['one', 'two']) {
    const call = { method: 'POST', headers: user.key, body: { name } };
    const { json } = await server.call('/projects', call);
    projects.push(json.id);
    const findings = names.map((asset) => ({
      asset,
      ruleId: `rule-${below(3)}`,
      labels: labelsOf(below),
      status: below(5) === 0 ? ('resolved' as const) : ('open' as const),
    }));
    await plantFindings(server.database, user.tenant.id, json.id, findings);
  }
  return { user, projects };
}

/** Inserts selectors without the limits of the API. Null: a mute without a pattern. */
async function plantSelectors(
  below: Below,
  { user, projects }: Planted,
  globs: readonly (string | null)[],
): Promise<void> {
  const selectors = globs.map((asset) => {
    const rule = below(3) === 0 ? `rule-${below(4)}` : null;
    const project = below(3) === 0 ? anyOf(below, projects) : null;
    const isLabelled = (below(asset === null ? 8 : 3) === 0) === (asset !== null);
    const isAlone = asset === null && (rule === null || project === null);
    const [key = null, value = null] = isLabelled || isAlone ? labelOf(below).split('=') : [];
    const other = project === null ? 'any' : `project:${project}`;
    const pattern = asset === null ? null : likePattern(asset);
    return {
      asset,
      pattern,
      rule,
      project,
      key,
      value,
      lookup: rule === null ? other : `rule:${rule}`,
      days: 1 + below(14),
    };
  });
  await rowsOf(
    server.database,
    user.tenant.id,
    `INSERT INTO mutes (tenant_id, id, rule_id, project_id, asset, asset_pattern, label_key, label_value, lookup, reason, expires_at, created_at)
     SELECT $1, gen_random_uuid(), rule, project, asset, pattern, key, value, lookup, 'planted', $3::timestamptz + make_interval(days => days), $3
     FROM json_to_recordset($2)
       AS m(rule text, project uuid, asset text, pattern text, key text, value text, lookup text, days int)`,
    [user.tenant.id, JSON.stringify(selectors), server.clock.now()],
  );
}

const FITS = `
  (m.rule_id IS NULL OR m.rule_id = f.rule_id) AND (m.project_id IS NULL OR m.project_id = f.project_id)
  AND (m.asset_pattern IS NULL OR f.asset_name LIKE m.asset_pattern)
  AND (m.label_key IS NULL OR CASE WHEN m.label_value IS NULL THEN f.asset_labels ? m.label_key
                                   ELSE f.asset_labels ->> m.label_key = m.label_value END)`;

/** Compares each finding with each mute. */
const FINDINGS = `
  SELECT f.id, (SELECT max(m.expires_at) FROM mutes m WHERE ${FITS}) AS muted_until FROM findings f`;

/** Compares each mute that ends soon with each open finding of the project $1. */
const EXPIRING = `
  SELECT count(*)::int AS count FROM mutes m
  WHERE m.expires_at - $2::timestamptz <= interval '7 days' AND (
    m.project_id = $1 OR m.project_id IS NULL AND EXISTS (
      SELECT FROM findings f WHERE f.project_id = $1 AND f.status = 'open' AND ${FITS}))`;

interface Listed {
  readonly id: string;
  readonly muted: { readonly expiresAt: string } | null;
}

describe('many mutes', () => {
  it.each(
    Array.from({ length: 20 }, (_, seed) => [[0, 1, 3, 8][seed % 4] as number, seed] as const),
  )(
    'with many mutes, by pattern from texts of at least %i characters and by label, exactly the findings that one of them matches are muted (seed %i)',
    async (shortest, seed) => {
      const below = random(seed);
      const names = [...new Set(Array.from({ length: NAMES }, () => nameOf(below)))];
      const planted = await tenantWith(below, names);
      const globs = Array.from({ length: below(60) }, () => globOf(below, names, shortest));
      const others = Array.from({ length: anyOf(below, [0, 1, 6, 40]) }, () => null);
      await plantSelectors(below, planted, [...globs, ...others]);
      const { tenant, key } = planted.user;
      const rows = await rowsOf(server.database, tenant.id, FINDINGS);
      const until = new Map(rows.map((row) => [row['id'], row['muted_until'] as Date | null]));
      const idsOf = (muted: boolean) =>
        [...until]
          .filter(([, end]) => (end !== null) === muted)
          .map(([id]) => id)
          .toSorted();
      const listed = async (query: string) => {
        const { json } = await server.call(`/findings?limit=500&${query}`, { headers: key });
        return json.items as Listed[];
      };
      for (const sort of ['newest', 'severity', 'lastSeen']) {
        for (const muted of [true, false]) {
          const ids = (await listed(`sort=${sort}&muted=${muted}`)).map(({ id }) => id);
          expect(ids.toSorted(), `${sort} ${muted}`).toEqual(idsOf(muted));
        }
      }
      const { text } = await server.call('/findings/export?format=ndjson', { headers: key });
      const exported: Listed[] = text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      expect(exported).toHaveLength(until.size);
      for (const { id, muted } of [...(await listed('')), ...exported]) {
        expect(muted?.expiresAt).toBe(until.get(id)?.toISOString());
      }
      const { json } = await server.call('/findings/summary', { headers: key });
      const counts = new Map(
        json.facets.muted.map((one: { value: string; count: number }) => [one.value, one.count]),
      );
      expect(counts.get('true') ?? 0).toBe(idsOf(true).length);
      const now = server.clock.now();
      const found = await server.services.tenants.read(tenant.id, (db) =>
        expiringMutes(db, planted.projects, now),
      );
      for (const project of planted.projects) {
        const [expiring] = await rowsOf(server.database, tenant.id, EXPIRING, [project, now]);
        expect(found.get(project)?.count ?? 0).toBe(expiring?.['count']);
        expect(found.get(project)?.isPartial).toBeUndefined();
      }
    },
  );
});
