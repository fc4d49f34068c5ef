import {
  type Evaluation,
  Evaluator,
  fingerprint,
  type Profile,
  parseAsset,
  RULES,
  resolveProfile,
  type Severity,
  Snapshot,
} from '@cspm/scanner';
import { ahead } from '../ahead.ts';
import { Breather } from '../breather.ts';
import type { Clock } from '../clock.ts';
import type { TenantDatabase } from '../database/tenant-database.ts';
import {
  hasOpenFindings,
  observeAssets,
  recordFindings,
  resolveFindings,
  type ScanOfProject,
  type SeenFinding,
} from '../findings/record.ts';
import { newId } from '../ids.ts';
import { readChunks, unpack } from '../inventories/chunks.ts';
import { countVerdicts } from './rule-counts.ts';
import {
  advance,
  begin,
  complete,
  fail,
  holdRunning,
  type Progress,
  type Started,
} from './scan-progress.ts';

/** A transaction costs the same for much as for little: few enough of them, yet a step is soon done again. */
const CHUNKS_A_STEP = 4;

/** What a queued job names. */
export interface ScanProjectJob {
  readonly tenantId: string;
  readonly scanId: string;
  readonly projectId: string;
}

export interface ScanWorkerServices {
  readonly tenants: TenantDatabase;
  readonly clock: Clock;
}

/**
 * Scans one project: a few chunks at a time, in a transaction that also notes how far the work has got. Killed in the
 * middle, it goes on after the last of these steps; a worker that was thought dead and comes back finds its place taken.
 */
export async function scanProject(
  services: ScanWorkerServices,
  job: ScanProjectJob,
): Promise<void> {
  const { tenants, clock } = services;
  const started = await tenants.write(job.tenantId, (db) => begin(db, job, clock.now()));
  if (started === null) {
    // Ended before, which this leaves alone; or without an inventory to look at, which nothing will mend.
    await tenants.write(job.tenantId, (db) => fail(db, job, 'The inventory is gone.', clock.now()));
    return;
  }
  const profile = resolveProfile(started.profile);
  if (profile === undefined) throw new Error(`There is no profile ${started.profile}`);
  const scan = { ...job, scanAt: started.scanAt, now: clock.now() };
  const evaluator = new Evaluator(profile, {
    now: scan.now,
    snapshot: new Snapshot({
      assetTypes: new Map(started.assetTypes.map(({ type, count }) => [type, count])),
    }),
  });
  const mayResolve = await tenants.read(job.tenantId, (db) => hasOpenFindings(db, scan));
  let chunksDone = started.chunksDone;
  // While one step is written, the next one is judged and the one after it fetched.
  for await (const judged of ahead(
    judgements(evaluator, ahead(steps(services, started, job)), job),
  )) {
    const goesOn = await tenants.write(job.tenantId, async (db) => {
      if ((await holdRunning(db, job, chunksDone)) === null) return false;
      const recorded = await recordFindings(db, scan, judged.findings);
      if (mayResolve) await observeAssets(db, scan, judged.assetNames, judged.isUndecided);
      await advance(db, job, judged.chunksDone, progressOf(judged, recorded));
      return true;
    });
    if (!goesOn) return;
    chunksDone = judged.chunksDone;
  }
  await finish(services, scan, started, profile, chunksDone);
}

/** A few chunks that are judged and written together. */
interface Step {
  /** The assets in them, each as JSON. */
  readonly texts: Iterable<string>;
  /** How far the scan has got when they are done. */
  readonly chunksDone: number;
}

/** What is left to be done. */
async function* steps(
  { tenants }: ScanWorkerServices,
  { inventoryId, chunksDone }: Started,
  { tenantId }: ScanProjectJob,
): AsyncGenerator<Step> {
  for (let from = chunksDone; ; ) {
    const chunks = await tenants.read(tenantId, (db) =>
      readChunks(db, inventoryId, from, CHUNKS_A_STEP),
    );
    const last = chunks.at(-1);
    if (last === undefined) return;
    from = last.seq + 1;
    yield { texts: await unpack(chunks), chunksDone: from };
  }
}

async function* judgements(
  evaluator: Evaluator,
  toJudge: AsyncIterable<Step>,
  job: ScanProjectJob,
): AsyncGenerator<Judged> {
  for await (const step of toJudge) yield await judge(evaluator, step, job);
}

async function finish(
  services: ScanWorkerServices,
  scan: ScanOfProject & ScanProjectJob,
  started: Started,
  profile: Profile,
  chunksDone: number,
): Promise<void> {
  const assetTypes = started.assetTypes.map(({ type }) => type);
  await services.tenants.write(scan.tenantId, async (db) => {
    const assets = await holdRunning(db, scan, chunksDone);
    if (assets === null) return;
    // What is missing would pass for gone, and its findings for resolved.
    if (assets !== started.assets) {
      throw new Error(`Of ${started.assets} assets of the inventory, ${assets} were there`);
    }
    const resolved = await resolveFindings(db, scan, {
      evaluatedRules: profile.rules.map((rule) => rule.id),
      knownRules: RULES.map((rule) => rule.id),
      assetTypes,
    });
    await complete(db, scan, resolved, services.clock.now());
  });
}

/** What the rules say of the assets of a step. */
interface Judged {
  readonly chunksDone: number;
  readonly assetNames: string[];
  readonly findings: SeenFinding[];
  readonly verdicts: ReturnType<typeof countVerdicts>;
  isUndecided(assetName: string, ruleId: string): boolean;
}

/** Judges in short stretches, between which the server, which may be the same process, answers its requests. */
async function judge(
  evaluator: Evaluator,
  { texts, chunksDone }: Step,
  job: ScanProjectJob,
): Promise<Judged> {
  const breather = new Breather();
  const assetNames: string[] = [];
  const findings: SeenFinding[] = [];
  const evaluations: Evaluation[] = [];
  const undecided = new Map<string, Set<string>>();
  for (const text of texts) {
    if (breather.isDue) await breather.breathe();
    const asset = parseAsset(text);
    assetNames.push(asset.name);
    for (const evaluation of evaluator.evaluate(asset)) {
      evaluations.push(evaluation);
      if (evaluation.verdict === 'unknown') noteUndecided(undecided, asset.name, evaluation.ruleId);
      for (const draft of evaluation.findings) {
        const of = { ...job, ruleId: draft.ruleId, assetName: asset.name, subject: draft.subject };
        findings.push({
          id: newId(),
          fingerprint: fingerprint(of),
          rule_id: draft.ruleId,
          severity: draft.severity,
          title: draft.title,
          asset_name: asset.name,
          asset_type: asset.type,
          subject: draft.subject,
          message: draft.message,
          evidence: JSON.stringify(draft.evidence),
        });
      }
    }
  }
  return {
    chunksDone,
    assetNames,
    findings: withoutRepeats(findings),
    verdicts: countVerdicts(evaluations),
    isUndecided: (assetName, ruleId) => undecided.get(assetName)?.has(ruleId) ?? false,
  };
}

function noteUndecided(
  undecided: Map<string, Set<string>>,
  assetName: string,
  ruleId: string,
): void {
  const rules = undecided.get(assetName);
  if (rules === undefined) undecided.set(assetName, new Set([ruleId]));
  else rules.add(ruleId);
}

/** Two drafts of one fingerprint are one finding; a statement cannot write a row twice. */
function withoutRepeats(findings: readonly SeenFinding[]): SeenFinding[] {
  return [...new Map(findings.map((finding) => [finding.fingerprint, finding])).values()];
}

function progressOf(
  judged: Judged,
  recorded: Awaited<ReturnType<typeof recordFindings>>,
): Progress {
  const deltas = { new: 0, unchanged: 0, reopened: 0, resolved: 0 };
  const severities: Record<Severity, number> = { critical: 0, high: 0, medium: 0, low: 0, info: 0 };
  for (const { delta, severity, count } of recorded) {
    deltas[delta] += count;
    severities[severity] += count;
  }
  return { assets: judged.assetNames.length, verdicts: judged.verdicts, deltas, severities };
}
