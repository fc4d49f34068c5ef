import type { Statement } from './tenant-database.ts';

/**
 * Makes the rest of a transaction read large tables by their indexes. Without statistics of new rows, Postgres would
 * expect few of them, and read or sort all for each part.
 */
export const BY_INDEX: Statement = {
  name: 'by-index',
  reason: 'command',
  text: "SELECT set_config('enable_sort', 'off', true), set_config('enable_seqscan', 'off', true)",
};
