import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { PERMISSIONS } from '@cspm/contract';
import type { Principal } from '../identity/principal.ts';
import { newId } from '../ids.ts';
import { takeIn } from '../inventories/upload.ts';
import { writeAudit } from '../pipeline/audit.ts';
import { insertProject } from '../projects/project-rows.ts';
import type { Services } from '../services.ts';
import type { Bootstrapped } from './bootstrap.ts';

const NAME = 'demo';
const SAMPLE = new URL('../../samples/shop-prod.ndjson', import.meta.url);

/** Gives the first tenant of a development server a project with an inventory, so that there is something to scan. */
export async function createDemoProject(services: Services, first: Bootstrapped): Promise<void> {
  const now = services.clock.now();
  const origin = { ip: '', correlationId: randomUUID(), at: now };
  const project = {
    id: newId(),
    name: NAME,
    description: 'A sample to try things on',
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
  };
  await takeIn(services.tenants, upload, services.inventories);
}

/** The first admin, as if they had signed in. */
function adminOf(first: Bootstrapped): Principal {
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
    mfa: false,
    expiresAt: null,
  };
}
