import type { Permission } from '@cspm/contract';
import type { Principal } from '../../platform/principal.ts';
import { ProblemError } from '../../platform/problem.ts';
import type { Role } from './queries.ts';

/**
 * Refuses to assign a role with more permissions than the principal has. The master key may assign every built-in role,
 * because it must be able to restore a tenant's last admin.
 * @throws {ProblemError} FORBIDDEN that names the first permission the principal lacks.
 */
export function demandMayGive(principal: Principal, role: Role): void {
  if (principal.kind === 'master_key' && role.builtIn) return;
  demandHeld(principal, role.permissions);
}

/**
 * Refuses to grant permissions that the principal lacks, by assigning a role or by defining one.
 * @throws {ProblemError} FORBIDDEN that names the first permission the principal lacks.
 */
export function demandHeld(principal: Principal, granted: readonly Permission[]): void {
  const lacking = granted.find((permission) => !principal.permissions.has(permission));
  if (lacking === undefined) return;
  throw new ProblemError('FORBIDDEN', `You cannot grant ${lacking}, because you do not have it.`, {
    members: { permission: lacking },
  });
}
