/** The state of a write: unknown, or confirmed with its result. */
export interface Written<T> {
  readonly key: string;
  made: T | null;
}

export interface MadeKey {
  readonly id: string;
  readonly key: string;
}

/** Every attempted write. The service must contain nothing else. */
export class Ledger {
  /** By name. */
  readonly projects = new Map<string, Written<{ readonly id: string }>>();
  /** By Idempotency-Key. */
  readonly scans = new Map<
    string,
    Written<{ readonly id: string }> & { readonly project: string }
  >();
  /** By name. */
  readonly apiKeys = new Map<string, Written<MadeKey> & { revoked: boolean }>();
  signIns = 0;
  refreshes = 0;

  get writes(): number {
    return this.projects.size + this.scans.size + this.apiKeys.size + this.signIns + this.refreshes;
  }
}
