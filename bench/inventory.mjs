// Generates a Cloud Asset Inventory export of any size: 15 types in realistic proportions, 1 to 2 kB per record, with
// compliant and non-compliant assets. The same size gives the same bytes on every machine.

import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { cryptoKey, secret, serviceAccount, serviceAccountKey } from './inventory/access.mjs';
import { disk, firewall, instance, network, subnetwork } from './inventory/compute.mjs';
import { bucket, dataset, sqlInstance } from './inventory/data.mjs';
import { REGIONS } from './inventory/names.mjs';
import { createRng } from './inventory/rng.mjs';
import { cluster, managedZone, topic } from './inventory/services.mjs';

/**
 * @typedef {object} Asset
 * @property {string} name
 * @property {string} type
 * @property {string} api `service/version`, as in the address of its discovery document
 * @property {object} data
 * @property {object[] | null} bindings of its IAM policy; null: its type has none
 */

/** The number of assets of each kind per hundred. */
const MIX = [
  [16, instance],
  [18, disk],
  [6, firewall],
  [5, subnetwork],
  [2, network],
  [12, bucket],
  [3, sqlInstance],
  [5, cryptoKey],
  [2, managedZone],
  [6, dataset],
  [2, cluster],
  [9, serviceAccount],
  [6, serviceAccountKey],
  [4, topic],
  [4, secret],
];
const HUNDRED = MIX.flatMap(([share, make]) => Array(share).fill(make));

const PROJECTS = 40;

/**
 * Writes an export: all RESOURCE records, then all IAM_POLICY records, like two concatenated export runs.
 * @param {string} file
 * @param {number} assets
 * @returns {Promise<{ records: number, bytes: number }>}
 */
export async function writeInventory(file, assets) {
  const out = createWriteStream(file);
  let records = 0;
  let batch = '';
  const write = async (line) => {
    records += 1;
    batch += `${line}\n`;
    if (batch.length < 1 << 20) return;
    if (!out.write(batch)) await once(out, 'drain');
    batch = '';
  };
  for (const asset of assetsOf(assets)) await write(resourceRecord(asset));
  for (const asset of assetsOf(assets)) {
    if (asset.bindings !== null) await write(policyRecord(asset));
  }
  out.end(batch);
  await once(out, 'finish');
  return { records, bytes: out.bytesWritten };
}

/** @returns {Generator<Asset>} */
function* assetsOf(count) {
  const rng = createRng(20_261_120);
  for (let at = 0; at < count; at += 1) {
    // 37 and 100 are coprime, so kinds are distributed evenly instead of in runs.
    yield HUNDRED[(at * 37) % 100](at, placeOf(at, rng), rng);
  }
}

function placeOf(at, rng) {
  const number = 480_000_000_000 + (at % PROJECTS) * 7_919;
  const region = rng.pick(REGIONS);
  return { project: `acme-prod-${at % PROJECTS}`, number, region, zone: `${region}-b` };
}

function resourceRecord({ name, type, api, data, place }) {
  const [service, version] = api.split('/');
  return JSON.stringify({
    name,
    asset_type: type,
    resource: {
      version,
      discovery_document_uri: `https://www.googleapis.com/discovery/v1/apis/${service}/${version}/rest`,
      discovery_name: type.slice(type.indexOf('/') + 1),
      parent: `//cloudresourcemanager.googleapis.com/projects/${place.number}`,
      data,
      location: place.region,
    },
    ancestors: ancestorsOf(place),
    update_time: '2026-11-18T06:21:07.114Z',
  });
}

function policyRecord({ name, type, bindings, place }) {
  return JSON.stringify({
    name,
    asset_type: type,
    iam_policy: { version: 1, etag: 'BwYYdf0c3ma=', bindings },
    ancestors: ancestorsOf(place),
    update_time: '2026-11-18T07:00:41.530Z',
  });
}

function ancestorsOf({ number }) {
  return [`projects/${number}`, 'folders/731904285516', 'organizations/905518273640'];
}
