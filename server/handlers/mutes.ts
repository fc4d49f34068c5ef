import type { TenantConnection } from '../database/tenant-database.ts';
import { settingsFrom } from '../identity/tenant-settings.ts';
import { newId } from '../ids.ts';
import {
  deleteMute,
  holdProject,
  insertMute,
  listMutes,
  type MuteTarget,
} from '../mutes/mute-rows.ts';
import { muteView, selectorView } from '../mutes/mute-view.ts';
import { actorOf } from '../pipeline/audit.ts';
import { idAfter, pageFrom } from '../pipeline/cursor.ts';
import type { HandlersOf } from '../pipeline/handler.ts';
import { notFound, validationFailed } from '../pipeline/problems.ts';

export const mutes: HandlersOf<'mutes'> = {
  async list({ input: { query }, db, origin }) {
    const { limit, cursor, active } = query;
    const page = { before: idAfter(cursor), limit: limit + 1, active };
    const rows = await listMutes(db, page, origin.at);
    return { status: 200, body: pageFrom(rows, limit, (row) => row.id, muteView) };
  },

  async create({ input: { body }, principal, db, origin, audit }) {
    const { fingerprint = null, selector = null, reason } = body;
    const expiresAt = await expiryOf(db, body.expiresAt, origin.at);
    const target = await targetOf(db, fingerprint, selector ?? {});
    const { id: userId, label } = actorOf(principal);
    const id = newId();
    const createdBy = { id: userId, label };
    await insertMute(db, { id, target, reason, expiresAt, createdBy, createdAt: origin.at });
    const about = fingerprint === null ? { selector } : { fingerprint };
    audit({ subject: id, detail: { ...about, expiresAt: expiresAt.toISOString() } });
    return {
      status: 201,
      body: {
        id,
        fingerprint,
        selector,
        reason,
        expiresAt: expiresAt.toISOString(),
        createdBy: { id: userId, label: label ?? '' },
        createdAt: origin.at.toISOString(),
      },
    };
  },

  async delete({ input: { params }, db, audit }) {
    const lifted = await deleteMute(db, params.id);
    if (lifted === null) throw notFound();
    const { fingerprint } = muteView(lifted);
    const about = fingerprint === null ? { selector: selectorView(lifted) } : { fingerprint };
    audit({ subject: lifted.id, detail: about });
    return { status: 204, body: undefined };
  },
};

const DAY_MS = 24 * 3600 * 1000;

/** @throws {ProblemError} VALIDATION_FAILED for a moment that is not in the future. */
async function expiryOf(db: TenantConnection, asked: string | undefined, now: Date): Promise<Date> {
  if (asked === undefined) {
    const { muteDefaultDays } = await settingsOf(db);
    return new Date(now.getTime() + muteDefaultDays * DAY_MS);
  }
  const expiresAt = new Date(asked);
  if (expiresAt > now) return expiresAt;
  throw validationFailed([{ path: 'body.expiresAt', message: 'must be in the future' }]);
}

async function settingsOf(db: TenantConnection) {
  const [row] = await db.sql<{ settings: unknown }>(SETTINGS);
  return settingsFrom(row?.settings);
}

interface Selector {
  readonly ruleId?: string | undefined;
  readonly asset?: string | undefined;
  readonly project?: string | undefined;
  readonly label?: string | undefined;
}

/** @throws {ProblemError} VALIDATION_FAILED for a project that the tenant does not have. */
async function targetOf(
  db: TenantConnection,
  fingerprint: string | null,
  { ruleId, asset, project, label }: Selector,
): Promise<MuteTarget> {
  return {
    fingerprint: fingerprint === null ? null : Buffer.from(fingerprint, 'hex'),
    ruleId: ruleId ?? null,
    asset: asset ?? null,
    projectId: project === undefined ? null : await projectOf(db, project),
    label: label === undefined ? null : labelFrom(label),
  };
}

async function projectOf(db: TenantConnection, name: string): Promise<string> {
  const id = await holdProject(db, name);
  if (id !== null) return id;
  throw validationFailed([
    { path: 'body.selector.project', message: 'is not a project of your tenant' },
  ]);
}

/** `key`, or `key=value`, where the value may be empty and may hold an `=` of its own. */
function labelFrom(label: string): { key: string; value: string | null } {
  const [key = '', ...value] = label.split('=');
  return { key, value: value.length === 0 ? null : value.join('=') };
}

const SETTINGS = {
  name: 'mute-settings',
  text: 'SELECT t.settings FROM identity.this_tenant() t',
};
