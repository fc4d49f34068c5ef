import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { freshAddress } from './test-server.ts';

export interface UploadReply {
  readonly status: number;
  readonly retryAfter: string | null;
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses member by member, in any shape
  readonly json: any;
}

/**
 * Uploads an inventory of any size chunk by chunk, as fast as the server reads it, and stops at the first response,
 * because a server may refuse before the end.
 */
export async function streamUpload(
  url: string,
  headers: Readonly<Record<string, string>>,
  pieces: Iterable<string | Uint8Array>,
): Promise<UploadReply> {
  const outgoing = request(url, {
    method: 'PUT',
    headers: {
      'content-type': 'application/x-ndjson',
      'x-forwarded-for': freshAddress(),
      ...headers,
    },
  });
  const answer = new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once('response', resolve);
    // A refusal may close the connection while data is still being sent; only the response counts.
    outgoing.on('error', reject);
    outgoing.once('close', () => reject(new Error('The connection was closed without an answer')));
  });
  let isOver = false;
  const over = answer.then(
    () => {
      isOver = true;
    },
    () => {
      isOver = true;
    },
  );
  for (const piece of pieces) {
    if (isOver) break;
    if (!outgoing.write(piece)) await Promise.race([drained(outgoing), over]);
    // A server that reads as fast as chunks are generated leaves no turn of the event loop for reading its response.
    await nextTurn();
  }
  outgoing.end();
  const response = await answer;
  let text = '';
  for await (const part of response.setEncoding('utf8')) text += part;
  outgoing.destroy();
  return {
    status: response.statusCode ?? 0,
    retryAfter: response.headers['retry-after'] ?? null,
    json: JSON.parse(text),
  };
}

function drained(outgoing: ClientRequest): Promise<void> {
  outgoing.removeAllListeners('drain');
  return new Promise((resolve) => outgoing.once('drain', resolve));
}
