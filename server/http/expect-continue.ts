import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** Responses whose clients send the body after `100 Continue`. */
const awaited = new WeakMap<IncomingMessage, ServerResponse>();

/**
 * Serves requests with `Expect` like others. For `100-continue`, Node would ask for the body at once, before a credential,
 * limit or content type is refused. Unknown expectations are ignored (RFC 9110 §10.1.1 leaves that to the server).
 */
export function serveExpectations(server: Server): void {
  const serve = (req: IncomingMessage, res: ServerResponse) => server.emit('request', req, res);
  server.on('checkExpectation', serve);
  server.on('checkContinue', (req: IncomingMessage, res: ServerResponse) => {
    awaited.set(req, res);
    serve(req, res);
  });
}

/** Whether the client has not been asked for the body. It may send it nevertheless, after a while. */
export function awaitsContinue(req: IncomingMessage): boolean {
  return awaited.has(req);
}

/** Asks the client for the body when something begins to read it. */
export function askForBody(req: IncomingMessage): void {
  const res = awaited.get(req);
  // What is read after a response is only discarded.
  if (res === undefined || res.headersSent) return;
  awaited.delete(req);
  res.writeContinue();
}
