// The data to serve: thirty scans of two projects, so a page is full and there is a next one; a few thousand findings,
// some of them resolved and some muted; a rule of the tenant's own.
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { call, pause } from '../client.mjs';
import { writeInventory } from '../inventory.mjs';

const PROJECTS = ['shop', 'data'];
/** Scans of each inventory, by its number of assets. The last one lacks some of the assets that were scanned before. */
const SCANS = [
  { assets: 100, scans: 28 },
  { assets: 1_500, scans: 1 },
  { assets: 1_400, scans: 1 },
];
const RULE = {
  id: 'disk-has-owner',
  title: 'Disk without an owner',
  severity: 'low',
  assetTypes: ['compute.googleapis.com/Disk'],
  predicate: '!has(resource.data.labels) || !has(resource.data.labels.owner)',
  recommendation: 'Set the label owner.',
};

/**
 * @param {import('../rig.mjs').Rig} rig
 * @param {import('../rig.mjs').Running} server ours
 * @returns {Promise<import('./requests.mjs').Filled>}
 */
export async function fill(rig, { url }) {
  const post = (path, json) => call(`${url}${path}`, { method: 'POST', json });
  await post('/custom-rules', RULE);
  for (const name of PROJECTS) await post('/projects', { name });
  for (const { assets, scans } of SCANS) {
    const file = join(rig.folder, `${assets}.ndjson`);
    await writeInventory(file, assets);
    for (const name of PROJECTS) {
      await call(`${url}/projects/${name}/inventory`, {
        method: 'PUT',
        stream: createReadStream(file),
        type: 'application/x-ndjson',
      });
    }
    for (let scan = 0; scan < scans; scan += 1) {
      await post('/scans', { projects: PROJECTS, profile: 'full' });
    }
    await allFinished(url);
  }
  const { items } = await call(`${url}/findings`);
  for (const mute of mutesOf(items)) await post('/mutes', { ...mute, reason: 'Accepted' });
  const [newest] = (await call(`${url}/scans`)).items;
  return { scanId: newest.id };
}

async function allFinished(url) {
  for (;;) {
    const { items } = await call(`${url}/scans`);
    if (items.every((scan) => scan.finishedAt !== null)) return;
    await pause(50);
  }
}

/** Mutes of each kind; the first two are those of findings on the first page. */
function mutesOf([first, second]) {
  return [
    { fingerprint: first.fingerprint },
    { selector: { ruleId: second.ruleId, asset: second.asset.name } },
    { selector: { ruleId: RULE.id, project: 'shop' } },
    { selector: { project: 'data', asset: '*/subnetworks/*1' } },
    { selector: { label: 'backup=none' } },
    { selector: { asset: '//storage.googleapis.com/*7' } },
  ];
}
