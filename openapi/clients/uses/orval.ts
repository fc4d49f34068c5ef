import {
  authMe,
  findingsGet,
  findingsList,
  projectsCreate,
  projectsUploadInventory,
  scansGet,
  scansLaunch,
} from '../dist/orval/client.ts';
import { aimAt } from './orval-fetch.ts';
import { failed, finished, type Task, UNKNOWN_ID, type Walk, WORST, worst } from './walk.ts';

export async function walk({ baseUrl, apiKey, project, records }: Task): Promise<Walk> {
  aimAt(baseUrl, apiKey);

  const me = await authMe();
  if (me.status !== 200) return failed(me.data);

  const created = await projectsCreate(
    { name: project },
    { headers: { 'Idempotency-Key': project } },
  );
  if (created.status !== 201) return failed(created.data);

  // Where an operation takes several content types, orval leaves it to the caller to name one.
  const uploaded = await projectsUploadInventory(created.data.name, [...records], {
    headers: { 'Content-Type': 'application/json' },
  });
  if (uploaded.status !== 201) return failed(uploaded.data);

  const launched = await scansLaunch({ projects: [project], profile: 'full' });
  if (launched.status !== 202) return failed(launched.data);
  const { id } = launched.data;
  const status = await finished(async () => {
    const scan = await scansGet(id);
    return scan.status === 200 ? scan.data : failed(scan.data);
  });

  const found = await findingsList({ project: [project], severity: [...WORST], limit: 100 });
  if (found.status !== 200) return failed(found.data);

  const missing = await findingsGet(UNKNOWN_ID);
  if (missing.status !== 404 || missing.data.code !== 'NOT_FOUND') return failed(missing.data);
  return {
    tenant: me.data.tenant.id,
    assets: uploaded.data.assets,
    status,
    findings: found.data.items.map(({ ruleId, severity }) => ({
      rule: ruleId,
      severity: worst(severity),
    })),
    refusal: missing.data.code,
  };
}
