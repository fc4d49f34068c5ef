import type { Finding } from '@cspm/sdk';
import { BellOff, Check } from 'lucide-react';
import {
  type KeyboardEvent,
  memo,
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
} from 'react';
import { count, kindOf, shortName, visible } from '../../lib/format.ts';
import { scaled } from '../../lib/scaled.ts';
import { singleKeys } from '../../lib/single-keys.ts';
import { useFixedRows } from '../../lib/use-fixed-rows.ts';
import { useKeptScroll } from '../../lib/use-kept-scroll.ts';
import { Badge, Button, Hidden } from '../../ui/Button.tsx';
import { Severity, SeverityIcon } from '../../ui/Severity.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Time } from '../../ui/Time.tsx';
import styles from './FindingsTable.module.css';

const ROW_HEIGHT = scaled(56);
/** Rows rendered above and below what is visible. */
const OVERSCAN = 8;
/** The next page is loaded when this many rows are left. */
const AHEAD = 60;
const LOADING_ROWS = Array.from({ length: 12 }, (_, index) => String(index));

interface FindingsTableProps {
  /** The search whose findings are listed. */
  readonly query: string;
  /** Undefined: the first page is loading. */
  readonly rows: readonly Finding[] | undefined;
  /** The number of findings that match the search, loaded or not. Undefined: not known yet. */
  readonly total: number | undefined;
  /** The rows are those of the search before. */
  readonly isStale: boolean;
  readonly hasMore: boolean;
  readonly onMore: () => void;
  /** The next page, or the list again, could not be loaded. */
  readonly failure: { readonly text: string; readonly retry: () => void } | undefined;
  readonly openId: string | undefined;
  /** The row that the keys act on. */
  readonly cursor: number;
  readonly chosen: ReadonlySet<string>;
  readonly onToggle: (id: string) => void;
  readonly onToggleAll: () => void;
  readonly onOpen: (finding: Finding, index: number) => void;
  readonly onFocusRow: (index: number, id: string) => void;
  /** The server has other findings than the list shows; undefined: it has the same. */
  readonly change: { readonly text: string } | undefined;
  readonly onShowChange: () => void;
  /** Shown if nothing matches, or if the list could not be loaded. */
  readonly instead: ReactNode;
}

/** The loaded findings as a virtual list. The server sorts and filters. */
export function FindingsTable(props: FindingsTableProps) {
  const { query, rows, total, isStale, openId, cursor, chosen, change, failure, instead } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const areKeysOn = singleKeys.use();
  const length = rows?.length ?? 0;
  useKeptScroll(scroller, 'rows', query);
  const { first, top, end, show } = useFixedRows(scroller, {
    count: length,
    height: ROW_HEIGHT,
    overscan: OVERSCAN,
  });
  useLoadAhead(end - 1, length, props);
  // Without a finding in the panel, the page begins where the person left off.
  const cursorId = rows?.[cursor]?.id;
  const shown = useRef({ query, cursor: openId === undefined ? cursor : 0, id: cursorId });
  // Only when the cursor moves to another finding: the person may have scrolled away from it, or come back to another row.
  useEffect(() => {
    const { current } = shown;
    const isSame = current.id !== undefined && current.id === cursorId;
    if (current.query === query && current.cursor !== cursor && !isSame) show(cursor);
    shown.current = { query, cursor, id: cursorId };
  }, [show, query, cursor, cursorId]);
  const showChange = () => {
    scroller.current?.scrollTo(0, 0);
    scroller.current?.focus();
    props.onShowChange();
  };
  const moveFocus = useRowFocus(scroller, show, props);
  // Tab stops at one row alone: the list loads further rows at its end, so nobody would get past all of them.
  const stop = cursor >= first && cursor < end ? cursor : Math.min(top, end - 1);
  const notes = [failure?.text, change?.text].filter(Boolean);
  return (
    <div className={styles.frame}>
      <div
        role="grid"
        aria-label="Findings"
        aria-rowcount={(total ?? length) + 1}
        aria-multiselectable="true"
        aria-busy={isStale || rows === undefined}
        className={styles.grid}
      >
        <HeaderRow {...props} />
        <div
          ref={scroller}
          className={styles.scroller}
          role="rowgroup"
          tabIndex={0}
          aria-label="Rows"
          onKeyDown={moveFocus}
        >
          {instead !== null ? (
            <div role="row" className={styles.instead}>
              <div role="gridcell">{instead}</div>
            </div>
          ) : rows === undefined ? (
            <LoadingRows />
          ) : (
            <div
              role="presentation"
              style={{ height: length * ROW_HEIGHT }}
              className={styles.space}
            >
              {rows.slice(first, end).map((finding, offset) => (
                <Row
                  key={finding.id}
                  finding={finding}
                  index={first + offset}
                  start={(first + offset) * ROW_HEIGHT}
                  isOpen={finding.id === openId}
                  isCursor={first + offset === cursor}
                  isStop={first + offset === stop}
                  isChosen={chosen.has(finding.id)}
                  onToggle={props.onToggle}
                  onOpen={props.onOpen}
                  onFocusRow={props.onFocusRow}
                />
              ))}
            </div>
          )}
        </div>
      </div>
      <footer className={styles.foot}>
        <span role="status">
          {loadedText(rows, total)}
          {notes.map((note) => `. ${note}`)}
          {notes.length > 0 && '.'}
        </span>
        {change !== undefined && (
          <Button style={{ marginRight: 'auto' }} onClick={showChange}>
            Show
          </Button>
        )}
        {failure !== undefined && <Button onClick={failure.retry}>Try again</Button>}
        {areKeysOn && (
          <span className={styles.hints} aria-hidden="true">
            <kbd>j</kbd>
            <kbd>k</kbd> move<kbd>↵</kbd> open<kbd>x</kbd> select<kbd>m</kbd> mute<kbd>?</kbd> all
            keys
          </span>
        )}
      </footer>
    </div>
  );
}

function loadedText(rows: readonly Finding[] | undefined, total: number | undefined): string {
  if (rows === undefined) return 'Loading findings';
  return total === undefined
    ? `${count(rows.length)} loaded`
    : `${count(rows.length)} of ${count(Math.max(total, rows.length))} loaded`;
}

/** By how many rows a key moves the focus. NaN: it does not. */
function stepOf(key: string, page: number): number {
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: 1,
    ArrowUp: -1,
    PageDown: page,
    PageUp: -page,
    Home: Number.NEGATIVE_INFINITY,
    End: Number.POSITIVE_INFINITY,
  };
  return steps[key] ?? Number.NaN;
}

/**
 * Gives the focus to the row with the cursor when the panel that had it was closed.
 * @returns the handler of keys, which moves the focus from row to row.
 */
function useRowFocus(
  scroller: RefObject<HTMLElement | null>,
  show: (index: number) => void,
  { rows, openId, cursor, isStale, onFocusRow }: FindingsTableProps,
): (event: KeyboardEvent) => void {
  const wasOpen = useRef(false);
  /** The class of the button that is to get the focus; undefined: none. */
  const due = useRef<string>(undefined);
  // After every render: the row may have to be scrolled to first, and is rendered then.
  useLayoutEffect(() => {
    const { current } = scroller;
    const { activeElement, body } = document;
    const isLost = activeElement === body;
    if (wasOpen.current && openId === undefined && isLost) {
      due.current = styles.title;
      show(cursor);
    }
    wasOpen.current = openId !== undefined;
    if (due.current === undefined) return;
    // The rows of the search before are about to go.
    const hasRows = !isStale && rows !== undefined && rows.length > 0;
    const row = current?.querySelector<HTMLElement>(`[data-cursor] .${due.current}`);
    const next = hasRows ? row : current;
    // Otherwise the person has gone somewhere else meanwhile.
    const isFree = isLost || current?.contains(activeElement) === true;
    if (isFree) next?.focus({ preventScroll: true });
    if (next || !isFree) due.current = undefined;
  });
  return (event) => {
    const { key, target, currentTarget } = event;
    const row = (target as Element).closest('[aria-rowindex]');
    // While the focus is on its way to a row that is not rendered yet, the next key begins there.
    const from = row !== null && due.current !== undefined ? cursor : Number(row?.ariaRowIndex) - 2;
    // One row stays visible, as in a text.
    const page = Math.max(1, Math.floor(currentTarget.clientHeight / ROW_HEIGHT) - 1);
    const last = (rows?.length ?? 0) - 1;
    const index = Math.max(0, Math.min(last, from + stepOf(key, page)));
    const next = rows?.[index];
    const isOther = event.metaKey || event.altKey || (event.ctrlKey && !/^(Home|End)$/.test(key));
    if (next === undefined || isOther) return;
    event.preventDefault();
    due.current = (target as Element).closest('button')?.className ?? styles.title;
    onFocusRow(index, next.id);
    show(index);
  };
}

function useLoadAhead(
  last: number,
  length: number,
  { hasMore, onMore }: Pick<FindingsTableProps, 'hasMore' | 'onMore'>,
): void {
  useEffect(() => {
    if (hasMore && length > 0 && last >= length - AHEAD) onMore();
  }, [hasMore, last, length, onMore]);
}

function HeaderRow({ rows, chosen, onToggleAll }: FindingsTableProps) {
  const isChosen = ({ id }: Finding) => chosen.has(id);
  const isAll = rows !== undefined && rows.length > 0 && rows.every(isChosen);
  const state = isAll ? 'true' : rows?.some(isChosen) ? 'mixed' : 'false';
  return (
    <div role="rowgroup">
      <div role="row" aria-rowindex={1} className={`${styles.row} ${styles.head}`} tabIndex={-1}>
        <span role="columnheader" tabIndex={-1}>
          <button
            type="button"
            role="checkbox"
            aria-checked={state}
            aria-label="Select all loaded findings"
            className={styles.check}
            onClick={onToggleAll}
          >
            <Check size={11} strokeWidth={3} aria-hidden />
          </button>
        </span>
        <span role="columnheader" tabIndex={-1}>
          Severity
        </span>
        <span role="columnheader" tabIndex={-1}>
          Finding
        </span>
        <span role="columnheader" tabIndex={-1} className={styles.wide}>
          Asset
        </span>
        <span role="columnheader" tabIndex={-1} className={styles.wide}>
          Project
        </span>
        <span role="columnheader" tabIndex={-1} className={styles.age}>
          Age
        </span>
      </div>
    </div>
  );
}

interface RowProps {
  readonly finding: Finding;
  readonly index: number;
  readonly start: number;
  readonly isOpen: boolean;
  readonly isCursor: boolean;
  readonly isStop: boolean;
  readonly isChosen: boolean;
  readonly onToggle: (id: string) => void;
  readonly onOpen: (finding: Finding, index: number) => void;
  readonly onFocusRow: (index: number, id: string) => void;
}

const Row = memo(function Row(props: RowProps) {
  const { finding, index, start, isOpen, isCursor, isChosen, onToggle, onOpen, onFocusRow } = props;
  const tabIndex = props.isStop ? 0 : -1;
  const { status, delta, asset, muted } = finding;
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isChosen}
      data-open={isOpen || undefined}
      data-cursor={isCursor || undefined}
      className={styles.row}
      style={{ transform: `translateY(${start}px)` }}
      tabIndex={-1}
      onFocus={() => onFocusRow(index, finding.id)}
    >
      <span role="gridcell">
        <button
          type="button"
          role="checkbox"
          aria-checked={isChosen}
          aria-label={`Select ${finding.title}, ${shortName(asset.name)}`}
          tabIndex={tabIndex}
          className={styles.check}
          onClick={() => onToggle(finding.id)}
        >
          <Check size={11} strokeWidth={3} aria-hidden />
        </button>
      </span>
      <span role="gridcell" className={styles.severity}>
        <Severity level={finding.severity} />
      </span>
      <span role="gridcell" className={styles.finding}>
        <span className={styles.icon}>
          <SeverityIcon level={finding.severity} />
        </span>
        <span className={styles.words}>
          <span className={styles.line}>
            <button
              type="button"
              tabIndex={tabIndex}
              className={styles.title}
              onClick={() => onOpen(finding, index)}
            >
              {finding.title}
            </button>
            {delta === 'new' && <Badge tone="new">New</Badge>}
            {delta === 'reopened' && <Badge tone="reopened">Reopened</Badge>}
            {status === 'resolved' && <Badge>Resolved</Badge>}
            {muted !== null && (
              <>
                <BellOff size={13} className={styles.muted} aria-hidden />
                <Hidden>Muted</Hidden>
              </>
            )}
          </span>
          <span className={styles.message}>{visible(finding.message)}</span>
          <span className={styles.narrow}>
            <bdi>{shortName(asset.name)}</bdi> · {finding.project}
          </span>
        </span>
      </span>
      <span role="gridcell" className={`${styles.two} ${styles.wide}`}>
        <span className={styles.mono}>{shortName(asset.name)}</span>
        <small>{kindOf(asset.type)}</small>
      </span>
      <span role="gridcell" className={`${styles.project} ${styles.wide}`}>
        {finding.project}
      </span>
      <span role="gridcell" className={styles.age}>
        <Time at={finding.firstSeenAt} as="age" />
      </span>
    </div>
  );
});

function LoadingRows() {
  return LOADING_ROWS.map((row) => (
    <div key={row} role="row" className={styles.row} tabIndex={-1}>
      <span role="gridcell" />
      <span role="gridcell" className={styles.severity}>
        <Skeleton width={76} />
      </span>
      <span role="gridcell">
        <Skeleton width={280} />
      </span>
      <span role="gridcell" className={styles.wide}>
        <Skeleton width={140} />
      </span>
      <span role="gridcell" className={styles.wide}>
        <Skeleton width={90} />
      </span>
      <span role="gridcell" className={styles.age}>
        <Skeleton width={30} />
      </span>
    </div>
  ));
}
