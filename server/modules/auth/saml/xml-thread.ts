import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { bundledProgram } from '../../../platform/child-process/watched-process.ts';
import { ProblemError } from '../../../platform/problem.ts';
import type { XmlAnswer, XmlTask } from './xml-tasks.ts';

/** Bounds on the work of the XML thread. */
export interface XmlThreadLimits {
  /** How long one document may take, in ms of wall-clock time, before the thread is terminated. */
  readonly deadlineMs: number;
  /** How long a document may wait for the started thread, in ms. */
  readonly waitMs: number;
  /** How long the thread may take to start, in ms. It needs 0.5 s of CPU time, more when it runs from source. */
  readonly startMs: number;
  /** How many documents may wait. */
  readonly waiting: number;
  /** How many documents of one tenant may wait, so that no tenant takes the whole queue. */
  readonly waitingPerTenant: number;
  /** Heap size of the thread, in MiB. */
  readonly memoryMb: number;
}

export const XML_THREAD_LIMITS: XmlThreadLimits = {
  deadlineMs: 5_000,
  waitMs: 10_000,
  startMs: 30_000,
  waiting: 32,
  waitingPerTenant: 4,
  memoryMb: 128,
};

/** Why a document has no answer: it exceeded the deadline, or the thread crashed. */
export type XmlFailure = { readonly kind: 'stopped'; readonly reason: 'deadline' | 'crash' };

interface Job {
  readonly task: XmlTask;
  readonly tenantId: string;
  readonly settle: (answer: XmlAnswer | XmlFailure) => void;
  readonly refuse: (error: Error) => void;
  /** Started once the thread has started. */
  waitTimer: NodeJS.Timeout | null;
}

/**
 * Parses and verifies XML from outside in one worker thread, so that no document blocks other requests. The thread
 * starts on first use and is replaced after it was terminated. Documents wait in a bounded queue. Their tenants are served
 * in turn, so that one with many documents delays another by one document.
 */
export class XmlThread {
  readonly #limits: XmlThreadLimits;
  /** Waiting documents by tenant. The tenant at the front of the map is served next, unless it was served last. */
  readonly #tenants = new Map<string, Job[]>();
  #waiting = 0;
  #lastTenant: string | null = null;
  #worker: Worker | null = null;
  #isReady = false;
  #current: { readonly job: Job; readonly timer: NodeJS.Timeout } | null = null;
  #isClosed = false;
  readonly #onError: (error: unknown) => void;

  /** @param onError called with the error that ended the thread, unless the thread was terminated on purpose. */
  constructor(onError: (error: unknown) => void, limits: XmlThreadLimits = XML_THREAD_LIMITS) {
    this.#onError = onError;
    this.#limits = limits;
  }

  /** Number of documents waiting for the thread. */
  get waiting(): number {
    return this.#waiting;
  }

  /**
   * @param tenantId owner of the document; the queue is fair between tenants.
   * @throws {ProblemError} SERVICE_UNAVAILABLE when the queue is full, when the document waited longer than `waitMs`, or
   * when it gave its place to a tenant with fewer documents.
   */
  run(task: XmlTask, tenantId: string): Promise<XmlAnswer | XmlFailure> {
    if (this.#isClosed || !this.#makesRoom(tenantId)) return Promise.reject(busy());
    return new Promise((settle, refuse) => {
      const job: Job = { task, tenantId, settle, refuse, waitTimer: null };
      this.#add(job);
      if (this.#isReady) this.#limitWait(job);
      this.#next();
    });
  }

  /** Starts the thread before the first document arrives. */
  warmUp(): void {
    if (!this.#isClosed) this.#worker ??= this.#start();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#refuseWaiting();
    await this.#stop('crash');
  }

  #next(): void {
    if (this.#current !== null || this.#waiting === 0) return;
    this.#worker ??= this.#start();
    if (!this.#isReady) return;
    const job = this.#takeTurn();
    if (job === undefined) return;
    const timer = setTimeout(() => this.#expire(job), this.#limits.deadlineMs);
    this.#current = { job, timer };
    this.#worker.ref();
    this.#worker.postMessage(job.task);
  }

  #start(): Worker {
    const worker = new Worker(bundledProgram('saml-worker') ?? ENTRY, {
      // Pass on none of this process's environment, above all no secrets.
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: this.#limits.memoryMb },
    });
    const startTimer = setTimeout(() => {
      if (worker === this.#worker && !this.#isReady) void this.#stop('crash');
    }, this.#limits.startMs).unref();
    worker.on('message', (message: XmlAnswer | 'ready') => {
      if (worker !== this.#worker) return;
      if (message === 'ready') {
        clearTimeout(startTimer);
        this.#isReady = true;
        for (const job of [...this.#tenants.values()].flat()) this.#limitWait(job);
      } else this.#finish(message);
      this.#next();
    });
    // The `exit` event follows and replaces the thread.
    worker.on('error', this.#onError);
    worker.on('exit', () => {
      clearTimeout(startTimer);
      if (worker === this.#worker) this.#replace('crash');
    });
    worker.unref();
    return worker;
  }

  #finish(answer: XmlAnswer | XmlFailure): void {
    if (this.#current === null) return;
    const { job, timer } = this.#current;
    clearTimeout(timer);
    this.#current = null;
    this.#worker?.unref();
    job.settle(answer);
  }

  /** If the answer has already arrived but could not be handled yet because this process was busy, it is used. */
  #expire(job: Job): void {
    setImmediate(() => {
      if (this.#current?.job === job) void this.#stop('deadline');
    });
  }

  async #stop(reason: XmlFailure['reason']): Promise<void> {
    const worker = this.#worker;
    this.#replace(reason);
    await worker?.terminate();
  }

  /** Gives up the thread and its document; the next document starts a new thread. */
  #replace(reason: XmlFailure['reason']): void {
    const startFailed = this.#worker !== null && !this.#isReady;
    this.#worker = null;
    this.#isReady = false;
    this.#finish({ kind: 'stopped', reason });
    if (startFailed) {
      // Refuse waiting documents instead of restarting the thread in a loop.
      this.#refuseWaiting();
    } else if (!this.#isClosed) this.#next();
  }

  /**
   * A full queue refuses the newest document of the tenant with the most waiting documents, in favor of a tenant with fewer.
   * @returns whether the tenant may add a document.
   */
  #makesRoom(tenantId: string): boolean {
    const { waiting, waitingPerTenant } = this.#limits;
    const own = this.#tenants.get(tenantId)?.length ?? 0;
    if (own >= waitingPerTenant) return false;
    if (this.#waiting < waiting) return true;
    let most: Job[] = [];
    for (const jobs of this.#tenants.values()) if (jobs.length > most.length) most = jobs;
    const newest = most.length > own + 1 ? most.at(-1) : undefined;
    if (newest === undefined) return false;
    this.#refuse(newest);
    return true;
  }

  #add(job: Job): void {
    const jobs = this.#tenants.get(job.tenantId) ?? [];
    jobs.push(job);
    this.#tenants.set(job.tenantId, jobs);
    this.#waiting += 1;
  }

  #remove(job: Job): void {
    clearTimeout(job.waitTimer ?? undefined);
    const jobs = this.#tenants.get(job.tenantId) ?? [];
    jobs.splice(jobs.indexOf(job), 1);
    this.#waiting -= 1;
    if (jobs.length === 0) this.#tenants.delete(job.tenantId);
  }

  /** A tenant that was served moves to the back, where its later documents follow those of the others. */
  #takeTurn(): Job | undefined {
    const [first, second] = this.#tenants.values();
    const jobs = first?.[0]?.tenantId === this.#lastTenant ? (second ?? first) : first;
    const job = jobs?.[0];
    if (jobs === undefined || job === undefined) return undefined;
    this.#remove(job);
    if (this.#tenants.delete(job.tenantId)) this.#tenants.set(job.tenantId, jobs);
    this.#lastTenant = job.tenantId;
    return job;
  }

  #refuseWaiting(): void {
    for (const job of [...this.#tenants.values()].flat()) this.#refuse(job);
  }

  #limitWait(job: Job): void {
    job.waitTimer ??= setTimeout(() => this.#refuse(job), this.#limits.waitMs);
  }

  #refuse(job: Job): void {
    this.#remove(job);
    job.refuse(busy());
  }
}

function busy(): ProblemError {
  return new ProblemError(
    'SERVICE_UNAVAILABLE',
    'Too many SAML documents are being verified. Try again shortly.',
    { headers: { 'Retry-After': '5' } },
  );
}

/** In the bundle, the thread's program is beside this file. */
const ENTRY = fileURLToPath(
  new URL(
    import.meta.url.endsWith('.ts') ? './xml-worker-from-source.mjs' : './saml-worker.mjs',
    import.meta.url,
  ),
);
