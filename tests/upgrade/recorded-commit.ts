import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { RECORDS } from '../../tools/release/record.ts';

const run = promisify(execFile);

/**
 * The tag of a release, or the commit that wrote its record. Null if this clone has neither: it is shallow, it is an
 * export without git, or the record is not committed yet.
 */
export async function commitOf(root: string, version: string): Promise<string | null> {
  const file = `${RECORDS}/${version}/release.json`;
  const recorded = await readFile(join(root, file), 'utf8');
  const git = async (...args: string[]): Promise<string> => {
    const { stdout } = await run('git', args, { cwd: root }).catch(() => ({ stdout: '' }));
    return stdout;
  };
  const isRecord = async (ref: string) => (await git('show', `${ref}:${file}`)) === recorded;
  const tag = `v${version}`;
  if (await isRecord(tag)) return tag;
  // In a shallow clone, git attributes every file to the oldest commit that it has.
  if ((await git('rev-parse', '--is-shallow-repository')).trim() === 'true') return null;
  const commit = (await git('log', '-1', '--format=%h', '--', file)).trim();
  return commit !== '' && (await isRecord(commit)) ? commit : null;
}
