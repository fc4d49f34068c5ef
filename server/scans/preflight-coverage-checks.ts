import { type Check, counted, pass, type Subject, skip } from './preflight-check.ts';
import type { Inventory } from './preflight-sources.ts';
import type { RuleOutline } from './ruleset.ts';

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
  if (missing.length === 0) return pass('coverage.types', 'Every rule finds assets of its types.');
  return {
    id: 'coverage.types',
    status: 'warn',
    code: 'TYPES_MISSING',
    message: `The inventory has no assets of: ${missing.join(', ')}.`,
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
      `All ${counted(all, 'asset')} of which ${counted(wanted.length, 'rule')} read the IAM policy come with one.`,
    );
  }
  return {
    id: 'coverage.iam',
    status: 'warn',
    code: 'POLICIES_MISSING',
    message: `Of ${counted(all, 'asset')} of which ${counted(wanted.length, 'rule')} read the IAM policy, ${without} (${shareOf(without, all)}) come without: there the rules may not be able to decide.`,
    remediation: 'Export with content type IAM_POLICY too and upload both exports in one file.',
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

/** Neither 0 % where there are some, nor 100 % where there are not all. */
function shareOf(part: number, whole: number): string {
  if (part === whole) return '100 %';
  return `${Math.min(99, Math.max(1, Math.round((part / whole) * 100)))} %`;
}

export function estimate({ source, rules }: Subject): Check {
  const inventory = source?.inventory;
  if (!inventory) return skip('estimate');
  return pass('estimate', `At most ${counted(evaluationsIn(inventory, rules), 'evaluation')}.`);
}

/** At most so many: every rule on every asset of its types, or once where it looks at a cloud project as a whole. */
export function evaluationsIn({ types }: Inventory, rules: readonly RuleOutline[]): number {
  return rules.reduce((total, rule) => {
    if (rule.onProjects) return total + 1;
    return rule.assetTypes.reduce((sum, type) => sum + (types.get(type) ?? 0), total);
  }, 0);
}
