import type { ExportContext, ExportedFinding, FindingPages } from './exported-finding.ts';
import { TOOL } from './tool.ts';

/** The version of the schema in use. */
const VERSION = '1.4.0';

/** Findings as OCSF events of the class Compliance Finding, one per line. */
export async function* ocsfOf(
  pages: FindingPages,
  context: ExportContext,
): AsyncGenerator<string, void, undefined> {
  for await (const page of pages) {
    yield page
      .map((finding) => `${JSON.stringify(complianceFinding(finding, context))}\n`)
      .join('');
  }
}

const CATEGORY_UID = 2;
const CLASS_UID = 2003;

const ACTIVITIES = {
  new: { id: 1, name: 'Create' },
  unchanged: { id: 2, name: 'Update' },
  reopened: { id: 2, name: 'Update' },
  resolved: { id: 3, name: 'Close' },
} as const;

const SEVERITIES = {
  info: { id: 1, name: 'Informational' },
  low: { id: 2, name: 'Low' },
  medium: { id: 3, name: 'Medium' },
  high: { id: 4, name: 'High' },
  critical: { id: 5, name: 'Critical' },
} as const;

function complianceFinding(finding: ExportedFinding, context: ExportContext) {
  const activity = ACTIVITIES[finding.delta];
  const severity = SEVERITIES[finding.severity];
  const status = statusOf(finding);
  return {
    activity_id: activity.id,
    activity_name: activity.name,
    category_uid: CATEGORY_UID,
    category_name: 'Findings',
    class_uid: CLASS_UID,
    class_name: 'Compliance Finding',
    type_uid: CLASS_UID * 100 + activity.id,
    type_name: `Compliance Finding: ${activity.name}`,
    time: timeOf(finding),
    severity_id: severity.id,
    severity: severity.name,
    status_id: status.id,
    status: status.name,
    message: finding.message,
    metadata: {
      version: VERSION,
      product: { name: TOOL.name, vendor_name: TOOL.name, version: TOOL.version },
      profiles: ['cloud'],
    },
    cloud: { provider: 'GCP' },
    finding_info: findingInfoOf(finding, context),
    compliance: complianceOf(finding),
    resources: [{ uid: finding.asset.name, name: nameOf(finding), type: finding.asset.type }],
    ...(finding.remediation !== '' && { remediation: { desc: finding.remediation } }),
    unmapped: unmappedOf(finding),
  };
}

/** The time of the change that the event reports. */
function timeOf({ delta, firstSeenAt, lastSeenAt, resolvedAt }: ExportedFinding): number {
  if (delta === 'resolved') return Date.parse(resolvedAt ?? lastSeenAt);
  return Date.parse(delta === 'new' ? firstSeenAt : lastSeenAt);
}

function statusOf({ status, muted }: ExportedFinding) {
  if (status === 'resolved') return { id: 4, name: 'Resolved' };
  return muted === null ? { id: 1, name: 'New' } : { id: 3, name: 'Suppressed' };
}

function findingInfoOf(finding: ExportedFinding, { ruleOf, ruleUri }: ExportContext) {
  const rule = ruleOf(finding.ruleId);
  return {
    uid: finding.fingerprint,
    title: finding.title,
    ...(rule !== undefined && { desc: rule.description, types: [rule.category] }),
    first_seen_time: Date.parse(finding.firstSeenAt),
    last_seen_time: Date.parse(finding.lastSeenAt),
    created_time: Date.parse(finding.firstSeenAt),
    analytic: { uid: finding.ruleId, name: finding.title, type_id: 1, type: 'Rule' },
    ...(ruleUri !== undefined && { src_url: ruleUri(finding.ruleId) }),
  };
}

/** The schema requires a standard; a rule without a benchmark names the product's own. */
function complianceOf({ ruleId, compliance, status, resolvedReason }: ExportedFinding) {
  const frameworks = [...new Set(compliance.map(({ framework }) => framework))];
  return {
    standards: frameworks.length === 0 ? [TOOL.name] : frameworks,
    requirements: compliance.map(({ framework, id }) => `${framework} ${id}`),
    control: ruleId,
    ...verdictOf(status, resolvedReason),
  };
}

/** A deleted asset has no pass status, because it was not evaluated. */
function verdictOf(status: ExportedFinding['status'], reason: ExportedFinding['resolvedReason']) {
  if (status === 'open') return { status_id: 3, status: 'Fail' };
  if (reason === 'fixed') return { status_id: 1, status: 'Pass' };
  return { status_id: 99, status: reason ?? 'resolved' };
}

function nameOf({ asset }: ExportedFinding): string {
  return asset.name.split('/').at(-1) ?? asset.name;
}

/** Data without a place in the schema. */
function unmappedOf(finding: ExportedFinding) {
  const { id, project, subject, delta, evidence, resolvedAt, resolvedReason, muted } = finding;
  return { id, project, subject, delta, evidence, resolvedAt, resolvedReason, muted };
}
