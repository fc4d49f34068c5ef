import type { Inventory } from '@cspm/sdk';
import { uploadInventory as upload } from '@cspm/sdk/upload';
import { prepareInventory } from '../lib/inventory-file.ts';
import { api } from '../session.ts';

export interface UploadStep {
  readonly name: 'compress' | 'send' | 'process';
  /** From 0 to 1; null: unknown. */
  readonly done: number | null;
}

const HOUR_MS = 3_600_000;

/**
 * Compresses a file, uploads it and waits until the server has read it.
 * @throws {ApiError} as `api.projects.uploadInventory`.
 */
export async function uploadInventory(
  project: string,
  file: File,
  signal: AbortSignal,
  onStep: (step: UploadStep) => void,
): Promise<Inventory> {
  // A large file has many thousands of chunks; the page shows whole percents.
  let shown = '';
  const report = (step: UploadStep) => {
    const text = `${step.name} ${step.done === null ? '' : Math.floor(step.done * 100)}`;
    if (text !== shown) onStep(step);
    shown = text;
  };
  report({ name: 'compress', done: 0 });
  const { body, contentType } = await prepareInventory(
    file,
    (read) => report({ name: 'compress', done: read / Math.max(1, file.size) }),
    signal,
  );
  return upload(
    api,
    { name: project, inventory: body },
    {
      headers: { 'content-type': contentType, 'content-encoding': 'gzip' },
      signal,
      timeoutMs: HOUR_MS,
      onProgress: ({ bytes: sent }) =>
        report(
          sent < body.size
            ? { name: 'send', done: sent / body.size }
            : { name: 'process', done: null },
        ),
    },
  );
}
