import { Api, type HttpResponse, type Problem } from '../dist/swagger-typescript-api/client.ts';
import { failed, finished, type Task, UNKNOWN_ID, type Walk, WORST, worst } from './walk.ts';

export async function walk({ baseUrl, apiKey, project, records }: Task): Promise<Walk> {
  const api = new Api({ baseUrl, baseApiParams: { headers: { 'X-API-Key': apiKey } } });

  const me = await api.auth.authMe();
  const created = await api.projects.projectsCreate(
    { name: project },
    { headers: { 'Idempotency-Key': project } },
  );
  const uploaded = await api.projects.projectsUploadInventory(created.data.name, [...records]);
  const launched = await api.scans.scansLaunch({ projects: [project], profile: 'full' });
  const { id } = launched.data;
  const status = await finished(async () => (await api.scans.scansGet(id)).data);
  const found = await api.findings.findingsList({
    project: [project],
    severity: [...WORST],
    limit: 100,
  });

  return {
    tenant: me.data.tenant.id,
    assets: uploaded.data.assets,
    status,
    findings: found.data.items.map(({ ruleId, severity }) => ({
      rule: ruleId,
      severity: worst(severity),
    })),
    refusal: await refusalOf(api.findings.findingsGet(UNKNOWN_ID)),
  };
}

/** Its methods throw what is not a success. */
async function refusalOf(call: Promise<unknown>): Promise<'NOT_FOUND'> {
  try {
    return failed(await call);
  } catch (error) {
    const { code } = (error as HttpResponse<unknown, Problem>).error;
    return code === 'NOT_FOUND' ? code : failed(error);
  }
}
