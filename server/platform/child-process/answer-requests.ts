import { NONE, PROGRESS_DESCRIPTOR, ProgressFile } from './progress-file.ts';
import { watchOneself } from './watchdog.ts';

/** Places of `Progress` in shared memory. */
const COUNT = 0;
const ASSET = 2;

/** Limits that a child process watches itself. */
export interface OwnLimits {
  /** CPU time for one request, or between two beats of it, in milliseconds. */
  readonly evaluationMs: number;
  /** CPU time for all requests together, in milliseconds. Default: unlimited. */
  readonly wholeMs?: number;
  /** Resident memory, in MiB. */
  readonly residentMb: number;
}

/**
 * The other side of a `WatchedProcess`: answers its requests, one at a time, until it is gone. A request that fails ends this
 * process; the parent learns of it from the exit code and standard error.
 * @returns `beat`, which reports progress of a long request and restarts its time limit
 */
export function answerRequests<Request, Answer extends { readonly kind: string }>(
  limits: OwnLimits,
  answerTo: (request: Request) => Promise<Answer>,
): { readonly beat: () => void } {
  const file = new ProgressFile(PROGRESS_DESCRIPTOR);
  const marks = new SharedArrayBuffer(4 * Int32Array.BYTES_PER_ELEMENT);
  const progress = new Int32Array(marks).fill(NONE);
  progress[COUNT] = 1;
  file.write(1, NONE, NONE);
  watchOneself({ ...limits, marks });
  process.on('disconnect', () => process.exit());
  const beat = () => {
    progress[COUNT] = (progress[COUNT] ?? 0) + 1;
  };
  process.on('message', (request: Request) => {
    beat();
    // The same asset for all requests, so that the watchdog adds up their time.
    progress[ASSET] = 0;
    answerTo(request).then(
      (answer) => process.send?.(answer),
      (error: unknown) => {
        process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`, () =>
          process.exit(1),
        );
      },
    );
  });
  return { beat };
}
