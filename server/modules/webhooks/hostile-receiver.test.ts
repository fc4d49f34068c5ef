import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newCertificate } from '../../../tests/kit/certificate.ts';
import { costlyCertificates } from '../../../tests/kit/costly-certificates.ts';
import { threadCpuMs } from '../../../tests/kit/thread-cpu.ts';
import { WebhookReceiver } from '../../../tests/kit/webhook-receiver.ts';
import { AddressPolicy } from './address-policy.ts';
import { DnsLookup } from './host-lookup.ts';
import { Sender } from './sender.ts';

const certificate = newCertificate({ address: '127.0.0.1' });
const addresses = new AddressPolicy({ allow: [], loopback: true });
const { privateKey: key, certificate: cert } = certificate;

let sender: Sender;

beforeEach(() => {
  sender = new Sender({ addresses, lookup: new DnsLookup(null), ca: cert });
});

afterEach(() => sender.close());

function sendTo(url: string, tenantId = 'tenant') {
  const outgoing = { url, headers: {}, body: '{}', tenantId };
  return sender.send(outgoing, new AbortController().signal);
}

/** Answers each request with these bytes, again and again if `isEndless`. */
async function rawReceiver(bytes: Buffer, isEndless: boolean) {
  const server = net.createServer((socket) => {
    socket.on('error', () => undefined);
    const pump = () => {
      while (isEndless && !socket.destroyed && socket.write(bytes));
    };
    socket.once('data', () => {
      socket.write(bytes);
      pump();
      socket.on('drain', pump);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, server };
}

describe('a hostile webhook receiver', () => {
  it.each([
    ['TLS 1.2', { maxVersion: 'TLSv1.2', ciphers: 'DHE-RSA-AES128-GCM-SHA256', dhparam: 'auto' }],
    ['TLS 1.3', { minVersion: 'TLSv1.3', ecdhCurve: 'ffdhe8192' }],
  ] as const)(
    'a webhook receiver cannot choose a finite field for the key exchange of %s',
    async (_version, options) => {
      const receiver = await WebhookReceiver.start({ key, cert, ...options });
      try {
        const { status, problem } = await sendTo(receiver.url);
        expect(status).toBe(null);
        expect(problem).toMatch(/^The TLS connection to the receiver failed/);
        expect(receiver.received).toEqual([]);
      } finally {
        await receiver.close();
      }
    },
  );

  it('a webhook receiver that never ends its interim responses is given up at once', async () => {
    const interim = Buffer.from('HTTP/1.1 100 Continue\r\n\r\n'.repeat(40_000));
    const { url, server } = await rawReceiver(interim, true);
    const before = threadCpuMs();
    expect(await sendTo(url)).toEqual({
      status: null,
      problem: 'The receiver sent more than 8 interim responses.',
    });
    expect(threadCpuMs() - before).toBeLessThan(1_000);
    server.close();
    await once(server, 'close');
  });

  it('a webhook receiver may send a few interim responses', async () => {
    const few = 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\n';
    const last = 'HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n';
    const { url, server } = await rawReceiver(Buffer.from(few + last), false);
    expect(await sendTo(url)).toEqual({ status: 204, problem: null });
    server.close();
    await once(server, 'close');
  });

  it('certificates of a webhook receiver are verified outside the event loop of the server', async () => {
    const receiver = await WebhookReceiver.start(costlyCertificates(10));
    const attempts = 8;
    const [before, allBefore] = [threadCpuMs(), process.cpuUsage().user];
    for (let n = 0; n < attempts; n += 1) {
      const { status, problem } = await sendTo(receiver.url, `tenant-${n}`);
      expect(status).toBe(null);
      expect(problem).toMatch(/^The TLS connection to the receiver failed/);
    }
    expect(process.cpuUsage().user - allBefore).toBeGreaterThan(attempts * 20_000);
    expect(threadCpuMs() - before).toBeLessThan(attempts * 20);
    await receiver.close();
  });

  it('a webhook receiver with costly certificates delays no receiver of another tenant', async () => {
    const hostile = await WebhookReceiver.start(costlyCertificates(10));
    const honest = await WebhookReceiver.start({ key, cert });
    let failed = 0;
    const attempts = Array.from({ length: 40 }, () =>
      sendTo(hostile.url, 'hostile').then(
        () => {
          failed += 1;
        },
        () => undefined,
      ),
    );
    await expect.poll(() => failed).toBeGreaterThan(0);
    expect(await sendTo(honest.url, 'honest')).toEqual({ status: 204, problem: null });
    expect(failed).toBeLessThan(20);
    sender.close();
    await Promise.all(attempts);
    await Promise.all([hostile.close(), honest.close()]);
  });

  it('a webhook receiver cannot send more than 16 KiB of certificates', async () => {
    const receiver = await WebhookReceiver.start({ key, cert: cert.repeat(30) });
    expect(await sendTo(receiver.url)).toEqual({
      status: null,
      problem: 'The receiver sent more than 16 KiB in its TLS handshake.',
    });
    await receiver.close();
  });

  it('a webhook receiver cannot ask for another TLS handshake', async () => {
    const receiver = await WebhookReceiver.start({ key, cert, maxVersion: 'TLSv1.2' });
    receiver.reaction = (response) => {
      const socket = response.socket as TLSSocket;
      socket.renegotiate({}, (error) => response.writeHead(error === null ? 204 : 500).end());
    };
    expect((await sendTo(receiver.url)).status).not.toBe(204);
    await receiver.close();
  });

  it('a webhook connection on which much was received is replaced between two requests', async () => {
    const receiver = await WebhookReceiver.start({ key, cert });
    receiver.reaction = (response) => response.writeHead(200).end('x'.repeat(4_000));
    for (let n = 0; n < 100; n += 1) {
      expect(await sendTo(receiver.url)).toEqual({ status: 200, problem: null });
    }
    expect(receiver.connections).toBe(2);
    await receiver.close();
  });
});
