import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { type Evaluator, linesIn, Snapshot } from '@cspm/scanner';
import { ProcessUnavailable } from '../../platform/child-process/process-unavailable.ts';
import {
  NONE,
  PROGRESS_DESCRIPTOR,
  ProgressFile,
} from '../../platform/child-process/progress-file.ts';
import { watchOneself } from '../../platform/child-process/watchdog.ts';
// From their own files: the index of the module would load the schemas of the contract.
import { CustomRuleEvaluator } from '../rules/custom-rule-evaluator.ts';
import { CustomRuleStep } from '../rules/custom-rule-step.ts';
import { EvaluatorPool } from '../rules/evaluator-pool.ts';
import type { ChunkRecord, Repeatable } from './chunk-record.ts';
import {
  type ChunkResults,
  type EvaluatedChunk,
  evaluateAssets,
  evaluateProjects,
} from './evaluate-chunk.ts';
import type {
  ChunksRequest,
  EvaluationAnswer,
  EvaluationPart,
  EvaluationRequest,
  OpenRequest,
} from './evaluation-messages.ts';
import { evaluatorOf } from './evaluator-of.ts';
import { FindingPacker } from './pack-findings.ts';
import { TooManyFindings } from './scan-fault.ts';

/*
 * Evaluates the scan of one project in a separate process, so that no inventory can block the server. It may be killed
 * at any time. It records each task in shared memory before it starts; its watchdog copies that to a file, from which
 * the parent learns the cause.
 */

const [evaluationMs = 0, wholeMs = 0, residentMb = 0] = process.argv.slice(2).map(Number);
const BEAT_EVERY_MS = 1_000;
const NAMES_A_PART = 5_000;
/** 31 December 9999, in milliseconds since 1970; Postgres and JavaScript both know it. */
const LATEST_DATE = 253_402_214_400_000;

/** Most chunks fit, so they are inflated in one turn of the event loop instead of one for each 16 KiB. */
const INFLATED_BYTES = 1024 * 1024 + 64 * 1024;

const gunzipped = promisify(gunzip);
const inflate = (data: Uint8Array) => gunzipped(data, { chunkSize: INFLATED_BYTES });
const shared = new SharedArrayBuffer(4 * Int32Array.BYTES_PER_ELEMENT);
const marks = new Int32Array(shared).fill(NONE);
const file = new ProgressFile(PROGRESS_DESCRIPTOR);

/** Values for the current task beside the index of its first chunk. */
const OPENING = -2;
const PROJECTS = -3;

interface Scan {
  readonly opened: OpenRequest;
  readonly references: Uint8Array[];
  evaluator: Evaluator | null;
  readonly customRules: CustomRuleEvaluator | null;
}

let scan: Scan | null = null;
const evaluators = new EvaluatorPool();
const packer = new FindingPacker();

note(NONE, NONE);
file.write(1, NONE, NONE);
watchOneself({ evaluationMs, wholeMs, residentMb, marks: shared });
process.on('disconnect', () => process.exit());

process.on('message', (request: EvaluationRequest) => {
  answerTo(request).then(
    (answer) => {
      note(NONE, NONE);
      file.write(marks[0] ?? 1, NONE, NONE);
      process.send?.(answer);
    },
    (error: unknown) => {
      // An internal error; the parent learns of it from the exit code.
      process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`, () =>
        process.exit(1),
      );
    },
  );
});

async function answerTo(request: EvaluationRequest): Promise<EvaluationAnswer> {
  switch (request.kind) {
    case 'open':
      await open(request);
      return { kind: 'opened' };
    case 'references':
      opened().references.push(...request.data);
      return { kind: 'taken' };
    case 'chunks':
      return told(() => evaluateChunks(request), request.withUndecided ? ['undecided'] : []);
    case 'projects':
      return told(async () => {
        const evaluator = await evaluatorFor(opened());
        begin(PROJECTS);
        return evaluateProjects(evaluator, opened().opened);
      }, ['names', 'undecided']);
  }
}

async function open(request: OpenRequest): Promise<void> {
  await scan?.customRules?.close();
  const { definitions, now } = request;
  scan = {
    opened: request,
    references: [],
    evaluator: null,
    customRules:
      definitions.length === 0 ? null : new CustomRuleEvaluator(definitions, now, evaluators),
  };
}

function opened(): Scan {
  if (scan === null) throw new Error('The evaluator was not opened');
  return scan;
}

/** Created with the first assets, because reference assets may arrive until then. */
async function evaluatorFor(of: Scan): Promise<Evaluator> {
  if (of.evaluator !== null) return of.evaluator;
  begin(OPENING);
  const { assetTypes, projects, refusedKinds, rules, now } = of.opened;
  const referenceAssets: string[] = [];
  for (const data of of.references.splice(0)) {
    note(NONE, OPENING);
    for (const line of linesIn(await inflate(data))) referenceAssets.push(line);
  }
  const snapshot = new Snapshot({
    assetTypes: new Map(assetTypes.map(({ type, count }) => [type, count])),
    referenceAssets,
    projects,
    refusedKinds,
  });
  const beforeRule = (rule: number) => note(rule, marks[2] ?? NONE);
  of.evaluator = evaluatorOf({ rules }, { now, snapshot, beforeRule });
  return of.evaluator;
}

async function evaluateChunks(request: ChunksRequest): Promise<EvaluatedChunk> {
  const { fromSeq, data, withUndecided } = request;
  const of = opened();
  const custom = of.customRules === null ? null : new CustomRuleStep(of.customRules);
  const evaluator = await evaluatorFor(of);
  begin(fromSeq);
  const inflated = await Promise.all(data.map((one) => inflate(one)));
  // While predicates run in another process, this one is idle. Beat so that the watchdog does not kill it.
  const beat = setInterval(() => note(NONE, fromSeq), BEAT_EVERY_MS);
  try {
    return await evaluateAssets(
      { evaluator, custom, slot: of.opened, withUndecided },
      inflated.map((bytes) => assetsIn(bytes, fromSeq)),
    );
  } finally {
    clearInterval(beat);
  }
}

function* assetsIn(bytes: Buffer, fromSeq: number): Generator<string> {
  for (const line of linesIn(bytes)) {
    note(NONE, fromSeq);
    yield line;
  }
}

/** Sends the results in slices and returns what remains to be answered. */
async function told(
  evaluate: () => Promise<EvaluatedChunk>,
  besides: readonly ('names' | 'undecided')[],
): Promise<EvaluationAnswer> {
  let evaluated: EvaluatedChunk;
  try {
    evaluated = await evaluate();
  } catch (error) {
    if (error instanceof TooManyFindings) return { kind: 'refused', reason: error.message };
    if (error instanceof ProcessUnavailable) {
      return { kind: 'unavailable', reason: String(error.cause) };
    }
    return {
      kind: 'failed',
      message: error instanceof Error ? String(error.stack) : String(error),
    };
  }
  const { findings, assetNames, undecided, verdictCounts, chunks } = evaluated;
  for (const chunk of chunks) await send({ chunk: await recordOf(chunk) });
  for (const pack of packer.packs(findings)) await send({ findings: pack });
  if (besides.includes('names')) {
    for (const slice of slices(assetNames, NAMES_A_PART)) await send({ assetNames: slice });
  }
  if (besides.includes('undecided')) {
    for (const slice of slices(undecided, NAMES_A_PART)) await send({ undecided: slice });
  }
  return { kind: 'evaluated', assets: assetNames.length, verdictCounts: verdictCounts.byRule };
}

async function recordOf(results: ChunkResults): Promise<ChunkRecord> {
  return { verdicts: await results.verdicts.pack(), repeatable: repeatableFrom(results) };
}

/** Two equal fingerprints are a finding of two assets with one name. The scan has kept one of these assets. */
function repeatableFrom(results: ChunkResults): Repeatable | null {
  const { verdicts, fingerprints, undecided, sameUntil } = results;
  const isAlways = sameUntil === Number.POSITIVE_INFINITY;
  if (!verdicts.isExact || (!isAlways && !(Math.abs(sameUntil) <= LATEST_DATE))) return null;
  if (new Set(fingerprints).size < fingerprints.length) return null;
  return {
    fingerprints: Buffer.from(fingerprints.join(''), 'binary'),
    undecided,
    sameUntil: isAlways ? null : new Date(sameUntil),
  };
}

function* slices<T>(list: readonly T[], size: number): Generator<readonly T[]> {
  for (let at = 0; at < list.length; at += size) yield list.slice(at, at + size);
}

/** Copies the part, and resolves when the message was passed on, so that at most one slice is queued in memory. */
function send(part: EvaluationPart): Promise<void> {
  return new Promise((sent) => {
    process.send?.({ kind: 'part', part }, undefined, undefined, () => sent());
  });
}

/**
 * Starts a task with its own time limit. It is also written to the file immediately, because the process may die during
 * it.
 */
function begin(work: number): void {
  note(NONE, work);
  file.write(marks[0] ?? 1, NONE, work);
}

function note(rule: number, work: number): void {
  marks[0] = ((marks[0] ?? 0) & 0x3fff_ffff) + 1;
  marks[1] = rule;
  marks[2] = work;
}
