import type { Feature } from '@cspm/contract';
import type { Row, Statement } from '../database/tenant-database.ts';
import { settingsFrom } from '../identity/tenant-settings.ts';
import type { HandlersOf } from '../pipeline/handler.ts';
import { notFound } from '../pipeline/problems.ts';

export const tenant: HandlersOf<'tenant'> = {
  async get({ db }) {
    const [row] = await db.sql<TenantRow>(GET);
    if (row === undefined) throw notFound();
    return { status: 200, body: tenantView(row) };
  },

  async update({ input: { body }, db, audit }) {
    const { name = null, settings = {} } = body;
    const [row] = await db.sql<TenantRow>(CHANGE, [name, JSON.stringify(settings)]);
    if (row === undefined) throw notFound();
    audit({ subject: row.id, detail: body });
    return { status: 200, body: tenantView(row) };
  },
};

interface TenantRow extends Row {
  id: string;
  name: string;
  features: string[];
  settings: unknown;
}

function tenantView({ id, name, features, settings }: TenantRow) {
  // The database holds names from the catalogue alone: the operator's command checks that.
  return { id, name, features: features as Feature[], settings: settingsFrom(settings) };
}

const GET: Statement = { name: 'tenant-get', text: 'SELECT * FROM identity.this_tenant()' };
const CHANGE: Statement = {
  name: 'tenant-change',
  text: 'SELECT * FROM identity.change_tenant($1, $2::jsonb)',
};
