import { VIEWS_MAX } from '@cspm/contract';
import { idAfter, pageFrom } from '../../platform/cursor.ts';
import type { TenantConnection } from '../../platform/database/tenant-database.ts';
import type { HandlersOf } from '../../platform/handler.ts';
import { newId } from '../../platform/ids.ts';
import { type Principal, userOf } from '../../platform/principal.ts';
import { notFound, ProblemError } from '../../platform/problem.ts';
import { lockTenant } from '../tenants/index.ts';
import {
  countViews,
  deleteView,
  findView,
  insertView,
  isNameTaken,
  listViews,
  updateView,
  type ViewRow,
} from './queries.ts';

// The audit rows say neither the name nor the filters of a view: those of a private one are its owner's alone.
export const views: HandlersOf<'views'> = {
  async list({ input: { query }, principal, db }) {
    const page = { before: idAfter(query.cursor), limit: query.limit + 1 };
    const rows = await listViews(db, principal.user?.id ?? null, page);
    return { status: 200, body: pageFrom(rows, query.limit, (row) => row.id, viewOf) };
  },

  async create({ input: { body }, principal, db, origin, audit }) {
    const user = userOf(principal);
    // One at a time for a tenant, so that requests at the same moment cannot exceed the limit.
    await lockTenant(db);
    if ((await countViews(db, user.id)) >= VIEWS_MAX) {
      throw new ProblemError(
        'CONFLICT',
        `You have ${VIEWS_MAX} views, which is the limit. Delete one first.`,
      );
    }
    const view = { id: newId(), ownerId: user.id, ...definitionOf(body), createdAt: origin.at };
    if (!(await insertView(db, view))) throw nameTaken(body.name);
    audit({ subject: view.id, detail: { shared: body.shared } });
    return { status: 201, body: viewOf({ ...view, owner: user.email }) };
  },

  async update({ input: { params, body: given }, principal, db, audit }) {
    const body = definitionOf(given);
    const view = await changeable(db, principal, params.id);
    if (await isNameTaken(db, view, body.name)) throw nameTaken(body.name);
    const outcome = await updateView(db, view.id, body);
    if (outcome === 'taken') throw nameTaken(body.name);
    if (outcome === 'unknown') throw notFound();
    // The database deletes private views of people who have left.
    if (!body.shared && (await findView(db, view.ownerId, view.id)) === null) throw ownerHasLeft();
    audit({ subject: view.id, detail: { shared: body.shared } });
    return { status: 200, body: viewOf({ ...view, ...body }) };
  },

  async delete({ input: { params }, principal, db, audit }) {
    const view = await changeable(db, principal, params.id);
    if (!(await deleteView(db, view.id))) throw notFound();
    audit({ subject: view.id, detail: { shared: view.shared } });
    return { status: 204, body: undefined };
  },
};

/** People copy a query with its question mark, or add one more. The console compares queries without it. */
function definitionOf<Body extends { readonly query: string }>(body: Body): Body {
  return { ...body, query: body.query.replace(/^\?+/, '') };
}

/**
 * A view that the principal may change.
 * @throws {ProblemError} NOT_FOUND for a view that it cannot see, FORBIDDEN for a shared one of somebody else.
 */
async function changeable(
  db: TenantConnection,
  { user, permissions }: Principal,
  id: string,
): Promise<ViewRow> {
  const view = await findView(db, user?.id ?? null, id);
  if (view === null) throw notFound();
  if (view.ownerId === user?.id || permissions.has('admin.settings')) return view;
  throw new ProblemError(
    'FORBIDDEN',
    'This view belongs to somebody else. Its owner and administrators can change it.',
    { members: { permission: 'admin.settings' } },
  );
}

function nameTaken(name: string): ProblemError {
  return new ProblemError('CONFLICT', `A view with the name ${name} already exists.`);
}

function ownerHasLeft(): ProblemError {
  return new ProblemError(
    'CONFLICT',
    'The owner of this view has left the tenant, so nobody could see it. Leave it shared, or delete it.',
  );
}

/** A view as the contract shows it. */
function viewOf({ id, name, query, shared, ownerId, owner, createdAt }: ViewRow) {
  return {
    id,
    name,
    query,
    shared,
    createdBy: { id: ownerId, label: owner },
    createdAt: createdAt.toISOString(),
  };
}
