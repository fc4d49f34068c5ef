import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Evaluation, Evaluator } from '../evaluate.ts';
import { type Asset, parseAsset } from '../inventory/normalise.ts';
import type { JsonValue } from '../json.ts';
import { resolveProfile } from '../profile.ts';
import type { Verdict } from '../rule.ts';
import { assetOf } from '../testing/asset.ts';
import { NOW } from '../testing/now.ts';
import type { RuleCase } from '../testing/rule-cases.ts';
import { snapshotOf } from '../testing/snapshot.ts';
import { RULE_CASES } from './catalogue.cases.ts';
import { RULES } from './catalogue.ts';

const full = resolveProfile('full');
if (full === undefined) throw new Error('There is no profile named full.');
const evaluator = evaluatorFor([]);

/** @param rule the only rule to evaluate; default: all */
function evaluatorFor(inventory: readonly Asset[], rule?: string): Evaluator {
  if (full === undefined) throw new Error('There is no profile named full.');
  const rules = full.rules.filter(({ id }) => rule === undefined || id === rule);
  return new Evaluator({ ...full, rules }, { now: NOW, snapshot: snapshotOf(inventory) });
}

describe('the catalogue', () => {
  it('the catalogue has each rule once, in the order of the ids', () => {
    const ids = RULES.map(({ id }) => id);
    expect(ids).not.toEqual([]);
    expect(ids).toEqual([...new Set(ids)].toSorted());
  });

  it('the catalogue has cases of all four verdicts for every rule, and for no other', () => {
    expect(
      RULE_CASES.map(({ rule }) => rule).toSorted(),
      'List the cases in scanner/rules/catalogue.cases.ts, and the rule in scanner/rules/catalogue.ts',
    ).toEqual(RULES.map(({ id }) => id));
  });

  it.each(RULES)('the id, texts and references of the rule $id have the required form', (rule) => {
    expect(rule.id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)+$/);
    expect(rule.version).toBeGreaterThanOrEqual(1);
    expect(rule.title).not.toMatch(/\.$/);
    expect(rule.description).toMatch(/^\S.{20,}\.$/);
    expect(rule.remediation).toMatch(/^\S.{20,}\.$/);
    expect(rule.assetTypes.length).toBeGreaterThan(0);
    expect(rule.needs.length).toBeGreaterThan(0);
  });
});

for (const { rule, pass, fail, na, unknown } of RULE_CASES) {
  describe(rule, () => {
    const verdicts: readonly (readonly [Verdict, readonly RuleCase[]])[] = [
      ['pass', pass],
      ['fail', fail],
      ['na', na === 'never' ? [] : na],
      ['unknown', unknown],
    ];
    for (const [verdict, cases] of verdicts) {
      for (const one of cases) {
        it(`the rule ${rule} gives ${verdict} for ${one.name}`, () =>
          expectVerdict(rule, verdict, one));
      }
    }

    it('a rule is not applicable to an asset of another type', () => {
      const asset = assetOf({ type: 'example.com/Thing', data: {}, iamPolicy: {} });
      const spoken = evaluator.evaluate(asset).filter(({ ruleId }) => ruleId === rule);
      const known = RULES.find(({ id }) => id === rule);
      const looksAtEveryPolicy = known !== undefined && 'looksAtEveryPolicy' in known;
      expect(spoken).toHaveLength(looksAtEveryPolicy ? 1 : 0);
      expect(evaluator.evaluate(assetOf({ type: 'example.com/Thing', data: {} }))).toEqual([]);
    });
  });
}

/** The outcome of a rule for the asset or project of a case, in an inventory that contains only the case. */
function evaluationsOf(rule: string, one: RuleCase): readonly Evaluation[] {
  const { asset, others = [], project } = one;
  if (asset !== undefined) return evaluatorFor([asset, ...others], rule).evaluate(asset);
  const projects = evaluatorFor(others, rule).evaluateProjects();
  const [only, ...more] = projects.filter(
    (evaluated) => project === undefined || evaluated.asset.name === project,
  );
  if (only === undefined || more.length > 0) {
    const names = projects.map((evaluated) => evaluated.asset.name).join(', ');
    throw new Error(`The case needs one project and has: ${names || 'none'}.`);
  }
  return only.evaluations;
}

function expectVerdict(rule: string, verdict: Verdict, one: RuleCase) {
  const { asset, findings } = one;
  const [evaluation] = evaluationsOf(rule, one);
  if (evaluation === undefined) {
    throw new Error(`${rule} does not look at ${asset?.type ?? 'projects'}.`);
  }
  expect(evaluation.verdict).toBe(verdict);
  expect(evaluation.findings.length !== 0).toBe(verdict === 'fail');
  expect(evaluation.missing !== null).toBe(verdict === 'unknown');
  for (const { message, evidence } of evaluation.findings) {
    expect(message).toMatch(/^\S.+\.$/);
    expect(evidence.length).toBeGreaterThan(0);
    for (const { path } of evidence) {
      expect(path).toMatch(/^(?!resource\.)[A-Za-z_][\w.[\]-]*$/);
    }
  }
  if (findings === undefined) return;
  const nominal = RULES.find(({ id }) => id === rule)?.severity;
  expect(evaluation.findings.map(({ subject, severity }) => ({ subject, severity }))).toEqual(
    findings.map((expected) => ({ severity: nominal, ...expected })),
  );
}

describe('a policy in another form than the API writes', () => {
  const onPolicies = RULES.filter(({ needs }) => needs.includes('IAM_POLICY'));
  const binding = { role: 'roles/viewer', members: 'allUsers' };
  const verdictsFor = (bindings: JsonValue) =>
    onPolicies.flatMap(({ id, assetTypes }) =>
      assetTypes.flatMap((type) => {
        const asset = assetOf({ type, iamPolicy: { bindings } });
        return evaluatorFor([], id)
          .evaluate(asset)
          .map(({ verdict, missing }) => ({ verdict, missing }));
      }),
    );

  it.each([
    ['are a string', 'allUsers'],
    ['are an object', { ...binding, members: ['allUsers'] }],
    ['are not objects', ['allUsers']],
    ['have members that are a string', [binding]],
    ['have members that are not strings', [{ ...binding, members: [['allUsers']] }]],
  ])('no rule passes on a policy whose bindings %s', (_, bindings) => {
    const verdicts = verdictsFor(bindings);
    expect(verdicts.filter(({ verdict }) => verdict === 'pass')).toEqual([]);
    expect(verdicts).toContainEqual({ verdict: 'unknown', missing: 'IAM_POLICY' });
  });

  it('a policy whose bindings, or their members, are absent grants nothing', () => {
    for (const bindings of [
      null,
      [],
      [{ role: 'roles/viewer' }],
      [{ ...binding, members: null }],
    ]) {
      expect(verdictsFor(bindings).filter(({ missing }) => missing === 'IAM_POLICY')).toEqual([]);
    }
  });

  it('a policy that has a violation among bindings of another form fails', () => {
    const violation = { role: 'roles/viewer', members: ['allUsers'] };
    const asset = assetOf({
      type: 'storage.googleapis.com/Bucket',
      iamPolicy: { bindings: [violation, binding] },
    });
    const [evaluation] = evaluatorFor([], 'bucket-public').evaluate(asset);
    expect(evaluation?.verdict).toBe('fail');
  });
});

describe('every rule', () => {
  /** The member names that rules read, so arbitrary JSON passes their first checks. */
  const names = fc.constantFrom(
    ...['allowed', 'IPProtocol', 'ports', 'sourceRanges', 'direction', 'bindings', 'members'],
    ...['role', 'settings', 'ipConfiguration', 'authorizedNetworks', 'value', 'sslMode', 'access'],
    ...['networkInterfaces', 'accessConfigs', 'labels', 'name', 'acl', 'entity', 'dnssecConfig'],
    ...['defaultKeySpecs', 'keyType', 'purpose', 'primary', 'rotationPeriod', 'state', '__proto__'],
    ...['iamConfiguration', 'uniformBucketLevelAccess', 'enabled', 'logging', 'legacyAbac'],
    ...['databaseVersion', 'databaseFlags', 'nodePools', 'config', 'management', 'masterAuth'],
    ...['masterAuthorizedNetworksConfig', 'cidrBlocks', 'cidrBlock', 'addonsConfig', 'metadata'],
    ...['environmentVariables', 'serviceConfig', 'httpsTrigger', 'securityLevel', 'PASSWORD'],
  );
  const words = fc.constantFrom(
    ...['allUsers', 'tcp', '22', '0-65535', '0.0.0.0/0', '::/0', '1.2.3.4/99', '7776000s', '6'],
    ...['ENCRYPT_DECRYPT', 'USER_MANAGED', 'RSASHA1', 'ZONE_SIGNING', 'a\0b', '\uD800', ''],
    ...['POSTGRES_15', 'MYSQL_8_0', 'SQLSERVER_2022_WEB', 'log_statement', '3625', 'on'],
  );
  const { json } = fc.letrec<{ json: unknown }>((tie) => ({
    json: fc.oneof(
      { depthSize: 'medium', withCrossShrink: true },
      fc.constantFrom(null, true, false, 0, 22, 6, -1, 1e308),
      words,
      fc.string({ unit: 'binary' }),
      fc.array(tie('json'), { maxLength: 4 }),
      fc.array(fc.tuple(names, tie('json')), { maxLength: 6 }).map(Object.fromEntries),
    ),
  }));

  it('every rule evaluates arbitrary JSON without throwing, and its findings can be stored', () => {
    fc.assert(
      fc.property(fc.constantFrom(...RULES), json, json, (rule, data, policy) => {
        for (const type of rule.assetTypes) {
          const record = { name: 'x', asset_type: type, resource: { data }, iam_policy: policy };
          for (const { findings } of evaluator.evaluate(parseAsset(JSON.stringify(record)))) {
            expect(JSON.stringify(findings)).not.toMatch(/\\u0000|\\ud[89ab]/i);
          }
        }
      }),
      { numRuns: 3000 },
    );
  });

  it('every rule accepts any JSON as a record', () => {
    fc.assert(
      fc.property(json, (record) => {
        evaluator.evaluate(parseAsset(JSON.stringify(record)));
      }),
    );
  });

  it('every rule accepts any reference assets', () => {
    const types = fc.constantFrom(...RULES.flatMap(({ assetTypes }) => assetTypes));
    const asset = fc
      .record({ type: types, data: json, orgPolicy: json })
      .map(({ type, data, orgPolicy }) =>
        parseAsset(
          JSON.stringify({
            name: '//x/projects/p/it',
            asset_type: type,
            resource: { data },
            org_policy: [orgPolicy],
          }),
        ),
      );
    fc.assert(
      fc.property(fc.array(asset), (inventory) => {
        const evaluator = evaluatorFor(inventory);
        for (const one of inventory) evaluator.evaluate(one);
        evaluator.evaluateProjects();
      }),
    );
  });
});
