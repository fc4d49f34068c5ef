import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { PERMISSIONS } from '@cspm/contract';
import { ingest } from '../modules/inventories/upload.ts';
import { insertProject } from '../modules/projects/queries.ts';
import { writeAudit } from '../platform/audit-writer.ts';
import { newId } from '../platform/ids.ts';
import type { Principal } from '../platform/principal.ts';
import { ROOT } from '../platform/root.ts';
import type { Services } from '../services.ts';
import type { FirstCredentials } from './first-credentials.ts';

const NAME = 'demo';
const SAMPLE = new URL('samples/shop-prod.ndjson', ROOT);

/** Creates the project `demo` with the sample inventory in the first tenant of a development server. */
export async function createDemoProject(
  services: Services,
  first: FirstCredentials,
): Promise<void> {
  const now = services.clock.now();
  const origin = { ip: '', correlationId: randomUUID(), at: now };
  const project = {
    id: newId(),
    name: NAME,
    description: 'Sample inventory for first steps',
    createdAt: now,
  };
  await services.tenants.write(first.tenantId, async (db) => {
    await insertProject(db, project);
    await writeAudit(db, origin, {
      action: 'project.created',
      outcome: 'success',
      actor: { kind: 'system', id: null, label: 'bootstrap' },
      subject: NAME,
    });
  });
  const upload = {
    project: NAME,
    format: 'ndjson' as const,
    body: createReadStream(SAMPLE),
    principal: adminOf(first),
    origin,
    isAbandoned: () => false,
    reauthorize: async () => undefined,
    client: null,
  };
  await ingest(services.tenants, upload, services.inventories);
}

/** The first admin as a session principal. */
function adminOf(first: FirstCredentials): Principal {
  return {
    kind: 'jwt',
    user: {
      id: first.userId,
      email: first.email,
      name: null,
      emailVerified: true,
      twoFactorEnabled: false,
    },
    tenant: { id: first.tenantId, name: '', features: [] },
    role: 'admin',
    permissions: new Set(PERMISSIONS),
    homeTenantId: first.tenantId,
    sessionId: first.userId,
    sessionStartedAt: new Date(0),
    confined: false,
    provider: null,
    mfa: false,
    expiresAt: null,
  };
}
