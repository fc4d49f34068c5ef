/**
 * The rows of a tenant are on their way to another database, and did not arrive while the request waited. The request
 * had no effect.
 */
export class TenantMovingError extends Error {
  override readonly name = 'TenantMovingError';

  constructor() {
    super(
      'The data of your tenant is being moved to another database. Repeat the request after the number of seconds in Retry-After.',
    );
  }
}
