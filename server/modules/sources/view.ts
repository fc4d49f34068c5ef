import type { PULL_CONTENT_TYPES, PULL_STATUSES } from '@cspm/contract';
import type { PullRow } from './pull-queries.ts';
import type { SourceRow } from './queries.ts';

// The casts are safe: the server wrote these columns.
type Status = (typeof PULL_STATUSES)[number];
type Missing = {
  contentType: (typeof PULL_CONTENT_TYPES)[number];
  permission: string;
  remedy: string;
}[];

/** Maps a source to its contract type. */
export function sourceView(row: SourceRow, last: PullRow | null) {
  return {
    kind: 'google-cloud' as const,
    parent: row.parent,
    credentialType: row.credentialType as 'service_account_key' | 'impersonation',
    principal: row.principal,
    createdBy: { kind: row.createdByKind, id: row.createdById, label: row.createdByLabel },
    createdAt: row.createdAt.toISOString(),
    lastPull:
      last === null
        ? null
        : {
            id: last.id,
            at: last.createdAt.toISOString(),
            status: last.status as Status,
            assets: last.assets,
            problem: last.problem,
          },
  };
}

/** Maps a pull to its contract type. */
export function pullView(row: PullRow, now: Date) {
  const state = row.state as { readonly pull: { readonly readTime: string } } | null;
  return {
    id: row.id,
    status: row.status as Status,
    parent: row.parent,
    pages: row.pages,
    records: row.records,
    assets: row.assets,
    seconds: secondsOf(row, now),
    readTime: state?.pull.readTime ?? null,
    missing: row.missing as Missing,
    problem: row.problem,
    problemCode: row.problemCode,
    inventoryId: row.inventoryId,
    createdBy: { kind: row.createdByKind, id: row.createdById, label: row.createdByLabel },
    createdAt: row.createdAt.toISOString(),
    startedAt: row.startedAt?.toISOString() ?? null,
    finishedAt: row.finishedAt?.toISOString() ?? null,
  };
}

function secondsOf({ startedAt, finishedAt }: PullRow, now: Date): number | null {
  if (startedAt === null) return null;
  return Math.max(0, ((finishedAt ?? now).getTime() - startedAt.getTime()) / 1000);
}
