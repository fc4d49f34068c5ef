import type { Logger } from 'pino';
import type { Metrics } from '../metrics.ts';
import { ConnectionShares } from './connection-shares.ts';
import { addressOf, hostsIn } from './hosts.ts';
import { createPool } from './pool.ts';
import { PrimaryPosition } from './position.ts';
import { Replica } from './replica.ts';
import { ReplicaReads, type TenantReads } from './replica-reads.ts';
import type { TenantDatabase } from './tenant-database.ts';

export interface ReplicaConnections {
  /** The primary, which is asked for its position. */
  readonly databaseUrl: string;
  /** Serves the reads that no replica can. */
  readonly tenants: TenantDatabase;
  /** Connections to each replica for reads, which tenants share. */
  readonly connections: number;
  /** Statement timeout of a read. */
  readonly timeoutMs: number;
  /** The longest that a request waits for a connection to the primary; half of it for one to a replica. */
  readonly databaseTimeoutMs: number;
  readonly metrics: Metrics;
  readonly log: Logger;
}

/** For the regular check of a replica, which would otherwise wait for slow reads, and find it unreachable. */
const CHECK_CONNECTIONS = 1;

/**
 * Connects to the replicas that a URL names.
 * @returns null without a URL: nothing is connected, and nothing is asked.
 */
export function readsFrom(
  replicaUrl: string | null,
  options: ReplicaConnections,
): { readonly reads: TenantReads; close(): Promise<void> } | null {
  if (replicaUrl === null) return null;
  const { databaseUrl, tenants, metrics, log, connections, timeoutMs, databaseTimeoutMs } = options;
  const onError = (err: Error) => log.warn({ err }, 'A database connection failed');
  const connectWithinMs = databaseTimeoutMs / 2;
  const position = createPool({
    url: databaseUrl,
    name: 'cspm position',
    maxConnections: 1,
    statementTimeoutMs: timeoutMs,
    connectWithinMs,
    onError,
  });
  const replicas = hostsIn(replicaUrl).urls.map((url) => {
    const pool = createPool({
      ...{ url, name: 'cspm replica', connectWithinMs, onError },
      maxConnections: connections + CHECK_CONNECTIONS,
      statementTimeoutMs: timeoutMs,
    });
    const shares = new ConnectionShares({ connections });
    metrics.watchPool(`replica ${addressOf(url)}`, pool, () => shares.waiting);
    return new Replica({ address: addressOf(url), pool, shares });
  });
  metrics.watchReplicas(replicas);
  const reads = new ReplicaReads({
    ...{ primary: tenants, position: new PrimaryPosition(position), replicas, log },
    count: (outcome) => metrics.replicaRead(outcome),
  });
  return {
    reads,
    close: async () => {
      await reads.stop();
      await Promise.all([position.end(), ...replicas.map(({ pool }) => pool.end())]);
    },
  };
}
