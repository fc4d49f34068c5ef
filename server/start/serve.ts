import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join, resolve } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { removeLeftoverScratch } from '@cspm/scanner';
import type { Logger } from 'pino';
import { createApp } from '../app.ts';
import { type Config, readConfig } from '../config.ts';
import { createDemoProject } from '../development/demo-project.ts';
import { startEmbedded } from '../development/embedded.ts';
import { credentialLines, startupBanner } from '../development/startup-banner.ts';
import { drain } from '../http/drain.ts';
import { PreparedCells } from '../platform/cells/prepared-cells.ts';
import { systemClock } from '../platform/clock.ts';
import { keyRing } from '../platform/crypto/app-secrets.ts';
import { migrate } from '../platform/database/migrate.ts';
import { createLogger } from '../platform/logger.ts';
import { createMailer } from '../platform/mail/mailer.ts';
import { serveMetrics } from '../platform/metrics-server.ts';
import { createServices } from '../services.ts';
import {
  DEVELOPMENT_DRAIN,
  DEVELOPMENT_STOPS_WITHIN_MS,
  DRAIN,
  STOPS_WITHIN_MS,
} from '../shutdown-timeouts.ts';
import { bootstrap } from './bootstrap.ts';
import { developmentSecret } from './data-dir.ts';
import { handleStrayFaults } from './last-resort.ts';
import { startWorkers } from './start-workers.ts';
import { requireTemporaryFolder } from './temporary-folder.ts';
import { databaseWarnings, startWarnings } from './warnings.ts';

/** A running server. */
export interface Running {
  /** Null if the process only runs jobs. */
  readonly url: string | null;
  /** Prints that the process runs, and where. Call it after installing signal handlers: a supervisor may send a signal at once. */
  announce(): void;
  /** Drains, finishes the work in progress, and closes everything. */
  stop(): Promise<void>;
  /** Resolves when the workers have started, or if there are none. Rejects if they cannot start; the process must then stop. */
  readonly workersStarted: Promise<unknown>;
  /** Handles otherwise unhandled rejections and exceptions until the process ends. `end` stops it with exit code 1. */
  handleStrayFaults(end: () => void): void;
  /** How long the shutdown may take before the process exits anyway. */
  readonly stopsWithinMs: number;
}

/**
 * Starts everything in order: configuration, database, migrations, first credentials and the listener. Workers start
 * last and are not awaited: jobs can wait, requests cannot.
 * @param say receives the lines for the operator.
 * @throws {Error} whose message is one line or a list of faults with remedies. Nothing is left running.
 */
export async function serve(
  environment: Record<string, string | undefined>,
  say: (line: string) => void,
): Promise<Running> {
  const config = readConfig(environment);
  const log = createLogger(config.logLevel);
  await requireTemporaryFolder();
  await removeLeftoverScratch();
  const closing: (() => Promise<unknown>)[] = [];
  let stopping: Promise<void> | null = null;
  const closeAll = async () => {
    for (const close of closing.splice(0).reverse()) await close();
  };
  // A second call waits for the first: the process exits when it resolves.
  const stop = () => {
    stopping ??= closeAll();
    return stopping;
  };
  try {
    return await start(config, log, say, closing, stop);
  } catch (error) {
    await stop();
    throw error;
  }
}

async function start(
  config: Config,
  log: Logger,
  say: (line: string) => void,
  closing: (() => Promise<unknown>)[],
  stop: () => Promise<void>,
): Promise<Running> {
  for (const warning of await startWarnings(config)) log.warn(warning);
  const urls = await databaseFor(config, say, closing);
  const warn = (line: string) => log.warn(line);
  await migrate({ ...urls, say: warn });
  const appSecrets = config.appSecrets ?? [await developmentSecret(config.dataDir)];
  const { ownerUrl } = urls;
  const preparedCells = await PreparedCells.start({ ownerUrl, cells: config.cells, say: warn });
  closing.push(() => preparedCells.close());
  const services = createServices({
    databaseUrl: urls.appUrl,
    databaseReplicaUrl: config.database?.replicaUrl ?? null,
    cells: config.cells,
    preparedCells,
    appSecrets,
    inventories: { maxBytes: config.inventoryMaxBytes, kept: config.inventoriesKept },
    webUrl: config.webUrl,
    registration: config.registration,
    google: config.google,
    googleCloud: config.googleCloud,
    production: config.production,
    breakGlass: config.breakGlass,
    globalApiKey: config.globalApiKey,
    redisUrl: config.redisUrl,
    redisMode: config.redisMode,
    redisSentinelMaster: config.redisSentinelMaster,
    redisSentinelPassword: config.redisSentinelPassword,
    redisTimeoutMs: config.redisTimeoutMs,
    databaseTimeoutMs: config.databaseTimeoutMs,
    dnsServers: config.dnsServers,
    webhookAllowCidrs: config.webhookAllowCidrs,
    clock: systemClock,
    log,
  });
  closing.push(() => services.close());
  if (config.metricsPort !== null) {
    const { host, metricsPort: port } = config;
    const metricsServer = await serveMetrics(services.metrics, { host, port });
    closing.push(() => metricsServer.stop());
  }
  await services.redis?.start();
  // In the background, so that the first request does not wait for a connection.
  if (config.worker !== 'only') services.connect();
  // First, what commonly fails: it leaves an empty database empty.
  const server = config.worker === 'only' ? null : createApp(config, services);
  if (server !== null) await requireFreePort(config);
  const first = await bootstrap(urls.ownerUrl, config, systemClock.now(), warn);
  if (first !== null && !config.production) {
    // At once, because the start may still fail.
    for (const line of credentialLines(first)) say(line);
    await createDemoProject(services, first);
  }
  for (const warning of await databaseWarnings(config, services.directory)) log.warn(warning);
  const { unsubscribe, web } = services;
  const workers = () => {
    const mailer = createMailer({ ...config.mail, outbox: join(config.dataDir, 'outbox') });
    return startWorkers({
      urls,
      cells: config.cells,
      preparedCells,
      databaseTimeoutMs: config.databaseTimeoutMs,
      tenants: services.tenants,
      log,
      clock: systemClock,
      metrics: services.metrics,
      retention: { ...config.retention, inventoriesKept: config.inventoriesKept },
      mails: { keys: keyRing(appSecrets, 'mail'), mailer },
      schedules: { mail: services.mail },
      digests: { mail: services.mail, unsubscribe, web },
      pulls: {
        google: services.sources.google,
        inventories: { maxBytes: config.inventoryMaxBytes, kept: config.inventoriesKept },
      },
      webhooks: { mail: services.mail, config: services.webhooks },
    });
  };
  const guard = (end: () => void) =>
    handleStrayFaults({ log, count: () => services.metrics.strayFault(), end });
  const stopsWithinMs = config.production ? STOPS_WITHIN_MS : DEVELOPMENT_STOPS_WITHIN_MS;
  if (server === null) {
    const started = await workers();
    closing.push(() => started.stop());
    return {
      url: null,
      announce: () => say('Working the queue; no HTTP server is started.'),
      ...{ stop, stopsWithinMs, workersStarted: Promise.resolve(), handleStrayFaults: guard },
    };
  }
  const url = await listen(server, config);
  services.web.listensAt(url);
  const { deadlineMs } = config.production ? DRAIN : DEVELOPMENT_DRAIN;
  const limits = { noticeMs: config.shutdownNoticeMs, deadlineMs };
  const announce = () => {
    for (const line of startupBanner(url, config.production ? null : first)) say(line);
  };
  // In a later turn, after the announcement.
  const workersStarted = config.worker === 'off' ? Promise.resolve(null) : nextTurn().then(workers);
  // Current jobs finish while the process still serves.
  const stopWorking = async () => (await workersStarted.catch(() => null))?.stop();
  closing.push(() => Promise.all([drain(server, services.health, limits), stopWorking()]));
  return { url, announce, stop, stopsWithinMs, workersStarted, handleStrayFaults: guard };
}

async function databaseFor(
  config: Config,
  say: (line: string) => void,
  closing: (() => Promise<unknown>)[],
) {
  if (config.database !== null) return config.database;
  const embedded = await startEmbedded({
    directory: join(resolve(config.dataDir), 'postgres'),
    log: say,
  });
  closing.push(() => embedded.stop());
  if (embedded.notice !== null) say(embedded.notice);
  return embedded;
}

/** Listens for a moment, and closes connections that arrive: nothing is served before the start is complete. */
async function requireFreePort(config: Config): Promise<void> {
  const probe = createServer((socket) => socket.destroy());
  await listen(probe, config);
  probe.close();
  await once(probe, 'close');
}

/** @throws {Error} that names the port and the remedy when it is in use. */
async function listen(server: Server, config: Config): Promise<string> {
  await new Promise<void>((done, failed) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const where = `${config.host}:${config.port}`;
      failed(
        error.code === 'EADDRINUSE'
          ? new Error(`Another program is listening on ${where}; stop it or set PORT.`)
          : new Error(
              `Cannot listen on ${where} (${error.code ?? error.message}); set HOST and PORT.`,
            ),
      );
    });
    server.listen(config.port, config.host, done);
  });
  const { port } = server.address() as AddressInfo;
  const host = config.host === '0.0.0.0' || config.host === '::' ? '127.0.0.1' : config.host;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
