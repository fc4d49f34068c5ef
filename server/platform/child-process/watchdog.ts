import { Worker } from 'node:worker_threads';
import { PROGRESS_DESCRIPTOR } from './progress-file.ts';

const LOOK_EVERY_MS = 50;

export interface WatchOptions {
  /** CPU time limit for one piece of work, in milliseconds. */
  readonly evaluationMs: number;
  /** CPU time limit for all pieces of work on one `asset`. Default: unlimited. */
  readonly wholeMs?: number;
  /** Resident memory limit of this process, in MiB. */
  readonly residentMb: number;
  /** Progress in the memory of this process, copied to its file a few times a second. Default: the file itself. */
  readonly marks?: SharedArrayBuffer;
}

/**
 * Starts a thread that kills this process when a piece of work exceeds its time limit, when memory exceeds its limit,
 * or when the parent is gone, since a process in a loop notices none of these. It measures CPU time: on a busy machine,
 * wall-clock time would kill healthy processes.
 */
export function watchOneself(options: WatchOptions): void {
  const workerData = { ...options, parent: process.ppid };
  // A small heap is enough for its work. From Node 24 on, the reservation for compiled code would be 512 MiB, which
  // counts as data of the process.
  const resourceLimits = {
    maxYoungGenerationSizeMb: 2,
    maxOldGenerationSizeMb: 16,
    codeRangeSizeMb: 16,
  };
  new Worker(WATCH, { eval: true, env: {}, workerData, resourceLimits }).unref();
}

/** JavaScript, because a worker thread cannot load TypeScript here; the offsets are those of `ProgressFile`. */
const WATCH = `
  const { readSync, writeSync } = require('node:fs');
  const { workerData } = require('node:worker_threads');
  const { evaluationMs, wholeMs = Infinity, residentMb, parent, marks: shared } = workerData;
  const IN_TIME = 0, LATE = 1;
  const marks = new Int32Array(4);
  const ofProcess = shared === undefined ? null : new Int32Array(shared);
  const read = () => {
    if (ofProcess === null) readSync(${PROGRESS_DESCRIPTOR}, marks, 0, marks.byteLength, 0);
    else marks.set(ofProcess);
  };
  const tell = (isLate) => {
    marks[3] = isLate;
    writeSync(${PROGRESS_DESCRIPTOR}, marks, 0, marks.byteLength, 0);
  };
  const end = (isLate) => {
    tell(isLate);
    process.kill(process.pid, 'SIGKILL');
  };
  let seen = 0, since = 0;
  let whole = -1, sinceWhole = 0;
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
    read();
    if (process.memoryUsage.rss() > residentMb * 1048576) end(IN_TIME);
    const [count, rule, asset] = marks;
    const { user, system } = process.cpuUsage();
    const computedMs = (user + system) / 1000;
    const isIdle = rule === -1 && asset === -1;
    if (asset !== whole || isIdle) {
      whole = asset;
      sinceWhole = computedMs;
    } else if (computedMs - sinceWhole >= wholeMs) {
      end(LATE);
    }
    if (count !== seen || isIdle) {
      if (ofProcess !== null && count !== seen) tell(IN_TIME);
      seen = count;
      since = computedMs;
    } else if (computedMs - since >= evaluationMs) {
      end(LATE);
    }
  }, ${LOOK_EVERY_MS});`;
