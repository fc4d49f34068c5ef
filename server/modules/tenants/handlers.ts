import type { Feature } from '@cspm/contract';
import type { Statement } from '../../platform/database/tenant-database.ts';
import type { HandlersOf } from '../../platform/handler.ts';
import { notFound } from '../../platform/problem.ts';
import { googlePrincipalPrefix } from './google-principal.ts';
import { settingsFrom } from './tenant-settings.ts';

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

interface TenantRow {
  id: string;
  name: string;
  features: string[];
  settings: unknown;
}

function tenantView({ id, name, features, settings }: TenantRow) {
  // The operator's command stores only features of the catalogue, so the cast is safe.
  return {
    id,
    name,
    features: features as Feature[],
    settings: settingsFrom(settings),
    googlePrincipalPrefix: googlePrincipalPrefix(id),
  };
}

const GET: Statement = {
  name: 'tenant-get',
  reason: 'function',
  text: 'SELECT * FROM identity.this_tenant()',
};
const CHANGE: Statement = {
  name: 'tenant-change',
  reason: 'function',
  text: 'SELECT * FROM identity.change_tenant($1, $2::jsonb)',
};
