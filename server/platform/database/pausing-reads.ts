import type { Pause } from '../tenant-turns.ts';
import type { TenantReads } from './replica-reads.ts';

/** Reads within a task that pauses until they have ended. */
export function pausingReads(reads: TenantReads, pause: Pause): TenantReads {
  return { read: (tenantId, work) => pause(reads.read(tenantId, work)) };
}
