// npm run demo: scans samples/shop-prod.ndjson through the SDK, on a server of its own that leaves nothing behind.
// `tour` is all that a client has to do; the rest starts the server and draws the table.
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { styleText } from 'node:util';
import { ApiError, type Cspm, createClient, type Finding, type Scan } from '@cspm/sdk';
import { serve } from '../server/start/serve.ts';

const PROJECT = 'shop-prod';
const INVENTORY = new URL('../samples/shop-prod.ndjson', import.meta.url);
const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'] as const;

async function tour(cspm: Cspm): Promise<void> {
  await cspm.projects.create({ name: PROJECT, description: 'The sample of the demo' });

  // Bytes, a string, a stream, or an iterable of assets: what is large need not be held in memory.
  const inventory = await cspm.projects.uploadInventory({
    name: PROJECT,
    inventory: await readFile(INVENTORY),
  });
  console.log(`Uploaded ${inventory.assets} assets of ${inventory.assetTypes.length} types.`);
  for (const { line, message } of inventory.warnings) console.log(`  line ${line}: ${message}`);

  const preflight = await cspm.preflight.run({ projects: [PROJECT], profile: 'full' });
  console.log(`Preflight says ${preflight.decision}: ${preflight.profile.ruleCount} rules.`);
  for (const { status, message, remediation } of preflight.projects.flatMap((p) => p.checks)) {
    if (status === 'warn' || status === 'fail') console.log(`  ${message} ${remediation}`);
  }

  const first = await scan(cspm);
  console.log('');
  // A list is an async iterable over all of its pages; awaited, it is the first page.
  const findings: Finding[] = [];
  for await (const finding of cspm.findings.list({ scan: first.id, limit: 100 })) {
    findings.push(finding);
  }
  printTable(findings);

  console.log('Nothing has changed, so the second scan finds nothing new:');
  const { delta } = await scan(cspm);
  if (delta.new + delta.resolved + delta.reopened > 0 || delta.unchanged !== findings.length) {
    throw new Error('The second scan of the same inventory found other things than the first.');
  }
}

async function scan(cspm: Cspm): Promise<Scan> {
  // The client sends an idempotency key of its own: a launch that is repeated after a failure still starts one scan.
  const { id } = await cspm.scans.launch({ projects: [PROJECT], profile: 'full' });
  const done = await cspm.scans.wait(id, { timeoutMs: 120_000 });
  if (done.status !== 'completed') {
    throw new Error(`The scan is ${done.status}: ${done.projects.map((p) => p.error).join(' ')}`);
  }
  const { assets, evaluations, pass, fail, unknown, bySeverity } = done.totals;
  const counts = SEVERITIES.map((severity) => `${bySeverity[severity]} ${severity}`);
  console.log(
    `Scanned ${assets} assets: ${evaluations} evaluations, ${pass} passed, ${fail} failed, ${unknown} unknown.`,
  );
  console.log(`  Findings: ${counts.join(', ')}.`);
  console.log(`  ${done.delta.new} new, ${done.delta.unchanged} unchanged.`);
  return done;
}

const COLOURS = {
  critical: 'magenta',
  high: 'red',
  medium: 'yellow',
  low: 'cyan',
  info: 'gray',
} as const;

/** Worst first, no line wider than the terminal. */
function printTable(findings: readonly Finding[]): void {
  const width = process.stdout.columns ?? 140;
  const rows = findings.map((each) => ({ ...each, short: shortName(each.asset.name) }));
  const ruleWidth = Math.max(0, ...rows.map(({ ruleId }) => ruleId.length));
  const assetWidth = Math.min(24, Math.max(0, ...rows.map(({ short }) => short.length)));
  for (const severity of SEVERITIES) {
    const own = rows.filter((row) => row.severity === severity);
    own.sort((a, b) => compare(a.ruleId, b.ruleId) || compare(a.short, b.short));
    for (const { ruleId, short, message } of own) {
      const asset = cut(short, assetWidth).padEnd(assetWidth);
      const row = `${severity.padEnd(8)}  ${ruleId.padEnd(ruleWidth)}  ${asset}  ${message}`;
      const line = cut(row, width);
      console.log(process.stdout.isTTY ? styleText(COLOURS[severity], line) : line);
    }
    if (own.length > 0) console.log('');
  }
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

/** A server with an empty database and one made-up API key, for as long as `use` takes. */
async function withServer(use: (cspm: Cspm) => Promise<void>): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'cspm-demo-'));
  // Root runs Postgres as somebody else, who must be able to pass; if not, the data would go elsewhere and stay there.
  if (process.geteuid?.() === 0) await chmod(directory, 0o711);
  try {
    const apiKey = `cspm_${random(12)}_${random(43)}`;
    const environment = {
      DATA_DIR: directory,
      PORT: '0',
      RATE_LIMIT: '600',
      LOG_LEVEL: 'warn',
      BOOTSTRAP_EMAIL: 'demo@shop.example',
      BOOTSTRAP_PASSWORD: random(24),
      BOOTSTRAP_API_KEY: apiKey,
    };
    console.log('Starting a server on an empty database …');
    const { url, stop } = await serve(environment, () => {});
    try {
      if (url === null) throw new Error('The server does not listen.');
      await use(createClient({ baseUrl: url, apiKey }));
    } finally {
      await stop();
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

// Ctrl-C ends the tour, not the process, which still cleans up. It may come before anything waits for it.
const interrupted = once(process, 'SIGINT').then(() => Promise.reject(new Error('Interrupted.')));
interrupted.catch(() => {});

try {
  await withServer((cspm) => Promise.race([tour(cspm), interrupted]));
} catch (error) {
  console.error(error instanceof ApiError ? error.message : error);
  // An interrupted client may still be polling, and would for a minute.
  process.exit(1);
}
