import type pg from 'pg';
import { createPool } from '../../server/platform/database/pool.ts';

/** Connections of one role to a test database, for code that is tested without a server around it. */
export function testPool(url: string, { maxConnections = 1 } = {}): pg.Pool {
  return createPool({
    url,
    name: 'test',
    maxConnections,
    statementTimeoutMs: 60_000,
    onError: () => undefined,
  });
}
