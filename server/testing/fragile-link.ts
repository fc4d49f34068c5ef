import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A way to the database that a test can cut: as if Postgres were stopped, and started again. */
export class FragileLink {
  readonly #to: URL;
  readonly #sockets = new Set<Socket>();
  #server: Server;
  #port = 0;

  private constructor(to: URL) {
    this.#to = to;
    this.#server = this.#newServer();
  }

  static async to(url: string): Promise<FragileLink> {
    const link = new FragileLink(new URL(url));
    await link.restore();
    return link;
  }

  /** The address of the database by this way. */
  get url(): string {
    return Object.assign(new URL(this.#to), { port: String(this.#port) }).href;
  }

  /** Breaks every connection, and refuses new ones. */
  async cut(): Promise<void> {
    this.#server.close();
    this.break();
    await once(this.#server, 'close');
  }

  /** Breaks every connection; new ones are taken. */
  break(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
    this.#sockets.clear();
  }

  async restore(): Promise<void> {
    this.#server = this.#newServer();
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  #newServer(): Server {
    return createServer((near) => {
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
      near.pipe(far).pipe(near);
    });
  }
}
