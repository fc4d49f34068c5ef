import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { until } from '../kit/until.ts';
import { demand } from './checks.ts';

const SAMPLE = new URL('../../samples/shop-prod.ndjson', import.meta.url);
const SCAN_MS = 60_000;

interface Person {
  readonly email: string;
  readonly password: string;
}

/** Signs in, uploads the sample, has it scanned and reads the findings. */
export async function scanThroughTheProxy(url: string, person: Person): Promise<string> {
  const { accessToken } = await send<{ accessToken: string }>(url, '/auth/login', 200, person);
  const headers = { authorization: `Bearer ${accessToken}` };
  await send(url, '/projects', 201, { name: 'shop-prod' }, headers);
  const upload = await fetch(`${url}/projects/shop-prod/inventory`, {
    method: 'PUT',
    headers: { ...headers, 'content-type': 'application/x-ndjson' },
    body: await readFile(SAMPLE),
  });
  demand(upload.status === 201, `the upload is answered 201, not ${upload.status}`);
  const launch = { projects: ['shop-prod'], profile: 'full' };
  const keyed = { ...headers, 'idempotency-key': randomUUID() };
  const { id } = await send<{ id: string }>(url, '/scans', 202, launch, keyed);
  const scan = await until(
    'the end of the scan',
    async () => {
      await delay(200);
      const read = await get<{ status: string }>(url, `/scans/${id}`, headers);
      return read.status === 'queued' || read.status === 'running' ? null : read;
    },
    SCAN_MS,
  );
  demand(scan.status === 'completed', `the scan is completed, not ${scan.status}`);
  const path = `/findings?scan=${id}&severity=critical`;
  const { items } = await get<{ items: readonly unknown[] }>(url, path, headers);
  demand(items.length > 0, 'the sample has critical findings');
  return `${items.length} critical findings`;
}

async function get<T>(url: string, path: string, headers: Record<string, string>): Promise<T> {
  const response = await fetch(url + path, { headers });
  if (response.status !== 200) throw new Error(`GET ${path}: ${response.status}`);
  return (await response.json()) as T;
}

async function send<T>(
  url: string,
  path: string,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): Promise<T> {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (response.status !== status) throw new Error(`POST ${path}: ${response.status} ${text}`);
  return JSON.parse(text) as T;
}
