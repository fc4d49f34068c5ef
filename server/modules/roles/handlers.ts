import { wholeList } from '../../platform/cursor.ts';
import type { Statement } from '../../platform/database/tenant-database.ts';
import type { HandlersOf } from '../../platform/handler.ts';
import { notFound, ProblemError } from '../../platform/problem.ts';
import { demandStanding, lockTenant } from '../tenants/index.ts';
import { inOrder, isBuiltIn, listRoles, ROLES_MAX } from './queries.ts';
import { demandHeld } from './role-delegation.ts';

export const roles: HandlersOf<'roles'> = {
  async list({ db }) {
    const all = await listRoles(db);
    const items = all.map((role) => ({ ...role, permissions: [...role.permissions] }));
    return { status: 200, body: wholeList(items) };
  },

  async create({ input: { body }, principal, db, origin, audit }) {
    demandHeld(principal, body.permissions);
    await lockTenant(db);
    await demandStanding(db, principal, origin.at);
    const own = (await listRoles(db)).filter(({ builtIn }) => !builtIn);
    if (own.length >= ROLES_MAX) {
      throw new ProblemError(
        'CONFLICT',
        `Your tenant has ${ROLES_MAX} roles besides the built-in ones, which is the limit. Delete one first.`,
      );
    }
    const { name } = body;
    const permissions = inOrder(body.permissions);
    const [created] = isBuiltIn(name) ? [] : await db.sql(CREATE, [name, permissions]);
    if (created === undefined) {
      throw new ProblemError('CONFLICT', `A role with the name ${name} already exists.`);
    }
    audit({ subject: name, detail: { permissions } });
    return { status: 201, body: { name, permissions, builtIn: false } };
  },

  async update({ input: { params, body }, principal, db, origin, audit }) {
    const { name } = params;
    demandHeld(principal, body.permissions);
    demandOwn(name);
    await lockTenant(db);
    await demandStanding(db, principal, origin.at);
    const permissions = inOrder(body.permissions);
    const [changed] = await db.sql(CHANGE, [name, permissions]);
    if (changed === undefined) throw notFound();
    audit({ subject: name, detail: { permissions } });
    return { status: 200, body: { name, permissions, builtIn: false } };
  },

  async delete({ input: { params }, principal, db, origin, audit }) {
    const { name } = params;
    demandOwn(name);
    await lockTenant(db);
    await demandStanding(db, principal, origin.at);
    const [row] = await db.sql<{ outcome: string }>(DELETE, [name]);
    if (row?.outcome === 'unknown') throw notFound();
    if (row?.outcome !== 'deleted') {
      throw new ProblemError(
        'CONFLICT',
        `The role ${name} is in use. Assign another role to its members first.`,
      );
    }
    audit({ subject: name });
    return { status: 204, body: undefined };
  },
};

/** @throws {ProblemError} CONFLICT for a built-in role. */
function demandOwn(name: string): void {
  if (isBuiltIn(name)) {
    throw new ProblemError('CONFLICT', `The role ${name} is built in and cannot be changed.`);
  }
}

const CREATE: Statement = {
  name: 'role-create',
  reason: 'function',
  text: 'SELECT * FROM identity.create_role($1, $2)',
};
const CHANGE: Statement = {
  name: 'role-change',
  reason: 'function',
  text: 'SELECT * FROM identity.change_role($1, $2)',
};
const DELETE: Statement = {
  name: 'role-delete',
  reason: 'function',
  text: 'SELECT identity.delete_role($1) AS outcome',
};
