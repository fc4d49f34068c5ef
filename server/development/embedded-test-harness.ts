import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import type { EmbeddedPostgres } from './embedded.ts';
import { credentials, type OsUser } from './embedded-process.ts';
import { runningServer, type Server, stopServer } from './embedded-server.ts';
import type { TestProcessOptions } from './embedded-test-process.ts';

const PROGRAM = fileURLToPath(new URL('embedded-test-process.ts', import.meta.url));
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const DEADLINE_MS = 90_000;

/** A new folder for one test, removed after it. The account that runs Postgres can access it, as with DATA_DIR. */
export async function scratchFolder(owner: OsUser | null = null): Promise<string> {
  const folder = await newFolder();
  onTestFinished(() => removeFolder(folder));
  if (owner !== null) await chown(folder, owner.uid, owner.gid);
  return folder;
}

/** One folder, and so one cluster, for all tests of a `describe`. */
export function sharedFolder(): () => string {
  let folder = '';
  beforeAll(async () => {
    folder = await newFolder();
  });
  afterAll(() => removeFolder(folder));
  return () => folder;
}

async function newFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'cspm-embedded-')));
  await chmod(folder, 0o711);
  return folder;
}

async function removeFolder(folder: string): Promise<void> {
  const cluster = await realpath(join(folder, 'cluster')).catch(() => null);
  const server = cluster === null ? null : await runningServer(cluster);
  if (server !== null) await stopServer(server);
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** The server on the cluster in a folder, which must exist. */
export async function serverIn(folder: string): Promise<Server> {
  const server = await runningServer(await realpath(join(folder, 'cluster')));
  if (server === null) throw new Error(`no server runs in ${folder}`);
  return server;
}

/**
 * Runs one statement on a separate connection.
 * @returns its rows
 */
export async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Polls until the answer is neither null nor false. */
export async function until<T>(what: string, ask: () => Promise<T | null | false>): Promise<T> {
  for (const deadline = Date.now() + DEADLINE_MS; Date.now() < deadline; await delay(10)) {
    const answer = await ask();
    if (answer !== null && answer !== false) return answer;
  }
  throw new Error(`not within ${DEADLINE_MS} ms: ${what}`);
}

export interface TestProcess {
  readonly pid: number;
  /** Waits for the first line of its output with that prefix. */
  line(start: string): Promise<string>;
  /** The result of startEmbedded in that process. */
  started(): Promise<EmbeddedPostgres>;
  /** Sends SIGKILL, as the kernel does when memory is short; returns when the process is gone. */
  kill(): Promise<void>;
  exited(): Promise<void>;
}

/** Another Node process that serves the given folder, in its own process group; killed after the test at the latest. */
export function startProcess(options: TestProcessOptions, as: OsUser | null = null): TestProcess {
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', PROGRAM, JSON.stringify({ durable: false, ...options })],
    {
      ...credentials(as),
      cwd: ROOT,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString('utf8');
  });
  child.stderr.on('data', (chunk: Buffer) => {
    output += chunk.toString('utf8');
  });
  const hasExited = (): boolean => child.exitCode !== null || child.signalCode !== null;
  const line = (start: string): Promise<string> =>
    until(`"${start}" in the output of a test process`, async () => {
      const found = output
        .split('\n')
        .slice(0, -1)
        .find((text) => text.startsWith(start));
      if (found === undefined && hasExited()) throw new Error(`it ended first: ${output}`);
      return found ?? null;
    });
  const process_: TestProcess = {
    pid: pidOf(child),
    line,
    started: async () => JSON.parse((await line('started ')).slice('started '.length)),
    kill: async () => {
      if (hasExited()) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
    exited: () => until('the end of a test process', async () => hasExited()).then(() => undefined),
  };
  onTestFinished(() => process_.kill());
  return process_;
}

function pidOf(child: ChildProcess): number {
  if (child.pid === undefined) throw new Error('a test process did not start');
  return child.pid;
}
