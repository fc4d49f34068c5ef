import { describe, expect, it } from 'vitest';
import { RULE_CASES } from '../rules/catalogue.cases.ts';
import { NOW } from '../testing/now.ts';
import { snapshotOf } from '../testing/snapshot.ts';
import type { Fix } from './repair.ts';
import { verifiedFix } from './verified-fix.ts';

/** The fixes of all failing cases of a rule. */
function fixesOf(ruleId: string): Fix[] {
  const failing = RULE_CASES.filter(({ rule }) => rule === ruleId).flatMap(({ fail }) => fail);
  return failing.flatMap(({ asset, others = [] }) => {
    if (asset === undefined) return [];
    const { name, type, data, iamPolicy, orgPolicies } = asset;
    const text = JSON.stringify({
      name,
      asset_type: type,
      ...(data !== null && { resource: { data } }),
      ...(iamPolicy !== null && { iam_policy: iamPolicy }),
      ...(orgPolicies !== null && { org_policy: orgPolicies }),
    });
    const { fix } = verifiedFix(
      { ruleId, text },
      { now: NOW, snapshot: snapshotOf([asset, ...others]) },
    );
    return fix === null ? [] : [fix];
  });
}

describe('the commands of a fix', () => {
  it.each(['fn-env-secrets', 'fn-https', 'fn-ingress-all'])(
    'every command of %s that deploys a function names a folder, because gcloud would deploy the current one',
    (ruleId) => {
      const fixes = fixesOf(ruleId);
      expect(fixes.length).toBeGreaterThan(0);
      for (const { gcloud, caution } of fixes) {
        for (const line of gcloud.split('\n')) {
          expect(line).toMatch(/^gcloud functions deploy .* --source=FOLDER /);
        }
        expect(caution).toContain('replace FOLDER');
      }
    },
  );

  it.each([
    'bucket-public-access-prevention',
    'fn-ingress-all',
    'gke-basic-auth',
    'project-oslogin',
    'run-ingress-all',
    'vm-oslogin-2fa',
    'vm-project-ssh-keys',
  ])('every fix of %s says who loses access', (ruleId) => {
    const fixes = fixesOf(ruleId);
    expect(fixes.length).toBeGreaterThan(0);
    for (const { caution } of fixes) expect(caution).not.toBeNull();
  });

  it.each(['fw-logging', 'iam-audit-config', 'lb-logging', 'subnet-flow-logs'])(
    'every fix of %s says that the logs are billed',
    (ruleId) => {
      const fixes = fixesOf(ruleId);
      expect(fixes.length).toBeGreaterThan(0);
      for (const { caution } of fixes) expect(caution).toContain('billed by their volume');
    },
  );
});
