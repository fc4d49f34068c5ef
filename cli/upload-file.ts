import { INVENTORY_LIMITS, InventoryError, readInventory } from '@cspm/scanner';
import type { Cspm } from '@cspm/sdk';
import { uploadInventory } from '@cspm/sdk/upload';
import { PATIENT } from './connection.ts';
import type { OpenInventory } from './inventory-format.ts';
import { fileSource } from './local-file.ts';
import { quantity } from './local-report.ts';
import { ProgressBar } from './progress.ts';
import { printable } from './table.ts';
import { say, type Terminal } from './terminal.ts';
import { InputError } from './usage-error.ts';

/** The bound of an upload, which lasts longer than the other calls of a command. */
const UPLOAD_TIMEOUT_MS = 3_600_000;

/**
 * Uploads a file as the inventory of a project, with a progress bar, and prints its numbers and warnings.
 * @param file a regular file; see `checkReadableAgain`
 * @returns the id of the inventory
 * @throws {InputError} when the file cannot be read or contains no asset
 */
export async function uploadFile(
  cspm: Cspm,
  name: string,
  file: string,
  terminal: Terminal,
): Promise<string> {
  const opened = await fileSource(file, terminal, '--inventory').open();
  if (await isEmpty(opened)) {
    throw new InputError(
      `--inventory: ${file} contains no asset, so it was not uploaded. The inventory of ${name} is unchanged.`,
    );
  }
  const contentType = opened.format === 'json' ? 'application/json' : 'application/x-ndjson';
  const bar = new ProgressBar(terminal);
  const inventory = await uploadInventory(
    cspm,
    { name, inventory: { path: file } },
    {
      headers: { 'content-type': contentType },
      signal: terminal.interrupted,
      timeoutMs: UPLOAD_TIMEOUT_MS,
      // The service has answered before, so it is only restarting.
      retry: PATIENT,
      onProgress: ({ bytes, totalBytes = 0 }) =>
        bar.draw(totalBytes > 0 ? bytes / totalBytes : null, `uploading ${printable(file)}`),
    },
  ).finally(() => bar.end());
  const types = quantity(inventory.assetTypes.length, 'type');
  say(terminal, `Uploaded ${quantity(inventory.assets, 'asset')} of ${types}.`);
  for (const { line, message } of inventory.warnings) {
    say(terminal, `  line ${line}: ${printable(message)}`);
  }
  return inventory.id;
}

/** Reads until the first asset. The service reports the errors of a malformed file. */
async function isEmpty({ format, bytes }: OpenInventory): Promise<boolean> {
  const options = {
    format,
    maxBytes: Number.MAX_SAFE_INTEGER,
    maxRecordBytes: INVENTORY_LIMITS.recordBytes,
  };
  try {
    for await (const _record of readInventory(bytes, options)) return false;
    return true;
  } catch (error) {
    if (error instanceof InventoryError) return false;
    throw error;
  }
}
