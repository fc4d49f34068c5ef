import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

/** A mail as it arrived. */
export interface ReceivedMail {
  /** The sender of the envelope. */
  readonly from: string;
  readonly to: readonly string[];
  /** By name, in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The plain form of it. */
  readonly text: string;
}

/** A real mail server on loopback that can be stopped and restarted, stop answering, and reject recipients. */
export class TestMailServer {
  readonly received: ReceivedMail[] = [];
  /** The recipients of all attempts, in order. */
  readonly attempts: string[] = [];
  /** Mails that a test waits for. */
  waiting = 0;
  /** How each of these mailboxes is rejected. */
  readonly #refused = new Map<string, { readonly status: number; readonly text: string }>();
  /** The status with which each sender is rejected. */
  #senderRefused: number | null = null;
  #server: SMTPServer | null = null;
  #port = 0;
  #gate: Promise<void> = Promise.resolve();
  #heldAt: 'recipient' | 'end' = 'end';
  #open: () => void = () => undefined;

  static async start(): Promise<TestMailServer> {
    const server = new TestMailServer();
    await server.start();
    return server;
  }

  get url(): string {
    return `smtp://127.0.0.1:${this.#port}`;
  }

  async start(): Promise<void> {
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS', 'AUTH'],
      onMailFrom: (_sender, _session, done) => {
        if (this.#senderRefused === null) return done();
        done(Object.assign(new Error('Refused'), { responseCode: this.#senderRefused }));
      },
      onRcptTo: ({ address }, _session, done) => {
        this.attempts.push(address);
        this.waiting += 1;
        const gate = this.#heldAt === 'recipient' ? this.#gate : null;
        void Promise.resolve(gate).then(() => {
          this.waiting -= 1;
          done(this.#verdictOn(address));
        });
      },
      onData: (stream, { envelope }, done) => {
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        const to = envelope.rcptTo.map(({ address }) => address);
        this.waiting += 1;
        Promise.all([textOf(stream), this.#gate])
          .then(
            ([raw]) => {
              this.received.push({ from, to, ...parse(raw) });
              done();
            },
            (error: Error) => done(error),
          )
          .finally(() => {
            this.waiting -= 1;
          });
      },
    });
    server.on('error', () => undefined);
    server.listen(this.#port, '127.0.0.1');
    await once(server.server, 'listening');
    this.#port = (server.server.address() as AddressInfo).port;
    this.#server = server;
  }

  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    this.release();
    if (server !== null) await new Promise<void>((resolve) => server.close(resolve));
  }

  /** Delays the acceptance of mails until it is released; or does not answer at all. */
  hold(at: 'recipient' | 'end' = 'end'): void {
    this.#heldAt = at;
    this.#gate = new Promise((resolve) => {
      this.#open = resolve;
    });
  }

  release(): void {
    this.#open();
  }

  /** Rejects all senders with this status from now on; null: none. */
  refusesSenders(status: number | null): void {
    this.#senderRefused = status;
  }

  /** Rejects this mailbox from now on: permanently, or with another status or text. */
  refuses(address: string, status = 550, text = 'No such mailbox'): void {
    this.#refused.set(address, { status, text });
  }

  accepts(address: string): void {
    this.#refused.delete(address);
  }

  #verdictOn(address: string): Error | null {
    const refusal = this.#refused.get(address);
    if (refusal === undefined) return null;
    return Object.assign(new Error(refusal.text), { responseCode: refusal.status });
  }
}

function parse(raw: string): Pick<ReceivedMail, 'headers' | 'text'> {
  const end = raw.indexOf('\r\n\r\n');
  const unfolded = raw.slice(0, end).replaceAll(/\r\n[ \t]+/g, ' ');
  const headers = unfolded.split('\r\n').map((line) => {
    const [name = '', ...value] = line.split(': ');
    return [name.toLowerCase(), value.join(': ')] as const;
  });
  const plain = /Content-Type: text\/plain[\s\S]*?\r\n\r\n([\s\S]*?)\r\n--/.exec(raw)?.[1] ?? '';
  const quoted = /Content-Transfer-Encoding: quoted-printable/.test(raw);
  return { headers: Object.fromEntries(headers), text: quoted ? unquoted(plain) : plain };
}

/** RFC 2045 §6.7. */
function unquoted(text: string): string {
  const bytes = text
    .replaceAll(/=\r\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
