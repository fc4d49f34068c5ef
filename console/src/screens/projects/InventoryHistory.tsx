import type { Inventory } from '@cspm/sdk';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { bytes, count, kindOf, plural } from '../../lib/format.ts';
import { KEPT_FRESH } from '../../queries.ts';
import { api } from '../../session.ts';
import { Badge, Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { EmptyState } from '../../ui/States.tsx';
import { type Column, Table } from '../../ui/Table.tsx';
import { Time } from '../../ui/Time.tsx';
import styles from './Projects.module.css';

/** How many asset types a row names. */
const TYPES_SHOWN = 3;
/** The server keeps the counts of at most so many types. */
const TYPES_KEPT = 100;

/** The inventories of a project, newest first. The first is the current one. */
export function InventoryHistory({ name }: { readonly name: string }) {
  const [shown, setShown] = useState<Inventory | null>(null);
  const inventories = useInfiniteQuery({
    queryKey: ['projects', 'inventories', name],
    queryFn: ({ pageParam }) => api.projects.inventories({ name, cursor: pageParam, limit: 25 }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    meta: KEPT_FRESH,
  });
  const rows = inventories.data?.pages.flatMap(({ items }) => items);
  return (
    <Card title="Inventories" subtitle="Newest first. Scans evaluate the current one.">
      <Loaded query={inventories}>
        <Table
          label="Uploaded inventories"
          columns={columns(rows?.[0]?.id, setShown)}
          rows={rows}
          rowKey={({ id }) => id}
          onMore={inventories.hasNextPage ? () => void inventories.fetchNextPage() : undefined}
          isLoadingMore={inventories.isFetchingNextPage}
          empty={
            <EmptyState title="No inventory has been uploaded">
              <p>A scan evaluates the inventory of the project. Upload an export to begin.</p>
            </EmptyState>
          }
        />
      </Loaded>
      <Dialog
        open={shown !== null}
        title="Warnings of the upload"
        description="Records that were ignored or need attention."
        size="wide"
        onClose={() => setShown(null)}
      >
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls needs the keyboard */}
        <ul className={styles.warnings} tabIndex={0} aria-label="Warnings">
          {shown?.warnings.map(({ line, message }) => (
            <li key={`${line} ${message}`}>
              <b>Line {count(line)}</b> {message}
            </li>
          ))}
        </ul>
      </Dialog>
    </Card>
  );
}

function columns(
  currentId: string | undefined,
  onWarnings: (inventory: Inventory) => void,
): readonly Column<Inventory>[] {
  return [
    {
      key: 'uploaded',
      header: 'Uploaded',
      cell: ({ id, createdAt }) => (
        <span className={styles.line}>
          <Time at={createdAt} />
          {id === currentId && <Badge tone="good">Current</Badge>}
        </span>
      ),
    },
    { key: 'assets', header: 'Assets', align: 'end', cell: ({ assets }) => count(assets) },
    {
      key: 'types',
      header: 'Asset types',
      show: 'wide',
      cell: ({ assetTypes, truncated }) => (
        <span
          className={styles.types}
          title={assetTypes.map((one) => `${one.type}: ${count(one.count)}`).join('\n')}
        >
          {assetTypes.slice(0, TYPES_SHOWN).map((one) => (
            <span key={one.type}>
              {kindOf(one.type)} {count(one.count)}
            </span>
          ))}
          {assetTypes.length > TYPES_SHOWN && (
            <span>
              and {truncated && assetTypes.length >= TYPES_KEPT && 'at least '}
              {plural(assetTypes.length - TYPES_SHOWN, 'more type')}
            </span>
          )}
        </span>
      ),
    },
    {
      key: 'size',
      header: 'Size',
      show: 'wide',
      align: 'end',
      cell: (inventory) => bytes(inventory.bytes),
    },
    {
      key: 'warnings',
      header: 'Warnings',
      align: 'end',
      cell: (inventory) =>
        inventory.warnings.length === 0 ? (
          'None'
        ) : (
          <Button
            onClick={() => onWarnings(inventory)}
            aria-label={`Show ${plural(inventory.warnings.length, 'warning')}`}
          >
            {count(inventory.warnings.length)}
          </Button>
        ),
    },
  ];
}
