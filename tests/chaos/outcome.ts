import type { Cspm, Scan } from '@cspm/sdk';

/** The results of a scan without its ids and times; scans with equal findings give equal text. */
export async function outcomeOf(cspm: Cspm, scan: Scan): Promise<string> {
  const rules = await cspm.scans.rules({ id: scan.id });
  const findings: string[] = [];
  for await (const found of cspm.findings.list({ scan: scan.id, limit: 100 })) {
    const { ruleId, asset, subject, severity, status, delta } = found;
    findings.push([ruleId, asset.name, subject, severity, status, delta].join(' '));
  }
  return JSON.stringify({
    status: scan.status,
    projects: scan.projects.map(({ name: _, inventoryId: __, ...rest }) => rest),
    totals: scan.totals,
    delta: scan.delta,
    rules: rules.items,
    findings: findings.sort(),
  });
}
