// The environment of the races: a Postgres as in `npm start`, and servers as separate processes.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { tsImport } from 'tsx/esm/api';
import { buildServer } from '../scripts/build.mjs';
import { SERVER_NODE_OPTIONS } from '../scripts/node-options.mjs';

export const API_KEY = `cspm_${'b'.repeat(12)}_${'s'.repeat(43)}`;
export const EMAIL = 'admin@example.com';
export const PASSWORD = 'correct horse battery staple';

const SERVER = new URL('../dist/server/main.mjs', import.meta.url).pathname;
const STOP_TIMEOUT_MS = 10_000;

/**
 * @typedef {object} Running
 * @property {string} url
 * @property {number} pid
 * @property {() => Promise<void>} stop
 */

/**
 * @typedef {object} Rig
 * @property {string} folder for the files of a race; removed at the end
 * @property {string} ownerUrl the database, as its owner sees it
 * @property {string} appUrl the database, as the serving role sees it
 * @property {(env?: Record<string, string>) => Promise<Running>} startServer
 * @property {(program: string, env: Record<string, string>) => Promise<Running>} startProgram
 * @property {() => Promise<void>} close
 */

/**
 * @param {{ serverFlags: readonly string[], say: (line: string) => void, keep?: string, installed?: boolean }} options
 * `keep`: a folder that is used again and stays. `installed`: Debian's Postgres instead of the embedded one
 * @returns {Promise<Rig>}
 */
export async function openRig({ serverFlags, say, keep, installed = false }) {
  if (await buildServer()) say('built the server');
  if (keep !== undefined) await mkdir(keep, { recursive: true });
  const folder = keep ?? (await mkdtemp(join(tmpdir(), 'cspm-bench-')));
  // As root, Postgres runs as another account, which needs access to the folder.
  await chmod(folder, 0o711);
  const postgres = await (installed ? startInstalled() : startEmbedded(folder));
  /** @type {Set<Running>} */
  const running = new Set();
  const start = async (args, env) => {
    const server = await startProcess(args, env);
    running.add(server);
    return server;
  };
  return {
    folder,
    ownerUrl: postgres.ownerUrl,
    appUrl: postgres.appUrl,
    startServer: (env) =>
      start([...SERVER_NODE_OPTIONS, ...serverFlags, SERVER], {
        PORT: '0',
        DATABASE_URL: postgres.ownerUrl,
        DATABASE_APP_URL: postgres.appUrl,
        DATABASE_WORKER_URL: postgres.workerUrl,
        DATA_DIR: folder,
        RATE_LIMIT: '1000000000',
        // Endpoints have limits per address, so each request claims a new one.
        TRUST_PROXY: '1',
        LOG_LEVEL: 'warn',
        BOOTSTRAP_API_KEY: API_KEY,
        BOOTSTRAP_EMAIL: EMAIL,
        BOOTSTRAP_PASSWORD: PASSWORD,
        ...env,
      }),
    startProgram: (program, env) => start([new URL(program, import.meta.url).pathname], env),
    close: async () => {
      for (const server of running) await server.stop();
      await postgres.stop();
      if (keep === undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Ends the servers and the database if the program is interrupted or terminated. @param {Pick<Rig, 'close'>} rig */
export function closeOnSignal(rig) {
  for (const [signal, code] of Object.entries({ SIGINT: 130, SIGTERM: 143 })) {
    process.once(signal, () => rig.close().finally(() => process.exit(code)));
  }
}

async function startEmbedded(folder) {
  const embedded = await tsImport('../server/development/embedded.ts', import.meta.url);
  return embedded.startEmbedded({ directory: join(folder, 'postgres') });
}

/** With the settings of the embedded one that change what statements cost. */
async function startInstalled() {
  const kit = await tsImport('../tests/kit/debian-postgres.ts', import.meta.url);
  const bin = kit.debianPostgres();
  if (bin === null) throw new Error('No Postgres of Debian is installed in /usr/lib/postgresql.');
  const cluster = await kit.DebianCluster.start(bin);
  await cluster.set('fsync', 'on');
  await cluster.set('jit', 'off');
  return { ...cluster.urls, stop: () => cluster.stop() };
}

/** Starts a program that prints the address on which it serves, or that it only works the queue. @returns {Promise<Running>} */
async function startProcess(args, env) {
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const url = await Promise.race([
    addressIn(child.stdout),
    ended.then(([code]) => {
      throw new Error(`${args.at(-1)} ended with code ${code} instead of serving`);
    }),
  ]);
  return {
    url,
    pid: child.pid ?? 0,
    stop: async () => {
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
      child.kill('SIGTERM');
      await ended;
      clearTimeout(timer);
    },
  };
}

/** @returns {Promise<string>} */
async function addressIn(output) {
  return new Promise((resolve) => {
    createInterface({ input: output }).on('line', (line) => {
      const [begun, url = ''] = /^Serving on (\S+)|^Working the queue/.exec(line) ?? [];
      if (begun !== undefined) resolve(url);
    });
  });
}
