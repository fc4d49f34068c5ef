// sdk/src/schemas/index.ts
import { createClient as createPlainClient } from "@cspm/sdk";

// sdk/src/schemas/answers.gen.ts
import { z as z3 } from "zod";

// sdk/src/schemas/made.ts
import { z } from "zod";
function made(make) {
  return make();
}
function page(item) {
  return z.looseObject({ items: z.array(item), nextCursor: z.string().nullable() });
}
function exactlyOne(object, names) {
  return object.refine(
    (value) => names.filter((name) => Reflect.get(Object(value), name) !== void 0).length === 1,
    { error: `must have exactly one of ${names.join(", ")}` }
  );
}

// sdk/src/schemas/schemas.gen.ts
import { z as z2 } from "zod";
var TokensSchema = /* @__PURE__ */ made(() => z2.looseObject({ accessToken: z2.string(), refreshToken: z2.string(), tokenType: z2.literal("Bearer"), expiresIn: z2.int() }));
var AcceptedSchema = /* @__PURE__ */ made(() => z2.looseObject({ message: z2.string() }));
var SignInMethodsSchema = /* @__PURE__ */ made(() => z2.looseObject({ password: z2.literal(true), registration: z2.boolean(), google: z2.boolean(), saml: z2.boolean() }));
var IdentitySchema = /* @__PURE__ */ made(() => z2.looseObject({ user: z2.looseObject({ id: z2.uuid(), email: z2.string(), name: z2.string().nullable(), emailVerified: z2.boolean(), twoFactorEnabled: z2.boolean() }).nullable(), tenant: z2.looseObject({ id: z2.uuid(), name: z2.string(), features: z2.array(z2.enum(["sso", "custom_rules", "audit_export"])) }), role: z2.string(), permissions: z2.array(z2.enum(["scans.read", "scans.launch", "scans.cancel", "preflight.run", "projects.read", "projects.write", "findings.read", "findings.mute", "rules.read", "rules.write", "keys.own", "admin.users", "admin.settings", "admin.audit"])), credential: z2.looseObject({ kind: z2.enum(["jwt", "api_key", "global_api_key", "master_key"]), mfa: z2.boolean(), expiresAt: z2.iso.datetime().nullable() }), memberships: z2.array(z2.looseObject({ tenantId: z2.uuid(), tenantName: z2.string(), role: z2.string() })) }));
var TwoFactorSetupSchema = /* @__PURE__ */ made(() => z2.looseObject({ secret: z2.string(), otpauthUri: z2.string() }));
var RecoveryCodesSchema = /* @__PURE__ */ made(() => z2.looseObject({ recoveryCodes: z2.array(z2.string()) }));
var SessionSchema = /* @__PURE__ */ made(() => z2.looseObject({ id: z2.uuid(), tenantId: z2.uuid(), current: z2.boolean(), mfa: z2.boolean(), createdAt: z2.iso.datetime(), lastUsedAt: z2.iso.datetime(), expiresAt: z2.iso.datetime() }));
var ApiKeySchema = /* @__PURE__ */ made(() => z2.looseObject({ id: z2.uuid(), name: z2.string(), prefix: z2.string(), userId: z2.uuid(), createdAt: z2.iso.datetime(), expiresAt: z2.iso.datetime().nullable(), lastUsedAt: z2.iso.datetime().nullable() }));
var NewApiKeySchema = /* @__PURE__ */ made(() => z2.looseObject({ id: z2.uuid(), name: z2.string(), prefix: z2.string(), createdAt: z2.iso.datetime(), expiresAt: z2.iso.datetime().nullable(), key: z2.string() }));
var UserSchema = /* @__PURE__ */ made(() => z2.looseObject({ id: z2.uuid(), email: z2.string(), name: z2.string().nullable(), role: z2.string(), status: z2.enum(["invited", "active", "disabled"]), twoFactorEnabled: z2.boolean(), lastLoginAt: z2.iso.datetime().nullable(), createdAt: z2.iso.datetime() }));
var RoleSchema = /* @__PURE__ */ made(() => z2.looseObject({ name: z2.string().regex(/^[a-z][a-z0-9._-]{0,62}$/), permissions: z2.array(z2.enum(["scans.read", "scans.launch", "scans.cancel", "preflight.run", "projects.read", "projects.write", "findings.read", "findings.mute", "rules.read", "rules.write", "keys.own", "admin.users", "admin.settings", "admin.audit"])), builtIn: z2.boolean() }));
var TenantSettingsSchema = /* @__PURE__ */ made(() => z2.looseObject({ inventoryMaxAgeHours: z2.int().min(1).max(8760), muteDefaultDays: z2.int().min(1).max(3650), allowedDomains: z2.array(z2.string().max(253).regex(/^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/)).max(100) }));
var TenantSchema = /* @__PURE__ */ made(() => z2.looseObject({ id: z2.uuid(), name: z2.string(), features: z2.array(z2.enum(["sso", "custom_rules", "audit_export"])), settings: TenantSettingsSchema, googlePrincipalPrefix: z2.string() }));
var SamlSettingsSchema = /* @__PURE__ */ made(() => z2.looseObject({ id: z2.uuid(), entityId: z2.string().max(1024).regex(/^[^\0\p{Cs}]*$/u).min(1), ssoUrl: z2.string().max(2048).regex(/^[^\0\p{Cs}]*$/u).min(1), certificates: z2.array(z2.string()), emailDomains: z2.array(z2.string().max(253).regex(/^([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/)).min(1).max(50), defaultRole: z2.string().regex(/^[a-z][a-z0-9._-]{0,62}$/), createdAt: z2.iso.datetime(), serviceProvider: z2.looseObject({ entityId: z2.string(), acsUrl: z2.string(), metadataUrl: z2.string(), loginUrl: z2.string() }) }));
var SamlDiscoverySchema = /* @__PURE__ */ made(() => z2.looseObject({ loginUrl: z2.string().nullable() }));
var DomainSchema = /* @__PURE__ */ made(() => z2.looseObject({ domain: z2.string(), status: z2.enum(["pending", "verified"]), record: z2.looseObject({ type: z2.literal("TXT"), name: z2.string(), value: z2.string() }), createdAt: z2.iso.datetime(), verifiedAt: z2.iso.datetime().nullable() }));
var AuditEventSchema = /* @__PURE__ */ made(() => z2.looseObject({ id: z2.uuid(), at: z2.iso.datetime(), action: z2.string(), outcome: z2.enum(["success", "failure"]), actor: z2.looseObject({ kind: z2.string(), id: z2.uuid().nullable(), label: z2.string().nullable() }), tenantId: z2.uuid(), targetTenantId: z2.uuid().nullable(), ip: z2.string(), correlationId: z2.string(), subject: z2.string().nullable(), detail: z2.record(z2.string(), z2.json()) }));
var ProjectSchema = /* @__PURE__ */ made(() => z2.looseObject({ id: z2.uuid(), name: z2.string().regex(/^[a-z0-9][a-z0-9._-]{0,62}$/), description: z2.string().nullable(), inventory: z2.looseObject({ id: z2.uuid(), assets: z2.int(), createdAt: z2.iso.datetime() }).nullable(), hasSource: z2.boolean(), createdAt: z2.iso.datetime() }));
var InventorySchema = /* @__PURE__ */ made(() => z2.looseObject({ id: z2.uuid(), assets: z2.int(), assetTypes: z2.array(z2.looseObject({ type: z2.string(), count: z2.int() })), locations: z2.array(z2.looseObject({ location: z2.string(), count: z2.int() })), bytes: z2.int(), warnings: z2.array(z2.looseObject({ line: z2.int(), message: z2.string() })), truncated: z2.boolean(), createdAt: z2.iso.datetime() }));
var SeveritySchema = /* @__PURE__ */ made(() => z2.enum(["critical", "high", "medium", "low", "info"]));
var AssetSchema = /* @__PURE__ */ made(() => z2.looseObject({ name: z2.string(), type: z2.string(), location: z2.string().nullable(), openFindings: z2.int(), worstSeverity: SeveritySchema.nullable() }));
var ComplianceSchema = /* @__PURE__ */ made(() => z2.looseObject({ framework: z2.string(), id: z2.string() }));
var FindingSchema = /* @__PURE__ */ made(() => z2.looseObject({ id: z2.uuid(), fingerprint: z2.string(), ruleId: z2.string(), title: z2.string(), severity: SeveritySchema, status: z2.enum(["open", "resolved"]), delta: z2.enum(["new", "unchanged", "reopened", "resolved"]), project: z2.string().regex(/^[a-z0-9][a-z0-9._-]{0,62}$/), asset: z2.looseObject({ name: z2.string(), type: z2.string() }), subject: z2.string(), message: z2.string(), evidence: z2.array(z2.looseObject({ path: z2.string(), value: z2.json() })), remediation: z2.string(), compliance: z2.array(ComplianceSchema), firstSeenAt: z2.iso.datetime(), lastSeenAt: z2.iso.datetime(), resolvedAt: z2.iso.datetime().nullable(), resolvedReason: z2.enum(["fixed", "asset_gone", "rule_retired"]).nullable(), muted: z2.looseObject({ reason: z2.string(), expiresAt: z2.iso.datetime() }).nullable() }));
var AssetVerdictSchema = /* @__PURE__ */ made(() => z2.looseObject({ ruleId: z2.string(), title: z2.string(), severity: SeveritySchema.nullable(), verdict: z2.enum(["pass", "fail", "unknown", "na"]), missing: z2.string().nullable() }));
var AssetDetailsSchema = /* @__PURE__ */ made(() => z2.looseObject({ name: z2.string(), type: z2.string(), location: z2.string().nullable(), inventory: z2.looseObject({ id: z2.uuid(), createdAt: z2.iso.datetime() }), asset: z2.record(z2.string(), z2.json()).nullable(), findings: z2.array(FindingSchema), scan: z2.looseObject({ id: z2.uuid(), createdAt: z2.iso.datetime() }).nullable(), verdicts: z2.array(AssetVerdictSchema).nullable() }));
var ProjectSourceSchema = /* @__PURE__ */ made(() => z2.looseObject({ kind: z2.literal("google-cloud"), parent: z2.string().max(200).regex(/^[^\0\p{Cs}]*$/u).min(1), credentialType: z2.enum(["service_account_key", "impersonation"]), principal: z2.string(), createdBy: z2.looseObject({ kind: z2.string(), id: z2.uuid().nullable(), label: z2.string() }), createdAt: z2.iso.datetime(), lastPull: z2.looseObject({ id: z2.uuid(), at: z2.iso.datetime(), status: z2.enum(["queued", "running", "completed", "partial", "failed"]), assets: z2.int().nullable(), problem: z2.string().nullable() }).nullable() }));
var SourceCheckSchema = /* @__PURE__ */ made(() => z2.looseObject({ ok: z2.boolean(), checks: z2.array(z2.looseObject({ name: z2.string(), ok: z2.boolean(), detail: z2.string(), remedy: z2.string() })) }));
var PullSchema = /* @__PURE__ */ made(() => z2.looseObject({ id: z2.uuid(), status: z2.enum(["queued", "running", "completed", "partial", "failed"]), parent: z2.string().max(200).regex(/^[^\0\p{Cs}]*$/u).min(1), pages: z2.int(), records: z2.int(), assets: z2.int().nullable(), seconds: z2.number().nullable(), readTime: z2.iso.datetime().nullable(), missing: z2.array(z2.looseObject({ contentType: z2.enum(["RESOURCE", "IAM_POLICY", "ORG_POLICY"]), permission: z2.string(), remedy: z2.string() })), problem: z2.string().nullable(), problemCode: z2.string().nullable(), inventoryId: z2.uuid().nullable(), createdBy: z2.looseObject({ kind: z2.string(), id: z2.uuid().nullable(), label: z2.string() }), createdAt: z2.iso.datetime(), startedAt: z2.iso.datetime().nullable(), finishedAt: z2.iso.datetime().nullable() }));
var PreflightCheckSchema = /* @__PURE__ */ made(() => z2.looseObject({ id: z2.enum(["profile.known", "project.known", "project.duplicate", "source.attached", "source.parseable", "source.scope", "source.freshness", "coverage.types", "coverage.iam", "estimate", "permission", "quota.scans", "rate.remaining", "conflict.active", "mutes.expiring", "baseline"]), status: z2.enum(["pass", "warn", "fail", "skip"]), code: z2.string(), message: z2.string(), remediation: z2.string() }));
var PreflightSchema = /* @__PURE__ */ made(() => z2.looseObject({ decision: z2.enum(["ready", "ready_with_warnings", "blocked"]), profile: z2.looseObject({ name: z2.string(), digest: z2.string().nullable(), ruleCount: z2.int() }), projects: z2.array(z2.looseObject({ name: z2.string(), checks: z2.array(PreflightCheckSchema) })), estimate: z2.looseObject({ assets: z2.int(), evaluations: z2.int(), seconds: z2.number() }), limits: z2.looseObject({ projectsPerScan: z2.int(), launchesPerMinute: z2.int() }), expiresAt: z2.iso.datetime() }));
var ScanSchema = /* @__PURE__ */ made(() => z2.looseObject({ id: z2.uuid(), status: z2.enum(["queued", "running", "completed", "partial", "failed", "cancelled"]), profile: z2.string(), profileDigest: z2.string(), projects: z2.array(z2.looseObject({ name: z2.string().regex(/^[a-z0-9][a-z0-9._-]{0,62}$/), status: z2.enum(["queued", "running", "completed", "failed", "cancelled"]), assets: z2.int(), evaluations: z2.int(), findings: z2.int(), error: z2.string().nullable(), inventoryId: z2.uuid().nullable() })), totals: z2.looseObject({ assets: z2.int(), evaluations: z2.int(), pass: z2.int(), fail: z2.int(), unknown: z2.int(), bySeverity: z2.looseObject({ critical: z2.int(), high: z2.int(), medium: z2.int(), low: z2.int(), info: z2.int() }) }), delta: z2.looseObject({ new: z2.int(), resolved: z2.int(), reopened: z2.int(), unchanged: z2.int() }), coverage: z2.looseObject({ rules: z2.int(), decided: z2.int(), undecided: z2.int(), unmet: z2.int() }).nullable(), createdBy: z2.looseObject({ kind: z2.string(), id: z2.uuid().nullable(), label: z2.string() }), scheduleId: z2.uuid().nullable(), createdAt: z2.iso.datetime(), startedAt: z2.iso.datetime().nullable(), finishedAt: z2.iso.datetime().nullable() }));
var RuleCountSchema = /* @__PURE__ */ made(() => z2.looseObject({ ruleId: z2.string(), pass: z2.int(), fail: z2.int(), na: z2.int(), unknown: z2.int(), missing: z2.array(z2.string()) }));
var ComplianceReportSchema = /* @__PURE__ */ made(() => z2.looseObject({ framework: z2.enum(["cis-gcp-2.0", "cis-gcp-4.0", "cis-gcp-5.0"]), scan: z2.uuid(), summary: z2.looseObject({ pass: z2.int(), fail: z2.int(), unknown: z2.int(), na: z2.int(), manual: z2.int() }), requirements: z2.array(z2.looseObject({ id: z2.string(), title: z2.string(), section: z2.string(), assessment: z2.enum(["automated", "manual"]), status: z2.enum(["pass", "fail", "unknown", "na", "manual"]), rules: z2.array(RuleCountSchema) })) }));
var ComparedFindingSchema = /* @__PURE__ */ made(() => z2.looseObject({ change: z2.enum(["new", "resolved", "reopened", "unchanged"]), finding: z2.looseObject({ id: z2.uuid(), fingerprint: z2.string(), ruleId: z2.string(), title: z2.string(), severity: SeveritySchema, status: z2.enum(["open", "resolved"]), delta: z2.enum(["new", "unchanged", "reopened", "resolved"]), project: z2.string().regex(/^[a-z0-9][a-z0-9._-]{0,62}$/), asset: z2.looseObject({ name: z2.string(), type: z2.string() }), subject: z2.string(), message: z2.string(), evidence: z2.array(z2.looseObject({ path: z2.string(), value: z2.json() })), remediation: z2.string(), compliance: z2.array(ComplianceSchema), firstSeenAt: z2.iso.datetime(), lastSeenAt: z2.iso.datetime(), resolvedAt: z2.iso.datetime().nullable(), resolvedReason: z2.enum(["fixed", "asset_gone", "rule_retired"]).nullable(), muted: z2.looseObject({ reason: z2.string(), expiresAt: z2.iso.datetime() }).nullable() }) }));
var ScanComparisonSchema = /* @__PURE__ */ made(() => z2.looseObject({ scan: z2.looseObject({ id: z2.uuid(), profile: z2.string(), createdAt: z2.iso.datetime() }), with: z2.looseObject({ id: z2.uuid(), profile: z2.string(), createdAt: z2.iso.datetime() }), projects: z2.array(z2.string().regex(/^[a-z0-9][a-z0-9._-]{0,62}$/)), ruleSetChanged: z2.boolean(), counts: z2.looseObject({ new: z2.looseObject({ total: z2.int(), bySeverity: z2.looseObject({ critical: z2.int(), high: z2.int(), medium: z2.int(), low: z2.int(), info: z2.int() }) }), resolved: z2.looseObject({ total: z2.int(), bySeverity: z2.looseObject({ critical: z2.int(), high: z2.int(), medium: z2.int(), low: z2.int(), info: z2.int() }) }), reopened: z2.looseObject({ total: z2.int(), bySeverity: z2.looseObject({ critical: z2.int(), high: z2.int(), medium: z2.int(), low: z2.int(), info: z2.int() }) }), unchanged: z2.looseObject({ total: z2.int(), bySeverity: z2.looseObject({ critical: z2.int(), high: z2.int(), medium: z2.int(), low: z2.int(), info: z2.int() }) }) }).nullable(), items: z2.array(ComparedFindingSchema), nextCursor: z2.string().nullable() }));
var ScheduleSchema = /* @__PURE__ */ made(() => z2.looseObject({ id: z2.uuid(), name: z2.string().max(100).regex(/^[^\0\p{Cs}]*$/u).min(1), projects: z2.array(z2.string().max(63).regex(/^[^\0\p{Cs}]*$/u).min(1)).min(1).max(100), profile: z2.string().max(100).regex(/^[^\0\p{Cs}]*$/u).min(1), cron: z2.string().max(100).regex(/^[0-9A-Za-z*,/?#+-]+( [0-9A-Za-z*,/?#+-]+){4}$/), timezone: z2.string().max(64).regex(/^[A-Za-z][A-Za-z0-9_+/-]*$/), pullFirst: z2.boolean(), enabled: z2.boolean(), nextRunAt: z2.iso.datetime().nullable(), lastRun: z2.looseObject({ at: z2.iso.datetime(), scanId: z2.uuid().nullable(), status: z2.enum(["queued", "running", "completed", "partial", "failed", "cancelled", "blocked", "deleted"]), problem: z2.string().nullable() }).nullable(), disabledReason: z2.looseObject({ code: z2.enum(["CREATOR_REMOVED", "CREATOR_DISABLED", "CREATOR_NOT_PERMITTED"]), message: z2.string(), at: z2.iso.datetime() }).nullable(), createdBy: z2.looseObject({ id: z2.uuid(), label: z2.string() }), createdAt: z2.iso.datetime() }));
var WebhookSchema = /* @__PURE__ */ made(() => z2.looseObject({ id: z2.uuid(), url: z2.string(), events: z2.array(z2.enum(["scan.completed", "scan.failed", "findings.opened", "findings.resolved", "schedule.disabled", "source.failed", "api_key.created", "break_glass.used", "sign_in.locked"])), description: z2.string().max(200).regex(/^[^\0\p{Cs}]*$/u), format: z2.enum(["standard", "slack"]), enabled: z2.boolean(), failingSince: z2.iso.datetime().nullable(), disabledReason: z2.looseObject({ code: z2.enum(["GONE", "FAILING"]), message: z2.string(), at: z2.iso.datetime() }).nullable(), previousSecretUntil: z2.iso.datetime().nullable(), createdAt: z2.iso.datetime() }));
var NewWebhookSchema = /* @__PURE__ */ made(() => z2.looseObject({ id: z2.uuid(), url: z2.string(), events: z2.array(z2.enum(["scan.completed", "scan.failed", "findings.opened", "findings.resolved", "schedule.disabled", "source.failed", "api_key.created", "break_glass.used", "sign_in.locked"])), description: z2.string().max(200).regex(/^[^\0\p{Cs}]*$/u), format: z2.enum(["standard", "slack"]), enabled: z2.boolean(), failingSince: z2.iso.datetime().nullable(), disabledReason: z2.looseObject({ code: z2.enum(["GONE", "FAILING"]), message: z2.string(), at: z2.iso.datetime() }).nullable(), previousSecretUntil: z2.iso.datetime().nullable(), createdAt: z2.iso.datetime(), secret: z2.string() }));
var WebhookSecretSchema = /* @__PURE__ */ made(() => z2.looseObject({ secret: z2.string(), previousSecretUntil: z2.iso.datetime() }));
var WebhookDeliverySchema = /* @__PURE__ */ made(() => z2.looseObject({ id: z2.uuid(), messageId: z2.string(), type: z2.enum(["scan.completed", "scan.failed", "findings.opened", "findings.resolved", "schedule.disabled", "source.failed", "api_key.created", "break_glass.used", "sign_in.locked", "webhook.test"]), status: z2.enum(["pending", "delivered", "failed"]), createdAt: z2.iso.datetime(), nextAttemptAt: z2.iso.datetime().nullable(), attempts: z2.array(z2.looseObject({ at: z2.iso.datetime(), status: z2.int().nullable(), milliseconds: z2.int(), problem: z2.string().nullable() })), payload: z2.record(z2.string(), z2.json()) }));
var FindingSummarySchema = /* @__PURE__ */ made(() => z2.looseObject({ total: z2.looseObject({ open: z2.int(), resolved: z2.int(), muted: z2.int() }), bySeverity: z2.looseObject({ critical: z2.looseObject({ open: z2.int(), resolved: z2.int(), muted: z2.int() }), high: z2.looseObject({ open: z2.int(), resolved: z2.int(), muted: z2.int() }), medium: z2.looseObject({ open: z2.int(), resolved: z2.int(), muted: z2.int() }), low: z2.looseObject({ open: z2.int(), resolved: z2.int(), muted: z2.int() }), info: z2.looseObject({ open: z2.int(), resolved: z2.int(), muted: z2.int() }) }), byProject: z2.array(z2.looseObject({ project: z2.string().regex(/^[a-z0-9][a-z0-9._-]{0,62}$/), open: z2.int(), resolved: z2.int(), muted: z2.int() })), byRule: z2.array(z2.looseObject({ ruleId: z2.string(), severity: SeveritySchema, open: z2.int(), resolved: z2.int(), muted: z2.int() })), facets: z2.looseObject({ severity: z2.array(z2.looseObject({ value: z2.string(), count: z2.int() })), status: z2.array(z2.looseObject({ value: z2.string(), count: z2.int() })), project: z2.array(z2.looseObject({ value: z2.string(), count: z2.int() })), rule: z2.array(z2.looseObject({ value: z2.string(), count: z2.int() })), category: z2.array(z2.looseObject({ value: z2.string(), count: z2.int() })), assetType: z2.array(z2.looseObject({ value: z2.string(), count: z2.int() })), framework: z2.array(z2.looseObject({ value: z2.string(), count: z2.int() })), delta: z2.array(z2.looseObject({ value: z2.string(), count: z2.int() })), muted: z2.array(z2.looseObject({ value: z2.string(), count: z2.int() })) }) }));
var FindingGroupSchema = /* @__PURE__ */ made(() => z2.looseObject({ key: z2.string(), title: z2.string(), severity: z2.enum(["critical", "high", "medium", "low", "info"]), open: z2.int(), resolved: z2.int(), muted: z2.int(), lastSeenAt: z2.iso.datetime(), projects: z2.int() }));
var FixSchema = /* @__PURE__ */ made(() => z2.looseObject({ patch: z2.array(z2.looseObject({ op: z2.enum(["add", "replace", "remove", "test"]), path: z2.string(), value: z2.json().optional() })), gcloud: z2.string(), terraform: z2.array(z2.looseObject({ resource: z2.string(), match: z2.string().nullable(), attribute: z2.string(), value: z2.string().nullable() })), caution: z2.string().nullable(), verified: z2.literal(true) }));
var FindingWithFixSchema = /* @__PURE__ */ made(() => z2.looseObject({ id: z2.uuid(), fingerprint: z2.string(), ruleId: z2.string(), title: z2.string(), severity: SeveritySchema, status: z2.enum(["open", "resolved"]), delta: z2.enum(["new", "unchanged", "reopened", "resolved"]), project: z2.string().regex(/^[a-z0-9][a-z0-9._-]{0,62}$/), asset: z2.looseObject({ name: z2.string(), type: z2.string() }), subject: z2.string(), message: z2.string(), evidence: z2.array(z2.looseObject({ path: z2.string(), value: z2.json() })), remediation: z2.string(), compliance: z2.array(ComplianceSchema), firstSeenAt: z2.iso.datetime(), lastSeenAt: z2.iso.datetime(), resolvedAt: z2.iso.datetime().nullable(), resolvedReason: z2.enum(["fixed", "asset_gone", "rule_retired"]).nullable(), muted: z2.looseObject({ reason: z2.string(), expiresAt: z2.iso.datetime() }).nullable(), fix: FixSchema.nullable(), noFix: z2.string().nullable() }));
var MuteSelectorSchema = /* @__PURE__ */ made(() => z2.looseObject({ ruleId: z2.string().max(100).regex(/^[^\0\p{Cs}]*$/u).min(1).optional(), asset: z2.string().max(500).regex(/^[^\0\p{Cs}]*$/u).min(1).optional(), project: z2.string().regex(/^[a-z0-9][a-z0-9._-]{0,62}$/).optional(), label: z2.string().max(200).regex(/^[^\0\p{Cs}]*$/u).min(1).regex(/^[^=]{1,63}(=.{0,63})?$/).optional() }));
var MuteSchema = /* @__PURE__ */ made(() => z2.looseObject({ id: z2.uuid(), fingerprint: z2.string().regex(/^[0-9a-f]{64}$/).nullable(), finding: z2.looseObject({ id: z2.uuid(), ruleId: z2.string(), title: z2.string(), severity: SeveritySchema, status: z2.enum(["open", "resolved"]), project: z2.string().regex(/^[a-z0-9][a-z0-9._-]{0,62}$/), asset: z2.looseObject({ name: z2.string(), type: z2.string() }) }).nullable(), selector: MuteSelectorSchema.nullable(), reason: z2.string(), expiresAt: z2.iso.datetime(), createdBy: z2.looseObject({ id: z2.uuid().nullable(), label: z2.string() }), createdAt: z2.iso.datetime() }));
var BulkMuteSchema = /* @__PURE__ */ made(() => z2.looseObject({ matched: z2.int(), muted: z2.int(), unchanged: z2.int(), mutes: z2.array(z2.uuid()), expiresAt: z2.iso.datetime() }));
var PostureSummarySchema = /* @__PURE__ */ made(() => z2.looseObject({ open: z2.looseObject({ critical: z2.int(), high: z2.int(), medium: z2.int(), low: z2.int(), info: z2.int() }), score: z2.number().nullable(), coverage: z2.looseObject({ decided: z2.int(), unknown: z2.int(), percent: z2.number().nullable() }), change7Days: z2.looseObject({ score: z2.number().nullable(), open: z2.looseObject({ critical: z2.int(), high: z2.int(), medium: z2.int(), low: z2.int(), info: z2.int() }) }).nullable(), change30Days: z2.looseObject({ score: z2.number().nullable(), open: z2.looseObject({ critical: z2.int(), high: z2.int(), medium: z2.int(), low: z2.int(), info: z2.int() }) }).nullable(), meanSecondsToResolve: z2.looseObject({ critical: z2.number().nullable(), high: z2.number().nullable(), medium: z2.number().nullable(), low: z2.number().nullable(), info: z2.number().nullable() }), projectCount: z2.int(), projects: z2.array(z2.looseObject({ project: z2.string().regex(/^[a-z0-9][a-z0-9._-]{0,62}$/), open: z2.looseObject({ critical: z2.int(), high: z2.int(), medium: z2.int(), low: z2.int(), info: z2.int() }), score: z2.number().nullable(), coverage: z2.looseObject({ decided: z2.int(), unknown: z2.int(), percent: z2.number().nullable() }), scan: z2.uuid(), scannedAt: z2.iso.datetime() })), newestScans: z2.array(z2.looseObject({ id: z2.uuid(), status: z2.enum(["queued", "running", "completed", "partial", "failed", "cancelled"]), profile: z2.string(), projectCount: z2.int(), createdAt: z2.iso.datetime(), finishedAt: z2.iso.datetime().nullable() })), oldestCritical: z2.array(z2.looseObject({ id: z2.uuid(), ruleId: z2.string(), title: z2.string(), project: z2.string().regex(/^[a-z0-9][a-z0-9._-]{0,62}$/), asset: z2.string(), firstSeenAt: z2.iso.datetime() })), topRules: z2.array(z2.looseObject({ ruleId: z2.string(), title: z2.string(), severity: SeveritySchema, failing: z2.int() })), compliance: z2.array(z2.looseObject({ framework: z2.enum(["cis-gcp-2.0", "cis-gcp-4.0", "cis-gcp-5.0"]), pass: z2.int(), fail: z2.int(), unknown: z2.int(), na: z2.int(), manual: z2.int() })) }));
var PostureIntervalSchema = /* @__PURE__ */ made(() => z2.enum(["day", "week"]));
var PostureTrendSchema = /* @__PURE__ */ made(() => z2.looseObject({ project: z2.string().regex(/^[a-z0-9][a-z0-9._-]{0,62}$/).nullable(), from: z2.iso.date(), to: z2.iso.date(), interval: PostureIntervalSchema, points: z2.array(z2.looseObject({ date: z2.iso.date(), open: z2.looseObject({ critical: z2.int(), high: z2.int(), medium: z2.int(), low: z2.int(), info: z2.int() }), opened: z2.int(), resolved: z2.int(), score: z2.number().nullable(), coverage: z2.looseObject({ decided: z2.int(), unknown: z2.int(), percent: z2.number().nullable() }) })) }));
var ViewSchema = /* @__PURE__ */ made(() => z2.looseObject({ id: z2.uuid(), name: z2.string().max(100).regex(/^[^\0\p{Cs}]*$/u).min(1), query: z2.string().max(2e3).regex(/^([\w\-.~!$&'()*+,;=:@/?[\]]|%[0-9A-Fa-f]{2})*$/), shared: z2.boolean(), createdBy: z2.looseObject({ id: z2.uuid(), label: z2.string() }), createdAt: z2.iso.datetime() }));
var NotificationsSchema = /* @__PURE__ */ made(() => z2.looseObject({ digest: z2.enum(["off", "immediate", "daily", "weekly"]) }));
var RuleSchema = /* @__PURE__ */ made(() => z2.looseObject({ id: z2.string(), version: z2.int(), title: z2.string(), severity: SeveritySchema, category: z2.string(), assetTypes: z2.array(z2.string()), needs: z2.array(z2.string()), description: z2.string(), remediation: z2.string(), noFix: z2.string().nullable(), compliance: z2.array(ComplianceSchema), parameters: z2.record(z2.string(), z2.json()) }));
var CustomRuleSchema = /* @__PURE__ */ made(() => z2.looseObject({ id: z2.string().regex(/^[a-z0-9][a-z0-9._-]{0,62}$/), version: z2.int(), title: z2.string(), description: z2.string(), severity: SeveritySchema, assetTypes: z2.array(z2.string()), predicate: z2.string(), recommendation: z2.string(), enabled: z2.boolean(), tests: z2.array(z2.looseObject({ asset: z2.record(z2.string(), z2.json()), verdict: z2.enum(["pass", "fail", "unknown"]) })), createdAt: z2.iso.datetime(), updatedAt: z2.iso.datetime() }));
var RuleTrialSchema = /* @__PURE__ */ made(() => z2.looseObject({ verdicts: z2.array(z2.looseObject({ asset: z2.looseObject({ name: z2.string(), type: z2.string() }), verdict: z2.enum(["pass", "fail", "unknown"]), expected: z2.enum(["pass", "fail", "unknown"]).nullable(), message: z2.string() })), errors: z2.array(z2.looseObject({ path: z2.string(), message: z2.string() })), evaluated: z2.int(), complete: z2.boolean() }));
var AssetFieldsSchema = /* @__PURE__ */ made(() => z2.looseObject({ fields: z2.array(z2.looseObject({ path: z2.array(z2.string()), kinds: z2.array(z2.enum(["string", "number", "boolean", "null", "object", "list"])), assets: z2.int() })), sampled: z2.int(), complete: z2.boolean() }));
var ProfileSchema = /* @__PURE__ */ made(() => z2.looseObject({ name: z2.string(), aliasOf: z2.string().nullable(), title: z2.string(), description: z2.string(), digest: z2.string(), ruleCount: z2.int(), rules: z2.array(z2.string()), definition: z2.looseObject({ include: z2.array(z2.string()), exclude: z2.array(z2.string()), parameters: z2.record(z2.string(), z2.record(z2.string(), z2.json())) }).nullable() }));
var HealthSchema = /* @__PURE__ */ made(() => z2.looseObject({ status: z2.enum(["ok"]), checks: z2.record(z2.string(), z2.enum(["ok", "failing"])) }));
var ProblemPageSchema = /* @__PURE__ */ made(() => z2.looseObject({ code: z2.enum(["VALIDATION_FAILED", "INVALID_TOKEN", "TENANT_REQUIRED", "BREAK_GLASS_REASON_REQUIRED", "UNAUTHORIZED", "INVALID_CREDENTIALS", "TOTP_REQUIRED", "INVALID_CODE", "REGISTRATION_CLOSED", "SIGN_IN_CANCELLED", "FORBIDDEN", "CREDENTIAL_NOT_ALLOWED", "CROSS_SITE_REQUEST", "REAUTH_REQUIRED", "CONFIRMATION_REQUIRED", "MFA_REQUIRED", "FEATURE_NOT_LICENSED", "NOT_FOUND", "METHOD_NOT_ALLOWED", "REQUEST_TIMEOUT", "CONFLICT", "SCAN_NOT_COMPLETED", "IDEMPOTENCY_KEY_IN_USE", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE", "IDEMPOTENCY_KEY_MISMATCH", "PREFLIGHT_BLOCKED", "SCANS_NOT_COMPARABLE", "DOMAIN_NOT_VERIFIED", "SOURCE_REFUSED", "RATE_LIMITED", "INTERNAL", "AUTH_UNAVAILABLE", "SERVICE_UNAVAILABLE"]), type: z2.string(), status: z2.int(), title: z2.string(), help: z2.string() }));
var AuthLoginBodySchema = /* @__PURE__ */ made(() => z2.strictObject({ email: z2.email().max(254), password: z2.string().max(512).regex(/^[^\0\p{Cs}]*$/u).min(1), totp: z2.string().regex(/^[0-9]{6}$/).optional(), recoveryCode: z2.string().max(512).regex(/^[^\0\p{Cs}]*$/u).min(1).optional(), tenantId: z2.uuid().optional() }));
var AuthRefreshBodySchema = /* @__PURE__ */ made(() => z2.strictObject({ refreshToken: z2.string().max(512).regex(/^[^\0\p{Cs}]*$/u).min(1).optional() }));
var AuthLogoutBodySchema = /* @__PURE__ */ made(() => z2.strictObject({ refreshToken: z2.string().max(512).regex(/^[^\0\p{Cs}]*$/u).min(1).optional() }));
var AuthRegisterBodySchema = /* @__PURE__ */ made(() => z2.strictObject({ email: z2.email().max(254), password: z2.string().max(72).regex(/^[^\0\p{Cs}]*$/u).min(1).min(12), name: z2.string().min(1).max(100).regex(/^([^\p{Cs}\p{Cc}\p{Cf}]|[\u200c\u200d])*$/u).optional(), tenantName: z2.string().min(1).max(100).regex(/^([^\p{Cs}\p{Cc}\p{Cf}]|[\u200c\u200d])*$/u) }));
var AuthVerifyEmailBodySchema = /* @__PURE__ */ made(() => z2.strictObject({ token: z2.string().max(512).regex(/^[^\0\p{Cs}]*$/u).min(1) }));
var AuthResendVerificationBodySchema = /* @__PURE__ */ made(() => z2.strictObject({ email: z2.email().max(254) }));
var AuthForgotPasswordBodySchema = /* @__PURE__ */ made(() => z2.strictObject({ email: z2.email().max(254) }));
var AuthResetPasswordBodySchema = /* @__PURE__ */ made(() => z2.strictObject({ token: z2.string().max(512).regex(/^[^\0\p{Cs}]*$/u).min(1), password: z2.string().max(72).regex(/^[^\0\p{Cs}]*$/u).min(1).min(12) }));
var AuthAcceptInviteBodySchema = /* @__PURE__ */ made(() => z2.strictObject({ token: z2.string().max(512).regex(/^[^\0\p{Cs}]*$/u).min(1) }));
var AuthChangePasswordBodySchema = /* @__PURE__ */ made(() => z2.strictObject({ currentPassword: z2.string().max(512).regex(/^[^\0\p{Cs}]*$/u).min(1), newPassword: z2.string().max(72).regex(/^[^\0\p{Cs}]*$/u).min(1).min(12) }));
var AuthGoogleBodySchema = /* @__PURE__ */ made(() => z2.strictObject({ credential: z2.string().max(8192).regex(/^[^\0\p{Cs}]*$/u).min(1), nonce: z2.string().regex(/^[\x21-\x7e]{16,256}$/).optional() }));
var AuthExchangeBodySchema = /* @__PURE__ */ made(() => z2.strictObject({ code: z2.string().max(512).regex(/^[^\0\p{Cs}]*$/u).min(1) }));
var AuthConfirmBodySchema = /* @__PURE__ */ made(() => exactlyOne(z2.strictObject({ token: z2.string().max(512).regex(/^[^\0\p{Cs}]*$/u).min(1), password: z2.string().max(512).regex(/^[^\0\p{Cs}]*$/u).min(1).optional(), code: z2.string().regex(/^([0-9]{6}|[0-9A-Za-z]{6}(-?[0-9A-Za-z]{6}){3})$/).optional(), mailToken: z2.string().max(512).regex(/^[^\0\p{Cs}]*$/u).min(1).optional() }), ["password", "code", "mailToken"]));
var AuthConfirmMailBodySchema = /* @__PURE__ */ made(() => z2.strictObject({ token: z2.string().max(512).regex(/^[^\0\p{Cs}]*$/u).min(1) }));
var TwoFactorSetupBodySchema = /* @__PURE__ */ made(() => z2.strictObject({ password: z2.string().max(512).regex(/^[^\0\p{Cs}]*$/u).min(1).optional() }));
var TwoFactorEnableBodySchema = /* @__PURE__ */ made(() => z2.strictObject({ password: z2.string().max(512).regex(/^[^\0\p{Cs}]*$/u).min(1).optional(), code: z2.string().regex(/^[0-9]{6}$/) }));
var TwoFactorVerifyBodySchema = /* @__PURE__ */ made(() => z2.strictObject({ code: z2.string().regex(/^([0-9]{6}|[0-9A-Za-z]{6}(-?[0-9A-Za-z]{6}){3})$/) }));
var TwoFactorDisableBodySchema = /* @__PURE__ */ made(() => z2.strictObject({ password: z2.string().max(512).regex(/^[^\0\p{Cs}]*$/u).min(1).optional(), code: z2.string().regex(/^([0-9]{6}|[0-9A-Za-z]{6}(-?[0-9A-Za-z]{6}){3})$/) }));
var TwoFactorRecoveryCodesBodySchema = /* @__PURE__ */ made(() => z2.strictObject({ password: z2.string().max(512).regex(/^[^\0\p{Cs}]*$/u).min(1).optional(), code: z2.string().regex(/^([0-9]{6}|[0-9A-Za-z]{6}(-?[0-9A-Za-z]{6}){3})$/) }));
var ApiKeysCreateBodySchema = /* @__PURE__ */ made(() => z2.strictObject({ name: z2.string().max(100).regex(/^[^\0\p{Cs}]*$/u).min(1), expiresAt: z2.iso.datetime({ offset: true }).optional() }));
var UsersCreateBodySchema = /* @__PURE__ */ made(() => z2.strictObject({ email: z2.email().max(254), name: z2.string().min(1).max(100).regex(/^([^\p{Cs}\p{Cc}\p{Cf}]|[\u200c\u200d])*$/u).optional(), role: z2.string().regex(/^[a-z][a-z0-9._-]{0,62}$/) }));
var UsersUpdateBodySchema = /* @__PURE__ */ made(() => z2.strictObject({ name: z2.string().min(1).max(100).regex(/^([^\p{Cs}\p{Cc}\p{Cf}]|[\u200c\u200d])*$/u).optional(), role: z2.string().regex(/^[a-z][a-z0-9._-]{0,62}$/).optional(), status: z2.enum(["active", "disabled"]).optional() }));
var RolesCreateBodySchema = /* @__PURE__ */ made(() => z2.strictObject({ name: z2.string().regex(/^[a-z][a-z0-9._-]{0,62}$/), permissions: z2.array(z2.enum(["scans.read", "scans.launch", "scans.cancel", "preflight.run", "projects.read", "projects.write", "findings.read", "findings.mute", "rules.read", "rules.write", "keys.own", "admin.users", "admin.settings", "admin.audit"])).min(1).max(14) }));
var RolesUpdateBodySchema = /* @__PURE__ */ made(() => z2.strictObject({ permissions: z2.array(z2.enum(["scans.read", "scans.launch", "scans.cancel", "preflight.run", "projects.read", "projects.write", "findings.read", "findings.mute", "rules.read", "rules.write", "keys.own", "admin.users", "admin.settings", "admin.audit"])).min(1).max(14) }));
var TenantUpdateBodySchema = /* @__PURE__ */ made(() => z2.strictObject({ name: z2.string().min(1).max(100).regex(/^([^\p{Cs}\p{Cc}\p{Cf}]|[\u200c\u200d])*$/u).optional(), settings: z2.strictObject({ inventoryMaxAgeHours: z2.int().min(1).max(8760).optional(), muteDefaultDays: z2.int().min(1).max(3650).optional(), allowedDomains: z2.array(z2.string().max(253).regex(/^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/)).max(100).optional() }).optional() }));
var SamlPutSettingsBodySchema = /* @__PURE__ */ made(() => z2.strictObject({ metadataXml: z2.string().max(262144).regex(/^[^\0\p{Cs}]*$/u).min(1).optional(), entityId: z2.string().max(1024).regex(/^[^\0\p{Cs}]*$/u).min(1).optional(), ssoUrl: z2.string().max(2048).regex(/^[^\0\p{Cs}]*$/u).min(1).optional(), certificates: z2.array(z2.string().max(16384).regex(/^[^\0\p{Cs}]*$/u).min(1)).min(1).max(10).optional(), emailDomains: z2.array(z2.string().max(253).regex(/^([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/)).min(1).max(50), defaultRole: z2.string().regex(/^[a-z][a-z0-9._-]{0,62}$/) }));
var SamlDiscoverBodySchema = /* @__PURE__ */ made(() => z2.strictObject({ email: z2.email().max(254) }));
var DomainsCreateBodySchema = /* @__PURE__ */ made(() => z2.strictObject({ domain: z2.string().max(253).regex(/^[^\0\p{Cs}]*$/u).min(1) }));
var ProjectsCreateBodySchema = /* @__PURE__ */ made(() => z2.strictObject({ name: z2.string().regex(/^[a-z0-9][a-z0-9._-]{0,62}$/), description: z2.string().max(500).regex(/^[^\0\p{Cs}]*$/u).min(1).optional() }));
var ProjectsUpdateBodySchema = /* @__PURE__ */ made(() => z2.strictObject({ description: z2.string().max(500).regex(/^[^\0\p{Cs}]*$/u).min(1).nullable().optional() }));
var SourcesSetBodySchema = /* @__PURE__ */ made(() => z2.strictObject({ kind: z2.literal("google-cloud"), parent: z2.string().max(200).regex(/^[^\0\p{Cs}]*$/u).min(1), credential: z2.discriminatedUnion("type", [z2.strictObject({ type: z2.literal("service_account_key"), key: z2.record(z2.string(), z2.json()) }), z2.strictObject({ type: z2.literal("impersonation"), serviceAccount: z2.string().max(254).regex(/^[^\0\p{Cs}]*$/u).min(1) })]) }));
var PreflightRunBodySchema = /* @__PURE__ */ made(() => z2.strictObject({ projects: z2.array(z2.string().max(63).regex(/^[^\0\p{Cs}]*$/u).min(1)).min(1).max(100), profile: z2.string().max(100).regex(/^[^\0\p{Cs}]*$/u).min(1) }));
var ScansLaunchBodySchema = /* @__PURE__ */ made(() => z2.strictObject({ projects: z2.array(z2.string().max(63).regex(/^[^\0\p{Cs}]*$/u).min(1)).min(1).max(100), profile: z2.string().max(100).regex(/^[^\0\p{Cs}]*$/u).min(1) }));
var SchedulesCreateBodySchema = /* @__PURE__ */ made(() => z2.strictObject({ name: z2.string().max(100).regex(/^[^\0\p{Cs}]*$/u).min(1), projects: z2.array(z2.string().max(63).regex(/^[^\0\p{Cs}]*$/u).min(1)).min(1).max(100), profile: z2.string().max(100).regex(/^[^\0\p{Cs}]*$/u).min(1), cron: z2.string().max(100).regex(/^[0-9A-Za-z*,/?#+-]+( [0-9A-Za-z*,/?#+-]+){4}$/), timezone: z2.string().max(64).regex(/^[A-Za-z][A-Za-z0-9_+/-]*$/).optional(), pullFirst: z2.boolean().optional(), enabled: z2.boolean().optional() }));
var SchedulesUpdateBodySchema = /* @__PURE__ */ made(() => z2.strictObject({ name: z2.string().max(100).regex(/^[^\0\p{Cs}]*$/u).min(1), projects: z2.array(z2.string().max(63).regex(/^[^\0\p{Cs}]*$/u).min(1)).min(1).max(100), profile: z2.string().max(100).regex(/^[^\0\p{Cs}]*$/u).min(1), cron: z2.string().max(100).regex(/^[0-9A-Za-z*,/?#+-]+( [0-9A-Za-z*,/?#+-]+){4}$/), timezone: z2.string().max(64).regex(/^[A-Za-z][A-Za-z0-9_+/-]*$/), pullFirst: z2.boolean().optional(), enabled: z2.boolean() }));
var WebhooksCreateBodySchema = /* @__PURE__ */ made(() => z2.strictObject({ url: z2.string().max(2048).regex(/^[^\0\p{Cs}]*$/u).min(1).regex(/^https?:\/\/[^\s\\]+$/i), events: z2.array(z2.enum(["scan.completed", "scan.failed", "findings.opened", "findings.resolved", "schedule.disabled", "source.failed", "api_key.created", "break_glass.used", "sign_in.locked"])).min(1).max(9), description: z2.string().max(200).regex(/^[^\0\p{Cs}]*$/u).optional(), format: z2.enum(["standard", "slack"]).optional(), enabled: z2.boolean().optional() }));
var WebhooksUpdateBodySchema = /* @__PURE__ */ made(() => z2.strictObject({ url: z2.string().max(2048).regex(/^[^\0\p{Cs}]*$/u).min(1).regex(/^https?:\/\/[^\s\\]+$/i), events: z2.array(z2.enum(["scan.completed", "scan.failed", "findings.opened", "findings.resolved", "schedule.disabled", "source.failed", "api_key.created", "break_glass.used", "sign_in.locked"])).min(1).max(9), description: z2.string().max(200).regex(/^[^\0\p{Cs}]*$/u).optional(), format: z2.enum(["standard", "slack"]).optional(), enabled: z2.boolean() }));
var MutesCreateBodySchema = /* @__PURE__ */ made(() => exactlyOne(z2.strictObject({ fingerprint: z2.string().regex(/^[0-9a-f]{64}$/).optional(), selector: z2.strictObject({ ruleId: z2.string().max(100).regex(/^[^\0\p{Cs}]*$/u).min(1).optional(), asset: z2.string().max(500).regex(/^[^\0\p{Cs}]*$/u).min(1).optional(), project: z2.string().regex(/^[a-z0-9][a-z0-9._-]{0,62}$/).optional(), label: z2.string().max(200).regex(/^[^\0\p{Cs}]*$/u).min(1).regex(/^[^=]{1,63}(=.{0,63})?$/).optional() }).optional(), reason: z2.string().max(500).regex(/^[^\0\p{Cs}]*$/u).min(1), expiresAt: z2.iso.datetime({ offset: true }).optional() }), ["fingerprint", "selector"]));
var MutesBulkCreateBodySchema = /* @__PURE__ */ made(() => exactlyOne(z2.strictObject({ findingIds: z2.array(z2.uuid()).min(1).max(1e3).optional(), filter: z2.strictObject({ project: z2.array(z2.string().regex(/^[a-z0-9][a-z0-9._-]{0,62}$/)).max(100).optional(), severity: z2.array(z2.enum(["critical", "high", "medium", "low", "info"])).max(5).optional(), status: z2.array(z2.enum(["open", "resolved"])).max(2).optional(), rule: z2.array(z2.string().max(100).regex(/^[^\0\p{Cs}]*$/u).min(1)).max(100).optional(), scan: z2.uuid().optional(), muted: z2.boolean().optional(), q: z2.string().max(200).regex(/^[^\0\p{Cs}]*$/u).min(1).optional(), category: z2.array(z2.string().max(50).regex(/^[^\0\p{Cs}]*$/u).min(1)).max(20).optional(), assetType: z2.array(z2.string().max(200).regex(/^[^\0\p{Cs}]*$/u).min(1)).max(50).optional(), framework: z2.array(z2.string().max(50).regex(/^[^\0\p{Cs}]*$/u).min(1)).max(20).optional(), delta: z2.array(z2.enum(["new", "unchanged", "reopened", "resolved"])).max(4).optional(), since: z2.iso.datetime({ offset: true }).optional(), asset: z2.string().max(2048).regex(/^[^\0\p{Cs}]*$/u).min(1).optional(), fingerprint: z2.string().regex(/^[0-9a-f]{64}$/).optional() }).optional(), reason: z2.string().max(500).regex(/^[^\0\p{Cs}]*$/u).min(1), expiresAt: z2.iso.datetime({ offset: true }).optional() }), ["findingIds", "filter"]));
var ViewsCreateBodySchema = /* @__PURE__ */ made(() => z2.strictObject({ name: z2.string().max(100).regex(/^[^\0\p{Cs}]*$/u).min(1), query: z2.string().max(2e3).regex(/^([\w\-.~!$&'()*+,;=:@/?[\]]|%[0-9A-Fa-f]{2})*$/), shared: z2.boolean().optional() }));
var ViewsUpdateBodySchema = /* @__PURE__ */ made(() => z2.strictObject({ name: z2.string().max(100).regex(/^[^\0\p{Cs}]*$/u).min(1), query: z2.string().max(2e3).regex(/^([\w\-.~!$&'()*+,;=:@/?[\]]|%[0-9A-Fa-f]{2})*$/), shared: z2.boolean() }));
var NotificationsUpdateBodySchema = /* @__PURE__ */ made(() => z2.strictObject({ digest: z2.enum(["off", "immediate", "daily", "weekly"]) }));
var CustomRulesCreateBodySchema = /* @__PURE__ */ made(() => z2.strictObject({ id: z2.string().regex(/^[a-z0-9][a-z0-9._-]{0,62}$/).optional(), title: z2.string().max(200).regex(/^[^\0\p{Cs}]*$/u).min(1), description: z2.union([z2.string().max(2e3).regex(/^[^\0\p{Cs}]*$/u).min(1).optional(), z2.literal("")]), severity: z2.enum(["critical", "high", "medium", "low", "info"]), assetTypes: z2.array(z2.string().max(200).regex(/^[^\0\p{Cs}]*$/u).min(1)).min(1).max(20), predicate: z2.string().max(5e3).regex(/^[^\0\p{Cs}]*$/u).min(1), recommendation: z2.union([z2.string().max(2e3).regex(/^[^\0\p{Cs}]*$/u).min(1).optional(), z2.literal("")]), enabled: z2.boolean().optional(), tests: z2.array(z2.strictObject({ asset: z2.record(z2.string(), z2.json()), verdict: z2.enum(["pass", "fail", "unknown"]) })).max(50).optional() }));
var CustomRulesUpdateBodySchema = /* @__PURE__ */ made(() => z2.strictObject({ title: z2.string().max(200).regex(/^[^\0\p{Cs}]*$/u).min(1), description: z2.union([z2.string().max(2e3).regex(/^[^\0\p{Cs}]*$/u).min(1).optional(), z2.literal("")]), severity: z2.enum(["critical", "high", "medium", "low", "info"]), assetTypes: z2.array(z2.string().max(200).regex(/^[^\0\p{Cs}]*$/u).min(1)).min(1).max(20), predicate: z2.string().max(5e3).regex(/^[^\0\p{Cs}]*$/u).min(1), recommendation: z2.union([z2.string().max(2e3).regex(/^[^\0\p{Cs}]*$/u).min(1).optional(), z2.literal("")]), enabled: z2.boolean().optional(), tests: z2.array(z2.strictObject({ asset: z2.record(z2.string(), z2.json()), verdict: z2.enum(["pass", "fail", "unknown"]) })).max(50).optional() }));
var CustomRulesTestBodySchema = /* @__PURE__ */ made(() => z2.strictObject({ rule: z2.strictObject({ id: z2.string().regex(/^[a-z0-9][a-z0-9._-]{0,62}$/).optional(), title: z2.string().max(200).regex(/^[^\0\p{Cs}]*$/u).min(1), description: z2.union([z2.string().max(2e3).regex(/^[^\0\p{Cs}]*$/u).min(1).optional(), z2.literal("")]), severity: z2.enum(["critical", "high", "medium", "low", "info"]), assetTypes: z2.array(z2.string().max(200).regex(/^[^\0\p{Cs}]*$/u).min(1)).min(1).max(20), predicate: z2.string().max(5e3).regex(/^[^\0\p{Cs}]*$/u).min(1), recommendation: z2.union([z2.string().max(2e3).regex(/^[^\0\p{Cs}]*$/u).min(1).optional(), z2.literal("")]), enabled: z2.boolean().optional(), tests: z2.array(z2.strictObject({ asset: z2.record(z2.string(), z2.json()), verdict: z2.enum(["pass", "fail", "unknown"]) })).max(50).optional() }), project: z2.string().regex(/^[a-z0-9][a-z0-9._-]{0,62}$/).optional() }));
var ProfilesCreateBodySchema = /* @__PURE__ */ made(() => z2.strictObject({ name: z2.string().regex(/^custom:[a-z0-9][a-z0-9._-]{0,62}$/), include: z2.array(z2.string().max(100).regex(/^[^\0\p{Cs}]*$/u).min(1)).max(200).min(1), exclude: z2.array(z2.string().max(100).regex(/^[^\0\p{Cs}]*$/u).min(1)).max(200).optional(), parameters: z2.record(z2.string().max(100).regex(/^[^\0\p{Cs}]*$/u).min(1), z2.record(z2.string(), z2.json())).optional() }));
var ProfilesUpdateBodySchema = /* @__PURE__ */ made(() => z2.strictObject({ include: z2.array(z2.string().max(100).regex(/^[^\0\p{Cs}]*$/u).min(1)).max(200).min(1), exclude: z2.array(z2.string().max(100).regex(/^[^\0\p{Cs}]*$/u).min(1)).max(200).optional(), parameters: z2.record(z2.string().max(100).regex(/^[^\0\p{Cs}]*$/u).min(1), z2.record(z2.string(), z2.json())).optional() }));

// sdk/src/schemas/answers.gen.ts
var ANSWERS = {
  "POST /auth/login": () => TokensSchema,
  "POST /auth/refresh": () => TokensSchema,
  "POST /auth/register": () => AcceptedSchema,
  "POST /auth/resend-verification": () => AcceptedSchema,
  "POST /auth/forgot-password": () => AcceptedSchema,
  "POST /auth/google": () => TokensSchema,
  "POST /auth/exchange": () => TokensSchema,
  "POST /auth/confirm": () => TokensSchema,
  "POST /auth/confirm/mail": () => AcceptedSchema,
  "GET /auth/methods": () => SignInMethodsSchema,
  "GET /auth/me": () => IdentitySchema,
  "POST /auth/2fa/setup": () => TwoFactorSetupSchema,
  "POST /auth/2fa/enable": () => RecoveryCodesSchema,
  "POST /auth/2fa/verify": () => TokensSchema,
  "POST /auth/2fa/recovery-codes": () => RecoveryCodesSchema,
  "GET /sessions": () => page(SessionSchema),
  "GET /api-keys": () => page(ApiKeySchema),
  "POST /api-keys": () => NewApiKeySchema,
  "GET /users": () => page(UserSchema),
  "POST /users": () => UserSchema,
  "POST /users/{id}/resend-invitation": () => UserSchema,
  "GET /users/{id}": () => UserSchema,
  "PATCH /users/{id}": () => UserSchema,
  "GET /roles": () => page(RoleSchema),
  "POST /roles": () => RoleSchema,
  "PUT /roles/{name}": () => RoleSchema,
  "GET /tenant": () => TenantSchema,
  "PATCH /tenant": () => TenantSchema,
  "GET /tenant/saml": () => SamlSettingsSchema,
  "PUT /tenant/saml": () => SamlSettingsSchema,
  "POST /auth/saml/discover": () => SamlDiscoverySchema,
  "GET /tenant/domains": () => page(DomainSchema),
  "POST /tenant/domains": () => DomainSchema,
  "POST /tenant/domains/{domain}/verify": () => DomainSchema,
  "GET /audit-events": () => page(AuditEventSchema),
  "GET /projects": () => page(ProjectSchema),
  "POST /projects": () => ProjectSchema,
  "GET /projects/{name}": () => ProjectSchema,
  "PATCH /projects/{name}": () => ProjectSchema,
  "GET /projects/{name}/inventories": () => page(InventorySchema),
  "PUT /projects/{name}/inventory": () => InventorySchema,
  "GET /projects/{project}/assets": () => page(AssetSchema),
  "GET /projects/{project}/assets/lookup": () => AssetDetailsSchema,
  "PUT /projects/{name}/source": () => ProjectSourceSchema,
  "GET /projects/{name}/source": () => ProjectSourceSchema,
  "POST /projects/{name}/source/check": () => SourceCheckSchema,
  "POST /projects/{name}/inventory/pull": () => PullSchema,
  "GET /projects/{name}/inventory/pulls": () => page(PullSchema),
  "GET /projects/{name}/inventory/pulls/{id}": () => PullSchema,
  "POST /preflight": () => PreflightSchema,
  "GET /scans": () => page(ScanSchema),
  "POST /scans": () => ScanSchema,
  "GET /scans/{id}": () => ScanSchema,
  "GET /scans/{id}/rules": () => page(RuleCountSchema),
  "GET /scans/{id}/compliance": () => ComplianceReportSchema,
  "GET /scans/{id}/compare": () => ScanComparisonSchema,
  "POST /scans/{id}/cancel": () => ScanSchema,
  "GET /schedules": () => page(ScheduleSchema),
  "POST /schedules": () => ScheduleSchema,
  "GET /schedules/{id}": () => ScheduleSchema,
  "PUT /schedules/{id}": () => ScheduleSchema,
  "GET /webhooks": () => page(WebhookSchema),
  "POST /webhooks": () => NewWebhookSchema,
  "GET /webhooks/{id}": () => WebhookSchema,
  "PUT /webhooks/{id}": () => WebhookSchema,
  "POST /webhooks/{id}/rotate-secret": () => WebhookSecretSchema,
  "POST /webhooks/{id}/test": () => WebhookDeliverySchema,
  "GET /webhooks/{id}/deliveries": () => page(WebhookDeliverySchema),
  "POST /webhooks/{id}/deliveries/{deliveryId}/redeliver": () => WebhookDeliverySchema,
  "GET /findings": () => page(FindingSchema),
  "GET /findings/summary": () => FindingSummarySchema,
  "GET /findings/groups": () => page(FindingGroupSchema),
  "GET /findings/{id}": () => FindingWithFixSchema,
  "GET /mutes": () => page(MuteSchema),
  "POST /mutes": () => MuteSchema,
  "POST /mutes/bulk": () => BulkMuteSchema,
  "GET /posture/summary": () => PostureSummarySchema,
  "GET /posture/trend": () => PostureTrendSchema,
  "GET /views": () => page(ViewSchema),
  "POST /views": () => ViewSchema,
  "PUT /views/{id}": () => ViewSchema,
  "GET /auth/me/notifications": () => NotificationsSchema,
  "PUT /auth/me/notifications": () => NotificationsSchema,
  "GET /rules": () => page(RuleSchema),
  "GET /rules/{id}": () => RuleSchema,
  "GET /custom-rules": () => page(CustomRuleSchema),
  "POST /custom-rules": () => CustomRuleSchema,
  "PUT /custom-rules/{id}": () => CustomRuleSchema,
  "POST /custom-rules/test": () => RuleTrialSchema,
  "GET /custom-rules/fields": () => AssetFieldsSchema,
  "GET /profiles": () => page(ProfileSchema),
  "POST /profiles": () => ProfileSchema,
  "PUT /profiles/{name}": () => ProfileSchema,
  "GET /health/live": () => HealthSchema,
  "GET /health/ready": () => HealthSchema,
  "GET /openapi.json": () => z3.record(z3.string(), z3.json()),
  "GET /problems/{code}": () => ProblemPageSchema
};

// sdk/src/schemas/validating-fetch.ts
var MAX_ISSUES = 5;
function validatingFetch(baseUrl, given) {
  const { pathname } = new URL(baseUrl, globalThis.location?.href);
  const base = pathname.replace(/\/+$/, "");
  const answers = Object.entries(ANSWERS).toSorted(([a], [b]) => a.split("{").length - b.split("{").length).map(([route, schema]) => [patternOf(route), schema]);
  return async (input, init) => {
    const { fetch = globalThis.fetch } = { ...given && { fetch: given } };
    const response = await fetch(input, init);
    const path = new URL(String(input)).pathname.slice(base.length);
    const route = `${init?.method ?? "GET"} ${path}`;
    const schema = answers.find(([pattern]) => pattern.test(route))?.[1]();
    if (!schema || !response.ok) return response;
    const text = await response.text();
    const issues = issuesOf(schema, text);
    const { status, headers } = response;
    if (issues.length === 0) return new Response(text, response);
    const reason = `The answer to ${route} does not match its schema: ${issues.join("; ")}`;
    return new Response(`${reason}
${text}`, { status, headers, statusText: printable(reason) });
  };
}
function patternOf(route) {
  const text = route.replaceAll(".", "\\.").replaceAll(/\{\w+\}/g, "[^/]+");
  return new RegExp(`^${text}$`);
}
function issuesOf(schema, text) {
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    return [];
  }
  const { error } = schema.safeParse(value);
  return (error?.issues ?? []).slice(0, MAX_ISSUES).map(({ path, message }) => `${path.join(".") || "the whole"}: ${message}`);
}
function printable(text) {
  return text.replaceAll(/[^ -~]/g, "?").slice(0, 500);
}

// sdk/src/schemas/index.ts
function createClient(options) {
  const { validateResponses, ...plain } = options;
  const { fetch } = options;
  return createPlainClient(
    validateResponses ? { ...plain, fetch: validatingFetch(options.baseUrl, fetch) } : plain
  );
}
export {
  AcceptedSchema,
  ApiKeySchema,
  ApiKeysCreateBodySchema,
  AssetDetailsSchema,
  AssetFieldsSchema,
  AssetSchema,
  AssetVerdictSchema,
  AuditEventSchema,
  AuthAcceptInviteBodySchema,
  AuthChangePasswordBodySchema,
  AuthConfirmBodySchema,
  AuthConfirmMailBodySchema,
  AuthExchangeBodySchema,
  AuthForgotPasswordBodySchema,
  AuthGoogleBodySchema,
  AuthLoginBodySchema,
  AuthLogoutBodySchema,
  AuthRefreshBodySchema,
  AuthRegisterBodySchema,
  AuthResendVerificationBodySchema,
  AuthResetPasswordBodySchema,
  AuthVerifyEmailBodySchema,
  BulkMuteSchema,
  ComparedFindingSchema,
  ComplianceReportSchema,
  ComplianceSchema,
  CustomRuleSchema,
  CustomRulesCreateBodySchema,
  CustomRulesTestBodySchema,
  CustomRulesUpdateBodySchema,
  DomainSchema,
  DomainsCreateBodySchema,
  FindingGroupSchema,
  FindingSchema,
  FindingSummarySchema,
  FindingWithFixSchema,
  FixSchema,
  HealthSchema,
  IdentitySchema,
  InventorySchema,
  MuteSchema,
  MuteSelectorSchema,
  MutesBulkCreateBodySchema,
  MutesCreateBodySchema,
  NewApiKeySchema,
  NewWebhookSchema,
  NotificationsSchema,
  NotificationsUpdateBodySchema,
  PostureIntervalSchema,
  PostureSummarySchema,
  PostureTrendSchema,
  PreflightCheckSchema,
  PreflightRunBodySchema,
  PreflightSchema,
  ProblemPageSchema,
  ProfileSchema,
  ProfilesCreateBodySchema,
  ProfilesUpdateBodySchema,
  ProjectSchema,
  ProjectSourceSchema,
  ProjectsCreateBodySchema,
  ProjectsUpdateBodySchema,
  PullSchema,
  RecoveryCodesSchema,
  RoleSchema,
  RolesCreateBodySchema,
  RolesUpdateBodySchema,
  RuleCountSchema,
  RuleSchema,
  RuleTrialSchema,
  SamlDiscoverBodySchema,
  SamlDiscoverySchema,
  SamlPutSettingsBodySchema,
  SamlSettingsSchema,
  ScanComparisonSchema,
  ScanSchema,
  ScansLaunchBodySchema,
  ScheduleSchema,
  SchedulesCreateBodySchema,
  SchedulesUpdateBodySchema,
  SessionSchema,
  SeveritySchema,
  SignInMethodsSchema,
  SourceCheckSchema,
  SourcesSetBodySchema,
  TenantSchema,
  TenantSettingsSchema,
  TenantUpdateBodySchema,
  TokensSchema,
  TwoFactorDisableBodySchema,
  TwoFactorEnableBodySchema,
  TwoFactorRecoveryCodesBodySchema,
  TwoFactorSetupBodySchema,
  TwoFactorSetupSchema,
  TwoFactorVerifyBodySchema,
  UserSchema,
  UsersCreateBodySchema,
  UsersUpdateBodySchema,
  ViewSchema,
  ViewsCreateBodySchema,
  ViewsUpdateBodySchema,
  WebhookDeliverySchema,
  WebhookSchema,
  WebhookSecretSchema,
  WebhooksCreateBodySchema,
  WebhooksUpdateBodySchema,
  createClient
};
//# sourceMappingURL=schemas.js.map
