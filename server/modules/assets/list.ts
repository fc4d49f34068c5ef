import type { Severity } from '@cspm/scanner';
import type { Statement, TenantConnection } from '../../platform/database/tenant-database.ts';
import { likeLiteral, RANK, SEVERITIES } from '../findings/index.ts';

/** Which assets to select. Every member that is set has to match; of a list, one value has to. */
export interface AssetFilter {
  readonly type?: readonly string[] | undefined;
  /** Literal text in the name, in any letter case. */
  readonly q?: string | undefined;
  /** In lower case. */
  readonly location?: readonly string[] | undefined;
  /** Whether there are open findings. */
  readonly hasFindings?: boolean | undefined;
}

/** The asset after which a page begins. */
export interface AssetPosition {
  readonly name: string;
  readonly type: string;
}

export interface AssetRow {
  name: string;
  type: string;
  location: string | null;
  open: number;
  /** The rank of the worst severity, 1 for the worst; null: no open finding. */
  rank: number | null;
}

interface Source {
  readonly projectId: string;
  readonly inventoryId: string;
}

interface AssetPage {
  /** Null: the first page. */
  readonly after: AssetPosition | null;
  readonly limit: number;
}

/** A page of the assets of an inventory, in the order of their names and types. */
export async function listAssets(
  db: TenantConnection,
  source: Source,
  filter: AssetFilter,
  page: AssetPage,
): Promise<AssetRow[]> {
  const { statement, values } = assetsQuery(db.tenantId, source, filter, page);
  return db.sql<AssetRow>(statement, values);
}

/** Maps an asset to its contract type. */
export function assetView({ name, type, location, open, rank }: AssetRow) {
  return {
    name,
    type,
    location,
    openFindings: open,
    worstSeverity: rank === null ? null : ((SEVERITIES[rank - 1] ?? null) as Severity | null),
  };
}

/**
 * Hand-written: two orders of reading. A page is read from the index of the inventory, in the order of the page, until it
 * is full. Assets with findings may be few, so they are found through the open findings of the project, which another index
 * has in the same order. Not prepared: there are many forms.
 */
export function assetsQuery(
  tenantId: string,
  { projectId, inventoryId }: Source,
  filter: AssetFilter,
  { after, limit }: AssetPage,
): { readonly statement: Statement; readonly values: readonly unknown[] } {
  const values: unknown[] = [tenantId, projectId, inventoryId];
  const value = (one: unknown) => `$${values.push(one)}`;
  const { type, q, location, hasFindings } = filter;
  const conditions = ['a.tenant_id = $1', 'a.inventory_id = $3::uuid'];
  const name = after === null ? null : value(after.name);
  if (after !== null) conditions.push(`(a.name, a.type) > (${name}, ${value(after.type)})`);
  const found = [OPEN];
  if (type !== undefined) {
    const types = `${value(type)}::text[]`;
    conditions.push(`a.type = ANY (${types})`);
    found.push(`f.asset_type = ANY (${types})`);
  }
  if (q !== undefined) {
    const pattern = value(`%${likeLiteral(q)}%`);
    conditions.push(`a.name ILIKE ${pattern}`);
    found.push(`f.asset_name ILIKE ${pattern}`);
  }
  if (location !== undefined) conditions.push(`a.location = ANY (${value(location)}::text[])`);
  if (hasFindings === true) conditions.push('a.name = named.name');
  // The limit makes Postgres look up each asset separately.
  if (hasFindings === false) {
    conditions.push(`(SELECT 1 FROM findings f WHERE ${OPEN} AND ${named('a')} LIMIT 1) IS NULL`);
  }
  const assets = `SELECT a.name, a.type, a.location FROM inventory_assets a WHERE ${conditions.join(' AND ')}`;
  const order = 'ORDER BY a.name, a.type';
  const most = `LIMIT ${value(limit)}`;
  const first = name === null ? 'true' : `${NAME} >= ${name}`;
  const page =
    hasFindings === true
      ? `WITH RECURSIVE named AS (
           (${nextName([...found, first])})
           UNION ALL
           SELECT (${nextName([...found, `${NAME} > named.name`])}) FROM named WHERE named.name IS NOT NULL
         )
         SELECT a.name, a.type, a.location FROM named CROSS JOIN LATERAL (${assets} ${order} LIMIT 1000) a ${most}`
      : `${assets} ${order} ${most}`;
  const text = `
    SELECT a.name, a.type, a.location, found.open, found.rank
    FROM (${page}) a
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS open, min(${RANK}) AS rank FROM findings f WHERE ${OPEN} AND ${named('a')}
    ) found
    ${order}`;
  return { statement: { name: '', reason: 'set', text }, values };
}

const OPEN = "f.tenant_id = $1 AND f.project_id = $2::uuid AND f.status = 'open'";

const NAME = 'f.asset_name COLLATE "C"';

const named = (table: string) => `${NAME} = ${table}.name`;

/** The next name with an open finding. Taken one by one, so that the names end with the page. */
const nextName = (conditions: readonly string[]) =>
  `SELECT ${NAME} AS name FROM findings f WHERE ${conditions.join(' AND ')} ORDER BY ${NAME} LIMIT 1`;
