import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { bundledProgram } from '../../platform/child-process/watched-process.ts';
import { type Answer, type Exchange, refused } from './exchange.ts';
import type { ThreadData, ThreadMessage, ThreadTask } from './exchange-messages.ts';

interface ExchangeThreadOptions {
  /** Called with the error that ended the thread. */
  readonly onError?: ((error: unknown) => void) | undefined;
  /** The file of the thread's program, which tests may change. */
  readonly entry?: string;
}

/** The limits, which tests may change. */
export interface ExchangeThreadLimits {
  /** The thread is ended when it has had no exchange for this long. Longer than connections are kept. */
  readonly idleMs: number;
  /** How often it is looked after. */
  readonly lookMs: number;
  /** Looks without a sign of life after which it is replaced. No handshake takes nearly as long. */
  readonly looks: number;
  /** The same while it starts. */
  readonly startLooks: number;
}

const LIMITS: ExchangeThreadLimits = {
  ...{ idleMs: 30_000, lookMs: 1_000, looks: 10, startLooks: 60 },
};
/** How often an exchange is begun before its receiver is taken for the reason why the thread ended. */
const TRIES = 2;

interface Job {
  readonly exchange: Exchange;
  readonly settle: (answer: Answer) => void;
  readonly fail: (error: unknown) => void;
  tries: number;
}

/** A thread, and what is known of it. */
interface Running {
  readonly worker: Worker;
  readonly beats: Int32Array;
  readonly watch: NodeJS.Timeout;
  isReady: boolean;
  /** The beats at the last look, and the looks since they changed. */
  seen: number;
  quietLooks: number;
}

/**
 * Makes exchanges over TLS in one worker thread, so that no receiver blocks the event loop with its certificates. The
 * thread starts with the first exchange and ends when it is idle. If it fails, its exchanges are repeated in another.
 */
export class ExchangeThread {
  readonly #ca: string | undefined;
  readonly #options: ExchangeThreadOptions;
  readonly #limits: ExchangeThreadLimits;
  readonly #jobs = new Map<number, Job>();
  #lastId = 0;
  #running: Running | null = null;
  #idle: NodeJS.Timeout | null = null;

  /** @param ca certificate authorities besides the usual ones, as PEM. */
  constructor(
    ca: string | undefined,
    options: ExchangeThreadOptions = {},
    limits: Partial<ExchangeThreadLimits> = {},
  ) {
    this.#ca = ca;
    this.#options = options;
    this.#limits = { ...LIMITS, ...limits };
  }

  get isRunning(): boolean {
    return this.#running !== null;
  }

  /**
   * @throws when it is aborted, or when no thread can be started.
   * @param signal aborts the exchange, whose outcome is then unknown.
   */
  run(exchange: Exchange, signal: AbortSignal): Promise<Answer> {
    signal.throwIfAborted();
    this.#lastId += 1;
    const id = this.#lastId;
    if (this.#idle !== null) clearTimeout(this.#idle);
    return new Promise<Answer>((resolve, reject) => {
      const end = () => {
        signal.removeEventListener('abort', abort);
        this.#jobs.delete(id);
        if (this.#jobs.size === 0) this.#endWhenIdle();
      };
      const abort = () => {
        this.#post({ kind: 'abort', id });
        end();
        reject(signal.reason);
      };
      signal.addEventListener('abort', abort);
      const settle = (answer: Answer) => {
        end();
        resolve(answer);
      };
      const fail = (error: unknown) => {
        end();
        reject(error);
      };
      const job = { exchange, settle, fail, tries: 0 };
      this.#jobs.set(id, job);
      this.#begin(id, job);
    });
  }

  /** Ends the thread. Exchanges in progress fail. */
  close(): void {
    if (this.#idle !== null) clearTimeout(this.#idle);
    this.#end();
    for (const job of [...this.#jobs.values()]) job.fail(new Error('The thread was closed'));
  }

  #begin(id: number, job: Job): void {
    job.tries += 1;
    try {
      this.#running ??= this.#start();
      this.#post({ kind: 'run', id, exchange: job.exchange });
    } catch (error) {
      job.fail(error);
    }
  }

  #post(task: ThreadTask): void {
    this.#running?.worker.postMessage(task);
  }

  #start(): Running {
    const beats = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
    const workerData: ThreadData = { ca: this.#ca, beats };
    const worker = new Worker(this.#options.entry ?? bundledProgram('exchange-worker') ?? ENTRY, {
      workerData,
      // Pass on none of this process's environment, above all no secrets.
      env: {},
      execArgv: [],
    });
    const watch = setInterval(() => this.#look(running), this.#limits.lookMs).unref();
    const running: Running = {
      ...{ worker, watch, beats: new Int32Array(beats) },
      ...{ isReady: false, seen: 0, quietLooks: 0 },
    };
    let cause: unknown;
    worker.on('message', (message: ThreadMessage) => {
      if (message === 'ready') running.isReady = true;
      else if (this.#running === running) this.#jobs.get(message.id)?.settle(message.answer);
    });
    worker.on('error', (error) => {
      cause = error;
    });
    worker.on('exit', (code) =>
      this.#lose(running, cause ?? new Error(`The thread exited with code ${code}`)),
    );
    worker.unref();
    return running;
  }

  /** Counts looks instead of time, so that a pause of this process or of the machine does not count. */
  #look(running: Running): void {
    const beats = Atomics.load(running.beats, 0);
    running.quietLooks = beats === running.seen ? running.quietLooks + 1 : 0;
    running.seen = beats;
    const most = running.isReady ? this.#limits.looks : this.#limits.startLooks;
    if (running.quietLooks >= most) this.#lose(running, new Error('The thread is blocked'));
  }

  /** Repeats the exchanges of a thread that has failed. Their receivers may get a request twice. */
  #lose(running: Running, cause: unknown): void {
    if (this.#running !== running) return;
    this.#end();
    this.#options.onError?.(cause);
    for (const [id, job] of [...this.#jobs]) {
      if (!running.isReady) {
        job.fail(new Error('The thread for webhook deliveries did not start', { cause }));
      } else if (job.tries < TRIES) this.#begin(id, job);
      else job.settle(refused('The receiver closed the connection without an answer.'));
    }
  }

  #endWhenIdle(): void {
    this.#idle = setTimeout(() => this.#end(), this.#limits.idleMs).unref();
  }

  #end(): void {
    const running = this.#running;
    this.#running = null;
    if (running === null) return;
    clearInterval(running.watch);
    // A thread that OpenSSL blocks ends when OpenSSL returns, so this is not awaited.
    void running.worker.terminate();
  }
}

/** In the bundle, the thread's program is beside this file. */
const ENTRY = fileURLToPath(
  new URL(
    import.meta.url.endsWith('.ts') ? './exchange-worker-from-source.mjs' : './exchange-worker.mjs',
    import.meta.url,
  ),
);
