import { readFile } from 'node:fs/promises';
import type { Instance } from '../kit/fleet.ts';

const EVERY_MS = 1_000;
/** The start-up phase, in which memory grows normally, is ignored. */
const GROWN_UP_MS = 30_000;
/** Minimum share of the first half that must be observed; otherwise an instance has no result. */
const MIN_SAMPLES = 15;

interface Sample {
  readonly at: number;
  readonly mib: number;
}

/** The average memory of an instance in either half of the run. */
export interface Halves {
  readonly name: string;
  readonly firstMib: number;
  readonly secondMib: number;
  /** The average by quarters, NaN without observations: a growing heap levels off, a leak does not. */
  readonly quartersMib: readonly number[];
  /** Ratio of the second half to the first; null: the instance did not live long enough. */
  readonly growth: number | null;
}

/** Samples the resident memory of each instance (VmRSS in proc(5)) once a second. */
export class Memory {
  readonly #samples = new Map<Instance, Sample[]>();
  readonly #bornAt = new Map<number, number>();
  readonly #timer: NodeJS.Timeout;
  readonly #begunAt = Date.now();

  constructor(instances: readonly Instance[]) {
    for (const instance of instances) this.#samples.set(instance, []);
    this.#timer = setInterval(() => void this.#look(), EVERY_MS);
  }

  /** Stops sampling. */
  halves(): Halves[] {
    clearInterval(this.#timer);
    const quarterMs = (Date.now() - this.#begunAt) / 4;
    const middle = this.#begunAt + 2 * quarterMs;
    return [...this.#samples].map(([{ name }, samples]) => {
      const first = samples.filter(({ at }) => at < middle).map(({ mib }) => mib);
      const second = samples.filter(({ at }) => at >= middle).map(({ mib }) => mib);
      const enough = Math.min(first.length, second.length) >= MIN_SAMPLES;
      const [firstMib, secondMib] = [mean(first), mean(second)];
      const quartersMib = [0, 1, 2, 3].map((quarter) => {
        const from = this.#begunAt + quarter * quarterMs;
        return mean(
          samples.filter(({ at }) => at >= from && at < from + quarterMs).map(({ mib }) => mib),
        );
      });
      const growth = enough ? secondMib / firstMib - 1 : null;
      return { name, firstMib, secondMib, quartersMib, growth };
    });
  }

  async #look(): Promise<void> {
    for (const [{ pid }, samples] of this.#samples) {
      if (pid === null) continue;
      const at = Date.now();
      const born = this.#bornAt.get(pid) ?? at;
      this.#bornAt.set(pid, born);
      if (at - born < GROWN_UP_MS) continue;
      const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
      const kib = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]);
      if (kib > 0) samples.push({ at, mib: kib / 1024 });
    }
  }
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
