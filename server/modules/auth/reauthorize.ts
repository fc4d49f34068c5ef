import type { IncomingHttpHeaders } from 'node:http';
import type { Permission } from '@cspm/contract';
import { ProblemError } from '../../platform/problem.ts';
import type { TenantDirectory } from '../tenants/index.ts';
import { resolveTenant } from '../tenants/index.ts';
import { type Authenticator, authenticate } from './credentials/authenticate.ts';

/**
 * Repeats authentication and authorization for a long-running response: same credential, tenant and permission. Returns
 * false when any of them no longer holds or cannot be verified.
 */
export async function stillStands(
  headers: IncomingHttpHeaders,
  granted: { readonly tenantId: string; readonly permission: Permission },
  services: { readonly authenticator: Authenticator; readonly directory: TenantDirectory },
): Promise<boolean> {
  try {
    const principal = await resolveTenant(
      await authenticate(headers, services.authenticator),
      headers['x-tenant-id'],
      services.directory,
    );
    return (
      principal.tenant.id === granted.tenantId && principal.permissions.has(granted.permission)
    );
  } catch (error) {
    if (error instanceof ProblemError) return false;
    throw error;
  }
}
