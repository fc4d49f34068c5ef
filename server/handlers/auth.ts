import type { HandlersOf } from '../pipeline/handler.ts';

export const auth: HandlersOf<'auth'> = {
  async login({ input, services, origin }) {
    return { status: 200, body: await services.sessions.signIn(input.body, origin) };
  },

  async refresh({ input, services, origin }) {
    return { status: 200, body: await services.sessions.refresh(input.body.refreshToken, origin) };
  },

  async logout({ input, services, origin }) {
    await services.sessions.end(input.body.refreshToken, origin);
    return { status: 204, body: undefined };
  },

  async me({ principal, services }) {
    const { user, tenant, role, permissions, kind, mfa, expiresAt } = principal;
    return {
      status: 200,
      body: {
        user,
        tenant: { id: tenant.id, name: tenant.name, features: [...tenant.features] },
        role,
        permissions: [...permissions],
        credential: { kind, mfa, expiresAt: expiresAt?.toISOString() ?? null },
        memberships: await services.directory.memberships(user.id),
      },
    };
  },
};
