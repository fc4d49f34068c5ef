import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import https from 'node:https';
import net from 'node:net';
import { text } from 'node:stream/consumers';
import type { TLSSocket } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
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

/** Makes these tenants wait. */
class WaitingTenants extends ThreadShares {
  readonly waiting = new Set<string>();

  override waitMs(tenantId: string): number {
    return this.waiting.has(tenantId) ? 1 : 0;
  }
}

describe('tenants that use the same receiver', () => {
  const keepAlive = { keepAlive: true, maxFreeSockets: 64, timeout: 60_000 };
  const shares = new WaitingTenants();
  let receiver: WebhookReceiver;
  let agent: SecureAgent;

  beforeEach(async () => {
    receiver = await WebhookReceiver.start({ key, cert });
    agent = new SecureAgent(shares, keepAlive);
  });

  afterEach(async () => {
    shares.waiting.clear();
    agent.destroy();
    await receiver.close();
  });

  /** Posts, reads the answer, and waits until the agent has the connection back. */
  async function post(tenantId: string, headers = {}): Promise<void> {
    const options: https.RequestOptions & { tenantId: string } = {
      ...{ method: 'POST', agent, ca: cert, tenantId },
      headers: { 'content-length': 2, ...headers },
    };
    const request = https.request(receiver.url, options).end('{}');
    const closed = once(request, 'close');
    const [response]: IncomingMessage[] = await once(request, 'response');
    response?.resume();
    await closed;
  }

  const kept = () => Object.values(agent.freeSockets).flat().length;

  it('a response waits for the share of its tenant only, although another tenant connected to the receiver before', async () => {
    await post('a');
    await expect.poll(kept).toBe(1);
    shares.waiting.add('a');
    await post('b');
    await expect.poll(kept).toBe(2);
    shares.waiting.clear();
    await post('a');
    await post('b');
    expect(receiver.received).toHaveLength(4);
    expect(receiver.connections).toBe(2);
  });

  it('a tenant does not resume the TLS session of another tenant', async () => {
    const resumed: boolean[] = [];
    receiver.reaction = (response) => {
      resumed.push((response.socket as TLSSocket).isSessionReused());
      response.writeHead(204).end();
    };
    const close = { connection: 'close' };
    await post('a', close);
    await post('a', close);
    await post('b', close);
    await post('b', close);
    expect(resumed).toEqual([false, true, false, true]);
  });

  it('connections that are kept for all tenants together do not exceed their limit', async () => {
    agent = new SecureAgent(shares, { ...keepAlive, maxKept: 2 });
    for (const tenantId of ['a', 'b', 'c', 'd']) await post(tenantId);
    await expect.poll(kept).toBe(2);
    // Those that are kept are used again, and those that end make room for others.
    await Promise.all([post('a'), post('b')]);
    expect(receiver.connections).toBe(4);
    for (const socket of Object.values(agent.freeSockets).flat()) socket?.destroy();
    await expect.poll(kept).toBe(0);
    await post('e');
    await expect.poll(kept).toBe(1);
  });
});
