// npm run demo: scans samples/shop-prod.ndjson with the SDK and prints one screen. It starts its own server on a free port
// with a temporary database, so it touches neither a running server nor the project `demo` of `npm start`.
// `tour` shows what a client does; the rest starts the server and prints the result.
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { styleText } from 'node:util';
import { ApiError, type Cspm, createClient, type Finding, type Scan } from '@cspm/sdk';
import { serve } from '../server/start/serve.ts';

const PROJECT = 'shop-prod';
const SAMPLE = 'samples/shop-prod.ndjson';
const INVENTORY = new URL(`../${SAMPLE}`, import.meta.url);
const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'] as const;

/** npm prints four lines before the demo; a terminal of 24 lines has room for the rest. */
const FINDINGS_SHOWN = 5;
const WIDTH = 80;

const NEXT_STEPS = `Try next:
  npm run cspm -- scan --local ${SAMPLE}  # all findings
  npm start                                              # your own server
  README.md explains the first scan with curl, the SDK and the CLI.`;

async function tour(cspm: Cspm): Promise<void> {
  await cspm.projects.create({ name: PROJECT, description: 'Sample inventory of the demo' });

  // The SDK also accepts a string, a stream or an iterable of assets. A large inventory need not fit into memory.
  const inventory = await cspm.projects.uploadInventory({
    name: PROJECT,
    inventory: await readFile(INVENTORY),
  });
  const types = inventory.assetTypes.length;
  print(`Uploaded ${SAMPLE}: ${inventory.assets} assets of ${types} types.`);

  const preflight = await cspm.preflight.run({ projects: [PROJECT], profile: 'full' });
  const { ruleCount } = preflight.profile;
  print(`Preflight: ${preflight.decision.replaceAll('_', ' ')}, ${ruleCount} rules.`);

  const first = await scan(cspm);
  const { bySeverity } = first.totals;
  const counts = SEVERITIES.map((severity) => `${bySeverity[severity]} ${severity}`);
  print(`First scan: ${first.delta.new} findings (${counts.join(', ')}).`);

  const critical: Finding[] = [];
  // A list is an async iterable over all of its pages. Awaited, it is the first page.
  for await (const finding of cspm.findings.list({ scan: first.id, severity: ['critical'] })) {
    critical.push(finding);
  }
  printFindings(critical);

  const { delta } = await scan(cspm);
  if (delta.new + delta.resolved + delta.reopened > 0 || delta.unchanged !== first.delta.new) {
    throw new Error('The second scan of the same inventory has other findings than the first.');
  }
  print(
    '',
    `Second scan, same inventory: ${delta.new} new, ${delta.unchanged} unchanged findings.`,
  );
}

async function scan(cspm: Cspm): Promise<Scan> {
  // The SDK sends an idempotency key, so a launch that is retried after a failure starts only one scan.
  const { id } = await cspm.scans.launch({ projects: [PROJECT], profile: 'full' });
  const done = await cspm.scans.wait(id, { timeoutMs: 120_000 });
  if (done.status !== 'completed') {
    throw new Error(`The scan is ${done.status}: ${done.projects.map((p) => p.error).join(' ')}`);
  }
  return done;
}

function printFindings(findings: readonly Finding[]): void {
  const shown = findings
    .map(({ ruleId, asset, message }) => ({ ruleId, asset: shortName(asset.name), message }))
    .toSorted((a, b) => compare(a.ruleId, b.ruleId) || compare(a.asset, b.asset))
    .slice(0, FINDINGS_SHOWN);
  print('', `Critical findings, ${shown.length} of ${findings.length}:`);
  const ruleWidth = Math.max(0, ...shown.map(({ ruleId }) => ruleId.length));
  const assetWidth = Math.min(20, Math.max(0, ...shown.map(({ asset }) => asset.length)));
  for (const { ruleId, asset, message } of shown) {
    const name = cut(asset, assetWidth).padEnd(assetWidth);
    const line = cut(`  ${ruleId.padEnd(ruleWidth)}  ${name}  ${message}`, WIDTH);
    print(process.stdout.isTTY ? styleText('magenta', line) : line);
  }
}

function print(...lines: readonly string[]): void {
  for (const line of lines) console.log(line);
}

function shortName(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

function cut(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, width - 1)}…`;
}

function random(length: number): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
  return Array.from({ length }, () => letters.charAt(randomInt(letters.length))).join('');
}

/** Runs `use` with a server on an empty database and a random API key. Deletes everything afterwards. */
async function withServer(use: (cspm: Cspm) => Promise<void>): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'cspm-demo-'));
  // For root, Postgres runs as another account, which needs access to the folder. Otherwise its data would go elsewhere.
  if (process.geteuid?.() === 0) await chmod(directory, 0o711);
  try {
    const apiKey = `cspm_${random(12)}_${random(43)}`;
    const environment = {
      DATA_DIR: directory,
      PORT: '0',
      RATE_LIMIT: '600',
      // Warnings, as of a slow machine, would push the result off the screen.
      LOG_LEVEL: 'error',
      BOOTSTRAP_EMAIL: 'demo@shop.example',
      BOOTSTRAP_PASSWORD: random(24),
      BOOTSTRAP_API_KEY: apiKey,
    };
    print('Starting a server with an empty database …');
    const { url, stop } = await serve(environment, () => {});
    try {
      if (url === null) throw new Error('The server does not listen on a port.');
      await use(createClient({ baseUrl: url, apiKey }));
    } finally {
      await stop();
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

// Ctrl-C ends the tour but not the process, so that the cleanup runs. The rejection may come before the race waits for it.
const interrupted = once(process, 'SIGINT').then(() => Promise.reject(new Error('Interrupted.')));
interrupted.catch(() => {});

try {
  await withServer((cspm) => Promise.race([tour(cspm), interrupted]));
  print('The server is stopped and its data is deleted.', '', NEXT_STEPS);
} catch (error) {
  console.error(error instanceof ApiError ? error.message : error);
  // Without the exit, an interrupted client would poll for up to a minute.
  process.exit(1);
}
