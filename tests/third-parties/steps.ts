import { readFile } from 'node:fs/promises';
import { createClient } from '@cspm/sdk';

const INVENTORY = new URL('../../samples/shop-prod.ndjson', import.meta.url);
const PAGE = 20;

/**
 * Does the same as the programs with our own SDK.
 * @returns the lines that each program prints, one for each step
 */
export async function expectedLines(baseUrl: string, apiKey: string): Promise<string[]> {
  const cspm = createClient({ baseUrl, apiKey });
  const name = 'reference';
  await cspm.projects.create({ name });
  const { assets } = await cspm.projects.uploadInventory({
    name,
    inventory: await readFile(INVENTORY),
  });
  const { id } = await cspm.scans.launch({ projects: [name], profile: 'full' });
  const { status, delta } = await cspm.scans.wait(id);
  return [
    'project created',
    `inventory uploaded: ${assets} assets`,
    `scan ${status}`,
    `findings read: ${delta.new} on ${Math.ceil(delta.new / PAGE)} pages`,
    'duplicate project: 409 CONFLICT',
    'missing finding: 404 NOT_FOUND',
    'limit exhausted: 429 RATE_LIMITED',
    'after Retry-After: 200',
  ];
}
