import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

function runOn(version: string, script: string): Promise<{ code: unknown; messages: string }> {
  const versions = JSON.stringify({ ...process.versions, node: version });
  const preload = `data:text/javascript,Object.defineProperty(process,'versions',{value:${encodeURIComponent(versions)}})`;
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['--import', preload, `scripts/${script}`],
      { cwd: ROOT },
      (error, _, messages) => {
        resolve({ code: error?.code ?? 0, messages });
      },
    );
  });
}

it.each(['start.mjs', 'cspm.mjs', 'admin.mjs'])(
  'scripts/%s refuses an older Node than the supported ones, and names the versions',
  async (script) => {
    for (const version of ['18.20.8', '20.18.3']) {
      expect(await runOn(version, script)).toEqual({
        code: 1,
        messages: `Node ${version} is too old: Node 20.19 or later is required, and 24 is recommended (https://nodejs.org).\n`,
      });
    }
  },
);
