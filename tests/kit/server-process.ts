import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, inject } from 'vitest';
import { SERVER_NODE_OPTIONS } from '../../scripts/node-options.mjs';
import type { DatabaseUrls } from './database.ts';
import { until } from './until.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * On a slow machine a test that polls sends more than the 60 requests a minute of the default limit, and Postgres takes
 * longer than the default to accept a connection.
 */
const DATABASE_TIMEOUT_MS = '60000';
const DEFAULTS = { PORT: '0', LOG_LEVEL: 'silent', RATE_LIMIT: '1000000', DATABASE_TIMEOUT_MS };

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** The bundled server in a separate process, with the Node options of `npm start`, configured by its environment alone. */
export class ServerProcess {
  readonly #child: ChildProcess;
  readonly #ended: Promise<Ended>;
  /** Its output on both channels. */
  output = '';
  standardOutput = '';

  constructor(main: string, environment: Readonly<Record<string, string>>) {
    this.#child = spawn(process.execPath, [...SERVER_NODE_OPTIONS, main], {
      cwd: ROOT,
      env: { ...DEFAULTS, PATH: process.env['PATH'] ?? '', ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.output += text;
      });
    }
    this.#child.stdout?.on('data', (text: string) => {
      this.standardOutput += text;
    });
    this.#ended = once(this.#child, 'close').then(([code, signal]) => ({ code, signal }));
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get #isOver(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /**
   * Waits for the first matching line.
   * @throws {Error} with its whole output if it ends before.
   */
  async line(pattern: RegExp, withinMs?: number): Promise<string> {
    return until(
      `a line like ${pattern}`,
      async () => {
        const over = this.#isOver;
        const line = this.output.split('\n').find((text) => pattern.test(text));
        if (line === undefined && over) throw new Error(`The process has ended:\n${this.output}`);
        return line;
      },
      withinMs,
    );
  }

  /** Waits for its URL. */
  async url(withinMs?: number): Promise<string> {
    return /http:\/\/\S+/.exec(await this.line(/Serving on/, withinMs))?.[0] ?? '';
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  async kill(): Promise<void> {
    if (!this.#isOver) this.signal('SIGKILL');
    await this.#ended;
  }

  ended(): Promise<Ended> {
    return this.#ended;
  }
}

/** The environment of a server on a test database. */
export function onDatabase(urls: DatabaseUrls): Record<string, string> {
  return {
    DATABASE_URL: urls.ownerUrl,
    DATABASE_APP_URL: urls.appUrl,
    DATABASE_WORKER_URL: urls.workerUrl,
  };
}

/** The environment of an operator's command on a test database. */
export function forOperator(urls: DatabaseUrls): Record<string, string> {
  return { ...onDatabase(urls), DATABASE_TIMEOUT_MS };
}

/** The folder of the server that was bundled at the start of the test run. */
export function bundled(): string {
  return inject('programs');
}

/** Starts the bundled server; it is killed after each test if it still runs. */
export function serverProcesses(): (
  environment: Readonly<Record<string, string>>,
) => ServerProcess {
  const started: ServerProcess[] = [];
  const folder = bundled();
  afterEach(async () => {
    for (const server of started.splice(0)) await server.kill();
  });
  return (environment) => {
    const server = new ServerProcess(join(folder, 'main.mjs'), environment);
    started.push(server);
    return server;
  };
}
