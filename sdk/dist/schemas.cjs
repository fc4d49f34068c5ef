"use strict";
var __defProp = Object.defineProperty;
var __getOwnPropDesc = Object.getOwnPropertyDescriptor;
var __getOwnPropNames = Object.getOwnPropertyNames;
var __hasOwnProp = Object.prototype.hasOwnProperty;
var __export = (target, all) => {
  for (var name in all)
    __defProp(target, name, { get: all[name], enumerable: true });
};
var __copyProps = (to, from, except, desc) => {
  if (from && typeof from === "object" || typeof from === "function") {
    for (let key of __getOwnPropNames(from))
      if (!__hasOwnProp.call(to, key) && key !== except)
        __defProp(to, key, { get: () => from[key], enumerable: !(desc = __getOwnPropDesc(from, key)) || desc.enumerable });
  }
  return to;
};
var __toCommonJS = (mod) => __copyProps(__defProp({}, "__esModule", { value: true }), mod);

// sdk/src/schemas/index.ts
var index_exports = {};
__export(index_exports, {
  AcceptedSchema: () => AcceptedSchema,
  ApiKeySchema: () => ApiKeySchema,
  ApiKeysCreateBodySchema: () => ApiKeysCreateBodySchema,
  AssetDetailsSchema: () => AssetDetailsSchema,
  AssetFieldsSchema: () => AssetFieldsSchema,
  AssetSchema: () => AssetSchema,
  AssetVerdictSchema: () => AssetVerdictSchema,
  AuditEventSchema: () => AuditEventSchema,
  AuthAcceptInviteBodySchema: () => AuthAcceptInviteBodySchema,
  AuthChangePasswordBodySchema: () => AuthChangePasswordBodySchema,
  AuthConfirmBodySchema: () => AuthConfirmBodySchema,
  AuthConfirmMailBodySchema: () => AuthConfirmMailBodySchema,
  AuthExchangeBodySchema: () => AuthExchangeBodySchema,
  AuthForgotPasswordBodySchema: () => AuthForgotPasswordBodySchema,
  AuthGoogleBodySchema: () => AuthGoogleBodySchema,
  AuthLoginBodySchema: () => AuthLoginBodySchema,
  AuthLogoutBodySchema: () => AuthLogoutBodySchema,
  AuthRefreshBodySchema: () => AuthRefreshBodySchema,
  AuthRegisterBodySchema: () => AuthRegisterBodySchema,
  AuthResendVerificationBodySchema: () => AuthResendVerificationBodySchema,
  AuthResetPasswordBodySchema: () => AuthResetPasswordBodySchema,
  AuthVerifyEmailBodySchema: () => AuthVerifyEmailBodySchema,
  BulkMuteSchema: () => BulkMuteSchema,
  ComparedFindingSchema: () => ComparedFindingSchema,
  ComplianceReportSchema: () => ComplianceReportSchema,
  ComplianceSchema: () => ComplianceSchema,
  CustomRuleSchema: () => CustomRuleSchema,
  CustomRulesCreateBodySchema: () => CustomRulesCreateBodySchema,
  CustomRulesTestBodySchema: () => CustomRulesTestBodySchema,
  CustomRulesUpdateBodySchema: () => CustomRulesUpdateBodySchema,
  DomainSchema: () => DomainSchema,
  DomainsCreateBodySchema: () => DomainsCreateBodySchema,
  FindingGroupSchema: () => FindingGroupSchema,
  FindingSchema: () => FindingSchema,
  FindingSummarySchema: () => FindingSummarySchema,
  FindingWithFixSchema: () => FindingWithFixSchema,
  FixSchema: () => FixSchema,
  HealthSchema: () => HealthSchema,
  IdentitySchema: () => IdentitySchema,
  InventorySchema: () => InventorySchema,
  MuteSchema: () => MuteSchema,
  MuteSelectorSchema: () => MuteSelectorSchema,
  MutesBulkCreateBodySchema: () => MutesBulkCreateBodySchema,
  MutesCreateBodySchema: () => MutesCreateBodySchema,
  NewApiKeySchema: () => NewApiKeySchema,
  NewWebhookSchema: () => NewWebhookSchema,
  NotificationsSchema: () => NotificationsSchema,
  NotificationsUpdateBodySchema: () => NotificationsUpdateBodySchema,
  PostureIntervalSchema: () => PostureIntervalSchema,
  PostureSummarySchema: () => PostureSummarySchema,
  PostureTrendSchema: () => PostureTrendSchema,
  PreflightCheckSchema: () => PreflightCheckSchema,
  PreflightRunBodySchema: () => PreflightRunBodySchema,
  PreflightSchema: () => PreflightSchema,
  ProblemPageSchema: () => ProblemPageSchema,
  ProfileSchema: () => ProfileSchema,
  ProfilesCreateBodySchema: () => ProfilesCreateBodySchema,
  ProfilesUpdateBodySchema: () => ProfilesUpdateBodySchema,
  ProjectSchema: () => ProjectSchema,
  ProjectSourceSchema: () => ProjectSourceSchema,
  ProjectsCreateBodySchema: () => ProjectsCreateBodySchema,
  ProjectsUpdateBodySchema: () => ProjectsUpdateBodySchema,
  PullSchema: () => PullSchema,
  RecoveryCodesSchema: () => RecoveryCodesSchema,
  RoleSchema: () => RoleSchema,
  RolesCreateBodySchema: () => RolesCreateBodySchema,
  RolesUpdateBodySchema: () => RolesUpdateBodySchema,
  RuleCountSchema: () => RuleCountSchema,
  RuleSchema: () => RuleSchema,
  RuleTrialSchema: () => RuleTrialSchema,
  SamlDiscoverBodySchema: () => SamlDiscoverBodySchema,
  SamlDiscoverySchema: () => SamlDiscoverySchema,
  SamlPutSettingsBodySchema: () => SamlPutSettingsBodySchema,
  SamlSettingsSchema: () => SamlSettingsSchema,
  ScanComparisonSchema: () => ScanComparisonSchema,
  ScanSchema: () => ScanSchema,
  ScansLaunchBodySchema: () => ScansLaunchBodySchema,
  ScheduleSchema: () => ScheduleSchema,
  SchedulesCreateBodySchema: () => SchedulesCreateBodySchema,
  SchedulesUpdateBodySchema: () => SchedulesUpdateBodySchema,
  SessionSchema: () => SessionSchema,
  SeveritySchema: () => SeveritySchema,
  SignInMethodsSchema: () => SignInMethodsSchema,
  SourceCheckSchema: () => SourceCheckSchema,
  SourcesSetBodySchema: () => SourcesSetBodySchema,
  TenantSchema: () => TenantSchema,
  TenantSettingsSchema: () => TenantSettingsSchema,
  TenantUpdateBodySchema: () => TenantUpdateBodySchema,
  TokensSchema: () => TokensSchema,
  TwoFactorDisableBodySchema: () => TwoFactorDisableBodySchema,
  TwoFactorEnableBodySchema: () => TwoFactorEnableBodySchema,
  TwoFactorRecoveryCodesBodySchema: () => TwoFactorRecoveryCodesBodySchema,
  TwoFactorSetupBodySchema: () => TwoFactorSetupBodySchema,
  TwoFactorSetupSchema: () => TwoFactorSetupSchema,
  TwoFactorVerifyBodySchema: () => TwoFactorVerifyBodySchema,
  UserSchema: () => UserSchema,
  UsersCreateBodySchema: () => UsersCreateBodySchema,
  UsersUpdateBodySchema: () => UsersUpdateBodySchema,
  ViewSchema: () => ViewSchema,
  ViewsCreateBodySchema: () => ViewsCreateBodySchema,
  ViewsUpdateBodySchema: () => ViewsUpdateBodySchema,
  WebhookDeliverySchema: () => WebhookDeliverySchema,
  WebhookSchema: () => WebhookSchema,
  WebhookSecretSchema: () => WebhookSecretSchema,
  WebhooksCreateBodySchema: () => WebhooksCreateBodySchema,
  WebhooksUpdateBodySchema: () => WebhooksUpdateBodySchema,
  createClient: () => createClient
});
module.exports = __toCommonJS(index_exports);
var import__ = require("@cspm/sdk");

// sdk/src/schemas/answers.gen.ts
var import_zod3 = require("zod");

// sdk/src/schemas/made.ts
var import_zod = require("zod");
function made(make) {
  return make();
}
function page(item) {
  return import_zod.z.looseObject({ items: import_zod.z.array(item), nextCursor: import_zod.z.string().nullable() });
}
function exactlyOne(object, names) {
  return object.refine(
    (value) => names.filter((name) => Reflect.get(Object(value), name) !== void 0).length === 1,
    { error: `must have exactly one of ${names.join(", ")}` }
  );
}

// sdk/src/schemas/schemas.gen.ts
var import_zod2 = require("zod");
var TokensSchema = /* @__PURE__ */ made(() => import_zod2.z.looseObject({ accessToken: import_zod2.z.string(), refreshToken: import_zod2.z.string(), tokenType: import_zod2.z.literal("Bearer"), expiresIn: import_zod2.z.int() }));
var AcceptedSchema = /* @__PURE__ */ made(() => import_zod2.z.looseObject({ message: import_zod2.z.string() }));
var SignInMethodsSchema = /* @__PURE__ */ made(() => import_zod2.z.looseObject({ password: import_zod2.z.literal(true), registration: import_zod2.z.boolean(), google: import_zod2.z.boolean(), saml: import_zod2.z.boolean() }));
var IdentitySchema = /* @__PURE__ */ made(() => import_zod2.z.looseObject({ user: import_zod2.z.looseObject({ id: import_zod2.z.uuid(), email: import_zod2.z.string(), name: import_zod2.z.string().nullable(), emailVerified: import_zod2.z.boolean(), twoFactorEnabled: import_zod2.z.boolean() }).nullable(), tenant: import_zod2.z.looseObject({ id: import_zod2.z.uuid(), name: import_zod2.z.string(), features: import_zod2.z.array(import_zod2.z.enum(["sso", "custom_rules", "audit_export"])) }), role: import_zod2.z.string(), permissions: import_zod2.z.array(import_zod2.z.enum(["scans.read", "scans.launch", "scans.cancel", "preflight.run", "projects.read", "projects.write", "findings.read", "findings.mute", "rules.read", "rules.write", "keys.own", "admin.users", "admin.settings", "admin.audit"])), credential: import_zod2.z.looseObject({ kind: import_zod2.z.enum(["jwt", "api_key", "global_api_key", "master_key"]), mfa: import_zod2.z.boolean(), expiresAt: import_zod2.z.iso.datetime().nullable() }), memberships: import_zod2.z.array(import_zod2.z.looseObject({ tenantId: import_zod2.z.uuid(), tenantName: import_zod2.z.string(), role: import_zod2.z.string() })) }));
var TwoFactorSetupSchema = /* @__PURE__ */ made(() => import_zod2.z.looseObject({ secret: import_zod2.z.string(), otpauthUri: import_zod2.z.string() }));
var RecoveryCodesSchema = /* @__PURE__ */ made(() => import_zod2.z.looseObject({ recoveryCodes: import_zod2.z.array(import_zod2.z.string()) }));
var SessionSchema = /* @__PURE__ */ made(() => import_zod2.z.looseObject({ id: import_zod2.z.uuid(), tenantId: import_zod2.z.uuid(), current: import_zod2.z.boolean(), mfa: import_zod2.z.boolean(), createdAt: import_zod2.z.iso.datetime(), lastUsedAt: import_zod2.z.iso.datetime(), expiresAt: import_zod2.z.iso.datetime() }));
var ApiKeySchema = /* @__PURE__ */ made(() => import_zod2.z.looseObject({ id: import_zod2.z.uuid(), name: import_zod2.z.string(), prefix: import_zod2.z.string(), userId: import_zod2.z.uuid(), createdAt: import_zod2.z.iso.datetime(), expiresAt: import_zod2.z.iso.datetime().nullable(), lastUsedAt: import_zod2.z.iso.datetime().nullable() }));
var NewApiKeySchema = /* @__PURE__ */ made(() => import_zod2.z.looseObject({ id: import_zod2.z.uuid(), name: import_zod2.z.string(), prefix: import_zod2.z.string(), createdAt: import_zod2.z.iso.datetime(), expiresAt: import_zod2.z.iso.datetime().nullable(), key: import_zod2.z.string() }));
var UserSchema = /* @__PURE__ */ made(() => import_zod2.z.looseObject({ id: import_zod2.z.uuid(), email: import_zod2.z.string(), name: import_zod2.z.string().nullable(), role: import_zod2.z.string(), status: import_zod2.z.enum(["invited", "active", "disabled"]), twoFactorEnabled: import_zod2.z.boolean(), lastLoginAt: import_zod2.z.iso.datetime().nullable(), createdAt: import_zod2.z.iso.datetime() }));
var RoleSchema = /* @__PURE__ */ made(() => import_zod2.z.looseObject({ name: import_zod2.z.string().regex(/^[a-z][a-z0-9._-]{0,62}$/), permissions: import_zod2.z.array(import_zod2.z.enum(["scans.read", "scans.launch", "scans.cancel", "preflight.run", "projects.read", "projects.write", "findings.read", "findings.mute", "rules.read", "rules.write", "keys.own", "admin.users", "admin.settings", "admin.audit"])), builtIn: import_zod2.z.boolean() }));
var TenantSettingsSchema = /* @__PURE__ */ made(() => import_zod2.z.looseObject({ inventoryMaxAgeHours: import_zod2.z.int().min(1).max(8760), muteDefaultDays: import_zod2.z.int().min(1).max(3650), allowedDomains: import_zod2.z.array(import_zod2.z.string().max(253).regex(/^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/)).max(100) }));
var TenantSchema = /* @__PURE__ */ made(() => import_zod2.z.looseObject({ id: import_zod2.z.uuid(), name: import_zod2.z.string(), features: import_zod2.z.array(import_zod2.z.enum(["sso", "custom_rules", "audit_export"])), settings: TenantSettingsSchema, googlePrincipalPrefix: import_zod2.z.string() }));
var SamlSettingsSchema = /* @__PURE__ */ made(() => import_zod2.z.looseObject({ id: import_zod2.z.uuid(), entityId: import_zod2.z.string().max(1024).regex(/^[^\0\p{Cs}]*$/u).min(1), ssoUrl: import_zod2.z.string().max(2048).regex(/^[^\0\p{Cs}]*$/u).min(1), certificates: import_zod2.z.array(import_zod2.z.string()), emailDomains: import_zod2.z.array(import_zod2.z.string().max(253).regex(/^([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/)).min(1).max(50), defaultRole: import_zod2.z.string().regex(/^[a-z][a-z0-9._-]{0,62}$/), createdAt: import_zod2.z.iso.datetime(), serviceProvider: import_zod2.z.looseObject({ entityId: import_zod2.z.string(), acsUrl: import_zod2.z.string(), metadataUrl: import_zod2.z.string(), loginUrl: import_zod2.z.string() }) }));
var SamlDiscoverySchema = /* @__PURE__ */ made(() => import_zod2.z.looseObject({ loginUrl: import_zod2.z.string().nullable() }));
var DomainSchema = /* @__PURE__ */ made(() => import_zod2.z.looseObject({ domain: import_zod2.z.string(), status: import_zod2.z.enum(["pending", "verified"]), record: import_zod2.z.looseObject({ type: import_zod2.z.literal("TXT"), name: import_zod2.z.string(), value: import_zod2.z.string() }), createdAt: import_zod2.z.iso.datetime(), verifiedAt: import_zod2.z.iso.datetime().nullable() }));
var AuditEventSchema = /* @__PURE__ */ made(() => import_zod2.z.looseObject({ id: import_zod2.z.uuid(), at: import_zod2.z.iso.datetime(), action: import_zod2.z.string(), outcome: import_zod2.z.enum(["success", "failure"]), actor: import_zod2.z.looseObject({ kind: import_zod2.z.string(), id: import_zod2.z.uuid().nullable(), label: import_zod2.z.string().nullable() }), tenantId: import_zod2.z.uuid(), targetTenantId: import_zod2.z.uuid().nullable(), ip: import_zod2.z.string(), correlationId: import_zod2.z.string(), subject: import_zod2.z.string().nullable(), detail: import_zod2.z.record(import_zod2.z.string(), import_zod2.z.json()) }));
var ProjectSchema = /* @__PURE__ */ made(() => import_zod2.z.looseObject({ id: import_zod2.z.uuid(), name: import_zod2.z.string().regex(/^[a-z0-9][a-z0-9._-]{0,62}$/), description: import_zod2.z.string().nullable(), inventory: import_zod2.z.looseObject({ id: import_zod2.z.uuid(), assets: import_zod2.z.int(), createdAt: import_zod2.z.iso.datetime() }).nullable(), hasSource: import_zod2.z.boolean(), createdAt: import_zod2.z.iso.datetime() }));
var InventorySchema = /* @__PURE__ */ made(() => import_zod2.z.looseObject({ id: import_zod2.z.uuid(), assets: import_zod2.z.int(), assetTypes: import_zod2.z.array(import_zod2.z.looseObject({ type: import_zod2.z.string(), count: import_zod2.z.int() })), locations: import_zod2.z.array(import_zod2.z.looseObject({ location: import_zod2.z.string(), count: import_zod2.z.int() })), bytes: import_zod2.z.int(), warnings: import_zod2.z.array(import_zod2.z.looseObject({ line: import_zod2.z.int(), message: import_zod2.z.string() })), truncated: import_zod2.z.boolean(), createdAt: import_zod2.z.iso.datetime() }));
var SeveritySchema = /* @__PURE__ */ made(() => import_zod2.z.enum(["critical", "high", "medium", "low", "info"]));
var AssetSchema = /* @__PURE__ */ made(() => import_zod2.z.looseObject({ name: import_zod2.z.string(), type: import_zod2.z.string(), location: import_zod2.z.string().nullable(), openFindings: import_zod2.z.int(), worstSeverity: SeveritySchema.nullable() }));
var ComplianceSchema = /* @__PURE__ */ made(() => import_zod2.z.looseObject({ framework: import_zod2.z.string(), id: import_zod2.z.string() }));
var FindingSchema = /* @__PURE__ */ made(() => import_zod2.z.looseObject({ id: import_zod2.z.uuid(), fingerprint: import_zod2.z.string(), ruleId: import_zod2.z.string(), title: import_zod2.z.string(), severity: SeveritySchema, status: import_zod2.z.enum(["open", "resolved"]), delta: import_zod2.z.enum(["new", "unchanged", "reopened", "resolved"]), project: import_zod2.z.string().regex(/^[a-z0-9][a-z0-9._-]{0,62}$/), asset: import_zod2.z.looseObject({ name: import_zod2.z.string(), type: import_zod2.z.string() }), subject: import_zod2.z.string(), message: import_zod2.z.string(), evidence: import_zod2.z.array(import_zod2.z.looseObject({ path: import_zod2.z.string(), value: import_zod2.z.json() })), remediation: import_zod2.z.string(), compliance: import_zod2.z.array(ComplianceSchema), firstSeenAt: import_zod2.z.iso.datetime(), lastSeenAt: import_zod2.z.iso.datetime(), resolvedAt: import_zod2.z.iso.datetime().nullable(), resolvedReason: import_zod2.z.enum(["fixed", "asset_gone", "rule_retired"]).nullable(), muted: import_zod2.z.looseObject({ reason: import_zod2.z.string(), expiresAt: import_zod2.z.iso.datetime() }).nullable() }));
var AssetVerdictSchema = /* @__PURE__ */ made(() => import_zod2.z.looseObject({ ruleId: import_zod2.z.string(), title: import_zod2.z.string(), severity: SeveritySchema.nullable(), verdict: import_zod2.z.enum(["pass", "fail", "unknown", "na"]), missing: import_zod2.z.string().nullable() }));
var AssetDetailsSchema = /* @__PURE__ */ made(() => import_zod2.z.looseObject({ name: import_zod2.z.string(), type: import_zod2.z.string(), location: import_zod2.z.string().nullable(), inventory: import_zod2.z.looseObject({ id: import_zod2.z.uuid(), createdAt: import_zod2.z.iso.datetime() }), asset: import_zod2.z.record(import_zod2.z.string(), import_zod2.z.json()).nullable(), findings: import_zod2.z.array(FindingSchema), scan: import_zod2.z.looseObject({ id: import_zod2.z.uuid(), createdAt: import_zod2.z.iso.datetime() }).nullable(), verdicts: import_zod2.z.array(AssetVerdictSchema).nullable() }));
var ProjectSourceSchema = /* @__PURE__ */ made(() => import_zod2.z.looseObject({ kind: import_zod2.z.literal("google-cloud"), parent: import_zod2.z.string().max(200).regex(/^[^\0\p{Cs}]*$/u).min(1), credentialType: import_zod2.z.enum(["service_account_key", "impersonation"]), principal: import_zod2.z.string(), createdBy: import_zod2.z.looseObject({ kind: import_zod2.z.string(), id: import_zod2.z.uuid().nullable(), label: import_zod2.z.string() }), createdAt: import_zod2.z.iso.datetime(), lastPull: import_zod2.z.looseObject({ id: import_zod2.z.uuid(), at: import_zod2.z.iso.datetime(), status: import_zod2.z.enum(["queued", "running", "completed", "partial", "failed"]), assets: import_zod2.z.int().nullable(), problem: import_zod2.z.string().nullable() }).nullable() }));
var SourceCheckSchema = /* @__PURE__ */ made(() => import_zod2.z.looseObject({ ok: import_zod2.z.boolean(), checks: import_zod2.z.array(import_zod2.z.looseObject({ name: import_zod2.z.string(), ok: import_zod2.z.boolean(), detail: import_zod2.z.string(), remedy: import_zod2.z.string() })) }));
var PullSchema = /* @__PURE__ */ made(() => import_zod2.z.looseObject({ id: import_zod2.z.uuid(), status: import_zod2.z.enum(["queued", "running", "completed", "partial", "failed"]), parent: import_zod2.z.string().max(200).regex(/^[^\0\p{Cs}]*$/u).min(1), pages: import_zod2.z.int(), records: import_zod2.z.int(), assets: import_zod2.z.int().nullable(), seconds: import_zod2.z.number().nullable(), readTime: import_zod2.z.iso.datetime().nullable(), missing: import_zod2.z.array(import_zod2.z.looseObject({ contentType: import_zod2.z.enum(["RESOURCE", "IAM_POLICY", "ORG_POLICY"]), permission: import_zod2.z.string(), remedy: import_zod2.z.string() })), problem: import_zod2.z.string().nullable(), problemCode: import_zod2.z.string().nullable(), inventoryId: import_zod2.z.uuid().nullable(), createdBy: import_zod2.z.looseObject({ kind: import_zod2.z.string(), id: import_zod2.z.uuid().nullable(), label: import_zod2.z.string() }), createdAt: import_zod2.z.iso.datetime(), startedAt: import_zod2.z.iso.datetime().nullable(), finishedAt: import_zod2.z.iso.datetime().nullable() }));
var PreflightCheckSchema = /* @__PURE__ */ made(() => import_zod2.z.looseObject({ id: import_zod2.z.enum(["profile.known", "project.known", "project.duplicate", "source.attached", "source.parseable", "source.scope", "source.freshness", "coverage.types", "coverage.iam", "estimate", "permission", "quota.scans", "rate.remaining", "conflict.active", "mutes.expiring", "baseline"]), status: import_zod2.z.enum(["pass", "warn", "fail", "skip"]), code: import_zod2.z.string(), message: import_zod2.z.string(), remediation: import_zod2.z.string() }));
var PreflightSchema = /* @__PURE__ */ made(() => import_zod2.z.looseObject({ decision: import_zod2.z.enum(["ready", "ready_with_warnings", "blocked"]), profile: import_zod2.z.looseObject({ name: import_zod2.z.string(), digest: import_zod2.z.string().nullable(), ruleCount: import_zod2.z.int() }), projects: import_zod2.z.array(import_zod2.z.looseObject({ name: import_zod2.z.string(), checks: import_zod2.z.array(PreflightCheckSchema) })), estimate: import_zod2.z.looseObject({ assets: import_zod2.z.int(), evaluations: import_zod2.z.int(), seconds: import_zod2.z.number() }), limits: import_zod2.z.looseObject({ projectsPerScan: import_zod2.z.int(), launchesPerMinute: import_zod2.z.int() }), expiresAt: import_zod2.z.iso.datetime() }));
var ScanSchema = /* @__PURE__ */ made(() => import_zod2.z.looseObject({ id: import_zod2.z.uuid(), status: import_zod2.z.enum(["queued", "running", "completed", "partial", "failed", "cancelled"]), profile: import_zod2.z.string(), profileDigest: import_zod2.z.string(), projects: import_zod2.z.array(import_zod2.z.looseObject({ name: import_zod2.z.string().regex(/^[a-z0-9][a-z0-9._-]{0,62}$/), status: import_zod2.z.enum(["queued", "running", "completed", "failed", "cancelled"]), assets: import_zod2.z.int(), evaluations: import_zod2.z.int(), findings: import_zod2.z.int(), error: import_zod2.z.string().nullable(), inventoryId: import_zod2.z.uuid().nullable() })), totals: import_zod2.z.looseObject({ assets: import_zod2.z.int(), evaluations: import_zod2.z.int(), pass: import_zod2.z.int(), fail: import_zod2.z.int(), unknown: import_zod2.z.int(), bySeverity: import_zod2.z.looseObject({ critical: import_zod2.z.int(), high: import_zod2.z.int(), medium: import_zod2.z.int(), low: import_zod2.z.int(), info: import_zod2.z.int() }) }), delta: import_zod2.z.looseObject({ new: import_zod2.z.int(), resolved: import_zod2.z.int(), reopened: import_zod2.z.int(), unchanged: import_zod2.z.int() }), coverage: import_zod2.z.looseObject({ rules: import_zod2.z.int(), decided: import_zod2.z.int(), undecided: import_zod2.z.int(), unmet: import_zod2.z.int() }).nullable(), createdBy: import_zod2.z.looseObject({ kind: import_zod2.z.string(), id: import_zod2.z.uuid().nullable(), label: import_zod2.z.string() }), scheduleId: import_zod2.z.uuid().nullable(), createdAt: import_zod2.z.iso.datetime(), startedAt: import_zod2.z.iso.datetime().nullable(), finishedAt: import_zod2.z.iso.datetime().nullable() }));
var RuleCountSchema = /* @__PURE__ */ made(() => import_zod2.z.looseObject({ ruleId: import_zod2.z.string(), pass: import_zod2.z.int(), fail: import_zod2.z.int(), na: import_zod2.z.int(), unknown: import_zod2.z.int(), missing: import_zod2.z.array(import_zod2.z.string()) }));
var ComplianceReportSchema = /* @__PURE__ */ made(() => import_zod2.z.looseObject({ framework: import_zod2.z.enum(["cis-gcp-2.0", "cis-gcp-4.0", "cis-gcp-5.0"]), scan: import_zod2.z.uuid(), summary: import_zod2.z.looseObject({ pass: import_zod2.z.int(), fail: import_zod2.z.int(), unknown: import_zod2.z.int(), na: import_zod2.z.int(), manual: import_zod2.z.int() }), requirements: import_zod2.z.array(import_zod2.z.looseObject({ id: import_zod2.z.string(), title: import_zod2.z.string(), section: import_zod2.z.string(), assessment: import_zod2.z.enum(["automated", "manual"]), status: import_zod2.z.enum(["pass", "fail", "unknown", "na", "manual"]), rules: import_zod2.z.array(RuleCountSchema) })) }));
var ComparedFindingSchema = /* @__PURE__ */ made(() => import_zod2.z.looseObject({ change: import_zod2.z.enum(["new", "resolved", "reopened", "unchanged"]), finding: import_zod2.z.looseObject({ id: import_zod2.z.uuid(), fingerprint: import_zod2.z.string(), ruleId: import_zod2.z.string(), title: import_zod2.z.string(), severity: SeveritySchema, status: import_zod2.z.enum(["open", "resolved"]), delta: import_zod2.z.enum(["new", "unchanged", "reopened", "resolved"]), project: import_zod2.z.string().regex(/^[a-z0-9][a-z0-9._-]{0,62}$/), asset: import_zod2.z.looseObject({ name: import_zod2.z.string(), type: import_zod2.z.string() }), subject: import_zod2.z.string(), message: import_zod2.z.string(), evidence: import_zod2.z.array(import_zod2.z.looseObject({ path: import_zod2.z.string(), value: import_zod2.z.json() })), remediation: import_zod2.z.string(), compliance: import_zod2.z.array(ComplianceSchema), firstSeenAt: import_zod2.z.iso.datetime(), lastSeenAt: import_zod2.z.iso.datetime(), resolvedAt: import_zod2.z.iso.datetime().nullable(), resolvedReason: import_zod2.z.enum(["fixed", "asset_gone", "rule_retired"]).nullable(), muted: import_zod2.z.looseObject({ reason: import_zod2.z.string(), expiresAt: import_zod2.z.iso.datetime() }).nullable() }) }));
var ScanComparisonSchema = /* @__PURE__ */ made(() => import_zod2.z.looseObject({ scan: import_zod2.z.looseObject({ id: import_zod2.z.uuid(), profile: import_zod2.z.string(), createdAt: import_zod2.z.iso.datetime() }), with: import_zod2.z.looseObject({ id: import_zod2.z.uuid(), profile: import_zod2.z.string(), createdAt: import_zod2.z.iso.datetime() }), projects: import_zod2.z.array(import_zod2.z.string().regex(/^[a-z0-9][a-z0-9._-]{0,62}$/)), ruleSetChanged: import_zod2.z.boolean(), counts: import_zod2.z.looseObject({ new: import_zod2.z.looseObject({ total: import_zod2.z.int(), bySeverity: import_zod2.z.looseObject({ critical: import_zod2.z.int(), high: import_zod2.z.int(), medium: import_zod2.z.int(), low: import_zod2.z.int(), info: import_zod2.z.int() }) }), resolved: import_zod2.z.looseObject({ total: import_zod2.z.int(), bySeverity: import_zod2.z.looseObject({ critical: import_zod2.z.int(), high: import_zod2.z.int(), medium: import_zod2.z.int(), low: import_zod2.z.int(), info: import_zod2.z.int() }) }), reopened: import_zod2.z.looseObject({ total: import_zod2.z.int(), bySeverity: import_zod2.z.looseObject({ critical: import_zod2.z.int(), high: import_zod2.z.int(), medium: import_zod2.z.int(), low: import_zod2.z.int(), info: import_zod2.z.int() }) }), unchanged: import_zod2.z.looseObject({ total: import_zod2.z.int(), bySeverity: import_zod2.z.looseObject({ critical: import_zod2.z.int(), high: import_zod2.z.int(), medium: import_zod2.z.int(), low: import_zod2.z.int(), info: import_zod2.z.int() }) }) }).nullable(), items: import_zod2.z.array(ComparedFindingSchema), nextCursor: import_zod2.z.string().nullable() }));
var ScheduleSchema = /* @__PURE__ */ made(() => import_zod2.z.looseObject({ id: import_zod2.z.uuid(), name: import_zod2.z.string().max(100).regex(/^[^\0\p{Cs}]*$/u).min(1), projects: import_zod2.z.array(import_zod2.z.string().max(63).regex(/^[^\0\p{Cs}]*$/u).min(1)).min(1).max(100), profile: import_zod2.z.string().max(100).regex(/^[^\0\p{Cs}]*$/u).min(1), cron: import_zod2.z.string().max(100).regex(/^[0-9A-Za-z*,/?#+-]+( [0-9A-Za-z*,/?#+-]+){4}$/), timezone: import_zod2.z.string().max(64).regex(/^[A-Za-z][A-Za-z0-9_+/-]*$/), pullFirst: import_zod2.z.boolean(), enabled: import_zod2.z.boolean(), nextRunAt: import_zod2.z.iso.datetime().nullable(), lastRun: import_zod2.z.looseObject({ at: import_zod2.z.iso.datetime(), scanId: import_zod2.z.uuid().nullable(), status: import_zod2.z.enum(["queued", "running", "completed", "partial", "failed", "cancelled", "blocked", "deleted"]), problem: import_zod2.z.string().nullable() }).nullable(), disabledReason: import_zod2.z.looseObject({ code: import_zod2.z.enum(["CREATOR_REMOVED", "CREATOR_DISABLED", "CREATOR_NOT_PERMITTED"]), message: import_zod2.z.string(), at: import_zod2.z.iso.datetime() }).nullable(), createdBy: import_zod2.z.looseObject({ id: import_zod2.z.uuid(), label: import_zod2.z.string() }), createdAt: import_zod2.z.iso.datetime() }));
var WebhookSchema = /* @__PURE__ */ made(() => import_zod2.z.looseObject({ id: import_zod2.z.uuid(), url: import_zod2.z.string(), events: import_zod2.z.array(import_zod2.z.enum(["scan.completed", "scan.failed", "findings.opened", "findings.resolved", "schedule.disabled", "source.failed", "api_key.created", "break_glass.used", "sign_in.locked"])), description: import_zod2.z.string().max(200).regex(/^[^\0\p{Cs}]*$/u), format: import_zod2.z.enum(["standard", "slack"]), enabled: import_zod2.z.boolean(), failingSince: import_zod2.z.iso.datetime().nullable(), disabledReason: import_zod2.z.looseObject({ code: import_zod2.z.enum(["GONE", "FAILING"]), message: import_zod2.z.string(), at: import_zod2.z.iso.datetime() }).nullable(), previousSecretUntil: import_zod2.z.iso.datetime().nullable(), createdAt: import_zod2.z.iso.datetime() }));
var NewWebhookSchema = /* @__PURE__ */ made(() => import_zod2.z.looseObject({ id: import_zod2.z.uuid(), url: import_zod2.z.string(), events: import_zod2.z.array(import_zod2.z.enum(["scan.completed", "scan.failed", "findings.opened", "findings.resolved", "schedule.disabled", "source.failed", "api_key.created", "break_glass.used", "sign_in.locked"])), description: import_zod2.z.string().max(200).regex(/^[^\0\p{Cs}]*$/u), format: import_zod2.z.enum(["standard", "slack"]), enabled: import_zod2.z.boolean(), failingSince: import_zod2.z.iso.datetime().nullable(), disabledReason: import_zod2.z.looseObject({ code: import_zod2.z.enum(["GONE", "FAILING"]), message: import_zod2.z.string(), at: import_zod2.z.iso.datetime() }).nullable(), previousSecretUntil: import_zod2.z.iso.datetime().nullable(), createdAt: import_zod2.z.iso.datetime(), secret: import_zod2.z.string() }));
var WebhookSecretSchema = /* @__PURE__ */ made(() => import_zod2.z.looseObject({ secret: import_zod2.z.string(), previousSecretUntil: import_zod2.z.iso.datetime() }));
var WebhookDeliverySchema = /* @__PURE__ */ made(() => import_zod2.z.looseObject({ id: import_zod2.z.uuid(), messageId: import_zod2.z.string(), type: import_zod2.z.enum(["scan.completed", "scan.failed", "findings.opened", "findings.resolved", "schedule.disabled", "source.failed", "api_key.created", "break_glass.used", "sign_in.locked", "webhook.test"]), status: import_zod2.z.enum(["pending", "delivered", "failed"]), createdAt: import_zod2.z.iso.datetime(), nextAttemptAt: import_zod2.z.iso.datetime().nullable(), attempts: import_zod2.z.array(import_zod2.z.looseObject({ at: import_zod2.z.iso.datetime(), status: import_zod2.z.int().nullable(), milliseconds: import_zod2.z.int(), problem: import_zod2.z.string().nullable() })), payload: import_zod2.z.record(import_zod2.z.string(), import_zod2.z.json()) }));
var FindingSummarySchema = /* @__PURE__ */ made(() => import_zod2.z.looseObject({ total: import_zod2.z.looseObject({ open: import_zod2.z.int(), resolved: import_zod2.z.int(), muted: import_zod2.z.int() }), bySeverity: import_zod2.z.looseObject({ critical: import_zod2.z.looseObject({ open: import_zod2.z.int(), resolved: import_zod2.z.int(), muted: import_zod2.z.int() }), high: import_zod2.z.looseObject({ open: import_zod2.z.int(), resolved: import_zod2.z.int(), muted: import_zod2.z.int() }), medium: import_zod2.z.looseObject({ open: import_zod2.z.int(), resolved: import_zod2.z.int(), muted: import_zod2.z.int() }), low: import_zod2.z.looseObject({ open: import_zod2.z.int(), resolved: import_zod2.z.int(), muted: import_zod2.z.int() }), info: import_zod2.z.looseObject({ open: import_zod2.z.int(), resolved: import_zod2.z.int(), muted: import_zod2.z.int() }) }), byProject: import_zod2.z.array(import_zod2.z.looseObject({ project: import_zod2.z.string().regex(/^[a-z0-9][a-z0-9._-]{0,62}$/), open: import_zod2.z.int(), resolved: import_zod2.z.int(), muted: import_zod2.z.int() })), byRule: import_zod2.z.array(import_zod2.z.looseObject({ ruleId: import_zod2.z.string(), severity: SeveritySchema, open: import_zod2.z.int(), resolved: import_zod2.z.int(), muted: import_zod2.z.int() })), facets: import_zod2.z.looseObject({ severity: import_zod2.z.array(import_zod2.z.looseObject({ value: import_zod2.z.string(), count: import_zod2.z.int() })), status: import_zod2.z.array(import_zod2.z.looseObject({ value: import_zod2.z.string(), count: import_zod2.z.int() })), project: import_zod2.z.array(import_zod2.z.looseObject({ value: import_zod2.z.string(), count: import_zod2.z.int() })), rule: import_zod2.z.array(import_zod2.z.looseObject({ value: import_zod2.z.string(), count: import_zod2.z.int() })), category: import_zod2.z.array(import_zod2.z.looseObject({ value: import_zod2.z.string(), count: import_zod2.z.int() })), assetType: import_zod2.z.array(import_zod2.z.looseObject({ value: import_zod2.z.string(), count: import_zod2.z.int() })), framework: import_zod2.z.array(import_zod2.z.looseObject({ value: import_zod2.z.string(), count: import_zod2.z.int() })), delta: import_zod2.z.array(import_zod2.z.looseObject({ value: import_zod2.z.string(), count: import_zod2.z.int() })), muted: import_zod2.z.array(import_zod2.z.looseObject({ value: import_zod2.z.string(), count: import_zod2.z.int() })) }) }));
var FindingGroupSchema = /* @__PURE__ */ made(() => import_zod2.z.looseObject({ key: import_zod2.z.string(), title: import_zod2.z.string(), severity: import_zod2.z.enum(["critical", "high", "medium", "low", "info"]), open: import_zod2.z.int(), resolved: import_zod2.z.int(), muted: import_zod2.z.int(), lastSeenAt: import_zod2.z.iso.datetime(), projects: import_zod2.z.int() }));
var FixSchema = /* @__PURE__ */ made(() => import_zod2.z.looseObject({ patch: import_zod2.z.array(import_zod2.z.looseObject({ op: import_zod2.z.enum(["add", "replace", "remove", "test"]), path: import_zod2.z.string(), value: import_zod2.z.json().optional() })), gcloud: import_zod2.z.string(), terraform: import_zod2.z.array(import_zod2.z.looseObject({ resource: import_zod2.z.string(), match: import_zod2.z.string().nullable(), attribute: import_zod2.z.string(), value: import_zod2.z.string().nullable() })), caution: import_zod2.z.string().nullable(), verified: import_zod2.z.literal(true) }));
var FindingWithFixSchema = /* @__PURE__ */ made(() => import_zod2.z.looseObject({ id: import_zod2.z.uuid(), fingerprint: import_zod2.z.string(), ruleId: import_zod2.z.string(), title: import_zod2.z.string(), severity: SeveritySchema, status: import_zod2.z.enum(["open", "resolved"]), delta: import_zod2.z.enum(["new", "unchanged", "reopened", "resolved"]), project: import_zod2.z.string().regex(/^[a-z0-9][a-z0-9._-]{0,62}$/), asset: import_zod2.z.looseObject({ name: import_zod2.z.string(), type: import_zod2.z.string() }), subject: import_zod2.z.string(), message: import_zod2.z.string(), evidence: import_zod2.z.array(import_zod2.z.looseObject({ path: import_zod2.z.string(), value: import_zod2.z.json() })), remediation: import_zod2.z.string(), compliance: import_zod2.z.array(ComplianceSchema), firstSeenAt: import_zod2.z.iso.datetime(), lastSeenAt: import_zod2.z.iso.datetime(), resolvedAt: import_zod2.z.iso.datetime().nullable(), resolvedReason: import_zod2.z.enum(["fixed", "asset_gone", "rule_retired"]).nullable(), muted: import_zod2.z.looseObject({ reason: import_zod2.z.string(), expiresAt: import_zod2.z.iso.datetime() }).nullable(), fix: FixSchema.nullable(), noFix: import_zod2.z.string().nullable() }));
var MuteSelectorSchema = /* @__PURE__ */ made(() => import_zod2.z.looseObject({ ruleId: import_zod2.z.string().max(100).regex(/^[^\0\p{Cs}]*$/u).min(1).optional(), asset: import_zod2.z.string().max(500).regex(/^[^\0\p{Cs}]*$/u).min(1).optional(), project: import_zod2.z.string().regex(/^[a-z0-9][a-z0-9._-]{0,62}$/).optional(), label: import_zod2.z.string().max(200).regex(/^[^\0\p{Cs}]*$/u).min(1).regex(/^[^=]{1,63}(=.{0,63})?$/).optional() }));
var MuteSchema = /* @__PURE__ */ made(() => import_zod2.z.looseObject({ id: import_zod2.z.uuid(), fingerprint: import_zod2.z.string().regex(/^[0-9a-f]{64}$/).nullable(), finding: import_zod2.z.looseObject({ id: import_zod2.z.uuid(), ruleId: import_zod2.z.string(), title: import_zod2.z.string(), severity: SeveritySchema, status: import_zod2.z.enum(["open", "resolved"]), project: import_zod2.z.string().regex(/^[a-z0-9][a-z0-9._-]{0,62}$/), asset: import_zod2.z.looseObject({ name: import_zod2.z.string(), type: import_zod2.z.string() }) }).nullable(), selector: MuteSelectorSchema.nullable(), reason: import_zod2.z.string(), expiresAt: import_zod2.z.iso.datetime(), createdBy: import_zod2.z.looseObject({ id: import_zod2.z.uuid().nullable(), label: import_zod2.z.string() }), createdAt: import_zod2.z.iso.datetime() }));
var BulkMuteSchema = /* @__PURE__ */ made(() => import_zod2.z.looseObject({ matched: import_zod2.z.int(), muted: import_zod2.z.int(), unchanged: import_zod2.z.int(), mutes: import_zod2.z.array(import_zod2.z.uuid()), expiresAt: import_zod2.z.iso.datetime() }));
var PostureSummarySchema = /* @__PURE__ */ made(() => import_zod2.z.looseObject({ open: import_zod2.z.looseObject({ critical: import_zod2.z.int(), high: import_zod2.z.int(), medium: import_zod2.z.int(), low: import_zod2.z.int(), info: import_zod2.z.int() }), score: import_zod2.z.number().nullable(), coverage: import_zod2.z.looseObject({ decided: import_zod2.z.int(), unknown: import_zod2.z.int(), percent: import_zod2.z.number().nullable() }), change7Days: import_zod2.z.looseObject({ score: import_zod2.z.number().nullable(), open: import_zod2.z.looseObject({ critical: import_zod2.z.int(), high: import_zod2.z.int(), medium: import_zod2.z.int(), low: import_zod2.z.int(), info: import_zod2.z.int() }) }).nullable(), change30Days: import_zod2.z.looseObject({ score: import_zod2.z.number().nullable(), open: import_zod2.z.looseObject({ critical: import_zod2.z.int(), high: import_zod2.z.int(), medium: import_zod2.z.int(), low: import_zod2.z.int(), info: import_zod2.z.int() }) }).nullable(), meanSecondsToResolve: import_zod2.z.looseObject({ critical: import_zod2.z.number().nullable(), high: import_zod2.z.number().nullable(), medium: import_zod2.z.number().nullable(), low: import_zod2.z.number().nullable(), info: import_zod2.z.number().nullable() }), projectCount: import_zod2.z.int(), projects: import_zod2.z.array(import_zod2.z.looseObject({ project: import_zod2.z.string().regex(/^[a-z0-9][a-z0-9._-]{0,62}$/), open: import_zod2.z.looseObject({ critical: import_zod2.z.int(), high: import_zod2.z.int(), medium: import_zod2.z.int(), low: import_zod2.z.int(), info: import_zod2.z.int() }), score: import_zod2.z.number().nullable(), coverage: import_zod2.z.looseObject({ decided: import_zod2.z.int(), unknown: import_zod2.z.int(), percent: import_zod2.z.number().nullable() }), scan: import_zod2.z.uuid(), scannedAt: import_zod2.z.iso.datetime() })), newestScans: import_zod2.z.array(import_zod2.z.looseObject({ id: import_zod2.z.uuid(), status: import_zod2.z.enum(["queued", "running", "completed", "partial", "failed", "cancelled"]), profile: import_zod2.z.string(), projectCount: import_zod2.z.int(), createdAt: import_zod2.z.iso.datetime(), finishedAt: import_zod2.z.iso.datetime().nullable() })), oldestCritical: import_zod2.z.array(import_zod2.z.looseObject({ id: import_zod2.z.uuid(), ruleId: import_zod2.z.string(), title: import_zod2.z.string(), project: import_zod2.z.string().regex(/^[a-z0-9][a-z0-9._-]{0,62}$/), asset: import_zod2.z.string(), firstSeenAt: import_zod2.z.iso.datetime() })), topRules: import_zod2.z.array(import_zod2.z.looseObject({ ruleId: import_zod2.z.string(), title: import_zod2.z.string(), severity: SeveritySchema, failing: import_zod2.z.int() })), compliance: import_zod2.z.array(import_zod2.z.looseObject({ framework: import_zod2.z.enum(["cis-gcp-2.0", "cis-gcp-4.0", "cis-gcp-5.0"]), pass: import_zod2.z.int(), fail: import_zod2.z.int(), unknown: import_zod2.z.int(), na: import_zod2.z.int(), manual: import_zod2.z.int() })) }));
var PostureIntervalSchema = /* @__PURE__ */ made(() => import_zod2.z.enum(["day", "week"]));
var PostureTrendSchema = /* @__PURE__ */ made(() => import_zod2.z.looseObject({ project: import_zod2.z.string().regex(/^[a-z0-9][a-z0-9._-]{0,62}$/).nullable(), from: import_zod2.z.iso.date(), to: import_zod2.z.iso.date(), interval: PostureIntervalSchema, points: import_zod2.z.array(import_zod2.z.looseObject({ date: import_zod2.z.iso.date(), open: import_zod2.z.looseObject({ critical: import_zod2.z.int(), high: import_zod2.z.int(), medium: import_zod2.z.int(), low: import_zod2.z.int(), info: import_zod2.z.int() }), opened: import_zod2.z.int(), resolved: import_zod2.z.int(), score: import_zod2.z.number().nullable(), coverage: import_zod2.z.looseObject({ decided: import_zod2.z.int(), unknown: import_zod2.z.int(), percent: import_zod2.z.number().nullable() }) })) }));
var ViewSchema = /* @__PURE__ */ made(() => import_zod2.z.looseObject({ id: import_zod2.z.uuid(), name: import_zod2.z.string().max(100).regex(/^[^\0\p{Cs}]*$/u).min(1), query: import_zod2.z.string().max(2e3).regex(/^([\w\-.~!$&'()*+,;=:@/?[\]]|%[0-9A-Fa-f]{2})*$/), shared: import_zod2.z.boolean(), createdBy: import_zod2.z.looseObject({ id: import_zod2.z.uuid(), label: import_zod2.z.string() }), createdAt: import_zod2.z.iso.datetime() }));
var NotificationsSchema = /* @__PURE__ */ made(() => import_zod2.z.looseObject({ digest: import_zod2.z.enum(["off", "immediate", "daily", "weekly"]) }));
var RuleSchema = /* @__PURE__ */ made(() => import_zod2.z.looseObject({ id: import_zod2.z.string(), version: import_zod2.z.int(), title: import_zod2.z.string(), severity: SeveritySchema, category: import_zod2.z.string(), assetTypes: import_zod2.z.array(import_zod2.z.string()), needs: import_zod2.z.array(import_zod2.z.string()), description: import_zod2.z.string(), remediation: import_zod2.z.string(), noFix: import_zod2.z.string().nullable(), compliance: import_zod2.z.array(ComplianceSchema), parameters: import_zod2.z.record(import_zod2.z.string(), import_zod2.z.json()) }));
var CustomRuleSchema = /* @__PURE__ */ made(() => import_zod2.z.looseObject({ id: import_zod2.z.string().regex(/^[a-z0-9][a-z0-9._-]{0,62}$/), version: import_zod2.z.int(), title: import_zod2.z.string(), description: import_zod2.z.string(), severity: SeveritySchema, assetTypes: import_zod2.z.array(import_zod2.z.string()), predicate: import_zod2.z.string(), recommendation: import_zod2.z.string(), enabled: import_zod2.z.boolean(), tests: import_zod2.z.array(import_zod2.z.looseObject({ asset: import_zod2.z.record(import_zod2.z.string(), import_zod2.z.json()), verdict: import_zod2.z.enum(["pass", "fail", "unknown"]) })), createdAt: import_zod2.z.iso.datetime(), updatedAt: import_zod2.z.iso.datetime() }));
var RuleTrialSchema = /* @__PURE__ */ made(() => import_zod2.z.looseObject({ verdicts: import_zod2.z.array(import_zod2.z.looseObject({ asset: import_zod2.z.looseObject({ name: import_zod2.z.string(), type: import_zod2.z.string() }), verdict: import_zod2.z.enum(["pass", "fail", "unknown"]), expected: import_zod2.z.enum(["pass", "fail", "unknown"]).nullable(), message: import_zod2.z.string() })), errors: import_zod2.z.array(import_zod2.z.looseObject({ path: import_zod2.z.string(), message: import_zod2.z.string() })), evaluated: import_zod2.z.int(), complete: import_zod2.z.boolean() }));
var AssetFieldsSchema = /* @__PURE__ */ made(() => import_zod2.z.looseObject({ fields: import_zod2.z.array(import_zod2.z.looseObject({ path: import_zod2.z.array(import_zod2.z.string()), kinds: import_zod2.z.array(import_zod2.z.enum(["string", "number", "boolean", "null", "object", "list"])), assets: import_zod2.z.int() })), sampled: import_zod2.z.int(), complete: import_zod2.z.boolean() }));
var ProfileSchema = /* @__PURE__ */ made(() => import_zod2.z.looseObject({ name: import_zod2.z.string(), aliasOf: import_zod2.z.string().nullable(), title: import_zod2.z.string(), description: import_zod2.z.string(), digest: import_zod2.z.string(), ruleCount: import_zod2.z.int(), rules: import_zod2.z.array(import_zod2.z.string()), definition: import_zod2.z.looseObject({ include: import_zod2.z.array(import_zod2.z.string()), exclude: import_zod2.z.array(import_zod2.z.string()), parameters: import_zod2.z.record(import_zod2.z.string(), import_zod2.z.record(import_zod2.z.string(), import_zod2.z.json())) }).nullable() }));
var HealthSchema = /* @__PURE__ */ made(() => import_zod2.z.looseObject({ status: import_zod2.z.enum(["ok"]), checks: import_zod2.z.record(import_zod2.z.string(), import_zod2.z.enum(["ok", "failing"])) }));
var ProblemPageSchema = /* @__PURE__ */ made(() => import_zod2.z.looseObject({ code: import_zod2.z.enum(["VALIDATION_FAILED", "INVALID_TOKEN", "TENANT_REQUIRED", "BREAK_GLASS_REASON_REQUIRED", "UNAUTHORIZED", "INVALID_CREDENTIALS", "TOTP_REQUIRED", "INVALID_CODE", "REGISTRATION_CLOSED", "SIGN_IN_CANCELLED", "FORBIDDEN", "CREDENTIAL_NOT_ALLOWED", "CROSS_SITE_REQUEST", "REAUTH_REQUIRED", "CONFIRMATION_REQUIRED", "MFA_REQUIRED", "FEATURE_NOT_LICENSED", "NOT_FOUND", "METHOD_NOT_ALLOWED", "REQUEST_TIMEOUT", "CONFLICT", "SCAN_NOT_COMPLETED", "IDEMPOTENCY_KEY_IN_USE", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE", "IDEMPOTENCY_KEY_MISMATCH", "PREFLIGHT_BLOCKED", "SCANS_NOT_COMPARABLE", "DOMAIN_NOT_VERIFIED", "SOURCE_REFUSED", "RATE_LIMITED", "INTERNAL", "AUTH_UNAVAILABLE", "SERVICE_UNAVAILABLE"]), type: import_zod2.z.string(), status: import_zod2.z.int(), title: import_zod2.z.string(), help: import_zod2.z.string() }));
var AuthLoginBodySchema = /* @__PURE__ */ made(() => import_zod2.z.strictObject({ email: import_zod2.z.email().max(254), password: import_zod2.z.string().max(512).regex(/^[^\0\p{Cs}]*$/u).min(1), totp: import_zod2.z.string().regex(/^[0-9]{6}$/).optional(), recoveryCode: import_zod2.z.string().max(512).regex(/^[^\0\p{Cs}]*$/u).min(1).optional(), tenantId: import_zod2.z.uuid().optional() }));
var AuthRefreshBodySchema = /* @__PURE__ */ made(() => import_zod2.z.strictObject({ refreshToken: import_zod2.z.string().max(512).regex(/^[^\0\p{Cs}]*$/u).min(1).optional() }));
var AuthLogoutBodySchema = /* @__PURE__ */ made(() => import_zod2.z.strictObject({ refreshToken: import_zod2.z.string().max(512).regex(/^[^\0\p{Cs}]*$/u).min(1).optional() }));
var AuthRegisterBodySchema = /* @__PURE__ */ made(() => import_zod2.z.strictObject({ email: import_zod2.z.email().max(254), password: import_zod2.z.string().max(72).regex(/^[^\0\p{Cs}]*$/u).min(1).min(12), name: import_zod2.z.string().min(1).max(100).regex(/^([^\p{Cs}\p{Cc}\p{Cf}]|[\u200c\u200d])*$/u).optional(), tenantName: import_zod2.z.string().min(1).max(100).regex(/^([^\p{Cs}\p{Cc}\p{Cf}]|[\u200c\u200d])*$/u) }));
var AuthVerifyEmailBodySchema = /* @__PURE__ */ made(() => import_zod2.z.strictObject({ token: import_zod2.z.string().max(512).regex(/^[^\0\p{Cs}]*$/u).min(1) }));
var AuthResendVerificationBodySchema = /* @__PURE__ */ made(() => import_zod2.z.strictObject({ email: import_zod2.z.email().max(254) }));
var AuthForgotPasswordBodySchema = /* @__PURE__ */ made(() => import_zod2.z.strictObject({ email: import_zod2.z.email().max(254) }));
var AuthResetPasswordBodySchema = /* @__PURE__ */ made(() => import_zod2.z.strictObject({ token: import_zod2.z.string().max(512).regex(/^[^\0\p{Cs}]*$/u).min(1), password: import_zod2.z.string().max(72).regex(/^[^\0\p{Cs}]*$/u).min(1).min(12) }));
var AuthAcceptInviteBodySchema = /* @__PURE__ */ made(() => import_zod2.z.strictObject({ token: import_zod2.z.string().max(512).regex(/^[^\0\p{Cs}]*$/u).min(1) }));
var AuthChangePasswordBodySchema = /* @__PURE__ */ made(() => import_zod2.z.strictObject({ currentPassword: import_zod2.z.string().max(512).regex(/^[^\0\p{Cs}]*$/u).min(1), newPassword: import_zod2.z.string().max(72).regex(/^[^\0\p{Cs}]*$/u).min(1).min(12) }));
var AuthGoogleBodySchema = /* @__PURE__ */ made(() => import_zod2.z.strictObject({ credential: import_zod2.z.string().max(8192).regex(/^[^\0\p{Cs}]*$/u).min(1), nonce: import_zod2.z.string().regex(/^[\x21-\x7e]{16,256}$/).optional() }));
var AuthExchangeBodySchema = /* @__PURE__ */ made(() => import_zod2.z.strictObject({ code: import_zod2.z.string().max(512).regex(/^[^\0\p{Cs}]*$/u).min(1) }));
var AuthConfirmBodySchema = /* @__PURE__ */ made(() => exactlyOne(import_zod2.z.strictObject({ token: import_zod2.z.string().max(512).regex(/^[^\0\p{Cs}]*$/u).min(1), password: import_zod2.z.string().max(512).regex(/^[^\0\p{Cs}]*$/u).min(1).optional(), code: import_zod2.z.string().regex(/^([0-9]{6}|[0-9A-Za-z]{6}(-?[0-9A-Za-z]{6}){3})$/).optional(), mailToken: import_zod2.z.string().max(512).regex(/^[^\0\p{Cs}]*$/u).min(1).optional() }), ["password", "code", "mailToken"]));
var AuthConfirmMailBodySchema = /* @__PURE__ */ made(() => import_zod2.z.strictObject({ token: import_zod2.z.string().max(512).regex(/^[^\0\p{Cs}]*$/u).min(1) }));
var TwoFactorSetupBodySchema = /* @__PURE__ */ made(() => import_zod2.z.strictObject({ password: import_zod2.z.string().max(512).regex(/^[^\0\p{Cs}]*$/u).min(1).optional() }));
var TwoFactorEnableBodySchema = /* @__PURE__ */ made(() => import_zod2.z.strictObject({ password: import_zod2.z.string().max(512).regex(/^[^\0\p{Cs}]*$/u).min(1).optional(), code: import_zod2.z.string().regex(/^[0-9]{6}$/) }));
var TwoFactorVerifyBodySchema = /* @__PURE__ */ made(() => import_zod2.z.strictObject({ code: import_zod2.z.string().regex(/^([0-9]{6}|[0-9A-Za-z]{6}(-?[0-9A-Za-z]{6}){3})$/) }));
var TwoFactorDisableBodySchema = /* @__PURE__ */ made(() => import_zod2.z.strictObject({ password: import_zod2.z.string().max(512).regex(/^[^\0\p{Cs}]*$/u).min(1).optional(), code: import_zod2.z.string().regex(/^([0-9]{6}|[0-9A-Za-z]{6}(-?[0-9A-Za-z]{6}){3})$/) }));
var TwoFactorRecoveryCodesBodySchema = /* @__PURE__ */ made(() => import_zod2.z.strictObject({ password: import_zod2.z.string().max(512).regex(/^[^\0\p{Cs}]*$/u).min(1).optional(), code: import_zod2.z.string().regex(/^([0-9]{6}|[0-9A-Za-z]{6}(-?[0-9A-Za-z]{6}){3})$/) }));
var ApiKeysCreateBodySchema = /* @__PURE__ */ made(() => import_zod2.z.strictObject({ name: import_zod2.z.string().max(100).regex(/^[^\0\p{Cs}]*$/u).min(1), expiresAt: import_zod2.z.iso.datetime({ offset: true }).optional() }));
var UsersCreateBodySchema = /* @__PURE__ */ made(() => import_zod2.z.strictObject({ email: import_zod2.z.email().max(254), name: import_zod2.z.string().min(1).max(100).regex(/^([^\p{Cs}\p{Cc}\p{Cf}]|[\u200c\u200d])*$/u).optional(), role: import_zod2.z.string().regex(/^[a-z][a-z0-9._-]{0,62}$/) }));
var UsersUpdateBodySchema = /* @__PURE__ */ made(() => import_zod2.z.strictObject({ name: import_zod2.z.string().min(1).max(100).regex(/^([^\p{Cs}\p{Cc}\p{Cf}]|[\u200c\u200d])*$/u).optional(), role: import_zod2.z.string().regex(/^[a-z][a-z0-9._-]{0,62}$/).optional(), status: import_zod2.z.enum(["active", "disabled"]).optional() }));
var RolesCreateBodySchema = /* @__PURE__ */ made(() => import_zod2.z.strictObject({ name: import_zod2.z.string().regex(/^[a-z][a-z0-9._-]{0,62}$/), permissions: import_zod2.z.array(import_zod2.z.enum(["scans.read", "scans.launch", "scans.cancel", "preflight.run", "projects.read", "projects.write", "findings.read", "findings.mute", "rules.read", "rules.write", "keys.own", "admin.users", "admin.settings", "admin.audit"])).min(1).max(14) }));
var RolesUpdateBodySchema = /* @__PURE__ */ made(() => import_zod2.z.strictObject({ permissions: import_zod2.z.array(import_zod2.z.enum(["scans.read", "scans.launch", "scans.cancel", "preflight.run", "projects.read", "projects.write", "findings.read", "findings.mute", "rules.read", "rules.write", "keys.own", "admin.users", "admin.settings", "admin.audit"])).min(1).max(14) }));
var TenantUpdateBodySchema = /* @__PURE__ */ made(() => import_zod2.z.strictObject({ name: import_zod2.z.string().min(1).max(100).regex(/^([^\p{Cs}\p{Cc}\p{Cf}]|[\u200c\u200d])*$/u).optional(), settings: import_zod2.z.strictObject({ inventoryMaxAgeHours: import_zod2.z.int().min(1).max(8760).optional(), muteDefaultDays: import_zod2.z.int().min(1).max(3650).optional(), allowedDomains: import_zod2.z.array(import_zod2.z.string().max(253).regex(/^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/)).max(100).optional() }).optional() }));
var SamlPutSettingsBodySchema = /* @__PURE__ */ made(() => import_zod2.z.strictObject({ metadataXml: import_zod2.z.string().max(262144).regex(/^[^\0\p{Cs}]*$/u).min(1).optional(), entityId: import_zod2.z.string().max(1024).regex(/^[^\0\p{Cs}]*$/u).min(1).optional(), ssoUrl: import_zod2.z.string().max(2048).regex(/^[^\0\p{Cs}]*$/u).min(1).optional(), certificates: import_zod2.z.array(import_zod2.z.string().max(16384).regex(/^[^\0\p{Cs}]*$/u).min(1)).min(1).max(10).optional(), emailDomains: import_zod2.z.array(import_zod2.z.string().max(253).regex(/^([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/)).min(1).max(50), defaultRole: import_zod2.z.string().regex(/^[a-z][a-z0-9._-]{0,62}$/) }));
var SamlDiscoverBodySchema = /* @__PURE__ */ made(() => import_zod2.z.strictObject({ email: import_zod2.z.email().max(254) }));
var DomainsCreateBodySchema = /* @__PURE__ */ made(() => import_zod2.z.strictObject({ domain: import_zod2.z.string().max(253).regex(/^[^\0\p{Cs}]*$/u).min(1) }));
var ProjectsCreateBodySchema = /* @__PURE__ */ made(() => import_zod2.z.strictObject({ name: import_zod2.z.string().regex(/^[a-z0-9][a-z0-9._-]{0,62}$/), description: import_zod2.z.string().max(500).regex(/^[^\0\p{Cs}]*$/u).min(1).optional() }));
var ProjectsUpdateBodySchema = /* @__PURE__ */ made(() => import_zod2.z.strictObject({ description: import_zod2.z.string().max(500).regex(/^[^\0\p{Cs}]*$/u).min(1).nullable().optional() }));
var SourcesSetBodySchema = /* @__PURE__ */ made(() => import_zod2.z.strictObject({ kind: import_zod2.z.literal("google-cloud"), parent: import_zod2.z.string().max(200).regex(/^[^\0\p{Cs}]*$/u).min(1), credential: import_zod2.z.discriminatedUnion("type", [import_zod2.z.strictObject({ type: import_zod2.z.literal("service_account_key"), key: import_zod2.z.record(import_zod2.z.string(), import_zod2.z.json()) }), import_zod2.z.strictObject({ type: import_zod2.z.literal("impersonation"), serviceAccount: import_zod2.z.string().max(254).regex(/^[^\0\p{Cs}]*$/u).min(1) })]) }));
var PreflightRunBodySchema = /* @__PURE__ */ made(() => import_zod2.z.strictObject({ projects: import_zod2.z.array(import_zod2.z.string().max(63).regex(/^[^\0\p{Cs}]*$/u).min(1)).min(1).max(100), profile: import_zod2.z.string().max(100).regex(/^[^\0\p{Cs}]*$/u).min(1) }));
var ScansLaunchBodySchema = /* @__PURE__ */ made(() => import_zod2.z.strictObject({ projects: import_zod2.z.array(import_zod2.z.string().max(63).regex(/^[^\0\p{Cs}]*$/u).min(1)).min(1).max(100), profile: import_zod2.z.string().max(100).regex(/^[^\0\p{Cs}]*$/u).min(1) }));
var SchedulesCreateBodySchema = /* @__PURE__ */ made(() => import_zod2.z.strictObject({ name: import_zod2.z.string().max(100).regex(/^[^\0\p{Cs}]*$/u).min(1), projects: import_zod2.z.array(import_zod2.z.string().max(63).regex(/^[^\0\p{Cs}]*$/u).min(1)).min(1).max(100), profile: import_zod2.z.string().max(100).regex(/^[^\0\p{Cs}]*$/u).min(1), cron: import_zod2.z.string().max(100).regex(/^[0-9A-Za-z*,/?#+-]+( [0-9A-Za-z*,/?#+-]+){4}$/), timezone: import_zod2.z.string().max(64).regex(/^[A-Za-z][A-Za-z0-9_+/-]*$/).optional(), pullFirst: import_zod2.z.boolean().optional(), enabled: import_zod2.z.boolean().optional() }));
var SchedulesUpdateBodySchema = /* @__PURE__ */ made(() => import_zod2.z.strictObject({ name: import_zod2.z.string().max(100).regex(/^[^\0\p{Cs}]*$/u).min(1), projects: import_zod2.z.array(import_zod2.z.string().max(63).regex(/^[^\0\p{Cs}]*$/u).min(1)).min(1).max(100), profile: import_zod2.z.string().max(100).regex(/^[^\0\p{Cs}]*$/u).min(1), cron: import_zod2.z.string().max(100).regex(/^[0-9A-Za-z*,/?#+-]+( [0-9A-Za-z*,/?#+-]+){4}$/), timezone: import_zod2.z.string().max(64).regex(/^[A-Za-z][A-Za-z0-9_+/-]*$/), pullFirst: import_zod2.z.boolean().optional(), enabled: import_zod2.z.boolean() }));
var WebhooksCreateBodySchema = /* @__PURE__ */ made(() => import_zod2.z.strictObject({ url: import_zod2.z.string().max(2048).regex(/^[^\0\p{Cs}]*$/u).min(1).regex(/^https?:\/\/[^\s\\]+$/i), events: import_zod2.z.array(import_zod2.z.enum(["scan.completed", "scan.failed", "findings.opened", "findings.resolved", "schedule.disabled", "source.failed", "api_key.created", "break_glass.used", "sign_in.locked"])).min(1).max(9), description: import_zod2.z.string().max(200).regex(/^[^\0\p{Cs}]*$/u).optional(), format: import_zod2.z.enum(["standard", "slack"]).optional(), enabled: import_zod2.z.boolean().optional() }));
var WebhooksUpdateBodySchema = /* @__PURE__ */ made(() => import_zod2.z.strictObject({ url: import_zod2.z.string().max(2048).regex(/^[^\0\p{Cs}]*$/u).min(1).regex(/^https?:\/\/[^\s\\]+$/i), events: import_zod2.z.array(import_zod2.z.enum(["scan.completed", "scan.failed", "findings.opened", "findings.resolved", "schedule.disabled", "source.failed", "api_key.created", "break_glass.used", "sign_in.locked"])).min(1).max(9), description: import_zod2.z.string().max(200).regex(/^[^\0\p{Cs}]*$/u).optional(), format: import_zod2.z.enum(["standard", "slack"]).optional(), enabled: import_zod2.z.boolean() }));
var MutesCreateBodySchema = /* @__PURE__ */ made(() => exactlyOne(import_zod2.z.strictObject({ fingerprint: import_zod2.z.string().regex(/^[0-9a-f]{64}$/).optional(), selector: import_zod2.z.strictObject({ ruleId: import_zod2.z.string().max(100).regex(/^[^\0\p{Cs}]*$/u).min(1).optional(), asset: import_zod2.z.string().max(500).regex(/^[^\0\p{Cs}]*$/u).min(1).optional(), project: import_zod2.z.string().regex(/^[a-z0-9][a-z0-9._-]{0,62}$/).optional(), label: import_zod2.z.string().max(200).regex(/^[^\0\p{Cs}]*$/u).min(1).regex(/^[^=]{1,63}(=.{0,63})?$/).optional() }).optional(), reason: import_zod2.z.string().max(500).regex(/^[^\0\p{Cs}]*$/u).min(1), expiresAt: import_zod2.z.iso.datetime({ offset: true }).optional() }), ["fingerprint", "selector"]));
var MutesBulkCreateBodySchema = /* @__PURE__ */ made(() => exactlyOne(import_zod2.z.strictObject({ findingIds: import_zod2.z.array(import_zod2.z.uuid()).min(1).max(1e3).optional(), filter: import_zod2.z.strictObject({ project: import_zod2.z.array(import_zod2.z.string().regex(/^[a-z0-9][a-z0-9._-]{0,62}$/)).max(100).optional(), severity: import_zod2.z.array(import_zod2.z.enum(["critical", "high", "medium", "low", "info"])).max(5).optional(), status: import_zod2.z.array(import_zod2.z.enum(["open", "resolved"])).max(2).optional(), rule: import_zod2.z.array(import_zod2.z.string().max(100).regex(/^[^\0\p{Cs}]*$/u).min(1)).max(100).optional(), scan: import_zod2.z.uuid().optional(), muted: import_zod2.z.boolean().optional(), q: import_zod2.z.string().max(200).regex(/^[^\0\p{Cs}]*$/u).min(1).optional(), category: import_zod2.z.array(import_zod2.z.string().max(50).regex(/^[^\0\p{Cs}]*$/u).min(1)).max(20).optional(), assetType: import_zod2.z.array(import_zod2.z.string().max(200).regex(/^[^\0\p{Cs}]*$/u).min(1)).max(50).optional(), framework: import_zod2.z.array(import_zod2.z.string().max(50).regex(/^[^\0\p{Cs}]*$/u).min(1)).max(20).optional(), delta: import_zod2.z.array(import_zod2.z.enum(["new", "unchanged", "reopened", "resolved"])).max(4).optional(), since: import_zod2.z.iso.datetime({ offset: true }).optional(), asset: import_zod2.z.string().max(2048).regex(/^[^\0\p{Cs}]*$/u).min(1).optional(), fingerprint: import_zod2.z.string().regex(/^[0-9a-f]{64}$/).optional() }).optional(), reason: import_zod2.z.string().max(500).regex(/^[^\0\p{Cs}]*$/u).min(1), expiresAt: import_zod2.z.iso.datetime({ offset: true }).optional() }), ["findingIds", "filter"]));
var ViewsCreateBodySchema = /* @__PURE__ */ made(() => import_zod2.z.strictObject({ name: import_zod2.z.string().max(100).regex(/^[^\0\p{Cs}]*$/u).min(1), query: import_zod2.z.string().max(2e3).regex(/^([\w\-.~!$&'()*+,;=:@/?[\]]|%[0-9A-Fa-f]{2})*$/), shared: import_zod2.z.boolean().optional() }));
var ViewsUpdateBodySchema = /* @__PURE__ */ made(() => import_zod2.z.strictObject({ name: import_zod2.z.string().max(100).regex(/^[^\0\p{Cs}]*$/u).min(1), query: import_zod2.z.string().max(2e3).regex(/^([\w\-.~!$&'()*+,;=:@/?[\]]|%[0-9A-Fa-f]{2})*$/), shared: import_zod2.z.boolean() }));
var NotificationsUpdateBodySchema = /* @__PURE__ */ made(() => import_zod2.z.strictObject({ digest: import_zod2.z.enum(["off", "immediate", "daily", "weekly"]) }));
var CustomRulesCreateBodySchema = /* @__PURE__ */ made(() => import_zod2.z.strictObject({ id: import_zod2.z.string().regex(/^[a-z0-9][a-z0-9._-]{0,62}$/).optional(), title: import_zod2.z.string().max(200).regex(/^[^\0\p{Cs}]*$/u).min(1), description: import_zod2.z.union([import_zod2.z.string().max(2e3).regex(/^[^\0\p{Cs}]*$/u).min(1).optional(), import_zod2.z.literal("")]), severity: import_zod2.z.enum(["critical", "high", "medium", "low", "info"]), assetTypes: import_zod2.z.array(import_zod2.z.string().max(200).regex(/^[^\0\p{Cs}]*$/u).min(1)).min(1).max(20), predicate: import_zod2.z.string().max(5e3).regex(/^[^\0\p{Cs}]*$/u).min(1), recommendation: import_zod2.z.union([import_zod2.z.string().max(2e3).regex(/^[^\0\p{Cs}]*$/u).min(1).optional(), import_zod2.z.literal("")]), enabled: import_zod2.z.boolean().optional(), tests: import_zod2.z.array(import_zod2.z.strictObject({ asset: import_zod2.z.record(import_zod2.z.string(), import_zod2.z.json()), verdict: import_zod2.z.enum(["pass", "fail", "unknown"]) })).max(50).optional() }));
var CustomRulesUpdateBodySchema = /* @__PURE__ */ made(() => import_zod2.z.strictObject({ title: import_zod2.z.string().max(200).regex(/^[^\0\p{Cs}]*$/u).min(1), description: import_zod2.z.union([import_zod2.z.string().max(2e3).regex(/^[^\0\p{Cs}]*$/u).min(1).optional(), import_zod2.z.literal("")]), severity: import_zod2.z.enum(["critical", "high", "medium", "low", "info"]), assetTypes: import_zod2.z.array(import_zod2.z.string().max(200).regex(/^[^\0\p{Cs}]*$/u).min(1)).min(1).max(20), predicate: import_zod2.z.string().max(5e3).regex(/^[^\0\p{Cs}]*$/u).min(1), recommendation: import_zod2.z.union([import_zod2.z.string().max(2e3).regex(/^[^\0\p{Cs}]*$/u).min(1).optional(), import_zod2.z.literal("")]), enabled: import_zod2.z.boolean().optional(), tests: import_zod2.z.array(import_zod2.z.strictObject({ asset: import_zod2.z.record(import_zod2.z.string(), import_zod2.z.json()), verdict: import_zod2.z.enum(["pass", "fail", "unknown"]) })).max(50).optional() }));
var CustomRulesTestBodySchema = /* @__PURE__ */ made(() => import_zod2.z.strictObject({ rule: import_zod2.z.strictObject({ id: import_zod2.z.string().regex(/^[a-z0-9][a-z0-9._-]{0,62}$/).optional(), title: import_zod2.z.string().max(200).regex(/^[^\0\p{Cs}]*$/u).min(1), description: import_zod2.z.union([import_zod2.z.string().max(2e3).regex(/^[^\0\p{Cs}]*$/u).min(1).optional(), import_zod2.z.literal("")]), severity: import_zod2.z.enum(["critical", "high", "medium", "low", "info"]), assetTypes: import_zod2.z.array(import_zod2.z.string().max(200).regex(/^[^\0\p{Cs}]*$/u).min(1)).min(1).max(20), predicate: import_zod2.z.string().max(5e3).regex(/^[^\0\p{Cs}]*$/u).min(1), recommendation: import_zod2.z.union([import_zod2.z.string().max(2e3).regex(/^[^\0\p{Cs}]*$/u).min(1).optional(), import_zod2.z.literal("")]), enabled: import_zod2.z.boolean().optional(), tests: import_zod2.z.array(import_zod2.z.strictObject({ asset: import_zod2.z.record(import_zod2.z.string(), import_zod2.z.json()), verdict: import_zod2.z.enum(["pass", "fail", "unknown"]) })).max(50).optional() }), project: import_zod2.z.string().regex(/^[a-z0-9][a-z0-9._-]{0,62}$/).optional() }));
var ProfilesCreateBodySchema = /* @__PURE__ */ made(() => import_zod2.z.strictObject({ name: import_zod2.z.string().regex(/^custom:[a-z0-9][a-z0-9._-]{0,62}$/), include: import_zod2.z.array(import_zod2.z.string().max(100).regex(/^[^\0\p{Cs}]*$/u).min(1)).max(200).min(1), exclude: import_zod2.z.array(import_zod2.z.string().max(100).regex(/^[^\0\p{Cs}]*$/u).min(1)).max(200).optional(), parameters: import_zod2.z.record(import_zod2.z.string().max(100).regex(/^[^\0\p{Cs}]*$/u).min(1), import_zod2.z.record(import_zod2.z.string(), import_zod2.z.json())).optional() }));
var ProfilesUpdateBodySchema = /* @__PURE__ */ made(() => import_zod2.z.strictObject({ include: import_zod2.z.array(import_zod2.z.string().max(100).regex(/^[^\0\p{Cs}]*$/u).min(1)).max(200).min(1), exclude: import_zod2.z.array(import_zod2.z.string().max(100).regex(/^[^\0\p{Cs}]*$/u).min(1)).max(200).optional(), parameters: import_zod2.z.record(import_zod2.z.string().max(100).regex(/^[^\0\p{Cs}]*$/u).min(1), import_zod2.z.record(import_zod2.z.string(), import_zod2.z.json())).optional() }));

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
  "GET /openapi.json": () => import_zod3.z.record(import_zod3.z.string(), import_zod3.z.json()),
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
  return (0, import__.createClient)(
    validateResponses ? { ...plain, fetch: validatingFetch(options.baseUrl, fetch) } : plain
  );
}
// Annotate the CommonJS export names for ESM import in node:
0 && (module.exports = {
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
});
//# sourceMappingURL=schemas.cjs.map
