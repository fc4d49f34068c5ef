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

/** A result of a rule, and how many assets have it. */
interface Outcome extends PackedVerdict {
  readonly index: number;
  assets: number;
}

/** The results of one rule so far. */
type OutcomesOfRule = Partial<Record<Verdict, Outcome>> & {
  readonly byMissing: Map<string, Outcome>;
};

/** The outcomes of an asset: those of another node and one more. Assets with the same outcomes share their nodes. */
interface Combination {
  readonly before: Combination | null;
  readonly outcome: number;
  /** The first combination that continues this one. Most have no other, also where every asset differs. */
  next: Combination | null;
  /** The others, by their outcome. */
  others: Map<number, Combination> | null;
}

/** Collects and counts the verdicts on the assets of one chunk. */
export class VerdictPacker {
  readonly #withNames: boolean;
  readonly #names: string[] = [];
  readonly #byRule = new Map<string, OutcomesOfRule>();
  readonly #outcomes: Outcome[] = [];
  readonly #none: Combination = { before: null, outcome: -1, next: null, others: null };
  readonly #assets: Combination[] = [];

  /** @param withNames for assets that are found by their names instead of their lines */
  constructor({ withNames = false } = {}) {
    this.#withNames = withNames;
  }

  /** Begins the next asset. @returns its index, for `add` */
  begin(name: string): number {
    if (this.#withNames) this.#names.push(name);
    return this.#assets.push(this.#none) - 1;
  }

  /** Adds evaluations of an asset, now or later. */
  add(asset: number, evaluations: readonly Evaluation[]): void {
    let combination = this.#assets[asset] ?? this.#none;
    for (const evaluation of evaluations) {
      const outcome = this.#outcomeOf(evaluation);
      outcome.assets += 1;
      combination = longerBy(outcome.index, combination);
    }
    this.#assets[asset] = combination;
  }

  #outcomeOf({ ruleId, verdict, missing }: Evaluation): Outcome {
    let ofRule = this.#byRule.get(ruleId);
    if (ofRule === undefined) {
      ofRule = { byMissing: new Map() };
      this.#byRule.set(ruleId, ofRule);
    }
    const known = missing === null ? ofRule[verdict] : ofRule.byMissing.get(missing);
    if (known !== undefined) return known;
    const outcome = { ruleId, verdict, missing, index: this.#outcomes.length, assets: 0 };
    this.#outcomes.push(outcome);
    if (missing === null) ofRule[verdict] = outcome;
    else ofRule.byMissing.set(missing, outcome);
    return outcome;
  }

  /** The verdicts of each rule, with the number of assets. */
  get counts(): readonly Readonly<Outcome>[] {
    return this.#outcomes;
  }

  /** Whether the packed verdicts contain all that `countVerdicts` counts, without truncated texts. */
  get isExact(): boolean {
    return this.#outcomes.every(({ missing }) => missing === null || missing.length <= MISSING_MAX);
  }

  /** Compressed with gzip (RFC 1952). */
  async pack(): Promise<Buffer> {
    const known = new Map<Combination, number>();
    const combinations: number[][] = [];
    const assets = this.#assets.map((combination) => {
      const index = known.get(combination) ?? combinations.push(outcomesOf(combination)) - 1;
      known.set(combination, index);
      return index;
    });
    const packed: Packed = {
      outcomes: this.#outcomes.map(({ ruleId, verdict, missing }) => [
        ruleId,
        verdict,
        missing?.slice(0, MISSING_MAX) ?? null,
      ]),
      combinations,
      assets,
      ...(this.#withNames ? { names: this.#names } : {}),
    };
    return compress(JSON.stringify(packed));
  }
}

function longerBy(outcome: number, before: Combination): Combination {
  if (before.next?.outcome === outcome) return before.next;
  const known = before.others?.get(outcome);
  if (known !== undefined) return known;
  const longer: Combination = { before, outcome, next: null, others: null };
  if (before.next === null) {
    before.next = longer;
  } else {
    before.others ??= new Map();
    before.others.set(outcome, longer);
  }
  return longer;
}

function outcomesOf(combination: Combination): number[] {
  const outcomes: number[] = [];
  for (let at = combination; at.before !== null; at = at.before) outcomes.push(at.outcome);
  return outcomes.reverse();
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
