// The time to load the shipped SDK in a fresh process, alternating with openapi-fetch.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';

const ROUNDS = 31;
const MODULES = {
  ours: new URL('../sdk/dist/index.js', import.meta.url),
  theirs: new URL('node_modules/openapi-fetch/dist/index.mjs', import.meta.url),
};
const PROGRAM = `const startedAt = performance.now();
await import(process.argv[1]);
console.log(performance.now() - startedAt);`;
const execute = promisify(execFile);

/**
 * @param {(line: string) => void} say
 * @returns {Promise<import('./report.mjs').Row[]>}
 */
export async function importRace(say) {
  if (!existsSync(MODULES.theirs)) await execute('npm', ['ci'], { cwd: import.meta.dirname });
  say(`${ROUNDS} rounds, a process for each import, in turns`);
  const times = { ours: [], theirs: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const name of ['ours', 'theirs']) times[name].push(await importMs(MODULES[name]));
  }
  // Other load easily doubles a few milliseconds, so the minimum is the undisturbed value.
  const [ours, theirs] = [Math.min(...times.ours), Math.min(...times.theirs)];
  const part = 'import';
  const ratio = ours / theirs;
  return [
    { part, what: '@cspm/sdk', value: `${ours.toFixed(1)} ms` },
    { part, what: 'openapi-fetch', value: `${theirs.toFixed(1)} ms` },
    { part, what: 'ratio', value: ratio.toFixed(2), goal: '<= 1.5', met: ratio <= 1.5 },
  ];
}

async function importMs({ href }) {
  const node = ['--input-type=module', '--eval', PROGRAM, href];
  return Number((await execute(process.execPath, node)).stdout);
}
