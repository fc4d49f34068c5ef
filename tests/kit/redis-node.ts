import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { newCertificate } from './certificate.ts';
import { until } from './until.ts';

const run = promisify(execFile);

/** Contains characters that must be percent-encoded in a URL. */
export const REDIS_PASSWORD = 'a:pass%word';

export interface RedisOptions {
  /** Whether all connections are encrypted, with a certificate that only `caFile` vouches for. Default false. */
  readonly tls?: boolean;
}

/** Of the output of a server, the end is kept. */
const MAX_OUTPUT_CHARACTERS = 4_000;

/** All servers listen there. */
export const HOST = '127.0.0.1';

/** The files of a certificate for servers of this machine. */
export class TlsFiles {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  get certificate(): string {
    return join(this.#folder, 'certificate.pem');
  }

  get #key(): string {
    return join(this.#folder, 'key.pem');
  }

  async write(): Promise<void> {
    const { certificate, privateKey } = newCertificate({ name: 'redis', address: HOST });
    await writeFile(this.certificate, certificate);
    await writeFile(this.#key, privateKey);
  }

  /** For connections among the servers too. The settings of redis.conf, as arguments or lines. */
  get settings(): [name: string, value: string][] {
    return [
      ['tls-cert-file', this.certificate],
      ['tls-key-file', this.#key],
      ['tls-ca-cert-file', this.certificate],
      ['tls-auth-clients', 'no'],
      ['tls-replication', 'yes'],
    ];
  }
}

/** Null without encryption. */
export async function tlsFiles(
  folder: string,
  { tls = false }: RedisOptions,
): Promise<TlsFiles | null> {
  if (!tls) return null;
  const files = new TlsFiles(folder);
  await files.write();
  return files;
}

/** The settings of one server that listens there. */
export function listening(port: number, tls: TlsFiles | null): [name: string, value: string][] {
  if (tls === null) return [['port', String(port)]];
  return [['port', '0'], ['tls-port', String(port)], ...tls.settings];
}

export const asArguments = (settings: readonly [string, string][]) =>
  settings.flatMap(([name, value]) => [`--${name}`, value]);

/** For REDIS_URL. */
export function urlsOf(nodes: readonly RedisNode[], tls: TlsFiles | null): string {
  const scheme = tls === null ? 'redis' : 'rediss';
  return nodes
    .map(({ address }) => `${scheme}://:${encodeURIComponent(REDIS_PASSWORD)}@${address}`)
    .join(',');
}

/** One process of a cluster, or one that Sentinels watch. */
export class RedisNode {
  readonly port: number;
  readonly #args: readonly string[];
  readonly #folder: string;
  readonly #tls: TlsFiles | null;
  #child: ChildProcess | null = null;
  #isFrozen = false;

  constructor(port: number, folder: string, args: readonly string[], tls: TlsFiles | null) {
    this.port = port;
    this.#tls = tls;
    this.#folder = folder;
    this.#args = args;
  }

  get address(): string {
    return `${HOST}:${this.port}`;
  }

  get isRunning(): boolean {
    return this.#child !== null && !this.#isFrozen;
  }

  async start(): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
    const child = spawn('redis-server', [...this.#args], {
      cwd: this.#folder,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    this.#child = child;
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-MAX_OUTPUT_CHARACTERS);
    });
    await until(`${this.address} to answer`, async () => {
      if (child.exitCode !== null) throw new Error(`redis-server has ended:\n${output}`);
      return (await this.try('PING')) === 'PONG';
    });
  }

  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = null;
    this.#isFrozen = false;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }

  /** Keeps its connections open and answers nothing. */
  freeze(): void {
    this.#isFrozen = true;
    this.#child?.kill('SIGSTOP');
  }

  thaw(): void {
    this.#isFrozen = false;
    this.#child?.kill('SIGCONT');
  }

  /** The output of redis-cli. */
  async cli(...command: readonly string[]): Promise<string> {
    const tls = this.#tls === null ? [] : ['--tls', '--cacert', this.#tls.certificate];
    const at = ['-h', HOST, '-p', String(this.port), ...tls];
    const { stdout } = await run('redis-cli', [...at, '--raw', ...command], {
      env: { ...process.env, REDISCLI_AUTH: REDIS_PASSWORD },
    });
    return stdout.trim();
  }

  /** The same; null if it does not answer. */
  async try(...command: readonly string[]): Promise<string | null> {
    if (!this.isRunning) return null;
    return this.cli(...command).catch(() => null);
  }
}

/** Arguments of every server that holds counts. */
export const COMMON = [
  ...['--bind', HOST, '--save', '', '--appendonly', 'no'],
  ...['--requirepass', REDIS_PASSWORD, '--masterauth', REDIS_PASSWORD],
];

/** Long enough that a busy machine does not look like a server that is gone. */
export const GONE_AFTER_MS = 5_000;
