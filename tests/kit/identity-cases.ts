import { newId } from '../../server/platform/ids.ts';
import {
  byColleague,
  byDomain,
  byInvited,
  byMember,
  byQuery,
  byRole,
  byRoleOf,
  type Examples,
  ofTenant,
  provider,
  tokenOfMail,
  withCode,
  withProvider,
} from './case-inputs.ts';
import { sharedBrowser } from './cookie-jar.ts';
import { beginGoogle, googleForm } from './google-redirect.ts';
import { TEST_PASSWORD } from './people.ts';

/** The valid input of each operation on people, their credentials and their tenant, by resource. */
export const IDENTITY_EXAMPLES: Pick<
  Examples,
  'auth' | 'twoFactor' | 'sessions' | 'apiKeys' | 'users' | 'roles' | 'tenant' | 'domains' | 'saml'
> = {
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
    methods: {},
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
    googleLogin: {},
    googleCallback: {
      contentType: 'application/x-www-form-urlencoded',
      headers: () => sharedBrowser.headers,
      body: async ({ server, user: { id: sub, email } }) =>
        googleForm(server, await beginGoogle(server), { sub, email }),
    },
    exchange: {
      body: async ({ has }) => ({ code: await has.exchangeCode(provider()) }),
      headers: () => sharedBrowser.headers,
    },
    confirm: {
      body: async ({ has, user }) => ({
        token: await has.samlConfirmation(provider(), user),
        password: user.password,
      }),
    },
    confirmMail: {
      body: async ({ has, user }) => ({ token: await has.samlConfirmation(provider(), user) }),
    },
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
    },
  },
  apiKeys: {
    list: { mentions: [byQuery('userId', async ({ user }) => user.id)] },
    create: { body: async () => ({ name: 'nightly' }) },
    revoke: {
      params: async ({ user, server }) => ({ id: (await server.people.key(user)).id }),
    },
  },
  users: {
    list: {},
    create: {
      body: async () => ({ email: `${newId()}@example.com`, name: 'New', role: 'viewer' }),
      mentions: [byRoleOf('email')],
    },
    resendInvitation: { params: byInvited },
    get: { params: byMember },
    update: {
      params: byMember,
      body: async () => ({ role: 'analyst' }),
      mentions: [byRoleOf()],
    },
    delete: { params: byMember },
  },
  roles: {
    list: {},
    create: { body: async () => ({ name: `new-${newId()}`, permissions: ['scans.read'] }) },
    update: {
      params: byRole,
      body: async () => ({ permissions: ['scans.read'] }),
    },
    delete: { params: byRole },
  },
  tenant: {
    get: {},
    update: { body: async () => ({ settings: { inventoryMaxAgeHours: 48 } }) },
  },
  domains: {
    list: {},
    create: { body: async () => ({ domain: `${newId()}.example` }) },
    verify: { params: byDomain },
    delete: { params: byDomain },
  },
  saml: {
    getSettings: { params: withProvider },
    putSettings: { body: async () => provider().settings },
    deleteSettings: { params: withProvider },
    metadata: { query: ofTenant },
    login: { params: withProvider, query: ofTenant },
    discover: { body: async ({ user }) => ({ email: user.email }) },
    acs: {
      contentType: 'application/x-www-form-urlencoded',
      headers: () => sharedBrowser.headers,
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
};
