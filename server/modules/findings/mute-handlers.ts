import { MUTE_LIMITS } from '@cspm/contract';
import { actorOf } from '../../platform/audit-writer.ts';
import { idAfter, pageFrom } from '../../platform/cursor.ts';
import type { TenantConnection } from '../../platform/database/tenant-database.ts';
import type { HandlersOf } from '../../platform/handler.ts';
import { newId } from '../../platform/ids.ts';
import type { Principal } from '../../platform/principal.ts';
import { notFound, ProblemError, validationFailed } from '../../platform/problem.ts';
import { lockTenant, settingsFrom } from '../tenants/index.ts';
import { demandFindings, findMatches, muteFindings } from './bulk-mutes.ts';
import {
  countActive,
  deleteMute,
  findMutedFinding,
  holdProject,
  insertMute,
  listMutes,
  type MuteTarget,
} from './mute-queries.ts';
import { mutedFindingView, muteView, selectorView } from './mute-view.ts';

export const mutes: HandlersOf<'mutes'> = {
  async list({ input: { query }, db, origin }) {
    const { limit, cursor, active, finding } = query;
    const page = { before: idAfter(cursor), limit: limit + 1, active, finding };
    const rows = await listMutes(db, page, origin.at);
    return { status: 200, body: pageFrom(rows, limit, (row) => row.id, muteView) };
  },

  async create({ input: { body }, principal, db, origin, audit }) {
    const { fingerprint = null, selector = null, reason } = body;
    const expiresAt = await expiryOf(db, body.expiresAt, origin.at);
    // One at a time for a tenant, so that requests at the same moment cannot exceed the limits.
    await lockTenant(db);
    const target = await targetOf(db, fingerprint, selector ?? {});
    await refuseTooMany(db, target, origin.at);
    const { id: userId, label } = actorOf(principal);
    const id = newId();
    const createdBy = { id: userId, label };
    await insertMute(db, { id, target, reason, expiresAt, createdBy, createdAt: origin.at });
    const about = fingerprint === null ? { selector } : { fingerprint };
    const isShown = target.fingerprint !== null && principal.permissions.has('findings.read');
    const finding = isShown ? await findMutedFinding(db, target.fingerprint) : undefined;
    audit({ subject: id, detail: { ...about, expiresAt: expiresAt.toISOString() } });
    return {
      status: 201,
      body: {
        id,
        fingerprint,
        finding: finding === undefined ? null : mutedFindingView(finding),
        selector,
        reason,
        expiresAt: expiresAt.toISOString(),
        createdBy: { id: userId, label: label ?? '' },
        createdAt: origin.at.toISOString(),
      },
    };
  },

  async bulkCreate({ input: { body }, principal, db, origin, audit }) {
    const { findingIds, filter, reason } = body;
    if (filter !== undefined) demandRead(principal);
    const expiresAt = await expiryOf(db, body.expiresAt, origin.at);
    if (findingIds !== undefined) await demandFindings(db, findingIds);
    const ids = findingIds ?? (await findMatches(db, filter ?? {}, origin.at));
    const matched = new Set(ids).size;
    await lockTenant(db);
    const { id: userId, label } = actorOf(principal);
    const createdBy = { id: userId, label };
    // The default end is later in each request: with it, a repetition would mute everything again.
    const enoughUntil = body.expiresAt === undefined ? origin.at : expiresAt;
    const mute = { reason, expiresAt, enoughUntil, createdBy, createdAt: origin.at };
    const created = matched === 0 ? [] : await muteFindings(db, ids, mute);
    const numbers = { matched, muted: created.length, unchanged: matched - created.length };
    audit({
      subject: created[0] ?? 'none',
      detail: {
        ...(filter === undefined ? {} : { filter }),
        ...numbers,
        findingIds: ids.slice(0, AUDITED_IDS),
        expiresAt: expiresAt.toISOString(),
      },
    });
    return {
      status: 200,
      body: {
        ...numbers,
        mutes: created.slice(0, MUTE_LIMITS.bulkIds),
        expiresAt: expiresAt.toISOString(),
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

/** The number of matches tells what is in the findings. */
function demandRead({ permissions }: Principal): void {
  if (permissions.has('findings.read')) return;
  throw new ProblemError(
    'FORBIDDEN',
    'Muting all findings that match a filter also requires the permission findings.read.',
    { members: { permission: 'findings.read' } },
  );
}

/** How many ids of findings the audit row of a bulk request has; `matched` says how many there were. */
const AUDITED_IDS = 100;

/** @throws {ProblemError} CONFLICT when the number of active mutes has reached its limit, in all or for this scope. */
async function refuseTooMany(db: TenantConnection, target: MuteTarget, now: Date): Promise<void> {
  const { active, inScope } = await countActive(db, target, now);
  if (active >= MUTE_LIMITS.active) {
    throw new ProblemError(
      'CONFLICT',
      `Your tenant has ${active} active mutes; the limit is ${MUTE_LIMITS.active}. Delete some, or mute more findings with one selector.`,
    );
  }
  if (target.fingerprint === null && inScope >= MUTE_LIMITS.perScope) {
    throw new ProblemError(
      'CONFLICT',
      `${inScope} active mutes name ${scopeOf(target)}; the limit is ${MUTE_LIMITS.perScope}. Delete some, combine them, or ${target.ruleId === null ? 'name a rule in the selector' : 'mute single findings by their fingerprints'}.`,
    );
  }
}

function scopeOf({ ruleId, projectId }: MuteTarget): string {
  if (ruleId !== null) return `the rule ${ruleId}`;
  return projectId === null ? 'neither a rule nor a project' : 'this project and no rule';
}

const DAY_MS = 24 * 3600 * 1000;

/** @throws {ProblemError} VALIDATION_FAILED when the time is not in the future. */
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

/** @throws {ProblemError} VALIDATION_FAILED when the tenant has no such project. */
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

/** Parses `key` or `key=value`. The value may be empty and may contain `=`. */
function labelFrom(label: string): { key: string; value: string | null } {
  const [key = '', ...value] = label.split('=');
  return { key, value: value.length === 0 ? null : value.join('=') };
}

const SETTINGS = {
  name: 'mute-settings',
  reason: 'function',
  text: 'SELECT t.settings FROM identity.this_tenant() t',
};
