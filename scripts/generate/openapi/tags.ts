/** The heading and the words for each resource of the contract. */
const TAGS: Record<string, { name: string; description: string }> = {
  auth: {
    name: 'Authentication',
    description: 'Sessions: signing in, renewing, signing out, and who one is.',
  },
  twoFactor: {
    name: 'Second factor',
    description: 'An authenticator besides the password, and codes for the day that it is lost.',
  },
  sessions: { name: 'Sessions', description: 'Where one is signed in, and how to end it.' },
  apiKeys: {
    name: 'API keys',
    description: 'Keys for automation, each with the permissions of its owner.',
  },
  saml: {
    name: 'Single sign-on',
    description: 'The SAML identity provider of a tenant, and the way of a browser through it.',
  },
  users: {
    name: 'Users',
    description: 'The members of your tenant: inviting, changing and removing them.',
  },
  roles: { name: 'Roles', description: 'Sets of permissions that members are given.' },
  tenant: { name: 'Tenant', description: 'Your tenant, its licensed features and its settings.' },
  auditEvents: {
    name: 'Audit',
    description: 'What happened in the tenant, by whom: added to, never changed.',
  },
  projects: {
    name: 'Projects',
    description: 'What is scanned as one, and the inventory that scans look at.',
  },
  preflight: {
    name: 'Preflight',
    description: 'Whether a scan can start, and what would have to be mended.',
  },
  scans: {
    name: 'Scans',
    description: 'Evaluations of posture rules on the inventories of projects.',
  },
  findings: {
    name: 'Findings',
    description: 'Faults of assets, followed from scan to scan.',
  },
  mutes: {
    name: 'Mutes',
    description: 'Findings that somebody has decided to live with, why, and until when.',
  },
  rules: { name: 'Rules', description: 'The conditions that assets are checked for.' },
  customRules: {
    name: 'Custom rules',
    description: 'Conditions of your own, in CEL (licensed feature `custom_rules`).',
  },
  profiles: { name: 'Profiles', description: 'Named sets of rules that a scan evaluates.' },
  meta: {
    name: 'Service',
    description: 'The service itself: health, this document, and what problems mean.',
  },
};

/** The tag of a resource; a new resource gets its words here before it gets into the document. */
export function tagOf(resource: string): { name: string; description: string } {
  const tag = TAGS[resource];
  if (tag === undefined) {
    throw new Error(
      `Resource ${resource} has no tag yet: add it to scripts/generate/openapi/tags.ts.`,
    );
  }
  return tag;
}
