import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEBIAN_PATH, isInstalled } from './debian-program.ts';
import { freePort } from './free-port.ts';
import { until } from './until.ts';

/** Whether PgBouncer is installed. */
export function hasPgBouncer(): boolean {
  return isInstalled('pgbouncer');
}

/** A real PgBouncer in session mode with its defaults, in front of one database. */
export class PgBouncer {
  readonly #port: number;
  readonly #folder: string;
  readonly #child: ChildProcess;
  #output = '';

  private constructor(port: number, folder: string) {
    this.#port = port;
    this.#folder = folder;
    // It refuses to run as root.
    const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
    this.#child = spawn('pgbouncer', [...user, join(folder, 'pgbouncer.ini')], {
      env: { PATH: DEBIAN_PATH },
    });
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#output += text;
    });
  }

  /** @param urls of roles of one database, with their passwords. */
  static async start(urls: readonly string[]): Promise<PgBouncer> {
    const folder = await mkdtemp(join(tmpdir(), 'cspm-pgbouncer-'));
    await chmod(folder, 0o755);
    const port = await freePort();
    const [{ hostname, port: postgres, pathname }] = urls.map((url) => new URL(url)) as [URL];
    const users = urls.map((url) => new URL(url));
    await writeFile(
      join(folder, 'users.txt'),
      users.map((one) => `"${one.username}" "${decodeURIComponent(one.password)}"\n`).join(''),
    );
    await writeFile(
      join(folder, 'pgbouncer.ini'),
      `[databases]
${pathname.slice(1)} = host=${hostname} port=${postgres}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = plain
auth_file = ${join(folder, 'users.txt')}
pool_mode = session
`,
    );
    const pooler = new PgBouncer(port, folder);
    await until('PgBouncer', async () => {
      if (pooler.#child.exitCode !== null) throw new Error(`PgBouncer ended:\n${pooler.#output}`);
      return pooler.#output.includes('process up');
    });
    return pooler;
  }

  /** The URL through the pooler. */
  through(url: string): string {
    const pooled = new URL(url);
    pooled.host = `127.0.0.1:${this.#port}`;
    return pooled.href;
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode === null) {
      const ended = once(this.#child, 'close');
      this.#child.kill('SIGKILL');
      await ended;
    }
    await rm(this.#folder, { recursive: true, force: true });
  }
}
