import type { CustomRule } from '@cspm/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Code, Plus } from 'lucide-react';
import { useState } from 'react';
import { kindOf } from '../../lib/format.ts';
import { useCan, useIdentity } from '../../queries.ts';
import { Badge, Button, buttonLook } from '../../ui/Button.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { Page } from '../../ui/Page.tsx';
import { Severity } from '../../ui/Severity.tsx';
import { EmptyState, Forbidden } from '../../ui/States.tsx';
import { type Column, Table } from '../../ui/Table.tsx';
import { Time } from '../../ui/Time.tsx';
import styles from './custom-rules.module.css';
import { CUSTOM_RULES_MAX, customRulesQuery } from './custom-rules-query.ts';
import { DeleteRuleDialog } from './DeleteRuleDialog.tsx';
import { hasCustomRules, NotLicensed } from './NotLicensed.tsx';

/** The rules of the tenant. */
export function CustomRulesPage() {
  const can = useCan();
  const { tenant } = useIdentity();
  if (!can('rules.read')) return <Forbidden permission="rules.read" />;
  if (!hasCustomRules(tenant)) return <NotLicensed />;
  return <CustomRules mayWrite={can('rules.write')} />;
}

function CustomRules({ mayWrite }: { readonly mayWrite: boolean }) {
  const rules = useQuery(customRulesQuery);
  const [deleting, setDeleting] = useState<CustomRule | null>(null);
  const number = rules.data?.length ?? 0;
  const isFull = number >= CUSTOM_RULES_MAX;
  const create = mayWrite && !isFull && (
    <Link to="/custom-rules/_new" {...buttonLook('primary')}>
      <Plus size={15} aria-hidden />
      Create rule
    </Link>
  );
  return (
    <Page
      title="Custom rules"
      subtitle={
        number === 0
          ? 'Your own conditions, which scans evaluate like built-in rules.'
          : `${number} of at most ${CUSTOM_RULES_MAX} rules`
      }
      actions={create}
    >
      {isFull && mayWrite && (
        <p className={styles.notice} role="status">
          Your tenant has {CUSTOM_RULES_MAX} custom rules, which is the limit. Delete one to create
          another.
        </p>
      )}
      <Loaded query={rules}>
        <Table
          label="Custom rules"
          columns={columns(mayWrite ? setDeleting : undefined)}
          rows={rules.data}
          rowKey={({ id }) => id}
          empty={
            <EmptyState
              icon={<Code size={28} strokeWidth={1.4} aria-hidden />}
              title="There are no custom rules yet"
              actions={create}
            >
              <p>
                A custom rule is a condition on assets of given types, such as a bucket without the
                label owner. Its violations become findings.
              </p>
            </EmptyState>
          }
        />
      </Loaded>
      <DeleteRuleDialog rule={deleting} onClose={() => setDeleting(null)} />
    </Page>
  );
}

function columns(
  onDelete: ((rule: CustomRule) => void) | undefined,
): readonly Column<CustomRule>[] {
  return [
    { key: 'severity', header: 'Severity', cell: ({ severity }) => <Severity level={severity} /> },
    {
      key: 'rule',
      header: 'Rule',
      cell: ({ id, title, enabled }) => (
        <span className={styles.name}>
          <span className={styles.facts}>
            <Link to="/custom-rules/$id" params={{ id }} className={styles.ruleLink}>
              {title}
            </Link>
            {!enabled && <Badge>Disabled</Badge>}
          </span>
          <code className={styles.code}>{id}</code>
        </span>
      ),
    },
    {
      key: 'assets',
      header: 'Asset types',
      show: 'wide',
      cell: ({ assetTypes }) => (
        <span title={assetTypes.join('\n')}>{assetTypes.map(kindOf).join(', ')}</span>
      ),
    },
    {
      key: 'tests',
      header: 'Tests',
      show: 'wide',
      align: 'end',
      cell: ({ tests }) => tests.length,
    },
    {
      key: 'changed',
      header: 'Changed',
      show: 'wide',
      cell: ({ updatedAt }) => <Time at={updatedAt} />,
    },
    {
      key: 'actions',
      header: 'Actions',
      hideHeader: true,
      align: 'end',
      cell: (rule) =>
        onDelete !== undefined && (
          <Button onClick={() => onDelete(rule)} aria-label={`Delete ${rule.title}`}>
            Delete
          </Button>
        ),
    },
  ];
}
