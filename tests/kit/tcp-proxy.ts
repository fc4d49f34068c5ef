import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** A route to a dependency that a test can cut and slow down. */
export class FragileLink {
  readonly #to: URL;
  readonly #sockets = new Set<Socket>();
  #server: Server;
  #port = 0;
  #delayMs = 0;
  #isFrozen = false;
  #accepted = 0;

  private constructor(to: URL) {
    this.#to = to;
    this.#server = this.#newServer();
  }

  static async to(url: string): Promise<FragileLink> {
    const link = new FragileLink(new URL(url));
    await link.restore();
    return link;
  }

  /** The address of the dependency through the proxy. */
  get url(): string {
    return Object.assign(new URL(this.#to), { port: String(this.#port) }).href;
  }

  /** How many connections were opened so far. */
  get accepted(): number {
    return this.#accepted;
  }

  /** Closes every connection, and refuses new ones. */
  async cut(): Promise<void> {
    this.#server.close();
    this.break();
    await once(this.#server, 'close');
  }

  /** Closes every connection; new ones are accepted. */
  break(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
    this.#sockets.clear();
  }

  /** Delays all data in both directions from now on. */
  slow(delayMs: number): void {
    this.#delayMs = delayMs;
  }

  /** Drops all data, and closes nothing, as a network that loses all packets. New connections are accepted and get no data. */
  freeze(): void {
    this.#isFrozen = true;
  }

  /** Forwards the data of new connections again, and closes those that have lost data. */
  thaw(): void {
    this.#isFrozen = false;
    this.break();
  }

  async restore(): Promise<void> {
    this.#server = this.#newServer();
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  #newServer(): Server {
    return createServer((near) => {
      this.#accepted += 1;
      const far = connect(Number(this.#to.port), this.#to.hostname);
      for (const socket of [near, far]) {
        this.#sockets.add(socket);
        socket.on('error', () => undefined);
        socket.on('close', () => {
          near.destroy();
          far.destroy();
          this.#sockets.delete(socket);
        });
      }
      this.#carry(near, far);
      this.#carry(far, near);
    });
  }

  #carry(from: Socket, to: Socket): void {
    let sent = Promise.resolve();
    /** Keeps the order of data, even if the delay becomes shorter. */
    const later = (send: () => void) => {
      if (this.#delayMs > 0) sent = Promise.all([sent, delay(this.#delayMs)]).then(() => undefined);
      sent = sent.then(send);
    };
    const unlessFrozen = (send: () => void) => {
      if (!this.#isFrozen) later(send);
    };
    from.on('data', (bytes) => unlessFrozen(() => to.write(bytes)));
    from.on('end', () => unlessFrozen(() => to.end()));
  }
}
