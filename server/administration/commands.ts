import { exportAudit } from './audit-export.ts';
import { revokeKey } from './keys.ts';
import type { Operator } from './operator.ts';
import { createUser, resetTwoFactor } from './people.ts';
import { reseal } from './reseal.ts';
import { createTenant, listTenants, setFeatures } from './tenants.ts';

interface Command {
  /** What it is called: one word or two. */
  readonly words: readonly string[];
  /** The names of what follows, all of which is wanted. */
  readonly takes: readonly string[];
  readonly says: string;
  run(operator: Operator, given: readonly string[]): Promise<void>;
}

/** What an operator can do. Each command takes just as many words as it names. */
const COMMANDS: readonly Command[] = [
  {
    words: ['migrate'],
    takes: [],
    says: 'brings the database up to date, as every start of a server does',
    // Every command does that before it begins.
    run: async (operator) => operator.say('The database is up to date.'),
  },
  {
    words: ['tenant', 'create'],
    takes: ['name'],
    says: 'makes a tenant and prints its id',
    run: (operator, [name = '']) => createTenant(operator, name),
  },
  {
    words: ['tenant', 'list'],
    takes: [],
    says: 'prints id, features and name of each tenant',
    run: (operator) => listTenants(operator),
  },
  {
    words: ['features'],
    takes: ['tenantId', 'comma list'],
    says: 'sets the licensed features: sso, custom_rules, audit_export; or none',
    run: (operator, [tenant = '', list = '']) => setFeatures(operator, tenant, list),
  },
  {
    words: ['user', 'create'],
    takes: ['tenantId', 'email', 'role'],
    says: 'adds a user and prints a one-time password',
    run: (operator, [tenant = '', email = '', role = '']) =>
      createUser(operator, tenant, email, role),
  },
  {
    words: ['user', 'reset-2fa'],
    takes: ['email'],
    says: 'takes the second factor away and ends all sessions',
    run: (operator, [email = '']) => resetTwoFactor(operator, email),
  },
  {
    words: ['key', 'revoke'],
    takes: ['id'],
    says: 'revokes a per-user API key, by its id or its beginning (cspm_…)',
    run: (operator, [id = '']) => revokeKey(operator, id),
  },
  {
    words: ['reseal'],
    takes: [],
    says: 'seals all authenticators under the first secret, so that others can be left out',
    run: (operator) => reseal(operator),
  },
  {
    words: ['audit', 'export'],
    takes: ['tenantId'],
    says: 'prints the audit trail as NDJSON, the oldest event first',
    run: (operator, [tenant = '']) => exportAudit(operator, tenant),
  },
];

/** @returns null for what is no command, or has more or fewer words than it takes. */
export function commandIn(
  given: readonly string[],
): ((operator: Operator) => Promise<void>) | null {
  const command = COMMANDS.find(({ words }) => words.every((word, at) => given[at] === word));
  if (command === undefined) return null;
  const rest = given.slice(command.words.length);
  if (rest.length !== command.takes.length || rest.some((word) => word === '')) return null;
  return (operator) => command.run(operator, rest);
}

export function usage(): string {
  const lines = COMMANDS.map(({ words, takes, says }) => {
    const form = [...words, ...takes.map((name) => `<${name}>`)].join(' ');
    return `  ${form.padEnd(40)} ${says}\n`;
  });
  return `Usage: npm run admin -- <command>\n\n${lines.join('')}\nThe configuration is that of the server.\n`;
}
