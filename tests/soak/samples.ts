import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { type Callers, pause } from './callers.ts';
import { quantile } from './trend.ts';

/** A process whose metrics are read. */
export interface Watched {
  readonly name: string;
  readonly metricsUrl: string;
  readonly pid: number;
}

/** A row of the CSV: the time, and a value for each column. */
export interface Sample {
  readonly atMs: number;
  readonly values: ReadonlyMap<string, number>;
}

const MIB = 1024 * 1024;
const EVERY_MS = 10_000;

const TABLES = `SELECT s.schemaname || '.' || s.relname AS name, s.n_live_tup::float8 AS live,
    s.n_dead_tup::float8 AS dead, pg_table_size(s.relid)::float8 AS heap, pg_indexes_size(s.relid)::float8 AS indexes
  FROM pg_stat_user_tables s`;
const CONNECTIONS = `SELECT application_name AS name, count(*)::float8 AS count FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid() GROUP BY 1`;

interface Table {
  readonly name: string;
  readonly live: number;
  readonly dead: number;
  readonly heap: number;
  readonly indexes: number;
}

/** Samples processes, Postgres and the requests every ten seconds. */
export class Samples {
  readonly taken: Sample[] = [];
  readonly #watched: readonly Watched[];
  readonly #callers: Callers;
  readonly #databaseUrl: string;
  readonly #violationsOf: () => number;

  constructor(
    watched: readonly Watched[],
    callers: Callers,
    databaseUrl: string,
    violationsOf: () => number,
  ) {
    this.#watched = watched;
    this.#callers = callers;
    this.#databaseUrl = databaseUrl;
    this.#violationsOf = violationsOf;
  }

  async runUntil(endMs: number, onSample: (sample: Sample) => void): Promise<void> {
    const client = new pg.Client({ connectionString: this.#databaseUrl });
    await client.connect();
    try {
      this.#callers.takeSeen();
      for (let next = Date.now() + EVERY_MS; next <= endMs; next += EVERY_MS) {
        await pause(Math.max(0, next - Date.now()), Math.max(0, next - Date.now()));
        const sample = await this.#take(client);
        this.taken.push(sample);
        onSample(sample);
      }
    } finally {
      await client.end();
    }
  }

  async #take(client: pg.Client): Promise<Sample> {
    const values = new Map<string, number>();
    for (const watched of this.#watched) {
      for (const [column, value] of await ofProcess(watched)) values.set(column, value);
    }
    const { rows: tables } = await client.query<Table>(TABLES);
    for (const [column, value] of ofTables(tables)) values.set(column, value);
    const { rows } = await client.query<{ name: string; count: number }>(CONNECTIONS);
    const own = rows.filter(({ name }) => name.startsWith('cspm'));
    values.set(
      'postgres connections',
      own.reduce((sum, { count }) => sum + count, 0),
    );
    const took = this.#callers.takeSeen().map(({ tookMs }) => tookMs);
    values.set('requests', took.length);
    values.set('latency p50 ms', quantile(took, 0.5));
    values.set('latency p99 ms', quantile(took, 0.99));
    values.set('503 accepted', this.#callers.busy);
    values.set('unexpected', this.#violationsOf());
    return { atMs: Date.now(), values };
  }
}

async function ofProcess({ name, metricsUrl, pid }: Watched): Promise<[string, number][]> {
  const text = await (await fetch(metricsUrl)).text();
  const sum = (metric: string) =>
    [...text.matchAll(new RegExp(`^${metric}(?:\\{[^}]*\\})? (\\S+)$`, 'gm'))].reduce(
      (total, [, value]) => total + Number(value),
      0,
    );
  return [
    [`${name} rss MiB`, await residentMib(pid)],
    [`${name} heap MiB`, sum('nodejs_heap_size_used_bytes') / MIB],
    [`${name} event loop p99 ms`, sum('nodejs_eventloop_lag_p99_seconds') * 1_000],
    [`${name} pool connections`, sum('cspm_database_connections')],
  ];
}

/** VmRSS in proc(5). */
async function residentMib(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

function ofTables(tables: readonly Table[]): [string, number][] {
  const sum = (value: (table: Table) => number, of = tables) =>
    of.reduce((total, table) => total + value(table), 0);
  const jobs = tables.filter(({ name }) => name.startsWith('graphile_worker.'));
  const [live, dead] = [sum((table) => table.live), sum((table) => table.dead)];
  return [
    ['table MiB', sum(({ heap }) => heap) / MIB],
    ['index MiB', sum(({ indexes }) => indexes) / MIB],
    ['live rows', live],
    ['dead rows', dead],
    ['dead rows %', (100 * dead) / Math.max(1, live + dead)],
    ['bytes a live row', sum(({ heap, indexes }) => heap + indexes) / Math.max(1, live)],
    ['job queue MiB', sum(({ heap, indexes }) => heap + indexes, jobs) / MIB],
  ];
}

/** A line for each sample. */
export function csv(samples: readonly Sample[]): string {
  const columns = [...(samples[0]?.values.keys() ?? [])];
  const begun = samples[0]?.atMs ?? 0;
  const lines = samples.map(({ atMs, values }) =>
    [
      ((atMs - begun) / 1000).toFixed(0),
      ...columns.map((column) => short(values.get(column))),
    ].join(','),
  );
  return `${['seconds', ...columns].join(',')}\n${lines.join('\n')}\n`;
}

function short(value: number | undefined): string {
  return value === undefined || Number.isNaN(value) ? '' : String(Number(value.toFixed(1)));
}
