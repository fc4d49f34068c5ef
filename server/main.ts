import { reasonOf } from './platform/reason.ts';
import { closeTracing } from './platform/tracing/tracer.ts';
import { serve } from './start/serve.ts';

const LAST_SPANS_WITHIN_MS = 5_000;

// Standard output can be a file on a full disk, or a pipe whose reader has ended: the server goes on without it.
process.stdout.on('error', () => undefined);

/** Starts the server from the environment. A failed start prints one line or a list, and exits with code 1. */
try {
  const running = await serve(process.env, (line) => process.stdout.write(`${line}\n`));
  let exitCode = 0;
  const end = (code: number) => {
    // A fault during a shutdown that a signal began still shows in the exit code.
    exitCode = Math.max(exitCode, code);
    // A hanging operation must not keep a process alive after a stop signal.
    setTimeout(() => process.exit(1), running.stopsWithinMs).unref();
    running
      .stop()
      .finally(() => closeTracing(LAST_SPANS_WITHIN_MS))
      .then(
        () => process.exit(exitCode),
        () => process.exit(1),
      );
  };
  running.handleStrayFaults(() => end(1));
  running.workersStarted.catch((error: unknown) => {
    printReason(error);
    end(1);
  });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      // A second signal ends the process immediately.
      process.once(signal, () => process.exit(1));
      end(0);
    });
  }
  running.announce();
} catch (error) {
  printReason(error);
  process.exit(1);
}

function printReason(error: unknown): void {
  process.stderr.write(`${reasonOf(error)}\n`);
}
