import { IncomingMessage, type ServerOptions, ServerResponse } from 'node:http';
import type { Express } from 'express';
import { type ChunkedRequest, cutsOff } from './body-chunks.ts';
import { askForBody } from './expect-continue.ts';

/**
 * Options of `createServer` that create requests and responses with the prototypes of an Express app. Express would
 * otherwise change their prototypes, after which V8 reads and calls their members several times more slowly.
 */
export function messagesOf(app: Express) {
  class AppRequest extends IncomingMessage implements ChunkedRequest {
    chunks = 0;
    chunkBytes = 0;
    isTooFine = false;
    onTooFine: (() => void) | null = null;

    override _read(size: number): void {
      askForBody(this);
      super._read(size);
    }

    /** The parser calls this for each chunk of the body. False makes it stop reading. */
    override push(chunk: Uint8Array | null): boolean {
      return !cutsOff(this, chunk) && super.push(chunk);
    }
  }
  class AppResponse<R extends IncomingMessage> extends ServerResponse<R> {}
  app.request = inherit(AppRequest.prototype, app.request);
  app.response = inherit(AppResponse.prototype, app.response);
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse } satisfies ServerOptions;
}

/** Makes a prototype inherit from `parent`, and returns it. */
function inherit<T extends object>(prototype: object, parent: T): T {
  return Object.setPrototypeOf(prototype, parent);
}
