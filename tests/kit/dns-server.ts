import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { isIP } from 'node:net';

const NO_ERROR = 0;
const SERVER_FAILURE = 2;
const NO_SUCH_NAME = 3;
const A = 1;
const TXT = 16;
const AAAA = 28;
const MAX_STRING = 255;

/** The answer for a name: TXT records, a failure, or no answer. */
export type DnsAnswer = readonly string[] | 'no-such-name' | 'failure' | 'silence';

/** Addresses of a name, or a function that returns them again for each question. */
type Addresses = readonly string[] | (() => readonly string[]);

/** A minimal real DNS server on UDP that answers questions for TXT, A and AAAA records. */
export class TestDnsServer {
  readonly #socket: Socket;
  readonly #answers = new Map<string, DnsAnswer>();
  readonly #addresses = new Map<string, Addresses>();
  /** The answer for names without an entry. */
  otherwise: DnsAnswer = 'no-such-name';
  /** The requested names, with their original letter case. */
  readonly asked: string[] = [];

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('message', (message, { port, address }) => {
      const reply = this.#replyTo(message);
      if (reply !== null) socket.send(reply, port, address);
    });
  }

  static async start(): Promise<TestDnsServer> {
    const socket = createSocket('udp4');
    socket.unref();
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    return new TestDnsServer(socket);
  }

  /** Its address in the form of the configuration. */
  get address(): string {
    return `127.0.0.1:${this.#socket.address().port}`;
  }

  set(name: string, answer: DnsAnswer): void {
    this.#answers.set(name.toLowerCase(), answer);
  }

  /** IPv4 and IPv6 addresses; each question gets those of its family. */
  setAddresses(name: string, addresses: Addresses): void {
    this.#addresses.set(name.toLowerCase(), addresses);
  }

  close(): void {
    this.#socket.close();
  }

  #answerTo(name: string, type: number): DnsAnswer {
    const addresses = this.#addresses.get(name);
    if (addresses === undefined || (type !== A && type !== AAAA)) {
      return this.#answers.get(name) ?? this.otherwise;
    }
    const all = typeof addresses === 'function' ? addresses() : addresses;
    return all.filter((address) => isIP(address) === (type === A ? 4 : 6));
  }

  #replyTo(message: Buffer): Buffer | null {
    const { name, type, end } = questionIn(message);
    this.asked.push(name);
    const answer = this.#answerTo(name.toLowerCase(), type);
    if (answer === 'silence') return null;
    const records = typeof answer === 'string' ? [] : answer.map((text) => recordOf(type, text));
    const code = { 'no-such-name': NO_SUCH_NAME, failure: SERVER_FAILURE };
    const header = Buffer.alloc(12);
    message.copy(header, 0, 0, 2);
    // An authoritative answer, recursion desired and available.
    header.writeUInt16BE(0x8580 | (typeof answer === 'string' ? code[answer] : NO_ERROR), 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(records.length, 6);
    return Buffer.concat([header, message.subarray(12, end), ...records]);
  }
}

/** The requested name and type, and the end of the question. */
function questionIn(message: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = message.readUInt8(at); length > 0; length = message.readUInt8(at)) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.'), type: message.readUInt16BE(at + 1), end: at + 5 };
}

/** A record of the name in the question. */
function recordOf(type: number, text: string): Buffer {
  const data = type === TXT ? textOf(text) : addressBytes(text);
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(0, 6);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

/** The data of a TXT record; a long text is split into several strings. */
function textOf(text: string): Buffer {
  const bytes = Buffer.from(text);
  const strings: Buffer[] = [];
  for (let from = 0; from < bytes.length; from += MAX_STRING) {
    const part = bytes.subarray(from, from + MAX_STRING);
    strings.push(Buffer.from([part.length]), part);
  }
  return Buffer.concat(strings);
}

/** The bytes of an address; an IPv6 address is written without a dotted part. */
function addressBytes(text: string): Buffer {
  if (isIP(text) === 4) return Buffer.from(text.split('.').map(Number));
  const [head = '', tail = ''] = text.split('::');
  const groups = (part: string) => part.split(':').filter((group) => group !== '');
  const [before, after] = [groups(head), groups(tail)];
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  const all = [...before, ...zeros, ...after].map((group) => group.padStart(4, '0'));
  return Buffer.from(all.join(''), 'hex');
}
