// Opens a database of a given size with a server.

import pg from 'pg';
import { tsImport } from 'tsx/esm/api';
import { openRig } from '../rig.mjs';
import { seed } from './seed.mjs';

/**
 * @param {{ tenants: number, findings: number, keep?: string, say: (line: string) => void }} options
 */
export async function openEstate({ tenants, findings, keep, say }) {
  const rig = await openRig({ serverFlags: [], say, keep });
  try {
    // The first start creates the tables.
    await (await rig.startServer()).stop();
    if (!(await isSeeded(rig.ownerUrl))) {
      await seed(rig.ownerUrl, { tenants, findings }, await rules(), say);
    }
    return rig;
  } catch (error) {
    await rig.close();
    throw error;
  }
}

async function isSeeded(ownerUrl) {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    const { rows } = await client.query(
      `SELECT 1 FROM identity.api_keys WHERE name = 'bench' HAVING count(*) = 3`,
    );
    return rows.length > 0;
  } finally {
    await client.end();
  }
}

/** The built-in rules. The only one with severity `info` comes last, so both filters match few findings. */
async function rules() {
  const { RULES } = await tsImport('../../scanner/index.ts', import.meta.url);
  return RULES.map(({ id, severity, title, assetTypes }) => ({
    id,
    severity,
    title,
    assetType: assetTypes[0] ?? 'cloudresourcemanager.googleapis.com/Project',
  })).sort((a, b) => Number(a.severity === 'info') - Number(b.severity === 'info'));
}
