// Evaluations on one core: assets are parsed in advance, and nothing is stored. Reported per second, and as the ratio
// of one pass over the assets to one JSON.parse of the same bytes. The ratio uses CPU time, measured in turns, so it is
// valid on a busy machine too.
import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const ASSETS = 20_000;
const ROUND_MS = 700;
const ROUNDS = 5;

const { Evaluator, referenceAssetOf, parseAsset, resolveProfile, Snapshot } = await scanner();
const assets = [];
const lines = [];
for await (const line of createInterface({ input: createReadStream(process.argv[2]) })) {
  assets.push(parseAsset(line));
  lines.push(line);
  if (assets.length === ASSETS) break;
}
const assetTypes = new Map();
for (const { type } of assets) assetTypes.set(type, (assetTypes.get(type) ?? 0) + 1);
const referenceAssets = assets
  .map(referenceAssetOf)
  .filter((referenceAsset) => referenceAsset !== null);
const snapshot = new Snapshot({ assetTypes, referenceAssets });
const evaluator = new Evaluator(resolveProfile('full'), { now: new Date(), snapshot });

parsePass();
round();
const rounds = Array.from({ length: ROUNDS }, () => {
  const before = parsePass();
  const { perSecond, passMs } = round();
  return { perSecond, overParse: passMs / ((before + parsePass()) / 2) };
});
console.log(
  JSON.stringify({
    perSecond: rounds.map((one) => one.perSecond),
    overParse: rounds.map((one) => one.overParse),
    load: loadavg()[0],
  }),
);

/** The CPU time of one JSON.parse per line, in milliseconds. */
function parsePass() {
  const before = cpuMs();
  for (const line of lines) JSON.parse(line);
  return cpuMs() - before;
}

function round() {
  const cpuBefore = cpuMs();
  const startedAt = performance.now();
  let evaluations = 0;
  let passes = 0;
  let elapsed = 0;
  do {
    for (const asset of assets) evaluations += evaluator.evaluate(asset).length;
    passes += 1;
    elapsed = performance.now() - startedAt;
  } while (elapsed < ROUND_MS);
  return { perSecond: evaluations / (elapsed / 1000), passMs: (cpuMs() - cpuBefore) / passes };
}

function cpuMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** The scanner as bundled in the server: tsx would add a call to every function of the rules. */
async function scanner() {
  const outfile = join(tmpdir(), `cspm-bench-scanner-${process.pid}.mjs`);
  const entry = new URL('../scanner/index.ts', import.meta.url).pathname;
  await build({ entryPoints: [entry], outfile, bundle: true, format: 'esm', platform: 'node' });
  try {
    return await import(pathToFileURL(outfile).href);
  } finally {
    await rm(outfile);
  }
}
