import { googlePrincipalPrefix } from '../../server/modules/tenants/google-principal.ts';
import { newId } from '../../server/platform/ids.ts';
import {
  ASSET,
  byCustomRule,
  byDelivery,
  byMute,
  byProfile,
  byProject,
  byProjectQuery,
  byProjectWithSource,
  byPull,
  byQuery,
  byScan,
  bySchedule,
  byView,
  byWebhook,
  CUSTOM_RULE,
  type Examples,
  fieldsQuery,
  grouped,
  nameOf,
  PROFILE,
  scanRequest,
  scheduleOf,
  scheduleRequest,
  WEBHOOK,
} from './case-inputs.ts';
import { PROJECT_ASSET } from './fixtures.ts';
import { IDENTITY_EXAMPLES } from './identity-cases.ts';

/** The valid input of each operation, by resource. */
export const EXAMPLES: Examples = {
  ...IDENTITY_EXAMPLES,
  auditEvents: { list: {}, export: {} },
  projects: {
    list: {},
    create: { body: async () => ({ name: `new-${newId()}` }) },
    get: { params: byProject },
    update: {
      params: byProject,
      body: async () => ({ description: 'The shop' }),
    },
    delete: { params: byProject },
    inventories: { params: byProject },
    uploadInventory: {
      params: byProject,
      body: async () => ASSET,
      contentType: 'application/x-ndjson',
    },
  },
  assets: {
    list: { params: async ({ has }) => ({ project: (await has.project()).name }) },
    lookup: {
      params: async ({ has }) => ({ project: (await has.project()).name }),
      query: async () => `name=${encodeURIComponent(PROJECT_ASSET)}`,
    },
  },
  sources: {
    set: {
      params: byProject,
      body: async ({ user }) => ({
        kind: 'google-cloud',
        parent: 'projects/shop-prod',
        credential: {
          type: 'impersonation',
          serviceAccount: `${googlePrincipalPrefix(user.tenant.id)}@shop-prod.iam.gserviceaccount.com`,
        },
      }),
    },
    get: { params: byProjectWithSource },
    delete: { params: byProjectWithSource },
    check: { params: byProjectWithSource },
  },
  pulls: {
    start: { params: byProjectWithSource },
    list: { params: byProjectWithSource },
    get: { params: byPull },
  },
  preflight: { run: scanRequest },
  scans: {
    list: { mentions: [byQuery('ids', ({ has }) => has.scan()), byProjectQuery] },
    launch: scanRequest,
    get: { params: byScan },
    rules: { params: byScan },
    compliance: { params: byScan },
    report: { params: async ({ has }) => ({ id: (await has.comparedScans()).later }) },
    compare: {
      params: async ({ has }) => ({ id: (await has.comparedScans()).later }),
      query: async ({ has }) => `with=${(await has.comparedScans()).earlier}`,
      mentions: [byQuery('with', async ({ has }) => (await has.comparedScans()).earlier)],
    },
    cancel: { params: byScan },
    // The stream of a running scan would not end.
    events: { params: async ({ has }) => ({ id: await has.endedScan() }) },
  },
  findings: {
    list: { mentions: [byQuery('scan', ({ has }) => has.scan()), byProjectQuery] },
    summary: { mentions: [byQuery('scan', ({ has }) => has.scan()), byProjectQuery] },
    groups: {
      query: async () => 'by=rule',
      mentions: [grouped(byQuery('scan', ({ has }) => has.scan())), grouped(byProjectQuery)],
    },
    export: { mentions: [byQuery('scan', ({ has }) => has.scan()), byProjectQuery] },
    get: { params: async ({ has }) => ({ id: await has.finding() }) },
  },
  mutes: {
    list: { mentions: [byQuery('finding', ({ has }) => has.finding())] },
    create: {
      body: async () => ({ selector: { ruleId: 'bucket-public' }, reason: 'A static site' }),
      mentions: [
        async (owner) => {
          const named = await nameOf(owner);
          return { body: { selector: { project: named }, reason: 'A static site' }, named };
        },
      ],
    },
    bulkCreate: {
      body: async ({ has }) => ({ findingIds: [await has.finding()], reason: 'A static site' }),
      mentions: [
        async (owner) => {
          const named = owner === null ? newId() : await owner.has.finding();
          return { body: { findingIds: [named], reason: 'A static site' }, named };
        },
        async (owner) => {
          const named = await nameOf(owner);
          return { body: { filter: { project: [named] }, reason: 'A static site' }, named };
        },
        async (owner) => {
          const named = owner === null ? newId() : await owner.has.scan();
          return { body: { filter: { scan: named }, reason: 'A static site' }, named };
        },
      ],
    },
    delete: { params: byMute },
  },
  posture: {
    summary: {},
    trend: { mentions: [byProjectQuery] },
  },
  schedules: {
    list: {},
    create: { body: scheduleRequest, mentions: [scheduleOf] },
    get: { params: bySchedule },
    update: { params: bySchedule, body: scheduleRequest, mentions: [scheduleOf] },
    delete: { params: bySchedule },
  },
  webhooks: {
    list: {},
    create: { body: async () => WEBHOOK },
    get: { params: byWebhook },
    update: { params: byWebhook, body: async () => WEBHOOK },
    delete: { params: byWebhook },
    rotateSecret: { params: byWebhook },
    test: { params: byWebhook },
    deliveries: { params: byWebhook },
    redeliver: { params: byDelivery },
  },
  views: {
    list: {},
    create: { body: async () => ({ name: `New ${newId()}`, query: 'severity=high' }) },
    update: {
      params: byView,
      body: async () => ({ name: `New ${newId()}`, query: 'severity=high', shared: true }),
    },
    delete: { params: byView },
  },
  notifications: {
    get: {},
    update: { body: async () => ({ digest: 'daily' }) },
  },
  rules: {
    list: {},
    get: { params: byCustomRule },
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
    update: { params: byProfile, body: async () => PROFILE },
    delete: { params: byProfile },
  },
  customRules: {
    list: {},
    fields: {
      query: async ({ has }) => fieldsQuery((await has.project()).name),
      mentions: [
        async (owner) => {
          const named = await nameOf(owner);
          return { query: fieldsQuery(named), named };
        },
      ],
    },
    create: { body: async () => ({ id: `new-${newId()}`, ...CUSTOM_RULE }) },
    update: { params: byCustomRule, body: async () => CUSTOM_RULE },
    delete: { params: byCustomRule },
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
    problem: { params: async () => ({ code: 'not-found' }), unowned: true },
  },
  pages: {
    home: { headers: () => ({ accept: 'text/html' }) },
    verifyEmail: {},
    resetPassword: {},
    acceptInvite: {},
    unsubscribe: {},
    confirmUnsubscribe: {},
    authCallback: {},
    script: {},
    style: {},
  },
};
