import { constants } from 'node:crypto';
import type { ClientRequest } from 'node:http';
import https from 'node:https';
import net from 'node:net';
import { Duplex } from 'node:stream';
import { DEFAULT_CIPHERS, type TLSSocket } from 'node:tls';
import { cpuMs } from './thread-cpu-time.ts';
import type { ThreadShares } from './thread-shares.ts';

export const RECEIVER_LIMITS = {
  /**
   * What a receiver may send before the handshake is complete. Most of it is its certificates, and OpenSSL verifies each
   * signature and compares each name of up to 100 KB of them.
   */
  handshakeBytes: 16_384,
  /** What a receiver may send on one connection. One response can take 213 KB, with headers of all interim responses. */
  connectionBytes: 524_288,
  /** The IPv4 addresses of its host, and likewise its IPv6 addresses. A DNS answer has room for thousands. */
  addresses: 32,
} as const;
/** A connection on which more was received is not kept, so that no later response meets the limit. */
const KEPT_BYTES = RECEIVER_LIMITS.connectionBytes / 2;
/** How many connections of all tenants are kept: as many as a process makes attempts at a time. */
const KEPT_CONNECTIONS = 512;

/**
 * Without key exchange in finite fields: OpenSSL would compute with a prime of up to 10,000 bits that the receiver
 * chooses. A receiver may not ask for another handshake either.
 */
const HANDSHAKE = {
  ciphers: `${DEFAULT_CIPHERS}:!kDHE`,
  ecdhCurve: 'X25519:P-256:P-384:P-521',
  secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
} as const;

/** The receiver sent more than it may. The message is for the tenant. */
export class TooManyBytes extends Error {}

/** Options of a request, as the agent gets them. */
interface ConnectionOptions extends https.RequestOptions {
  readonly tenantId?: string;
}

interface SecureAgentOptions extends https.AgentOptions {
  /** How many connections are kept at a time. Default 512. */
  readonly maxKept?: number;
}

/**
 * Connects to receivers over TLS, and limits what they send and how much of the thread's time that takes. A connection
 * and its TLS session serve one tenant, which is the one that waits for its share of the thread.
 */
export class SecureAgent extends https.Agent {
  readonly #shares: ThreadShares;
  readonly #maxKept: number;
  readonly #metered = new WeakMap<Duplex, MeteredStream>();
  readonly #kept = new Set<Duplex>();

  /** @param shares the same for all agents of a thread. */
  constructor(shares: ThreadShares, options: SecureAgentOptions = {}) {
    super(options);
    this.#shares = shares;
    this.#maxKept = options.maxKept ?? KEPT_CONNECTIONS;
  }

  /** The key under which connections and TLS sessions are found again. */
  override getName(options: ConnectionOptions = {}): string {
    return `${super.getName(options)}:${options.tenantId ?? ''}`;
  }

  override createConnection(options: ConnectionOptions): Duplex {
    const { host, port, tenantId = '' } = options;
    // The host is an address.
    const socket = net.connect({ host: host ?? '', port: Number(port), noDelay: true });
    const metered = new MeteredStream(socket, this.#shares, tenantId);
    const withSocket = { ...options, ...HANDSHAKE, socket: metered };
    const secure = super.createConnection(withSocket) as TLSSocket;
    secure.once('secureConnect', () => metered.endHandshake());
    secure.once('close', () => this.#kept.delete(secure));
    this.#metered.set(secure, metered);
    return secure;
  }

  override keepSocketAlive(socket: Duplex): boolean {
    const received = this.#metered.get(socket)?.received ?? 0;
    if (received > KEPT_BYTES || this.#kept.size >= this.#maxKept) return false;
    const isKept = Boolean(super.keepSocketAlive(socket));
    if (isKept) this.#kept.add(socket);
    return isKept;
  }

  override reuseSocket(socket: Duplex, request: ClientRequest): void {
    this.#kept.delete(socket);
    super.reuseSocket(socket, request);
  }
}

/** The bytes between a socket and TLS. TLS processes what is pushed before `push` returns. */
class MeteredStream extends Duplex {
  readonly #socket: net.Socket;
  readonly #shares: ThreadShares;
  readonly #tenantId: string;
  #received = 0;
  #isHandshake = true;
  /** Whether a chunk waits for the tenant's share of the thread. */
  #isWaiting = false;
  /** What the socket reported while a chunk waited. It follows the chunk, which may complete the response. */
  readonly #held: (() => void)[] = [];

  constructor(socket: net.Socket, shares: ThreadShares, tenantId: string) {
    super({ allowHalfOpen: false });
    this.#socket = socket;
    this.#shares = shares;
    this.#tenantId = tenantId;
    socket
      .on('data', (chunk: Buffer) => this.#receive(chunk))
      .on('end', () => this.#afterChunk(() => this.push(null)))
      .on('error', (error) => this.#afterChunk(() => this.destroy(error)))
      .on('close', () => this.#afterChunk(() => this.destroy()));
  }

  get received(): number {
    return this.#received;
  }

  endHandshake(): void {
    this.#isHandshake = false;
  }

  override _read(): void {
    if (!this.#isWaiting) this.#socket.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#socket.write(chunk, () => done());
  }

  override _final(done: () => void): void {
    // Without the error of a socket that has ended by itself, which would end the thread.
    this.#socket.end(() => done());
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#socket.destroy();
    done(error);
  }

  #receive(chunk: Buffer): void {
    this.#received += chunk.length;
    if (this.#isHandshake && this.#received > RECEIVER_LIMITS.handshakeBytes) {
      this.destroy(new TooManyBytes('The receiver sent more than 16 KiB in its TLS handshake.'));
    } else if (this.#received > RECEIVER_LIMITS.connectionBytes) {
      this.destroy(new TooManyBytes('The receiver sent more than 512 KiB.'));
    } else this.#process(chunk);
  }

  /** A paused socket can still end and close, because it has no more data. */
  #afterChunk(report: () => void): void {
    if (this.#isWaiting) this.#held.push(report);
    else report();
  }

  #process(chunk: Buffer): void {
    if (this.destroyed) return;
    const waitMs = this.#shares.waitMs(this.#tenantId, performance.now());
    this.#isWaiting = waitMs > 0;
    if (this.#isWaiting) {
      this.#socket.pause();
      setTimeout(() => this.#process(chunk), waitMs);
      return;
    }
    const [since, cpuSince] = [performance.now(), cpuMs()];
    const wantsMore = this.push(chunk);
    this.#shares.take(this.#tenantId, since, performance.now(), cpuMs() - cpuSince);
    // One after the other, so that the end is read before the stream is destroyed.
    for (const report of this.#held.splice(0)) setImmediate(report);
    if (wantsMore) this.#socket.resume();
    else this.#socket.pause();
  }
}
