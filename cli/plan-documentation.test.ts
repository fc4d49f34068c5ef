import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

const PAGE = new URL('../docs/terraform-plans.md', import.meta.url);

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cspm-plan-documentation-'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

/** The commands that the page gives for a pull request. */
async function step(): Promise<string> {
  const page = await readFile(PAGE, 'utf8');
  const [, commands] = /^## In a pull request\n\n```sh\n(.*?)^```/ms.exec(page) ?? [];
  return commands ?? '';
}

/** Runs the commands as GitHub Actions does. Returns the exit code and the programs that were called. */
async function run(code: number, comments: number) {
  const calls = join(folder, 'calls');
  await writeFile(calls, '');
  for (const [program, exits] of [['npm', code] as const, ['gh', comments] as const]) {
    const script = `#!/bin/sh\necho ${program} >> "${calls}"\nexit ${exits}\n`;
    await writeFile(join(folder, program), script, { mode: 0o755 });
  }
  const file = join(folder, 'step.sh');
  await writeFile(file, await step());
  const env = { ...process.env, PATH: `${folder}:${process.env['PATH']}` };
  const { status } = spawnSync('bash', ['-e', file], { cwd: folder, env });
  return { status, calls: (await readFile(calls, 'utf8')).trim().split('\n') };
}

it.each([0, 1])(
  'the documented step for pull requests comments and exits with %i, the exit code of the scan',
  async (code) => {
    expect(await run(code, 0)).toEqual({ status: code, calls: ['npm', 'gh'] });
  },
);

it('the documented step for pull requests does not comment when the plan could not be compared', async () => {
  expect(await run(4, 0)).toEqual({ status: 4, calls: ['npm'] });
});

it('the documented step for pull requests fails when the comment could not be written', async () => {
  expect(await run(0, 5)).toEqual({ status: 5, calls: ['npm', 'gh'] });
});
