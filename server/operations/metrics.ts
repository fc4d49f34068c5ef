import type pg from 'pg';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** A request that is over, told of by what it was matched to: a handful of values each, whoever asks for what. */
export interface ServedRequest {
  /** `scans.launch`; null: nothing of the contract. */
  readonly operation: string | null;
  readonly method: string;
  readonly status: number;
  readonly seconds: number;
}

/** What waits in the queue, by task. */
export interface QueueDepth {
  readonly task: string;
  /** Due jobs that nobody works on. */
  readonly waiting: number;
  readonly running: number;
  /** Jobs that have been given up after their last attempt. */
  readonly failed: number;
  /** How long the oldest of those that wait has waited; 0: none waits. */
  readonly oldestSeconds: number;
}

/** In seconds: from a list off the index to an upload. */
const REQUEST_BUCKETS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60];
const STEP_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/**
 * What an operator sees of one process, in the text format of Prometheus. Labels come from the contract, so that no caller
 * can make up new series.
 */
export class Metrics {
  readonly #registry = new Registry();
  readonly #requests: Histogram<'operation' | 'method' | 'status'>;
  readonly #refusals: Counter<'limit'>;
  readonly #assets: Counter;
  readonly #evaluations: Counter;
  readonly #findings: Counter<'delta'>;
  readonly #steps: Histogram;

  constructor() {
    const registers = [this.#registry];
    collectDefaultMetrics({ register: this.#registry });
    this.#requests = new Histogram({
      name: 'http_server_request_duration_seconds',
      help: 'Requests by operation of the contract, from their first byte to the end of the answer',
      labelNames: ['operation', 'method', 'status'],
      buckets: REQUEST_BUCKETS,
      registers,
    });
    this.#refusals = new Counter({
      name: 'cspm_rate_limited_total',
      help: 'Requests that a rate limit refused',
      labelNames: ['limit'],
      registers,
    });
    this.#assets = new Counter({
      name: 'cspm_scan_assets_total',
      help: 'Assets that scans have judged',
      registers,
    });
    this.#evaluations = new Counter({
      name: 'cspm_scan_evaluations_total',
      help: 'Verdicts that rules have given',
      registers,
    });
    this.#findings = new Counter({
      name: 'cspm_scan_findings_total',
      help: 'Findings that scans have written',
      labelNames: ['delta'],
      registers,
    });
    this.#steps = new Histogram({
      name: 'cspm_scan_step_duration_seconds',
      help: 'How long a step of a scan took to be written, in one transaction',
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

  /** A step of a scan that is written. */
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

  /** Connections to the database. Looked at whenever the metrics are asked for. */
  watchPool(name: string, pool: pg.Pool): void {
    this.#gauge('cspm_database_connections', 'Connections to the database', () => [
      [{ pool: name, state: 'busy' }, pool.totalCount - pool.idleCount],
      [{ pool: name, state: 'idle' }, pool.idleCount],
      [{ pool: name, state: 'awaited' }, pool.waitingCount],
    ]);
  }

  /** Passwords that wait to be hashed. */
  watchHashing(waiting: () => number): void {
    this.#gauge('cspm_password_queue', 'Passwords that wait for a thread', () => [[{}, waiting()]]);
  }

  /** Whether limits are counted in the Redis that all instances share. */
  watchRedis(isThere: () => boolean): void {
    this.#gauge('cspm_redis_up', 'Whether Redis answers: 0 while limits are per process', () => [
      [{}, Number(isThere())],
    ]);
  }

  /** @param depth may fail while the database is out of reach: the queue is then left out */
  watchQueue(depth: () => Promise<readonly QueueDepth[]>): void {
    const registers = [this.#registry];
    const labelNames = ['task'] as const;
    const oldest = new Gauge({
      name: 'cspm_queue_oldest_seconds',
      help: 'How long the oldest waiting job has waited',
      labelNames,
      registers,
    });
    new Gauge({
      name: 'cspm_queue_jobs',
      help: 'Jobs in the queue',
      labelNames: ['task', 'state'],
      registers,
      async collect() {
        this.reset();
        oldest.reset();
        for (const { task, waiting, running, failed, oldestSeconds } of await depth().catch(
          () => [],
        )) {
          this.set({ task, state: 'waiting' }, waiting);
          this.set({ task, state: 'running' }, running);
          this.set({ task, state: 'failed' }, failed);
          oldest.set({ task }, oldestSeconds);
        }
      },
    });
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }

  readonly #watched = new Map<string, (() => Sample[])[]>();

  /** One gauge of a name, fed by everybody who has something to say under it. */
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
