import type { Severity } from '@cspm/scanner';

/** How much one verdict of a rule counts in the score. */
export const WEIGHTS: Readonly<Record<Severity, number>> = {
  critical: 10,
  high: 5,
  medium: 2,
  low: 1,
  info: 0,
};

/** 100 × passed weight ÷ decided weight; null when nothing is decided. */
export function scoreOf(passedWeight: number, decidedWeight: number): number | null {
  return decidedWeight === 0 ? null : (100 * passedWeight) / decidedWeight;
}

export interface Coverage {
  readonly decided: number;
  readonly unknown: number;
  readonly percent: number | null;
}

/** How many of the verdicts PASS, FAIL and UNKNOWN are decided. */
export function coverageOf(decided: number, unknown: number): Coverage {
  const all = decided + unknown;
  return { decided, unknown, percent: all === 0 ? null : (100 * decided) / all };
}
