import type { Call, Cspm, Inventory, InventorySource } from '../index.ts';
import { openFile } from './files.ts';
import { progressFetch } from './progress-fetch.ts';
import type { FilePath, Upload, UploadOptions } from './types.ts';

export type * from './types.ts';

/**
 * `projects.uploadInventory` that reports its progress and also takes the path of a file. The source is read no faster
 * than it is sent.
 * @throws {TypeError} for a path where there are no files, as in browsers.
 */
export function uploadInventory(
  client: Pick<Cspm, 'withOptions'>,
  upload: Upload,
  options: UploadOptions = {},
): Call<Inventory> {
  const { onProgress = () => {}, fetch, ...ofCall } = options;
  const { name, inventory } = upload;
  const file = isPath(inventory) ? openFile(inventory.path) : undefined;
  return client
    .withOptions({ fetch: progressFetch(onProgress, file, fetch) })
    .projects.uploadInventory(
      // The client finds out the format by the beginning of a file; the rest is read when it is sent.
      { name, inventory: file ? file.head : (inventory as InventorySource) },
      ofCall,
    );
}

function isPath(inventory: InventorySource | FilePath): inventory is FilePath {
  return (
    typeof inventory === 'object' &&
    typeof (inventory as FilePath).path === 'string' &&
    !(Symbol.asyncIterator in inventory)
  );
}
