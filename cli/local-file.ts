import { createReadStream, type ReadStream, type Stats } from 'node:fs';
import { access, constants, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import {
  type ContentKind,
  INVENTORY_LIMITS,
  type Intake,
  ReferenceSelection,
  readInventory,
  type SkippedResource,
  Snapshot,
} from '@cspm/scanner';
import { cannotRead } from './cannot-read.ts';
import { decompressed } from './decompressed.ts';
import { interruptibleLoop, interruptibleWait } from './interruptible-loop.ts';
import { type OpenInventory, openByContent } from './inventory-format.ts';
import type { ProgressBar } from './progress.ts';
import type { Terminal } from './terminal.ts';
import { InputError } from './usage-error.ts';

/** Standard input in place of the name of a file (POSIX.1-2017, 12.2, guideline 13). */
const STANDARD_INPUT = '-';

const MAX_BYTES = Number.MAX_SAFE_INTEGER;
const PROJECTS_MAX = 1_000;

/** The content of a file except its assets, which go to the intake. */
export interface LocalInventory {
  readonly snapshot: Snapshot;
  /** Resources of a Terraform plan or state that have no asset mapping. */
  readonly skipped: readonly SkippedResource[];
}

/** Where the assets of a scan on this machine come from. */
export interface InventorySource {
  /** The file, or the project in Google Cloud, as messages name it. */
  readonly place: string;
  /** A short form, for the summary and the findings. */
  readonly label: string;
  /** @throws {InputError} when the file cannot be read, or is not complete gzip; the iteration too */
  open(): Promise<OpenInventory>;
  /** The share that is read, or null if unknown, and what to write beside it. */
  progress(): readonly [share: number | null, label: string];
  /** The kinds of content that it refused to show, after the last byte. */
  refusedKinds(): readonly ContentKind[];
}

/**
 * An export, or the output of `terraform show -json`. An interruption ends the iteration, also while a pipe has no data.
 * @param file its name, or `STANDARD_INPUT`
 * @param option what the file was given for, in the message that it cannot be read
 */
export function fileSource(
  file: string,
  { input, interrupted }: Pick<Terminal, 'input' | 'interrupted'>,
  option = '--local',
): InventorySource {
  if (file === STANDARD_INPUT) {
    return {
      place: 'standard input',
      label: 'stdin',
      open() {
        const gzip = { mustBeGzip: false, place: 'Standard input' };
        return openByContent(interruptibleWait(decompressed(input, gzip), interrupted));
      },
      progress: () => [null, 'reading'],
      refusedKinds: () => [],
    };
  }
  let size = 0;
  let bytes: ReadStream | null = null;
  return {
    place: file,
    label: basename(file),
    async open() {
      size = (await statsOf(file, option)).size;
      bytes = createReadStream(file);
      const gzip = { mustBeGzip: /\.gz$/i.test(file), place: `${option}: ${file}` };
      const content = interruptibleWait(decompressed(bytes, gzip), interrupted);
      const mayBeJson = /\.json(\.gz)?$/i.test(file);
      return mayBeJson ? openByContent(content) : { format: 'ndjson', bytes: content };
    },
    progress: () => [size === 0 ? null : (bytes?.bytesRead ?? 0) / size, 'reading'],
    // An export does not tell.
    refusedKinds: () => [],
  };
}

/**
 * @param option what the file was given for
 * @throws {InputError} for a file that cannot be read, and for a directory
 */
async function statsOf(file: string, option: string): Promise<Stats> {
  try {
    const found = await stat(file);
    if (found.isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' });
    await access(file, constants.R_OK);
    return found;
  } catch (error) {
    throw cannotRead(option, file, error);
  }
}

/**
 * @param option what the file was given for
 * @throws {InputError} for standard input and pipes, which can be read only once, and like `statsOf`
 */
export async function checkReadableAgain(file: string, option: string): Promise<void> {
  if (file !== STANDARD_INPUT && (await statsOf(file, option)).isFile()) return;
  const place = file === STANDARD_INPUT ? 'standard input' : file;
  throw new InputError(
    `${option}: ${place} is not a regular file, and an upload may have to read it again. Write it to a file first.`,
  );
}

/**
 * Reads an inventory into the intake.
 * @throws {InputError} when the file cannot be read; {InventoryError} with the line that is malformed
 */
export async function readInventorySource(
  source: InventorySource,
  intake: Intake,
  bar: ProgressBar,
  interrupted: AbortSignal,
): Promise<LocalInventory> {
  const skipped: SkippedResource[] = [];
  const references = new ReferenceSelection();
  const projects = await ingest({ source, intake, references, bar, skipped, interrupted });
  const referenceAssets: string[] = [];
  for await (const asset of interruptibleLoop(intake.assets(), interrupted)) {
    const referenceAsset = references.referenceAssetOf(asset);
    if (referenceAsset !== null) referenceAssets.push(referenceAsset);
  }
  const assetTypes = intake.summary().assetTypes.map(({ type, count }) => [type, count] as const);
  return {
    snapshot: new Snapshot({
      assetTypes: new Map(assetTypes),
      referenceAssets,
      projects,
      refusedKinds: source.refusedKinds(),
    }),
    skipped,
  };
}

interface Ingestion {
  readonly source: InventorySource;
  readonly intake: Intake;
  readonly references: ReferenceSelection;
  readonly bar: ProgressBar;
  readonly skipped: SkippedResource[];
  readonly interrupted: AbortSignal;
}

/** @returns the projects that the records name */
async function ingest({
  source,
  intake,
  references,
  bar,
  skipped,
  interrupted,
}: Ingestion): Promise<Set<string>> {
  const { format, bytes } = await source.open();
  const options = {
    format,
    maxBytes: MAX_BYTES,
    maxRecordBytes: INVENTORY_LIMITS.recordBytes,
    onSkipped: (resource: SkippedResource) => skipped.push(resource),
  } as const;
  const projects = new Set<string>();
  for await (const record of interruptibleLoop(readInventory(bytes, options), interrupted)) {
    await intake.add(record);
    references.note(record);
    if (record.project !== null && projects.size < PROJECTS_MAX) projects.add(record.project);
    bar.draw(...source.progress());
  }
  return projects;
}
