import type { TenantPrisma } from '../database/prisma-client.ts';
import type { NamedText, Statement, TenantConnection } from '../database/tenant-database.ts';
import type { Directory } from './directory.ts';

/** Statements that only read identities: the directory database answers them. */
const ANSWERED_BY_THE_DIRECTORY =
  /^SELECT [\w.*, ]+ FROM identity\.(this_tenant|schedule_creator|digest_recipient|admin_addresses|custom_roles)\([$\d]*\)( t)?$/;

/** Positions of the actor and its label in the statement of the audit writer. */
const ACTOR = 6;
const LABEL = 7;

/**
 * A connection to a cell. The schema `identity` is empty there, so statements that call its functions are answered by
 * the directory, or call a function of the schema `cells` instead.
 */
export class CellConnection implements TenantConnection {
  readonly #db: TenantConnection;
  readonly #directory: Directory;

  constructor(db: TenantConnection, directory: Directory) {
    this.#db = db;
    this.#directory = directory;
  }

  get tenantId(): string {
    return this.#db.tenantId;
  }

  get prisma(): TenantPrisma {
    return this.#db.prisma;
  }

  get hasReadMuch(): boolean {
    return this.#db.hasReadMuch;
  }

  turn(): Promise<void> {
    return this.#db.turn();
  }

  readonly sql: TenantConnection['sql'] = async (
    statement: NamedText,
    values: readonly unknown[] = [],
    // biome-ignore lint/suspicious/noExplicitAny: the caller declares the row type
  ): Promise<any> => {
    if (!statement.text.includes('identity.')) return this.#db.sql(statement, values);
    if (ANSWERED_BY_THE_DIRECTORY.test(statement.text)) {
      return this.#directory.query(this.tenantId, statement, values);
    }
    return this.#db.sql(inCell(statement), await this.#prepared(statement.text, values));
  };

  readonly sqlWithCommit: TenantConnection['sqlWithCommit'] = async (statement, values) => {
    if (!statement.text.includes('identity.')) return this.#db.sqlWithCommit(statement, values);
    const prepared = await this.#prepared(statement.text, values);
    return this.#db.sqlWithCommit(inCell(statement), prepared);
  };

  /** Tells the cell what the statement needs of the directory. */
  async #prepared(text: string, values: readonly unknown[]): Promise<readonly unknown[]> {
    if (text.includes('identity.this_tenant()')) {
      const [tenant] = await this.#directory.query(this.tenantId, TENANT, []);
      await this.#db.sql(TELL_TENANT, [JSON.stringify(tenant ?? null)]);
    }
    const actor = values[ACTOR];
    if (!text.includes('identity.note_label(') || typeof actor !== 'string') return values;
    const isMember = await this.#directory.isMember(this.tenantId, actor);
    // The name of a person outside the tenant is not stored.
    return isMember ? values : values.with(LABEL, null);
  }
}

/** @throws {Error} for a statement that would read or change identities where there are none. */
function inCell({ name, text }: NamedText): NamedText {
  const rewritten = text.replace(
    /\bidentity\.(note_label|lock_tenant|this_tenant)\(/g,
    'cells.$1(',
  );
  if (rewritten.includes('identity.')) {
    throw new Error(`${name} uses identities, which only the directory database has`);
  }
  return { name: `${name}@cell`, text: rewritten };
}

const TENANT: Statement = {
  name: 'cell-tenant',
  reason: 'function',
  text: 'SELECT id, name, features, settings FROM identity.this_tenant()',
};
const TELL_TENANT: Statement = {
  name: 'cell-tell-tenant',
  reason: 'command',
  text: "SELECT set_config('cells.tenant', $1, false)",
};
