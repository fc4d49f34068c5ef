import { randomUUID } from 'node:crypto';
import { inTenant } from './client.mjs';

const INSERT_PROJECT = `
  INSERT INTO projects (tenant_id, id, name, description, created_at)
  VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (tenant_id, name) DO NOTHING RETURNING id`;

const INSERT_AUDIT = `
  INSERT INTO audit_events
    (tenant_id, id, at, action, outcome, actor_kind, actor_id, actor_label, target_tenant_id,
     ip, correlation_id, subject, detail)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`;

export async function createProject(who, req) {
  const { name } = JSON.parse(await bodyOf(req));
  const id = randomUUID();
  const createdAt = new Date();
  await inTenant(who.tenant_id, async (client) => {
    await client.query('BEGIN');
    const project = [who.tenant_id, id, name, null, createdAt];
    await client.query({ name: 'insert-project', text: INSERT_PROJECT, values: project });
    await client.query({
      name: 'insert-audit',
      text: INSERT_AUDIT,
      values: [
        ...[who.tenant_id, randomUUID(), createdAt, 'project.created', 'success', 'api_key'],
        ...[who.user_id, who.email, null, req.socket.remoteAddress, randomUUID(), name],
        JSON.stringify({ projectId: id, apiKeyId: who.key_id }),
      ],
    });
    await client.query('COMMIT');
  });
  return {
    status: 201,
    body: { id, name, description: null, inventory: null, hasSource: false, createdAt },
  };
}

function bodyOf(req) {
  return new Promise((resolve, reject) => {
    let text = '';
    req.setEncoding('utf8').on('data', (piece) => {
      text += piece;
    });
    req.on('end', () => resolve(text)).on('error', reject);
  });
}
