import type { IncomingHttpHeaders } from 'node:http';
import type { Permission } from '@cspm/contract';
import { authenticate } from '../identity/authenticate.ts';
import type { Services } from '../services.ts';
import { ProblemError } from './problems.ts';
import { resolveTenant } from './tenant.ts';

/**
 * Whether a request that was let in would be let in now: with the same credential, to the same tenant, for the same
 * permission. For answers that take long to send. What cannot be verified counts as gone.
 */
export async function stillStands(
  headers: IncomingHttpHeaders,
  granted: { readonly tenantId: string; readonly permission: Permission },
  services: Pick<Services, 'authenticator' | 'directory'>,
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
