import type { JsonObject, JsonValue } from '../json.ts';
import { type RuleCase, type RuleCases, resourceCases } from '../testing/rule-cases.ts';

const instance = resourceCases('sqladmin.googleapis.com/Instance');

/** The expected verdict by flag value; null stands for a flag that is not set. */
interface FlagCases {
  readonly rule: string;
  readonly engine: keyof typeof VERSIONS;
  readonly flag: string;
  readonly pass: readonly [JsonValue, ...JsonValue[]];
  /** The first one has a value. */
  readonly fail: readonly [string, ...JsonValue[]];
}

/** Each engine's own version first, then those of the others. */
const VERSIONS = {
  mysql: ['MYSQL_8_0_31', 'POSTGRES_15', 'SQLSERVER_2019_STANDARD'],
  postgres: ['POSTGRES_15', 'SQLSERVER_2019_STANDARD', 'MYSQL_5_7'],
  sqlserver: ['SQLSERVER_2022_WEB', 'MYSQL_8_4', 'POSTGRES_9_6'],
} as const;

function withFlags(databaseVersion: string, ...databaseFlags: readonly JsonValue[]): JsonObject {
  return { databaseVersion, settings: { databaseFlags } };
}

function casesOf({ rule, engine, flag, pass, fail }: FlagCases): RuleCases {
  const [own, second, third] = VERSIONS[engine];
  const other = { name: 'max_connections', value: '100' };
  const bad = { name: flag, value: fail[0] };
  const caseOf = (value: JsonValue): RuleCase =>
    value === null
      ? instance.case(`${flag} not set`, withFlags(own, other))
      : instance.case(
          `${flag} = ${JSON.stringify(value)}`,
          withFlags(own, other, { name: flag, value }),
        );
  // A record without any flags gives the same result as one with other flags.
  const bare = [
    instance.case('no flags', withFlags(own)),
    instance.case('flags that are no array', {
      databaseVersion: own,
      settings: { databaseFlags: {} },
    }),
    instance.case('no settings', { databaseVersion: own }),
  ];
  const [firstPass, ...morePasses] = pass;
  const [firstFail, ...moreFails] = fail;
  return {
    rule,
    pass: [caseOf(firstPass), ...morePasses.map(caseOf), ...(pass.includes(null) ? bare : [])],
    fail: [
      caseOf(firstFail),
      ...moreFails.map(caseOf),
      ...(fail.includes(null) ? bare : []),
      instance.case('a read replica as any other', {
        instanceType: 'READ_REPLICA_INSTANCE',
        ...withFlags(own, bad),
      }),
      instance.case(
        'a version and a flag in the other letter case',
        withFlags(own.toLowerCase(), { name: flag.toUpperCase(), value: fail[0] }),
      ),
    ],
    na: [
      instance.case('an instance of a second engine', withFlags(second, bad)),
      instance.case('an instance of a third engine', withFlags(third, bad)),
      instance.case('an engine of another name', withFlags('ORACLE_23AI', bad)),
    ],
    unknown: [
      ...instance.unknown,
      instance.case('an instance whose engine is not told', withFlags('', bad)),
    ],
  };
}

const MYSQL: readonly FlagCases[] = [
  {
    rule: 'sql-mysql-skip-show-database',
    engine: 'mysql',
    flag: 'skip_show_database',
    pass: ['on', 'ON', 'On'],
    fail: ['off', null, 'OFF', '', 'yes'],
  },
  {
    rule: 'sql-mysql-local-infile',
    engine: 'mysql',
    flag: 'local_infile',
    pass: ['off', 'OFF', '0'],
    fail: ['on', null, 'ON', ''],
  },
];

const POSTGRES: readonly FlagCases[] = [
  {
    rule: 'sql-pg-log-error-verbosity',
    engine: 'postgres',
    flag: 'log_error_verbosity',
    pass: ['default', null, 'terse', 'DEFAULT'],
    fail: ['verbose', 'VERBOSE', 'detailed'],
  },
  {
    rule: 'sql-pg-log-connections',
    engine: 'postgres',
    flag: 'log_connections',
    pass: ['on', 'ON', ' on ', 'yes', '1', 'all', 'receipt, authentication, authorization'],
    fail: ['off', null, 'OFF', '', 'o', 'no', '0', 'receipt', 'authorization,receipt', 'small'],
  },
  {
    rule: 'sql-pg-log-disconnections',
    engine: 'postgres',
    flag: 'log_disconnections',
    pass: ['on', 'ON', 'true', 't', 'yes', 'y', 1],
    fail: ['off', null, 'o', 'false', 'all'],
  },
  {
    rule: 'sql-pg-log-statement',
    engine: 'postgres',
    flag: 'log_statement',
    pass: ['ddl', 'mod', 'all', 'DDL'],
    fail: ['none', null, 'NONE', ''],
  },
  {
    rule: 'sql-pg-log-min-messages',
    engine: 'postgres',
    flag: 'log_min_messages',
    pass: ['warning', null, 'error', 'log', 'fatal', 'panic', 'WARNING'],
    fail: ['notice', 'info', 'debug1', 'debug5', 'NOTICE'],
  },
  {
    rule: 'sql-pg-log-min-error-statement',
    engine: 'postgres',
    flag: 'log_min_error_statement',
    pass: ['error', null, 'log', 'fatal', 'ERROR'],
    fail: ['warning', 'panic', 'PANIC', '', 'notice', 'info', 'debug1', 'debug5', 'WARNING'],
  },
  {
    rule: 'sql-pg-log-min-duration-statement',
    engine: 'postgres',
    flag: 'log_min_duration_statement',
    pass: ['-1', null, -1],
    fail: ['0', '1000', '1', 0, ''],
  },
  {
    rule: 'sql-pg-pgaudit',
    engine: 'postgres',
    flag: 'cloudsql.enable_pgaudit',
    pass: ['on', 'ON'],
    fail: ['off', null],
  },
];

const SQLSERVER: readonly FlagCases[] = [
  {
    rule: 'sql-ms-external-scripts',
    engine: 'sqlserver',
    flag: 'external scripts enabled',
    pass: ['off', null, 'OFF', '', '0', 'false', 0],
    fail: ['on', 'ON', '1', 'true', 1, 'yes'],
  },
  {
    rule: 'sql-ms-cross-db-chaining',
    engine: 'sqlserver',
    flag: 'cross db ownership chaining',
    pass: ['off', null, 'OFF'],
    fail: ['on', 'ON', '1'],
  },
  {
    rule: 'sql-ms-user-connections',
    engine: 'sqlserver',
    flag: 'user connections',
    pass: ['0', null, 0],
    fail: ['100', '1', '32767', 10],
  },
  {
    rule: 'sql-ms-user-options',
    engine: 'sqlserver',
    flag: 'user options',
    pass: [null],
    fail: ['0', '4096', 0, ''],
  },
  {
    rule: 'sql-ms-remote-access',
    engine: 'sqlserver',
    flag: 'remote access',
    pass: ['off', 'OFF'],
    fail: ['on', null, 'ON'],
  },
  {
    rule: 'sql-ms-trace-3625',
    engine: 'sqlserver',
    flag: '3625',
    pass: ['on', 'ON'],
    fail: ['off', null, 'OFF'],
  },
  {
    rule: 'sql-ms-contained-auth',
    engine: 'sqlserver',
    flag: 'contained database authentication',
    pass: ['off', null, 'OFF'],
    fail: ['on', 'ON', '1'],
  },
];

export const SQL_FLAG_CASES: readonly RuleCases[] = [...MYSQL, ...POSTGRES, ...SQLSERVER].map(
  casesOf,
);
