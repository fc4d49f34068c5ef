/**
 * The contents of a new database: a tenant, its admin, and optionally a key. Development prints the secrets that it
 * generated; a secret from the operator is not kept here, so it cannot be printed.
 */
export interface FirstCredentials {
  readonly tenantId: string;
  readonly userId: string;
  readonly email: string;
  /** Null: the operator set BOOTSTRAP_PASSWORD. */
  readonly madeUpPassword: string | null;
  /** Null: there is none, or the operator set BOOTSTRAP_API_KEY. */
  readonly madeUpKey: string | null;
}
