import { execFile } from 'node:child_process';
import { access } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** Commands of maintainers, and the script of each. */
const SCRIPTS = {
  'check:breaking': 'check-breaking.ts',
  'check:migrations': 'check-migrations.ts',
  'fake-google': 'fake-google.ts',
  new: 'new.ts',
  'openapi:3.0': 'openapi-3.0.ts',
  'pack:cli': 'pack-cli.ts',
  release: 'release.ts',
  sbom: 'sbom.ts',
  soak: 'soak.ts',
  'test:chaos': 'chaos.ts',
  'test:google': 'test-google.ts',
};

interface Ended {
  readonly code: number;
  readonly output: string;
  readonly messages: string;
}

function run(script: string, option: string): Promise<Ended> {
  const args = ['--import', 'tsx', `scripts/${script}`, option];
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: ROOT }, (error, output, messages) => {
      resolve({ code: error === null ? 0 : Number(error.code), output, messages });
    });
  });
}

describe.each(Object.entries(SCRIPTS))('npm run %s', (name, script) => {
  it(`npm run ${name} prints its usage for --help, and nothing else`, async () => {
    const { code, output, messages } = await run(script, '--help');
    expect([code, messages]).toEqual([0, '']);
    expect(output).toMatch(new RegExp(`^Usage: npm run ${name}\\b`));
  });

  it(`npm run ${name} names an unknown option with the usage, and exits with 2`, async () => {
    const { code, output, messages } = await run(script, '--nonsense');
    expect([code, output]).toEqual([2, '']);
    expect(messages).toContain(`Usage: npm run ${name}`);
    expect(messages).not.toMatch(/^ +at /m);
    await expect(access(`${ROOT}/--nonsense`)).rejects.toThrow('ENOENT');
  });
});
