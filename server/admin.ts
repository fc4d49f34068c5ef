import { runAdmin } from './administration/run.ts';

// A reader such as `head` may close the pipe early, which is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : 1);
});

process.exitCode = await runAdmin(process.argv.slice(2), process.env, {
  out: process.stdout,
  err: process.stderr,
});
