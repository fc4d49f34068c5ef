import { PassThrough } from 'node:stream';
import { run } from './run.ts';

const interruption = new AbortController();
process.once('SIGINT', () => interruption.abort(new Error('Interrupted')));
process.once('SIGTERM', () => interruption.abort(new Error('Terminated')));
const args = process.argv.slice(2);
/** Pipelines rely on the exit codes of these commands, also when nobody reads their output to the end. */
const isGate = ['scan', 'preflight', 'sources'].includes(args[0] ?? '');
/** Stays writable when the reader closes the pipe early, as in `cspm scan | head`. */
const output = new PassThrough();
output.pipe(process.stdout);
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') process.exit(1);
  if (!isGate) process.exit(0);
  output.unpipe(process.stdout).resume();
});

/** The exit code that shells expect after SIGINT. */
const INTERRUPTED = 130;

try {
  process.exitCode = await run(args, {
    input: process.stdin,
    output,
    messages: process.stderr,
    isInteractive: process.stderr.isTTY === true,
    environment: process.env,
    interrupted: interruption.signal,
  });
} catch (error) {
  process.exitCode = interruption.signal.aborted ? INTERRUPTED : 70;
  if (!interruption.signal.aborted) process.stderr.write(`${String(error)}\n`);
}
