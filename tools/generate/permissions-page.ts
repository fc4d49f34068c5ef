import { BUILT_IN_ROLES, PERMISSIONS, type Permission, type Routes } from '@cspm/contract';

type Route = Routes[string];

const ROLES = Object.entries(BUILT_IN_ROLES) as [string, readonly Permission[]][];

/** The page that documents the permissions, the built-in roles, and which operations need what. */
export function permissionsPage(contract: Record<string, Routes>): string {
  const routes = Object.values(contract).flatMap((group) => Object.values(group));
  const roles = [
    `| permission | ${ROLES.map(([name]) => `\`${name}\``).join(' | ')} |`,
    `|---|${'---|'.repeat(ROLES.length)}`,
    ...PERMISSIONS.map((permission) => {
      const cells = ROLES.map(([, granted]) => (granted.includes(permission) ? 'yes' : ''));
      return `| [\`${permission}\`](#${permission.replace('.', '')}) | ${cells.join(' | ')} |`;
    }),
  ];
  const parts = PERMISSIONS.map((permission) => {
    const rows = routes
      .filter(({ metadata }) => metadata.permissions.includes(permission))
      .map((route) => rowOf(route, permission));
    return [`### ${permission}`, '', HEADINGS, ...rows].join('\n');
  });
  const free = routes.filter(
    ({ metadata }) => metadata.credentials !== 'public' && metadata.permissions.length === 0,
  );
  const others = ['### No permission', '', HEADINGS, ...free.map((route) => rowOf(route))];
  return `${HEAD}\n\n${roles.join('\n')}\n\n${TAIL}\n\n${[...parts, others.join('\n')].join('\n\n')}\n`;
}

const HEADINGS = '| operation | | also needs |\n|---|---|---|';

function rowOf(route: Route, permission?: Permission): string {
  const { permissions, mfa, feature, credentials } = route.metadata;
  const needs = [
    ...permissions.filter((other) => other !== permission).map((other) => `\`${other}\``),
    ...(feature === null ? [] : [`the feature \`${feature}\``]),
    ...(mfa ? ['a second factor'] : []),
    ...(credentials.includes('api_key') ? [] : ['a session: no API key']),
  ];
  return `| \`${route.method} ${route.path}\` | ${route.summary} | ${needs.join(', ')} |`;
}

const HEAD = `
<!-- Generated from the contract by \`npm run generate\`. Do not edit. -->

# Permissions and roles

A member of a tenant has one role. A role is a set of permissions. Every tenant has the built-in roles of the first table, which cannot be
changed; \`POST /roles\`, or *Roles* in the console, defines more. Nobody can grant a permission that they do not have. A change of a role takes
effect with the next request.
`.trim();

const TAIL = `
\`legacy\` is for the deprecated global API key in production. API keys have the current permissions of the person they belong to.

## Operations

An operation needs the permission of its section, and what is in its last column. Some operations check more, which their description in
\`/docs\` says. A second factor means a session that has passed one (\`POST /auth/2fa/verify\`, or the code at sign-in); an API key never has.
Features are set for each tenant by the operator (\`features\` in [administration](administration.md)).
`.trim();
