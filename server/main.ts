import { serve } from './start/serve.ts';
import { closeTracing } from './tracing/tracer.ts';

const LAST_SPANS_WITHIN_MS = 5_000;

/** Starts the server as the environment says; whatever is wrong with the start is one line, or a list, and exit code 1. */
try {
  const running = await serve(process.env, (line) => process.stdout.write(`${line}\n`));
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      // Whoever asks twice does not want to wait.
      process.once(signal, () => process.exit(1));
      // Nor does what hangs keep alive a process that was told to end.
      setTimeout(() => process.exit(1), running.stopsWithinMs).unref();
      running
        .stop()
        .finally(() => closeTracing(LAST_SPANS_WITHIN_MS))
        .then(
          () => process.exit(0),
          () => process.exit(1),
        );
    });
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
