import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, open, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Binaries } from './embedded-binaries.ts';
import { reasonIn } from './embedded-cluster.ts';
import { EmbeddedPostgresError, errnoOf } from './embedded-error.ts';
import type { Place } from './embedded-place.ts';
import {
  CHILD_ENVIRONMENT,
  commandLine,
  credentials,
  isRunning,
  type ProcessId,
  sight,
} from './embedded-process.ts';

// Another account's symbolic link must not make root write somewhere else.
const { O_APPEND, O_CREAT, O_NOFOLLOW, O_TRUNC, O_WRONLY } = constants;

/** A server that accepts connections. */
export interface Server extends ProcessId {
  readonly port: number;
  /** Path of the program it runs. */
  readonly program: string;
}

/** Recovery after a crash reads up to 1 GiB of WAL. */
const START_TIMEOUT_MS = 120_000;
/** A fast shutdown writes what is in memory to disk. */
const STOP_TIMEOUT_MS = 60_000;
const POLL_MS = 10;
/** Logs of earlier starts are kept up to this size. They never contain statements or their values. */
const LOG_MAX_BYTES = 1_048_576;

const DURABILITY = ['fsync', 'synchronous_commit', 'full_page_writes'];

/** Passed at each start instead of stored in the cluster, so a new release can change them. */
function settings(durable: boolean): string[] {
  return [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    // A temporary one serves the servers of all test workers.
    `max_connections=${durable ? 100 : 400}`,
    `shared_buffers=${sharedBuffersMb()}MB`,
    'wal_buffers=16MB',
    // Files of the write-ahead log are reused instead of created.
    'min_wal_size=256MB',
    // Queries here are short: JIT compilation costs more than running them.
    'jit=off',
    'timezone=UTC',
    'log_timezone=UTC',
    // LOG ranks above ERROR here: the log contains server events but no failed statements, whose text and values would
    // be tenants' data.
    'log_min_messages=log',
    'log_checkpoints=off',
    ...DURABILITY.map((name) => `${name}=${durable ? 'on' : 'off'}`),
  ];
}

/**
 * Room for the pages that large scans change: with less, Postgres writes them to disk several times. The memory is not
 * taken before it is used.
 */
function sharedBuffersMb(): number {
  const limit = process.constrainedMemory();
  const bytes = limit > 0 ? Math.min(limit, totalmem()) : totalmem();
  return Math.min(1024, Math.max(128, Math.floor(bytes / 2 ** 20 / 16)));
}

/** What a server records about itself in `postmaster.pid`, parsed as pg_ctl does. */
async function readPidFile(
  cluster: string,
): Promise<{ pid: number; port: number; status: string } | null> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch((error: unknown) => {
    if (errnoOf(error) === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return null;
  const lines = text.split('\n');
  return { pid: Number(lines[0]), port: Number(lines[3]), status: (lines[7] ?? '').trim() };
}

/** The program of the running server of that cluster; null for any other process. */
async function programOf(pid: number, cluster: string): Promise<string | null> {
  const line = (await commandLine(pid)) ?? '';
  const end = line.indexOf(` -D ${cluster} `);
  return end > 0 && line.slice(0, end).endsWith('postgres') ? line.slice(0, end) : null;
}

/**
 * The server that already runs on a cluster because it outlived the Node process that started it. Waits for one that is
 * starting or stopping. Null when there is none, also when its process number now belongs to another process.
 */
export async function runningServer(cluster: string): Promise<Server | null> {
  for (const deadline = Date.now() + START_TIMEOUT_MS; ; await delay(POLL_MS)) {
    const file = await readPidFile(cluster);
    if (file === null || !(file.pid > 0)) return null;
    const { running, startedAt } = await sight(file.pid);
    if (!running) return null;
    const program = await programOf(file.pid, cluster);
    if (program === null) return null;
    const { pid, port, status } = file;
    if (status === 'ready') return { pid, startedAt, port, program };
    if (Date.now() > deadline) {
      throw new EmbeddedPostgresError(
        `the Postgres server in ${cluster} (pid ${pid}) is stuck while ${status}; end it and start again`,
      );
    }
  }
}

/**
 * Starts a server on a cluster that has none and waits until it accepts connections.
 * @param port default: a free one.
 * @throws {EmbeddedPostgresError} with the reason that Postgres gave.
 */
export async function launchServer(
  binaries: Binaries,
  place: Place,
  durable: boolean,
  port?: number,
): Promise<Server> {
  const logFile = join(place.home, 'postgres.log');

  for (const deadline = Date.now() + START_TIMEOUT_MS; ; await delay(POLL_MS)) {
    const on = port ?? (await freePort());
    const started = await tryLaunch(binaries, place, { durable, port: on }, logFile, deadline);
    if (typeof started === 'object') return started;
    // Another process may have taken the free port meanwhile; or backends of a killed server are still ending, and
    // Postgres must wait for the last of them.
    const isTaken = /could not create any TCP\/IP sockets/.test(started);
    const isPassing = isTaken
      ? port === undefined
      : /pre-existing shared memory block/.test(started);
    if (isPassing && Date.now() < deadline) continue;
    if (isTaken) {
      throw new EmbeddedPostgresError(
        `Postgres did not start, because another process listens on 127.0.0.1:${on}. End that process, or restart the service, which then takes another port; see ${logFile}`,
      );
    }
    throw new EmbeddedPostgresError(
      `Postgres did not start: ${started}; see ${logFile}, or set DATA_DIR to another folder`,
    );
  }
}

/** The server, or in one line why it did not start. */
async function tryLaunch(
  binaries: Binaries,
  place: Place,
  { durable, port }: { readonly durable: boolean; readonly port: number },
  logFile: string,
  deadline: number,
): Promise<Server | string> {
  await disownStale(place.cluster);
  const program = binaries.postgres;
  // A file instead of a pipe to us, since the server may outlive us.
  const log = await open(logFile, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
  try {
    if ((await log.stat()).size > LOG_MAX_BYTES) await log.truncate();
    const { size } = await log.stat();
    // When root serves an ordinary user's cluster, the log has to stay that user's.
    if (place.as !== null) await log.chown(place.as.uid, place.as.gid);
    const child = spawn(
      program,
      [
        ...['-D', place.cluster, '-p', String(port)],
        ...settings(durable).flatMap((setting) => ['-c', setting]),
      ],
      {
        ...credentials(place.as),
        cwd: '/',
        env: CHILD_ENVIRONMENT,
        stdio: ['ignore', log.fd, log.fd],
        // A separate process group: Ctrl-C in a terminal signals our whole group, and would stop the database while we
        // still drain.
        detached: true,
      },
    );
    // It neither keeps us alive nor stops when we end.
    child.unref();
    const outcome: { ended: string | null } = { ended: null };
    child.on('error', (error) => {
      outcome.ended = error.message;
    });
    child.on('exit', (code, signal) => {
      outcome.ended = `it exited with ${code ?? signal}`;
    });
    for (; ; await delay(POLL_MS)) {
      if (outcome.ended !== null) return reasonIn((await textFrom(logFile, size)) || outcome.ended);
      const file = await readPidFile(place.cluster);
      if (child.pid !== undefined && file?.pid === child.pid && file.status === 'ready') {
        const { startedAt } = await sight(child.pid);
        return { pid: child.pid, startedAt, port, program };
      }
      if (Date.now() > deadline) {
        child.kill('SIGQUIT');
        return `it was not ready within ${START_TIMEOUT_MS / 1000} s`;
      }
    }
  } finally {
    await log.close();
  }
}

/**
 * A killed server leaves its `postmaster.pid`. If that number has since gone to another process of the same user, or
 * the dead one is a zombie that is never reaped (as in a container whose first process is no init), Postgres assumes a
 * live server and refuses to start. We have checked that process, so we know that it is not Postgres. Removing the file
 * would also remove Postgres' other safeguard, the shared memory noted in it. Postgres treats the number of its own
 * parent as stale, so we write our own number.
 */
async function disownStale(cluster: string): Promise<void> {
  const file = await readPidFile(cluster);
  if (file === null || (await programOf(file.pid, cluster)) !== null) return;
  const path = join(cluster, 'postmaster.pid');
  const [, ...rest] = (await readFile(path, 'utf8')).split('\n');
  await writeFile(path, [String(process.pid), ...rest].join('\n'), {
    flag: O_WRONLY | O_TRUNC | O_NOFOLLOW,
  });
}

/**
 * Stops a server, whether it is our child or not: running statements are rolled back, and all commits are on disk.
 * Returns when the process is gone.
 * @throws {EmbeddedPostgresError} when it does not end within 60 s.
 */
export async function stopServer(server: ProcessId): Promise<void> {
  const deadline = Date.now() + STOP_TIMEOUT_MS;
  if (await isRunning(server)) signal(server.pid, 'SIGINT');
  for (; await isRunning(server); await delay(POLL_MS)) {
    if (Date.now() > deadline) {
      throw new EmbeddedPostgresError(
        `the Postgres server (pid ${server.pid}) did not stop within ${STOP_TIMEOUT_MS / 1000} s; end it by hand`,
      );
    }
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    // It has just ended by itself.
    if (errnoOf(error) !== 'ESRCH') throw error;
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function textFrom(file: string, offset: number): Promise<string> {
  return (await readFile(file)).subarray(offset).toString('utf8');
}
