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
  const broken = new AbortController();
  const file = isPath(inventory)
    ? openFile(inventory.path, (error) => broken.abort(error))
    : undefined;
  const signals = [broken.signal, ofCall.signal].filter((signal) => signal !== undefined);
  const call = client
    .withOptions({ fetch: progressFetch(onProgress, file, fetch) })
    .projects.uploadInventory(
      // The client finds out the format by the beginning of a file; the rest is read when it is sent.
      { name, inventory: file ? file.head : (inventory as InventorySource) },
      file
        ? {
            ...ofCall,
            ...(file.isGzip && { headers: { 'content-encoding': 'gzip', ...ofCall.headers } }),
            signal: AbortSignal.any(signals),
          }
        : ofCall,
    );
  return file ? failingWith(broken.signal, call) : call;
}

/** The call that a broken file has aborted, so that it is not retried, rejects with the error of the file. */
function failingWith(broken: AbortSignal, call: Call<Inventory>): Call<Inventory> {
  const rethrow = (error: Error) => {
    throw broken.aborted && error.cause === broken.reason ? broken.reason : error;
  };
  const outcome = call.catch(rethrow);
  const handled = <T>(other: Promise<T>) => {
    // Prevents an unhandled rejection when the caller uses only the other promise.
    outcome.catch(() => {});
    return other.catch(rethrow);
  };
  return Object.assign(outcome, {
    withResponse: () => handled(call.withResponse()),
    asResponse: () => handled(call.asResponse()),
  });
}

function isPath(inventory: InventorySource | FilePath): inventory is FilePath {
  const object = Object(inventory);
  return typeof object.path === 'string' && !(Symbol.asyncIterator in object);
}
