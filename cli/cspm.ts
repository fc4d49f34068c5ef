import { run } from './run.ts';

const interruption = new AbortController();
process.once('SIGINT', () => interruption.abort(new Error('Interrupted')));
process.once('SIGTERM', () => interruption.abort(new Error('Terminated')));
// Whoever reads our output may have seen enough: `cspm findings | head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : 1);
});

/** What a shell expects of a program that a signal has ended. */
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
