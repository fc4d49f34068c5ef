import type { CHECK_IDS, Permission } from '@cspm/contract';
import type { ExpiringMutes } from '../mutes/expiring-mutes.ts';
import type { Source } from './preflight-sources.ts';
import type { RuleOutline, Ruleset } from './ruleset.ts';

export type CheckId = (typeof CHECK_IDS)[number];

/** What one look at a project of a request has found. */
export interface Check {
  readonly id: CheckId;
  readonly status: 'pass' | 'warn' | 'fail' | 'skip';
  /** A stable word for the outcome. */
  readonly code: string;
  readonly message: string;
  /** What mends it; '' where there is nothing to mend. */
  readonly remediation: string;
}

/** Who asks, as far as it decides whether they could launch a scan. */
export interface Caller {
  readonly permissions: ReadonlySet<Permission>;
  /** How many launches the limit leaves to their address at this moment. Null: not known. */
  readonly launchesLeft: number | null;
}

/** One project of a request, with all that was found out about it. */
export interface Subject {
  readonly name: string;
  /** How often the request names it. */
  readonly repeats: number;
  /** Null: there is no such project. */
  readonly source: Source | null;
  /** Null: there is no such profile. */
  readonly ruleset: Ruleset | null;
  readonly profileName: string;
  readonly rules: readonly RuleOutline[];
  readonly caller: Caller;
  /** Scans of the tenant that are queued or running. */
  readonly openScans: number;
  /** Null: none expires soon. */
  readonly expiringMutes: ExpiringMutes | null;
  readonly now: Date;
}

export function pass(id: CheckId, message: string): Check {
  return { id, status: 'pass', code: 'OK', message, remediation: '' };
}

export function skip(id: CheckId, message = 'Not checked: an earlier check failed.'): Check {
  return { id, status: 'skip', code: 'SKIPPED', message, remediation: '' };
}

/** `3 assets`, `1 asset`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
