import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { newCertificate } from '../../../tests/kit/certificate.ts';
import { threadCpuMs } from '../../../tests/kit/thread-cpu.ts';
import { WebhookReceiver } from '../../../tests/kit/webhook-receiver.ts';
import { AddressPolicy } from './address-policy.ts';
import { DnsLookup } from './host-lookup.ts';
import { Sender } from './sender.ts';

const certificate = newCertificate({ address: '127.0.0.1' });
const addresses = new AddressPolicy({ allow: [], loopback: true });

function sendTo(url: string) {
  const sender = new Sender({
    addresses,
    lookup: new DnsLookup(null),
    ca: certificate.certificate,
  });
  return sender.send({ url, headers: {}, body: '{}' }, new AbortController().signal);
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
      const { privateKey: key, certificate: cert } = certificate;
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
});
