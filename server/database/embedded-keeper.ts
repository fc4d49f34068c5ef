import { existsSync } from 'node:fs';
import { isRunning } from './embedded-process.ts';
import { type Server, stopServer } from './embedded-server.ts';

const LOOK_EVERY_MS = 1_000;

export interface KeeperOptions {
  /** The folder of the cluster: when it is gone, there is nothing left to keep. */
  readonly cluster: string;
  /** Starts it on a port. */
  readonly launch: (port: number) => Promise<Server>;
  readonly log: (line: string) => void;
}

/** Starts a server again that ended without our asking, on its port, where everybody looks for it. */
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

  /** Ends the server, for good. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#looking;
    await stopServer(this.#server);
  }

  async #look(): Promise<void> {
    const { cluster, launch, log } = this.#options;
    if (await isRunning(this.#server)) return;
    if (!existsSync(cluster)) return clearInterval(this.#timer);
    log(`the Postgres server (pid ${this.#server.pid}) has ended; starting it again`);
    try {
      this.#server = await launch(this.#server.port);
    } catch (error) {
      // Tried again at the next look: the port, say, is only taken for a while.
      log(error instanceof Error ? error.message : String(error));
    }
  }
}
