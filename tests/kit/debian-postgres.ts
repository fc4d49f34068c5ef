import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { chown, copyFile, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { osUserForPostgres } from '../../server/development/embedded-os-user.ts';
import { type OsUser, run } from '../../server/development/embedded-process.ts';
import type { DatabaseUrls } from './database.ts';
import { freePort } from './free-port.ts';
import { until } from './until.ts';

const INSTALLED = '/usr/lib/postgresql';
const DATABASE = 'cspm';
const ROLES = ['cspm_owner', 'cspm_app', 'cspm_worker'] as const;
/** The deployed script, which the Postgres image runs once, on an empty volume. */
const ROLES_SCRIPT = new URL('../../deploy/postgres-roles.sh', import.meta.url);
/** The password of every role, with characters that a shell, SQL or a URL could misinterpret. */
const PASSWORD = `it's "$HOME" \\ %2F; :'app' / @ #`;

/** The newest Postgres of Debian's packages, with its tools; null if there is none. */
export function debianPostgres(): string | null {
  const versions = existsSync(INSTALLED) ? readdirSync(INSTALLED).sort() : [];
  const folders = versions.map((version) => join(INSTALLED, version, 'bin'));
  return folders.filter((folder) => existsSync(join(folder, 'pg_restore'))).at(-1) ?? null;
}

/** A cluster as an operator has it: another version, the roles of the documentation, its own backup tools. */
export class DebianCluster {
  readonly #bin: string;
  readonly #folder: string;
  readonly #user: OsUser | null;
  readonly #port: number;

  private constructor(bin: string, folder: string, user: OsUser | null, port: number) {
    this.#bin = bin;
    this.#folder = folder;
    this.#user = user;
    this.#port = port;
  }

  static async start(bin: string, within = tmpdir()): Promise<DebianCluster> {
    const user = await osUserForPostgres(() => undefined);
    const folder = await mkdtemp(join(within, 'cspm-debian-'));
    if (user !== null) await chown(folder, user.uid, user.gid);
    const cluster = new DebianCluster(bin, folder, user, await freePort());
    await cluster.#run('initdb', [
      ...['-D', join(folder, 'data'), '-U', 'postgres', '-N'],
      // The superuser over the socket, and all others with a password.
      ...['--auth-local=trust', '--auth-host=scram-sha-256'],
    ]);
    await cluster.start();
    await cluster.prepareDatabase(DATABASE);
    return cluster;
  }

  get urls(): DatabaseUrls {
    return this.#urlsOf(DATABASE);
  }

  /** An empty database as docs/scale.md describes. @returns the URLs of its roles */
  async prepareDatabase(name: string): Promise<DatabaseUrls> {
    await this.#run('createdb', [...this.#connection, name]);
    await this.prepareRoles(name);
    return this.#urlsOf(name);
  }

  /**
   * Dumps as docs/operations.md describes, with a role that bypasses row-level security.
   * @returns the file
   */
  async dump(): Promise<string> {
    const file = join(this.#folder, 'backup.dump');
    await this.#run('pg_dump', [...this.#connection, '-Fc', '-f', file, DATABASE]);
    return file;
  }

  /** Restores as docs/operations.md describes, on a server that still has the database. */
  async restore(file: string): Promise<void> {
    await this.#sql('postgres', `ALTER DATABASE ${DATABASE} RENAME TO ${DATABASE}_old`);
    await this.prepareDatabase(DATABASE);
    await this.#run('pg_restore', [...this.#connection, '--exit-on-error', '-d', DATABASE, file]);
    await this.sql('ANALYZE');
    await this.#run('dropdb', [...this.#connection, `${DATABASE}_old`]);
  }

  /**
   * Runs commands of the documentation as they are written there, as the operating system user of Postgres. The working
   * directory has the deployed script, and keeps files for the next commands.
   * @returns what they print
   */
  async shell(commands: string): Promise<string> {
    const script = join(this.#folder, 'deploy/postgres-roles.sh');
    await mkdir(dirname(script), { recursive: true });
    await copyFile(ROLES_SCRIPT, script);
    const environment = [
      `PATH=${this.#bin}:${process.env['PATH']}`,
      `PGHOST=${this.#folder}`,
      `PGPORT=${this.#port}`,
    ];
    const input = `set -e\ncd '${this.#folder}'\n${commands}`;
    const { ok, output } = await run('env', [...environment, 'sh', '-s'], {
      as: this.#user,
      input,
    });
    if (!ok) throw new Error(`The commands failed:\n${commands}\n${output}`);
    return output;
  }

  /** Where `shell` runs its commands. */
  get folder(): string {
    return this.#folder;
  }

  /** On its former port. After a kill, Postgres starts only when the last of its processes has ended. */
  async start(): Promise<void> {
    const options = `-p ${this.#port} -k ${this.#folder} -c listen_addresses=127.0.0.1 -c fsync=off`;
    const [data, log] = [join(this.#folder, 'data'), join(this.#folder, 'log')];
    const start = ['-D', data, '-w', '-l', log, '-o', options, 'start'];
    let failure: unknown = null;
    const isStarted = () =>
      this.#run('pg_ctl', start).then(
        () => true,
        (error: unknown) => {
          failure = error;
          return false;
        },
      );
    await until('Postgres to start', isStarted).catch((error: unknown) => {
      throw failure ?? error;
    });
  }

  /** `fast` as an operator does, with a message to each client; `immediate` like a crash. */
  async halt(how: 'fast' | 'immediate'): Promise<void> {
    await this.#run('pg_ctl', ['-D', join(this.#folder, 'data'), '-m', how, 'stop']);
  }

  /** Kills all of its processes, as when the machine is lost. */
  async kill(): Promise<void> {
    await this.#signal('SIGKILL');
  }

  /** A hot standby that streams from this cluster, on a port of its own and with the same roles. */
  async standby(name: string): Promise<DebianCluster> {
    const folder = await mkdtemp(join(tmpdir(), 'cspm-debian-'));
    if (this.#user !== null) await chown(folder, this.#user.uid, this.#user.gid);
    const source = `host=${this.#folder} port=${this.#port} user=postgres application_name=${name}`;
    const slot = ['--create-slot', '--slot', name];
    const checkpoint = ['--checkpoint=fast', '--wal-method=stream', '--no-sync'];
    await this.#run('pg_basebackup', [
      ...['-d', source, '-D', join(folder, 'data'), '--write-recovery-conf'],
      ...[...slot, ...checkpoint],
    ]);
    const standby = new DebianCluster(this.#bin, folder, this.#user, await freePort());
    await standby.start();
    return standby;
  }

  /** Makes a standby the primary. */
  async promote(): Promise<void> {
    await this.#run('pg_ctl', ['-D', join(this.#folder, 'data'), '-w', 'promote']);
  }

  /** Changes a setting that needs no restart. */
  async set(name: string, value: string): Promise<void> {
    await this.sql(`ALTER SYSTEM SET ${name} = '${value}'`);
    await this.sql('SELECT pg_reload_conf()');
  }

  /**
   * Runs a statement as the superuser.
   * @returns its rows, without a header
   */
  sql(statement: string): Promise<string> {
    return this.#sql(DATABASE, statement);
  }

  /** Suspends all of its processes: connections stay open, and nothing is answered. */
  async freeze(): Promise<void> {
    await this.#signal('SIGSTOP');
  }

  async thaw(): Promise<void> {
    await this.#signal('SIGCONT');
  }

  /** Ends all sessions of the service, also when Postgres accepts no connection. */
  async endSessions(): Promise<void> {
    await this.#signalChildren(await this.#postmaster(), 'SIGTERM', 'postgres: cspm_');
  }

  /** Also where it is frozen or was killed. */
  async stop(): Promise<void> {
    await this.thaw().catch(() => undefined);
    await this.halt('immediate').catch(() => undefined);
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** Runs the deployed script in the environment of the Postgres image. */
  async prepareRoles(database: string, password = PASSWORD): Promise<void> {
    const environment = {
      PGHOST: this.#folder,
      PGPORT: String(this.#port),
      POSTGRES_USER: 'postgres',
      POSTGRES_DB: database,
      OWNER_PASSWORD: password,
      APP_PASSWORD: password,
      WORKER_PASSWORD: password,
    };
    const assignments = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
    const input = await readFile(ROLES_SCRIPT, 'utf8');
    const made = await run('env', [...assignments, 'sh', '-s'], { as: this.#user, input });
    if (!made.ok) throw new Error(`deploy/postgres-roles.sh failed:\n${made.output}`);
  }

  /** The postmaster first, so that it starts no new processes. */
  async #signal(signal: NodeJS.Signals): Promise<void> {
    const postmaster = await this.#postmaster();
    if (signal === 'SIGKILL') process.kill(postmaster, 'SIGSTOP');
    else process.kill(postmaster, signal);
    await this.#signalChildren(postmaster, signal);
    if (signal === 'SIGKILL') process.kill(postmaster, signal);
  }

  async #postmaster(): Promise<number> {
    const text = await readFile(join(this.#folder, 'data/postmaster.pid'), 'utf8');
    return Number(text.split('\n')[0]);
  }

  async #signalChildren(postmaster: number, signal: NodeJS.Signals, title = ''): Promise<void> {
    const ps = await promisify(execFile)('ps', ['-o', 'pid=,args=', '--ppid', String(postmaster)]);
    for (const line of ps.stdout.trim().split('\n')) {
      if (!line.includes(title)) continue;
      try {
        process.kill(Number.parseInt(line, 10), signal);
      } catch {
        // It has already ended.
      }
    }
  }

  get #connection(): string[] {
    return ['-h', this.#folder, '-p', String(this.#port), '-U', 'postgres'];
  }

  #urlsOf(database: string): DatabaseUrls {
    const [ownerUrl = '', appUrl = '', workerUrl = ''] = ROLES.map(
      (role) =>
        `postgres://${role}:${encodeURIComponent(PASSWORD)}@127.0.0.1:${this.#port}/${database}`,
    );
    return { ownerUrl, appUrl, workerUrl };
  }

  async #sql(database: string, statement: string): Promise<string> {
    return this.#run('psql', [...this.#connection, '-d', database, '-qAtc', statement]);
  }

  async #run(tool: string, args: readonly string[]): Promise<string> {
    const { ok, output } = await run(join(this.#bin, tool), args, { as: this.#user });
    if (!ok) throw new Error(`${tool} failed:\n${output}`);
    return output.trim();
  }
}
