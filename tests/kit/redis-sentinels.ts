import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import {
  asArguments,
  COMMON,
  GONE_AFTER_MS,
  HOST,
  listening,
  REDIS_PASSWORD,
  RedisNode,
  type RedisOptions,
  type TlsFiles,
  tlsFiles,
  urlsOf,
} from './redis-node.ts';
import { until } from './until.ts';

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
