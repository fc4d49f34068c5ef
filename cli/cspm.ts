import { run } from './run.ts';

const interruption = new AbortController();
process.once('SIGINT', () => interruption.abort(new Error('Interrupted')));
process.once('SIGTERM', () => interruption.abort(new Error('Terminated')));
// The reader may close the pipe early, as in `cspm findings | head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : 1);
});

/** The exit code that shells expect after SIGINT. */
const INTERRUPTED = 130;

try {
  process.exitCode = await run(process.argv.slice(2), {
    input: process.stdin,
    output: process.stdout,
    messages: process.stderr,
    isInteractive: process.stderr.isTTY === true,
    environment: process.env,
    interrupted: interruption.signal,
  });
} catch (error) {
  process.exitCode = interruption.signal.aborted ? INTERRUPTED : 70;
  if (!interruption.signal.aborted) process.stderr.write(`${String(error)}\n`);
}
