import { Fragment, type ReactNode } from 'react';
import { count } from '../lib/format.ts';
import { useIsNarrow } from '../lib/use-is-narrow.ts';
import { useRowsInPieces } from '../lib/use-rows-in-pieces.ts';
import { Button, Hidden } from './Button.tsx';
import { Skeleton } from './Skeleton.tsx';
import styles from './Table.module.css';

export interface Column<Row> {
  readonly key: string;
  readonly header: string;
  /** The header is for screen readers alone, as for a column of buttons. */
  readonly hideHeader?: boolean;
  readonly cell: (row: Row) => ReactNode;
  /** `wide`: on narrow screens in a line below the row. */
  readonly show?: 'always' | 'wide';
  readonly align?: 'start' | 'end';
}

interface TableProps<Row> {
  /** What the table lists. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  /** Undefined: loading. */
  readonly rows: readonly Row[] | undefined;
  readonly rowKey: (row: Row) => string;
  /** Shown instead of the table if there are no rows. */
  readonly empty: ReactNode;
  /** Loads the next page; left out: there is none. */
  readonly onMore?: (() => void) | undefined;
  readonly isLoadingMore?: boolean;
}

const LOADING_ROWS = ['1', '2', '3', '4', '5'];

/** A table for lists of up to a few hundred rows. Longer lists need a virtual list, as the findings have. */
export function Table<Row>(props: TableProps<Row>) {
  const { label, rows, empty } = props;
  return (
    <>
      {/* Stays when the rows change, so that screen readers tell the result of a filter. */}
      <Hidden role="status">
        {rows === undefined ? `Loading ${label}` : `${label}: ${count(rows.length)} shown`}
      </Hidden>
      {rows?.length === 0 ? empty : <Rows {...props} />}
    </>
  );
}

function Rows<Row>({
  label,
  columns,
  rows,
  rowKey,
  onMore,
  isLoadingMore = false,
}: TableProps<Row>) {
  const isNarrow = useIsNarrow();
  const rendered = useRowsInPieces(rows?.length ?? 0);
  const shown = columns.filter(({ show }) => !(isNarrow && show === 'wide'));
  const below = columns.filter((column) => !shown.includes(column));
  return (
    <section
      className={styles.frame}
      aria-label={label}
      aria-busy={rows === undefined}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls sideways needs the keyboard
      tabIndex={0}
    >
      <table className={styles.table}>
        <caption>
          <Hidden>{label}</Hidden>
        </caption>
        <thead>
          <tr>
            {shown.map(({ key, header, hideHeader, align }) => (
              <th key={key} scope="col" data-align={align}>
                {hideHeader ? <Hidden>{header}</Hidden> : header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows === undefined
            ? LOADING_ROWS.map((row) => (
                <tr key={row}>
                  {shown.map(({ key }) => (
                    <td key={key}>
                      <Skeleton />
                    </td>
                  ))}
                </tr>
              ))
            : rows.slice(0, rendered).map((row) => (
                <Fragment key={rowKey(row)}>
                  <tr>
                    {shown.map(({ key, cell, align }) => (
                      <td key={key} data-align={align}>
                        {cell(row)}
                      </td>
                    ))}
                  </tr>
                  {below.length > 0 && (
                    <tr data-below>
                      <td colSpan={shown.length}>
                        <dl className={styles.below}>
                          {below.map(({ key, header, cell }) => (
                            <div key={key}>
                              <dt>{header}</dt>
                              <dd>{cell(row) ?? '–'}</dd>
                            </div>
                          ))}
                        </dl>
                      </td>
                    </tr>
                  )}
                </Fragment>
              ))}
        </tbody>
      </table>
      {onMore !== undefined && (
        <div className={styles.more}>
          <Button busy={isLoadingMore} onClick={onMore}>
            Load more
          </Button>
        </div>
      )}
    </section>
  );
}
