import { describe, expect, it } from 'vitest';
import { Evaluator } from '../evaluate.ts';
import { parseAsset } from '../inventory/normalise.ts';
import type { JsonValue } from '../json.ts';
import { resolveProfile } from '../profile.ts';
import { RuleTime } from '../rule-time.ts';
import { Snapshot } from '../snapshot.ts';
import { assetOf, policyOf } from '../testing/asset.ts';
import { compileCustomRule } from './compile.ts';
import { evaluateCustomRule } from './tests.ts';

const BUCKET = 'storage.googleapis.com/Bucket';
const NOW = new Date('2026-11-20T12:00:00Z');
const CONTEXT = {
  now: NOW,
  time: new RuleTime(NOW),
  snapshot: new Snapshot({ assetTypes: new Map() }),
  parameters: {},
};

function ruleOf(predicate: string, more: { description?: string } = {}) {
  return compileCustomRule({
    id: 'mine',
    version: 1,
    title: 'Mine',
    description: '',
    severity: 'high',
    assetTypes: [BUCKET],
    predicate,
    recommendation: 'Mend it.',
    ...more,
  });
}

/** The verdict of a predicate; for `unknown` with the missing field. */
function verdictOf(predicate: string, record: { data?: JsonValue; iamPolicy?: JsonValue }): string {
  const asset = assetOf({ type: BUCKET, ...record });
  const { verdict, message } = evaluateCustomRule(ruleOf(predicate), asset, NOW);
  return message === '' ? verdict : `${verdict}: ${message}`;
}

const on = (data: JsonValue) => (predicate: string) => verdictOf(predicate, { data });

describe('a predicate', () => {
  it('a predicate that is true is a violation, and one that is false is not', () => {
    const of = on({ labels: { owner: 'web' }, versioning: { enabled: false } });
    expect(of('resource.data.versioning.enabled == false')).toBe('fail');
    expect(of('!has(resource.data.labels.owner)')).toBe('pass');
    expect(of('asset.type.startsWith("storage.") && asset.name.endsWith("/it")')).toBe('fail');
  });

  it('a predicate can read the content directly below resource, as in Security Health Analytics', () => {
    const of = on({ rotationPeriod: '8640000s', data: 'its own' });
    expect(of('duration(resource.rotationPeriod) > duration("7776000s")')).toBe('fail');
    expect(of('resource.data.data == "its own" && resource.data.rotationPeriod != ""')).toBe(
      'fail',
    );
  });

  it('a predicate can read the time of the scan', () => {
    const of = on({ timeCreated: '2026-05-01T00:00:00.000Z' });
    expect(of('now - timestamp(resource.data.timeCreated) > duration("2160h")')).toBe('fail');
    expect(of('now - timestamp(resource.data.timeCreated) > duration("8760h")')).toBe('pass');
  });

  it('a predicate can read members of any name from the inventory', () => {
    const of = on({ constructor: { name: 'x' }, list: [{ constructor: 1 }], ['__proto__x']: 1 });
    expect(of('resource.data.constructor.name == "x"')).toBe('fail');
    expect(of('resource.data.list.exists(one, one.constructor == 1)')).toBe('fail');
    expect(of('has(resource.data.toString) || has(resource.data.hasOwnProperty)')).toBe('pass');
    expect(of('resource.data.valueOf == 1')).toBe('unknown: resource.data.valueOf');
  });

  it.each([
    ['resource.data.size == 5', 'fail'],
    ['resource.data.size > 4 && resource.data.size < 5.5', 'fail'],
    ['resource.data.ports.exists(port, port == 22)', 'fail'],
    ['resource.data.ports.all(port, port > 22)', 'pass'],
    ['resource.data.ports[1] == 443', 'fail'],
    ['"tls" in resource.data && resource.data.tls.lowerAscii() == "tls_1_0"', 'fail'],
    ['resource.data.tls.matches("^TLS_1_[01]$")', 'fail'],
    ['resource.data.nothing == null', 'fail'],
    // In protocol buffers a field without a value is absent.
    ['has(resource.data.nothing)', 'pass'],
    ['resource.data.map(name, name).size() == 4', 'fail'],
  ])('the predicate %s has the value that CEL defines', (predicate, verdict) => {
    const data = { size: 5, ports: [22, 443], tls: 'TLS_1_0', nothing: null };
    expect(on(data)(predicate)).toBe(verdict);
  });
});

describe('content that is missing in the inventory makes the verdict UNKNOWN', () => {
  const of = on({ labels: { a: '1' }, list: [{ name: 'x' }] });

  it.each([
    ['resource.data.website.mainPageSuffix == "x"', 'resource.data.website'],
    ['!has(resource.data.website.mainPageSuffix)', 'resource.data.website'],
    ['resource.data.labels["owner"] == ""', 'resource.data.labels.owner'],
    ['resource.website == 1', 'resource.website'],
    ['resource.data.list.exists(one, one.size > 3)', 'one.size'],
    ['resource.data.list[1].name == "x"', 'line 1 column 1: the index is out of range'],
  ])('%s is UNKNOWN because the inventory lacks %s', (predicate, missing) => {
    expect(of(predicate)).toBe(`unknown: ${missing}`);
  });

  it.each([
    ['has(resource.data.list.name)', 'line 1 column 18: has() accepts a member of an object'],
    ['!has(resource.data.list.name)', 'line 1 column 19: has() accepts a member of an object'],
    ['!has(resource.data.labels.a.b)', 'line 1 column 26: has() accepts a member of an object'],
    [
      'resource.data.list.exists(l, has(l.name.x))',
      'line 1 column 35: has() accepts a member of an object',
    ],
    ['has(resource.data.unset.x)', 'resource.data.unset'],
    ['!has(resource.data["unset"].x)', 'resource.data.unset'],
    ['[null].exists(one, has(one.x))', 'one'],
  ])(
    '%s is UNKNOWN because it tests a member of something else than an object',
    (predicate, reason) => {
      const data = { labels: { a: '1' }, list: [{ name: 'x' }], unset: null };
      expect(on(data)(predicate)).toBe(`unknown: ${reason}`);
      expect(on(data)(`${predicate} || has(resource.data.labels)`)).toBe('fail');
    },
  );

  it('has() tests members of objects in lists, of literals and of the time of the scan', () => {
    expect(of('has(resource.data.list[0].name) && !has(resource.data.list[0].size)')).toBe('fail');
    expect(of('resource.data.list.all(one, has(one.name)) && has({"a": 1}.a)')).toBe('fail');
    expect(of('has((true ? resource.data.labels : resource.data.list).a)')).toBe('fail');
    expect(of('has(resource.data.labels) && has(now.seconds)')).toBe('fail');
  });

  it('data missing from the inventory makes the verdict UNKNOWN unless the other operands decide it', () => {
    expect(of('resource.data.website == 1 || has(resource.data.labels)')).toBe('fail');
    expect(of('resource.data.website == 1 && has(resource.data.owner)')).toBe('pass');
    expect(of('has(resource.data.website) && resource.data.website.x == 1')).toBe('pass');
  });

  it('a whole content that was not exported makes the verdict UNKNOWN even with has()', () => {
    const policyAlone = { iamPolicy: policyOf('roles/viewer allUsers') };
    expect(verdictOf('!has(resource.data.labels)', policyAlone)).toBe('unknown: RESOURCE');
    expect(verdictOf('!has(resource.labels)', policyAlone)).toBe('unknown: RESOURCE');
    expect(verdictOf('isPublic(iam_policy)', { data: {} })).toBe('unknown: IAM_POLICY');
    const either = 'has(resource.data.acl) || isPublic(iam_policy)';
    expect(verdictOf(either, policyAlone)).toBe('fail');
    expect(verdictOf(either, { data: { acl: [] } })).toBe('fail');
  });

  it('a value that Terraform knows only after apply makes the verdict UNKNOWN', () => {
    const record = { data: { name: 'b', location: '' } };
    const asset = assetOf({ type: BUCKET, ...record });
    const planned = JSON.stringify({
      name: asset.name,
      asset_type: BUCKET,
      resource: record,
      unknown_after_apply: [['data', 'location']],
    });
    const rule = ruleOf('resource.data.location == "EU"');
    expect(evaluateCustomRule(rule, parseAsset(planned), NOW)).toMatchObject({
      verdict: 'unknown',
      message: 'location is known after apply only',
    });
    // The known operand is enough to decide.
    const other = ruleOf('resource.data.name == "b" || resource.data.location == "EU"');
    expect(evaluateCustomRule(other, parseAsset(planned), NOW)).toMatchObject({ verdict: 'fail' });
  });
});

describe('a value of another type than the predicate takes it for makes the verdict UNKNOWN', () => {
  const of = on({ size: 5, name: 'secret-of-the-asset' });

  it.each([
    [
      'resource.data.size + 1 > 5',
      'line 1 column 20: + does not accept double and int (numbers in an inventory are doubles: write 1.0 or int(…))',
    ],
    ['resource.data.name > 5', 'line 1 column 20: > does not accept string and int'],
    ['int(resource.data.name) > 5', 'line 1 column 1: a function does not accept the given value'],
    ['resource.data.name && true', 'line 1 column 1: a value has the wrong type'],
    ['resource.data.name', 'the predicate does not return a boolean'],
    [
      'resource.data.name.matches(resource.data.name + "(")',
      'line 1 column 19: a function does not accept the given value',
    ],
  ])(
    '%s is UNKNOWN because a value has another type than the predicate expects',
    (predicate, reason) => {
      expect(of(predicate)).toBe(`unknown: ${reason}`);
    },
  );

  it.each([
    ['1 / 0 == 1', 'line 1 column 2: division by zero'],
    ['true &&\n  int(resource.data.size) % 0 == 1', 'line 2 column 26: division by zero'],
    ['9223372036854775807 + 1 > 0', 'line 1 column 20: the integer is out of range'],
    ['-(-9223372036854775807 - 1) > 0', 'line 1 column 1: the integer is out of range'],
    ['int(resource.data.size * 1e300) > 0', 'line 1 column 1: the integer is out of range'],
  ])('%s is UNKNOWN with the place of the operation that has no result', (predicate, reason) => {
    expect(of(predicate)).toBe(`unknown: ${reason}`);
  });

  it('the reason of an UNKNOWN verdict quotes no data of the asset', () => {
    expect(of('timestamp(resource.data.name) < now')).not.toContain('secret');
    expect(of('bool(resource.data.name)')).not.toContain('secret');
    expect(of('resource.data[resource.data.name] == 1')).toBe('unknown: a computed member');
  });
});

describe('a violation', () => {
  it('a violation of a custom rule is about the asset as a whole, and cites the fields that the predicate names', () => {
    const rule = ruleOf(
      '!has(resource.data.labels.owner) && resource.location == "EU" && resource.data.acl.exists(a, a == iam_policy.etag)',
      { description: 'Every bucket names its owner.' },
    );
    const asset = assetOf({
      type: BUCKET,
      data: { labels: {}, location: 'EU', acl: ['x', 'BwWV9DYRcXA='] },
      iamPolicy: policyOf(),
    });
    expect(rule.evaluate(asset, CONTEXT)).toEqual({
      verdict: 'fail',
      violations: [
        {
          message: 'Every bucket names its owner.',
          evidence: [
            { path: 'labels.owner', value: null },
            { path: 'location', value: 'EU' },
            { path: 'acl', value: ['x', 'BwWV9DYRcXA='] },
            { path: 'iam_policy.etag', value: 'BwWV9DYRcXA=' },
          ],
        },
      ],
    });
  });

  it('the name of a cited field has no characters that Postgres refuses', () => {
    const outcome = ruleOf('!has(resource.data.owner) || resource.data["a\\x00b"] == 1').evaluate(
      assetOf({ type: BUCKET, data: {} }),
      CONTEXT,
    );
    expect(outcome.verdict === 'fail' && outcome.violations[0].evidence).toEqual([
      { path: 'owner', value: null },
      { path: 'a\uFFFDb', value: null },
    ]);
  });

  it('a violation of a custom rule shows neither secrets nor whole objects', () => {
    const rule = ruleOf('resource.data.key != "" && size(resource.data.nested) > 0');
    const key = `-----BEGIN PRIVATE KEY-----\n${'A'.repeat(64)}\n-----END PRIVATE KEY-----`;
    const asset = assetOf({ type: BUCKET, data: { key, nested: { a: 'b' } } });
    expect(JSON.stringify(rule.evaluate(asset, CONTEXT))).not.toMatch(/AAAA|"b"/);
  });
});

describe('a custom rule', () => {
  it('a custom rule lists the content that it needs', () => {
    expect(ruleOf('has(resource.data.x)').needs).toEqual(['RESOURCE']);
    expect(ruleOf('isPublic(iamPolicy) || has(resource.x)').needs).toEqual([
      'IAM_POLICY',
      'RESOURCE',
    ]);
    expect(ruleOf('asset.name == ""').needs).toEqual([]);
  });

  it('a custom rule is evaluated together with built-in ones, if a profile names its version', () => {
    const rule = ruleOf('resource.data.name == "it"');
    const builtIn = resolveProfile('storage')?.rules ?? [];
    const rules = [{ id: 'mine', version: 1, parameters: {} }, ...builtIn];
    const evaluations = new Evaluator({ rules }, CONTEXT, [rule]).evaluate(
      assetOf({ type: BUCKET, data: { name: 'it' } }),
    );
    expect(evaluations.map(({ ruleId }) => ruleId)).toContain('bucket-public');
    expect(evaluations.find(({ ruleId }) => ruleId === 'mine')).toMatchObject({
      verdict: 'fail',
      findings: [{ ruleId: 'mine', severity: 'high', title: 'Mine', subject: '', message: 'Mine' }],
    });
    const later = [{ id: 'mine', version: 2, parameters: {} }];
    expect(() => new Evaluator({ rules: later }, CONTEXT, [rule])).toThrow('mine in version 2');
    expect(() => new Evaluator({ rules: later }, CONTEXT)).toThrow('mine in version 2');
  });
});
