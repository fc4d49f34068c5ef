import type { HandlersOf } from '../../platform/handler.ts';
import { sessionOf } from '../../platform/principal.ts';
import type { TenantDirectory } from '../tenants/index.ts';
import { type AccountServices, authAccounts } from './account-handlers.ts';
import { authFederation, type FederationServices } from './federation-handlers.ts';
import type { SignIn } from './password/sign-in.ts';
import type { SamlSignIn } from './saml/sign-in.ts';
import {
  endSession,
  renewed,
  type SessionServices,
  signedIn,
  signedOut,
} from './sessions/browser-session.ts';
import { endSessions, reachOf } from './sessions/queries.ts';

interface AuthServices extends AccountServices, FederationServices, SessionServices {
  readonly signIn: SignIn;
  readonly directory: TenantDirectory;
  readonly saml: SamlSignIn;
}

export const auth: HandlersOf<'auth', AuthServices> = {
  async login(context) {
    const { input, services, origin } = context;
    return signedIn(await services.signIn.withPassword(input.body, origin), context);
  },

  refresh: (context) => renewed(context.input.body.refreshToken, context),

  logout: (context) => endSession(context.input.body.refreshToken, context),

  async logoutAll(context) {
    const { principal, db, origin, audit } = context;
    const reach = reachOf(sessionOf(principal));
    const ended = await endSessions(db, reach, origin.at);
    audit({ subject: reach.userId, detail: { ended } });
    return signedOut(context);
  },

  ...authAccounts,

  ...authFederation,

  async methods({ services }) {
    const { registration, googleRedirect, saml } = services;
    const body = {
      password: true,
      registration: registration.isOpen,
      google: googleRedirect.isSetUp,
      saml: await saml.isSetUp(),
    } as const;
    return { status: 200, body };
  },

  async me({ principal, services }) {
    const { user, tenant, role, permissions, kind, mfa, expiresAt } = principal;
    const memberships = user === null ? [] : await services.directory.memberships(user.id);
    const confined = memberships.length > 1 && (await services.directory.isConfined(principal));
    return {
      status: 200,
      body: {
        user,
        tenant: { id: tenant.id, name: tenant.name, features: [...tenant.features] },
        role,
        permissions: [...permissions],
        credential: { kind, mfa, expiresAt: expiresAt?.toISOString() ?? null },
        memberships: memberships.filter(({ tenantId }) => !confined || tenantId === tenant.id),
      },
    };
  },
};
