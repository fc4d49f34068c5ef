import { createHash } from 'node:crypto';
import type { RedisReply } from 'rate-limit-redis';
import { keySlot } from './redis-key-slot.ts';
import { type RedisSettings, redisAccess, redisAddresses } from './redis-settings.ts';

const CONNECT_WITHIN_MS = 1_000;
const LONGEST_RECONNECT_MS = 1_000;
/** A connection that is silent for so long is closed. A ping is sent a third of that time after the last one. */
const SILENCE_MS = 3_000;
/** After a connection was lost, a cluster is asked this often which servers it has now. */
const REFRESH_AFTER_MS = 500;
/** Sentinels announce a new master; this is for an announcement that was lost. */
const SENTINEL_SCAN_MS = 10_000;

export interface RedisEvents {
  onReady(): void;
  onError(error: unknown): void;
}

/** A client for the servers of one Redis. */
export interface RedisServers {
  /**
   * Connects, and keeps trying until it is closed.
   * @throws {Error} if it gives up; then another client has to be made.
   */
  connect(): Promise<unknown>;
  /** The server that counts this key now. Null: none is connected. */
  serverOf(key: string): string | null;
  send(key: string | undefined, command: string[]): Promise<RedisReply>;
  close(): void;
}

/** Imported lazily: loading the library takes a tenth of the start time. */
export async function redisServers(
  settings: RedisSettings,
  answerWithinMs: number,
  events: RedisEvents,
): Promise<RedisServers> {
  if (settings.mode === 'cluster') return clusterServers(settings, answerWithinMs, events);
  if (settings.mode === 'sentinel') return sentinelServers(settings, answerWithinMs, events);
  return singleServer(settings, events);
}

const reconnectStrategy = (retries: number) => Math.min(50 * 2 ** retries, LONGEST_RECONNECT_MS);

async function singleServer({ url }: RedisSettings, events: RedisEvents): Promise<RedisServers> {
  const { createClient } = await import('./redis-client.ts');
  const client = createClient({
    url,
    // While disconnected, commands fail immediately instead of waiting.
    disableOfflineQueue: true,
    socket: { connectTimeout: CONNECT_WITHIN_MS, reconnectStrategy },
  });
  // Without a listener, a connection error would end the process.
  client.on('error', (error: unknown) => events.onError(error));
  client.on('ready', () => events.onReady());
  return {
    connect: () => client.connect(),
    serverOf: () => (client.isReady ? 'redis' : null),
    send: (_key, command) => client.sendCommand<RedisReply>(command),
    close: () => {
      if (client.isOpen) client.destroy();
    },
  };
}

async function clusterServers(
  settings: RedisSettings,
  answerWithinMs: number,
  events: RedisEvents,
): Promise<RedisServers> {
  const { createCluster } = await import('./redis-client.ts');
  const { tls, username, password } = redisAccess(settings);
  const cluster = createCluster({
    rootNodes: redisAddresses(settings).map((socket) => ({ socket })),
    defaults: {
      ...(username === undefined ? {} : { username }),
      ...(password === undefined ? {} : { password }),
      ...connectionOptions(tls, answerWithinMs),
    },
    // Otherwise one server that is gone would keep the client from connecting to all others.
    minimizeConnections: true,
    topologyRefreshOnReconnectionAttemptStrategy: REFRESH_AFTER_MS,
  });
  let cause: unknown;
  cluster.on('error', (error: unknown) => {
    cause = error;
    events.onError(error);
  });
  const send = (key: string | undefined, command: string[]) =>
    cluster.sendCommand<RedisReply>(key, false, command);
  return {
    connect: async () => {
      await cluster.connect().catch((error: Error) => {
        // Its message says only that no server is available. The reason was reported before.
        throw new Error(error.message, { cause });
      });
      events.onReady();
    },
    serverOf: (key) => cluster.slots[keySlot(key)]?.master.address ?? null,
    send: withLocalScripts(send),
    close: () => {
      if (cluster.isOpen) cluster.destroy();
    },
  };
}

async function sentinelServers(
  settings: RedisSettings,
  answerWithinMs: number,
  events: RedisEvents,
): Promise<RedisServers> {
  const { createSentinel } = await import('./redis-client.ts');
  const { tls, username, password, database } = redisAccess(settings);
  const { sentinelMaster, sentinelPassword } = settings;
  const options = connectionOptions(tls, answerWithinMs);
  const sentinel = createSentinel({
    name: sentinelMaster ?? '',
    sentinelRootNodes: redisAddresses(settings),
    nodeClientOptions: {
      ...(username === undefined ? {} : { username }),
      ...(password === undefined ? {} : { password }),
      database,
      ...options,
    },
    sentinelClientOptions: {
      ...(sentinelPassword === null ? {} : { password: sentinelPassword }),
      ...options,
    },
    scanInterval: SENTINEL_SCAN_MS,
    passthroughClientErrorEvents: true,
  });
  sentinel.on('error', (error: unknown) => events.onError(error));
  sentinel.on('ready', () => events.onReady());
  return {
    connect: () => sentinel.connect(),
    serverOf: () => (sentinel.isReady ? 'master' : null),
    send: (_key, command) => sentinel.sendCommand(false, command) as Promise<RedisReply>,
    close: () => {
      // Waits for an attempt to connect, which ends by itself.
      if (sentinel.isOpen) sentinel.destroy().catch(() => undefined);
    },
  };
}

/** A server that hangs keeps its connections open, so silence has to end them. */
function connectionOptions(tls: boolean, answerWithinMs: number) {
  const silenceMs = Math.max(SILENCE_MS, 3 * answerWithinMs);
  return {
    disableOfflineQueue: true,
    pingInterval: Math.round(silenceMs / 3),
    socket: {
      connectTimeout: CONNECT_WITHIN_MS,
      socketTimeout: silenceMs,
      reconnectStrategy,
      ...(tls ? { tls: true as const } : {}),
    },
  };
}

type Send = RedisServers['send'];

/**
 * Answers `SCRIPT LOAD` without asking a server, and sends the text of a script to a server that does not know it. The
 * client would load a script on all servers of the cluster, so one that is gone would stop the counting on all.
 */
export function withLocalScripts(send: Send): Send {
  const scripts = new Map<string, string>();
  return async (key, command) => {
    const [name, argument = '', ...rest] = command;
    if (name === 'SCRIPT' && argument === 'LOAD') {
      const script = rest[0] ?? '';
      const sha = createHash('sha1').update(script).digest('hex');
      scripts.set(sha, script);
      return sha;
    }
    const script = name === 'EVALSHA' ? scripts.get(argument) : undefined;
    if (script === undefined) return send(key, command);
    try {
      return await send(key, command);
    } catch (error) {
      if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
      return send(key, ['EVAL', script, ...rest]);
    }
  };
}
