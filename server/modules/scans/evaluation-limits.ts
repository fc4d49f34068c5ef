import type { ProcessLimits } from '../../platform/child-process/watched-process.ts';

/** Limits on the evaluation of a scan; see docs/decisions/0031-scans-are-evaluated-in-child-processes.md. */
export const SCAN_EVALUATION: ProcessLimits & { readonly chunkMs: number } = {
  /** CPU time in milliseconds for one rule on one asset or project. It normally takes microseconds. */
  evaluationMs: 10_000,
  /** CPU time in milliseconds for all rules on the chunks of one step. It normally takes tens of milliseconds. */
  chunkMs: 60_000,
  memoryMb: 256,
  /** V8 would start with a small heap, and collect all garbage once for each step. See decision 0072. */
  initialHeapMb: 64,
  /** Half of V8's own choice, which takes 15 MB more and saves nothing. */
  semiSpaceMb: 8,
  /** A third of V8's own choice. Hundreds of functions of rules are compiled, and run too briefly to make up for it. */
  inlinedBytecode: 300,
  /** Requests of other tenants come first where all cores are busy. See decisions 0075 and 0079. */
  niceness: 10,
};

/**
 * Findings of one step, or of all projects of an inventory, which are in memory until they are written. A step with more is
 * repeated as one step for each chunk.
 */
export const FINDINGS_MAX = 100_000;

/** How often one task may end an evaluator before the scan of the project fails. */
export const CRASHES_MAX = 2;

/** How long a running evaluation may continue after the worker was asked to stop. */
export const STOP_WITHIN_MS = 2_000;

/** How often a running evaluation looks whether its scan was cancelled or another worker has its slot. */
export const CHECK_EVERY_MS = 2_000;
