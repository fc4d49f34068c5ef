import createClient from 'openapi-fetch';
import type { paths } from '../dist/openapi-fetch/schema.ts';
import { failed, finished, type Task, UNKNOWN_ID, type Walk, WORST, worst } from './walk.ts';

export async function walk({ baseUrl, apiKey, project, records }: Task): Promise<Walk> {
  const client = createClient<paths>({ baseUrl, headers: { 'X-API-Key': apiKey } });

  const me = await client.GET('/auth/me');
  if (!me.data) return failed(me.error);

  const created = await client.POST('/projects', {
    params: { header: { 'Idempotency-Key': project } },
    body: { name: project },
  });
  if (!created.data) return failed(created.error);

  const uploaded = await client.PUT('/projects/{name}/inventory', {
    params: { path: { name: created.data.name } },
    body: [...records],
  });
  if (!uploaded.data) return failed(uploaded.error);

  const launched = await client.POST('/scans', {
    body: { projects: [project], profile: 'full' },
  });
  if (!launched.data) return failed(launched.error);
  const { id } = launched.data;
  const status = await finished(async () => {
    const { data, error } = await client.GET('/scans/{id}', { params: { path: { id } } });
    return data ?? failed(error);
  });

  const found = await client.GET('/findings', {
    params: { query: { project: [project], severity: [...WORST], limit: 100 } },
  });
  if (!found.data) return failed(found.error);

  const missing = await client.GET('/findings/{id}', { params: { path: { id: UNKNOWN_ID } } });
  if (missing.error?.code !== 'NOT_FOUND') return failed(missing);
  return {
    tenant: me.data.tenant.id,
    assets: uploaded.data.assets,
    status,
    findings: found.data.items.map(({ ruleId, severity }) => ({
      rule: ruleId,
      severity: worst(severity),
    })),
    refusal: missing.error.code,
  };
}
