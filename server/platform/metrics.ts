import type pg from 'pg';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/**
 * A finished request, described by the operation that it matched, so the number of series stays small for any input.
 */
export interface ServedRequest {
  /** `scans.launch`; null: no operation of the contract. */
  readonly operation: string | null;
  readonly method: string;
  readonly status: number;
  readonly seconds: number;
}

/** The state of the queue, by task. */
export interface QueueDepth {
  readonly task: string;
  /** Due jobs that no worker has taken. */
  readonly waiting: number;
  readonly running: number;
  /** Jobs that failed their last attempt. */
  readonly failed: number;
  /** The age of the oldest waiting job; 0: none waits. */
  readonly oldestSeconds: number;
}

interface WatchedQueue {
  /** Null: there is only one database. */
  readonly cell: string | null;
  depth(): Promise<readonly QueueDepth[]>;
}

/** In seconds: from a list by index to an upload. */
const REQUEST_BUCKETS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60];
const STEP_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const EMPTY = { waiting: 0, running: 0, failed: 0, oldestSeconds: 0 };
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/**
 * The metrics of one process, in the text format of Prometheus. Labels come from the contract, so callers cannot create
 * new series.
 */
export class Metrics {
  readonly #registry = new Registry();
  readonly #requests: Histogram<'operation' | 'method' | 'status'>;
  readonly #refusals: Counter<'limit'>;
  readonly #strayFaults: Counter;
  readonly #assets: Counter;
  readonly #evaluations: Counter;
  readonly #findings: Counter<'delta'>;
  readonly #steps: Histogram;
  #reads: Counter<'outcome'> | null = null;
  #readQueues: () => Promise<void> = async () => undefined;

  constructor() {
    const registers = [this.#registry];
    collectDefaultMetrics({ register: this.#registry });
    this.#requests = new Histogram({
      name: 'http_server_request_duration_seconds',
      help: 'HTTP requests by operation, from the first byte to the end of the response',
      labelNames: ['operation', 'method', 'status'],
      buckets: REQUEST_BUCKETS,
      registers,
    });
    this.#refusals = new Counter({
      name: 'cspm_rate_limited_total',
      help: 'Requests refused by a rate limit',
      labelNames: ['limit'],
      registers,
    });
    this.#strayFaults = new Counter({
      name: 'cspm_stray_faults_total',
      help: 'Unhandled rejections and exceptions; each is a defect',
      registers,
    });
    this.#assets = new Counter({
      name: 'cspm_scan_assets_total',
      help: 'Assets evaluated by scans',
      registers,
    });
    this.#evaluations = new Counter({
      name: 'cspm_scan_evaluations_total',
      help: 'Verdicts of rules',
      registers,
    });
    this.#findings = new Counter({
      name: 'cspm_scan_findings_total',
      help: 'Findings written by scans',
      labelNames: ['delta'],
      registers,
    });
    this.#steps = new Histogram({
      name: 'cspm_scan_step_duration_seconds',
      help: 'Duration of the transaction that writes a step of a scan',
      buckets: STEP_BUCKETS,
      registers,
    });
  }

  served({ operation, method, status, seconds }: ServedRequest): void {
    this.#requests.observe(
      {
        operation: operation ?? 'none',
        method: METHODS.has(method) ? method : 'other',
        status: String(status),
      },
      seconds,
    );
  }

  refusedBy(limit: string): void {
    this.#refusals.inc({ limit });
  }

  /** Counts an unhandled rejection or exception. */
  strayFault(): void {
    this.#strayFaults.inc();
  }

  /** Counts a committed step of a scan. */
  scanned(step: {
    readonly assets: number;
    readonly evaluations: number;
    readonly deltas: Readonly<Record<string, number>>;
    readonly seconds: number;
  }): void {
    this.#assets.inc(step.assets);
    this.#evaluations.inc(step.evaluations);
    for (const [delta, count] of Object.entries(step.deltas)) this.#findings.inc({ delta }, count);
    this.#steps.observe(step.seconds);
  }

  /**
   * Connections to the database, read whenever the metrics are scraped.
   * @param waiting requests that wait for their tenant's share of the pool.
   */
  watchPool(name: string, pool: pg.Pool, waiting: () => number = () => 0): void {
    this.#gauge('cspm_database_connections', 'Database connections', () => [
      [{ pool: name, state: 'busy' }, pool.totalCount - pool.idleCount],
      [{ pool: name, state: 'idle' }, pool.idleCount],
      [{ pool: name, state: 'awaited' }, pool.waitingCount + waiting()],
    ]);
  }

  /** Passwords that wait for hashing. */
  watchHashing(waiting: () => number): void {
    this.#gauge('cspm_password_queue', 'Password checks waiting for a thread', () => [
      [{}, waiting()],
    ]);
  }

  /** Whether limits are counted in the Redis that all instances share. */
  watchRedis(isThere: () => boolean): void {
    this.#gauge(
      'cspm_redis_up',
      '1 if Redis responds; 0 while rate limits count per process',
      () => [[{}, Number(isThere())]],
    );
  }

  /** Counts a read that a replica may serve, by who served it and why. */
  replicaRead(outcome: string): void {
    this.#reads?.inc({ outcome });
  }

  /** The replicas that this process reads from. */
  watchReplicas(
    replicas: readonly {
      readonly address: string;
      readonly absence: string | null;
      readonly lagSeconds: number;
    }[],
  ): void {
    this.#reads = new Counter({
      name: 'cspm_replica_reads_total',
      help: 'Reads that a replica may serve, by the server that answered: a replica, or the primary with the reason',
      labelNames: ['outcome'],
      registers: [this.#registry],
    });
    this.#gauge('cspm_replica_up', '1 if reads go to the replica; 0 while they do not', () =>
      replicas.map(({ address, absence }) => [{ replica: address }, Number(absence === null)]),
    );
    this.#gauge(
      'cspm_replica_lag_seconds',
      'How long the replica takes to replay what the primary has committed',
      () => replicas.map(({ address, lagSeconds }) => [{ replica: address }, lagSeconds]),
    );
  }

  /**
   * The queues that workers process, read once for each scrape.
   * @param queues one, or one for each database of tenants by the name of its cell, which becomes a label. A queue that
   * cannot be read, while its database is unavailable, is omitted.
   * @param tasks those of the service: 0 while the queue has none of their jobs, so that a missing sample means that the
   * queue was not read.
   */
  watchQueues(queues: readonly WatchedQueue[], tasks: readonly string[] = []): void {
    const registers = [this.#registry];
    const jobs = new Gauge({
      name: 'cspm_queue_jobs',
      help: 'Jobs in the queue',
      labelNames: ['task', 'state', 'cell'],
      registers,
    });
    const oldest = new Gauge({
      name: 'cspm_queue_oldest_seconds',
      help: 'Age of the oldest waiting job in seconds',
      labelNames: ['task', 'cell'],
      registers,
    });
    this.#readQueues = async () => {
      const empty = tasks.map((task) => ({ task, ...EMPTY }));
      const read = queues.map(({ depth }) => depth().then((found) => [...empty, ...found]));
      const depths = await Promise.all(read.map((one) => one.catch(() => [])));
      jobs.reset();
      oldest.reset();
      for (const [at, { cell }] of queues.entries()) {
        const where = cell === null ? {} : { cell };
        for (const { task, waiting, running, failed, oldestSeconds } of depths[at] ?? []) {
          jobs.set({ task, state: 'waiting', ...where }, waiting);
          jobs.set({ task, state: 'running', ...where }, running);
          jobs.set({ task, state: 'failed', ...where }, failed);
          oldest.set({ task, ...where }, oldestSeconds);
        }
      }
    };
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  async text(): Promise<string> {
    await this.#readQueues();
    return this.#registry.metrics();
  }

  readonly #watched = new Map<string, (() => Sample[])[]>();

  /** One gauge per name, with values from several sources. */
  #gauge(name: string, help: string, samples: () => Sample[]): void {
    const known = this.#watched.get(name);
    if (known !== undefined) {
      known.push(samples);
      return;
    }
    const feeds = [samples];
    this.#watched.set(name, feeds);
    new Gauge({
      name,
      help,
      labelNames: Object.keys(samples()[0]?.[0] ?? {}),
      registers: [this.#registry],
      collect() {
        for (const [labels, value] of feeds.flatMap((feed) => feed())) this.set(labels, value);
      },
    });
  }
}

type Sample = readonly [labels: Readonly<Record<string, string>>, value: number];
