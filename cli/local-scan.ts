import type { Writable } from 'node:stream';
import {
  EXPORTS,
  type ExportedFinding,
  Intake,
  InventoryError,
  PROFILE_NAMES,
  resolveProfile,
} from '@cspm/scanner';
import { EXIT, type ExitCode } from './exit-codes.ts';
import { FindingStore } from './finding-store.ts';
import { fixesDocument } from './fixes-document.ts';
import { interruptibleLoop } from './interruptible-loop.ts';
import { LocalEvaluation } from './local-evaluation.ts';
import { type InventorySource, readInventorySource } from './local-file.ts';
import { countsTable, jsonReport, type LocalSummary, leftOut, quantity } from './local-report.ts';
import { writeOut } from './output-file.ts';
import { readOwnRules } from './own-rules.ts';
import { ProgressBar } from './progress.ts';
import { findingLines } from './table.ts';
import { hasColours, say, type Terminal } from './terminal.ts';
import { InputError, UsageError } from './usage-error.ts';

export interface LocalScan {
  readonly source: InventorySource;
  readonly profile: string;
  /** Files with the user's own rules, evaluated in addition to the profile. */
  readonly rules: readonly string[];
  readonly format: string;
  /** Whether to also print the verdicts of each rule. */
  readonly summary: boolean;
  readonly threshold: string;
  /** The file to write the fixes to; undefined: none. */
  readonly fixes: string | undefined;
  readonly out: { readonly file: string | undefined; readonly stream: Writable };
}

/** A fixed seed, so that two runs over a file write the findings in the same order. */
const ORDER_SEED = [1, 2] as const;

/**
 * Scans an export, a Terraform plan or a pulled inventory on this machine and sends nothing to a service. Memory use is bounded for files of any
 * size.
 *
 * @throws {UsageError} for an unknown profile; {InputError} for a malformed file, or a file without an asset that a rule can evaluate
 */
export async function scanLocally(scan: LocalScan, terminal: Terminal): Promise<ExitCode> {
  const { source } = scan;
  const { interrupted } = terminal;
  const profile = resolveProfile(scan.profile);
  if (profile === undefined) {
    throw new UsageError(
      `--profile does not accept "${scan.profile}". Allowed values: ${PROFILE_NAMES.join(', ')}.`,
    );
  }
  const own = await readOwnRules(scan.rules);
  const intake = new Intake({ seed: ORDER_SEED });
  const store = new FindingStore();
  const fixes = scan.fixes === undefined ? null : new FindingStore();
  const bar = new ProgressBar(terminal);
  try {
    const { snapshot, skipped } = await readInventorySource(source, intake, bar, interrupted);
    bar.end();
    if (intake.summary().assets === 0) {
      throw nothingToScan(source.place, { skipped, notEvaluated: [] });
    }
    const { threshold } = scan;
    const evaluation = new LocalEvaluation({
      label: source.label,
      threshold,
      profile,
      own,
      snapshot,
      withFixes: scan.format === 'sarif',
      fixes,
      interrupted,
    });
    await evaluation.run(intake, store, bar);
    bar.end();
    const { assets, totals, counts: rules, notEvaluated } = evaluation;
    const { pass, fail, unknown, na } = totals;
    const unused = notEvaluated.reduce((sum, { count }) => sum + count, 0);
    // Rules on whole projects say UNKNOWN without their assets.
    if (pass + fail + na === 0 && unused >= assets) {
      throw nothingToScan(source.place, { skipped, notEvaluated });
    }
    const summary: LocalSummary = {
      file: source.label,
      profile: profile.name,
      assets,
      totals,
      rules,
      skipped,
      notEvaluated,
    };
    await write(scan, { store, evaluation, summary }, terminal);
    if (fixes !== null) {
      const pieces = fixesDocument(interruptibleLoop(fixes.pages(), interrupted), summary.file);
      await writeOut(pieces, { file: scan.fixes, stream: terminal.output });
    }
    for (const line of leftOut(summary)) say(terminal, line);
    say(
      terminal,
      `Scanned ${quantity(assets, 'asset')} of ${source.label} with ${quantity(rules.length, 'rule')}: ${pass} passed, ${fail} failed, ${unknown} unknown, ${na} not applicable.`,
    );
    if (threshold !== 'never' && evaluation.isUndecided) {
      for (const line of undecided(source.label)) say(terminal, line);
      return EXIT.usage;
    }
    return evaluation.failing > 0 ? EXIT.findings : EXIT.ok;
  } catch (error) {
    if (error instanceof InventoryError) {
      throw new InputError(`${source.place}, ${error.place}: ${error.message}`);
    }
    throw error;
  } finally {
    bar.end();
    await intake.close();
    await store.close();
    await fixes?.close();
  }
}

/** A pipeline that scans nothing must not succeed. */
function nothingToScan(
  place: string,
  summary: Pick<LocalSummary, 'skipped' | 'notEvaluated'>,
): InputError {
  const lines = [
    `${place} contains no asset that a rule can evaluate, so nothing was scanned.`,
    ...leftOut(summary),
    'Use an export of Cloud Asset Inventory, or the output of terraform show -json for a plan or a state.',
  ];
  return new InputError(lines.join('\n'));
}

/** A pipeline that learns nothing about its assets must not succeed. */
function undecided(label: string): readonly string[] {
  return [
    `No verdict is PASS or FAIL, so the scan says nothing about ${label}.`,
    'An export must contain resources and IAM policies: run gcloud asset export with --content-type=resource, and again with --content-type=iam-policy, and scan both results as one file.',
    'If nothing is missing, as in a small Terraform plan, choose another --profile or --fail-on never.',
  ];
}

interface Results {
  readonly store: FindingStore;
  readonly evaluation: LocalEvaluation;
  readonly summary: LocalSummary;
}

async function write(
  { format, summary: isWanted, out }: LocalScan,
  { store, evaluation, summary }: Results,
  terminal: Terminal,
): Promise<void> {
  const pages = interruptibleLoop(store.pages(), terminal.interrupted);
  const counts = isWanted ? `${countsTable(summary)}\n` : '';
  if (format === 'table') {
    const colours = hasColours(terminal) && out.file === undefined;
    await writeOut(tableReport(pages, colours, counts), out);
    return;
  }
  if (format === 'json') await writeOut(jsonReport(pages, summary), out);
  else {
    const { write } = EXPORTS[format as keyof typeof EXPORTS];
    await writeOut(write(pages, { ruleOf: (id) => evaluation.ruleOf(id) }), out);
  }
  // Another program may read the results, so the counts go to standard error.
  if (counts !== '') terminal.messages.write(counts);
}

async function* tableReport(
  pages: AsyncIterable<readonly ExportedFinding[]>,
  colours: boolean,
  counts: string,
): AsyncGenerator<string> {
  for await (const page of pages) {
    for (const { severity, ruleId, asset, message } of page) {
      yield findingLines({ severity, ruleId, asset: asset.name, message, note: '' }, colours);
    }
  }
  if (counts !== '') yield counts;
}
