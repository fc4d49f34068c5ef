import { runAdmin } from './administration/run.ts';

// A reader such as `head` may close the pipe early, which is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  process.stderr.write(`Cannot write to standard output: ${error.message}\n`);
  process.exit(1);
});

process.exitCode = await runAdmin(process.argv.slice(2), process.env, {
  out: process.stdout,
  err: process.stderr,
});
