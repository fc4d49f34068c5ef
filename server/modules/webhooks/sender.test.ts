import net, { type AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newCertificate } from '../../../tests/kit/certificate.ts';
import { TestDnsServer } from '../../../tests/kit/dns-server.ts';
import { WebhookReceiver } from '../../../tests/kit/webhook-receiver.ts';
import { AddressPolicy } from './address-policy.ts';
import { DnsLookup } from './host-lookup.ts';
import { Sender } from './sender.ts';

const NAME = 'hooks.example.com';
const certificate = newCertificate({ curve: 'prime256v1', name: NAME });
const tls = { key: certificate.privateKey, cert: certificate.certificate };

let dns: TestDnsServer;
let receiver: WebhookReceiver;
let secure: WebhookReceiver;

beforeAll(async () => {
  dns = await TestDnsServer.start();
  receiver = await WebhookReceiver.start();
  secure = await WebhookReceiver.start(tls);
});

afterAll(async () => {
  dns.close();
  await Promise.all([receiver.close(), secure.close()]);
});

beforeEach(() => {
  receiver.reaction = 204;
  receiver.received.length = 0;
  secure.received.length = 0;
  secure.serverNames.length = 0;
  dns.asked.length = 0;
});

/** Like production, where the operator allows this machine, so that tests can receive. */
const allowed = new AddressPolicy({ allow: ['127.0.0.0/8'], loopback: false });
const development = new AddressPolicy({ allow: [], loopback: true });
const production = new AddressPolicy({ allow: [], loopback: false });

function sendTo(url: string, addresses = development, deadlineMs = 15_000) {
  const lookup = new DnsLookup([dns.address]);
  const ca = certificate.certificate;
  const sender = new Sender({ addresses, lookup, ca, deadlineMs });
  const outgoing = { url, headers: { 'webhook-id': 'msg_1' }, body: '{"type":"x"}' };
  return sender.send(outgoing, new AbortController().signal);
}

describe('a delivery', () => {
  it('a delivery arrives with its headers, its body, and the host of the URL', async () => {
    expect(await sendTo(receiver.url)).toEqual({ status: 204, problem: null });
    const [received] = receiver.received;
    expect(received).toMatchObject({ path: '/hook', body: '{"type":"x"}' });
    expect(received?.headers).toMatchObject({
      host: `127.0.0.1:${receiver.port}`,
      'webhook-id': 'msg_1',
      'content-length': '12',
    });
  });

  it('a delivery connects to the resolved address, with the host name in TLS and in Host', async () => {
    dns.setAddresses(NAME, ['127.0.0.1']);
    const answer = await sendTo(`https://${NAME}:${secure.port}/a?b=c`, allowed);
    expect(answer).toEqual({ status: 204, problem: null });
    expect(secure.serverNames).toEqual([NAME]);
    expect(secure.received[0]).toMatchObject({ path: '/a?b=c' });
    expect(secure.received[0]?.headers.host).toBe(`${NAME}:${secure.port}`);
  });

  it('a delivery fails when the certificate is for another name', async () => {
    dns.setAddresses('other.example.com', ['127.0.0.1']);
    const answer = await sendTo(`https://other.example.com:${secure.port}/`, allowed);
    expect(answer.status).toBeNull();
    expect(answer.problem).toMatch(/^The TLS connection to the receiver failed/);
    expect(secure.received).toEqual([]);
  });

  it.each([300, 301, 302, 303, 307, 308])(
    'a delivery does not follow a redirect with status %i',
    async (status) => {
      receiver.reaction = (response) =>
        response.writeHead(status, { location: `${receiver.url}/elsewhere` }).end();
      const answer = await sendTo(receiver.url);
      expect(answer.status).toBe(status);
      expect(answer.problem).toContain('redirects');
      expect(receiver.received).toHaveLength(1);
    },
  );

  it.each([400, 401, 404, 410, 429, 500, 503])(
    'a delivery fails with status %i',
    async (status) => {
      receiver.reaction = status;
      const problem = `The receiver answered with status ${status}.`;
      expect(await sendTo(receiver.url)).toEqual({ status, problem });
    },
  );

  it('a delivery gives up a receiver that does not answer in time or never ends its headers', async () => {
    receiver.reaction = () => undefined;
    const silent = await sendTo(receiver.url, development, 200);
    expect(silent).toEqual({
      status: null,
      problem: 'The receiver gave no answer within 0.2 s.',
    });
    const dripping = net.createServer((socket) => {
      socket.on('error', () => undefined);
      socket.write('HTTP/1.1 200 OK\r\nX-Slow: ');
      const timer = setInterval(() => socket.write('a'), 20);
      socket.on('close', () => clearInterval(timer));
    });
    await new Promise<void>((done) => dripping.listen(0, '127.0.0.1', done));
    const { port } = dripping.address() as AddressInfo;
    const answer = await sendTo(`http://127.0.0.1:${port}/`, development, 300);
    expect(answer.problem).toContain('no answer within');
    dripping.close();
  });

  it('a delivery waits for a slow receiver within the time limit', async () => {
    let answer: () => void = () => undefined;
    receiver.reaction = (response) => {
      answer = () => response.writeHead(204).end();
    };
    const sent = sendTo(receiver.url);
    await expect.poll(() => receiver.received.length).toBe(1);
    answer();
    expect(await sent).toEqual({ status: 204, problem: null });
  });

  it('a delivery uses the status of a response whose body is endless', async () => {
    receiver.reaction = (response) => {
      response.writeHead(200);
      const more = () => {
        while (response.write('x'.repeat(65_536)));
      };
      response.on('drain', more);
      response.on('error', () => undefined);
      more();
    };
    expect(await sendTo(receiver.url)).toEqual({ status: 200, problem: null });
  });

  it('a delivery reports garbage and closed or refused connections without text of the receiver', async () => {
    const garbage = net.createServer((socket) => socket.end('SECRET not http\r\n\r\n'));
    await new Promise<void>((done) => garbage.listen(0, '127.0.0.1', done));
    const { port } = garbage.address() as AddressInfo;
    expect(await sendTo(`http://127.0.0.1:${port}/`)).toEqual({
      status: null,
      problem: 'The answer of the receiver is not valid HTTP.',
    });
    garbage.close();
    receiver.reaction = (response) => response.destroy();
    expect((await sendTo(receiver.url)).problem).toContain('closed the connection');
    const gone = await WebhookReceiver.start();
    const { url } = gone;
    await gone.close();
    expect((await sendTo(url)).problem).toBe('The receiver cannot be reached (ECONNREFUSED).');
  });

  it('a delivery throws when it is aborted, because its outcome is unknown', async () => {
    receiver.reaction = () => undefined;
    const controller = new AbortController();
    const sender = new Sender({ addresses: development, lookup: new DnsLookup(null) });
    const sent = sender.send({ url: receiver.url, headers: {}, body: '' }, controller.signal);
    await expect.poll(() => receiver.received.length).toBe(1);
    controller.abort();
    await expect(sent).rejects.toThrow(/abort/i);
  });
});

describe('a connection', () => {
  const lookup = () => new DnsLookup([dns.address]);
  const securely = (url: string) => {
    const ca = certificate.certificate;
    const sender = new Sender({ addresses: allowed, lookup: lookup(), ca });
    return () => sender.send({ url, headers: {}, body: '{}' }, new AbortController().signal);
  };

  it('a webhook connection is kept for the next event of the same receiver', async () => {
    dns.setAddresses(NAME, ['127.0.0.1']);
    const send = securely(`https://${NAME}:${secure.port}/`);
    const before = secure.connections;
    for (let n = 0; n < 5; n += 1) expect((await send()).status).toBe(204);
    expect(secure.received).toHaveLength(5);
    expect(secure.connections - before).toBe(1);
  });

  it('a webhook connection is not used for an address that the name no longer has', async () => {
    dns.setAddresses(NAME, ['127.0.0.1']);
    const send = securely(`https://${NAME}:${secure.port}/`);
    expect((await send()).status).toBe(204);
    dns.setAddresses(NAME, ['127.0.0.2']);
    // Nobody listens at the second address.
    expect((await send()).problem).toContain('cannot be reached');
    dns.setAddresses(NAME, ['10.0.0.1']);
    expect((await send()).problem).toContain('public addresses only');
    expect(secure.received).toHaveLength(1);
  });

  it('a webhook connection that the receiver has closed meanwhile costs no attempt', async () => {
    const sender = new Sender({ addresses: development, lookup: lookup() });
    let requests = 0;
    receiver.reaction = (response) => {
      requests += 1;
      // The second request on the connection gets no answer, as when it crosses with the end of the connection.
      if (requests === 2) response.destroy();
      else response.writeHead(204).end();
    };
    const before = receiver.connections;
    for (let n = 0; n < 2; n += 1) {
      const outgoing = { url: receiver.url, headers: {}, body: '{}' };
      const answer = await sender.send(outgoing, new AbortController().signal);
      expect(answer).toEqual({ status: 204, problem: null });
    }
    expect(requests).toBe(3);
    expect(receiver.connections - before).toBe(2);
  });

  it('a webhook connection is not kept after a response with an endless body', async () => {
    receiver.reaction = (response) => {
      response.writeHead(200);
      response.on('error', () => undefined);
      response.write('x'.repeat(65_536));
    };
    const sender = new Sender({ addresses: development, lookup: lookup() });
    const before = receiver.connections;
    for (let n = 0; n < 2; n += 1) {
      const outgoing = { url: receiver.url, headers: {}, body: '{}' };
      await sender.send(outgoing, new AbortController().signal);
    }
    expect(receiver.connections - before).toBe(2);
  });
});

describe('a host name', () => {
  const NOT_PUBLIC = {
    status: null,
    problem:
      'The host of the URL must exist in the DNS and have public addresses only, at most 32 of IPv4 and of IPv6.',
  };
  const many = (prefix: string) => Array.from({ length: 32 }, (_, n) => `${prefix}${n}`);

  it.each([
    ['10.0.0.1'],
    ['127.0.0.1'],
    ['169.254.169.254'],
    ['::1'],
    ['fd00::1'],
    ['::ffff:a00:1'],
    ['64:ff9b::a00:1'],
    ['2002:a00:1::1'],
    ['8.8.8.8', '10.0.0.1'],
    ['8.8.8.8', 'fe80::1'],
  ])('a webhook host name that resolves to %s is refused', async (...addresses) => {
    dns.setAddresses('inner.example.com', addresses);
    expect(await sendTo('https://inner.example.com/', production)).toEqual(NOT_PUBLIC);
  });

  it('a webhook host name may have 32 addresses of each family', async () => {
    const rest = [...many('127.0.1.').slice(1), ...many('2606:4700::')];
    dns.setAddresses(NAME, ['127.0.0.1', ...rest]);
    const answer = await sendTo(`https://${NAME}:${secure.port}/`, allowed);
    expect(answer).toEqual({ status: 204, problem: null });
  });

  it.each([
    ['IPv4', [...many('8.8.8.'), '8.8.4.4', '2606:4700::1']],
    ['IPv6', ['8.8.8.8', ...many('2606:4700::'), '2606:4700:1::1']],
  ])(
    'none of the addresses of a webhook host name with more than 32 %s addresses is checked or used',
    async (_family, addresses) => {
      dns.setAddresses('crowded.example.com', addresses);
      const checked: string[] = [];
      const policy = new AddressPolicy({ allow: [], loopback: false });
      policy.allows = (address) => {
        checked.push(address);
        return true;
      };
      expect(await sendTo('https://crowded.example.com/', policy)).toEqual(NOT_PUBLIC);
      expect(checked).toEqual([]);
    },
  );

  it('a webhook host name without addresses gets the same answer, so that nobody can look up internal names', async () => {
    expect(await sendTo('https://unknown.example.com/', production)).toEqual(NOT_PUBLIC);
  });

  it('a webhook host name is resolved once: a DNS answer that changes before the connection has no effect', async () => {
    let questions = 0;
    dns.setAddresses(NAME, () => {
      questions += 1;
      // One question for each family belongs to the first look-up.
      return questions <= 2 ? ['127.0.0.1'] : ['127.0.0.2'];
    });
    const answer = await sendTo(`https://${NAME}:${secure.port}/`, allowed);
    expect(answer).toEqual({ status: 204, problem: null });
    expect(questions).toBe(2);
    questions = 0;
    dns.setAddresses(NAME, () => {
      questions += 1;
      return questions <= 2 ? ['10.0.0.1'] : ['127.0.0.1'];
    });
    expect(await sendTo(`https://${NAME}:${secure.port}/`, allowed)).toEqual(NOT_PUBLIC);
    expect(questions).toBe(2);
  });

  it('a webhook host name over http must resolve to this machine, regardless of WEBHOOK_ALLOW_CIDRS', async () => {
    const mixed = new AddressPolicy({ allow: ['10.0.0.0/8'], loopback: true });
    const answer = await sendTo('http://10.0.0.1:8080/', mixed);
    expect(answer.problem).toBe('The URL must be an https:// URL.');
  });

  it('a webhook host name for which the DNS gives no answer is tried again later', async () => {
    dns.set('silent.example.com', 'failure');
    const answer = await sendTo('https://silent.example.com/', production);
    expect(answer).toEqual({
      status: null,
      problem: 'The DNS did not answer for the host of the URL.',
    });
  });
});
