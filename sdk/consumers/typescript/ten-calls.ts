// Measures the cost of the types: the runner limits the number of type instantiations for this file.
import { createClient } from '@cspm/sdk';

const cspm = createClient({ baseUrl: 'http://127.0.0.1:3000', apiKey: 'cspm_x' });

export async function tenCalls(id: string) {
  const me = await cspm.auth.me();
  const projects = await cspm.projects.list({ limit: 10 });
  await cspm.projects.uploadInventory({ name: 'shop-prod', inventory: [{ name: 'asset' }] });
  const preflight = await cspm.preflight.run({ projects: ['shop-prod'], profile: 'full' });
  const scan = await cspm.scans.launch({ projects: ['shop-prod'], profile: 'full' });
  const done = await cspm.scans.wait(scan.id, { onProgress: ({ status }) => status });
  const { data } = await cspm.scans.get({ id }).withResponse();
  const names: string[] = [];
  for await (const { asset } of cspm.findings.list({ severity: ['high', 'critical'] })) {
    names.push(asset.name);
  }
  const summary = await cspm.findings.summary();
  await cspm.projects.delete({ name: 'shop-prod' });
  return { me, projects, preflight, done, data, names, summary };
}
