import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The progress of a child process. */
export interface Progress {
  /** Increases with each piece of work; 0: none has started. */
  readonly count: number;
  /** Index of the rule; `NONE`: the asset is being read, or nothing has started. */
  readonly rule: number;
  /** Index of the asset; `NONE`: rules are being compiled, or nothing has started. */
  readonly asset: number;
  /** Whether this piece of work exceeded its time limit. */
  readonly isLate: boolean;
}

export const NONE = -1;

/** The file descriptor under which a child finds its progress file. */
export const PROGRESS_DESCRIPTOR = 4;

/**
 * A few bytes in an unnamed file that outlive the process that writes them, so the parent knows what a crashed child
 * was working on.
 */
export class ProgressFile {
  readonly #bytes = new Int32Array(4);
  readonly descriptor: number;

  /**
   * @param descriptor of an open file; default: a new file
   * @throws {Error} ENOSPC when the disk of a new file is full
   */
  constructor(descriptor?: number) {
    this.descriptor = descriptor ?? anonymousFile();
    if (descriptor !== undefined) return;
    try {
      this.write(0, NONE, NONE);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  write(count: number, rule: number, asset: number): void {
    this.#bytes.set([count, rule, asset, 0]);
    writeSync(this.descriptor, this.#bytes, 0, this.#bytes.byteLength, 0);
  }

  read(): Progress {
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
    return openSync(join(folder, 'progress'), 'w+', 0o600);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
