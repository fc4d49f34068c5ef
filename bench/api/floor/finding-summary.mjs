import { inTenant } from './client.mjs';
import { STATEMENTS } from './statements.mjs';

const { name, text, values } = STATEMENTS.summary;
const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'];
const FACETS = [
  'severity',
  'status',
  'project',
  'rule',
  'category',
  'assetType',
  'framework',
  'delta',
  'muted',
];

export async function summariseFindings({ tenant_id: tenantId }) {
  const given = [tenantId, new Date(), ...values.slice(2)];
  const query = { name, text, values: given };
  const { rows } = await inTenant(tenantId, (client) => client.query(query));
  return { status: 200, body: summaryOf(rows) };
}

function summaryOf(rows) {
  const of = (kind) => rows.filter((row) => row.kind === kind);
  const severities = new Map(of('by severity').map((row) => [row.value, row]));
  return {
    total: countOf(of('total')[0]),
    bySeverity: Object.fromEntries(SEVERITIES.map((one) => [one, countOf(severities.get(one))])),
    byProject: of('by project')
      .map((row) => ({ project: row.value, ...countOf(row) }))
      .sort((a, b) => (a.project < b.project ? -1 : 1)),
    byRule: of('by rule')
      .map((row) => ({ ruleId: row.value, severity: row.severity, ...countOf(row) }))
      .sort(worstFirst),
    facets: Object.fromEntries(
      FACETS.map((facet) => [facet, of(facet).map(({ value, count }) => ({ value, count }))]),
    ),
  };
}

function countOf(row) {
  return { open: row?.open ?? 0, resolved: row?.resolved ?? 0, muted: row?.muted ?? 0 };
}

function worstFirst(a, b) {
  const bySeverity = SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity);
  return bySeverity || b.open - a.open || (a.ruleId < b.ruleId ? -1 : 1);
}
