import type { Call, CallOptions, Cspm, Inventory, InventorySource } from '@cspm/sdk';

/** How far an upload is. */
export interface UploadProgress {
    /** Bytes handed to the connection in this attempt; in a browser, bytes that it has sent. */
    readonly bytes: number;
    /** The size of a file, `Blob`, string or bytes; undefined for a stream. */
    readonly totalBytes: number | undefined;
    /**
     * Assets that are complete in these bytes. Undefined where they cannot be counted: compressed, a Terraform plan, or
     * sent by a browser.
     */
    readonly assets: number | undefined;
    /** 1 for the first attempt. A retry begins again with 0 bytes. */
    readonly attempt: number;
}
export interface UploadOptions extends CallOptions {
    /** Called when an attempt starts, and after each piece. An exception fails the attempt. */
    readonly onProgress?: ((progress: UploadProgress) => void) | undefined;
    /**
     * Used instead of the global `fetch`, and of XMLHttpRequest in browsers, whose fetch reports no progress. The `fetch` of
     * the client is not used.
     */
    readonly fetch?: typeof globalThis.fetch | undefined;
}
/**
 * A file on Node 20.16 or later, Bun and Deno. It is read while it is sent, and again by a retry. If it is gzip, it is sent
 * with `Content-Encoding: gzip`.
 */
export interface FilePath {
    readonly path: string;
}
export interface Upload {
    /** The project. */
    readonly name: string;
    readonly inventory: InventorySource | FilePath;
}

/**
 * `projects.uploadInventory` that reports its progress and also takes the path of a file. The source is read no faster
 * than it is sent.
 * @throws {TypeError} for a path where there are no files, as in browsers.
 */
export declare function uploadInventory(client: Pick<Cspm, 'withOptions'>, upload: Upload, options?: UploadOptions): Call<Inventory>;
