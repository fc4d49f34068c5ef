import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { newCertificate } from './certificate.ts';
import { freePort } from './redis.ts';
import { until } from './until.ts';

const run = promisify(execFile);

/** Contains characters that must be percent-encoded in a URL. */
export const REDIS_PASSWORD = 'a:pass%word';

export interface RedisOptions {
  /** Whether all connections are encrypted, with a certificate that only `caFile` vouches for. Default false. */
  readonly tls?: boolean;
}

const HOST = '127.0.0.1';

/** The files of a certificate for servers of this machine. */
class TlsFiles {
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

async function tlsFiles(folder: string, { tls = false }: RedisOptions): Promise<TlsFiles | null> {
  if (!tls) return null;
  const files = new TlsFiles(folder);
  await files.write();
  return files;
}

/** The settings of one server that listens there. */
function listening(port: number, tls: TlsFiles | null): [name: string, value: string][] {
  if (tls === null) return [['port', String(port)]];
  return [['port', '0'], ['tls-port', String(port)], ...tls.settings];
}

const asArguments = (settings: readonly [string, string][]) =>
  settings.flatMap(([name, value]) => [`--${name}`, value]);

/** For REDIS_URL. */
function urlsOf(nodes: readonly RedisNode[], tls: TlsFiles | null): string {
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
    this.#child = spawn('redis-server', [...this.#args], {
      cwd: this.#folder,
      stdio: 'ignore',
    });
    await until(`${this.address} to answer`, async () => (await this.try('PING')) === 'PONG');
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

const COMMON = [
  ...['--bind', HOST, '--save', '', '--appendonly', 'no'],
  ...['--requirepass', REDIS_PASSWORD, '--masterauth', REDIS_PASSWORD],
];

/** Long enough that a busy machine does not look like a server that is gone. */
const GONE_AFTER_MS = 5_000;

/** Three masters, each with a replica. */
export class TestRedisCluster {
  readonly nodes: readonly RedisNode[];
  readonly #folder: string;
  readonly #tls: TlsFiles | null;

  private constructor(nodes: readonly RedisNode[], folder: string, tls: TlsFiles | null) {
    this.nodes = nodes;
    this.#folder = folder;
    this.#tls = tls;
  }

  static async start(options: RedisOptions = {}): Promise<TestRedisCluster> {
    const folder = await mkdtemp(join(tmpdir(), 'cspm-redis-cluster-'));
    const tls = await tlsFiles(folder, options);
    const nodes: RedisNode[] = [];
    for (let made = 0; made < 6; made += 1) {
      const [port, bus] = [await freePort(), await freePort()];
      const args = [
        ...asArguments(listening(port, tls)),
        ...['--cluster-enabled', 'yes', '--cluster-port', String(bus)],
        ...(tls === null ? [] : ['--tls-cluster', 'yes']),
        ...['--cluster-node-timeout', String(GONE_AFTER_MS)],
        // The clients of other masters are counted while one is gone.
        ...['--cluster-require-full-coverage', 'no', '--cluster-replica-validity-factor', '0'],
      ];
      nodes.push(new RedisNode(port, join(folder, String(made)), [...args, ...COMMON], tls));
    }
    const cluster = new TestRedisCluster(nodes, folder, tls);
    try {
      await Promise.all(nodes.map((node) => node.start()));
      const addresses = nodes.map(({ address }) => address);
      const options = ['--cluster-replicas', '1', '--cluster-yes'];
      await nodes[0]?.cli('--cluster', 'create', ...addresses, ...options);
      await cluster.settled();
      return cluster;
    } catch (error) {
      await cluster.remove();
      throw error;
    }
  }

  /** For REDIS_URL: three of the six, as an operator would name them. */
  get url(): string {
    return urlsOf(this.nodes.slice(0, 3), this.#tls);
  }

  /** The certificate that clients have to trust; null without encryption. */
  get caFile(): string | null {
    return this.#tls?.certificate ?? null;
  }

  /** The master of a slot, as the servers that answer see it. */
  async masterOf(slot: number): Promise<RedisNode> {
    return until(`a master of slot ${slot}`, async () => {
      for (const node of this.nodes) {
        const lines = (await node.try('CLUSTER', 'NODES'))?.split('\n') ?? [];
        const line = lines.find((each) => serves(each, slot));
        const port = Number(/^\S+ [^:]+:(\d+)@/.exec(line ?? '')?.[1]);
        const master = this.nodes.find((each) => each.port === port);
        if (master !== undefined) return master;
      }
      return null;
    });
  }

  /** Waits until all running servers agree that all slots are served, and each master has a replica that follows it. */
  async settled(): Promise<void> {
    const running = this.nodes.filter(({ isRunning }) => isRunning);
    await until('the cluster to be whole', async () => {
      const states = await Promise.all(
        running.map(async (node) => {
          const info = (await node.try('CLUSTER', 'INFO')) ?? '';
          const role = (await node.try('INFO', 'replication')) ?? '';
          return (
            /cluster_state:ok/.test(info) &&
            /cluster_slots_ok:16384/.test(info) &&
            (/role:master/.test(role) || /master_link_status:up/.test(role))
          );
        }),
      );
      return states.every(Boolean);
    });
  }

  /** Moves slots from one master to another while clients ask. */
  async moveSlots(from: RedisNode, to: RedisNode, count: number): Promise<void> {
    const [source, target] = await Promise.all([
      from.cli('CLUSTER', 'MYID'),
      to.cli('CLUSTER', 'MYID'),
    ]);
    await from.cli(
      ...['--cluster', 'reshard', from.address, '--cluster-from', source, '--cluster-to', target],
      ...['--cluster-slots', String(count), '--cluster-yes'],
    );
  }

  /** What every master has counted, with the rest of the window in ms. */
  async counters(): Promise<
    { readonly key: string; readonly count: number; readonly ms: number }[]
  > {
    const found: { key: string; count: number; ms: number }[] = [];
    for (const node of this.nodes.filter(({ isRunning }) => isRunning)) {
      if (!((await node.try('INFO', 'replication')) ?? '').includes('role:master')) continue;
      const keys = ((await node.try('KEYS', 'cspm:limit:*')) ?? '').split('\n').filter(Boolean);
      for (const key of keys) {
        const ms = Number(await node.cli('PTTL', key));
        const count = Number(await node.cli('GET', key));
        // It ended in between.
        if (ms !== -2) found.push({ key, count, ms });
      }
    }
    return found;
  }

  async remove(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.kill()));
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Whether a line of CLUSTER NODES is that of the master of a slot. */
function serves(line: string, slot: number): boolean {
  const [, , flags = '', , , , , , ...ranges] = line.split(' ');
  if (!flags.includes('master') || flags.includes('fail')) return false;
  return ranges.some((range) => {
    const [first = Number.NaN, last = first] = range.split('-').map(Number);
    return slot >= first && slot <= last;
  });
}

/** The name of the master of `TestSentinels`. */
export const SENTINEL_MASTER = 'limits';

/** A master with a replica, watched by three Sentinels. */
export class TestSentinels {
  readonly nodes: readonly RedisNode[];
  readonly sentinels: readonly RedisNode[];
  readonly #folder: string;
  readonly #tls: TlsFiles | null;

  private constructor(
    nodes: readonly RedisNode[],
    sentinels: readonly RedisNode[],
    folder: string,
    tls: TlsFiles | null,
  ) {
    this.nodes = nodes;
    this.sentinels = sentinels;
    this.#folder = folder;
    this.#tls = tls;
  }

  static async start(options: RedisOptions = {}): Promise<TestSentinels> {
    const folder = await mkdtemp(join(tmpdir(), 'cspm-redis-sentinel-'));
    const tls = await tlsFiles(folder, options);
    const master = await freePort();
    const replica = await freePort();
    const data = (port: number, more: readonly string[] = []) =>
      new RedisNode(
        port,
        join(folder, String(port)),
        [...asArguments(listening(port, tls)), ...COMMON, ...more],
        tls,
      );
    const nodes = [data(master), data(replica, ['--replicaof', `${HOST} ${master}`])];
    const sentinels: RedisNode[] = [];
    for (let made = 0; made < 3; made += 1) {
      const port = await freePort();
      const file = join(folder, `sentinel-${made}.conf`);
      await writeFile(
        file,
        [
          ...listening(port, tls).map((setting) => setting.join(' ')),
          `bind ${HOST}`,
          `requirepass "${REDIS_PASSWORD}"`,
          `sentinel sentinel-pass "${REDIS_PASSWORD}"`,
          `sentinel monitor ${SENTINEL_MASTER} ${HOST} ${master} 2`,
          `sentinel auth-pass ${SENTINEL_MASTER} "${REDIS_PASSWORD}"`,
          `sentinel down-after-milliseconds ${SENTINEL_MASTER} ${GONE_AFTER_MS}`,
          `sentinel failover-timeout ${SENTINEL_MASTER} 10000`,
        ].join('\n'),
      );
      // The program `redis-sentinel` is the same one in a package of its own, which need not be installed.
      sentinels.push(new RedisNode(port, folder, [file, '--sentinel'], tls));
    }
    const all = new TestSentinels(nodes, sentinels, folder, tls);
    try {
      for (const node of [...nodes, ...sentinels]) await node.start();
      await all.settled();
      return all;
    } catch (error) {
      await all.remove();
      throw error;
    }
  }

  /** For REDIS_URL: the Sentinels, with the credentials of the servers that they watch. */
  get url(): string {
    return urlsOf(this.sentinels, this.#tls);
  }

  /** The certificate that clients have to trust; null without encryption. */
  get caFile(): string | null {
    return this.#tls?.certificate ?? null;
  }

  /** The present master, according to a Sentinel that answers. */
  async master(): Promise<RedisNode> {
    return until('a master', async () => {
      for (const sentinel of this.sentinels) {
        const answer = await sentinel.try('SENTINEL', 'get-master-addr-by-name', SENTINEL_MASTER);
        const port = Number(answer?.split('\n')[1]);
        const node = this.nodes.find((each) => each.port === port);
        if (node !== undefined) return node;
      }
      return null;
    });
  }

  /** Waits until the Sentinels know each other and the replica, and it follows the master. */
  async settled(): Promise<void> {
    await until('the Sentinels to agree', async () => {
      const known = await Promise.all(
        this.sentinels.map(async (sentinel) => {
          const lines = (await sentinel.try('SENTINEL', 'master', SENTINEL_MASTER))?.split('\n');
          const field = (name: string) => lines?.[lines.indexOf(name) + 1];
          return (
            field('flags') === 'master' &&
            field('num-other-sentinels') === '2' &&
            field('num-slaves') === '1'
          );
        }),
      );
      const roles = await Promise.all(this.nodes.map((node) => node.try('INFO', 'replication')));
      return (
        known.every(Boolean) &&
        roles.some((role) => role?.includes('master_link_status:up') === true)
      );
    });
  }

  async remove(): Promise<void> {
    await Promise.all([...this.sentinels, ...this.nodes].map((node) => node.kill()));
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
