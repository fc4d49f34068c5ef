import { PassThrough } from 'node:stream';
import { EXIT } from './exit-codes.ts';
import { run } from './run.ts';

/** For each signal: what the message says, and the exit code that shells expect. */
const SIGNALS = {
  SIGHUP: { signal: 'SIGHUP', message: 'The terminal was closed.', code: 129 },
  SIGINT: { signal: 'SIGINT', message: 'Interrupted.', code: 130 },
  SIGTERM: { signal: 'SIGTERM', message: 'Terminated.', code: 143 },
} as const;

/** How long an interrupted process may outlive its command, in milliseconds. */
const OUTLIVE_MS = 500;

const interruption = new AbortController();
let interrupted: (typeof SIGNALS)[keyof typeof SIGNALS] | null = null;
for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) {
  // The second one has its default action, in case the command does not end.
  process.once(signal, () => {
    interrupted ??= SIGNALS[signal];
    interruption.abort(new Error(interrupted.message));
  });
}
const args = process.argv.slice(2);
/** Pipelines rely on the exit codes of these commands, also when nobody reads their output to the end. */
const GATES = ['scan', 'preflight', 'sources', 'inventory validate'];
const isGate = GATES.some((gate) => `${args.join(' ')} `.startsWith(`${gate} `));
/** Stays writable when the reader closes the pipe early, as in `cspm scan | head`. */
const output = new PassThrough();
output.pipe(process.stdout);
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') {
    process.stderr.write(`Cannot write to standard output: ${error.message}\n`);
    process.exit(EXIT.service);
  }
  if (!isGate) process.exit(0);
  output.unpipe(process.stdout).resume();
});
// Without a handler, Node ends the process with 1, the exit code of findings. Messages that nobody reads are no failure.
process.stderr.on('error', () => undefined);
// Without credentials, the search for a metadata server ends with a message of ours, which this warning only obscures.
for (const print of process.listeners('warning')) {
  process.off('warning', print);
  process.on('warning', (warning) => {
    if (warning.name !== 'MetadataLookupWarning') print(warning);
  });
}

try {
  const code = await run(args, {
    input: process.stdin,
    output,
    messages: process.stderr,
    isTerminal: {
      input: process.stdin.isTTY === true,
      output: process.stdout.isTTY === true,
      messages: process.stderr.isTTY === true,
    },
    environment: process.env,
    interrupted: interruption.signal,
  });
  process.exitCode = interrupted === null ? code : endedBy(interruption.signal.reason);
} catch (error) {
  process.exitCode = endedBy(error);
}

function endedBy(error: unknown): number {
  process.stderr.write(`${interrupted?.message ?? String(error)}\n`);
  if (interrupted === null) return EXIT.internal;
  const { signal, code } = interrupted;
  // A read of a pipe whose writer is silent keeps the process alive. Now the signal has its default action.
  setTimeout(() => process.kill(process.pid, signal), OUTLIVE_MS).unref();
  return code;
}
