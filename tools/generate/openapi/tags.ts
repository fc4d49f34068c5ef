/** The heading and description of each resource of the contract. */
const TAGS: Record<string, { name: string; description: string }> = {
  auth: {
    name: 'Authentication',
    description: 'Signing in, renewing and ending sessions, and the current identity.',
  },
  twoFactor: {
    name: 'Second factor',
    description: 'Authenticators (TOTP) and recovery codes.',
  },
  sessions: { name: 'Sessions', description: 'Your active sessions.' },
  apiKeys: {
    name: 'API keys',
    description: 'Keys for automation, each with the permissions of its owner.',
  },
  saml: {
    name: 'Single sign-on',
    description: 'The SAML identity provider of a tenant, and the endpoints of the SAML sign-in.',
  },
  domains: {
    name: 'E-mail domains',
    description:
      'Domains that a tenant has proven, so that its identity provider may vouch for their addresses.',
  },
  users: {
    name: 'Users',
    description: 'Inviting, changing and removing members of your tenant.',
  },
  roles: { name: 'Roles', description: 'Sets of permissions that are assigned to members.' },
  tenant: { name: 'Tenant', description: 'Your tenant, its licensed features and its settings.' },
  auditEvents: {
    name: 'Audit',
    description: 'The append-only audit trail of the tenant.',
  },
  projects: {
    name: 'Projects',
    description: 'Cloud projects and their inventories.',
  },
  assets: {
    name: 'Assets',
    description: 'The assets of the current inventory of a project.',
  },
  sources: {
    name: 'Inventory sources',
    description: 'Where the inventory of a project is pulled from, instead of being uploaded.',
  },
  pulls: {
    name: 'Pulls',
    description: 'Jobs that pull a new inventory from the source of a project.',
  },
  preflight: {
    name: 'Preflight',
    description: 'Checks whether a scan can start.',
  },
  scans: {
    name: 'Scans',
    description: 'Evaluations of rules on the inventories of projects.',
  },
  schedules: {
    name: 'Schedules',
    description: 'Scans that are launched at the times of a cron expression.',
  },
  webhooks: {
    name: 'Webhooks',
    description:
      'Events that are sent to your own URLs, signed as Standard Webhooks 1.0 describes.',
  },
  findings: {
    name: 'Findings',
    description: 'Rule violations on assets, tracked from scan to scan.',
  },
  mutes: {
    name: 'Mutes',
    description: 'Accepted findings, with a reason and an end date.',
  },
  posture: {
    name: 'Posture',
    description: 'Score, open findings and coverage, now and over time.',
  },
  views: {
    name: 'Saved views',
    description: 'Filters of findings under a name, private or shared with the tenant.',
  },
  notifications: {
    name: 'Notifications',
    description: 'Your own e-mails about new critical and high findings.',
  },
  rules: { name: 'Rules', description: 'The rules that assets are checked against.' },
  customRules: {
    name: 'Custom rules',
    description: 'Your own rules, written in CEL (licensed feature `custom_rules`).',
  },
  profiles: { name: 'Profiles', description: 'Named sets of rules that a scan evaluates.' },
  meta: {
    name: 'Service',
    description: 'Health, this document, and the pages of the problem codes.',
  },
};

/** The tag of a resource; a new resource needs a description here first. */
export function tagOf(resource: string): { name: string; description: string } {
  const tag = TAGS[resource];
  if (tag === undefined) {
    throw new Error(
      `Resource ${resource} has no tag yet: add it to tools/generate/openapi/tags.ts.`,
    );
  }
  return tag;
}
