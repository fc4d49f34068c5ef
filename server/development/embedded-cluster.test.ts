import { expect, it } from 'vitest';
import { reasonIn } from './embedded-cluster.ts';

it('the reason of a failure is the last that Postgres gave, with its detail', () => {
  const output = [
    'LOG:  starting PostgreSQL',
    '2026-11-29 10:00:00.000 UTC [1] FATAL:  could not open a file',
    '2026-11-29 10:00:00.000 UTC [1] DETAIL:  Permission denied.',
    'child process exited with exit code 1',
  ];
  expect(reasonIn(output.join('\n'))).toBe('could not open a file (Permission denied.)');
});

it('the reason of a failure is a full disk, also if Postgres failed once more because of it', () => {
  const output = [
    'running bootstrap script ... [1] FATAL:  could not extend file "base/1/2691": wrote only 4096 of 8192 bytes at block 10',
    '[1] HINT:  Check free disk space.',
    '[1] PANIC:  cannot abort transaction 1, it was already committed',
    'child process exited with exit code 134',
  ];
  expect(reasonIn(output.join('\n'))).toBe(
    'could not extend file "base/1/2691": wrote only 4096 of 8192 bytes at block 10 (Check free disk space.)',
  );
});
