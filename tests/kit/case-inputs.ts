import type { Contract } from '@cspm/contract';
import type { MailTokenPurpose } from '../../server/modules/auth/mail-links/mail-tokens.ts';
import { insertMute } from '../../server/modules/findings/mute-queries.ts';
import { insertSchedule } from '../../server/modules/schedules/queries.ts';
import { insertView } from '../../server/modules/views/queries.ts';
import { queueFor } from '../../server/modules/webhooks/events.ts';
import { insertWebhook } from '../../server/modules/webhooks/queries.ts';
import { newSigningSecret, sealSecret } from '../../server/modules/webhooks/secret.ts';
import { newId } from '../../server/platform/ids.ts';
import { codeAt, enrol } from './authenticator.ts';
import { Belongings } from './fixtures.ts';
import { TestIdentityProvider } from './identity-provider.ts';
import type { TestUser } from './people.ts';
import { TEST_APP_SECRET, type TestServer } from './test-server.ts';

/** A user with resources of a tenant; examples create them on demand. */
export interface Owner {
  readonly user: TestUser;
  readonly server: TestServer;
  readonly has: Belongings;
}

export function ownerOf(server: TestServer, user: TestUser): Owner {
  return { user, server, has: new Belongings(server.services, server.database, user.tenant) };
}

/** Ids of a tenant's resources in other places than the path. */
export interface Mention {
  readonly query?: string;
  readonly body?: unknown;
  /** Values to mask when two responses are compared. */
  readonly named: string;
}

/** Valid input of an operation, the only part that cannot be derived from its policy. */
export interface Example {
  /** Path parameters of existing resources. */
  readonly params?: (owner: Owner) => Promise<Record<string, string>>;
  /** The required query. */
  readonly query?: (owner: Owner) => Promise<string>;
  /** The caller and owner of the resources, if it matters. Default: the owner. */
  readonly asker?: (owner: Owner) => Promise<TestUser>;
  /** Set if the path names no resource of a tenant. Default: it names one, which another tenant must not reach. */
  readonly unowned?: true;
  readonly body?: (owner: Owner) => Promise<unknown>;
  readonly contentType?: string;
  /** Additional headers, created after the body. */
  readonly headers?: () => Record<string, string>;
  /** All other ways to name resources of a tenant; `null` asks for an id that does not exist. */
  readonly mentions?: readonly ((owner: Owner | null) => Promise<Mention>)[];
}

export type Examples = {
  readonly [K in keyof Contract]: { readonly [O in keyof Contract[K]]: Example };
};

export const byProject = async ({ has }: Owner) => ({ name: (await has.project()).name });
export const byProjectWithSource = async ({ has }: Owner) => ({
  name: (await has.projectWithSource()).name,
});
export const byPull = async ({ has }: Owner) => {
  const { id, project } = await has.pull();
  return { id, name: project.name };
};
export const byMember = async ({ user, server }: Owner) => {
  const { id } = await server.people.user({ tenant: user.tenant, role: 'viewer' });
  return { id };
};
export const byInvited = async (owner: Owner) => {
  const { id } = await byMember(owner);
  await owner.server.database.owner.query(
    "UPDATE identity.memberships SET status = 'invited' WHERE user_id = $1",
    [id],
  );
  return { id };
};
export const byRole = async ({ user, server }: Owner) => ({
  name: await server.people.role(user.tenant),
});
export const byScan = async ({ has }: Owner) => ({ id: await has.scan() });
export const byMute = async ({ user, server }: Owner) => {
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
export const byView = async ({ user, server }: Owner) => {
  const id = newId();
  const createdAt = server.clock.now();
  const view = { id, ownerId: user.id, name: id, query: '', shared: true, createdAt };
  await server.services.tenants.write(user.tenant.id, (db) => insertView(db, view));
  return { id };
};
export const bySchedule = async ({ user, server }: Owner) => {
  const id = newId();
  const createdAt = server.clock.now();
  const content = { ...SCHEDULE, name: id, projects: ['shop-prod'] };
  const schedule = { id, ...content, createdById: user.id, createdAt, nextRunAt: null };
  await server.services.tenants.write(user.tenant.id, (db) => insertSchedule(db, schedule));
  return { id };
};
export const WEBHOOK = {
  ...{ url: 'https://hooks.example.com/cspm', events: ['scan.completed', 'findings.opened'] },
  ...{ description: '', format: 'standard', enabled: true },
} as const;
export const byWebhook = async ({ user, server }: Owner) => {
  const id = newId();
  const createdAt = server.clock.now();
  const { tenants, webhooks } = server.services;
  const secret = sealSecret(webhooks.keys, id, newSigningSecret());
  await tenants.write(user.tenant.id, (db) =>
    insertWebhook(db, { id, ...WEBHOOK, secret, createdAt }),
  );
  return { id };
};
export const byDelivery = async (owner: Owner) => {
  const { user, server } = owner;
  const { id } = await byWebhook(owner);
  const event = { type: 'webhook.test', at: server.clock.now(), data: { webhookId: id } };
  const deliveryId = await server.services.tenants.write(user.tenant.id, (db) =>
    queueFor(db, [id], event),
  );
  return { id, deliveryId };
};
let theProvider: TestIdentityProvider | null = null;
export function provider(): TestIdentityProvider {
  theProvider ??= new TestIdentityProvider();
  return theProvider;
}
export const withProvider = async ({ has }: Owner) => {
  await has.samlConnection(provider());
  return {};
};
export const byDomain = async ({ has, server }: Owner) => {
  const domain = await has.verifiedDomain();
  server.dns.set(domain, ['cspm-domain-verification=test-token']);
  return { domain };
};
const SCHEDULE = {
  ...{ profile: 'full', cron: '0 3 * * *', timezone: 'Europe/Berlin' },
  ...{ pullFirst: false, enabled: false },
};
export const scheduleRequest = async ({ has }: Owner) => ({
  ...SCHEDULE,
  name: `New ${newId()}`,
  projects: [(await has.project()).name],
});
export const scheduleOf = async (owner: Owner | null): Promise<Mention> => {
  const named = await nameOf(owner);
  return { body: { ...SCHEDULE, name: `New ${newId()}`, projects: [named] }, named };
};
export const ofTenant = async ({ user }: Owner) => `tenant=${user.tenant.id}`;
export const nameOf = async (owner: Owner | null) =>
  owner === null ? `unknown-${newId()}` : (await owner.has.project()).name;
export const ASSET = `{"name":"//storage.googleapis.com/b","asset_type":"storage.googleapis.com/Bucket","resource":{"version":"v1","data":{"name":"b"}}}\n`;

export const scanRequest = {
  body: async ({ has }: Owner) => ({ projects: [(await has.project()).name], profile: 'full' }),
  mentions: [
    async (owner: Owner | null) => {
      const named = await nameOf(owner);
      return { body: { projects: [named], profile: 'full' }, named };
    },
  ],
};

export const byCustomRule = async ({ has }: Owner) => ({ id: await has.customRule() });
export const byProfile = async ({ has }: Owner) => ({ name: await has.profile() });
export const CUSTOM_RULE = {
  title: 'Bucket without an owner',
  severity: 'medium',
  assetTypes: ['storage.googleapis.com/Bucket'],
  predicate: '!has(resource.data.labels) || !has(resource.data.labels.owner)',
};
export const fieldsQuery = (project: string) =>
  `project=${project}&assetType=storage.googleapis.com/Bucket`;
export const PROFILE = { include: ['category:storage'], exclude: ['bucket-logging'] };

/** A custom role of the tenant, in a body that names one. */
export const byRoleOf = (...addressed: readonly 'email'[]) =>
  async function mention(owner: Owner | null): Promise<Mention> {
    const named = owner === null ? `unknown-${newId()}` : (await byRole(owner)).name;
    const email = addressed.map((member) => [member, `${newId()}@example.com`]);
    return { body: { ...Object.fromEntries(email), role: named }, named };
  };

export const byQuery = (parameter: string, idOf: (owner: Owner) => Promise<string>) =>
  async function mention(owner: Owner | null): Promise<Mention> {
    const named = owner === null ? newId() : await idOf(owner);
    return { query: `${parameter}=${named}`, named };
  };

export const byProjectQuery = async (owner: Owner | null): Promise<Mention> => {
  const named = await nameOf(owner);
  return { query: `project=${named}`, named };
};

export const byColleague = ({ user, server }: Owner) => server.people.user({ tenant: user.tenant });

/** The same for the groups of findings. */
export const grouped =
  (mention: (owner: Owner | null) => Promise<Mention>) =>
  async (owner: Owner | null): Promise<Mention> => {
    const { query, ...rest } = await mention(owner);
    return { ...rest, query: `by=rule&${query}` };
  };

/** The current code of a newly enrolled second factor. */
export const withCode = (options: { pending?: boolean } = {}) =>
  async function body({ user, server }: Owner): Promise<unknown> {
    const at = server.clock.now();
    const { secret } = await enrol(
      server.database,
      TEST_APP_SECRET,
      user,
      { at, ...options },
      user.sessionId,
    );
    return { code: codeAt(secret, at) };
  };

/** The token of a mail to a person who can use it. */
export async function tokenOfMail(server: TestServer, purpose: MailTokenPurpose) {
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
  const token = await server.services.identityTenants.write(tenant.id, (db) =>
    server.services.mailTokens.issue(db, { purpose, userId, email }),
  );
  return { token };
}
