import type { Rule } from '@cspm/sdk';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { ListChecks } from 'lucide-react';
import { useMemo } from 'react';
import { frameworkName, kindOf, plural } from '../../lib/format.ts';
import { ruleCatalogueQuery } from '../../parts/rule-catalogue.ts';
import { useCan } from '../../queries.ts';
import { Badge, Button } from '../../ui/Button.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { MultiSelect } from '../../ui/MultiSelect.tsx';
import { Page } from '../../ui/Page.tsx';
import { SearchBox } from '../../ui/SearchBox.tsx';
import { SEVERITIES, SEVERITY_LABEL, Severity } from '../../ui/Severity.tsx';
import { EmptyState, Forbidden } from '../../ui/States.tsx';
import { type Column, Table } from '../../ui/Table.tsx';
import styles from './rules.module.css';
import { filterRules, type RulesSearch } from './search.ts';

const route = getRouteApi('/app/rules');

/** Asset types in a row. */
const SHOWN_TYPES = 3;

const LEVELS = SEVERITIES.map((value) => ({ value, label: SEVERITY_LABEL[value] }));

/** The catalogue of rules. It is small, so the browser filters it. */
export function RulesPage() {
  const can = useCan();
  if (!can('rules.read')) return <Forbidden permission="rules.read" />;
  return <Catalogue />;
}

function Catalogue() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const rules = useQuery(ruleCatalogueQuery);
  const shown = useMemo(
    () => (rules.data === undefined ? undefined : filterRules(rules.data, search)),
    [rules.data, search],
  );
  const change = (next: RulesSearch) =>
    void navigate({ search: (old) => ({ ...old, ...next }), replace: true });
  const clear = () => void navigate({ search: {}, replace: true });
  const isFiltered = Object.values(search).some((value) => value !== undefined);
  return (
    <Page
      title="Rules"
      subtitle={subtitleOf(rules.data?.length, shown?.length)}
      query={JSON.stringify(search)}
    >
      <div className={styles.filters}>
        <SearchBox
          label="Search rules"
          value={search.q ?? ''}
          onChange={(q) => change({ q: q === '' ? undefined : q })}
        />
        <Filters rules={rules.data ?? []} search={search} onChange={change} />
        {isFiltered && (
          <Button kind="quiet" onClick={clear}>
            Clear filters
          </Button>
        )}
      </div>
      <Loaded query={rules}>
        <Table
          label="Rules"
          columns={COLUMNS}
          rows={shown}
          rowKey={({ id }) => id}
          empty={
            <EmptyState
              icon={<ListChecks size={28} strokeWidth={1.4} aria-hidden />}
              title="No rules match these filters"
              actions={<Button onClick={clear}>Clear filters</Button>}
            >
              <p>Change the text or remove a filter.</p>
            </EmptyState>
          }
        />
      </Loaded>
    </Page>
  );
}

interface FiltersProps {
  readonly rules: readonly Rule[];
  readonly search: RulesSearch;
  readonly onChange: (next: RulesSearch) => void;
}

function Filters({ rules, search, onChange }: FiltersProps) {
  const options = useMemo(
    () => ({
      category: choices(rules.map(({ category }) => category)),
      framework: choices(
        rules.flatMap(({ compliance }) => compliance.map(({ framework }) => framework)),
        frameworkName,
      ),
      assetType: choices(rules.flatMap(({ assetTypes }) => assetTypes)),
    }),
    [rules],
  );
  return (
    <>
      <MultiSelect
        label="Severity"
        options={LEVELS}
        values={search.severity ?? []}
        onChange={(values) => onChange({ severity: orNone(values) })}
      />
      <MultiSelect
        label="Category"
        options={options.category}
        values={search.category ?? []}
        onChange={(values) => onChange({ category: orNone(values) })}
      />
      <MultiSelect
        label="Framework"
        options={options.framework}
        values={search.framework ?? []}
        onChange={(values) => onChange({ framework: orNone(values) })}
      />
      <MultiSelect
        label="Asset type"
        options={options.assetType}
        values={search.assetType ?? []}
        onChange={(values) => onChange({ assetType: orNone(values) })}
      />
    </>
  );
}

const COLUMNS: readonly Column<Rule>[] = [
  { key: 'severity', header: 'Severity', cell: ({ severity }) => <Severity level={severity} /> },
  {
    key: 'rule',
    header: 'Rule',
    cell: ({ id, title, category }) => (
      <span className={styles.rule}>
        <Link to="/rules/$id" params={{ id }} className={styles.ruleLink}>
          {title}
        </Link>
        <small>
          <code>{id}</code>
          {category === 'custom' && <Badge>Custom</Badge>}
        </small>
      </span>
    ),
  },
  {
    key: 'category',
    header: 'Category',
    show: 'wide',
    cell: ({ category }) => <span className={styles.category}>{category}</span>,
  },
  {
    key: 'assets',
    header: 'Asset types',
    show: 'wide',
    cell: ({ assetTypes }) => (
      <span title={assetTypes.join('\n')}>{shortList(assetTypes.map(kindOf))}</span>
    ),
  },
  {
    key: 'compliance',
    header: 'Requirements',
    show: 'wide',
    cell: ({ compliance }) =>
      compliance.length === 0 ? null : (
        <span className={styles.badges}>
          {compliance.map(({ framework, id }) => (
            <Badge key={`${framework} ${id}`}>
              {frameworkName(framework)} · {id}
            </Badge>
          ))}
        </span>
      ),
  },
];

function subtitleOf(all: number | undefined, shown: number | undefined): string {
  if (all === undefined || shown === undefined) return 'What scans check in your projects.';
  return shown === all ? plural(all, 'rule') : `${shown} of ${plural(all, 'rule')}`;
}

/** The first values, and how many there are besides. */
function shortList(values: readonly string[]): string {
  const more = values.length - SHOWN_TYPES;
  const shown = values.slice(0, SHOWN_TYPES).join(', ');
  return more > 0 ? `${shown} and ${more} more` : shown;
}

function choices(values: readonly string[], label = (value: string) => value) {
  return [...new Set(values)].toSorted().map((value) => ({ value, label: label(value) }));
}

function orNone<T>(values: readonly T[]): readonly T[] | undefined {
  return values.length > 0 ? values : undefined;
}
