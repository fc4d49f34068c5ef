import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import {
  asArguments,
  COMMON,
  GONE_AFTER_MS,
  listening,
  RedisNode,
  type RedisOptions,
  type TlsFiles,
  tlsFiles,
  urlsOf,
} from './redis-node.ts';
import { until } from './until.ts';

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
