import type pg from 'pg';
import { type Statement, TenantDatabase } from '../database/tenant-database.ts';
import { HOME } from './cell-config.ts';

/** How long a placement is used without asking again. A database that no longer holds a tenant refuses it anyway. */
const REMEMBERED_MS = 60_000;
const REMEMBERED_MEMBER_MS = 30_000;
const MAX_REMEMBERED = 10_000;

/** What cells ask the directory database: where a tenant is, and what the schema `identity` says about it. */
export class Directory {
  readonly #pool: pg.Pool;
  readonly #tenants: TenantDatabase;
  readonly #placements = new Recent<string>(REMEMBERED_MS);
  /** Questions in progress: all requests of a tenant that moves wait for one answer. */
  readonly #asked = new Map<string, Promise<string>>();
  readonly #members = new Recent<true>(REMEMBERED_MEMBER_MS);

  /** @param pool connections of the serving role that nothing else binds to a tenant. */
  constructor(pool: pg.Pool) {
    this.#pool = pool;
    this.#tenants = new TenantDatabase(pool);
  }

  async cellOf(tenantId: string): Promise<string> {
    const known = this.#placements.get(tenantId);
    if (known !== undefined) return known;
    const asked =
      this.#asked.get(tenantId) ??
      this.#askCellOf(tenantId).finally(() => this.#asked.delete(tenantId));
    this.#asked.set(tenantId, asked);
    return asked;
  }

  async #askCellOf(tenantId: string): Promise<string> {
    const { rows } = await this.#pool.query<{ cell: string }>({
      name: 'cell-of',
      text: 'SELECT cell FROM cells.cell_of($1)',
      values: [tenantId],
    });
    const cell = rows[0]?.cell ?? HOME;
    this.#placements.set(tenantId, cell);
    return cell;
  }

  forget(tenantId: string): void {
    this.#placements.delete(tenantId);
  }

  /** Runs a statement about the tenant there, in a transaction of its own. */
  query(
    tenantId: string,
    statement: { readonly name: string; readonly text: string },
    values: readonly unknown[],
  ): Promise<object[]> {
    return this.#tenants.read(tenantId, (db) => db.sql<object>(statement, values));
  }

  /** Whether a person is a member of the tenant, or was a few seconds ago. */
  async isMember(tenantId: string, userId: string): Promise<boolean> {
    const key = `${tenantId} ${userId}`;
    if (this.#members.get(key) !== undefined) return true;
    const rows = await this.query(tenantId, MEMBER, [userId]);
    if (rows.length > 0) this.#members.set(key, true);
    return rows.length > 0;
  }
}

const MEMBER: Statement = {
  name: 'cell-member',
  reason: 'function',
  text: 'SELECT id FROM identity.find_member($1)',
};

/** Remembers values for a time, and a limited number of them. */
class Recent<T> {
  readonly #entries = new Map<string, { readonly value: T; readonly until: number }>();
  readonly #forMs: number;

  constructor(forMs: number) {
    this.#forMs = forMs;
  }

  get(key: string): T | undefined {
    const entry = this.#entries.get(key);
    return entry !== undefined && entry.until > performance.now() ? entry.value : undefined;
  }

  set(key: string, value: T): void {
    this.#entries.delete(key);
    if (this.#entries.size >= MAX_REMEMBERED) {
      const [oldest] = this.#entries.keys();
      if (oldest !== undefined) this.#entries.delete(oldest);
    }
    this.#entries.set(key, { value, until: performance.now() + this.#forMs });
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }
}
