import { createClient } from '../dist/hey-api/client/index.ts';
import {
  authMe,
  findingsGet,
  findingsList,
  projectsCreate,
  projectsUploadInventory,
  scansGet,
  scansLaunch,
} from '../dist/hey-api/sdk.gen.ts';
import { failed, finished, type Task, UNKNOWN_ID, type Walk, WORST, worst } from './walk.ts';

export async function walk({ baseUrl, apiKey, project, records }: Task): Promise<Walk> {
  const client = createClient({
    baseUrl,
    // Called for each scheme that an operation accepts, in their order.
    auth: ({ name }) => (name === 'X-API-Key' ? apiKey : undefined),
  });

  const me = await authMe({ client });
  if (!me.data) return failed(me.error);

  const created = await projectsCreate({
    client,
    headers: { 'Idempotency-Key': project },
    body: { name: project },
  });
  if (!created.data) return failed(created.error);

  const uploaded = await projectsUploadInventory({
    client,
    path: { name: created.data.name },
    body: [...records],
  });
  if (!uploaded.data) return failed(uploaded.error);

  const launched = await scansLaunch({ client, body: { projects: [project], profile: 'full' } });
  if (!launched.data) return failed(launched.error);
  const { id } = launched.data;
  const status = await finished(async () => {
    const { data, error } = await scansGet({ client, path: { id } });
    return data ?? failed(error);
  });

  const found = await findingsList({
    client,
    query: { project: [project], severity: [...WORST], limit: 100 },
  });
  if (!found.data) return failed(found.error);

  const missing = await findingsGet({ client, path: { id: UNKNOWN_ID } });
  if (missing.error?.code !== 'NOT_FOUND') return failed(missing.error);
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
