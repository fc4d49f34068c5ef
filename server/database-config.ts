import type { Cell } from './platform/cells/cell-config.ts';
import { faultOfHosts } from './platform/database/hosts.ts';

interface Variables {
  readonly DATABASE_URL?: string | undefined;
  readonly DATABASE_APP_URL?: string | undefined;
  readonly DATABASE_WORKER_URL?: string | undefined;
  readonly DATABASE_REPLICA_URL?: string | undefined;
  /** Undefined: it is invalid, which is reported elsewhere. */
  readonly DATABASE_CELLS?: readonly Cell[] | undefined;
}

const SECONDARY_URLS = ['DATABASE_APP_URL', 'DATABASE_WORKER_URL', 'DATABASE_REPLICA_URL'] as const;

/**
 * Faults of the databases' addresses, and between them. None quotes a value that can contain a password.
 * @param hasUrl whether DATABASE_URL is set, also to an invalid value, which is reported elsewhere.
 */
export function databaseFaults(v: Variables, hasUrl = v.DATABASE_URL !== undefined): string[] {
  const faults: string[] = [];
  for (const name of SECONDARY_URLS) {
    if (v[name] !== undefined && !hasUrl) {
      faults.push(`${name}: also requires DATABASE_URL (the owner's, for migrations)`);
    }
  }
  for (const name of ['DATABASE_URL', ...SECONDARY_URLS] as const) {
    const kind = name === 'DATABASE_REPLICA_URL' ? 'replicas' : 'primary';
    const fault = v[name] === undefined ? null : faultOfHosts(v[name], kind);
    if (fault !== null) faults.push(`${name}: ${fault}`);
  }
  if (v.DATABASE_CELLS === undefined || v.DATABASE_CELLS.length === 0) return faults;
  if (!hasUrl) {
    faults.push('DATABASE_CELLS: also requires DATABASE_URL, the directory database');
  }
  if (v.DATABASE_REPLICA_URL !== undefined) {
    faults.push('DATABASE_REPLICA_URL: cannot be combined with DATABASE_CELLS');
  }
  return faults;
}
