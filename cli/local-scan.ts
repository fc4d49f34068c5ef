import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Writable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import {
  type Asset,
  type AssetRule,
  type Evaluation,
  Evaluator,
  EXPORTS,
  type ExportedFinding,
  fingerprint,
  Intake,
  InventoryError,
  isLandmarkType,
  landmarkOf,
  PROFILE_NAMES,
  type Profile,
  parseAsset,
  RULES,
  type Rule,
  readInventory,
  resolveProfile,
  Snapshot,
} from '@cspm/scanner';
import { EXIT, type ExitCode } from './exit-codes.ts';
import { writeOut } from './output-file.ts';
import { readOwnRules } from './own-rules.ts';
import { ProgressBar } from './progress.ts';
import { failsOn } from './severity.ts';
import { findingLines } from './table.ts';
import { say, type Terminal } from './terminal.ts';
import { UsageError } from './usage-error.ts';

export interface LocalScan {
  readonly file: string;
  readonly profile: string;
  /** Files with rules of the user's own, which are evaluated besides. */
  readonly rules: readonly string[];
  readonly format: string;
  readonly threshold: string;
  readonly out: { readonly file: string | undefined; readonly stream: Writable };
}

const MAX_BYTES = Number.MAX_SAFE_INTEGER;
const MAX_RECORD_BYTES = 4 * 1024 * 1024;
const PROJECTS_MAX = 1_000;
/** Findings that are written at a time. */
const PAGE = 200;

/**
 * Scans an export, or a Terraform plan, on this machine: nothing is sent anywhere. In the memory of a scan by the service,
 * whatever the size of the file.
 */
export async function scanLocally(scan: LocalScan, terminal: Terminal): Promise<ExitCode> {
  const profile = resolveProfile(scan.profile);
  if (profile === undefined) {
    throw new UsageError(`--profile takes ${PROFILE_NAMES.join(', ')}; not "${scan.profile}".`);
  }
  const own = await readOwnRules(scan.rules);
  const intake = new Intake();
  const bar = new ProgressBar(terminal);
  try {
    const projects = await takeIn(scan.file, intake, bar);
    const snapshot = await snapshotOf(intake, projects);
    bar.end();
    const judged = new Judgement(scan, { profile, own }, intake, snapshot, bar);
    await judged.write(terminal);
    const { pass, fail, unknown } = judged.totals;
    say(
      terminal,
      `Scanned ${judged.assets} assets of ${basename(scan.file)} by ${profile.rules.length + own.length} rules: ${pass} passed, ${fail} failed, ${unknown} unknown.`,
    );
    return judged.failing > 0 ? EXIT.findings : EXIT.ok;
  } catch (error) {
    if (error instanceof InventoryError) {
      throw new UsageError(`${scan.file}, ${error.place}: ${error.message}`);
    }
    throw error;
  } finally {
    bar.end();
    await intake.close();
  }
}

/** @returns the projects that the records name. */
async function takeIn(file: string, intake: Intake, bar: ProgressBar): Promise<Set<string>> {
  const size = await stat(file).then(
    (found) => found.size,
    () => {
      throw new UsageError(`--local: ${file} cannot be read.`);
    },
  );
  const bytes = createReadStream(file);
  const plain = file.endsWith('.gz') ? bytes.pipe(createGunzip()) : bytes;
  const format = /\.json(\.gz)?$/.test(file) ? 'json' : 'ndjson';
  const options = { format, maxBytes: MAX_BYTES, maxRecordBytes: MAX_RECORD_BYTES } as const;
  const projects = new Set<string>();
  for await (const record of readInventory(plain, options)) {
    await intake.add(record);
    if (record.project !== null && projects.size < PROJECTS_MAX) projects.add(record.project);
    bar.draw(size === 0 ? null : bytes.bytesRead / size, 'reading');
  }
  return projects;
}

async function snapshotOf(intake: Intake, projects: Set<string>): Promise<Snapshot> {
  const landmarks: string[] = [];
  for await (const { type, text } of intake.assets()) {
    if (!isLandmarkType(type)) continue;
    const landmark = landmarkOf(parseAsset(text));
    if (landmark !== null) landmarks.push(landmark);
  }
  const assetTypes = intake.summary().assetTypes.map(({ type, count }) => [type, count] as const);
  return new Snapshot({ assetTypes: new Map(assetTypes), landmarks, projects });
}

/** Judges the assets as they are written out. */
class Judgement {
  readonly totals = { pass: 0, fail: 0, na: 0, unknown: 0 };
  assets = 0;
  /** Findings that are as bad as `threshold` or worse. */
  failing = 0;
  readonly #scan: LocalScan;
  readonly #evaluator: Evaluator;
  readonly #rules: ReadonlyMap<string, Rule>;
  readonly #intake: Intake;
  readonly #now = new Date();
  readonly #bar: ProgressBar;
  readonly #total: number;

  constructor(
    scan: LocalScan,
    { profile, own }: { readonly profile: Profile; readonly own: readonly AssetRule[] },
    intake: Intake,
    snapshot: Snapshot,
    bar: ProgressBar,
  ) {
    this.#scan = scan;
    this.#intake = intake;
    this.#bar = bar;
    this.#total = intake.summary().assets;
    const rules = [
      ...profile.rules,
      ...own.map(({ id, version, parameters }) => ({ id, version, parameters })),
    ];
    this.#rules = new Map([...RULES, ...own].map((rule) => [rule.id, rule]));
    this.#evaluator = new Evaluator({ rules }, { now: this.#now, snapshot }, own);
  }

  async write(terminal: Terminal): Promise<void> {
    const { format, out } = this.#scan;
    if (format === 'table') {
      const colours = terminal.isInteractive && out.file === undefined;
      await writeOut(this.#lines(colours), out);
      return;
    }
    const { write } = EXPORTS[format as keyof typeof EXPORTS];
    await writeOut(write(this.#pages(), { ruleOf: (id) => this.#rules.get(id) }), out);
  }

  async *#lines(colours: boolean): AsyncGenerator<string> {
    for await (const page of this.#pages()) {
      this.#bar.end();
      for (const { severity, ruleId, asset, message } of page) {
        yield findingLines({ severity, ruleId, asset: asset.name, message, note: '' }, colours);
      }
    }
  }

  async *#pages(): AsyncGenerator<ExportedFinding[]> {
    let page: ExportedFinding[] = [];
    for await (const { text } of this.#intake.assets()) {
      const asset: Asset = parseAsset(text);
      this.assets += 1;
      this.#bar.draw(this.assets / this.#total, 'judging');
      page.push(...this.#findings(asset, this.#evaluator.evaluate(asset)));
      if (page.length < PAGE) continue;
      yield page;
      page = [];
    }
    for (const { asset, evaluations } of this.#evaluator.evaluateProjects()) {
      page.push(...this.#findings(asset, evaluations));
    }
    if (page.length > 0) yield page;
  }

  #findings(
    { name, type }: { readonly name: string; readonly type: string },
    evaluations: readonly Evaluation[],
  ): ExportedFinding[] {
    const found: ExportedFinding[] = [];
    for (const { ruleId, verdict, findings } of evaluations) {
      this.totals[verdict] += 1;
      const rule = this.#rules.get(ruleId);
      for (const { severity, title, subject, message, evidence } of findings) {
        if (failsOn(severity, this.#scan.threshold)) this.failing += 1;
        found.push({
          // Of no tenant and no project: stable from one run to the next, wherever the file lies.
          fingerprint: fingerprint({
            tenantId: '',
            projectId: '',
            ruleId,
            assetName: name,
            subject,
          }),
          ruleId,
          title,
          severity,
          status: 'open',
          delta: 'new',
          project: basename(this.#scan.file),
          asset: { name, type },
          subject,
          message,
          evidence,
          remediation: rule?.remediation ?? '',
          compliance: rule?.compliance ?? [],
          firstSeenAt: this.#now.toISOString(),
          lastSeenAt: this.#now.toISOString(),
          resolvedAt: null,
          resolvedReason: null,
          muted: null,
        });
      }
    }
    return found;
  }
}
