// The data to serve: thirty scans of two projects, so a page is full and there is a next one.
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { call, pause } from '../client.mjs';
import { writeInventory } from '../inventory.mjs';

const PROJECTS = ['shop', 'data'];
const SCANS = 30;

/**
 * @param {import('../rig.mjs').Rig} rig
 * @param {import('../rig.mjs').Running} server ours
 */
export async function fill(rig, { url }) {
  const file = join(rig.folder, 'small.ndjson');
  await writeInventory(file, 100);
  for (const name of PROJECTS) {
    await call(`${url}/projects`, { method: 'POST', json: { name } });
    await call(`${url}/projects/${name}/inventory`, {
      method: 'PUT',
      stream: createReadStream(file),
      type: 'application/x-ndjson',
    });
  }
  for (let scan = 0; scan < SCANS; scan += 1) {
    await call(`${url}/scans`, { method: 'POST', json: { projects: PROJECTS, profile: 'full' } });
  }
  for (;;) {
    const { items } = await call(`${url}/scans`);
    if (items.every((scan) => scan.finishedAt !== null)) return;
    await pause(50);
  }
}
