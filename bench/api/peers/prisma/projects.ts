import { randomUUID } from 'node:crypto';
import { v7 } from 'uuid';
import { Prisma } from '../../../../server/platform/database/generated/client.ts';
import type { Principal } from '../service/principal.ts';
import type { NewProject, Project } from '../service/schemas.ts';
import { inTenant } from './client.ts';

/** Inserts the project and the audit row in one transaction; null: the name exists already. */
export async function createProject(
  { apiKeyId, tenantId, userId, email }: Principal,
  { name, description }: NewProject,
  ip: string,
): Promise<Project | null> {
  const [id, at] = [v7(), new Date()];
  try {
    const project = await inTenant(tenantId, async (tx) => {
      const made = await tx.project.create({
        data: { tenantId, id, name, description: description ?? null, createdAt: at },
      });
      await tx.auditEvent.create({
        data: {
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
        },
      });
      return made;
    });
    return {
      id: project.id,
      name: project.name,
      description: project.description,
      inventory: null,
      hasSource: false,
      createdAt: project.createdAt.toISOString(),
    };
  } catch (error) {
    if (error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002') {
      return null;
    }
    throw error;
  }
}
