import { LIMITS } from '@cspm/contract';
import { evaluationsAtMost, type RuleOutline } from '@cspm/scanner';
import type { TenantConnection } from '../../platform/database/tenant-database.ts';
import { EventLoopYielder } from '../../platform/event-loop-yield.ts';
import { expiringMutes } from '../findings/index.ts';
import { outlinesOf, type Ruleset, resolveRuleset } from '../rules/index.ts';
import type { Caller, Check } from './preflight-check.ts';
import { checksOf } from './preflight-checks.ts';
import { countOpenScans, findSources, type Inventory } from './preflight-sources.ts';

/** The result of preflight, with the data that a launch needs. */
export interface PreflightReport {
  readonly ruleset: Ruleset | null;
  readonly profileName: string;
  readonly projects: readonly ProjectReport[];
  readonly estimate: { readonly assets: number; readonly evaluations: number };
}

interface ProjectReport {
  readonly id: string | null;
  readonly name: string;
  readonly checks: readonly Check[];
}

const EVALUATIONS_PER_SECOND = 100_000;
const ASSETS_PER_SECOND = 10_000;
const VALID_SECONDS = 300;

/**
 * Checks everything that could prevent a scan. A launch runs the same checks and refuses when one fails.
 * @param expiring whether to look for expiring mutes. They only cause a warning, which takes seconds to find in a tenant with
 * many findings and mutes, so launches skip it.
 */
export async function runPreflight(
  db: TenantConnection,
  request: { readonly projects: readonly string[]; readonly profile: string },
  caller: Caller,
  now: Date,
  { expiring }: { readonly expiring: 'checked' | 'skipped' },
): Promise<PreflightReport> {
  const ruleset = await resolveRuleset(db, request.profile);
  const names = [...new Set(request.projects)];
  const sources = await findSources(db, names);
  const rules = ruleset === null ? [] : outlinesOf(ruleset);
  const openScans = await countOpenScans(db);
  const ids = [...sources.values()].map(({ id }) => id);
  const mutes = expiring === 'checked' ? await expiringMutes(db, ids, now) : null;
  const projects: ProjectReport[] = [];
  const estimate = { assets: 0, evaluations: 0 };
  const yielder = new EventLoopYielder();
  for (const name of names) {
    if (yielder.isDue) await yielder.yieldNow();
    const source = sources.get(name) ?? null;
    const inventory = source?.inventory ?? null;
    const evaluations = inventory === null ? 0 : evaluationsIn(inventory, rules);
    estimate.assets += inventory?.assets ?? 0;
    estimate.evaluations += evaluations;
    const checks = checksOf({
      name,
      source,
      repeats: request.projects.filter((other) => other === name).length,
      ruleset,
      profileName: request.profile,
      rules,
      evaluations,
      caller,
      openScans,
      expiringMutes: mutes === null ? 'skipped' : ((source && mutes.get(source.id)) ?? null),
      now,
    });
    projects.push({ id: source?.id ?? null, name, checks });
  }
  return { ruleset, profileName: request.profile, projects, estimate };
}

/** The failed checks with their projects, for the response of a refused launch. */
export function blockersOf(report: PreflightReport) {
  return report.projects.flatMap((project) =>
    project.checks
      .filter((check) => check.status === 'fail')
      .map(({ id, code, message, remediation }) => ({
        project: project.name,
        id,
        status: 'fail' as const,
        code,
        message,
        remediation,
      })),
  );
}

/** Maps the report to its contract type. */
export function preflightView(report: PreflightReport, now: Date) {
  const statuses = report.projects.flatMap(({ checks }) => checks.map((check) => check.status));
  const { assets, evaluations } = report.estimate;
  return {
    decision: decisionOf(statuses),
    profile: {
      name: report.ruleset?.profile ?? report.profileName,
      digest: report.ruleset?.digest ?? null,
      ruleCount: report.ruleset?.rules.length ?? 0,
    },
    projects: report.projects.map(({ name, checks }) => ({ name, checks: [...checks] })),
    estimate: {
      assets,
      evaluations,
      seconds: assets / ASSETS_PER_SECOND + evaluations / EVALUATIONS_PER_SECOND,
    },
    limits: { projectsPerScan: 100, launchesPerMinute: LIMITS.scans.quota },
    expiresAt: new Date(now.getTime() + VALID_SECONDS * 1000).toISOString(),
  };
}

function decisionOf(statuses: readonly Check['status'][]) {
  if (statuses.includes('fail')) return 'blocked' as const;
  return statuses.includes('warn') ? ('ready_with_warnings' as const) : ('ready' as const);
}

/** Upper bound of the number of evaluations in a scan of the inventory. */
function evaluationsIn({ types, contents }: Inventory, rules: readonly RuleOutline[]): number {
  return evaluationsAtMost(rules, {
    types,
    policies:
      contents === null ? null : new Map(contents.policies.map(({ type, count }) => [type, count])),
    projects: contents?.projects ?? null,
    unplaced: contents?.unplaced ?? null,
  });
}
