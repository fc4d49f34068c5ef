// Starts those who take part, each as a process of its own on the same database.
import { access } from 'node:fs/promises';
import { build } from 'esbuild';

const HERE = new URL('.', import.meta.url).pathname;

/** As an operator would run ours; what it would need for mail and links is never used here. */
const PRODUCTION = {
  NODE_ENV: 'production',
  HOST: '127.0.0.1',
  APP_SECRET: 'r'.repeat(32),
  WEB_URL: 'http://127.0.0.1',
  MAIL_URL: 'smtp://127.0.0.1:25',
};

/**
 * Bundles the peers: Node 20 runs no TypeScript. What comes from npm stays outside, as it does of our server.
 * @param {readonly import('./entrants.mjs').Entrant[]} entrants
 * @throws {Error} when what the peers are made of is not installed
 */
export async function buildPeers(entrants) {
  await access(`${HERE}node_modules`).catch(() => {
    throw new Error('The peers are not installed: npm ci --prefix bench/api');
  });
  const peers = entrants.filter(isPeer);
  await build({
    absWorkingDir: HERE,
    entryPoints: peers.map(({ name }) => `peers/${name}.ts`),
    outdir: 'dist',
    outExtension: { '.js': '.mjs' },
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'warning',
  });
}

/**
 * @param {import('../rig.mjs').Rig} rig
 * @param {import('./entrants.mjs').Entrant} entrant
 * @returns {Promise<import('../rig.mjs').Running>}
 */
export async function start(rig, entrant) {
  if (entrant.kind === 'ours') return rig.startServer({ ...PRODUCTION, TRUST_PROXY: '' });
  const program = isPeer(entrant) ? `api/dist/${entrant.name}.mjs` : 'api/floor.mjs';
  return rig.startProgram(program, {
    NODE_ENV: 'production',
    // Prisma's tables of people and keys are the owner's; the rows of tenants are hidden from it as well.
    PEER_DATABASE_URL: rig.ownerUrl,
    APP_URL: rig.appUrl,
  });
}

/** @param {import('./entrants.mjs').Entrant} entrant */
function isPeer({ kind }) {
  return kind === 'prisma' || kind === 'drizzle';
}
