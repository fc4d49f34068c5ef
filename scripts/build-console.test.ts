import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const ROUNDS = 400;

/** Moves one build after another into the same place. */
const MOVE_BUILDS = `
  import { mkdir, rm, writeFile } from 'node:fs/promises';
  import { moveBuild } from '${new URL('build-console.mjs', import.meta.url)}';
  const [folder, name] = process.argv.slice(1);
  for (let round = 0; round < ${ROUNDS}; round += 1) {
    const aside = \`\${folder}/\${name}-\${round}\`;
    await mkdir(\`\${aside}/new\`, { recursive: true });
    await writeFile(\`\${aside}/new/index.html\`, name);
    await moveBuild(\`\${aside}/new\`, \`\${folder}/console\`);
    await rm(aside, { recursive: true });
  }`;

it('two processes can put a build of the console into the same folder at once', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cspm-console-'));
  const moveBuilds = (name: string) =>
    promisify(execFile)(process.execPath, [
      ...['--input-type=module', '--eval', MOVE_BUILDS, folder, name],
    ]);
  try {
    const ended = await Promise.allSettled([moveBuilds('first'), moveBuilds('second')]);
    expect(ended.filter(({ status }) => status === 'rejected')).toEqual([]);
    expect(await readdir(folder)).toEqual(['console']);
    expect(await readdir(join(folder, 'console'))).toEqual(['index.html']);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
