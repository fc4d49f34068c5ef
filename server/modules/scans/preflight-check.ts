import type { CHECK_IDS, Permission } from '@cspm/contract';
import type { RuleOutline } from '@cspm/scanner';
import type { ExpiringMutes } from '../findings/index.ts';
import type { Ruleset } from '../rules/index.ts';
import type { Source } from './preflight-sources.ts';

export type CheckId = (typeof CHECK_IDS)[number];

/** The result of one check of a project. */
export interface Check {
  readonly id: CheckId;
  readonly status: 'pass' | 'warn' | 'fail' | 'skip';
  /** A stable code of the result. */
  readonly code: string;
  readonly message: string;
  /** How to fix it; empty when there is nothing to fix. */
  readonly remediation: string;
}

/** What the checks need to know about the caller. */
export interface Caller {
  readonly permissions: ReadonlySet<Permission>;
  /** Launches that the rate limit currently leaves to the caller's address; null when unknown. */
  readonly launchesLeft: number | null;
}

/** One requested project with all data that the checks use. */
export interface Subject {
  readonly name: string;
  /** How often the request names this project. */
  readonly repeats: number;
  /** Null when the project does not exist. */
  readonly source: Source | null;
  /** Null when the profile does not exist. */
  readonly ruleset: Ruleset | null;
  readonly profileName: string;
  readonly rules: readonly RuleOutline[];
  /** Upper bound of the number of evaluations in a scan of the inventory; 0 without one. */
  readonly evaluations: number;
  readonly caller: Caller;
  /** Queued or running scans of the tenant. */
  readonly openScans: number;
  /** Null when no mute expires soon. */
  readonly expiringMutes: ExpiringMutes | null | 'skipped';
  readonly now: Date;
}

export function pass(id: CheckId, message: string): Check {
  return { id, status: 'pass', code: 'OK', message, remediation: '' };
}

export function skip(id: CheckId, message = 'Not checked: an earlier check failed.'): Check {
  return { id, status: 'skip', code: 'SKIPPED', message, remediation: '' };
}

/** A count with its unit: `3 assets`, `1 asset`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
