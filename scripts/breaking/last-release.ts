import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** openapi.json has less than one. */
const MAX_BYTES = 64 * 1024 * 1024;

/** The document of the last release before this commit, by the tag nearest to it; null: there is no release. */
export async function lastRelease(
  repository: string,
): Promise<{ tag: string; document: string } | null> {
  const tag = await git(repository, 'describe', '--tags', '--match', 'v*', '--abbrev=0').catch(
    (error: unknown) => {
      if (isNoTag(error)) return '';
      throw error;
    },
  );
  if (tag === '') return null;
  return { tag: tag.trim(), document: await git(repository, 'show', `${tag.trim()}:openapi.json`) };
}

async function git(repository: string, ...args: string[]): Promise<string> {
  // Its words are told apart below, so they have to be English.
  const env = { ...process.env, LC_ALL: 'C' };
  const { stdout } = await run('git', args, { cwd: repository, maxBuffer: MAX_BYTES, env });
  return stdout;
}

function isNoTag(error: unknown): boolean {
  const { stderr } = error as { stderr?: unknown };
  return typeof stderr === 'string' && /No names found|No tags can describe/.test(stderr);
}
