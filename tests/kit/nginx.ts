import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEBIAN_PATH, isInstalled } from './debian-program.ts';
import { freePort } from './free-port.ts';
import { until } from './until.ts';

const CONFIGURATION = new URL('../../deploy/nginx.conf', import.meta.url);

/** The folder where nginx would buffer bodies that it does not stream. */
const TEMPORARY = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];

/** Whether nginx is installed. */
export function hasNginx(): boolean {
  return isInstalled('nginx', '-v');
}

/** A real nginx with deploy/nginx.conf in front of test servers. */
export class TestNginx {
  readonly url: string;
  readonly #folder: string;
  readonly #child: ChildProcess;
  #output = '';

  private constructor(folder: string, port: number) {
    this.url = `http://127.0.0.1:${port}`;
    this.#folder = folder;
    this.#child = spawn('nginx', argumentsFor(folder), { env: { PATH: DEBIAN_PATH } });
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#output += text;
    });
  }

  /**
   * @param loadBalancer its address, if one stands in front: the lines of the configuration for this case are enabled
   * @throws {Error} with the output of `nginx -t` if the configuration is invalid.
   */
  static async start(
    servers: readonly [string, string],
    loadBalancer: string | null = null,
  ): Promise<TestNginx> {
    const folder = await mkdtemp(join(tmpdir(), 'cspm-nginx-'));
    // Started by root, its workers run as another user.
    await chmod(folder, 0o755);
    const port = await freePort();
    await mkdir(join(folder, 'temporary'));
    const text = await configuration(folder, port, servers, loadBalancer);
    await writeFile(join(folder, 'nginx.conf'), text);
    execFileSync('nginx', ['-t', ...argumentsFor(folder)], {
      env: { PATH: DEBIAN_PATH },
      stdio: 'pipe',
    });
    const nginx = new TestNginx(folder, port);
    await until('nginx to listen', async () => {
      if (nginx.#child.exitCode !== null) throw new Error(`nginx has ended:\n${nginx.#output}`);
      const socket = connect(port, '127.0.0.1');
      const isOpen = await Promise.race([
        once(socket, 'connect').then(() => true),
        once(socket, 'error').then(() => false),
      ]).catch(() => false);
      socket.destroy();
      return isOpen;
    });
    return nginx;
  }

  /** The lines of its error log. */
  get errors(): string {
    return this.#output;
  }

  /** The files in which it buffers bodies. */
  async kept(): Promise<string[]> {
    const entries = await readdir(join(this.#folder, 'temporary'), {
      recursive: true,
      withFileTypes: true,
    });
    return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode === null) {
      const gone = once(this.#child, 'exit');
      this.#child.kill('SIGTERM');
      await gone;
    }
    await rm(this.#folder, { recursive: true, force: true });
  }
}

function argumentsFor(folder: string): string[] {
  const apart = `daemon off; pid ${folder}/nginx.pid; error_log stderr warn;`;
  return ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', 'stderr', '-g', apart];
}

/**
 * The deployed configuration with local addresses, port and folders. Dynamic name resolution (`resolve`) needs nginx
 * 1.27.3 and Docker's resolver; neither is available here, so addresses replace the names.
 */
async function configuration(
  folder: string,
  port: number,
  servers: readonly [string, string],
  loadBalancer: string | null,
): Promise<string> {
  const temporary = TEMPORARY.map((what) => `${what}_temp_path ${folder}/temporary/${what};`).join(
    ' ',
  );
  const changes: readonly (readonly [string, string])[] = [
    ['resolver 127.0.0.11 valid=5s;', temporary],
    ['server-1:3000 resolve', new URL(servers[0]).host],
    ['server-2:3000 resolve', new URL(servers[1]).host],
    ['listen 8080;', `listen 127.0.0.1:${port};`],
    ...(loadBalancer === null ? [] : behind(loadBalancer)),
  ];
  let text = await readFile(CONFIGURATION, 'utf8');
  for (const [from, to] of changes) {
    if (text.split(from).length !== 2)
      throw new Error(`deploy/nginx.conf has no «${from}», or several`);
    text = text.replace(from, to);
  }
  return text;
}

function behind(loadBalancer: string): [string, string][] {
  return [
    ['# set_real_ip_from 10.0.0.0/16;', `set_real_ip_from ${loadBalancer};`],
    ['# real_ip_header X-Forwarded-For;', 'real_ip_header X-Forwarded-For;'],
    ['# real_ip_recursive on;', 'real_ip_recursive on;'],
  ];
}
