import { cis } from '../compliance.ts';
import { cite } from '../evidence.ts';
import { isEnum } from '../facts/enumeration.ts';
import { databaseFlag, type SqlEngine, sqlEngine } from '../facts/sql-instance.ts';
import { fail, NOT_APPLICABLE, PASS, unknown } from '../outcome.ts';
import type { Rule, Severity } from '../rule.ts';
import { resourceRule } from '../rule-kinds.ts';

/** What one rule asks of one flag of one engine. */
export interface FlagDemand {
  readonly id: string;
  readonly title: string;
  readonly severity: Severity;
  /** Its number in the CIS benchmark, the same in all versions. */
  readonly requirement: string;
  /** The flag's name, in lower case. */
  readonly flag: string;
  /** The value to set, in the remediation; null: the flag is to be taken away. */
  readonly advice: string | null;
  readonly description: string;
  /** A sentence on the flag as it was found. */
  readonly message: string;
  /** Whether a value will do; null stands for a flag that is not set. */
  admits(value: string | null): boolean;
}

/** The rules on the flags of an engine's instances; the flags of another engine are none of theirs. */
export function flagRules(engine: SqlEngine, demands: readonly FlagDemand[]): readonly Rule[] {
  return demands.map(({ id, title, severity, requirement, flag, description, ...demand }) =>
    resourceRule(
      {
        id,
        title,
        severity,
        category: 'database',
        assetTypes: ['sqladmin.googleapis.com/Instance'],
        description,
        remediation: remediationOf(flag, demand.advice),
        compliance: cis({ v4: requirement, v5: requirement }),
      },
      (instance) => {
        const own = sqlEngine(instance);
        if (own === null) return unknown('RESOURCE');
        if (own !== engine) return NOT_APPLICABLE;
        const value = databaseFlag(instance, flag);
        if (demand.admits(value)) return PASS;
        return fail({
          subject: flag,
          message: demand.message,
          evidence: [cite('settings.databaseFlags[].value', value)],
        });
      },
    ),
  );
}

function remediationOf(flag: string, advice: string | null): string {
  const command = 'gcloud sql instances patch INSTANCE --database-flags=';
  return advice === null
    ? `Set the flags anew without "${flag}", as the command replaces them all: ${command}FLAGS, or --clear-database-flags where there are no others.`
    : `Set the flag, and with it all others that are to stay, as the command replaces them all: ${command}"${flag}=${advice}",OTHERS.`;
}

/** For a flag whose default will not do. */
export function isOn(value: string | null): boolean {
  return value !== null && isEnum(value, 'on');
}

/** For a flag whose default will not do. */
export function isOff(value: string | null): boolean {
  return value !== null && isEnum(value, 'off');
}

/** For a flag that is off by default. */
export function isNotOn(value: string | null): boolean {
  return !isOn(value);
}
