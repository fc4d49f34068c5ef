import { createReadStream, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Evaluator } from '../evaluate.ts';
import { mergeRecords } from '../inventory/merge.ts';
import { type Asset, parseAsset } from '../inventory/normalise.ts';
import { readInventory } from '../inventory/reader.ts';
import type { InventoryRecord } from '../inventory/record.ts';
import type { JsonValue } from '../json.ts';
import { resolveProfile } from '../profile.ts';
import type { Rule, Verdict } from '../rule.ts';
import { RULE_CASES } from '../rules/catalogue.cases.ts';
import { RULES } from '../rules/catalogue.ts';
import { IAM_BASES } from '../terraform/iam-resources.gen.ts';
import { NOW } from '../testing/now.ts';
import { snapshotOf } from '../testing/snapshot.ts';
import { applyPatch, PATCH_LIMITS } from './json-patch.ts';
import { verifiedFix } from './verified-fix.ts';

/*
 * For each rule with a fix and each asset that fails it: fail, apply the patch, pass, and no other rule gets worse. The
 * assets are those of the rules' cases, of the sample, and of the policy library, which is kept outside of the repository.
 */

interface FailingAsset {
  readonly name: string;
  readonly ruleId: string;
  /** The asset as stored. */
  readonly text: string;
  readonly others: readonly Asset[];
}

/** What the reasons of a refusal begin with: the repair needs what only the owner knows, is impossible, or has no effect. */
const REFUSAL =
  /^(?:needs the |a node pool on Windows cannot |Private Google Access does not apply )/;

/** The rules on settings that the Google provider for Terraform has removed. */
const NOT_IN_PROVIDER: ReadonlySet<string> = new Set(['gke-basic-auth', 'gke-dashboard']);

const full = resolveProfile('full');
if (full === undefined) throw new Error('There is no profile named full.');
const rules = full.rules;
const withFix = RULES.filter(({ fix }) => fix !== undefined);

function verdictsOf(text: string, others: readonly Asset[]): ReadonlyMap<string, Verdict> {
  const asset = parseAsset(text);
  const context = { now: NOW, snapshot: snapshotOf([asset, ...others]) };
  const evaluations = new Evaluator({ rules }, context).evaluate(asset);
  return new Map(evaluations.map(({ ruleId, verdict }) => [ruleId, verdict]));
}

/** A record of the asset, as an export has it. */
function textOf({ name, type, data, iamPolicy, orgPolicies, ancestors }: Asset): string {
  return JSON.stringify({
    name,
    asset_type: type,
    ...(data !== null && { resource: { version: 'v1', data } }),
    ...(iamPolicy !== null && { iam_policy: iamPolicy }),
    ...(orgPolicies !== null && { org_policy: orgPolicies }),
    ...(ancestors.length > 0 && { ancestors }),
  });
}

const ofCases: readonly FailingAsset[] = RULE_CASES.flatMap(({ rule, fail }) =>
  fail.flatMap(({ name, asset, others = [] }) =>
    asset === undefined ? [] : [{ name, ruleId: rule, text: textOf(asset), others }],
  ),
);

async function failingIn(path: string, format: 'json' | 'ndjson'): Promise<FailingAsset[]> {
  const records = new Map<string, InventoryRecord[]>();
  const options = { format, maxBytes: 1e9, maxRecordBytes: 4 << 20 };
  for await (const record of readInventory(createReadStream(path), options)) {
    const key = `${record.type} ${record.name}`;
    records.set(key, [...(records.get(key) ?? []), record]);
  }
  const texts = [...records.values()].map((alike) => mergeRecords(alike).text);
  const assets = texts.map(parseAsset);
  const evaluator = new Evaluator({ rules }, { now: NOW, snapshot: snapshotOf(assets) });
  return assets.flatMap((asset, index) =>
    evaluator.evaluate(asset).flatMap(({ ruleId, verdict }) => {
      if (verdict !== 'fail') return [];
      const others = assets.filter((other) => other !== asset);
      return [{ name: asset.name, ruleId, text: texts[index] ?? '', others }];
    }),
  );
}

/** @returns whether there is a fix */
function expectProof({ ruleId, text, others, name }: FailingAsset): boolean {
  const asset = parseAsset(text);
  const snapshot = snapshotOf([asset, ...others]);
  const { fix, reason } = verifiedFix({ ruleId, text }, { now: NOW, snapshot });
  if (fix === null) {
    expect(reason, `${ruleId}: ${name}`).toMatch(REFUSAL);
    return false;
  }
  const record: JsonValue = JSON.parse(text);
  const before = verdictsOf(text, others);
  const after = verdictsOf(JSON.stringify(applyPatch(record, fix.patch)), others);
  expect(before.get(ruleId), name).toBe('fail');
  expect(after.get(ruleId), `${ruleId}: ${name}`).toBe('pass');
  for (const [id, verdict] of after) {
    if (before.get(id) === 'pass') expect(verdict, `${id} after ${ruleId}`).not.toBe('fail');
  }
  expect(JSON.parse(text), 'The patch was applied to a copy').toEqual(record);
  expect(fix.patch.length).toBeGreaterThan(0);
  expect(fix.patch.length).toBeLessThanOrEqual(PATCH_LIMITS.operations);
  expect(fix.gcloud).toMatch(/^(?:gcloud|bq) \S/);
  expect(fix.gcloud).not.toMatch(/\{\w+\}|undefined/);
  if (NOT_IN_PROVIDER.has(ruleId)) expect(fix.terraform).toEqual([]);
  else expect(fix.terraform.length).toBeGreaterThan(0);
  for (const { resource, attribute, value } of fix.terraform) {
    // The provider has blocks where a value would be an object, and a block cannot be assigned.
    expect(value ?? '', `${ruleId}: ${attribute}`).not.toMatch(/^\[?\{/);
    expect(resource).toMatch(/^google_/);
    expect(attribute).toMatch(/^[a-z][\w.-]+$/);
    const base = /^google_([a-z]\w*)_iam_(?:member|audit_config)$/.exec(resource)?.[1];
    if (base !== undefined) expect(Object.keys(IAM_BASES)).toContain(base);
  }
  if (fix.caution !== null) expect(fix.caution).toMatch(/^[A-Z].+\.$/);
  return true;
}

describe('every rule', () => {
  it.each(RULES)(
    'the rule $id has either a fix or the reason why it has none',
    ({ fix, noFix }) => {
      expect(
        [fix, noFix].filter((given) => given !== undefined),
        'Give the rule `fix`, or `noFix` with a reason; see docs/fixes.md',
      ).toHaveLength(1);
      if (noFix === undefined) return;
      const remedy = 'Write `noFix` as the end of "no: …", without a capital letter or a full stop';
      expect(noFix, remedy).toMatch(/^[a-z].+[^.]$/);
    },
  );

  it('a rule on a whole project has no fix, because no patch can change one', () => {
    const onProjects = RULES.filter((rule: Rule) => 'evaluateProject' in rule);
    expect(onProjects.filter(({ fix }) => fix !== undefined)).toEqual([]);
  });

  it('at least two thirds of the rules have a fix', () => {
    expect(withFix.length * 3).toBeGreaterThanOrEqual(RULES.length * 2);
  });
});

describe.each(withFix)('the fix of $id', ({ id }) => {
  const failing = ofCases.filter(({ ruleId }) => ruleId === id);

  it.each(failing)('the fix repairs the case: $name', (one) => {
    expectProof(one);
  });

  it('the fix of a rule repairs at least one of its cases', () => {
    expect(failing.some(expectProof)).toBe(true);
  });
});

const SAMPLE = join(import.meta.dirname, '../../samples/shop-prod.ndjson');
const LIBRARY = join(import.meta.dirname, '../../../shared/data/gcp-policy-library');
const isLibraryPresent = existsSync(LIBRARY);

describe('the fixes of whole inventories', () => {
  const isFixable = ({ ruleId }: FailingAsset) => withFix.some(({ id }) => id === ruleId);

  it('the fixes of the sample inventory repair every asset', async () => {
    const failing = (await failingIn(SAMPLE, 'ndjson')).filter(isFixable);
    expect(failing.length).toBeGreaterThan(withFix.length / 2);
    for (const one of failing) expectProof(one);
  });

  it.skipIf(!isLibraryPresent)('the fixes of the policy library repair every asset', async () => {
    const files = readdirSync(LIBRARY).filter(
      (file) => file.endsWith('.json') && file !== 'expected.json',
    );
    let repaired = 0;
    for (const file of files) {
      for (const one of await failingIn(join(LIBRARY, file), 'json')) {
        if (isFixable(one) && expectProof(one)) repaired += 1;
      }
    }
    expect(repaired).toBeGreaterThan(files.length);
  });
});
