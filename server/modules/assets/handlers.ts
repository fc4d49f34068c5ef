import { keyAfter, pageFrom } from '../../platform/cursor.ts';
import type { TenantConnection } from '../../platform/database/tenant-database.ts';
import type { HandlersOf } from '../../platform/handler.ts';
import { notFound, ProblemError, validationFailed } from '../../platform/problem.ts';
import { detailsOf } from './details.ts';
import { type AssetPosition, type AssetRow, assetView, listAssets } from './list.ts';
import { type CurrentInventory, findAsset, findCurrentInventory } from './queries.ts';

export const assets: HandlersOf<'assets'> = {
  async list({ input: { params, query }, db }) {
    const { limit, cursor, ...filter } = query;
    const after = positionAfter(cursor);
    const { projectId, inventory } = await current(db, params.project);
    const rows =
      inventory === null
        ? []
        : await listAssets(
            db,
            { projectId, inventoryId: inventory.id },
            { ...filter, location: filter.location?.map((one) => one.toLowerCase()) },
            { after, limit: limit + 1 },
          );
    return { status: 200, body: pageFrom(rows, limit, keyOf, assetView) };
  },

  async lookup({ input: { params, query }, db, origin }) {
    const { projectId, inventory } = await current(db, params.project);
    const found = inventory === null ? null : await findAsset(db, inventory.id, query);
    if (inventory === null || found === null) throw notFound();
    const project = { id: projectId, name: params.project };
    return { status: 200, body: await detailsOf(db, project, inventory, found, origin.at) };
  },
};

/** @throws {ProblemError} NOT_FOUND; SERVICE_UNAVAILABLE while the inventory has no index */
async function current(db: TenantConnection, project: string): Promise<CurrentInventory> {
  const found = await findCurrentInventory(db, project);
  if (found === null) throw notFound();
  if (found.inventory?.isIndexed === false) {
    throw new ProblemError(
      'SERVICE_UNAVAILABLE',
      'An earlier release stored this inventory, and its assets are being indexed. Try again later, or upload it again.',
      { headers: { 'Retry-After': '60' } },
    );
  }
  return found;
}

/** A name and a type cannot contain NUL. The order is the same under every filter, so a cursor is valid under all. */
const keyOf = ({ name, type }: AssetRow) => `${name}\0${type}`;

function positionAfter(cursor: string | undefined): AssetPosition | null {
  const key = keyAfter(cursor);
  if (key === null) return null;
  const [name, type, ...more] = key.split('\0');
  if (name === undefined || type === undefined || more.length > 0) {
    throw validationFailed([{ path: 'query.cursor', message: 'is not a valid cursor' }]);
  }
  return { name, type };
}
