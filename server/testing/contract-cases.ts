import { type Contract, contract, type Route, type Routes } from '@cspm/contract';
import type { MailTokenPurpose } from '../identity/mail-tokens.ts';
import { newId } from '../ids.ts';
import { insertMute } from '../mutes/mute-rows.ts';
import { codeAt, enrol } from './authenticator.ts';
import { Belongings } from './belongings.ts';
import { TestIdentityProvider } from './identity-provider.ts';
import { TEST_PASSWORD, type TestUser } from './people.ts';
import { TEST_APP_SECRET, type TestServer } from './test-server.ts';

/** Somebody with things of their own; what an example asks for is made when it is asked for. */
export interface Owner {
  readonly user: TestUser;
  readonly server: TestServer;
  readonly has: Belongings;
}

export function ownerOf(server: TestServer, user: TestUser): Owner {
  return { user, server, has: new Belongings(server.services, server.database, user.tenant) };
}

/** What names a thing of a tenant elsewhere than in the path. */
export interface Mention {
  readonly query?: string;
  readonly body?: unknown;
  /** The words to look away from when two answers are compared. */
  readonly named: string;
}

/** Input that an operation accepts: the one thing that cannot be derived from its policy. */
interface Example {
  /** Path parameters that name something which is there. */
  readonly params?: (owner: Owner) => Promise<Record<string, string>>;
  /** What it has to be asked with in the query. */
  readonly query?: (owner: Owner) => Promise<string>;
  /** Who asks, and whose things are asked for, where that changes what they are; left out: the owner. */
  readonly asker?: (owner: Owner) => Promise<TestUser>;
  /** Whether those things belong to a tenant. */
  readonly owned?: boolean;
  readonly body?: (owner: Owner) => Promise<unknown>;
  readonly contentType?: string;
  /** Every other way of naming things of a tenant; `null` asks for a name that nothing has. */
  readonly mentions?: readonly ((owner: Owner | null) => Promise<Mention>)[];
}

type Examples = {
  readonly [K in keyof Contract]: { readonly [O in keyof Contract[K]]: Example };
};

const byProject = async ({ has }: Owner) => ({ name: (await has.project()).name });
const byMember = async ({ user, server }: Owner) => {
  const { id } = await server.people.user({ tenant: user.tenant, role: 'viewer' });
  return { id };
};
const byRole = async ({ user, server }: Owner) => ({ name: await server.people.role(user.tenant) });
const byScan = async ({ has }: Owner) => ({ id: await has.scan() });
const byMute = async ({ user, server }: Owner) => {
  const id = newId();
  const createdAt = server.clock.now();
  const expiresAt = new Date(createdAt.getTime() + 3_600_000);
  const target = { fingerprint: null, ruleId: 'r', asset: null, projectId: null, label: null };
  const createdBy = { id: user.id, label: user.email };
  await server.services.tenants.write(user.tenant.id, (db) =>
    insertMute(db, { id, target, reason: 'Known', expiresAt, createdBy, createdAt }),
  );
  return { id };
};
let theProvider: TestIdentityProvider | null = null;
function provider(): TestIdentityProvider {
  theProvider ??= new TestIdentityProvider();
  return theProvider;
}
const withProvider = async ({ has }: Owner) => {
  await has.samlConnection(provider());
  return {};
};
const ofTenant = async ({ user }: Owner) => `tenant=${user.tenant.id}`;
const nameOf = async (owner: Owner | null) =>
  owner === null ? `unknown-${newId()}` : (await owner.has.project()).name;
const ASSET = `{"name":"//storage.googleapis.com/b","asset_type":"storage.googleapis.com/Bucket","resource":{"version":"v1","data":{"name":"b"}}}\n`;

const scanRequest = {
  body: async ({ has }: Owner) => ({ projects: [(await has.project()).name], profile: 'full' }),
  mentions: [
    async (owner: Owner | null) => {
      const named = await nameOf(owner);
      return { body: { projects: [named], profile: 'full' }, named };
    },
  ],
};

const byCustomRule = async ({ has }: Owner) => ({ id: await has.customRule() });
const byProfile = async ({ has }: Owner) => ({ name: await has.profile() });
const CUSTOM_RULE = {
  title: 'Bucket without an owner',
  severity: 'medium',
  assetTypes: ['storage.googleapis.com/Bucket'],
  predicate: '!has(resource.data.labels) || !has(resource.data.labels.owner)',
};
const PROFILE = { include: ['category:storage'], exclude: ['bucket-logging'] };

/** A role of the tenant, in a body that names one. */
const byRoleOf = (...addressed: readonly 'email'[]) =>
  async function mention(owner: Owner | null): Promise<Mention> {
    const named = owner === null ? `unknown-${newId()}` : (await byRole(owner)).name;
    const email = addressed.map((member) => [member, `${newId()}@example.com`]);
    return { body: { ...Object.fromEntries(email), role: named }, named };
  };

const byQuery = (parameter: string, idOf: (owner: Owner) => Promise<string>) =>
  async function mention(owner: Owner | null): Promise<Mention> {
    const named = owner === null ? newId() : await idOf(owner);
    return { query: `${parameter}=${named}`, named };
  };

const byProjectQuery = async (owner: Owner | null): Promise<Mention> => {
  const named = await nameOf(owner);
  return { query: `project=${named}`, named };
};

const byColleague = ({ user, server }: Owner) => server.people.user({ tenant: user.tenant });

/** The current code of a second factor just enrolled. */
const withCode = (options: { pending?: boolean } = {}) =>
  async function body({ user, server }: Owner): Promise<unknown> {
    const at = server.clock.now();
    const { secret } = await enrol(server.database, TEST_APP_SECRET, user, { at, ...options });
    return { code: codeAt(secret, at) };
  };

/** A token of a mail to somebody whom it is good for. */
async function tokenOfMail(server: TestServer, purpose: MailTokenPurpose) {
  const {
    id: userId,
    email,
    tenant,
  } = await server.people.user({
    verified: purpose !== 'verify-email',
  });
  if (purpose === 'invitation') {
    const { owner } = server.database;
    await owner.query("UPDATE identity.memberships SET status = 'invited' WHERE user_id = $1", [
      userId,
    ]);
  }
  const token = await server.services.tenants.write(tenant.id, (db) =>
    server.services.mailTokens.issue(db, { purpose, userId, email }),
  );
  return { token };
}

const EXAMPLES: Examples = {
  auth: {
    login: {
      body: async ({ user }) => ({ email: user.email, password: user.password }),
    },
    refresh: {
      body: async ({ user, server }) => ({
        refreshToken: (await server.people.session(user)).refreshToken,
      }),
    },
    logout: {
      body: async ({ user, server }) => ({
        refreshToken: (await server.people.session(user)).refreshToken,
      }),
    },
    logoutAll: { asker: byColleague },
    register: {
      body: async () => ({
        email: `${newId()}@example.com`,
        password: TEST_PASSWORD,
        tenantName: 'Example',
      }),
    },
    verifyEmail: { body: ({ server }) => tokenOfMail(server, 'verify-email') },
    resendVerification: { body: async ({ user }) => ({ email: user.email }) },
    forgotPassword: { body: async ({ user }) => ({ email: user.email }) },
    resetPassword: {
      body: async ({ server }) => ({
        ...(await tokenOfMail(server, 'reset-password')),
        password: TEST_PASSWORD,
      }),
    },
    acceptInvite: { body: ({ server }) => tokenOfMail(server, 'invitation') },
    changePassword: {
      asker: ({ user, server }) => server.people.user({ tenant: user.tenant }),
      body: async ({ user }) => ({ currentPassword: user.password, newPassword: user.password }),
    },
    google: {
      body: async ({ server, user }) => ({
        credential:
          (await server.issuer?.token(server.clock.now(), {
            sub: user.id,
            email: user.email,
          })) ?? 'none',
      }),
    },
    exchange: { body: async ({ has }) => ({ code: await has.exchangeCode(provider()) }) },
    me: {},
  },
  twoFactor: {
    setup: { asker: byColleague, body: async ({ user }) => ({ password: user.password }) },
    enable: { asker: byColleague, body: withCode({ pending: true }) },
    verify: { asker: byColleague, body: withCode() },
    disable: { asker: byColleague, body: withCode() },
    recoveryCodes: { asker: byColleague, body: withCode() },
  },
  sessions: {
    list: {},
    revoke: {
      params: async ({ user, server }) => ({ id: (await server.people.session(user)).id }),
      owned: true,
    },
  },
  apiKeys: {
    list: { mentions: [byQuery('userId', async ({ user }) => user.id)] },
    create: { body: async () => ({ name: 'nightly' }) },
    revoke: {
      params: async ({ user, server }) => ({ id: (await server.people.key(user)).id }),
      owned: true,
    },
  },
  users: {
    list: {},
    create: {
      body: async () => ({ email: `${newId()}@example.com`, name: 'New', role: 'viewer' }),
      mentions: [byRoleOf('email')],
    },
    get: { params: byMember, owned: true },
    update: {
      params: byMember,
      owned: true,
      body: async () => ({ role: 'analyst' }),
      mentions: [byRoleOf()],
    },
    delete: { params: byMember, owned: true },
  },
  roles: {
    list: {},
    create: { body: async () => ({ name: `new-${newId()}`, permissions: ['scans.read'] }) },
    update: {
      params: byRole,
      owned: true,
      body: async () => ({ permissions: ['scans.read'] }),
    },
    delete: { params: byRole, owned: true },
  },
  tenant: {
    get: {},
    update: { body: async () => ({ settings: { inventoryMaxAgeHours: 48 } }) },
  },
  saml: {
    getSettings: { params: withProvider },
    putSettings: { body: async () => provider().settings },
    deleteSettings: { params: withProvider },
    metadata: { query: ofTenant },
    login: { params: withProvider, query: ofTenant },
    acs: {
      contentType: 'application/x-www-form-urlencoded',
      body: async (owner) => {
        await withProvider(owner);
        const { server, user } = owner;
        const request = await provider().request(server, user.tenant);
        const said = { email: `${newId()}@${provider().domain}` };
        const SAMLResponse = await provider().respond(request, said, server.clock.now());
        return new URLSearchParams({ SAMLResponse }).toString();
      },
    },
  },
  auditEvents: { list: {}, export: {} },
  projects: {
    list: {},
    create: { body: async () => ({ name: `new-${newId()}` }) },
    get: { params: byProject, owned: true },
    update: {
      params: byProject,
      owned: true,
      body: async () => ({ description: 'The shop' }),
    },
    delete: { params: byProject, owned: true },
    inventories: { params: byProject, owned: true },
    uploadInventory: {
      params: byProject,
      owned: true,
      body: async () => ASSET,
      contentType: 'application/x-ndjson',
    },
  },
  preflight: { run: scanRequest },
  scans: {
    list: { mentions: [byQuery('ids', ({ has }) => has.scan()), byProjectQuery] },
    launch: scanRequest,
    get: { params: byScan, owned: true },
    rules: { params: byScan, owned: true },
    compliance: { params: byScan, owned: true },
    cancel: { params: byScan, owned: true },
    // A stream of one that goes on would not end.
    events: { params: async ({ has }) => ({ id: await has.endedScan() }), owned: true },
  },
  findings: {
    list: { mentions: [byQuery('scan', ({ has }) => has.scan()), byProjectQuery] },
    summary: { mentions: [byProjectQuery] },
    export: { mentions: [byQuery('scan', ({ has }) => has.scan()), byProjectQuery] },
    get: { params: async ({ has }) => ({ id: await has.finding() }), owned: true },
  },
  mutes: {
    list: {},
    create: {
      body: async () => ({ selector: { ruleId: 'bucket-public' }, reason: 'A static site' }),
      mentions: [
        async (owner) => {
          const named = await nameOf(owner);
          return { body: { selector: { project: named }, reason: 'A static site' }, named };
        },
      ],
    },
    delete: { params: byMute, owned: true },
  },
  rules: {
    list: {},
    get: { params: async () => ({ id: 'bucket-public' }) },
  },
  profiles: {
    list: {},
    create: {
      body: async () => ({ name: `custom:new-${newId()}`, ...PROFILE }),
      mentions: [
        async (owner) => {
          const named = owner === null ? `unknown-${newId()}` : await owner.has.customRule();
          return { body: { name: `custom:new-${newId()}`, include: [named] }, named };
        },
      ],
    },
    update: { params: byProfile, owned: true, body: async () => PROFILE },
    delete: { params: byProfile, owned: true },
  },
  customRules: {
    list: {},
    create: { body: async () => ({ id: `new-${newId()}`, ...CUSTOM_RULE }) },
    update: { params: byCustomRule, owned: true, body: async () => CUSTOM_RULE },
    delete: { params: byCustomRule, owned: true },
    test: {
      body: async ({ has }) => ({ rule: CUSTOM_RULE, project: (await has.project()).name }),
      mentions: [
        async (owner) => {
          const named = await nameOf(owner);
          return { body: { rule: CUSTOM_RULE, project: named }, named };
        },
      ],
    },
  },
  meta: {
    live: {},
    ready: {},
    openapi: {},
    docs: {},
    docsScript: {},
    docsStyle: {},
    problem: { params: async () => ({ code: 'not-found' }) },
  },
  pages: {
    verifyEmail: {},
    resetPassword: {},
    acceptInvite: {},
    authCallback: {},
    script: {},
    style: {},
  },
};

/** An operation, with what it takes to ask for it. */
export interface ContractCase {
  /** `scans.launch` */
  readonly name: string;
  readonly route: Route;
  readonly example: Example;
  readonly parameters: readonly string[];
}

/**
 * Every operation of the contract, in its order. What is expected of each is derived from its policy.
 * @throws {Error} naming the operation whose example is missing or does not reach its path or body.
 */
export function contractCases(
  routesByResource: Record<string, Routes> = contract,
  examples: Record<string, Record<string, Example>> = EXAMPLES,
): ContractCase[] {
  return Object.entries(routesByResource).flatMap(([resource, routes]) =>
    Object.entries(routes).map(([operation, route]) => {
      const name = `${resource}.${operation}`;
      const example = examples[resource]?.[operation];
      if (example === undefined) throw new Error(`${name} has no example in contract-cases.ts`);
      const parameters = [...route.path.matchAll(/:(\w+)/g)].map(([, parameter]) => `${parameter}`);
      if (parameters.length > 0 && example.params === undefined) {
        throw new Error(`The example of ${name} names no ${parameters.join(', ')}`);
      }
      if (route.metadata.body !== 'none' && example.body === undefined) {
        throw new Error(`The example of ${name} has no body`);
      }
      return { name, route, example, parameters };
    }),
  );
}

/** The path of an operation, with its parameters filled in. */
export function pathOf(
  { route }: ContractCase,
  params: Record<string, string> = {},
  query?: string,
): string {
  const path = route.path.replaceAll(/:(\w+)/g, (_whole, name: string) =>
    encodeURIComponent(params[name] ?? 'none'),
  );
  return query === undefined ? path : `${path}?${query}`;
}

/** Parameters of the same form, naming nothing that exists. */
export function unknownParams(params: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      /^[0-9a-f]{8}-/.test(value) ? newId() : `unknown-${newId()}`,
    ]),
  );
}
