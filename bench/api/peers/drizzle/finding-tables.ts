// The same for findings, and the rules and mutes that they show.
import { jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { bytea, instant } from './columns.ts';

export const findings = pgTable('findings', {
  tenantId: uuid('tenant_id').notNull(),
  id: uuid('id').notNull(),
  projectId: uuid('project_id').notNull(),
  fingerprint: bytea('fingerprint').notNull(),
  ruleId: text('rule_id').notNull(),
  severity: text('severity').notNull(),
  title: text('title').notNull(),
  assetName: text('asset_name').notNull(),
  assetType: text('asset_type').notNull(),
  assetLabels: jsonb('asset_labels').notNull(),
  subject: text('subject').notNull(),
  message: text('message').notNull(),
  evidence: jsonb('evidence').notNull(),
  status: text('status').notNull(),
  delta: text('delta').notNull(),
  firstSeenAt: instant('first_seen_at').notNull(),
  lastSeenAt: instant('last_seen_at').notNull(),
  resolvedAt: instant('resolved_at'),
  resolvedReason: text('resolved_reason'),
});

export const mutes = pgTable('mutes', {
  tenantId: uuid('tenant_id').notNull(),
  id: uuid('id').notNull(),
  fingerprint: bytea('fingerprint'),
  ruleId: text('rule_id'),
  asset: text('asset'),
  assetPattern: text('asset_pattern'),
  projectId: uuid('project_id'),
  labelKey: text('label_key'),
  labelValue: text('label_value'),
  lookup: text('lookup').notNull(),
  reason: text('reason').notNull(),
  expiresAt: instant('expires_at').notNull(),
});

export const customRules = pgTable('custom_rules', {
  tenantId: uuid('tenant_id').notNull(),
  id: text('id').notNull(),
  recommendation: text('recommendation').notNull(),
});
