import { GoogleCloudError } from '@cspm/google-cloud';
import { actorOf } from '../../platform/audit-writer.ts';
import type { KeyRing } from '../../platform/crypto/app-secrets.ts';
import type { TenantConnection, TenantDatabase } from '../../platform/database/tenant-database.ts';
import type { HandlersOf } from '../../platform/handler.ts';
import type { Principal } from '../../platform/principal.ts';
import { notFound } from '../../platform/problem.ts';
import type { UploadSlotOptions, UploadSlots } from '../inventories/index.ts';
import { googlePrincipalPrefix } from '../tenants/index.ts';
import { parseCredential, parseSourceParent, sealKey } from './credential.ts';
import type { GoogleClients } from './google-clients.ts';
import { failPullsOf, SOURCE_DELETED, SOURCE_REPLACED } from './pull-progress.ts';
import { listPulls } from './pull-queries.ts';
import {
  deleteSource,
  findProjectId,
  findSource,
  lockProject,
  putSource,
  type Requester,
  type SourceRow,
} from './queries.ts';
import { sourceView } from './view.ts';

export interface SourceServices {
  readonly tenants: TenantDatabase;
  readonly sources: {
    readonly keys: KeyRing;
    readonly google: GoogleClients;
    readonly checks: UploadSlots;
  };
}

/** Concurrent checks of a process, which wait for Google. */
export const SOURCE_CHECK_SLOTS: UploadSlotOptions = {
  total: 16,
  perTenant: 2,
  waitingPerTenant: 4,
  waitMs: 20_000,
  unit: 'source check',
  limit: 'source-checks',
};

/** Short, because a person waits for the check. */
const CHECK_WITHIN_MS = 20_000;

export const sources: HandlersOf<'sources', SourceServices> = {
  async set({ input: { params, body }, principal, db, services, origin, audit }) {
    const { tenantId } = db;
    const projectId = await lockProject(db, params.name);
    if (projectId === null) throw notFound();
    const parent = parseSourceParent(body.parent);
    const prefix = googlePrincipalPrefix(tenantId);
    const credential = parseCredential(body.credential, prefix);
    const { credentialType, principal: account, privateKey } = credential;
    const of = { tenantId, projectId, principal: account };
    const by = requesterOf(principal);
    const isReplaced = await putSource(db, {
      projectId,
      kind: body.kind,
      parent,
      credentialType,
      principal: account,
      credential: privateKey === null ? null : sealKey(services.sources.keys, of, privateKey),
      createdByKind: by.kind,
      createdById: by.id,
      createdByLabel: by.label,
      createdAt: origin.at,
    });
    await failPullsOf(db, projectId, SOURCE_REPLACED, origin.at);
    audit({ subject: params.name, detail: { projectId, parent, credentialType, account } });
    const view = await viewOf(db, await find(db, projectId));
    return isReplaced ? { status: 200, body: view } : { status: 201, body: view };
  },

  async get({ input: { params }, db }) {
    const projectId = await findProjectId(db, params.name);
    return { status: 200, body: await viewOf(db, await find(db, projectId)) };
  },

  async delete({ input: { params }, db, origin, audit }) {
    const projectId = await lockProject(db, params.name);
    if (projectId === null || !(await deleteSource(db, projectId))) throw notFound();
    await failPullsOf(db, projectId, SOURCE_DELETED, origin.at);
    audit({ subject: params.name, detail: { projectId } });
    return { status: 204, body: undefined };
  },

  async check({ input: { params }, principal, services }) {
    const tenantId = principal.tenant.id;
    const source = await services.tenants.read(tenantId, async (db) =>
      find(db, await findProjectId(db, params.name)),
    );
    // Without a connection: Google may take its time.
    const report = await services.sources.checks.run(tenantId, () =>
      check(services.sources.google, tenantId, source),
    );
    return {
      status: 200,
      body: { ok: report.ok, checks: report.checks.map((one) => ({ ...one })) },
    };
  },
};

/** Reports every fault of Google and of the credential as a failed check. */
async function check(google: GoogleClients, tenantId: string, source: SourceRow) {
  const { projectId, principal, credential: sealed, parent } = source;
  const tooLate = new AbortController();
  const timer = setTimeout(() => tooLate.abort(NO_ANSWER), CHECK_WITHIN_MS);
  try {
    const client = google.open({ tenantId, projectId, principal, sealed });
    return await client.check(parent, tooLate.signal);
  } catch (error) {
    if (!(error instanceof GoogleCloudError)) throw error;
    const { message: detail, remedy } = error;
    return { ok: false, checks: [{ name: 'credential', ok: false, detail, remedy }] };
  } finally {
    clearTimeout(timer);
  }
}

const NO_ANSWER = new GoogleCloudError(
  'unavailable',
  `Google did not answer within ${CHECK_WITHIN_MS / 1000} s.`,
  'Try again.',
);

export function requesterOf(principal: Principal): Requester {
  const { kind, id, label } = actorOf(principal);
  return { kind, id, label: label ?? kind };
}

async function find(db: TenantConnection, projectId: string | null): Promise<SourceRow> {
  const source = projectId === null ? null : await findSource(db, projectId);
  if (source === null) throw notFound();
  return source;
}

async function viewOf(db: TenantConnection, source: SourceRow) {
  const [last] = await listPulls(db, source.projectId, { before: null, limit: 1 });
  return sourceView(source, last ?? null);
}
