import type { Asset } from '@cspm/sdk';
import { Link } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useEffect, useRef } from 'react';
import { count, kindOf, plural, shortName, visible } from '../../lib/format.ts';
import { scaled } from '../../lib/scaled.ts';
import { useKeptScroll } from '../../lib/use-kept-scroll.ts';
import { Button } from '../../ui/Button.tsx';
import { Severity } from '../../ui/Severity.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import styles from './Assets.module.css';

const ROW_HEIGHT = scaled(52);
/** The next page is loaded when this many rows are left. */
const AHEAD = 40;
const LOADING_ROWS = Array.from({ length: 10 }, (_, index) => String(index));

interface AssetsTableProps {
  readonly project: string;
  /** The filters in text. */
  readonly query: string;
  /** Undefined: the first page is loading. */
  readonly rows: readonly Asset[] | undefined;
  /** The rows still belong to the previous filters. */
  readonly isStale: boolean;
  readonly hasMore: boolean;
  /** The next page could not be loaded. */
  readonly hasFailed: boolean;
  readonly onMore: () => void;
}

/** The loaded assets as a virtual list. The server sorts and filters. */
export function AssetsTable(props: AssetsTableProps) {
  const { project, query, rows, isStale, hasMore, hasFailed, onMore } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const length = rows?.length ?? 0;
  const virtual = useVirtualizer({
    count: length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 8,
  });
  // After the virtual list, which scrolls to its beginning first.
  useKeptScroll(scroller, 'rows', query);
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && length > 0 && last >= length - AHEAD) onMore();
  }, [hasMore, last, length, onMore]);
  return (
    <div className={styles.frame}>
      <div
        role="grid"
        aria-label="Assets"
        aria-rowcount={hasMore ? -1 : length + 1}
        aria-busy={isStale || rows === undefined}
        className={styles.table}
      >
        <div role="rowgroup">
          <div
            role="row"
            aria-rowindex={1}
            className={`${styles.row} ${styles.head}`}
            tabIndex={-1}
          >
            <span role="columnheader" tabIndex={-1}>
              Asset
            </span>
            <span role="columnheader" tabIndex={-1} className={styles.wide}>
              Type
            </span>
            <span role="columnheader" tabIndex={-1} className={styles.wide}>
              Location
            </span>
            <span role="columnheader" tabIndex={-1}>
              Open findings
            </span>
          </div>
        </div>
        <div
          ref={scroller}
          role="rowgroup"
          className={styles.scroller}
          tabIndex={0}
          aria-label="Rows"
        >
          {rows === undefined ? (
            LOADING_ROWS.map((row) => (
              <div key={row} role="row" className={styles.row} tabIndex={-1}>
                <span role="gridcell">
                  <Skeleton width={240} />
                </span>
              </div>
            ))
          ) : (
            <div
              role="presentation"
              className={styles.space}
              style={{ height: virtual.getTotalSize() }}
            >
              {items.map(({ index, start }) => {
                const asset = rows[index];
                if (asset === undefined) return null;
                const key = `${asset.name} ${asset.type}`;
                return <Row key={key} {...{ project, asset, index, start }} />;
              })}
            </div>
          )}
        </div>
      </div>
      <footer className={styles.foot}>
        <span role="status">
          {rows === undefined
            ? 'Loading assets'
            : `${count(length)} loaded${hasMore ? ', more below' : ''}`}
          {hasFailed && '. The next ones could not be loaded.'}
        </span>
        {hasFailed && <Button onClick={onMore}>Try again</Button>}
      </footer>
    </div>
  );
}

interface RowProps {
  readonly project: string;
  readonly asset: Asset;
  readonly index: number;
  readonly start: number;
}

const Row = memo(function Row({ project, asset, index, start }: RowProps) {
  const { name, type, location, openFindings, worstSeverity } = asset;
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      className={styles.row}
      style={{ transform: `translateY(${start}px)` }}
      tabIndex={-1}
    >
      <span role="gridcell" className={styles.asset}>
        <Link
          to="/projects/$name/assets/lookup"
          params={{ name: project }}
          search={{ asset: name, type }}
          className={styles.name}
        >
          {shortName(name)}
        </Link>
        <small className={styles.path} title={visible(name)}>
          {visible(name)}
        </small>
        <small className={styles.narrow}>
          {kindOf(type)}
          {location !== null && ` · ${location}`}
        </small>
      </span>
      <span role="gridcell" className={styles.wide} title={type}>
        {kindOf(type)}
      </span>
      <span role="gridcell" className={styles.wide}>
        {location ?? '–'}
      </span>
      <span role="gridcell" className={styles.found}>
        {worstSeverity === null ? (
          <span className={styles.none}>None</span>
        ) : (
          <>
            <Severity level={worstSeverity} />
            <span title={plural(openFindings, 'open finding')}>{count(openFindings)}</span>
          </>
        )}
      </span>
    </div>
  );
});
