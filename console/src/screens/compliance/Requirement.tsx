import type { ComplianceReport, RuleCount } from '@cspm/sdk';
import { ChevronRight } from 'lucide-react';
import { count } from '../../lib/format.ts';
import { findingsLink, seenBy } from '../../parts/findings-link.ts';
import { PermittedLink } from '../../parts/PermittedLink.tsx';
import { useRules } from '../../parts/rule-catalogue.ts';
import { Badge, type Tone } from '../../ui/Button.tsx';
import { SeverityIcon } from '../../ui/Severity.tsx';
import styles from './Compliance.module.css';
import type { Status } from './search.ts';

export const STATUS_LABEL: Record<Status, string> = {
  fail: 'Fail',
  unknown: 'Unknown',
  manual: 'Manual',
  pass: 'Pass',
  na: 'Not applicable',
};

const TONES: Record<Status, Tone | undefined> = {
  fail: 'bad',
  unknown: 'warn',
  manual: undefined,
  pass: 'good',
  na: undefined,
};

const WHY_NO_RULES: Partial<Record<Status, string>> = {
  manual: 'A person must assess this requirement.',
  unknown: 'No rule of the scanned profile decides this requirement.',
};

interface RequirementProps {
  readonly requirement: ComplianceReport['requirements'][number];
  readonly scan: string;
}

/** One requirement. It opens to its rules; a requirement that fails is open from the start. */
export function Requirement({ requirement, scan }: RequirementProps) {
  const { id, title, status, rules } = requirement;
  return (
    <li>
      <details className={styles.requirement} open={status === 'fail'}>
        <summary>
          <ChevronRight size={15} className={styles.chevron} aria-hidden />
          <code>{id}</code>
          <span>{title}</span>
          <Badge tone={TONES[status]}>{STATUS_LABEL[status]}</Badge>
        </summary>
        {rules.length === 0 ? (
          <p className={styles.muted}>{WHY_NO_RULES[status] ?? 'No rule covers it.'}</p>
        ) : (
          <ul className={styles.rules}>
            {rules.map((rule) => (
              <RuleLine key={rule.ruleId} rule={rule} scan={scan} />
            ))}
          </ul>
        )}
      </details>
    </li>
  );
}

function RuleLine({ rule, scan }: { readonly rule: RuleCount; readonly scan: string }) {
  const known = useRules().get(rule.ruleId);
  const { ruleId, pass, fail, unknown, missing } = rule;
  const failing = fail === 1 ? '1 asset fails' : `${count(fail)} assets fail`;
  return (
    <li>
      {known !== undefined && <SeverityIcon level={known.severity} size={18} />}
      <span className={styles.rule}>
        {known?.title ?? <code>{ruleId}</code>}
        {missing.length > 0 && <small>Data missing: {missing.join(', ')}</small>}
      </span>
      <span className={styles.verdicts}>
        {fail > 0 && (
          <PermittedLink
            permission="findings.read"
            {...findingsLink({ ...seenBy(scan), rule: [ruleId] })}
            className={styles.link}
            aria-label={`${failing}: ${known?.title ?? ruleId}`}
          >
            {failing}
          </PermittedLink>
        )}
        {pass > 0 && <span>{count(pass)} passed</span>}
        {unknown > 0 && <span>{count(unknown)} unknown</span>}
        {pass + fail + unknown === 0 && <span>No assets</span>}
      </span>
    </li>
  );
}
