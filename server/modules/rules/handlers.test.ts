import { PROFILE_NAMES, RULES, resolveProfile } from '@cspm/scanner';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Analyst } from '../../../tests/kit/analyst.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';

let server: TestServer;
let analyst: Analyst;

beforeAll(async () => {
  server = await startTestServer();
  analyst = await Analyst.at(server);
});

afterAll(() => server.close());

async function listed(filter: string, limit = 7): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const page: { items: { id: string }[]; nextCursor: string | null } = await analyst.ask(
      200,
      `/rules?limit=${limit}&${filter}${cursor === null ? '' : `&cursor=${cursor}`}`,
    );
    ids.push(...page.items.map(({ id }) => id));
    cursor = page.nextCursor;
  } while (cursor !== null);
  return ids;
}

describe('rules', () => {
  it('rules are listed once each, ordered by id, for every page size', async () => {
    const ids = RULES.map(({ id }) => id);
    for (const limit of [1, 7, 100]) expect(await listed('', limit)).toEqual(ids);
  });

  it.each(['\0\0\0', '{"a":1}', 'Bucket-public', ''])(
    'a cursor of the rules that has no id of a rule is refused: %j',
    async (key) => {
      const cursor = Buffer.from(key).toString('base64url');
      const problem = await analyst.ask(400, `/rules?cursor=${cursor}`);
      expect(problem).toMatchObject({
        code: 'VALIDATION_FAILED',
        errors: [{ path: 'query.cursor', message: 'is not a valid cursor' }],
      });
    },
  );

  it('rules are filtered by severity and category, alone and together', async () => {
    const of = (holds: (rule: (typeof RULES)[number]) => boolean) =>
      RULES.filter(holds).map(({ id }) => id);
    expect(await listed('severity=high')).toEqual(of(({ severity }) => severity === 'high'));
    expect(await listed('category=storage&category=gke')).toEqual(
      of(({ category }) => category === 'storage' || category === 'gke'),
    );
    expect(await listed('category=storage&severity=low')).toEqual(
      of(({ category, severity }) => category === 'storage' && severity === 'low'),
    );
    expect(await listed('category=none')).toEqual([]);
  });

  it('rules show what they evaluate, why, and how to fix a violation', async () => {
    const { items } = await analyst.ask(200, '/rules?limit=100');
    for (const rule of items) {
      expect(await analyst.ask(200, `/rules/${rule.id}`)).toEqual(rule);
      expect(rule.assetTypes.length).toBeGreaterThan(0);
      expect(rule.needs.length).toBeGreaterThan(0);
      expect(rule.description).not.toBe('');
      expect(rule.remediation).not.toBe('');
    }
    const bucket = items.find(({ id }: { id: string }) => id === 'bucket-public');
    expect(bucket).toMatchObject({ severity: 'high', category: 'storage' });
    expect(bucket.compliance).toContainEqual({ framework: 'cis-gcp-4.0', id: '5.1' });
  });

  it.each(['no-such-rule', '..', '%00', 'x'.repeat(200)])(
    'a rule with the id "%s" is answered 404',
    async (id) => {
      expect((await analyst.call(`/rules/${id}`)).status).toBe(404);
    },
  );
});

describe('profiles', () => {
  it('profiles are listed completely with aliases, each with the rules and the digest of a scan', async () => {
    const { items, nextCursor } = await analyst.ask(200, '/profiles');
    expect(nextCursor).toBeNull();
    expect(items.map(({ name }: { name: string }) => name)).toEqual(PROFILE_NAMES);
    for (const { name, digest, rules, ruleCount } of items) {
      const profile = resolveProfile(name);
      expect(digest).toBe(profile?.digest);
      expect(rules).toEqual(profile?.rules.map(({ id }) => id));
      expect(ruleCount).toBe(rules.length);
    }
    const of = (name: string) => items.find((item: { name: string }) => item.name === name);
    expect(of('cis-gcp').rules).toEqual(of('cis-gcp-4.0').rules);
    expect(of('cis-gcp').aliasOf).toBe('cis-gcp-4.0');
    expect(of('cis-gcp-4.0').aliasOf).toBeNull();
    expect(of('quick').rules).toEqual(of('critical').rules);
    expect(of('full').ruleCount).toBe(RULES.length);
  });
});
