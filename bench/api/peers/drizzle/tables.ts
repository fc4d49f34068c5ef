// The tables that the requests use, in Drizzle's schema.
import { relations } from 'drizzle-orm';
import { integer, jsonb, pgSchema, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { bytea, count, instant } from './columns.ts';

const identity = pgSchema('identity');

export const tenants = identity.table('tenants', { id: uuid('id').primaryKey() });

export const users = identity.table('users', {
  id: uuid('id').primaryKey(),
  email: text('email').notNull(),
  disabledAt: instant('disabled_at'),
});

export const memberships = identity.table(
  'memberships',
  {
    tenantId: uuid('tenant_id').notNull(),
    userId: uuid('user_id').notNull(),
    role: text('role').notNull(),
    status: text('status').notNull(),
  },
  (table) => [primaryKey({ columns: [table.tenantId, table.userId] })],
);

export const apiKeys = identity.table('api_keys', {
  id: uuid('id').primaryKey(),
  publicId: text('public_id').notNull().unique(),
  tenantId: uuid('tenant_id').notNull(),
  userId: uuid('user_id').notNull(),
  secretHash: bytea('secret_hash').notNull(),
  expiresAt: instant('expires_at'),
  revokedAt: instant('revoked_at'),
});

export const projects = pgTable('projects', {
  tenantId: uuid('tenant_id').notNull(),
  id: uuid('id').notNull(),
  name: text('name').notNull(),
  description: text('description'),
  createdAt: instant('created_at').notNull(),
});

export const auditEvents = pgTable('audit_events', {
  tenantId: uuid('tenant_id').notNull(),
  id: uuid('id').notNull(),
  at: instant('at').notNull(),
  action: text('action').notNull(),
  outcome: text('outcome').notNull(),
  actorKind: text('actor_kind').notNull(),
  actorId: uuid('actor_id'),
  actorLabel: text('actor_label'),
  ip: text('ip').notNull(),
  correlationId: text('correlation_id').notNull(),
  subject: text('subject'),
  detail: jsonb('detail').notNull(),
});

export const scans = pgTable('scans', {
  tenantId: uuid('tenant_id').notNull(),
  id: uuid('id').notNull(),
  status: text('status').notNull(),
  profile: text('profile').notNull(),
  profileDigest: text('profile_digest').notNull(),
  createdByKind: text('created_by_kind').notNull(),
  createdById: uuid('created_by_id'),
  createdByLabel: text('created_by_label').notNull(),
  scheduleId: uuid('schedule_id'),
  createdAt: instant('created_at').notNull(),
  startedAt: instant('started_at'),
  finishedAt: instant('finished_at'),
  coverage: jsonb('coverage'),
});

export const scanProjects = pgTable('scan_projects', {
  tenantId: uuid('tenant_id').notNull(),
  scanId: uuid('scan_id').notNull(),
  projectId: uuid('project_id').notNull(),
  name: text('name').notNull(),
  position: integer('position').notNull(),
  status: text('status').notNull(),
  assets: count('assets'),
  evaluations: count('evaluations'),
  pass: count('pass'),
  fail: count('fail'),
  unknown: count('unknown'),
  critical: count('critical'),
  high: count('high'),
  medium: count('medium'),
  low: count('low'),
  info: count('info'),
  deltaNew: count('delta_new'),
  deltaUnchanged: count('delta_unchanged'),
  deltaReopened: count('delta_reopened'),
  deltaResolved: count('delta_resolved'),
  error: text('error'),
  inventoryId: uuid('inventory_id'),
});

export const scanRuleCounts = pgTable('scan_rule_counts', {
  tenantId: uuid('tenant_id').notNull(),
  scanId: uuid('scan_id').notNull(),
  ruleId: text('rule_id').notNull(),
  pass: integer('pass').notNull(),
  fail: integer('fail').notNull(),
  na: integer('na').notNull(),
  unknown: integer('unknown').notNull(),
  missing: text('missing').array().notNull(),
});

export const rulesets = pgTable('rulesets', {
  tenantId: uuid('tenant_id').notNull(),
  digest: text('digest').notNull(),
  rules: jsonb('rules').notNull(),
});

export const apiKeyRelations = relations(apiKeys, ({ one }) => ({
  membership: one(memberships, {
    fields: [apiKeys.tenantId, apiKeys.userId],
    references: [memberships.tenantId, memberships.userId],
  }),
}));

export const membershipRelations = relations(memberships, ({ one }) => ({
  user: one(users, { fields: [memberships.userId], references: [users.id] }),
  tenant: one(tenants, { fields: [memberships.tenantId], references: [tenants.id] }),
}));

export const scanRelations = relations(scans, ({ many }) => ({ projects: many(scanProjects) }));

export const scanProjectRelations = relations(scanProjects, ({ one }) => ({
  scan: one(scans, {
    fields: [scanProjects.tenantId, scanProjects.scanId],
    references: [scans.tenantId, scans.id],
  }),
}));
