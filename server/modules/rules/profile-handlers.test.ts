import { RULES, resolveProfile } from '@cspm/scanner';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Analyst } from '../../../tests/kit/analyst.ts';
import { bucket } from '../../../tests/kit/export-records.ts';
import { Belongings } from '../../../tests/kit/fixtures.ts';
import { rowsOf } from '../../../tests/kit/owner-queries.ts';
import type { TestTenant } from '../../../tests/kit/people.ts';
import { StallWatch } from '../../../tests/kit/stall-watch.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { threadCpuMs } from '../../../tests/kit/thread-cpu.ts';
import { insertCustomRule } from './custom-rule-queries.ts';
import { insertProfile } from './profile-queries.ts';

let server: TestServer;
let tenant: TestTenant;
let analyst: Analyst;

beforeAll(async () => {
  server = await startTestServer({ worker: true });
});

afterAll(() => server.close());

beforeEach(async () => {
  tenant = await server.people.tenant(['custom_rules']);
  analyst = await Analyst.at(server, { tenant });
});

const NAME = 'custom:web-tier';
const create = (definition: object) =>
  analyst.call('/profiles', { method: 'POST', body: { name: NAME, ...definition } });
const replace = (definition: object) =>
  analyst.call(`/profiles/${NAME}`, { method: 'PUT', body: definition });
const remove = () => analyst.call(`/profiles/${NAME}`, { method: 'DELETE' });
const listed = async (name: string) =>
  (await analyst.ask(200, '/profiles')).items.find((one: { name: string }) => one.name === name);
const preflight = async (profile: string) => {
  const project = await analyst.project([bucket('b')]);
  return analyst.ask(200, '/preflight', { method: 'POST', body: { projects: [project], profile } });
};
const customRule = () => new Belongings(server.services, server.database, tenant).customRule();

describe("a profile of the tenant's own", () => {
  it('a custom profile selects rules, is listed after the built-in ones, and has the digest of a scan', async () => {
    const definition = {
      include: ['category:storage', 'kms-*'],
      exclude: ['bucket-logging'],
      parameters: { 'kms-rotation-90d': { days: 30 } },
    };
    const { status, json } = await create(definition);
    expect(status).toBe(201);
    const rules = RULES.filter(
      ({ id, category }) =>
        (category === 'storage' || id.startsWith('kms-')) && id !== 'bucket-logging',
    ).map(({ id }) => id);
    expect(json).toEqual({
      name: NAME,
      aliasOf: null,
      title: 'web-tier',
      description: expect.any(String),
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      ruleCount: rules.length,
      rules,
      definition,
    });
    const { items } = await analyst.ask(200, '/profiles');
    expect(items.at(-1)).toEqual(json);
    expect(items.at(0)).toMatchObject({ name: 'full', definition: null });
    const project = await analyst.project([bucket('b')]);
    const scan = await analyst.scan(project, NAME);
    expect(scan).toMatchObject({ status: 'completed', profile: NAME, profileDigest: json.digest });
    expect((await analyst.ruleCounts(scan.id)).map(({ ruleId }) => ruleId)).toEqual(rules);
    const audited = await rowsOf(
      server.database,
      tenant.id,
      "SELECT subject, detail FROM audit_events WHERE action = 'profile.created'",
    );
    const detail = { ...definition, apiKeyId: expect.any(String) };
    expect(audited).toEqual([{ subject: NAME, detail }]);
  });

  it('a custom profile is refused with the path of every unknown name', async () => {
    const { json } = await create({
      include: ['bucket-public', 'bucket-pubic', 'category:none'],
      exclude: ['tag:x'],
      parameters: { 'kms-rotation-90d': { days: 30 }, 'bucket-public': { days: 1 } },
    });
    expect(json).toMatchObject({ status: 400, code: 'VALIDATION_FAILED' });
    expect(json.errors.map(({ path }: { path: string }) => path)).toEqual([
      'body.include.1',
      'body.include.2',
      'body.exclude.0',
      'body.parameters.kms-rotation-90d',
      'body.parameters.bucket-public.days',
    ]);
    expect((await create({ include: ['*'], exclude: ['*'] })).json.errors).toMatchObject([
      { path: 'body.include' },
    ]);
    const unstorable = {
      include: ['*'],
      parameters: { 'iam-external-members': { allowedDomains: ['\0'] } },
    };
    expect((await create(unstorable)).status).toBe(400);
    expect(
      (await analyst.call('/profiles', { method: 'POST', body: { name: 'full', include: ['*'] } }))
        .status,
    ).toBe(400);
    expect(await listed(NAME)).toBeUndefined();
  });

  it.each([
    ['{"__proto__":{"days":3}}', 'body.parameters'],
    ['{"kms-rotation-90d":{"__proto__":{}}}', 'body.parameters.kms-rotation-90d'],
  ])('a custom profile is refused with the parameters %s', async (parameters, path) => {
    const reply = await server.call('/profiles', {
      method: 'POST',
      headers: { ...analyst.headers, 'content-type': 'application/json' },
      body: `{"name":"${NAME}","include":["kms-*"],"parameters":${parameters}}`,
    });
    expect(reply).toMatchObject({
      status: 400,
      json: { errors: [{ path, message: expect.stringContaining('"__proto__"') }] },
    });
    expect(await listed(NAME)).toBeUndefined();
  });

  it('a custom profile is replaced and deleted by name, which is unique', async () => {
    const { digest } = (await create({ include: ['bucket-public'] })).json;
    expect((await create({ include: ['bucket-public'] })).json).toMatchObject({ code: 'CONFLICT' });
    const replaced = await replace({ include: ['category:gke'] });
    expect(replaced).toMatchObject({ status: 200 });
    expect(replaced.json.digest).not.toBe(digest);
    expect(await listed(NAME)).toEqual(replaced.json);
    expect((await replace({ include: ['nothing'] })).status).toBe(400);
    expect((await remove()).status).toBe(204);
    expect((await remove()).status).toBe(404);
    expect((await replace({ include: ['category:gke'] })).status).toBe(404);
    expect(await preflight(NAME)).toMatchObject({ decision: 'blocked' });
  });

  it('changing a custom profile does not affect earlier scans', async () => {
    await create({ include: ['bucket-public'] });
    const project = await analyst.project([bucket('b')]);
    const scan = await analyst.scan(project, NAME);
    await replace({ include: ['bucket-versioning'] });
    await remove();
    expect((await analyst.ruleCounts(scan.id)).map(({ ruleId }) => ruleId)).toEqual([
      'bucket-public',
    ]);
    expect(await analyst.seen(scan.id)).toEqual(scan);
  });

  it('a custom profile is refused when the tenant has a hundred, and hidden from other tenants', async () => {
    const has = new Belongings(server.services, server.database, tenant);
    // One after the other: concurrently they would wait for the tenant's share of connections.
    const names: string[] = [];
    while (names.length < 100) names.push(await has.profile());
    expect((await create({ include: ['*'] })).json).toMatchObject({ code: 'CONFLICT' });
    const stranger = await Analyst.at(server);
    const reply = await stranger.call(`/profiles/${names[0]}`, { method: 'DELETE' });
    expect(reply.status).toBe(404);
  });
});

describe('the list of profiles', () => {
  it('the list of profiles has all profiles by name, and does not block other requests while selectors are compared', async () => {
    const { tenants, clock } = server.services;
    const rule = {
      title: 'Long id',
      description: '',
      severity: 'low',
      assetTypes: ['storage.googleapis.com/Bucket'],
      predicate: 'false',
      recommendation: '',
      needs: [],
      enabled: true,
      tests: [],
    } as const;
    const names = Array.from({ length: 25 }, (_, n) => `custom:p${10 + n}`);
    await tenants.write(tenant.id, async (db) => {
      for (let n = 10; n < 40; n += 1) {
        await insertCustomRule(db, { ...rule, id: `${'a'.repeat(60)}${n}` }, clock.now());
      }
      for (const name of names.toReversed()) {
        const crafted = Array.from({ length: 200 }, (_, n) => `*${'a'.repeat(40)}${name}${n}*`);
        const selectors = crafted.map((selector) => selector.replace('custom:', ''));
        const profile = { name, include: ['bucket-public', ...selectors], exclude: selectors };
        await insertProfile(db, { ...profile, parameters: {} }, clock.now());
      }
    });
    await analyst.ask(200, '/profiles');
    const stalls = new StallWatch(threadCpuMs);
    try {
      const { items } = await analyst.ask(200, '/profiles');
      expect(stalls.worstMs).toBeLessThan(100);
      const own = items.filter((one: { name: string }) => one.name.startsWith('custom:'));
      expect(own.map((one: { name: string }) => one.name)).toEqual(names);
      expect(own[0].rules).toEqual(['bucket-public']);
    } finally {
      stalls.stop();
    }
  });
});

describe('custom rules in a profile', () => {
  it('custom rules in a profile are selected by id, category and severity', async () => {
    const ids = [await customRule(), await customRule()].sort();
    for (const include of [ids, ['rule-*'], ['category:custom']]) {
      const { json } = await create({ include });
      expect(json.rules).toEqual(ids);
      await remove();
    }
    const medium = (await create({ include: ['severity:medium'] })).json;
    expect(medium.rules).toEqual(expect.arrayContaining(ids));
    expect((await listed('full')).rules).toEqual(expect.arrayContaining(ids));
    expect((await listed('storage')).digest).toBe(resolveProfile('storage')?.digest);
  });

  it('deleted custom rules are ignored in a profile, and a profile without rules is reported', async () => {
    const id = await customRule();
    await create({ include: [id, 'bucket-public'], exclude: [id, 'kms-public'] });
    await replace({ include: [id, 'bucket-public'] });
    await analyst.ask(204, `/custom-rules/${id}`, { method: 'DELETE' });
    expect(await listed(NAME)).toMatchObject({
      rules: ['bucket-public'],
      definition: { include: [id, 'bucket-public'] },
    });
    expect(await preflight(NAME)).toMatchObject({ profile: { ruleCount: 1 } });
    const alone = await customRule();
    await replace({ include: [alone] });
    await analyst.ask(204, `/custom-rules/${alone}`, { method: 'DELETE' });
    expect(await listed(NAME)).toMatchObject({ ruleCount: 0, rules: [] });
    const report = await preflight(NAME);
    expect(report.decision).toBe('blocked');
    expect(report.projects[0].checks[0]).toMatchObject({ status: 'fail', code: 'PROFILE_EMPTY' });
  });
});

describe('the allowed domains of a tenant', () => {
  it('the allowed domains of a tenant are parameters of its rules and part of the digest, unless a profile sets its own', async () => {
    const own = { 'iam-external-members': { allowedDomains: ['partner.example'] } };
    await create({ include: ['iam-external-members'], parameters: own });
    const digests = async () => ({
      iam: (await listed('iam')).digest,
      gke: (await listed('gke')).digest,
      own: (await listed(NAME)).digest,
    });
    const before = await digests();
    await server.database.owner.query(
      `UPDATE identity.tenants SET settings = '{"allowedDomains": ["example.com"]}' WHERE id = $1`,
      [tenant.id],
    );
    const after = await digests();
    expect(after).toEqual({ ...before, iam: after.iam });
    expect(after.iam).not.toBe(before.iam);
    expect((await preflight('iam')).profile.digest).toBe(after.iam);
  });
});
