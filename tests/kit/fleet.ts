import { type Ended, ServerProcess } from './server-process.ts';

/** Several processes start together, and the machine may be busy. */
const START_WITHIN_MS = 200_000;

export type Environment = Readonly<Record<string, string>>;

/** A slot of a fleet: a process and its successors at the same address. */
export class Instance {
  readonly name: string;
  readonly #main: string;
  readonly #environment: Environment;
  readonly #serves: boolean;
  /** Chosen by the system for the first process, and reused by its successors. */
  #port = '0';
  #process: ServerProcess | null = null;
  #latest: ServerProcess | null = null;
  #url = '';

  constructor(name: string, main: string, environment: Environment) {
    this.name = name;
    this.#main = main;
    this.#environment = environment;
    this.#serves = environment['WORKER'] !== 'only';
  }

  /** Its URL; empty for a worker. */
  get url(): string {
    return this.#url;
  }

  /** Null while no process runs there. */
  get pid(): number | null {
    return this.#process?.pid ?? null;
  }

  /** The output of the current process, or of the one that ended last. */
  get output(): string {
    return this.#latest?.output ?? '';
  }

  /** @throws {Error} with its output if it ends instead of serving. Then no process runs. */
  async start(): Promise<void> {
    const begun = new ServerProcess(this.#main, { ...this.#environment, PORT: this.#port });
    this.#process = begun;
    this.#latest = begun;
    try {
      const line = await begun.line(
        this.#serves ? /Serving on/ : /Working the queue/,
        START_WITHIN_MS,
      );
      this.#url = /http:\/\/\S+/.exec(line)?.[0] ?? '';
      if (this.#serves) this.#port = new URL(this.#url).port;
    } catch (error) {
      await this.kill();
      throw error;
    }
  }

  /** Stops it gracefully and waits until it has ended. */
  async stop(): Promise<Ended | null> {
    const ending = this.#process;
    ending?.signal('SIGTERM');
    const ended = (await ending?.ended()) ?? null;
    this.#process = null;
    return ended;
  }

  async kill(): Promise<void> {
    const ending = this.#process;
    this.#process = null;
    await ending?.kill();
  }
}

export interface FleetOptions {
  /** The bundled server. */
  readonly main: string;
  /** Environment of every process, so all have the same configuration. */
  readonly environment: Environment;
  readonly servers?: number;
  readonly workers?: number;
}

/** The service in production: servers that run no jobs, and workers that serve no requests. */
export class Fleet {
  readonly servers: readonly Instance[];
  readonly workers: readonly Instance[];

  constructor({ main, environment, servers = 3, workers = 2 }: FleetOptions) {
    const instances = (count: number, name: string, WORKER: string) =>
      Array.from(
        { length: count },
        (_, index) => new Instance(`${name} ${index + 1}`, main, { ...environment, WORKER }),
      );
    this.servers = instances(servers, 'server', 'off');
    this.workers = instances(workers, 'worker', 'only');
  }

  get all(): readonly Instance[] {
    return [...this.servers, ...this.workers];
  }

  async start(): Promise<void> {
    await Promise.all(this.all.map((instance) => instance.start()));
  }

  async kill(): Promise<void> {
    await Promise.all(this.all.map((instance) => instance.kill()));
  }
}
