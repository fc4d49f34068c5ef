import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { Evaluation, Verdict } from '@cspm/scanner';

/** The verdict of one rule on one asset. */
export interface PackedVerdict {
  readonly ruleId: string;
  readonly verdict: Verdict;
  readonly missing: string | null;
}

/** The verdicts on the assets of one chunk. Most assets of a type have the same ones, so each combination is stored once. */
interface Packed {
  readonly outcomes: readonly (readonly [
    ruleId: string,
    verdict: Verdict,
    missing: string | null,
  ])[];
  /** Indexes of outcomes. */
  readonly combinations: readonly (readonly number[])[];
  /** Indexes of combinations, one for each line of the chunk. */
  readonly assets: readonly number[];
  /** The names of the assets, if they are not those of a chunk. */
  readonly names?: readonly string[];
}

/** In UTF-16 code units. */
const MISSING_MAX = 500;

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** Collects the verdicts on the assets of one chunk. */
export class VerdictPacker {
  readonly #withNames: boolean;
  readonly #names: string[] = [];
  readonly #indexes = new Map<string, number>();
  /** The evaluator shares the evaluations without findings, so most are found by identity. */
  readonly #known = new Map<Evaluation, number>();
  readonly #outcomes: Packed['outcomes'][number][] = [];
  readonly #assets: number[][] = [];
  #isExact = true;

  /** @param withNames for assets that are found by their names instead of their lines */
  constructor({ withNames = false } = {}) {
    this.#withNames = withNames;
  }

  /** Begins the next asset. @returns a function that notes its evaluations, now or later */
  begin(name: string): (evaluations: readonly Evaluation[]) => void {
    const outcomes: number[] = [];
    this.#assets.push(outcomes);
    if (this.#withNames) this.#names.push(name);
    return (evaluations) => {
      for (const evaluation of evaluations) outcomes.push(this.#indexOf(evaluation));
    };
  }

  #indexOf(evaluation: Evaluation): number {
    if (evaluation.verdict === 'fail' || evaluation.verdict === 'unknown') {
      return this.#search(evaluation);
    }
    let index = this.#known.get(evaluation);
    if (index === undefined) {
      index = this.#search(evaluation);
      this.#known.set(evaluation, index);
    }
    return index;
  }

  #search({ ruleId, verdict, missing }: Evaluation): number {
    const key = `${ruleId}\0${verdict}\0${missing ?? ''}`;
    let index = this.#indexes.get(key);
    if (index === undefined) {
      if (missing !== null && missing.length > MISSING_MAX) this.#isExact = false;
      index = this.#outcomes.push([ruleId, verdict, missing?.slice(0, MISSING_MAX) ?? null]) - 1;
      this.#indexes.set(key, index);
    }
    return index;
  }

  /** Whether the packed verdicts contain all that `countVerdicts` counts, without truncated texts. */
  get isExact(): boolean {
    return this.#isExact;
  }

  /** Compressed with gzip (RFC 1952). */
  async pack(): Promise<Buffer> {
    const known = new Map<string, number>();
    const combinations: number[][] = [];
    const assets = this.#assets.map((outcomes) => {
      const key = outcomes.join();
      const index = known.get(key) ?? combinations.push(outcomes) - 1;
      known.set(key, index);
      return index;
    });
    const packed: Packed = {
      outcomes: this.#outcomes,
      combinations,
      assets,
      ...(this.#withNames ? { names: this.#names } : {}),
    };
    return compress(JSON.stringify(packed));
  }
}

/** The verdicts on the asset of a line, or with a name; null: it was not evaluated there. */
export async function unpackVerdicts(
  data: Buffer,
  asset: { readonly line: number } | { readonly name: string },
): Promise<PackedVerdict[] | null> {
  const packed = await unpack(data);
  const at = 'line' in asset ? asset.line : (packed.names?.indexOf(asset.name) ?? -1);
  const combination = packed.combinations[packed.assets[at] ?? -1];
  if (combination === undefined) return null;
  return combination.flatMap((index) => {
    const [ruleId, verdict, missing] = packed.outcomes[index] ?? [];
    return ruleId === undefined || verdict === undefined
      ? []
      : [{ ruleId, verdict, missing: missing ?? null }];
  });
}

/**
 * Counts the verdicts of a chunk.
 * @param count is called once for each verdict of an outcome, with the number of its assets
 * @returns the number of assets
 */
export async function countVerdicts(
  data: Buffer,
  count: (verdict: PackedVerdict, assets: number) => void,
): Promise<number> {
  const { outcomes, combinations, assets } = await unpack(data);
  const byCombination = combinations.map(() => 0);
  for (const combination of assets)
    byCombination[combination] = (byCombination[combination] ?? 0) + 1;
  const byOutcome = outcomes.map(() => 0);
  for (const [index, combination] of combinations.entries()) {
    for (const outcome of combination) {
      byOutcome[outcome] = (byOutcome[outcome] ?? 0) + (byCombination[index] ?? 0);
    }
  }
  for (const [index, [ruleId, verdict, missing]] of outcomes.entries()) {
    count({ ruleId, verdict, missing }, byOutcome[index] ?? 0);
  }
  return assets.length;
}

/** Reads what `pack` has written. */
async function unpack(data: Buffer): Promise<Packed> {
  return JSON.parse((await decompress(data)).toString('utf8'));
}
