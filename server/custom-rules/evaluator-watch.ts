import { Worker } from 'node:worker_threads';
import { MARKS_DESCRIPTOR } from './evaluator-marks.ts';

const LOOK_EVERY_MS = 50;

/**
 * Starts a thread that kills this process as soon as one piece of its work takes longer than it may, and when its parent
 * is gone, which a process that loops does not notice itself. What counts is the time that this process has computed:
 * on a machine that is busy a clock on the wall would accuse the innocent.
 */
export function watchOneself(evaluationMs: number): void {
  const workerData = { evaluationMs, parent: process.ppid };
  new Worker(WATCH, { eval: true, env: {}, workerData }).unref();
}

/** JavaScript, since a thread reads no TypeScript; the places are those of `EvaluatorMarks`. */
const WATCH = `
  const { readSync, writeSync } = require('node:fs');
  const { workerData: { evaluationMs, parent } } = require('node:worker_threads');
  const marks = new Int32Array(4);
  let seen = 0;
  let since = 0;
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
    readSync(${MARKS_DESCRIPTOR}, marks, 0, marks.byteLength, 0);
    const [count, rule, asset] = marks;
    const { user, system } = process.cpuUsage();
    const computedMs = (user + system) / 1000;
    if (count !== seen || (rule === -1 && asset === -1)) {
      seen = count;
      since = computedMs;
    } else if (computedMs - since >= evaluationMs) {
      marks[3] = 1;
      writeSync(${MARKS_DESCRIPTOR}, marks, 0, marks.byteLength, 0);
      process.kill(process.pid, 'SIGKILL');
    }
  }, ${LOOK_EVERY_MS});`;
