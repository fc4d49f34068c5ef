import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from '../kit/until.ts';
import { UnsuitableMachineError } from './checks.ts';
import { command, succeeds } from './commands.ts';

const GIVE_UP_MS = 120_000;

/** A Docker daemon with its own folders, for one run. It sees only the network namespace that it is started in. */
export class Docker {
  readonly #host: string;
  readonly #stop: () => Promise<void>;

  private constructor(host: string, stop: () => Promise<void>) {
    this.#host = host;
    this.#stop = stop;
  }

  /** @throws {UnsuitableMachineError} with its log if it does not answer. */
  static async start(folder: string): Promise<Docker> {
    const log = join(folder, 'dockerd.log');
    const host = `unix://${join(folder, 'docker.sock')}`;
    const daemon = spawn('dockerd', [
      ...['--host', host, '--pidfile', join(folder, 'docker.pid')],
      ...['--data-root', join(folder, 'docker'), '--exec-root', join(folder, 'exec')],
      // Lowering it needs a right that root in a container does not have.
      ...['--oom-score-adjust', '0'],
    ]);
    const output = createWriteStream(log);
    daemon.stdout.pipe(output, { end: false });
    daemon.stderr.pipe(output, { end: false });
    const docker = new Docker(host, async () => {
      if (daemon.exitCode !== null) return;
      const gone = once(daemon, 'exit');
      daemon.kill('SIGTERM');
      await gone;
    });
    try {
      await until('dockerd to answer', () => docker.answers(daemon.exitCode), GIVE_UP_MS);
    } catch (error) {
      const end = (await readFile(log, 'utf8')).slice(-4_000);
      throw new UnsuitableMachineError(`${error}\n${end}`);
    }
    return docker;
  }

  /** @throws {Error} when the daemon has ended. */
  private async answers(exitCode: number | null): Promise<boolean> {
    if (exitCode !== null) throw new Error(`dockerd has ended with code ${exitCode}`);
    return succeeds('docker', ['--host', this.#host, 'info']);
  }

  /** The standard output of `docker <args>`. */
  async run(...args: string[]): Promise<string> {
    return (await command('docker', ['--host', this.#host, ...args])).trim();
  }

  /** Whether `docker <args>` ends with code 0. */
  succeeds(...args: string[]): Promise<boolean> {
    return succeeds('docker', ['--host', this.#host, ...args]);
  }

  /** One value of `docker inspect`. */
  inspect(container: string, format: string): Promise<string> {
    return this.run('inspect', '--format', format, container);
  }

  compose(root: string, args: readonly string[]): Promise<string> {
    return command('docker-compose', args, { cwd: root, env: { DOCKER_HOST: this.#host } });
  }

  stop(): Promise<void> {
    return this.#stop();
  }
}
