import { exportAudit } from './audit-export.ts';
import { migrateCells } from './cells/migrate-cells.ts';
import { moveTenant } from './cells/move-tenant.ts';
import { deleteTenant } from './deletion/delete-tenant.ts';
import { revokeKey } from './keys.ts';
import type { Operator } from './operator.ts';
import { createUser, resetTwoFactor } from './people.ts';
import { reseal } from './reseal.ts';
import { createTenant, listTenants, setFeatures } from './tenants.ts';

interface Command {
  /** The command name: one word or two. */
  readonly words: readonly string[];
  /** The names of the arguments, all of which are required. */
  readonly takes: readonly string[];
  /** Optional words after the arguments. */
  readonly flags?: readonly string[];
  /** An optional word after the arguments that takes a value, and the name of the value. */
  readonly option?: { readonly word: string; readonly takes: string };
  readonly says: string;
  /** Whether a DATA_DIR without a database gets one. */
  readonly createsDatabase?: boolean;
  /** @param value of the option; null without it. */
  run(
    operator: Operator,
    given: readonly string[],
    flags: ReadonlySet<string>,
    value: string | null,
  ): Promise<void>;
}

/** The operator's commands. Each takes a fixed number of arguments. */
const COMMANDS: readonly Command[] = [
  {
    words: ['migrate'],
    takes: [],
    flags: ['--skip-unreachable'],
    says: 'applies pending migrations, as every server start does; --skip-unreachable leaves out databases of DATABASE_CELLS that do not answer, which servers migrate when they do',
    createsDatabase: true,
    // Every command migrates before it runs.
    run: (operator, _given, flags) =>
      migrateCells(operator, { skipUnreachable: flags.has('--skip-unreachable') }),
  },
  {
    words: ['tenant', 'create'],
    takes: ['name'],
    says: 'creates a tenant and prints its id',
    createsDatabase: true,
    run: (operator, [name = '']) => createTenant(operator, name),
  },
  {
    words: ['tenant', 'list'],
    takes: [],
    says: 'prints the id, features and name of each tenant',
    run: (operator) => listTenants(operator),
  },
  {
    words: ['tenant', 'move'],
    takes: ['tenantId', 'cell'],
    flags: ['--dry-run', '--abort'],
    says: 'moves the rows of a tenant to another database of DATABASE_CELLS, or to home, while it is in use; --dry-run counts them, --abort ends a move that was not finished',
    run: (operator, [tenant = '', cell = ''], flags) =>
      moveTenant(operator, tenant, cell, {
        dryRun: flags.has('--dry-run'),
        abort: flags.has('--abort'),
      }),
  },
  {
    words: ['tenant', 'delete'],
    takes: ['tenantId'],
    flags: ['--skip-unreachable'],
    option: { word: '--confirm', takes: 'name' },
    says: 'deletes a tenant with all its rows, and the accounts that belong to no other tenant; without --confirm and its name, only counts them; --skip-unreachable leaves out databases that do not answer, if the tenant is not there',
    run: (operator, [tenant = ''], flags, name) =>
      deleteTenant(operator, tenant, name, { skipUnreachable: flags.has('--skip-unreachable') }),
  },
  {
    words: ['features'],
    takes: ['tenantId', 'comma-separated list'],
    says: 'sets the licensed features: sso, custom_rules, audit_export; or none',
    run: (operator, [tenant = '', list = '']) => setFeatures(operator, tenant, list),
  },
  {
    words: ['user', 'create'],
    takes: ['tenantId', 'email', 'role'],
    says: 'adds a member; prints an initial password, shown only once, if the account is new',
    run: (operator, [tenant = '', email = '', role = '']) =>
      createUser(operator, tenant, email, role),
  },
  {
    words: ['user', 'reset-2fa'],
    takes: ['email'],
    says: 'removes the second factor, if there is one, and ends all sessions',
    run: (operator, [email = '']) => resetTwoFactor(operator, email),
  },
  {
    words: ['key', 'revoke'],
    takes: ['id'],
    says: 'revokes a per-user API key, given its id or its first characters (cspm_…)',
    run: (operator, [id = '']) => revokeKey(operator, id),
  },
  {
    words: ['reseal'],
    takes: [],
    says: 're-encrypts TOTP secrets, keys of inventory sources and signing secrets of webhooks with the current APP_SECRET, so that older secrets can be removed',
    run: reseal,
  },
  {
    words: ['audit', 'export'],
    takes: ['tenantId'],
    says: 'prints the audit trail as NDJSON, oldest event first',
    run: (operator, [tenant = '']) => exportAudit(operator, tenant),
  },
];

/** @returns null for an unknown command or a wrong number of arguments. */
export function commandIn(given: readonly string[]): {
  readonly createsDatabase: boolean;
  run(operator: Operator): Promise<void>;
} | null {
  const command = COMMANDS.find(({ words }) => words.every((word, at) => given[at] === word));
  if (command === undefined) return null;
  const words = given.slice(command.words.length);
  const at = command.option === undefined ? -1 : words.indexOf(command.option.word);
  const value = at === -1 ? null : words.splice(at, 2)[1];
  if (value === undefined) return null;
  const flags = new Set(words.filter((word) => command.flags?.includes(word)));
  const rest = words.filter((word) => !flags.has(word));
  if (rest.length !== command.takes.length) return null;
  if (rest.some((word) => word === '' || isOption(word))) return null;
  return {
    createsDatabase: command.createsDatabase ?? false,
    run: (operator) => command.run(operator, rest, flags, value),
  };
}

/** What is wrong with a command line that `commandIn` refuses. */
export function commandFault(given: readonly string[]): string {
  const command = COMMANDS.find(({ words }) => words.every((word, at) => given[at] === word));
  if (command !== undefined) {
    const known = [...(command.flags ?? []), command.option?.word];
    const unknown = given.find((word) => isOption(word) && !known.includes(word));
    const fault = unknown === undefined ? 'Wrong arguments' : `Unknown option ${unknown}`;
    return `${fault}. Use: ${formOf(command)}`;
  }
  const isGroup = COMMANDS.some(({ words }) => words.length > 1 && words[0] === given[0]);
  return `Unknown command "${given.slice(0, isGroup ? 2 : 1).join(' ')}".`;
}

function isOption(word: string): boolean {
  return word.startsWith('--');
}

function formOf({ words, takes, flags = [], option }: Command): string {
  const optional = [
    ...(option === undefined ? [] : [`[${option.word} <${option.takes}>]`]),
    ...(flags.length === 0 ? [] : [`[${flags.join(' | ')}]`]),
  ];
  return [...words, ...takes.map((name) => `<${name}>`), ...optional].join(' ');
}

export function usage(): string {
  const forms = COMMANDS.map(formOf);
  const width = Math.max(...forms.map(({ length }) => length));
  const lines = COMMANDS.map(({ says }, at) => `  ${(forms[at] ?? '').padEnd(width)}  ${says}\n`);
  return `Usage: npm run admin -- <command>\n\n${lines.join('')}\nThe commands use the configuration of the server. If a file or another program gets the output, use npm run --silent admin.\n`;
}
