import { attachment } from '../../platform/attachment.ts';
import { idAfter, pageFrom } from '../../platform/cursor.ts';
import { pausingReads } from '../../platform/database/pausing-reads.ts';
import type { TenantReads } from '../../platform/database/replica-reads.ts';
import type { TenantDatabase } from '../../platform/database/tenant-database.ts';
import type { HandlersOf } from '../../platform/handler.ts';
import { currentIdOf } from '../members/index.ts';
import { exportEvents } from './export.ts';
import { mergedEvents } from './merged-events.ts';
import { type AuditFilter, type AuditRow, auditView, newestEvents } from './queries.ts';

interface AuditServices {
  readonly tenants: TenantDatabase;
  readonly identityTenants: TenantDatabase;
}

export const auditEvents: HandlersOf<'auditEvents', AuditServices> = {
  list: {
    // A request that waits for a second connection while it holds one can wait for others that do the same.
    async prepare({ input: { query }, principal, services }) {
      const { limit, cursor, ...asked } = query;
      const { tenants, identityTenants } = services;
      const tenantId = principal.tenant.id;
      const filter = await withCurrentIds(services, tenantId, asked);
      const page = { before: idAfter(cursor), limit: limit + 1 };
      const ofIdentities: AuditRow[][] = [];
      if (identityTenants !== tenants) {
        ofIdentities.push(
          await identityTenants.read(tenantId, (directory) =>
            newestEvents(directory, filter, page),
          ),
        );
      }
      return async ({ db }) => {
        const found = [await newestEvents(db, filter, page), ...ofIdentities];
        const rows = mergedEvents(found, page.limit, 'newest first');
        return { status: 200, body: pageFrom(rows, limit, (row) => row.id, auditView) };
      };
    },
  },

  async export({ input: { query }, principal, reads, services, origin, pause }) {
    // Exclude events written during the export, or it might never end.
    const isOver = query.to !== undefined && new Date(query.to) < origin.at;
    const to = isOver ? query.to : origin.at.toISOString();
    const tenantId = principal.tenant.id;
    const filter = await withCurrentIds(services, tenantId, query);
    const databases = databasesOf(services, reads).map((db) => pausingReads(db, pause));
    return {
      status: 200,
      headers: { 'Content-Disposition': attachment('audit-events', origin.at, 'ndjson') },
      stream: exportEvents(databases, tenantId, { ...filter, to }),
    };
  },
};

/** Events have the ids of persons. A caller may know a person by the id of an accepted invitation. */
async function withCurrentIds<Filter extends AuditFilter>(
  { identityTenants }: AuditServices,
  tenantId: string,
  filter: Filter,
): Promise<Filter> {
  const ids = filter.actor?.filter((actor) => UUID.test(actor)).map((id) => id.toLowerCase()) ?? [];
  if (ids.length === 0) return filter;
  const actor = [...(filter.actor ?? []), ...ids];
  await identityTenants.read(tenantId, async (directory) => {
    for (const id of ids) actor.push(await currentIdOf(directory, id));
  });
  return { ...filter, actor };
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Events of operations on identities are in the directory database, which may have other rows of the tenant or not. */
function databasesOf(
  { tenants, identityTenants }: AuditServices,
  reads: TenantReads,
): readonly TenantReads[] {
  return tenants === identityTenants ? [reads] : [tenants, identityTenants];
}
