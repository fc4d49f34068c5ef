import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const VERSION = '1.35.0';
/** Changes that are corrections of the document, one per line, as oasdiff words them. */
const CORRECTIONS = 'tools/breaking/oasdiff-corrections.txt';

const run = promisify(execFile);

export interface Verdict {
  readonly outcome: 'passed' | 'broken' | 'skipped';
  readonly text: string;
}

/**
 * Has oasdiff compare the shapes of two documents: a second opinion that shares no code with our gate. It is built once
 * with Go into node_modules/.cache. Without Go it is skipped.
 * @throws {Error} if it cannot be built or read a document.
 */
export async function oasdiff(root: string, base: string, present: string): Promise<Verdict> {
  const program = await programIn(root);
  if (program === null) {
    return { outcome: 'skipped', text: 'Skipped oasdiff: Go is not installed (https://go.dev).' };
  }
  const options = ['--fail-on', 'ERR', '--err-ignore', join(root, CORRECTIONS), '--color', 'never'];
  try {
    const { stdout } = await run(program, ['breaking', base, present, ...options], OUTPUT);
    return { outcome: 'passed', text: `oasdiff: no breaking change of shapes.\n${stdout}`.trim() };
  } catch (error) {
    const { code, stdout, stderr } = error as { code?: unknown; stdout?: string; stderr?: string };
    // It exits with 1 for a breaking change, and with another code if it cannot compare.
    if (code === 1) return { outcome: 'broken', text: `oasdiff: ${stdout}`.trim() };
    throw new Error(`oasdiff failed: ${stderr || error}`);
  }
}

const OUTPUT = { maxBuffer: 64 * 1024 * 1024 };

/** @returns null without Go. */
async function programIn(root: string): Promise<string | null> {
  const folder = join(root, `node_modules/.cache/oasdiff-${VERSION}`);
  const program = join(folder, 'oasdiff');
  if (existsSync(program)) return program;
  try {
    await run('go', ['version']);
  } catch {
    return null;
  }
  const env = { ...process.env, GOBIN: folder };
  await run('go', ['install', `github.com/oasdiff/oasdiff@v${VERSION}`], { ...OUTPUT, env });
  return program;
}
