import { existsSync } from 'node:fs';
import { isRunning } from './embedded-process.ts';
import { type Server, stopServer } from './embedded-server.ts';

const LOOK_EVERY_MS = 1_000;

export interface KeeperOptions {
  /** The folder of the cluster; if it is deleted, the supervisor stops. */
  readonly cluster: string;
  /** Starts the server on a port. */
  readonly launch: (port: number) => Promise<Server>;
  readonly log: (line: string) => void;
}

/** Restarts a server that ended unexpectedly, on the same port, which open pools reconnect to. */
export class EmbeddedKeeper {
  readonly #options: KeeperOptions;
  readonly #timer: NodeJS.Timeout;
  #server: Server;
  #looking: Promise<void> | null = null;

  constructor(server: Server, options: KeeperOptions) {
    this.#server = server;
    this.#options = options;
    this.#timer = setInterval(() => {
      this.#looking ??= this.#look().finally(() => {
        this.#looking = null;
      });
    }, LOOK_EVERY_MS).unref();
  }

  /** Stops the server and the supervision. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#looking;
    await stopServer(this.#server);
  }

  async #look(): Promise<void> {
    const { cluster, launch, log } = this.#options;
    if (await isRunning(this.#server)) return;
    if (!existsSync(cluster)) return clearInterval(this.#timer);
    log(`the Postgres server (pid ${this.#server.pid}) exited; restarting it`);
    try {
      this.#server = await launch(this.#server.port);
    } catch (error) {
      // Retried at the next check, because the port, for example, may be in use only for a while.
      log(error instanceof Error ? error.message : String(error));
    }
  }
}
