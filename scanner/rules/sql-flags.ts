import { cis } from '../compliance.ts';
import { cite } from '../evidence.ts';
import { databaseFlag, type SqlEngine, sqlEngine, sqlSettings } from '../facts/sql-instance.ts';
import type { Repair } from '../fixes/repair.ts';
import { quoted } from '../fixes/shell-command.ts';
import { isObject, items, type JsonObject, type JsonValue, text } from '../json.ts';
import { fail, NOT_APPLICABLE, PASS, unknown } from '../outcome.ts';
import type { Rule, Severity } from '../rule.ts';
import { sqlRule } from './sql-rule.ts';

/*
 * Fields: sqladmin v1, discovery revision 20261006.
 */

/** The requirement of one rule for one flag of one engine. */
export interface FlagDemand {
  readonly id: string;
  /** Default: 1. */
  readonly version?: number;
  readonly title: string;
  readonly severity: Severity;
  /** Its number in the CIS benchmark, the same in all versions. */
  readonly requirement: string;
  /** The flag's name, in lower case. */
  readonly flag: string;
  /** The value for the remediation; null: remove the flag. */
  readonly advice: string | null;
  readonly description: string;
  /** A sentence on the flag's current value. */
  readonly message: string;
  /** Whether a value is accepted; null stands for a flag that is not set. */
  admits(value: string | null): boolean;
}

/** Builds the rules on the flags of one engine; instances of other engines are not applicable. */
export function flagRules(engine: SqlEngine, demands: readonly FlagDemand[]): readonly Rule[] {
  return demands.map(
    ({ id, version = 1, title, severity, requirement, flag, description, ...demand }) =>
      sqlRule(
        {
          id,
          version,
          title,
          severity,
          category: 'database',
          description,
          remediation: remediationOf(flag, demand.advice),
          compliance: cis({ v4: requirement, v5: requirement }),
          fix: (repair) => setFlag(repair, flag, demand.advice),
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

/**
 * Sets a flag, or removes it. gcloud replaces all flags, so the commands read the present ones first: otherwise the fix
 * of a second flag would restore the first one to the value that the inventory has.
 */
export function setFlag(repair: Repair, name: string, value: string | null): void {
  const path = 'settings.databaseFlags';
  const flags = items(sqlSettings(repair.data), 'databaseFlags');
  const isNamed = (flag: JsonValue) => text(asObject(flag), 'name')?.toLowerCase() === name;
  const index = flags.findIndex(isNamed);
  if (value === null) repair.filterOut('settings', ['databaseFlags'], isNamed);
  else if (index >= 0) repair.set([...path.split('.'), index, 'value'], value);
  else if (flags.length > 0) repair.set([...path.split('.'), flags.length], { name, value });
  else repair.set(path, [{ name, value }]);
  repair.gcloud(
    `sql instances describe {name} --project={project} --format=json(${path})`,
    {},
    ' > instance.json',
  );
  repair.fixedCommand(`jq ${quoted(flagsFileWith(name, value))} instance.json > flags.json`);
  repair.gcloud('sql instances patch {name} --project={project} --flags-file=flags.json');
  const attribute = `settings.database_flags${value === null ? '' : '.value'}`;
  repair.terraform('google_sql_database_instance', attribute, value, { name });
  repair.caution('A change of flags can restart the instance.');
}

/** A program for jq that turns an instance into a file of options for gcloud, in which values need no escaping. */
function flagsFileWith(name: string, value: string | null): string {
  const flag = JSON.stringify(name);
  const others = `(.settings.databaseFlags // []) | map(select((.name | ascii_downcase) != ${flag}) | {(.name): (.value // "")}) | add`;
  return value === null
    ? `${others} | if . == null then {"--clear-database-flags": true} else {"--database-flags": .} end`
    : `${others} + {${flag}: ${JSON.stringify(value)}} | {"--database-flags": .}`;
}

function asObject(value: JsonValue): JsonObject | null {
  return isObject(value) ? value : null;
}

function remediationOf(flag: string, advice: string | null): string {
  const command = 'gcloud sql instances patch INSTANCE';
  return advice === null
    ? `Set the flags again without "${flag}", because the command replaces all flags: \`${command} --database-flags=FLAGS\`, or with \`--clear-database-flags\` instead if there are no others.`
    : `Set the flag. The command replaces all flags, so write the flags to keep in place of OTHERS: \`${command} --database-flags="${flag}=${advice}",OTHERS\`.`;
}

/*
 * Cloud SQL writes booleans as `on` and `off`. The engines accept other forms too, so each value is parsed as its
 * engine does; an invalid value is neither true nor false.
 */
const ON: ReadonlySet<string> = new Set(['on', 'true', '1']);
const OFF: ReadonlySet<string> = new Set(['off', 'false', '0']);

/** For a flag that must be on, and is off by default. */
export function isOn(value: string | null): boolean {
  return value !== null && ON.has(value.toLowerCase());
}

/** For a flag that must be off, and is on by default. */
export function isOff(value: string | null): boolean {
  return value !== null && OFF.has(value.toLowerCase());
}

/** For a flag that must be off, and is off by default. */
export function isOffOrUnset(value: string | null): boolean {
  return value === null || value === '' || isOff(value);
}
