import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { Evaluator } from '../evaluate.ts';
import { parseAsset } from '../inventory/normalise.ts';
import type { JsonObject } from '../json.ts';
import { resolveProfile } from '../profile.ts';
import { Snapshot } from '../snapshot.ts';
import { NOW } from '../testing/now.ts';
import { verifiedFix } from './verified-fix.ts';

/*
 * The commands of fixes, executed by a shell. Google Cloud is not reachable from tests, so a script stands in for gcloud.
 * It has one instance and, like gcloud, replaces all flags of the instance.
 */

type Flags = Readonly<Record<string, string>>;

const CONTEXT = { now: NOW, snapshot: new Snapshot({ assetTypes: new Map() }) };

const GCLOUD = `#!${process.execPath}
const { readFileSync, writeFileSync } = require('node:fs');
const [group, kind, verb, name, ...options] = process.argv.slice(2);
if (group !== 'sql' || kind !== 'instances' || name !== 'db') throw new Error('unexpected command');
if (!options.includes('--project=shop')) throw new Error('unexpected project');
const flags = JSON.parse(readFileSync(process.env.INSTANCE, 'utf8'));
if (verb === 'describe') {
  if (!options.includes('--format=json(settings.databaseFlags)')) throw new Error('unexpected format');
  const databaseFlags = Object.entries(flags).map(([name, value]) => ({ name, value }));
  console.log(JSON.stringify(databaseFlags.length === 0 ? null : { settings: { databaseFlags } }));
} else {
  const file = options.find((option) => option.startsWith('--flags-file=')).split('=')[1];
  const given = JSON.parse(readFileSync(file, 'utf8'));
  const isCleared = given['--clear-database-flags'] === true;
  writeFileSync(process.env.INSTANCE, JSON.stringify(isCleared ? {} : given['--database-flags']));
}
`;

let directory: string | null = null;

afterEach(() => {
  if (directory !== null) rmSync(directory, { recursive: true });
  directory = null;
});

/** Runs the commands in the given order, and returns the flags of the instance afterwards. */
function flagsAfter(commands: readonly string[], flags: Flags): unknown {
  directory = mkdtempSync(join(tmpdir(), 'flag-commands-'));
  const instance = join(directory, 'cloud.json');
  writeFileSync(instance, JSON.stringify(flags));
  writeFileSync(join(directory, 'gcloud'), GCLOUD);
  chmodSync(join(directory, 'gcloud'), 0o755);
  execFileSync('/bin/sh', ['-e', '-c', commands.join('\n')], {
    cwd: directory,
    env: { PATH: `${directory}:${process.env.PATH}`, INSTANCE: instance },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  return JSON.parse(readFileSync(instance, 'utf8'));
}

function recordOf(databaseVersion: string, flags: Flags): JsonObject {
  const databaseFlags = Object.entries(flags).map(([name, value]) => ({ name, value }));
  return {
    name: '//cloudsql.googleapis.com/projects/shop/instances/db',
    asset_type: 'sqladmin.googleapis.com/Instance',
    resource: { data: { databaseVersion, settings: { databaseFlags } } },
  };
}

function failingFlagRules(record: JsonObject): string[] {
  const rules = resolveProfile('full')?.rules ?? [];
  return new Evaluator({ rules }, CONTEXT)
    .evaluate(parseAsset(JSON.stringify(record)))
    .filter(({ verdict }) => verdict === 'fail')
    .map(({ ruleId }) => ruleId)
    .filter((id) => /^sql-(?:pg|mysql|ms|iam-auth)/.test(id));
}

function commandsOf(record: JsonObject, ruleIds: readonly string[]): string[] {
  return ruleIds.map((ruleId) => {
    const { fix } = verifiedFix({ ruleId, text: JSON.stringify(record) }, CONTEXT);
    if (fix === null) throw new Error(`${ruleId} has no fix.`);
    return fix.gcloud;
  });
}

const BAD_FLAGS = [
  ['POSTGRES_16', { log_connections: 'off', log_min_duration_statement: '500', work_mem: '4096' }],
  ['MYSQL_8_0', { local_infile: 'on', skip_show_database: 'off', long_query_time: '2' }],
  ['SQLSERVER_2022_WEB', { 'user options': '1', 'remote access': 'on', 'cost threshold': '5' }],
] as const;

const isJqPresent = spawnSync('/bin/sh', ['-c', 'command -v jq']).status === 0;

describe.skipIf(!isJqPresent)('the commands of fixes for database flags', () => {
  it.each(BAD_FLAGS)(
    'the fixes of all flag findings of a %s instance keep each other when run in turn',
    (version, flags) => {
      const record = recordOf(version, flags);
      const failing = failingFlagRules(record);
      expect(failing.length).toBeGreaterThan(2);
      const after = flagsAfter(commandsOf(record, failing), flags) as Flags;
      expect(failingFlagRules(recordOf(version, after))).toEqual([]);
      const [other = ''] = Object.keys(flags).slice(-1);
      expect(after).toMatchObject({ [other]: (flags as Flags)[other] });
    },
  );

  it('a flag that was set after the inventory was exported keeps its value', () => {
    const commands = commandsOf(recordOf('POSTGRES_16', {}), ['sql-pg-log-connections']);
    expect(flagsAfter(commands, { work_mem: '4096' })).toEqual({
      work_mem: '4096',
      log_connections: 'on',
    });
  });

  it('a value with commas and quotes stays one flag', () => {
    const flags = { search_path: `a,log_connections=off;'"$(id)` };
    const commands = commandsOf(recordOf('POSTGRES_16', flags), ['sql-pg-log-connections']);
    expect(flagsAfter(commands, flags)).toEqual({ ...flags, log_connections: 'on' });
  });

  it('the removal of the only flag clears the flags', () => {
    const flags = { 'user options': '1' };
    const commands = commandsOf(recordOf('SQLSERVER_2022_WEB', flags), ['sql-ms-user-options']);
    expect(flagsAfter(commands, flags)).toEqual({});
  });
});
