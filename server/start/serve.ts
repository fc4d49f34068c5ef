import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import type { Logger } from 'pino';
import { createApp } from '../app.ts';
import { systemClock } from '../clock.ts';
import { type Config, readConfig } from '../config.ts';
import { startEmbedded } from '../database/embedded.ts';
import { migrate } from '../database/migrate.ts';
import { keyRing } from '../identity/app-secrets.ts';
import { startWorker } from '../jobs/start-worker.ts';
import { createMailer } from '../mail/mailer.ts';
import { sendMailTask } from '../mail/send-mail.ts';
import { drain } from '../operations/drain.ts';
import { createLogger } from '../operations/logger.ts';
import { serveMetrics } from '../operations/metrics-server.ts';
import { createServices } from '../services.ts';
import { bootstrap } from './bootstrap.ts';
import { developmentSecret } from './data-dir.ts';
import { createDemoProject } from './demo-project.ts';
import {
  DEVELOPMENT_DRAIN,
  DEVELOPMENT_STOPS_WITHIN_MS,
  DRAIN,
  STOPS_WITHIN_MS,
} from './stop-times.ts';
import { welcome } from './welcome.ts';

/** A server that is up. */
export interface Running {
  /** Null where the process only works the queue. */
  readonly url: string | null;
  /** Drains, finishes what is under way, and closes everything. */
  stop(): Promise<void>;
  /** How long that takes at the most, unless something hangs that should not be waited for. */
  readonly stopsWithinMs: number;
}

/**
 * Starts everything in its order: configuration, database, migrations, first credentials, worker, and last the listener.
 * @param say takes the lines for whoever started it by hand.
 * @throws {Error} with one line, or a list of faults, that says what is wrong and what mends it. Nothing is left running.
 */
export async function serve(
  environment: Record<string, string | undefined>,
  say: (line: string) => void,
): Promise<Running> {
  const config = readConfig(environment);
  const log = createLogger(config.logLevel);
  const closing: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (const close of closing.splice(0).reverse()) await close();
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
  const urls = await databaseFor(config, say, closing);
  await migrate(urls);
  const appSecrets = config.appSecrets ?? [await developmentSecret(config.dataDir)];
  const services = createServices({
    databaseUrl: urls.appUrl,
    appSecrets,
    inventories: { maxBytes: config.inventoryMaxBytes, kept: config.inventoriesKept },
    webUrl: config.webUrl,
    registration: config.registration,
    google: config.google,
    production: config.production,
    breakGlass: config.breakGlass,
    globalApiKey: config.globalApiKey,
    redisUrl: config.redisUrl,
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
  const first = await bootstrap(urls.ownerUrl, config, systemClock.now());
  if (first !== null && !config.production) await createDemoProject(services, first);
  let worker: { stop(): Promise<void> } | null = null;
  if (config.worker !== 'off') {
    const mailer = createMailer({ ...config.mail, outbox: join(config.dataDir, 'outbox') });
    const started = await startWorker({
      databaseUrl: urls.workerUrl,
      log,
      clock: systemClock,
      metrics: services.metrics,
      retention: { ...config.retention, inventoriesKept: config.inventoriesKept },
      sendMail: sendMailTask(keyRing(appSecrets, 'mail'), mailer, log),
    });
    closing.push(() => started.stop());
    worker = started;
  }
  const stopsWithinMs = config.production ? STOPS_WITHIN_MS : DEVELOPMENT_STOPS_WITHIN_MS;
  if (config.worker === 'only') {
    say('Working the queue; nothing is served.');
    return { url: null, stop, stopsWithinMs };
  }
  const server = createApp(config, services);
  const url = await listen(server, config);
  services.web.listensAt(url);
  const limits = config.production ? DRAIN : DEVELOPMENT_DRAIN;
  // Jobs are left to others from the beginning: what this process is at ends while it still serves.
  closing.push(() => Promise.all([drain(server, services.health, limits), worker?.stop()]));
  for (const line of welcome(url, config.production ? null : first)) say(line);
  return { url, stop, stopsWithinMs };
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

/** @throws {Error} that names the port and the remedy when it is taken. */
async function listen(server: Server, config: Config): Promise<string> {
  await new Promise<void>((done, failed) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const where = `${config.host}:${config.port}`;
      failed(
        error.code === 'EADDRINUSE'
          ? new Error(`Another program listens on ${where}; stop it or set PORT.`)
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
