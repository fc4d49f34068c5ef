// Starts each participant as a separate process on the same database.
import { access } from 'node:fs/promises';
import { build } from 'esbuild';
import { writeStatements } from './floor-statements.mjs';

const HERE = new URL('.', import.meta.url).pathname;

/** The environment of our server in production; the settings for mail and links are never used here. */
const PRODUCTION = {
  NODE_ENV: 'production',
  HOST: '127.0.0.1',
  APP_SECRET: 'r'.repeat(32),
  WEB_URL: 'http://127.0.0.1',
  MAIL_URL: 'smtp://127.0.0.1:25',
};

/**
 * Bundles the peers and the floor, because Node 20 runs no TypeScript. npm packages stay outside.
 * @param {readonly import('./entrants.mjs').Entrant[]} entrants
 * @throws {Error} when the dependencies of the peers are not installed
 */
export async function buildPeers(entrants) {
  await access(`${HERE}node_modules`).catch(() => {
    throw new Error('The peers are not installed: npm ci --prefix bench/api');
  });
  const others = entrants.filter(({ kind }) => kind !== 'ours');
  await build({
    absWorkingDir: HERE,
    entryPoints: others.map(({ name, kind }) => ({
      in: kind === 'floor' ? 'floor/main.mjs' : `peers/${name}.ts`,
      out: name,
    })),
    outdir: 'dist',
    outExtension: { '.js': '.mjs' },
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'warning',
  });
  await writeStatements(`${HERE}dist/floor-statements.json`);
}

/**
 * @param {import('../rig.mjs').Rig} rig
 * @param {import('./entrants.mjs').Entrant} entrant
 * @returns {Promise<import('../rig.mjs').Running>}
 */
export async function start(rig, entrant) {
  if (entrant.kind === 'ours') return rig.startServer({ ...PRODUCTION, TRUST_PROXY: '' });
  return rig.startProgram(`api/dist/${entrant.name}.mjs`, {
    NODE_ENV: 'production',
    // Prisma's tables of people and keys belong to the owner; row-level security hides tenants' rows from it as well.
    PEER_DATABASE_URL: rig.ownerUrl,
    APP_URL: rig.appUrl,
  });
}
