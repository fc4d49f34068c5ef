import { ASSET_FINDINGS_SHOWN } from '@cspm/contract';
import { type JsonObject, type JsonValue, looksLikeSecret } from '@cspm/scanner';
import type { TenantConnection } from '../../platform/database/tenant-database.ts';
import { findingView } from '../findings/index.ts';
import { type FindingRow, listFindings } from '../findings/queries.ts';
import type { CurrentInventory, StoredAsset } from './queries.ts';
import { verdictsOf } from './verdicts.ts';

/** Maps an asset to its contract type, with its findings and the verdicts of the last scan. */
export async function detailsOf(
  db: TenantConnection,
  project: { readonly id: string; readonly name: string },
  { id, createdAt }: NonNullable<CurrentInventory['inventory']>,
  { name, type, location, seq, line, record }: StoredAsset,
  now: Date,
) {
  const findings = await findingsOf(db, project.name, { name, type }, now);
  const place = { name, type, inventoryId: id, seq, line };
  const { scan, verdicts } = await verdictsOf(db, project.id, place);
  // Looking for credentials in a large record takes milliseconds.
  await db.turn();
  return {
    name,
    type,
    location,
    inventory: { id, createdAt: createdAt.toISOString() },
    asset: record === null ? null : redacted(record),
    findings: findings.map(findingView),
    scan,
    verdicts,
  };
}

async function findingsOf(
  db: TenantConnection,
  project: string,
  { name, type }: { readonly name: string; readonly type: string },
  now: Date,
): Promise<FindingRow[]> {
  const rows: FindingRow[] = [];
  for (const status of ['open', 'resolved']) {
    const limit = ASSET_FINDINGS_SHOWN - rows.length;
    if (limit === 0) break;
    const filter = { project: [project], asset: name, assetType: [type], status: [status] };
    rows.push(...(await listFindings(db, filter, { sort: 'severity', after: null, limit, now })));
  }
  return rows;
}

/** Replaces texts that contain a credential. What an inventory nests deeper than its limits was refused at the upload. */
function redacted(value: JsonObject): Record<string, ShownValue> {
  return Object.fromEntries(
    Object.entries(value).map(([member, content]) => [member, redactedValue(content)]),
  );
}

type ShownValue =
  | string
  | number
  | boolean
  | null
  | ShownValue[]
  | { [member: string]: ShownValue };

function redactedValue(value: JsonValue): ShownValue {
  if (typeof value === 'string') return looksLikeSecret(value) ? '[redacted]' : value;
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value) ? value.map(redactedValue) : redacted(value as JsonObject);
}
