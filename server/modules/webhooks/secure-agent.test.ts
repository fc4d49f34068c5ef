import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import https from 'node:https';
import net from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { newCertificate } from '../../../tests/kit/certificate.ts';
import { WebhookReceiver } from '../../../tests/kit/webhook-receiver.ts';
import { SecureAgent } from './secure-agent.ts';
import { ThreadShares } from './thread-shares.ts';

const { privateKey: key, certificate: cert } = newCertificate({ address: '127.0.0.1' });

afterEach(() => {
  vi.restoreAllMocks();
});

/** Makes a tenant wait from the moment of its first request until its connection is closed. */
class WaitingForClose extends ThreadShares {
  isRequested = false;
  readonly #connect = vi.spyOn(net, 'connect');

  override waitMs(): number {
    const socket = this.#connect.mock.results[0]?.value as net.Socket | undefined;
    return this.isRequested && socket?.closed !== true ? 1 : 0;
  }
}

describe('a response that waits for the share of its tenant', () => {
  it.each<[string, (response: ServerResponse) => void]>([
    [
      'ends with its length',
      (response) => response.writeHead(200, { 'content-length': 4, connection: 'close' }),
    ],
    [
      'ends with the connection',
      (response) => {
        response.useChunkedEncodingByDefault = false;
        response.writeHead(200, { connection: 'close' });
      },
    ],
  ])(
    'a response that %s is read when the receiver closes before the share of its tenant allows it',
    async (_end, writeHead) => {
      // TLS 1.3 would send tickets after the handshake, which would wait instead of the response.
      const receiver = await WebhookReceiver.start({ key, cert, maxVersion: 'TLSv1.2' });
      const shares = new WaitingForClose();
      receiver.reaction = (response) => {
        shares.isRequested = true;
        writeHead(response);
        response.end('done');
      };
      const agent = new SecureAgent(shares);
      const options = { method: 'POST', agent, ca: cert, headers: { 'content-length': 2 } };
      const request = https.request(receiver.url, options).end('{}');
      const [response]: IncomingMessage[] = await once(request, 'response');
      expect(response?.statusCode).toBe(200);
      if (response !== undefined) expect(await text(response)).toBe('done');
      expect(response?.complete).toBe(true);
      expect(receiver.received).toHaveLength(1);
      await receiver.close();
    },
  );
});
