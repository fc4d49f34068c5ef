import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { compareVersions, isVersion } from './version.ts';

/** Where the records of releases are: `release/<version>/`. */
export const RECORDS = 'release';
/** What `release.json` lists with a digest. */
export const RECORDED_FILES = [
  'openapi.json',
  'migrations.json',
  'sdk.d.ts',
  'rows.ndjson',
] as const;
export type RecordedFile = (typeof RECORDED_FILES)[number];

const REMEDY =
  'Restore it from git, or write the first one: npm run release -- --record-only (RELEASING.md says when). A gate that has nothing to compare with fails.';

/** A migration as a release shipped it. */
export interface RecordedMigration {
  readonly name: string;
  /** SHA-256 of its migration.sql. */
  readonly checksum: string;
}

/** A record that is missing or was changed by hand, with the remedy. */
export class RecordError extends Error {
  override readonly name = 'RecordError';
}

/** The parts of a release that later releases are compared with. */
export class ReleaseRecord {
  readonly version: string;
  /** Relative to the root of the repository. */
  readonly folder: string;
  readonly #files: ReadonlyMap<RecordedFile, string>;

  constructor(version: string, files: ReadonlyMap<RecordedFile, string>) {
    this.version = version;
    this.folder = `${RECORDS}/${version}`;
    this.#files = files;
  }

  text(file: RecordedFile): string {
    return this.#files.get(file) ?? '';
  }

  get migrations(): readonly RecordedMigration[] {
    return JSON.parse(this.text('migrations.json'));
  }
}

export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The versions that have a record, from the oldest to the newest. */
export async function recordedVersions(root: string): Promise<string[]> {
  const entries = await readdir(join(root, RECORDS), { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isDirectory() && isVersion(entry.name))
    .map(({ name }) => name)
    .sort(compareVersions);
}

/**
 * The record of the newest release.
 * @param before leave out this version and later ones
 * @throws {RecordError} when there is none, or when a file is not the one that was recorded.
 */
export async function newestRecord(root: string, before?: string): Promise<ReleaseRecord> {
  const versions = await recordedVersions(root);
  const earlier = versions.filter(
    (version) => before === undefined || compareVersions(version, before) < 0,
  );
  const version = earlier.at(-1);
  if (version === undefined) {
    throw new RecordError(`There is no record of a release in ${RECORDS}/. ${REMEDY}`);
  }
  return readRecord(root, version);
}

async function readRecord(root: string, version: string): Promise<ReleaseRecord> {
  const folder = join(root, RECORDS, version);
  const digests = await digestsIn(folder, version);
  const files = new Map<RecordedFile, string>();
  for (const file of RECORDED_FILES) {
    const text = await readFile(join(folder, file), 'utf8').catch(() => null);
    if (text === null) {
      throw new RecordError(`${RECORDS}/${version}/${file} is missing. Restore it from git.`);
    }
    if (digests[file] !== digestOf(text)) {
      throw new RecordError(
        `${RECORDS}/${version}/${file} differs from its digest in release.json. Restore it from git.`,
      );
    }
    files.set(file, text);
  }
  return new ReleaseRecord(version, files);
}

async function digestsIn(folder: string, version: string): Promise<Record<string, string>> {
  try {
    const { digests } = JSON.parse(await readFile(join(folder, 'release.json'), 'utf8'));
    return digests ?? {};
  } catch {
    throw new RecordError(
      `${RECORDS}/${version}/release.json is missing or is not JSON. Restore it from git.`,
    );
  }
}
