import { existsSync } from 'node:fs';
import { isRunning } from './embedded-process.ts';
import { type Server, stopServer } from './embedded-server.ts';

const LOOK_EVERY_MS = 1_000;
/** Between two attempts to restart it; doubled after each. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

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
  /** Why the last attempt to restart it failed. */
  #failure: string | null = null;
  #pauseMs = FIRST_PAUSE_MS;
  #nextAttemptAt = 0;
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
    if (performance.now() < this.#nextAttemptAt) return;
    if (this.#failure === null) {
      log(`the Postgres server (pid ${this.#server.pid}) exited; restarting it`);
    }
    try {
      this.#server = await launch(this.#server.port);
      if (this.#failure !== null) log(`the Postgres server (pid ${this.#server.pid}) runs again`);
      this.#failure = null;
      this.#pauseMs = FIRST_PAUSE_MS;
    } catch (error) {
      // Tried again, because the port, for example, may be in use only for a while.
      const reason = error instanceof Error ? error.message : String(error);
      if (reason !== this.#failure) log(reason);
      this.#failure = reason;
      this.#nextAttemptAt = performance.now() + this.#pauseMs;
      this.#pauseMs = Math.min(2 * this.#pauseMs, LONGEST_PAUSE_MS);
    }
  }
}
