import { LIMITS } from '@cspm/contract';
import { type Profile, RULES, resolveProfile } from '@cspm/scanner';
import type { TenantConnection } from '../database/tenant-database.ts';
import { type Check, checksOf, evaluationsIn } from './preflight-checks.ts';
import { findSources, type Source } from './preflight-sources.ts';

/** What preflight found out, with what a launch needs of it. */
export interface PreflightReport {
  readonly profile: Profile | null;
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

/** Looks at everything that could stand in the way of a scan. A launch makes the same checks and refuses on a failure. */
export async function runPreflight(
  db: TenantConnection,
  request: { readonly projects: readonly string[]; readonly profile: string },
  now: Date,
): Promise<PreflightReport> {
  const profile = resolveProfile(request.profile) ?? null;
  const names = [...new Set(request.projects)];
  const sources = await findSources(db, names);
  const evaluated = new Set(profile?.rules.map((rule) => rule.id));
  const rules = RULES.filter((rule) => evaluated.has(rule.id));
  const projects = names.map((name) => {
    const source = sources.get(name) ?? null;
    const repeats = request.projects.filter((other) => other === name).length;
    return {
      id: source?.id ?? null,
      name,
      checks: checksOf({
        name,
        source,
        repeats,
        profile,
        profileName: request.profile,
        rules,
        now,
      }),
    };
  });
  return {
    profile,
    profileName: request.profile,
    projects,
    estimate: estimateOf(names, sources, rules),
  };
}

/** The failing checks, each with its project: what a refused launch answers with. */
export function blockersOf(report: PreflightReport) {
  return report.projects.flatMap((project) =>
    project.checks
      .filter((check) => check.status === 'fail')
      .map(({ id, code, message, remediation }) => ({
        project: project.name,
        id,
        code,
        message,
        remediation,
      })),
  );
}

/** The report as the contract shows it. */
export function preflightView(report: PreflightReport, now: Date) {
  const statuses = report.projects.flatMap(({ checks }) => checks.map((check) => check.status));
  const { assets, evaluations } = report.estimate;
  return {
    decision: decisionOf(statuses),
    profile: {
      name: report.profile?.name ?? report.profileName,
      digest: report.profile?.digest ?? null,
      ruleCount: report.profile?.rules.length ?? 0,
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

function estimateOf(
  names: readonly string[],
  sources: ReadonlyMap<string, Source>,
  rules: typeof RULES,
) {
  let assets = 0;
  let evaluations = 0;
  for (const name of names) {
    const inventory = sources.get(name)?.inventory;
    if (!inventory) continue;
    assets += inventory.assets;
    evaluations += evaluationsIn(inventory.types, rules);
  }
  return { assets, evaluations };
}
