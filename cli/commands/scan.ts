import { parseParent } from '@cspm/google-cloud';
import { EXPORTS, RULES, type Rule } from '@cspm/scanner';
import { ApiError, type Cspm, type Finding, type Scan } from '@cspm/sdk';
import { command } from '../command.ts';
import { CONNECTION_OPTIONS, connect } from '../connection.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { findingsBySeverity } from '../findings-by-severity.ts';
import { PLAN_FORMATS, SCAN_FORMATS } from '../formats.ts';
import { faultOfProfile, isKnownProject } from '../known-filters.ts';
import { isOfAnother, launchAndWait, sayUnknownProject } from '../launched-scan.ts';
import { checkReadableAgain, fileSource } from '../local-file.ts';
import { quantity } from '../local-report.ts';
import { scanLocally } from '../local-scan.ts';
import { checkOverwritesNone, isSamePlace, writeOut } from '../output-file.ts';
import { comparePlan } from '../plan-scan.ts';
import { Pull } from '../pull.ts';
import { FAIL_ON, failsOn, SEVERITIES } from '../severity.ts';
import { findingLines, printable, rowOf } from '../table.ts';
import { hasColours, say, type Terminal } from '../terminal.ts';
import { millisecondsOf } from '../timeout.ts';
import { uploadFile } from '../upload-file.ts';
import { UsageError } from '../usage-error.ts';

export const scan = command({
  name: 'scan',
  usage: `cspm scan --project <name> [--inventory export.ndjson] [--profile full] [--fail-on high]
       cspm scan --gcp projects/<id> [--profile full] [--fail-on high]
       cspm scan --local export.ndjson [--profile full] [--fail-on high]
       cspm scan --plan plan.json --against <project> [--format markdown] [--fail-on high]`,
  summary:
    'Scans a project on the service, or Google Cloud or a local file without a service, and prints the findings. Or compares a Terraform plan with the open findings of a project.',
  options: {
    project: { kind: 'text', value: 'name', help: 'The project to scan.' },
    inventory: {
      kind: 'text',
      value: 'file',
      help: 'Upload this inventory before the scan. The file may be gzipped.',
    },
    create: { kind: 'switch', help: 'Create the project if it does not exist.' },
    local: {
      kind: 'text',
      value: 'file',
      help: 'Scan this file on this machine; - is standard input. Nothing is sent to a service.',
    },
    gcp: {
      kind: 'text',
      value: 'parent',
      help: 'Pull and scan this project, folder or organization of Google Cloud, with your Application Default Credentials. Nothing is sent to a service.',
    },
    plan: {
      kind: 'text',
      value: 'file',
      help: 'Evaluate this Terraform plan (terraform show -json; - is standard input) on this machine, and print what it would add and resolve. Needs --against.',
    },
    against: {
      kind: 'text',
      value: 'name',
      help: 'With --plan: the project on the service whose open findings the plan is compared with.',
    },
    profile: { kind: 'text', value: 'name', help: 'The profile of rules. Default: full.' },
    rules: {
      kind: 'list',
      value: 'files',
      help: 'With --local, --gcp or --plan: also evaluate your own CEL rules from these YAML or JSON files.',
    },
    'fail-on': {
      kind: 'text',
      words: FAIL_ON,
      help: 'Exit with 1 if a finding has this severity or a higher one; with --plan, one that the plan would add. Muted findings do not count. Default: high.',
    },
    'only-new': {
      kind: 'switch',
      help: 'With the service: print only new and reopened findings, and fail only on those. Findings seen only by incomplete scans count as new.',
    },
    summary: {
      kind: 'switch',
      help: 'With --local or --gcp: also print how many assets passed and failed each rule.',
    },
    fixes: {
      kind: 'text',
      value: 'file',
      help: 'With --local or --gcp: also write the verified fixes to this file, in JSON. Nothing is changed in your cloud.',
    },
    format: {
      kind: 'text',
      words: SCAN_FORMATS,
      help: 'The output format. Default: table. json needs --local or --gcp; it adds counts and skipped assets. --plan writes table, sarif (only what the plan would add) or markdown (a comment for a pull request).',
    },
    timeout: {
      kind: 'text',
      value: 'time',
      help: 'With --project: cancel the scan and exit with 3 if it has not ended after this time, such as 90s, 30m or 2h. Default: no limit.',
    },
    output: { kind: 'text', value: 'file', help: 'The output file. Default: standard output.' },
    ...CONNECTION_OPTIONS,
  },
  async run(values, terminal) {
    const { project, local, gcp, plan } = values;
    if ([project, local, gcp, plan].filter((given) => given !== undefined).length !== 1) {
      throw new UsageError(
        'Set exactly one of --project, --gcp with a parent, --local with a file, or --plan with a file.',
      );
    }
    const format = values.format ?? 'table';
    const threshold = values['fail-on'] ?? 'high';
    const out = { file: values.output, stream: terminal.output };
    checkPlanOptions({ ...values, format });
    const timeoutMs = values.timeout === undefined ? null : millisecondsOf(values.timeout);
    if (timeoutMs !== null && project === undefined) {
      throw new UsageError('--timeout needs --project.');
    }
    await checkOverwritesNone(
      [
        ['--output', values.output],
        ['--fixes', values.fixes],
      ],
      [
        ['--local', local],
        ['--plan', plan],
        ['--inventory', values.inventory],
        ...values.rules.map((file) => ['--rules', file] as const),
      ],
    );
    if (plan !== undefined && values.against !== undefined) {
      const { rules, against } = values;
      const comparison = { file: plan, project: against, rules, format, threshold, out };
      const cspm = await connect(values, terminal);
      return comparePlan({ ...comparison, profile: values.profile ?? 'full' }, cspm, terminal);
    }
    if (project === undefined) {
      if (values['only-new']) {
        throw new UsageError('--only-new needs the service, because local scans have no history.');
      }
      if (values.create || values.inventory !== undefined) {
        const option = values.create ? '--create' : '--inventory';
        throw new UsageError(`${option} needs --project.`);
      }
      const profile = values.profile ?? 'full';
      const { rules, summary, fixes } = values;
      if (fixes !== undefined && isSamePlace(fixes, values.output)) {
        throw new UsageError('--fixes and --output would write to the same place.');
      }
      const scan = { profile, rules, format, summary, threshold, fixes, out };
      if (gcp === undefined) {
        const source = fileSource(local ?? '', terminal);
        return scanLocally({ ...scan, source }, terminal);
      }
      const pull = new Pull(parseParent(gcp), terminal);
      const code = await scanLocally({ ...scan, source: pull.source }, terminal);
      pull.sayMissing();
      const isIncomplete = pull.isPartial && threshold !== 'never' && code !== EXIT.findings;
      return isIncomplete ? EXIT.incomplete : code;
    }
    if (values.rules.length > 0) {
      throw new UsageError(
        '--rules needs --local or --gcp. With --project, the service uses the custom rules of your tenant.',
      );
    }
    if (values.fixes !== undefined) {
      throw new UsageError(
        '--fixes needs --local or --gcp. For the fix of one finding of the service: cspm findings show <id>.',
      );
    }
    if (values.summary || format === 'json') {
      const option = values.summary ? '--summary' : '--format json';
      throw new UsageError(
        `${option} needs --local or --gcp. The service returns the counts of each rule at GET /scans/<id>/rules; for the findings use --format ndjson.`,
      );
    }
    // Before a project is created for it.
    if (values.inventory !== undefined) await checkReadableAgain(values.inventory, '--inventory');
    const cspm = await connect(values, terminal, { outlastsRestarts: true });
    const name = project;
    const profile = values.profile ?? 'full';
    if (values.create || values.inventory !== undefined) {
      // The launch would refuse it too, but only after these changes.
      const fault = await faultOfProfile(cspm, profile);
      if (fault !== null) {
        say(terminal, printable(fault));
        return EXIT.incomplete;
      }
    }
    if (values.create) await create(cspm, name);
    let uploaded: string | null = null;
    if (values.inventory !== undefined) {
      if (!(await isKnownProject(cspm, name))) {
        await sayUnknownProject(cspm, name, terminal);
        return EXIT.incomplete;
      }
      uploaded = await uploadFile(cspm, name, values.inventory, terminal);
    }
    const done = await launchAndWait(cspm, { project: name, profile, timeoutMs }, terminal);
    if (done === null) return EXIT.incomplete;
    if (uploaded !== null && isOfAnother(done, uploaded)) {
      say(
        terminal,
        `Another upload replaced the inventory of ${printable(name)} before the scan started, so the scan did not evaluate ${printable(values.inventory ?? '')}. Run the command again when the other job has finished.`,
      );
      return EXIT.incomplete;
    }
    const worst = await report(
      cspm,
      done,
      { format, threshold, onlyNew: values['only-new'], out },
      terminal,
    );
    return exitCodeOf(done, { failing: worst, threshold }, terminal);
  },
});

interface PlanOptions {
  readonly plan: string | undefined;
  readonly against: string | undefined;
  readonly format: string;
  readonly summary: boolean;
  readonly 'only-new': boolean;
  readonly create: boolean;
  readonly inventory: string | undefined;
  readonly fixes: string | undefined;
}

/** @throws {UsageError} for an option that needs --plan, or that a comparison does not have */
function checkPlanOptions({ plan, against, format, ...others }: PlanOptions): void {
  if (plan === undefined) {
    if (against !== undefined) throw new UsageError('--against needs --plan with a file.');
    if (format === 'markdown') throw new UsageError('--format markdown needs --plan.');
    return;
  }
  if (against === undefined) throw new UsageError('--plan needs --against with a project.');
  if (!PLAN_FORMATS.includes(format)) {
    throw new UsageError(
      `--plan does not write the format ${format}. Allowed values: ${PLAN_FORMATS.join(', ')}.`,
    );
  }
  const unused = (['summary', 'only-new', 'create', 'inventory', 'fixes'] as const).find(
    (name) => others[name] !== false && others[name] !== undefined,
  );
  if (unused !== undefined) throw new UsageError(`--${unused} cannot be combined with --plan.`);
}

async function create(cspm: Cspm, name: string): Promise<void> {
  await cspm.projects.create({ name }).catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.code !== 'CONFLICT') throw error;
  });
}

/** What a scan records of the findings that it saw. Of others it records that it resolved them. */
const SEEN_DELTAS = ['new', 'reopened', 'unchanged'] as const;

interface Reporting {
  readonly format: string;
  readonly threshold: string;
  readonly onlyNew: boolean;
  readonly out: { readonly file: string | undefined; readonly stream: NodeJS.WritableStream };
}

/** Writes the findings of the scan. @returns the number of findings that fail the pipeline */
async function report(cspm: Cspm, done: Scan, how: Reporting, terminal: Terminal): Promise<number> {
  const { format, threshold, onlyNew, out } = how;
  // Not by status: a later scan of the project may have resolved or reopened a finding by now.
  const seen = { scan: done.id, delta: [...SEEN_DELTAS], muted: false };
  const colours = hasColours(terminal) && out.file === undefined;
  let failing = 0;
  let unreported = 0;
  const reportedUntil = onlyNew ? await endOfLastCompletedScan(cspm, done) : null;
  async function* shown() {
    for await (const found of findingsBySeverity(cspm, seen)) {
      const isUnreported =
        reportedUntil !== null &&
        found.delta === 'unchanged' &&
        Date.parse(found.firstSeenAt) > reportedUntil;
      const finding = isUnreported ? { ...found, delta: 'new' as const } : found;
      if (isUnreported) unreported += 1;
      if (onlyNew && finding.delta === 'unchanged') continue;
      if (failsOn(finding.severity, threshold)) failing += 1;
      yield finding;
    }
    if (unreported > 0) {
      const shown = quantity(unreported, 'finding');
      say(terminal, `${shown} shown as new: seen only by incomplete scans.`);
    }
  }
  async function* lines() {
    for await (const finding of shown()) yield findingLines(rowOf(finding), colours);
  }
  const to = { file: out.file, stream: terminal.output };
  if (format === 'table') {
    await writeOut(lines(), to);
    return failing;
  }
  if (onlyNew) {
    // The service's export cannot filter by delta, so the findings are formatted here.
    const { write } = EXPORTS[format as keyof typeof EXPORTS];
    await writeOut(write(oneByOne(shown()), { ruleOf: (id) => BUILT_IN.get(id) }), to);
    return failing;
  }
  const { bySeverity } = await cspm.findings.summary(seen);
  const { muted: _, ...alsoMuted } = seen;
  // The other formats mark muted findings. Code scanning of GitHub shows suppressed results of SARIF as open alerts.
  const exported = format === 'sarif' ? seen : alsoMuted;
  await writeOut(cspm.findings.export({ ...exported, format: format as 'sarif' }), to);
  return SEVERITIES.filter((severity) => failsOn(severity, threshold)).reduce(
    (sum, severity) => sum + bySeverity[severity].open + bySeverity[severity].resolved,
    0,
  );
}

/**
 * Findings that were first seen later have not been reported by a scan that completed: a scan that failed or was cancelled
 * saw them, so to the present scan they are unchanged.
 *
 * @returns milliseconds since the epoch; 0 when no earlier scan of the project has completed
 */
async function endOfLastCompletedScan(cspm: Cspm, { id, createdAt, projects }: Scan) {
  const project = projects.map(({ name }) => name);
  const status = ['completed', 'partial'] as const;
  for await (const scan of cspm.scans.list({ project, status, limit: 10 })) {
    if (scan.id === id || scan.createdAt > createdAt || scan.finishedAt === null) continue;
    const hasCompleted = scan.projects.some(
      (one) => one.status === 'completed' && project.includes(one.name),
    );
    if (hasCompleted) return Date.parse(scan.finishedAt);
  }
  return 0;
}

const BUILT_IN: ReadonlyMap<string, Rule> = new Map(RULES.map((rule) => [rule.id, rule]));

async function* oneByOne(findings: AsyncIterable<Finding>): AsyncGenerator<Finding[]> {
  for await (const finding of findings) yield [finding];
}

interface Gate {
  readonly failing: number;
  readonly threshold: string;
}

function exitCodeOf(done: Scan, { failing, threshold }: Gate, terminal: Terminal): ExitCode {
  const { totals, delta, status } = done;
  say(
    terminal,
    `Scan ${status}: ${quantity(totals.assets, 'asset')}, ${totals.pass} passed, ${totals.fail} failed, ${totals.unknown} unknown; ${delta.new} new, ${delta.reopened} reopened, ${delta.resolved} resolved.`,
  );
  for (const { name, error } of done.projects) {
    if (error !== null) say(terminal, `${printable(name)}: ${printable(error)}`);
  }
  if (status !== 'completed') return EXIT.incomplete;
  if (threshold !== 'never' && totals.evaluations === totals.unknown) {
    say(
      terminal,
      'No verdict is PASS or FAIL, so the scan says nothing about the project. Upload its inventory with --inventory, or choose another --profile.',
    );
    return EXIT.usage;
  }
  return failing > 0 ? EXIT.findings : EXIT.ok;
}
