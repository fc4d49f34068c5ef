import { complianceReport } from '../../../scanner/compliance-report.ts';
import { inTenant } from './client.mjs';
import { STATEMENTS } from './statements.mjs';

const { name, text } = STATEMENTS.ruleCounts;

export async function scanCompliance({ tenant_id: tenantId }, { url }) {
  const [, , id] = url.split('/');
  const query = { name, text, values: [tenantId, id] };
  const { rows } = await inTenant(tenantId, (client) => client.query(query));
  const counts = rows.map(({ rule_id: ruleId, ...count }) => ({ ruleId, ...count }));
  const report = complianceReport('cis-gcp-4.0', counts);
  return { status: 200, body: { ...report, scan: id } };
}
