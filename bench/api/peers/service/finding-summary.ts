import { RULES } from '../../../../scanner/rules/catalogue.ts';
import type { Finding, FindingSummary } from './finding-schemas.ts';

/** The number of findings with the same values. */
export interface FindingGroup {
  /** The name of the project. */
  readonly project: string;
  readonly ruleId: string;
  readonly severity: string;
  readonly status: string;
  readonly assetType: string;
  readonly delta: string;
  readonly count: number;
}

const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'] as const;
const FACET_VALUES = 100;
const CUSTOM = 'custom';

const rules = new Map(
  RULES.map(({ id, category, compliance }) => [
    id,
    { category, frameworks: [...new Set(compliance.map(({ framework }) => framework))] },
  ]),
);

/**
 * @param all the groups of all findings
 * @param muted those of the muted ones
 * @param customRules the ids of the tenant's rules
 */
export function summaryOf(
  all: readonly FindingGroup[],
  muted: readonly FindingGroup[],
  customRules: readonly string[],
): FindingSummary {
  const total = noFindings();
  const bySeverity = {
    critical: noFindings(),
    high: noFindings(),
    medium: noFindings(),
    low: noFindings(),
    info: noFindings(),
  };
  const byProject = new Map<string, Count>();
  const byRule = new Map<string, Count & { severity: Finding['severity'] }>();
  const facets = new Facets();
  for (const group of all) {
    const { project, ruleId, status, count } = group;
    // The service itself wrote these values.
    const severity = group.severity as Finding['severity'];
    const ofProject = byProject.get(project) ?? noFindings();
    const ofRule = byRule.get(ruleId) ?? { severity, ...noFindings() };
    if (rank(severity) < rank(ofRule.severity)) ofRule.severity = severity;
    byProject.set(project, ofProject);
    byRule.set(ruleId, ofRule);
    for (const sum of [total, bySeverity[severity], ofProject, ofRule]) {
      sum[status as 'open' | 'resolved'] += count;
    }
    facets.addGroup(group, customRules);
  }
  for (const { project, ruleId, severity, status, count } of muted) {
    facets.add('muted', 'true', count);
    facets.add('muted', 'false', -count);
    if (status !== 'open') continue;
    const sums = [
      total,
      bySeverity[severity as Finding['severity']],
      byProject.get(project),
      byRule.get(ruleId),
    ];
    for (const sum of sums) if (sum !== undefined) sum.muted += count;
  }
  return {
    total,
    bySeverity,
    byProject: [...byProject]
      .map(([project, count]) => ({ project, ...count }))
      .sort((a, b) => inOrder(a.project, b.project)),
    byRule: [...byRule]
      .map(([ruleId, count]) => ({ ruleId, ...count }))
      .sort(
        (a, b) =>
          rank(a.severity) - rank(b.severity) || b.open - a.open || inOrder(a.ruleId, b.ruleId),
      ),
    facets: facets.view(),
  };
}

interface Count {
  open: number;
  resolved: number;
  muted: number;
}

const noFindings = (): Count => ({ open: 0, resolved: 0, muted: 0 });

const rank = (severity: Finding['severity']) => SEVERITIES.indexOf(severity);

const inOrder = (a: string, b: string) => (a < b ? -1 : 1);

type Facet = keyof FindingSummary['facets'];

class Facets {
  readonly #values: Record<Facet, Map<string, number>> = {
    severity: new Map(),
    status: new Map(),
    project: new Map(),
    rule: new Map(),
    category: new Map(),
    assetType: new Map(),
    framework: new Map(),
    delta: new Map(),
    muted: new Map(),
  };

  add(facet: Facet, value: string, count: number) {
    const values = this.#values[facet];
    values.set(value, (values.get(value) ?? 0) + count);
  }

  addGroup(group: FindingGroup, customRules: readonly string[]) {
    const { ruleId, count } = group;
    const rule = rules.get(ruleId);
    const category = rule?.category ?? (customRules.includes(ruleId) ? CUSTOM : undefined);
    this.add('severity', group.severity, count);
    this.add('status', group.status, count);
    this.add('project', group.project, count);
    this.add('rule', ruleId, count);
    if (category !== undefined) this.add('category', category, count);
    this.add('assetType', group.assetType, count);
    for (const framework of rule?.frameworks ?? []) this.add('framework', framework, count);
    this.add('delta', group.delta, count);
    this.add('muted', 'false', count);
  }

  view(): FindingSummary['facets'] {
    const facets = Object.entries(this.#values).map(([facet, values]) => [
      facet,
      [...values]
        .filter(([, count]) => count > 0)
        .map(([value, count]) => ({ value, count }))
        .sort((a, b) => b.count - a.count || inOrder(a.value, b.value))
        .slice(0, FACET_VALUES),
    ]);
    return Object.fromEntries(facets);
  }
}
