import type { Writable } from 'node:stream';
import {
  EXPORTS,
  type ExportedFinding,
  InventoryError,
  PlanComparison,
  PROFILE_NAMES,
  RULES,
  readPlan,
  resolveProfile,
} from '@cspm/scanner';
import type { Cspm } from '@cspm/sdk';
import { EXIT, type ExitCode } from './exit-codes.ts';
import { jsonLines } from './json-lines.ts';
import { isKnownProject, unknownProject } from './known-filters.ts';
import { fileSource, type InventorySource } from './local-file.ts';
import { leftOut } from './local-report.ts';
import { openFinding } from './open-finding.ts';
import { writeOut } from './output-file.ts';
import { readOwnRules } from './own-rules.ts';
import { ProjectMutes } from './plan-mutes.ts';
import { type PlanReport, planComment, planCounts, planTable } from './plan-report.ts';
import { failsOn, SEVERITIES } from './severity.ts';
import { hasColours, say, type Terminal } from './terminal.ts';
import { InputError, UsageError } from './usage-error.ts';

export interface PlanScan {
  /** The output of `terraform show -json` for a plan. It is evaluated on this machine. */
  readonly file: string;
  /** The project of the service whose open findings the plan is compared with. */
  readonly project: string;
  readonly profile: string;
  readonly rules: readonly string[];
  readonly format: string;
  readonly threshold: string;
  readonly out: { readonly file: string | undefined; readonly stream: Writable };
}

/**
 * Compares a Terraform plan with the open findings of a project. The exit code depends only on what the plan would add
 * and no mute accepts.
 *
 * @throws {UsageError} for an unknown profile; {InputError} for an unknown project, or a file that is not a plan
 */
export async function comparePlan(
  scan: PlanScan,
  cspm: Cspm,
  terminal: Terminal,
): Promise<ExitCode> {
  const profile = resolveProfile(scan.profile);
  if (profile === undefined) {
    throw new UsageError(
      `--profile does not accept "${scan.profile}". Allowed values: ${PROFILE_NAMES.join(', ')}.`,
    );
  }
  const own = await readOwnRules(scan.rules);
  const now = new Date();
  const source = fileSource(scan.file, terminal, '--plan');
  const comparison = new PlanComparison(await readPlanFile(source), {
    profile,
    own,
    now,
  });
  const { project } = scan;
  if (!(await isKnownProject(cspm, project))) {
    throw new InputError((await unknownProject(cspm, project)).replace('--project', '--against'));
  }
  const resolved = await comparison.take(openFindings(cspm, project));
  const ruleOf = (id: string) => [...RULES, ...own].find((rule) => rule.id === id);
  const mutes = comparison.added.length === 0 ? null : await ProjectMutes.read(cspm, project);
  const added = comparison.added.map(({ finding: draft, asset, address, labels }) => {
    const rule = ruleOf(draft.ruleId);
    const finding = openFinding(draft, { project, asset, rule, now });
    const muted = mutes?.mutedBy({ finding, labels }) ?? null;
    return { finding: { ...finding, muted }, address };
  });
  const report: PlanReport = {
    file: source.place,
    project,
    added: added.toSorted((a, b) => bySeverity(a.finding, b.finding)),
    resolved: resolved.toSorted(bySeverity),
    undecided: comparison.undecided,
    notes: [...leftOut({ skipped: comparison.skipped, notEvaluated: [] }), ...(mutes?.notes ?? [])],
  };
  await write(scan, report, ruleOf, terminal);
  for (const line of report.notes) say(terminal, line);
  say(terminal, `Compared ${source.place} with ${project}: ${planCounts(report)}.`);
  const failing = added.filter(
    ({ finding: { severity, muted } }) => muted === null && failsOn(severity, scan.threshold),
  );
  return failing.length > 0 ? EXIT.findings : EXIT.ok;
}

async function readPlanFile(source: InventorySource) {
  try {
    const { bytes } = await source.open();
    return await readPlan(bytes);
  } catch (error) {
    if (!(error instanceof InventoryError)) throw error;
    throw new InputError(`--plan: ${source.place}, ${error.place}: ${error.message}`);
  }
}

/** The open findings of a project, also the muted ones, in one request. */
function openFindings(cspm: Cspm, project: string): AsyncGenerator<ExportedFinding> {
  return jsonLines(
    cspm.findings.export({ project: [project], status: ['open'], format: 'ndjson' }),
  );
}

function bySeverity(a: ExportedFinding, b: ExportedFinding): number {
  return SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity);
}

async function write(
  { format, out }: PlanScan,
  report: PlanReport,
  ruleOf: (id: string) => (typeof RULES)[number] | undefined,
  terminal: Terminal,
): Promise<void> {
  if (format === 'sarif') {
    const page = report.added.map(({ finding }) => finding);
    await writeOut(EXPORTS.sarif.write([page], { ruleOf }), out);
    return;
  }
  const colours = hasColours(terminal) && out.file === undefined;
  const text = format === 'markdown' ? planComment(report) : planTable(report, colours);
  await writeOut(only(text), out);
}

async function* only(text: string): AsyncGenerator<string> {
  yield text;
}
