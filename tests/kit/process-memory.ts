import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/** Whether the kernel reports the memory of a process and can reset its peak (Linux). */
export const MEMORY_IS_MEASURED = existsSync('/proc/self/clear_refs');

/** The memory of a process in bytes: the current value, and the peak since `forgetPeak`. */
export function memoryOf(pid: number): { readonly now: number; readonly peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const bytes = (name: string) => {
    const [, kib] = new RegExp(`${name}:\\s+(\\d+) kB`).exec(status) ?? [];
    return Number(kib) * 1024;
  };
  return { now: bytes('VmRSS'), peak: bytes('VmHWM') };
}

/** Resets the peak to the current value. */
export function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

const LOOK_EVERY_MS = 20;

/** Watches the memory of a process and of the processes that it starts. */
export class MemoryWatch {
  readonly #pid: number;
  readonly #timer = setInterval(() => this.#look(), LOOK_EVERY_MS);
  #highest = 0;

  constructor(pid: number) {
    this.#pid = pid;
    forgetPeak(pid);
  }

  /**
   * Ends watching.
   * @returns the highest sum of the peaks of all processes that ran at the same time, in bytes
   */
  end(): number {
    this.#look();
    clearInterval(this.#timer);
    return this.#highest;
  }

  #look(): void {
    const children = readFileSync(`/proc/${this.#pid}/task/${this.#pid}/children`, 'utf8');
    const peaks = children
      .split(' ')
      .filter(Boolean)
      .map((child) => peakOf(Number(child)));
    const sum = peaks.reduce((total, peak) => total + peak, memoryOf(this.#pid).peak);
    this.#highest = Math.max(this.#highest, sum);
  }
}

/** The peak of a process; 0 if it has ended, whether or not it was awaited. */
function peakOf(pid: number): number {
  try {
    return memoryOf(pid).peak || 0;
  } catch {
    return 0;
  }
}
