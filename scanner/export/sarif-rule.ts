import type { Severity } from '../rule.ts';
import type { ExportContext, ExportedFinding } from './exported-finding.ts';
import { markdownOf, messageText } from './sarif-text.ts';

export const LEVELS = {
  critical: 'error',
  high: 'error',
  medium: 'warning',
  low: 'note',
  info: 'note',
} as const satisfies Record<Severity, string>;

/** GitHub maps these CVSS-like numbers to its severities; without a number an alert has none. */
const SECURITY_SEVERITIES: Readonly<Record<Severity, string | null>> = {
  critical: '9.5',
  high: '8.0',
  medium: '5.5',
  low: '2.0',
  info: null,
};

/** A reportingDescriptor (SARIF 2.1.0 §3.49). A rule that no longer exists is described from its finding. */
export function describeRule(finding: ExportedFinding, { ruleOf, ruleUri }: ExportContext) {
  const rule = ruleOf(finding.ruleId);
  const { title, severity, remediation, compliance } = rule ?? finding;
  // Custom rules may have no description, and SARIF wants a text.
  const description = rule === undefined || rule.description === '' ? title : rule.description;
  const score = SECURITY_SEVERITIES[severity];
  const reason = rule?.noFix === undefined ? '' : `\n\nNo automatic fix: ${rule.noFix}.`;
  const requirements = compliance.map(({ framework, id }) => `${framework}/${id}`);
  return {
    id: finding.ruleId,
    name: identifierOf(finding.ruleId),
    shortDescription: { text: messageText(title) },
    fullDescription: { text: messageText(description) },
    ...(remediation !== '' && {
      help: {
        text: messageText(`${description}\n\nRemediation: ${remediation}${reason}`),
        markdown: `${markdownOf(description)}\n\n**Remediation:** ${markdownOf(remediation)}${markdownOf(reason)}`,
      },
    }),
    ...(ruleUri !== undefined && { helpUri: ruleUri(finding.ruleId) }),
    defaultConfiguration: { level: LEVELS[severity] },
    properties: {
      tags: ['security', ...(rule === undefined ? [] : [rule.category]), ...requirements],
      ...(score !== null && { 'security-severity': score }),
    },
  };
}

/** `bucket-public` as `BucketPublic`, the form that viewers expect for rule names (§3.49.7). */
function identifierOf(ruleId: string): string {
  return ruleId
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('');
}
