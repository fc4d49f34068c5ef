import type { Scan } from './models.gen.ts';

/** Options for waiting for a scan. */
export interface WaitOptions {
  readonly signal?: AbortSignal | undefined;
  /** Maximum wait in milliseconds. By default it waits until the scan is finished. */
  readonly timeoutMs?: number | undefined;
  /** Called with the scan at first and after each change. An exception ends the wait. */
  readonly onProgress?: ((scan: Scan) => void) | undefined;
}

/** Resolves with the scan once it is finished, with any status. */
export type WaitForScan = (id: string, options?: WaitOptions) => Promise<Scan>;
