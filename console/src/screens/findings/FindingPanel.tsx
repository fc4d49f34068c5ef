import type { Finding } from '@cspm/sdk';
import { Link } from '@tanstack/react-router';
import { BellOff, BellRing, ChevronDown, ChevronUp, Link2, ShieldCheck, X } from 'lucide-react';
import { type FocusEventHandler, type ReactNode, useEffect, useRef, useState } from 'react';
import { copyText } from '../../lib/copy-text.ts';
import { date, frameworkName, kindOf, shortName, visible } from '../../lib/format.ts';
import { Badge, Button, Kbd } from '../../ui/Button.tsx';
import { CodeSpans } from '../../ui/CodeSpans.tsx';
import { Copy } from '../../ui/Copy.tsx';
import { Severity } from '../../ui/Severity.tsx';
import { Failure } from '../../ui/States.tsx';
import { Time } from '../../ui/Time.tsx';
import { toast } from '../../ui/Toasts.tsx';
import styles from './FindingPanel.module.css';
import { FixSection } from './FixSection.tsx';
// Loaded with the panel, so that a lost connection does not prevent it later.
import './muting.ts';
import { commandsIn } from './remediation.ts';
import type { FindingsSearch } from './search.ts';

interface FindingPanelProps {
  readonly finding: Finding;
  /** Rises when the person opens a finding. */
  readonly openings: number;
  /** `3 of 10,239`; empty if the finding is not in the list. */
  readonly place: string;
  /** By how many rows one can move: -1, 1, or neither at an end of the list. */
  readonly canMove: (by: -1 | 1) => boolean;
  readonly onMove: (by: -1 | 1) => void;
  /** Left out: the person may not mute. */
  readonly onMute: (() => void) | undefined;
  readonly onUnmute: (() => Promise<void>) | undefined;
  readonly onFilter: (filters: Partial<FindingsSearch>) => void;
  readonly onFocus: () => void;
  readonly onClose: () => void;
}

/** The panel beside the list. It is not modal: the person can move through the list while reading. */
export function FindingPanel(props: FindingPanelProps) {
  const { finding, openings, place, canMove, onMove, onFocus, onClose } = props;
  return (
    <Panel id={finding.id} name={`Finding: ${finding.title}`} openings={openings} onFocus={onFocus}>
      <div className={styles.bar}>
        <Button
          kind="quiet"
          square
          aria-label="Previous finding"
          disabled={!canMove(-1)}
          onClick={() => onMove(-1)}
        >
          <ChevronUp size={16} aria-hidden />
        </Button>
        <Button
          kind="quiet"
          square
          aria-label="Next finding"
          disabled={!canMove(1)}
          onClick={() => onMove(1)}
        >
          <ChevronDown size={16} aria-hidden />
        </Button>
        <span className={styles.place}>{place}</span>
        <Button kind="quiet" square aria-label="Copy link" onClick={() => void copyLink()}>
          <Link2 size={15} aria-hidden />
        </Button>
        <Close onClose={onClose} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls needs the keyboard */}
      <section className={styles.body} tabIndex={0} aria-label="Details" key={finding.id}>
        <Head {...props} />
        <AssetSection {...props} />
        <EvidenceSection finding={finding} />
        <RemediationSection remediation={finding.remediation} />
        {finding.status === 'open' && <FixSection id={finding.id} />}
        <RuleSection {...props} />
        <HistorySection finding={finding} />
      </section>
    </Panel>
  );
}

interface PanelProps {
  readonly id?: string;
  readonly name: string;
  readonly openings: number;
  readonly onFocus?: FocusEventHandler;
  readonly children: ReactNode;
}

/** Takes the focus when the person opens a finding. The list gets it back when the panel is closed. */
function Panel({ id, name, openings, onFocus, children }: PanelProps) {
  const panel = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same finding can be opened again
  useEffect(() => {
    // The finding of the address may arrive while the person types.
    if (!document.activeElement?.matches('input, textarea')) panel.current?.focus();
  }, [openings]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another finding replaces what had the focus
  useEffect(() => {
    if (document.activeElement === document.body) panel.current?.focus();
  }, [id]);
  return (
    <aside ref={panel} className={styles.panel} tabIndex={-1} aria-label={name} onFocus={onFocus}>
      {children}
    </aside>
  );
}

interface MissingFindingProps {
  readonly openings: number;
  readonly error: Error;
  readonly onRetry: () => void;
  readonly onClose: () => void;
}

/** The panel for a finding that could not be loaded. */
export function MissingFinding({ openings, error, onRetry, onClose }: MissingFindingProps) {
  return (
    <Panel name="Finding" openings={openings}>
      <div className={styles.bar}>
        <span className={styles.place} />
        <Close onClose={onClose} />
      </div>
      <div className={styles.body}>
        <Failure error={error} onRetry={onRetry} />
      </div>
    </Panel>
  );
}

function Close({ onClose }: Pick<FindingPanelProps, 'onClose'>) {
  return (
    <Button kind="quiet" square aria-label="Close" onClick={onClose}>
      <X size={16} aria-hidden />
    </Button>
  );
}

async function copyLink(): Promise<void> {
  if (await copyText(location.href)) toast('Link copied');
  else toast('The browser refused to copy. Copy the address of the page.', { tone: 'bad' });
}

function Head({ finding, onMute, onUnmute }: FindingPanelProps) {
  const [isBusy, setBusy] = useState(false);
  const { status, delta, muted } = finding;
  const unmute = async () => {
    setBusy(true);
    await onUnmute?.().finally(() => setBusy(false));
  };
  return (
    <header className={styles.head}>
      <div className={styles.facts}>
        <Severity level={finding.severity} />
        {status === 'resolved' ? (
          <Badge tone="good">Resolved</Badge>
        ) : (
          <Badge>
            Open <Time at={finding.firstSeenAt} as="age" />
          </Badge>
        )}
        {muted !== null && <Badge tone="warn">Muted until {date(muted.expiresAt)}</Badge>}
        {delta === 'new' && <Badge tone="new">New</Badge>}
        {delta === 'reopened' && <Badge tone="reopened">Reopened</Badge>}
      </div>
      <h2>{finding.title}</h2>
      <p>{visible(finding.message)}</p>
      {muted !== null && (
        <p className={styles.reason}>
          Muted: {muted.reason}{' '}
          <Link to="/mutes" search={{ finding: finding.id }}>
            Show the mute
          </Link>
        </p>
      )}
      {(onMute ?? onUnmute) !== undefined && (
        <div className={styles.actions}>
          {/* One button, which keeps the focus when the finding is muted or unmuted. */}
          <Button
            kind={onMute === undefined ? 'plain' : 'primary'}
            busy={isBusy}
            onClick={onMute ?? (() => void unmute())}
          >
            {onMute === undefined ? (
              <>
                <BellRing size={14} aria-hidden />
                Unmute
              </>
            ) : (
              <>
                <BellOff size={14} aria-hidden />
                Mute
                <Kbd>m</Kbd>
              </>
            )}
          </Button>
        </div>
      )}
    </header>
  );
}

function AssetSection({ finding: { asset, project, subject }, onFilter }: FindingPanelProps) {
  return (
    <Section title="Asset">
      <dl className={styles.list}>
        <dt>Name</dt>
        <dd className={styles.mono}>
          <bdi>{shortName(asset.name)}</bdi>
          <Copy text={asset.name} label="Copy the full name" />
        </dd>
        <dt>Type</dt>
        <dd>
          {kindOf(asset.type)} <span>{asset.type.split('/')[0]}</span>
        </dd>
        <dt>Project</dt>
        <dd>
          <button
            type="button"
            className={styles.link}
            onClick={() => onFilter({ project: [project] })}
          >
            {project}
          </button>
        </dd>
        {subject !== '' && (
          <>
            <dt>Part</dt>
            <dd className={styles.mono}>{visible(subject)}</dd>
          </>
        )}
      </dl>
      <div className={styles.moreRow}>
        <button
          type="button"
          className={styles.more}
          onClick={() => onFilter({ asset: asset.name })}
        >
          All findings of this asset
        </button>
        <Link
          to="/projects/$name/assets/lookup"
          params={{ name: project }}
          search={{ asset: asset.name, type: asset.type }}
          className={styles.more}
        >
          Data and verdicts
        </Link>
      </div>
    </Section>
  );
}

function EvidenceSection({ finding: { evidence } }: { readonly finding: Finding }) {
  if (evidence.length === 0) return null;
  return (
    <Section title="Evidence">
      <ul className={styles.evidence}>
        {evidence.map(({ path, value }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes, and a path can occur twice
          <li key={index}>
            <code className={styles.path}>{visible(path)}</code>
            <code className={styles.value} data-kind={typeof value}>
              {JSON.stringify(value, null, 1).split('\n').map(visible).join('\n')}
            </code>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function RemediationSection({ remediation }: { readonly remediation: string }) {
  return (
    <Section title="Remediation">
      <p className={styles.prose}>
        <CodeSpans text={remediation} />
      </p>
      {commandsIn(remediation).map((command) => (
        <div key={command} className={styles.command}>
          <code>{command}</code>
          <Copy text={command} label="Copy the command" />
        </div>
      ))}
    </Section>
  );
}

function RuleSection({ finding: { ruleId, compliance }, onFilter }: FindingPanelProps) {
  return (
    <Section title="Rule">
      <button type="button" className={styles.rule} onClick={() => onFilter({ rule: [ruleId] })}>
        <ShieldCheck size={16} aria-hidden />
        <span>
          <b className={styles.mono}>{ruleId}</b>
          <small>All findings of this rule</small>
        </span>
      </button>
      {compliance.length > 0 && (
        <ul className={styles.tags} aria-label="Compliance">
          {compliance.map(({ framework, id }) => (
            <li key={framework + id}>
              {frameworkName(framework)} <b>{id}</b>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

const REASONS: Record<NonNullable<Finding['resolvedReason']>, string> = {
  fixed: 'A scan found the asset as it should be.',
  asset_gone: 'The asset is no longer in the inventory.',
  rule_retired: 'The rule no longer exists.',
};

function HistorySection({ finding }: { readonly finding: Finding }) {
  const { resolvedAt, resolvedReason, lastSeenAt, firstSeenAt, delta } = finding;
  return (
    <Section title="History">
      <ol className={styles.history}>
        {resolvedAt !== null && (
          <li data-now>
            <b>Resolved</b>
            <span>
              <Time at={resolvedAt} />. {resolvedReason === null ? '' : REASONS[resolvedReason]}
            </span>
          </li>
        )}
        {lastSeenAt !== firstSeenAt && (
          <li data-now={resolvedAt === null || undefined}>
            <b>{delta === 'reopened' ? 'Reopened' : 'Last seen'}</b>
            <span>
              <Time at={lastSeenAt} />
            </span>
          </li>
        )}
        <li data-now={(resolvedAt === null && lastSeenAt === firstSeenAt) || undefined}>
          <b>First seen</b>
          <span>
            <Time at={firstSeenAt} />, {date(firstSeenAt)}
          </span>
        </li>
      </ol>
    </Section>
  );
}

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className={styles.section}>
      <h3>{title}</h3>
      {children}
    </section>
  );
}
