import type { Permission } from '@cspm/contract';
import { ProblemError } from '../pipeline/problems.ts';
import type { Principal } from './principal.ts';
import type { Role } from './roles.ts';

/**
 * Nobody gives a role that holds more than they do. The master key may give any built-in one: a tenant that has lost its
 * last admin is what it is there to repair.
 * @throws {ProblemError} FORBIDDEN that names the first permission that the granter lacks.
 */
export function demandMayGive(principal: Principal, role: Role): void {
  if (principal.kind === 'master_key' && role.builtIn) return;
  demandHeld(principal, role.permissions);
}

/**
 * Nobody hands out what they do not hold themselves, be it by giving a role or by defining one.
 * @throws {ProblemError} FORBIDDEN that names the first permission that the granter lacks.
 */
export function demandHeld(principal: Principal, granted: readonly Permission[]): void {
  const lacking = granted.find((permission) => !principal.permissions.has(permission));
  if (lacking === undefined) return;
  throw new ProblemError('FORBIDDEN', `You cannot grant ${lacking}, which you do not hold.`, {
    members: { permission: lacking },
  });
}
