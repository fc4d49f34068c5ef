// Evaluations per second on one core: assets are parsed beforehand, and nothing is stored.
import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const ASSETS = 20_000;
const ROUND_MS = 700;
const ROUNDS = 5;

const { Evaluator, landmarkOf, parseAsset, resolveProfile, Snapshot } = await scanner();
const assets = [];
for await (const line of createInterface({ input: createReadStream(process.argv[2]) })) {
  assets.push(parseAsset(line));
  if (assets.length === ASSETS) break;
}
const assetTypes = new Map();
for (const { type } of assets) assetTypes.set(type, (assetTypes.get(type) ?? 0) + 1);
const landmarks = assets.map(landmarkOf).filter((landmark) => landmark !== null);
const snapshot = new Snapshot({ assetTypes, landmarks });
const evaluator = new Evaluator(resolveProfile('full'), { now: new Date(), snapshot });

round();
const perSecond = Array.from({ length: ROUNDS }, round);
console.log(JSON.stringify({ perSecond }));

function round() {
  const startedAt = performance.now();
  let evaluations = 0;
  let elapsed = 0;
  do {
    for (const asset of assets) evaluations += evaluator.evaluate(asset).length;
    elapsed = performance.now() - startedAt;
  } while (elapsed < ROUND_MS);
  return evaluations / (elapsed / 1000);
}

/** The scanner as the server bundles it: tsx would add a call to every function that the rules make. */
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
