import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What an evaluator is at. */
export interface Mark {
  /** Grows with each piece of work; 0: none was begun. */
  readonly count: number;
  /** By index; `NONE`: the asset is being read, or nothing was begun. */
  readonly rule: number;
  /** By index; `NONE`: rules are being compiled, or nothing was begun. */
  readonly asset: number;
  /** Whether it is this piece of work that took too long. */
  readonly isLate: boolean;
}

export const NONE = -1;

/** Where an evaluator finds the file of its marks: the fifth of the descriptors that it is given. */
export const MARKS_DESCRIPTOR = 4;

/**
 * A few bytes that outlive the process that writes them, in a file without a name: what an evaluator was at is to be
 * known also when it died of it.
 */
export class EvaluatorMarks {
  readonly #bytes = new Int32Array(4);
  readonly descriptor: number;

  /** @param descriptor left out: of a new file */
  constructor(descriptor?: number) {
    this.descriptor = descriptor ?? anonymousFile();
    if (descriptor === undefined) this.write(0, NONE, NONE);
  }

  write(count: number, rule: number, asset: number): void {
    this.#bytes.set([count, rule, asset, 0]);
    writeSync(this.descriptor, this.#bytes, 0, this.#bytes.byteLength, 0);
  }

  read(): Mark {
    readSync(this.descriptor, this.#bytes, 0, this.#bytes.byteLength, 0);
    const [count = 0, rule = NONE, asset = NONE, late] = this.#bytes;
    return { count, rule, asset, isLate: late === 1 };
  }

  close(): void {
    closeSync(this.descriptor);
  }
}

function anonymousFile(): number {
  const folder = mkdtempSync(join(tmpdir(), 'cspm-evaluator-'));
  try {
    return openSync(join(folder, 'marks'), 'w+', 0o600);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
