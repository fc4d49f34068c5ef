import type { Rule } from '@cspm/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { ArrowLeft, BellOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { count, frameworkName, kindOf } from '../../lib/format.ts';
import { findingsSearchLink } from '../../parts/policy-links.ts';
import { RULES_KEY, ruleCatalogueQuery } from '../../parts/rule-catalogue.ts';
import { useCan } from '../../queries.ts';
import { api } from '../../session.ts';
import { Badge, buttonLook } from '../../ui/Button.tsx';
import { CodeSpans } from '../../ui/CodeSpans.tsx';
import { CopyId } from '../../ui/Copy.tsx';
import { Page } from '../../ui/Page.tsx';
import { Severity } from '../../ui/Severity.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Failure, Forbidden } from '../../ui/States.tsx';
import styles from './rules.module.css';

const route = getRouteApi('/app/rules/$id');

/** One rule: what it checks, how to fix a finding, and the requirements that it covers. */
export function RulePage() {
  const can = useCan();
  if (!can('rules.read')) return <Forbidden permission="rules.read" />;
  return <RuleById />;
}

function RuleById() {
  const { id } = route.useParams();
  const queryClient = useQueryClient();
  const catalogue = queryClient.getQueryState<Rule[]>(ruleCatalogueQuery.queryKey);
  const rule = useQuery({
    queryKey: [...RULES_KEY, id],
    queryFn: () => api.rules.get({ id }),
    initialData: () => catalogue?.data?.find((one) => one.id === id),
    initialDataUpdatedAt: () => catalogue?.dataUpdatedAt,
  });
  if (rule.isError && rule.data === undefined) {
    return (
      <Page title="Rule">
        <BackLink />
        <Failure error={rule.error} onRetry={() => void rule.refetch()} />
      </Page>
    );
  }
  return (
    <Page title={rule.data?.title ?? id} actions={rule.data && <Actions rule={rule.data} />}>
      <BackLink />
      {rule.data === undefined ? (
        <section className={styles.card} aria-busy="true" aria-label="Loading the rule">
          <Skeleton width={260} />
          <Skeleton />
          <Skeleton />
        </section>
      ) : (
        <Details rule={rule.data} />
      )}
    </Page>
  );
}

function BackLink() {
  return (
    <Link to="/rules" className={styles.back}>
      <ArrowLeft size={14} aria-hidden />
      All rules
    </Link>
  );
}

function Actions({ rule: { id, category } }: { readonly rule: Rule }) {
  const can = useCan();
  return (
    <>
      {category === 'custom' && (
        <Link to="/custom-rules/$id" params={{ id }} {...buttonLook()}>
          {can('rules.write') ? 'Edit' : 'Condition'}
        </Link>
      )}
      {can('findings.mute') && (
        <Link to="/mutes" search={{ muteRule: id }} {...buttonLook()}>
          <BellOff size={14} aria-hidden />
          Mute
        </Link>
      )}
      {can('findings.read') && <FindingsLink id={id} />}
    </>
  );
}

/** Leads to the open findings of the rule, with their number when it is known. */
function FindingsLink({ id }: { readonly id: string }) {
  const { data } = useQuery({
    queryKey: ['findings', 'open-of-rule', id],
    queryFn: () => api.findings.summary({ rule: id, status: 'open', muted: false }),
  });
  return (
    <Link {...findingsSearchLink({ rule: [id] })} {...buttonLook('primary')}>
      {data === undefined ? 'Open findings' : `Open findings (${count(data.total.open)})`}
    </Link>
  );
}

function Details({ rule }: { readonly rule: Rule }) {
  const { id, severity, category, version, assetTypes, needs, compliance, parameters } = rule;
  return (
    <div className={styles.columns}>
      <div className={styles.main}>
        <Section title="What it checks">
          <p className={styles.prose}>{rule.description || 'This rule has no description.'}</p>
        </Section>
        <Section title="How to fix it">
          <p className={styles.prose}>
            <CodeSpans text={rule.remediation || 'This rule has no remediation.'} />
          </p>
          <p className={styles.prose}>
            {rule.noFix === null
              ? 'Each finding shows a verified fix where its asset allows one.'
              : `There is no automatic fix: ${rule.noFix}.`}
          </p>
        </Section>
        <Section title="Parameters">
          <Parameters parameters={parameters} />
        </Section>
      </div>
      <aside className={styles.aside} aria-label="Properties">
        <section className={styles.card}>
          <dl className={styles.facts}>
            <dt>Severity</dt>
            <dd>
              <Severity level={severity} />
            </dd>
            <dt>Id</dt>
            <dd>
              <CopyId id={id} />
            </dd>
            <dt>Category</dt>
            <dd>{category}</dd>
            <dt>Version</dt>
            <dd>{version}</dd>
            <dt>Asset types</dt>
            <dd>
              {assetTypes.map((type) => (
                <span key={type} className={styles.type} title={type}>
                  {kindOf(type)} <small>{type.split('/')[0]}</small>
                </span>
              ))}
            </dd>
            <dt>Needs</dt>
            <dd className={styles.badges}>
              {needs.map((need) => (
                <Badge key={need}>{need}</Badge>
              ))}
            </dd>
          </dl>
        </section>
        <section className={styles.card}>
          <h2>Requirements</h2>
          {compliance.length === 0 ? (
            <p className={styles.quiet}>No framework requires this rule.</p>
          ) : (
            <ul className={styles.requirements}>
              {compliance.map((one) => (
                <li key={`${one.framework} ${one.id}`}>
                  <Link to="/rules" search={{ framework: [one.framework] }} className={styles.link}>
                    {frameworkName(one.framework)}
                  </Link>
                  <b>{one.id}</b>
                </li>
              ))}
            </ul>
          )}
        </section>
      </aside>
    </div>
  );
}

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className={styles.card}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

function Parameters({ parameters }: Pick<Rule, 'parameters'>) {
  const entries = Object.entries(parameters);
  if (entries.length === 0) return <p className={styles.quiet}>The rule has no parameters.</p>;
  return (
    <>
      <dl className={styles.parameters}>
        {entries.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{JSON.stringify(value)}</dd>
          </div>
        ))}
      </dl>
      <p className={styles.quiet}>
        These are the defaults. A{' '}
        <Link to="/profiles" className={styles.link}>
          profile
        </Link>{' '}
        can set other values.
      </p>
    </>
  );
}
