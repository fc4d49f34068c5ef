import type { Principal, SessionPrincipal } from '../../platform/principal.ts';
import { ProblemError } from '../../platform/problem.ts';
import type { TenantDirectory } from './tenant-directory.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * Selects the tenant of a request: the credential's tenant, unless X-Tenant-ID names another tenant of the user and the
 * credential is a session that may administer users and settings. The header is ignored for all other credentials,
 * including sessions that a tenant's identity provider opened, which must not reach other tenants.
 * @throws {ProblemError} FORBIDDEN for a tenant in which the user is not a member, with the same message as for one
 * that does not exist.
 */
export async function resolveTenant(
  principal: Principal,
  header: string | string[] | undefined,
  directory: TenantDirectory,
): Promise<Principal> {
  if (typeof header !== 'string' || principal.kind !== 'jwt') return principal;
  if (!maySwitch(principal)) return principal;
  if (header.toLowerCase() === principal.tenant.id) return principal;
  const requested = UUID.test(header) ? header.toLowerCase() : null;
  const membership =
    requested === null ? null : await directory.membership(principal.user.id, requested);
  if (membership === null) {
    throw new ProblemError('FORBIDDEN', 'You are not a member of the tenant in X-Tenant-ID.', {
      // Null for a malformed id, which is input of any content.
      audited: { requestedTenantId: requested },
    });
  }
  return { ...principal, ...membership };
}

function maySwitch(principal: SessionPrincipal): boolean {
  return (
    !principal.confined &&
    principal.permissions.has('admin.users') &&
    principal.permissions.has('admin.settings')
  );
}
