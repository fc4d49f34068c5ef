import { type Check, counted, pass, type Subject, skip } from './preflight-check.ts';
import type { Inventory } from './preflight-sources.ts';

export function coverageTypes({ source, ruleset, rules }: Subject): Check {
  const inventory = source?.inventory;
  if (!inventory || ruleset === null) return skip('coverage.types');
  const missing = [
    ...new Set(
      rules
        .filter((rule) => !rule.assetTypes.some((type) => inventory.types.has(type)))
        .flatMap((rule) => rule.assetTypes),
    ),
  ].sort();
  if (missing.length === 0) return pass('coverage.types', 'Every rule has assets of its types.');
  return {
    id: 'coverage.types',
    status: 'warn',
    code: 'TYPES_MISSING',
    message: `${inventory.assets === 0 ? 'The inventory is empty. ' : ''}The inventory has no assets of: ${missing.join(', ')}.`,
    remediation: 'If the project has such resources, export these asset types too.',
  };
}

export function coverageIam({ source, ruleset, rules }: Subject): Check {
  const inventory = source?.inventory;
  if (!inventory || ruleset === null) return skip('coverage.iam');
  const wanted = rules.filter(
    (rule) =>
      rule.needs.includes('IAM_POLICY') &&
      rule.assetTypes.some((type) => inventory.types.has(type)),
  );
  if (wanted.length === 0) return pass('coverage.iam', 'No rule needs IAM policies here.');
  const types = new Set(wanted.flatMap((rule) => rule.assetTypes));
  const { all, without } = policiesOf(inventory, types);
  if (without === 0) {
    return pass(
      'coverage.iam',
      `All ${counted(all, 'asset')} whose IAM policy is evaluated (by ${counted(wanted.length, 'rule')}) have one.`,
    );
  }
  return {
    id: 'coverage.iam',
    status: 'warn',
    code: 'POLICIES_MISSING',
    message: `${without} of ${counted(all, 'asset')} (${shareOf(without, all)}) whose IAM policy is evaluated (by ${counted(wanted.length, 'rule')}) have none: those verdicts may be UNKNOWN.`,
    remediation: 'Also export with content type IAM_POLICY and upload both exports in one file.',
  };
}

function policiesOf({ types, contents }: Inventory, wanted: ReadonlySet<string>) {
  const policies = new Map(contents?.policies.map(({ type, count }) => [type, count]));
  let all = 0;
  let without = 0;
  for (const [type, count] of types) {
    if (!wanted.has(type)) continue;
    all += count;
    without += count - (policies.get(type) ?? 0);
  }
  return { all, without };
}

/** Rounds a percentage, but to 0 % only for none and to 100 % only for all. */
function shareOf(part: number, whole: number): string {
  if (part === whole) return '100 %';
  return `${Math.min(99, Math.max(1, Math.round((part / whole) * 100)))} %`;
}

export function estimate({ source, evaluations }: Subject): Check {
  if (!source?.inventory) return skip('estimate');
  return pass('estimate', `At most ${counted(evaluations, 'evaluation')}.`);
}
