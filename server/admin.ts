import { runAdmin } from './administration/run.ts';

// A reader that has seen enough, such as head, closes the pipe: nothing is wrong then.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : 1);
});

process.exitCode = await runAdmin(process.argv.slice(2), process.env, {
  out: process.stdout,
  err: process.stderr,
});
