import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { migrationsIn } from '../migrations/unreleased.ts';
import { digestOf, RECORDED_FILES, RECORDS, type RecordedFile } from './record.ts';

/**
 * Writes what the present tree ships as the record of a version, in the place of an earlier record of that version.
 * @param rows what the server of this tree wrote into its tables, by `recordRows`
 * @returns the paths that were written.
 */
export async function writeRecord(
  root: string,
  version: string,
  date: string,
  rows: string,
): Promise<string[]> {
  const migrations = (await migrationsIn(root)).map(({ name, sql }) => ({
    name,
    checksum: digestOf(sql),
  }));
  const texts: Record<RecordedFile, string> = {
    'openapi.json': await readFile(join(root, 'openapi.json'), 'utf8'),
    'migrations.json': `${JSON.stringify(migrations, null, 2)}\n`,
    'sdk.d.ts': await readFile(join(root, 'sdk/dist/index.d.ts'), 'utf8'),
    'rows.ndjson': rows,
  };
  const digests = Object.fromEntries(RECORDED_FILES.map((file) => [file, digestOf(texts[file])]));
  const files = {
    ...texts,
    'release.json': `${JSON.stringify({ version, date, digests }, null, 2)}\n`,
  };
  const folder = join(root, RECORDS, version);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return Object.keys(files).map((name) => `${RECORDS}/${version}/${name}`);
}
