import type { AssetDetails, AssetVerdict, Finding } from '@cspm/sdk';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { kindOf, shortName, visible } from '../../lib/format.ts';
import { findingsLink } from '../../parts/findings-link.ts';
import { PermittedLink } from '../../parts/PermittedLink.tsx';
import { useCan } from '../../queries.ts';
import { api } from '../../session.ts';
import { Badge, buttonLook } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { Copy } from '../../ui/Copy.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { Page } from '../../ui/Page.tsx';
import { Severity } from '../../ui/Severity.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { EmptyState, Forbidden } from '../../ui/States.tsx';
import { type Column, Table } from '../../ui/Table.tsx';
import { Time } from '../../ui/Time.tsx';
import styles from './Assets.module.css';

const route = getRouteApi('/app/projects/$name/assets/lookup');

/** One asset: its data, its findings, and the verdicts of the last scan. */
export function AssetPage() {
  const can = useCan();
  const { name: project } = route.useParams();
  const { asset, type } = route.useSearch();
  if (!can('findings.read')) return <Forbidden permission="findings.read" />;
  if (asset === undefined) {
    return (
      <Page title="Asset">
        <BackLink project={project} />
        <EmptyState title="This link does not say which asset to show" />
      </Page>
    );
  }
  return <OneAsset key={asset} project={project} name={asset} type={type} />;
}

function BackLink({ project }: { readonly project: string }) {
  return (
    <Link to="/projects/$name/assets" params={{ name: project }} className={styles.back}>
      <ArrowLeft size={14} aria-hidden />
      Assets of {project}
    </Link>
  );
}

interface OneAssetProps {
  readonly project: string;
  readonly name: string;
  readonly type: string | undefined;
}

function OneAsset({ project, name, type }: OneAssetProps) {
  const asset = useQuery({
    queryKey: ['assets', 'one', project, name, type],
    queryFn: () => api.assets.lookup({ project, name, type }),
  });
  return (
    <Page
      title={shortName(name)}
      actions={
        <Link {...findingsLink({ project: [project], asset: name })} {...buttonLook()}>
          Show in findings
        </Link>
      }
    >
      <BackLink project={project} />
      <Loaded query={asset}>
        {asset.data === undefined ? (
          <section aria-busy="true" aria-label="Loading the asset">
            <Skeleton height={160} />
          </section>
        ) : (
          <Details project={project} asset={asset.data} />
        )}
      </Loaded>
    </Page>
  );
}

function Details({ project, asset }: { readonly project: string; readonly asset: AssetDetails }) {
  const { name, type, location, inventory, findings, asset: record } = asset;
  const { iam_policy, iamPolicy, ...data } = record ?? {};
  const policy = iam_policy ?? iamPolicy;
  return (
    <>
      <Card title="Properties">
        <dl className={styles.properties}>
          <dt>Name</dt>
          <dd className={styles.mono}>
            <bdi>{visible(name)}</bdi>
            <Copy text={name} label="Copy the full name" />
          </dd>
          <dt>Type</dt>
          <dd>
            {kindOf(type)} <span className={styles.none}>{type}</span>
          </dd>
          <dt>Location</dt>
          <dd>{location ?? 'Not in the inventory'}</dd>
          <dt>Inventory</dt>
          <dd>
            <Time at={inventory.createdAt} />
          </dd>
        </dl>
      </Card>
      <Card title="Findings of this asset">
        <Table
          label="Open and resolved findings"
          columns={findingColumns(project)}
          rows={findings}
          rowKey={({ id }) => id}
          empty={<p className={styles.none}>No finding.</p>}
        />
      </Card>
      <Verdicts asset={asset} />
      {policy !== undefined && <Json title="IAM policy" value={policy} />}
      {record === null ? (
        <Card title="Data">
          <p className={styles.none}>
            The data is larger than 1 MiB or has more than 10,000 values, and is not shown.
          </p>
        </Card>
      ) : (
        <Json title="Data" value={data} />
      )}
    </>
  );
}

function findingColumns(project: string): readonly Column<Finding>[] {
  return [
    {
      key: 'severity',
      header: 'Severity',
      cell: ({ severity }) => <Severity level={severity} />,
    },
    {
      key: 'finding',
      header: 'Finding',
      cell: ({ id, title, message, asset, status }) => (
        <span className={styles.asset}>
          <Link
            {...findingsLink({
              ...(status === 'resolved' && { view: 'resolved' }),
              ...{ project: [project], asset: asset.name, open: id },
            })}
            className={styles.name}
          >
            {title}
          </Link>
          <small>{visible(message)}</small>
        </span>
      ),
    },
    {
      key: 'status',
      header: 'Status',
      cell: ({ status, muted }) =>
        status === 'resolved' ? (
          <Badge tone="good">Resolved</Badge>
        ) : muted === null ? (
          <Badge tone="bad">Open</Badge>
        ) : (
          <Badge tone="warn">Muted</Badge>
        ),
    },
    {
      key: 'age',
      header: 'First seen',
      show: 'wide',
      cell: ({ firstSeenAt }) => <Time at={firstSeenAt} />,
    },
  ];
}

const VERDICT_TEXT = {
  pass: { label: 'Pass', tone: 'good' },
  fail: { label: 'Fail', tone: 'bad' },
  unknown: { label: 'Unknown', tone: 'warn' },
  na: { label: 'Not applicable', tone: 'plain' },
} as const;

const VERDICT_COLUMNS: readonly Column<AssetVerdict>[] = [
  {
    key: 'verdict',
    header: 'Verdict',
    cell: ({ verdict }) => {
      const { label, tone } = VERDICT_TEXT[verdict];
      return tone === 'plain' ? (
        <span className={styles.none}>{label}</span>
      ) : (
        <Badge tone={tone}>{label}</Badge>
      );
    },
  },
  {
    key: 'rule',
    header: 'Rule',
    cell: ({ ruleId, title, missing }) => (
      <span className={styles.asset}>
        <PermittedLink
          permission="rules.read"
          to="/rules/$id"
          params={{ id: ruleId }}
          className={styles.name}
        >
          {title}
        </PermittedLink>
        <small>{missing === null ? ruleId : `${ruleId}: missing ${missing}`}</small>
      </span>
    ),
  },
  {
    key: 'severity',
    header: 'Severity',
    show: 'wide',
    cell: ({ severity }) => severity !== null && <Severity level={severity} />,
  },
];

const ORDER: readonly AssetVerdict['verdict'][] = ['fail', 'unknown', 'pass', 'na'];

function Verdicts({ asset: { scan, verdicts } }: { readonly asset: AssetDetails }) {
  const rows = (verdicts ?? []).toSorted(
    (a, b) => ORDER.indexOf(a.verdict) - ORDER.indexOf(b.verdict),
  );
  return (
    <Card
      title="Verdicts"
      subtitle={
        scan === null ? undefined : (
          <PermittedLink
            permission="scans.read"
            to="/scans/$id"
            params={{ id: scan.id }}
            className={styles.link}
          >
            From the scan <Time at={scan.createdAt} />
          </PermittedLink>
        )
      }
    >
      <Table
        label="Verdicts of the last scan"
        columns={VERDICT_COLUMNS}
        rows={rows}
        rowKey={({ ruleId }) => ruleId}
        empty={<p className={styles.none}>{withoutVerdicts(scan, verdicts)}</p>}
      />
    </Card>
  );
}

function withoutVerdicts(scan: AssetDetails['scan'], verdicts: AssetDetails['verdicts']): string {
  if (scan === null) return 'No scan of the project has completed.';
  return verdicts === null
    ? 'The last completed scan did not evaluate this asset. Launch a scan.'
    : 'The last scan had no rule for assets of this type.';
}

function Json({ title, value }: { readonly title: string; readonly value: unknown }) {
  const text = JSON.stringify(value, null, 2);
  return (
    <Card title={title} actions={<Copy text={text} label={`Copy ${title}`} />}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a text that scrolls needs the keyboard */}
      <section className={styles.json} tabIndex={0} aria-label={`${title} as JSON`}>
        <pre>{text}</pre>
      </section>
    </Card>
  );
}
