import { sessionOf } from '../identity/principal.ts';
import { endSessions, reachOf } from '../identity/session-rows.ts';
import type { HandlersOf } from '../pipeline/handler.ts';
import { authAccounts } from './auth-accounts.ts';
import { authFederation } from './auth-federation.ts';

export const auth: HandlersOf<'auth'> = {
  async login({ input, services, origin }) {
    return { status: 200, body: await services.signIn.withPassword(input.body, origin) };
  },

  async refresh({ input, services, origin }) {
    return { status: 200, body: await services.sessions.refresh(input.body.refreshToken, origin) };
  },

  async logout({ input, services, origin }) {
    await services.sessions.end(input.body.refreshToken, origin);
    return { status: 204, body: undefined };
  },

  async logoutAll({ principal, db, origin, audit }) {
    const reach = reachOf(sessionOf(principal));
    const ended = await endSessions(db, reach, origin.at);
    audit({ subject: reach.userId, detail: { ended } });
    return { status: 204, body: undefined };
  },

  ...authAccounts,

  ...authFederation,

  async me({ principal, services }) {
    const { user, tenant, role, permissions, kind, mfa, expiresAt } = principal;
    const memberships = user === null ? [] : await services.directory.memberships(user.id);
    const confined = kind === 'jwt' && principal.confined;
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
