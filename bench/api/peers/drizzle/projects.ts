import { randomUUID } from 'node:crypto';
import { v7 } from 'uuid';
import type { Principal } from '../service/principal.ts';
import type { NewProject, Project } from '../service/schemas.ts';
import { inTenant } from './client.ts';
import { auditEvents, projects } from './tables.ts';

/** Inserts the project and the audit row in one transaction; null: the name exists already. */
export async function createProject(
  { apiKeyId, tenantId, userId, email }: Principal,
  { name, description }: NewProject,
  ip: string,
): Promise<Project | null> {
  const [id, at] = [v7(), new Date()];
  return inTenant(tenantId, async (tx) => {
    const [project] = await tx
      .insert(projects)
      .values({ tenantId, id, name, description: description ?? null, createdAt: at })
      .onConflictDoNothing()
      .returning();
    if (project === undefined) return null;
    await tx.insert(auditEvents).values({
      tenantId,
      id: v7(),
      at,
      action: 'project.created',
      outcome: 'success',
      actorKind: 'api_key',
      actorId: userId,
      actorLabel: email,
      ip,
      correlationId: randomUUID(),
      subject: name,
      detail: { projectId: id, apiKeyId },
    });
    return {
      id: project.id,
      name: project.name,
      description: project.description,
      inventory: null,
      hasSource: false,
      createdAt: project.createdAt.toISOString(),
    };
  });
}
