import type { Rule } from '@cspm/sdk';
import { Link } from '@tanstack/react-router';
import { SEVERITIES, Severity } from '../../ui/Severity.tsx';
import { EmptyState } from '../../ui/States.tsx';
import { Table } from '../../ui/Table.tsx';
import styles from './profiles.module.css';

/** The rules of a profile, most severe first. */
export function RuleList({ rules }: { readonly rules: readonly Rule[] }) {
  return (
    <Table
      label="Rules of the profile"
      rows={rules.toSorted(
        (a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity),
      )}
      rowKey={({ id }) => id}
      empty={
        <EmptyState title="The profile selects no rules">
          <p>Add a selector, or remove an exclusion.</p>
        </EmptyState>
      }
      columns={[
        {
          key: 'severity',
          header: 'Severity',
          cell: ({ severity }) => <Severity level={severity} />,
        },
        {
          key: 'rule',
          header: 'Rule',
          cell: ({ id, title }) => (
            <span className={styles.name}>
              <Link to="/rules/$id" params={{ id }} className={styles.profileLink}>
                {title}
              </Link>
              <code className={styles.code}>{id}</code>
            </span>
          ),
        },
        { key: 'category', header: 'Category', show: 'wide', cell: ({ category }) => category },
      ]}
    />
  );
}
