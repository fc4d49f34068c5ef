import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rowsOf } from '../../../tests/kit/owner-queries.ts';
import type { TestUser } from '../../../tests/kit/people.ts';
import { plantFindings } from '../../../tests/kit/planted-findings.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
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
  anyOf(below, [null, null, null, null, 'env', 'env=prod', 'env=test', 'team']);

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
      labels: anyOf(below, [{}, { env: 'prod' }, { env: 'test', team: 'a' }]),
    }));
    await plantFindings(server.database, user.tenant.id, json.id, findings);
  }
  return { user, projects };
}

/** Inserts selectors without the limits of the API. */
async function plantSelectors(
  below: Below,
  { user, projects }: Planted,
  globs: readonly (string | null)[],
): Promise<void> {
  const selectors = globs.map((asset) => {
    const rule = below(3) === 0 ? `rule-${below(4)}` : null;
    const project = below(3) === 0 ? anyOf(below, projects) : null;
    const [key = null, value = null] =
      (asset === null ? 'env=prod' : labelOf(below))?.split('=') ?? [];
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
    };
  });
  await rowsOf(
    server.database,
    user.tenant.id,
    `INSERT INTO mutes (tenant_id, id, rule_id, project_id, asset, asset_pattern, label_key, label_value, lookup, reason, expires_at, created_at)
     SELECT $1, gen_random_uuid(), rule, project, asset, pattern, key, value, lookup, 'planted', now() + interval '30 days', now()
     FROM json_to_recordset($2)
       AS m(rule text, project uuid, asset text, pattern text, key text, value text, lookup text)`,
    [user.tenant.id, JSON.stringify(selectors)],
  );
}

/** Compares each finding with each mute. */
const MUTED = `
  SELECT f.id FROM findings f
  WHERE EXISTS (
    SELECT FROM mutes m
    WHERE (m.rule_id IS NULL OR m.rule_id = f.rule_id) AND (m.project_id IS NULL OR m.project_id = f.project_id)
      AND (m.asset_pattern IS NULL OR f.asset_name LIKE m.asset_pattern)
      AND (m.label_key IS NULL OR CASE WHEN m.label_value IS NULL THEN f.asset_labels ? m.label_key
                                       ELSE f.asset_labels ->> m.label_key = m.label_value END))`;

describe('many mutes by pattern', () => {
  it.each(
    Array.from({ length: 20 }, (_, seed) => [[0, 1, 3, 8][seed % 4] as number, seed] as const),
  )(
    'with many mutes by pattern from texts of at least %i characters, exactly the findings that one of them matches are muted (seed %i)',
    async (shortest, seed) => {
      const below = random(seed);
      const names = [...new Set(Array.from({ length: NAMES }, () => nameOf(below)))];
      const planted = await tenantWith(below, names);
      const count = 5 + below(60);
      const globs = Array.from({ length: count }, () => globOf(below, names, shortest));
      await plantSelectors(below, planted, [...globs, ...(below(2) === 0 ? [null] : [])]);
      const { tenant, key } = planted.user;
      const expected = (await rowsOf(server.database, tenant.id, MUTED)).map(({ id }) => id);
      const list = await server.call('/findings?muted=true&limit=500', { headers: key });
      const ids = list.json.items.map(({ id }: { id: string }) => id);
      expect(ids.toSorted()).toEqual(expected.toSorted());
      const { json } = await server.call('/findings/summary', { headers: key });
      expect(json.total.muted).toBe(expected.length);
    },
  );
});
