import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

const PROGRAM = `
  import { handleStrayFaults } from ${JSON.stringify(new URL('./last-resort.ts', import.meta.url).href)};
  let counted = 0;
  const say = (level) => (_, message) => console.log(level, message);
  const log = { error: say('error'), fatal: say('fatal') };
  handleStrayFaults({ log, count: () => { counted += 1; }, end: () => process.exit(1) });
  process.on('exit', () => console.log('counted', counted));
`;

function run(fault: string) {
  const { status, stdout } = spawnSync(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '--eval', PROGRAM + fault],
    { encoding: 'utf8' },
  );
  return { status, lines: stdout.trim().split('\n') };
}

it('an unhandled rejection is logged and counted, and the process continues', () => {
  const fault = `
    void Promise.reject(new Error('stray'));
    setTimeout(() => console.log('goes on'), 10);
  `;
  expect(run(fault)).toEqual({
    status: 0,
    lines: ['error Unhandled promise rejection; the process continues', 'goes on', 'counted 1'],
  });
});

it('an uncaught exception is logged and counted, and ends the process with code 1', () => {
  const fault = `
    setTimeout(() => { throw new Error('stray'); }, 0);
    setTimeout(() => console.log('goes on'), 60_000);
  `;
  expect(run(fault)).toEqual({
    status: 1,
    lines: ['fatal Uncaught exception; the process exits', 'counted 1'],
  });
});
