import type { Rule, RuleCount } from '@cspm/sdk';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { count, plural } from '../../lib/format.ts';
import { findingsLink, seenBy } from '../../parts/findings-link.ts';
import { PermittedLink } from '../../parts/PermittedLink.tsx';
import { useRules } from '../../parts/rule-catalogue.ts';
import { api } from '../../session.ts';
import { Card } from '../../ui/Card.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { SEVERITIES, Severity } from '../../ui/Severity.tsx';
import { EmptyState } from '../../ui/States.tsx';
import { type Column, Table } from '../../ui/Table.tsx';
import { Tabs } from '../../ui/Tabs.tsx';
import styles from './Scans.module.css';

const VIEWS = [
  { value: 'failed', label: 'Failed', has: (one: RuleCount) => one.fail > 0 },
  { value: 'unknown', label: 'Lack data', has: (one: RuleCount) => one.unknown > 0 },
  {
    value: 'passed',
    label: 'Passed',
    has: (one: RuleCount) => one.fail === 0 && one.unknown === 0 && one.pass > 0,
  },
  { value: 'all', label: 'All', has: () => true },
] as const;

type View = (typeof VIEWS)[number]['value'];

/** The verdicts of a scan by rule. */
export function RuleVerdicts({ scan }: { readonly scan: string }) {
  const [view, setView] = useState<View>('failed');
  const rules = useRules();
  const verdicts = useQuery({
    queryKey: ['scans', 'rules', scan],
    queryFn: () => api.scans.rules({ id: scan }),
    // The results of a finished scan never change.
    staleTime: Number.POSITIVE_INFINITY,
  });
  const items = verdicts.data?.items;
  const chosen = VIEWS.find(({ value }) => value === view);
  const rows = items
    ?.filter((one) => chosen?.has(one))
    .toSorted((a, b) => rank(rules, a) - rank(rules, b) || b.fail - a.fail);
  return (
    <Card title="Rules" subtitle="Verdicts of each rule, across the assets of its types.">
      <Loaded query={verdicts}>
        <Tabs
          label="Verdicts"
          value={view}
          onChange={setView}
          tabs={VIEWS.map(({ value, label, has }) => ({
            value,
            label,
            count: items?.filter(has).length,
          }))}
        >
          <Table
            label="Verdicts by rule"
            columns={columns(scan, rules)}
            rows={rows}
            rowKey={({ ruleId }) => ruleId}
            empty={<EmptyState title="No rule has these verdicts" />}
          />
        </Tabs>
      </Loaded>
    </Card>
  );
}

/** Most severe first; rules that are not known last. */
function rank(rules: ReadonlyMap<string, Rule>, { ruleId }: RuleCount): number {
  const severity = rules.get(ruleId)?.severity;
  return severity === undefined ? SEVERITIES.length : SEVERITIES.indexOf(severity);
}

function columns(scan: string, rules: ReadonlyMap<string, Rule>): readonly Column<RuleCount>[] {
  const number = (
    key: 'pass' | 'fail' | 'unknown' | 'na',
    header: string,
    show: 'always' | 'wide',
  ): Column<RuleCount> => ({
    key,
    header,
    show,
    align: 'end',
    cell: (one) => (
      <span
        className={styles.number}
        data-zero={one[key] === 0 || undefined}
        data-bad={(key === 'fail' && one[key] > 0) || undefined}
      >
        {count(one[key])}
      </span>
    ),
  });
  return [
    {
      key: 'severity',
      header: 'Severity',
      show: 'wide',
      cell: ({ ruleId }) => {
        const severity = rules.get(ruleId)?.severity;
        return severity === undefined ? '–' : <Severity level={severity} />;
      },
    },
    {
      key: 'rule',
      header: 'Rule',
      cell: ({ ruleId, missing, fail }) => {
        const title = rules.get(ruleId)?.title;
        const name = title ?? <code>{ruleId}</code>;
        return (
          <span className={styles.rule}>
            {fail > 0 ? (
              <PermittedLink
                permission="findings.read"
                {...findingsLink({ ...seenBy(scan), rule: [ruleId] })}
              >
                {name}
              </PermittedLink>
            ) : (
              <span>{name}</span>
            )}
            {title !== undefined && (
              <small>
                <code>{ruleId}</code>
              </small>
            )}
            {missing.length > 0 && (
              <small>
                {plural(missing.length, 'kind')} of data missing: {missing.join(', ')}
              </small>
            )}
          </span>
        );
      },
    },
    number('fail', 'Failed', 'always'),
    number('pass', 'Passed', 'always'),
    number('unknown', 'Unknown', 'always'),
    number('na', 'Not applicable', 'wide'),
  ];
}
