import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { startEmbedded } from '../../server/development/embedded.ts';
import {
  type Binaries,
  installedBinaries,
  prepareBinaries,
} from '../../server/development/embedded-binaries.ts';
import { osUserForPostgres } from '../../server/development/embedded-os-user.ts';
import {
  CHILD_ENVIRONMENT,
  credentials,
  type OsUser,
} from '../../server/development/embedded-process.ts';
import type { DatabaseUrls } from '../kit/database.ts';
import { freePort } from '../kit/free-port.ts';
import { until } from '../kit/until.ts';

const ROLES = ['ownerUrl', 'appUrl', 'workerUrl'] as const;
/** After a crash, Postgres replays its WAL. */
const START_WITHIN_MS = 60_000;

/** A Postgres that is stopped in every possible way and restarted on its port with its data, with fsync on. */
export class RestartablePostgres {
  readonly urls: DatabaseUrls;
  readonly #folder: string;
  readonly #cluster: string;
  readonly #binaries: Binaries;
  readonly #user: OsUser | null;
  readonly #port: number;
  #child: ChildProcess | null = null;

  private constructor(
    urls: DatabaseUrls,
    folder: string,
    cluster: string,
    binaries: Binaries,
    user: OsUser | null,
    port: number,
  ) {
    this.urls = urls;
    this.#folder = folder;
    this.#cluster = cluster;
    this.#binaries = binaries;
    this.#user = user;
    this.#port = port;
  }

  /** Creates an empty cluster and starts it. */
  static async make(): Promise<RestartablePostgres> {
    const folder = await mkdtemp(join(tmpdir(), 'cspm-chaos-'));
    if (process.geteuid?.() === 0) await chmod(folder, 0o711);
    const made = await startEmbedded({ directory: folder });
    await made.stop();
    const port = await freePort();
    const [ownerUrl = '', appUrl = '', workerUrl = ''] = ROLES.map(
      (role) => Object.assign(new URL(made[role]), { port: String(port) }).href,
    );
    const user = await osUserForPostgres(() => undefined);
    const binaries = await prepareBinaries(installedBinaries(), made.directory, user);
    const cluster = join(made.directory, 'cluster');
    const urls = { ownerUrl, appUrl, workerUrl };
    const postgres = new RestartablePostgres(urls, folder, cluster, binaries, user, port);
    await postgres.start();
    return postgres;
  }

  /** Returns once it accepts connections. */
  async start(): Promise<void> {
    for (const deadline = Date.now() + START_WITHIN_MS; ; await delay(50)) {
      // Backends of a killed server may still be ending, and Postgres waits for the last of them.
      if (this.#child === null || isOver(this.#child)) await this.#launch();
      if (await this.#takesConnections()) return;
      if (Date.now() > deadline) throw new Error(`Postgres did not start; see ${this.#folder}/log`);
    }
  }

  /** Ends running transactions, as `pg_ctl restart` does by default. */
  async stop(): Promise<void> {
    await this.#end('SIGINT');
  }

  /** Kills Postgres as the kernel does when memory runs out, or as a power failure does. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  /** Kills one backend; Postgres then ends all others and recovers. */
  async killBackend(): Promise<void> {
    const client = await until(
      'a connection',
      () => this.#connect().catch(() => null),
      START_WITHIN_MS,
    );
    const { rows } = await client.query<{ pid: number }>(
      "SELECT pid FROM pg_stat_activity WHERE application_name LIKE 'cspm%' ORDER BY random() LIMIT 1",
    );
    const [backend] = rows;
    if (backend !== undefined) process.kill(backend.pid, 'SIGKILL');
    // Our own connection is ended too.
    client.end().catch(() => undefined);
  }

  async remove(): Promise<void> {
    await this.stop();
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }

  async #launch(): Promise<void> {
    const log = await open(join(this.#folder, 'log'), 'a', 0o600);
    const settings = [
      'listen_addresses=127.0.0.1',
      'unix_socket_directories=',
      'max_connections=200',
      'jit=off',
      'timezone=UTC',
    ];
    this.#child = spawn(
      this.#binaries.postgres,
      [
        ...['-D', this.#cluster, '-p', String(this.#port)],
        ...settings.flatMap((setting) => ['-c', setting]),
      ],
      {
        ...credentials(this.#user),
        cwd: '/',
        env: CHILD_ENVIRONMENT,
        stdio: ['ignore', log.fd, log.fd],
        detached: true,
      },
    );
    await log.close();
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    if (child === null || isOver(child)) return;
    const gone = once(child, 'exit');
    child.kill(signal);
    await gone;
  }

  async #takesConnections(): Promise<boolean> {
    try {
      await (await this.#connect()).end();
      return true;
    } catch {
      return false;
    }
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: this.urls.appUrl,
      connectionTimeoutMillis: 2_000,
    });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  }
}

function isOver(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}
