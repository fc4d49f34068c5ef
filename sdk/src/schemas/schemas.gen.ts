// Generated from the contract by `npm run generate`. Do not edit.
import { z } from 'zod';
import type {
  Accepted,
  ApiKey,
  ApiKeysCreateInput,
  Asset,
  AssetDetails,
  AssetFields,
  AssetVerdict,
  AuditEvent,
  AuthAcceptInviteInput,
  AuthChangePasswordInput,
  AuthConfirmInput,
  AuthConfirmMailInput,
  AuthExchangeInput,
  AuthForgotPasswordInput,
  AuthGoogleInput,
  AuthLoginInput,
  AuthLogoutInput,
  AuthRefreshInput,
  AuthRegisterInput,
  AuthResendVerificationInput,
  AuthResetPasswordInput,
  AuthVerifyEmailInput,
  BulkMute,
  ComparedFinding,
  Compliance,
  ComplianceReport,
  CustomRule,
  CustomRulesCreateInput,
  CustomRulesTestInput,
  CustomRulesUpdateInput,
  Domain,
  DomainsCreateInput,
  Finding,
  FindingGroup,
  FindingSummary,
  FindingWithFix,
  Fix,
  Health,
  Identity,
  Inventory,
  Mute,
  MuteSelector,
  MutesBulkCreateInput,
  MutesCreateInput,
  NewApiKey,
  NewWebhook,
  Notifications,
  NotificationsUpdateInput,
  PostureInterval,
  PostureSummary,
  PostureTrend,
  Preflight,
  PreflightCheck,
  PreflightRunInput,
  ProblemPage,
  Profile,
  ProfilesCreateInput,
  ProfilesUpdateInput,
  Project,
  ProjectSource,
  ProjectsCreateInput,
  ProjectsUpdateInput,
  Pull,
  RecoveryCodes,
  Role,
  RolesCreateInput,
  RolesUpdateInput,
  Rule,
  RuleCount,
  RuleTrial,
  SamlDiscoverInput,
  SamlDiscovery,
  SamlPutSettingsInput,
  SamlSettings,
  Scan,
  ScanComparison,
  ScansLaunchInput,
  Schedule,
  SchedulesCreateInput,
  SchedulesUpdateInput,
  Session,
  Severity,
  SignInMethods,
  SourceCheck,
  SourcesSetInput,
  Tenant,
  TenantSettings,
  TenantUpdateInput,
  Tokens,
  TwoFactorDisableInput,
  TwoFactorEnableInput,
  TwoFactorRecoveryCodesInput,
  TwoFactorSetup,
  TwoFactorSetupInput,
  TwoFactorVerifyInput,
  User,
  UsersCreateInput,
  UsersUpdateInput,
  View,
  ViewsCreateInput,
  ViewsUpdateInput,
  Webhook,
  WebhookDelivery,
  WebhookSecret,
  WebhooksCreateInput,
  WebhooksUpdateInput,
} from '../index.ts';
import { exactlyOne, made } from './made.ts';

/** A session: a short-lived access token and a refresh token. */
export const TokensSchema: z.ZodType<Tokens> = /* @__PURE__ */ made(() => z.looseObject({ accessToken: z.string(), refreshToken: z.string(), tokenType: z.literal("Bearer"), expiresIn: z.int() }));

/** The next step. The response is the same for every caller. */
export const AcceptedSchema: z.ZodType<Accepted> = /* @__PURE__ */ made(() => z.looseObject({ message: z.string() }));

/** The ways to sign in to this server. */
export const SignInMethodsSchema: z.ZodType<SignInMethods> = /* @__PURE__ */ made(() => z.looseObject({ password: z.literal(true), registration: z.boolean(), google: z.boolean(), saml: z.boolean() }));

/** The user, tenant and permissions of the credential. */
export const IdentitySchema: z.ZodType<Identity> = /* @__PURE__ */ made(() => z.looseObject({ user: z.looseObject({ id: z.uuid(), email: z.string(), name: z.string().nullable(), emailVerified: z.boolean(), twoFactorEnabled: z.boolean() }).nullable(), tenant: z.looseObject({ id: z.uuid(), name: z.string(), features: z.array(z.enum(["sso","custom_rules","audit_export"])) }), role: z.string(), permissions: z.array(z.enum(["scans.read","scans.launch","scans.cancel","preflight.run","projects.read","projects.write","findings.read","findings.mute","rules.read","rules.write","keys.own","admin.users","admin.settings","admin.audit"])), credential: z.looseObject({ kind: z.enum(["jwt","api_key","global_api_key","master_key"]), mfa: z.boolean(), expiresAt: z.iso.datetime().nullable() }), memberships: z.array(z.looseObject({ tenantId: z.uuid(), tenantName: z.string(), role: z.string() })) }));

/** A secret that is not confirmed yet. */
export const TwoFactorSetupSchema: z.ZodType<TwoFactorSetup> = /* @__PURE__ */ made(() => z.looseObject({ secret: z.string(), otpauthUri: z.string() }));

/** Recovery codes, for use if the authenticator is lost. */
export const RecoveryCodesSchema: z.ZodType<RecoveryCodes> = /* @__PURE__ */ made(() => z.looseObject({ recoveryCodes: z.array(z.string()) }));

/** An active sign-in. */
export const SessionSchema: z.ZodType<Session> = /* @__PURE__ */ made(() => z.looseObject({ id: z.uuid(), tenantId: z.uuid(), current: z.boolean(), mfa: z.boolean(), createdAt: z.iso.datetime(), lastUsedAt: z.iso.datetime(), expiresAt: z.iso.datetime() }));

/** An API key for automation. It has the current permissions of its owner. */
export const ApiKeySchema: z.ZodType<ApiKey> = /* @__PURE__ */ made(() => z.looseObject({ id: z.uuid(), name: z.string(), prefix: z.string(), userId: z.uuid(), createdAt: z.iso.datetime(), expiresAt: z.iso.datetime().nullable(), lastUsedAt: z.iso.datetime().nullable() }));

/** A newly created key with its secret. */
export const NewApiKeySchema: z.ZodType<NewApiKey> = /* @__PURE__ */ made(() => z.looseObject({ id: z.uuid(), name: z.string(), prefix: z.string(), createdAt: z.iso.datetime(), expiresAt: z.iso.datetime().nullable(), key: z.string() }));

/** A member of your tenant. */
export const UserSchema: z.ZodType<User> = /* @__PURE__ */ made(() => z.looseObject({ id: z.uuid(), email: z.string(), name: z.string().nullable(), role: z.string(), status: z.enum(["invited","active","disabled"]), twoFactorEnabled: z.boolean(), lastLoginAt: z.iso.datetime().nullable(), createdAt: z.iso.datetime() }));

/** A set of permissions that can be assigned to members. */
export const RoleSchema: z.ZodType<Role> = /* @__PURE__ */ made(() => z.looseObject({ name: z.string().regex(/^[a-z][a-z0-9._-]{0,62}$/), permissions: z.array(z.enum(["scans.read","scans.launch","scans.cancel","preflight.run","projects.read","projects.write","findings.read","findings.mute","rules.read","rules.write","keys.own","admin.users","admin.settings","admin.audit"])), builtIn: z.boolean() }));

/** Settings of the tenant, controlled by its administrators. */
export const TenantSettingsSchema: z.ZodType<TenantSettings> = /* @__PURE__ */ made(() => z.looseObject({ inventoryMaxAgeHours: z.int().min(1).max(8760), muteDefaultDays: z.int().min(1).max(3650), allowedDomains: z.array(z.string().max(253).regex(/^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/)).max(100) }));

/** Your tenant. */
export const TenantSchema: z.ZodType<Tenant> = /* @__PURE__ */ made(() => z.looseObject({ id: z.uuid(), name: z.string(), features: z.array(z.enum(["sso","custom_rules","audit_export"])), settings: TenantSettingsSchema, googlePrincipalPrefix: z.string() }));

/** The SAML identity provider of your tenant. */
export const SamlSettingsSchema: z.ZodType<SamlSettings> = /* @__PURE__ */ made(() => z.looseObject({ id: z.uuid(), entityId: z.string().max(1024).regex(/^[^\0\p{Cs}]*$/u).min(1), ssoUrl: z.string().max(2048).regex(/^[^\0\p{Cs}]*$/u).min(1), certificates: z.array(z.string()), emailDomains: z.array(z.string().max(253).regex(/^([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/)).min(1).max(50), defaultRole: z.string().regex(/^[a-z][a-z0-9._-]{0,62}$/), createdAt: z.iso.datetime(), serviceProvider: z.looseObject({ entityId: z.string(), acsUrl: z.string(), metadataUrl: z.string(), loginUrl: z.string() }) }));

/** Where a sign-in with SAML starts. */
export const SamlDiscoverySchema: z.ZodType<SamlDiscovery> = /* @__PURE__ */ made(() => z.looseObject({ loginUrl: z.string().nullable() }));

/** An e-mail domain of your tenant. */
export const DomainSchema: z.ZodType<Domain> = /* @__PURE__ */ made(() => z.looseObject({ domain: z.string(), status: z.enum(["pending","verified"]), record: z.looseObject({ type: z.literal("TXT"), name: z.string(), value: z.string() }), createdAt: z.iso.datetime(), verifiedAt: z.iso.datetime().nullable() }));

/** An audit event: what happened, who did it, and from where. */
export const AuditEventSchema: z.ZodType<AuditEvent> = /* @__PURE__ */ made(() => z.looseObject({ id: z.uuid(), at: z.iso.datetime(), action: z.string(), outcome: z.enum(["success","failure"]), actor: z.looseObject({ kind: z.string(), id: z.uuid().nullable(), label: z.string().nullable() }), tenantId: z.uuid(), targetTenantId: z.uuid().nullable(), ip: z.string(), correlationId: z.string(), subject: z.string().nullable(), detail: z.record(z.string(), z.json()) }));

/** The unit of scanning: a cloud project and its inventory. */
export const ProjectSchema: z.ZodType<Project> = /* @__PURE__ */ made(() => z.looseObject({ id: z.uuid(), name: z.string().regex(/^[a-z0-9][a-z0-9._-]{0,62}$/), description: z.string().nullable(), inventory: z.looseObject({ id: z.uuid(), assets: z.int(), createdAt: z.iso.datetime() }).nullable(), hasSource: z.boolean(), createdAt: z.iso.datetime() }));

/** A snapshot of the resources of a project. */
export const InventorySchema: z.ZodType<Inventory> = /* @__PURE__ */ made(() => z.looseObject({ id: z.uuid(), assets: z.int(), assetTypes: z.array(z.looseObject({ type: z.string(), count: z.int() })), locations: z.array(z.looseObject({ location: z.string(), count: z.int() })), bytes: z.int(), warnings: z.array(z.looseObject({ line: z.int(), message: z.string() })), truncated: z.boolean(), createdAt: z.iso.datetime() }));

/** The severity, from worst to least. */
export const SeveritySchema: z.ZodType<Severity> = /* @__PURE__ */ made(() => z.enum(["critical","high","medium","low","info"]));

/** An asset of the current inventory of a project. */
export const AssetSchema: z.ZodType<Asset> = /* @__PURE__ */ made(() => z.looseObject({ name: z.string(), type: z.string(), location: z.string().nullable(), openFindings: z.int(), worstSeverity: SeveritySchema.nullable() }));

/** The number of the requirement in the framework. */
export const ComplianceSchema: z.ZodType<Compliance> = /* @__PURE__ */ made(() => z.looseObject({ framework: z.string(), id: z.string() }));

/** A rule violation on an asset. */
export const FindingSchema: z.ZodType<Finding> = /* @__PURE__ */ made(() => z.looseObject({ id: z.uuid(), fingerprint: z.string(), ruleId: z.string(), title: z.string(), severity: SeveritySchema, status: z.enum(["open","resolved"]), delta: z.enum(["new","unchanged","reopened","resolved"]), project: z.string().regex(/^[a-z0-9][a-z0-9._-]{0,62}$/), asset: z.looseObject({ name: z.string(), type: z.string() }), subject: z.string(), message: z.string(), evidence: z.array(z.looseObject({ path: z.string(), value: z.json() })), remediation: z.string(), compliance: z.array(ComplianceSchema), firstSeenAt: z.iso.datetime(), lastSeenAt: z.iso.datetime(), resolvedAt: z.iso.datetime().nullable(), resolvedReason: z.enum(["fixed","asset_gone","rule_retired"]).nullable(), muted: z.looseObject({ reason: z.string(), expiresAt: z.iso.datetime() }).nullable() }));

/** The verdict of one rule on an asset. */
export const AssetVerdictSchema: z.ZodType<AssetVerdict> = /* @__PURE__ */ made(() => z.looseObject({ ruleId: z.string(), title: z.string(), severity: SeveritySchema.nullable(), verdict: z.enum(["pass","fail","unknown","na"]), missing: z.string().nullable() }));

/** An asset as stored, with its findings and the verdicts of the last scan. */
export const AssetDetailsSchema: z.ZodType<AssetDetails> = /* @__PURE__ */ made(() => z.looseObject({ name: z.string(), type: z.string(), location: z.string().nullable(), inventory: z.looseObject({ id: z.uuid(), createdAt: z.iso.datetime() }), asset: z.record(z.string(), z.json()).nullable(), findings: z.array(FindingSchema), scan: z.looseObject({ id: z.uuid(), createdAt: z.iso.datetime() }).nullable(), verdicts: z.array(AssetVerdictSchema).nullable() }));

/** Where the inventory of a project is pulled from. Its credential is never shown. */
export const ProjectSourceSchema: z.ZodType<ProjectSource> = /* @__PURE__ */ made(() => z.looseObject({ kind: z.literal("google-cloud"), parent: z.string().max(200).regex(/^[^\0\p{Cs}]*$/u).min(1), credentialType: z.enum(["service_account_key","impersonation"]), principal: z.string(), createdBy: z.looseObject({ kind: z.string(), id: z.uuid().nullable(), label: z.string() }), createdAt: z.iso.datetime(), lastPull: z.looseObject({ id: z.uuid(), at: z.iso.datetime(), status: z.enum(["queued","running","completed","partial","failed"]), assets: z.int().nullable(), problem: z.string().nullable() }).nullable() }));

/** What the credential of a source can read. */
export const SourceCheckSchema: z.ZodType<SourceCheck> = /* @__PURE__ */ made(() => z.looseObject({ ok: z.boolean(), checks: z.array(z.looseObject({ name: z.string(), ok: z.boolean(), detail: z.string(), remedy: z.string() })) }));

/** A job that pulls a new inventory from the source of a project. */
export const PullSchema: z.ZodType<Pull> = /* @__PURE__ */ made(() => z.looseObject({ id: z.uuid(), status: z.enum(["queued","running","completed","partial","failed"]), parent: z.string().max(200).regex(/^[^\0\p{Cs}]*$/u).min(1), pages: z.int(), records: z.int(), assets: z.int().nullable(), seconds: z.number().nullable(), readTime: z.iso.datetime().nullable(), missing: z.array(z.looseObject({ contentType: z.enum(["RESOURCE","IAM_POLICY","ORG_POLICY"]), permission: z.string(), remedy: z.string() })), problem: z.string().nullable(), problemCode: z.string().nullable(), inventoryId: z.uuid().nullable(), createdBy: z.looseObject({ kind: z.string(), id: z.uuid().nullable(), label: z.string() }), createdAt: z.iso.datetime(), startedAt: z.iso.datetime().nullable(), finishedAt: z.iso.datetime().nullable() }));

/** One preflight check. */
export const PreflightCheckSchema: z.ZodType<PreflightCheck> = /* @__PURE__ */ made(() => z.looseObject({ id: z.enum(["profile.known","project.known","project.duplicate","source.attached","source.parseable","source.scope","source.freshness","coverage.types","coverage.iam","estimate","permission","quota.scans","rate.remaining","conflict.active","mutes.expiring","baseline"]), status: z.enum(["pass","warn","fail","skip"]), code: z.string(), message: z.string(), remediation: z.string() }));

/** Whether a scan can start, and the checks that failed. */
export const PreflightSchema: z.ZodType<Preflight> = /* @__PURE__ */ made(() => z.looseObject({ decision: z.enum(["ready","ready_with_warnings","blocked"]), profile: z.looseObject({ name: z.string(), digest: z.string().nullable(), ruleCount: z.int() }), projects: z.array(z.looseObject({ name: z.string(), checks: z.array(PreflightCheckSchema) })), estimate: z.looseObject({ assets: z.int(), evaluations: z.int(), seconds: z.number() }), limits: z.looseObject({ projectsPerScan: z.int(), launchesPerMinute: z.int() }), expiresAt: z.iso.datetime() }));

/** An evaluation of rules on the inventories of projects. */
export const ScanSchema: z.ZodType<Scan> = /* @__PURE__ */ made(() => z.looseObject({ id: z.uuid(), status: z.enum(["queued","running","completed","partial","failed","cancelled"]), profile: z.string(), profileDigest: z.string(), projects: z.array(z.looseObject({ name: z.string().regex(/^[a-z0-9][a-z0-9._-]{0,62}$/), status: z.enum(["queued","running","completed","failed","cancelled"]), assets: z.int(), evaluations: z.int(), findings: z.int(), error: z.string().nullable(), inventoryId: z.uuid().nullable() })), totals: z.looseObject({ assets: z.int(), evaluations: z.int(), pass: z.int(), fail: z.int(), unknown: z.int(), bySeverity: z.looseObject({ critical: z.int(), high: z.int(), medium: z.int(), low: z.int(), info: z.int() }) }), delta: z.looseObject({ new: z.int(), resolved: z.int(), reopened: z.int(), unchanged: z.int() }), coverage: z.looseObject({ rules: z.int(), decided: z.int(), undecided: z.int(), unmet: z.int() }).nullable(), createdBy: z.looseObject({ kind: z.string(), id: z.uuid().nullable(), label: z.string() }), scheduleId: z.uuid().nullable(), createdAt: z.iso.datetime(), startedAt: z.iso.datetime().nullable(), finishedAt: z.iso.datetime().nullable() }));

/** Verdicts of one rule in a scan, across the assets of its types. */
export const RuleCountSchema: z.ZodType<RuleCount> = /* @__PURE__ */ made(() => z.looseObject({ ruleId: z.string(), pass: z.int(), fail: z.int(), na: z.int(), unknown: z.int(), missing: z.array(z.string()) }));

/** The status of each requirement in a scan. */
export const ComplianceReportSchema: z.ZodType<ComplianceReport> = /* @__PURE__ */ made(() => z.looseObject({ framework: z.enum(["cis-gcp-2.0","cis-gcp-4.0","cis-gcp-5.0"]), scan: z.uuid(), summary: z.looseObject({ pass: z.int(), fail: z.int(), unknown: z.int(), na: z.int(), manual: z.int() }), requirements: z.array(z.looseObject({ id: z.string(), title: z.string(), section: z.string(), assessment: z.enum(["automated","manual"]), status: z.enum(["pass","fail","unknown","na","manual"]), rules: z.array(RuleCountSchema) })) }));

/** A finding, and how it changed from one scan to another. */
export const ComparedFindingSchema: z.ZodType<ComparedFinding> = /* @__PURE__ */ made(() => z.looseObject({ change: z.enum(["new","resolved","reopened","unchanged"]), finding: z.looseObject({ id: z.uuid(), fingerprint: z.string(), ruleId: z.string(), title: z.string(), severity: SeveritySchema, status: z.enum(["open","resolved"]), delta: z.enum(["new","unchanged","reopened","resolved"]), project: z.string().regex(/^[a-z0-9][a-z0-9._-]{0,62}$/), asset: z.looseObject({ name: z.string(), type: z.string() }), subject: z.string(), message: z.string(), evidence: z.array(z.looseObject({ path: z.string(), value: z.json() })), remediation: z.string(), compliance: z.array(ComplianceSchema), firstSeenAt: z.iso.datetime(), lastSeenAt: z.iso.datetime(), resolvedAt: z.iso.datetime().nullable(), resolvedReason: z.enum(["fixed","asset_gone","rule_retired"]).nullable(), muted: z.looseObject({ reason: z.string(), expiresAt: z.iso.datetime() }).nullable() }) }));

/** What changed from one scan to a later one of the same projects. */
export const ScanComparisonSchema: z.ZodType<ScanComparison> = /* @__PURE__ */ made(() => z.looseObject({ scan: z.looseObject({ id: z.uuid(), profile: z.string(), createdAt: z.iso.datetime() }), with: z.looseObject({ id: z.uuid(), profile: z.string(), createdAt: z.iso.datetime() }), projects: z.array(z.string().regex(/^[a-z0-9][a-z0-9._-]{0,62}$/)), ruleSetChanged: z.boolean(), counts: z.looseObject({ new: z.looseObject({ total: z.int(), bySeverity: z.looseObject({ critical: z.int(), high: z.int(), medium: z.int(), low: z.int(), info: z.int() }) }), resolved: z.looseObject({ total: z.int(), bySeverity: z.looseObject({ critical: z.int(), high: z.int(), medium: z.int(), low: z.int(), info: z.int() }) }), reopened: z.looseObject({ total: z.int(), bySeverity: z.looseObject({ critical: z.int(), high: z.int(), medium: z.int(), low: z.int(), info: z.int() }) }), unchanged: z.looseObject({ total: z.int(), bySeverity: z.looseObject({ critical: z.int(), high: z.int(), medium: z.int(), low: z.int(), info: z.int() }) }) }).nullable(), items: z.array(ComparedFindingSchema), nextCursor: z.string().nullable() }));

/** Launches a scan at the times of a cron expression. */
export const ScheduleSchema: z.ZodType<Schedule> = /* @__PURE__ */ made(() => z.looseObject({ id: z.uuid(), name: z.string().max(100).regex(/^[^\0\p{Cs}]*$/u).min(1), projects: z.array(z.string().max(63).regex(/^[^\0\p{Cs}]*$/u).min(1)).min(1).max(100), profile: z.string().max(100).regex(/^[^\0\p{Cs}]*$/u).min(1), cron: z.string().max(100).regex(/^[0-9A-Za-z*,/?#+-]+( [0-9A-Za-z*,/?#+-]+){4}$/), timezone: z.string().max(64).regex(/^[A-Za-z][A-Za-z0-9_+/-]*$/), pullFirst: z.boolean(), enabled: z.boolean(), nextRunAt: z.iso.datetime().nullable(), lastRun: z.looseObject({ at: z.iso.datetime(), scanId: z.uuid().nullable(), status: z.enum(["queued","running","completed","partial","failed","cancelled","blocked","deleted"]), problem: z.string().nullable() }).nullable(), disabledReason: z.looseObject({ code: z.enum(["CREATOR_REMOVED","CREATOR_DISABLED","CREATOR_NOT_PERMITTED"]), message: z.string(), at: z.iso.datetime() }).nullable(), createdBy: z.looseObject({ id: z.uuid(), label: z.string() }), createdAt: z.iso.datetime() }));

/** Sends events to a URL. */
export const WebhookSchema: z.ZodType<Webhook> = /* @__PURE__ */ made(() => z.looseObject({ id: z.uuid(), url: z.string(), events: z.array(z.enum(["scan.completed","scan.failed","findings.opened","findings.resolved","schedule.disabled","source.failed","api_key.created","break_glass.used","sign_in.locked"])), description: z.string().max(200).regex(/^[^\0\p{Cs}]*$/u), format: z.enum(["standard","slack"]), enabled: z.boolean(), failingSince: z.iso.datetime().nullable(), disabledReason: z.looseObject({ code: z.enum(["GONE","FAILING"]), message: z.string(), at: z.iso.datetime() }).nullable(), previousSecretUntil: z.iso.datetime().nullable(), createdAt: z.iso.datetime() }));

/** A newly created webhook with its signing secret. */
export const NewWebhookSchema: z.ZodType<NewWebhook> = /* @__PURE__ */ made(() => z.looseObject({ id: z.uuid(), url: z.string(), events: z.array(z.enum(["scan.completed","scan.failed","findings.opened","findings.resolved","schedule.disabled","source.failed","api_key.created","break_glass.used","sign_in.locked"])), description: z.string().max(200).regex(/^[^\0\p{Cs}]*$/u), format: z.enum(["standard","slack"]), enabled: z.boolean(), failingSince: z.iso.datetime().nullable(), disabledReason: z.looseObject({ code: z.enum(["GONE","FAILING"]), message: z.string(), at: z.iso.datetime() }).nullable(), previousSecretUntil: z.iso.datetime().nullable(), createdAt: z.iso.datetime(), secret: z.string() }));

/** A new signing secret of a webhook. */
export const WebhookSecretSchema: z.ZodType<WebhookSecret> = /* @__PURE__ */ made(() => z.looseObject({ secret: z.string(), previousSecretUntil: z.iso.datetime() }));

/** An event for a webhook, and the attempts to deliver it. Kept for 30 days. */
export const WebhookDeliverySchema: z.ZodType<WebhookDelivery> = /* @__PURE__ */ made(() => z.looseObject({ id: z.uuid(), messageId: z.string(), type: z.enum(["scan.completed","scan.failed","findings.opened","findings.resolved","schedule.disabled","source.failed","api_key.created","break_glass.used","sign_in.locked","webhook.test"]), status: z.enum(["pending","delivered","failed"]), createdAt: z.iso.datetime(), nextAttemptAt: z.iso.datetime().nullable(), attempts: z.array(z.looseObject({ at: z.iso.datetime(), status: z.int().nullable(), milliseconds: z.int(), problem: z.string().nullable() })), payload: z.record(z.string(), z.json()) }));

/** Numbers of findings by severity, project and rule, and the facets of the filters. */
export const FindingSummarySchema: z.ZodType<FindingSummary> = /* @__PURE__ */ made(() => z.looseObject({ total: z.looseObject({ open: z.int(), resolved: z.int(), muted: z.int() }), bySeverity: z.looseObject({ critical: z.looseObject({ open: z.int(), resolved: z.int(), muted: z.int() }), high: z.looseObject({ open: z.int(), resolved: z.int(), muted: z.int() }), medium: z.looseObject({ open: z.int(), resolved: z.int(), muted: z.int() }), low: z.looseObject({ open: z.int(), resolved: z.int(), muted: z.int() }), info: z.looseObject({ open: z.int(), resolved: z.int(), muted: z.int() }) }), byProject: z.array(z.looseObject({ project: z.string().regex(/^[a-z0-9][a-z0-9._-]{0,62}$/), open: z.int(), resolved: z.int(), muted: z.int() })), byRule: z.array(z.looseObject({ ruleId: z.string(), severity: SeveritySchema, open: z.int(), resolved: z.int(), muted: z.int() })), facets: z.looseObject({ severity: z.array(z.looseObject({ value: z.string(), count: z.int() })), status: z.array(z.looseObject({ value: z.string(), count: z.int() })), project: z.array(z.looseObject({ value: z.string(), count: z.int() })), rule: z.array(z.looseObject({ value: z.string(), count: z.int() })), category: z.array(z.looseObject({ value: z.string(), count: z.int() })), assetType: z.array(z.looseObject({ value: z.string(), count: z.int() })), framework: z.array(z.looseObject({ value: z.string(), count: z.int() })), delta: z.array(z.looseObject({ value: z.string(), count: z.int() })), muted: z.array(z.looseObject({ value: z.string(), count: z.int() })) }) }));

/** The findings of a rule, an asset or a project that match the filters, counted. */
export const FindingGroupSchema: z.ZodType<FindingGroup> = /* @__PURE__ */ made(() => z.looseObject({ key: z.string(), title: z.string(), severity: z.enum(["critical","high","medium","low","info"]), open: z.int(), resolved: z.int(), muted: z.int(), lastSeenAt: z.iso.datetime(), projects: z.int() }));

/**
 * A change of the asset after which its rule passes. It repairs all findings of the rule on the asset. The
 * service never changes anything in your cloud.
 */
export const FixSchema: z.ZodType<Fix> = /* @__PURE__ */ made(() => z.looseObject({ patch: z.array(z.looseObject({ op: z.enum(["add","replace","remove","test"]), path: z.string(), value: z.json().optional() })), gcloud: z.string(), terraform: z.array(z.looseObject({ resource: z.string(), match: z.string().nullable(), attribute: z.string(), value: z.string().nullable() })), caution: z.string().nullable(), verified: z.literal(true) }));

/** A rule violation on an asset, and how to repair it. */
export const FindingWithFixSchema: z.ZodType<FindingWithFix> = /* @__PURE__ */ made(() => z.looseObject({ id: z.uuid(), fingerprint: z.string(), ruleId: z.string(), title: z.string(), severity: SeveritySchema, status: z.enum(["open","resolved"]), delta: z.enum(["new","unchanged","reopened","resolved"]), project: z.string().regex(/^[a-z0-9][a-z0-9._-]{0,62}$/), asset: z.looseObject({ name: z.string(), type: z.string() }), subject: z.string(), message: z.string(), evidence: z.array(z.looseObject({ path: z.string(), value: z.json() })), remediation: z.string(), compliance: z.array(ComplianceSchema), firstSeenAt: z.iso.datetime(), lastSeenAt: z.iso.datetime(), resolvedAt: z.iso.datetime().nullable(), resolvedReason: z.enum(["fixed","asset_gone","rule_retired"]).nullable(), muted: z.looseObject({ reason: z.string(), expiresAt: z.iso.datetime() }).nullable(), fix: FixSchema.nullable(), noFix: z.string().nullable() }));

/** Selects the findings that match all given members. */
export const MuteSelectorSchema: z.ZodType<MuteSelector> = /* @__PURE__ */ made(() => z.looseObject({ ruleId: z.string().max(100).regex(/^[^\0\p{Cs}]*$/u).min(1).optional(), asset: z.string().max(500).regex(/^[^\0\p{Cs}]*$/u).min(1).optional(), project: z.string().regex(/^[a-z0-9][a-z0-9._-]{0,62}$/).optional(), label: z.string().max(200).regex(/^[^\0\p{Cs}]*$/u).min(1).regex(/^[^=]{1,63}(=.{0,63})?$/).optional() }));

/** Marks findings as accepted until a given date. */
export const MuteSchema: z.ZodType<Mute> = /* @__PURE__ */ made(() => z.looseObject({ id: z.uuid(), fingerprint: z.string().regex(/^[0-9a-f]{64}$/).nullable(), finding: z.looseObject({ id: z.uuid(), ruleId: z.string(), title: z.string(), severity: SeveritySchema, status: z.enum(["open","resolved"]), project: z.string().regex(/^[a-z0-9][a-z0-9._-]{0,62}$/), asset: z.looseObject({ name: z.string(), type: z.string() }) }).nullable(), selector: MuteSelectorSchema.nullable(), reason: z.string(), expiresAt: z.iso.datetime(), createdBy: z.looseObject({ id: z.uuid().nullable(), label: z.string() }), createdAt: z.iso.datetime() }));

/** The result of muting many findings at once. */
export const BulkMuteSchema: z.ZodType<BulkMute> = /* @__PURE__ */ made(() => z.looseObject({ matched: z.int(), muted: z.int(), unchanged: z.int(), mutes: z.array(z.uuid()), expiresAt: z.iso.datetime() }));

/** The posture of a tenant as of the last completed scan of each project. */
export const PostureSummarySchema: z.ZodType<PostureSummary> = /* @__PURE__ */ made(() => z.looseObject({ open: z.looseObject({ critical: z.int(), high: z.int(), medium: z.int(), low: z.int(), info: z.int() }), score: z.number().nullable(), coverage: z.looseObject({ decided: z.int(), unknown: z.int(), percent: z.number().nullable() }), change7Days: z.looseObject({ score: z.number().nullable(), open: z.looseObject({ critical: z.int(), high: z.int(), medium: z.int(), low: z.int(), info: z.int() }) }).nullable(), change30Days: z.looseObject({ score: z.number().nullable(), open: z.looseObject({ critical: z.int(), high: z.int(), medium: z.int(), low: z.int(), info: z.int() }) }).nullable(), meanSecondsToResolve: z.looseObject({ critical: z.number().nullable(), high: z.number().nullable(), medium: z.number().nullable(), low: z.number().nullable(), info: z.number().nullable() }), projectCount: z.int(), projects: z.array(z.looseObject({ project: z.string().regex(/^[a-z0-9][a-z0-9._-]{0,62}$/), open: z.looseObject({ critical: z.int(), high: z.int(), medium: z.int(), low: z.int(), info: z.int() }), score: z.number().nullable(), coverage: z.looseObject({ decided: z.int(), unknown: z.int(), percent: z.number().nullable() }), scan: z.uuid(), scannedAt: z.iso.datetime() })), newestScans: z.array(z.looseObject({ id: z.uuid(), status: z.enum(["queued","running","completed","partial","failed","cancelled"]), profile: z.string(), projectCount: z.int(), createdAt: z.iso.datetime(), finishedAt: z.iso.datetime().nullable() })), oldestCritical: z.array(z.looseObject({ id: z.uuid(), ruleId: z.string(), title: z.string(), project: z.string().regex(/^[a-z0-9][a-z0-9._-]{0,62}$/), asset: z.string(), firstSeenAt: z.iso.datetime() })), topRules: z.array(z.looseObject({ ruleId: z.string(), title: z.string(), severity: SeveritySchema, failing: z.int() })), compliance: z.array(z.looseObject({ framework: z.enum(["cis-gcp-2.0","cis-gcp-4.0","cis-gcp-5.0"]), pass: z.int(), fail: z.int(), unknown: z.int(), na: z.int(), manual: z.int() })) }));

/** One point per day or per week. */
export const PostureIntervalSchema: z.ZodType<PostureInterval> = /* @__PURE__ */ made(() => z.enum(["day","week"]));

/** The posture over time, oldest first. */
export const PostureTrendSchema: z.ZodType<PostureTrend> = /* @__PURE__ */ made(() => z.looseObject({ project: z.string().regex(/^[a-z0-9][a-z0-9._-]{0,62}$/).nullable(), from: z.iso.date(), to: z.iso.date(), interval: PostureIntervalSchema, points: z.array(z.looseObject({ date: z.iso.date(), open: z.looseObject({ critical: z.int(), high: z.int(), medium: z.int(), low: z.int(), info: z.int() }), opened: z.int(), resolved: z.int(), score: z.number().nullable(), coverage: z.looseObject({ decided: z.int(), unknown: z.int(), percent: z.number().nullable() }) })) }));

/** A saved view of the console: filters under a name. */
export const ViewSchema: z.ZodType<View> = /* @__PURE__ */ made(() => z.looseObject({ id: z.uuid(), name: z.string().max(100).regex(/^[^\0\p{Cs}]*$/u).min(1), query: z.string().max(2000).regex(/^([\w\-.~!$&'()*+,;=:@/?[\]]|%[0-9A-Fa-f]{2})*$/), shared: z.boolean(), createdBy: z.looseObject({ id: z.uuid(), label: z.string() }), createdAt: z.iso.datetime() }));

/** Which e-mails a person gets about new critical and high findings of the tenant. */
export const NotificationsSchema: z.ZodType<Notifications> = /* @__PURE__ */ made(() => z.looseObject({ digest: z.enum(["off","immediate","daily","weekly"]) }));

/** A condition that assets should meet. */
export const RuleSchema: z.ZodType<Rule> = /* @__PURE__ */ made(() => z.looseObject({ id: z.string(), version: z.int(), title: z.string(), severity: SeveritySchema, category: z.string(), assetTypes: z.array(z.string()), needs: z.array(z.string()), description: z.string(), remediation: z.string(), noFix: z.string().nullable(), compliance: z.array(ComplianceSchema), parameters: z.record(z.string(), z.json()) }));

/** A rule written by a tenant. */
export const CustomRuleSchema: z.ZodType<CustomRule> = /* @__PURE__ */ made(() => z.looseObject({ id: z.string().regex(/^[a-z0-9][a-z0-9._-]{0,62}$/), version: z.int(), title: z.string(), description: z.string(), severity: SeveritySchema, assetTypes: z.array(z.string()), predicate: z.string(), recommendation: z.string(), enabled: z.boolean(), tests: z.array(z.looseObject({ asset: z.record(z.string(), z.json()), verdict: z.enum(["pass","fail","unknown"]) })), createdAt: z.iso.datetime(), updatedAt: z.iso.datetime() }));

/** The result of a rule that is not saved. */
export const RuleTrialSchema: z.ZodType<RuleTrial> = /* @__PURE__ */ made(() => z.looseObject({ verdicts: z.array(z.looseObject({ asset: z.looseObject({ name: z.string(), type: z.string() }), verdict: z.enum(["pass","fail","unknown"]), expected: z.enum(["pass","fail","unknown"]).nullable(), message: z.string() })), errors: z.array(z.looseObject({ path: z.string(), message: z.string() })), evaluated: z.int(), complete: z.boolean() }));

/** The fields of assets, without their values. */
export const AssetFieldsSchema: z.ZodType<AssetFields> = /* @__PURE__ */ made(() => z.looseObject({ fields: z.array(z.looseObject({ path: z.array(z.string()), kinds: z.array(z.enum(["string","number","boolean","null","object","list"])), assets: z.int() })), sampled: z.int(), complete: z.boolean() }));

/** A named set of rules. */
export const ProfileSchema: z.ZodType<Profile> = /* @__PURE__ */ made(() => z.looseObject({ name: z.string(), aliasOf: z.string().nullable(), title: z.string(), description: z.string(), digest: z.string(), ruleCount: z.int(), rules: z.array(z.string()), definition: z.looseObject({ include: z.array(z.string()), exclude: z.array(z.string()), parameters: z.record(z.string(), z.record(z.string(), z.json())) }).nullable() }));

/** The state of one server process. */
export const HealthSchema: z.ZodType<Health> = /* @__PURE__ */ made(() => z.looseObject({ status: z.enum(["ok"]), checks: z.record(z.string(), z.enum(["ok","failing"])) }));

/** Explains a problem code and its remedy. */
export const ProblemPageSchema: z.ZodType<ProblemPage> = /* @__PURE__ */ made(() => z.looseObject({ code: z.enum(["VALIDATION_FAILED","INVALID_TOKEN","TENANT_REQUIRED","BREAK_GLASS_REASON_REQUIRED","UNAUTHORIZED","INVALID_CREDENTIALS","TOTP_REQUIRED","INVALID_CODE","REGISTRATION_CLOSED","SIGN_IN_CANCELLED","FORBIDDEN","CREDENTIAL_NOT_ALLOWED","CROSS_SITE_REQUEST","REAUTH_REQUIRED","CONFIRMATION_REQUIRED","MFA_REQUIRED","FEATURE_NOT_LICENSED","NOT_FOUND","METHOD_NOT_ALLOWED","REQUEST_TIMEOUT","CONFLICT","SCAN_NOT_COMPLETED","IDEMPOTENCY_KEY_IN_USE","PAYLOAD_TOO_LARGE","UNSUPPORTED_MEDIA_TYPE","IDEMPOTENCY_KEY_MISMATCH","PREFLIGHT_BLOCKED","SCANS_NOT_COMPARABLE","DOMAIN_NOT_VERIFIED","SOURCE_REFUSED","RATE_LIMITED","INTERNAL","AUTH_UNAVAILABLE","SERVICE_UNAVAILABLE"]), type: z.string(), status: z.int(), title: z.string(), help: z.string() }));

/** The body of `auth.login`. */
export const AuthLoginBodySchema: z.ZodType<AuthLoginInput> = /* @__PURE__ */ made(() => z.strictObject({ email: z.email().max(254), password: z.string().max(512).regex(/^[^\0\p{Cs}]*$/u).min(1), totp: z.string().regex(/^[0-9]{6}$/).optional(), recoveryCode: z.string().max(512).regex(/^[^\0\p{Cs}]*$/u).min(1).optional(), tenantId: z.uuid().optional() }));

/** The body of `auth.refresh`. */
export const AuthRefreshBodySchema: z.ZodType<AuthRefreshInput> = /* @__PURE__ */ made(() => z.strictObject({ refreshToken: z.string().max(512).regex(/^[^\0\p{Cs}]*$/u).min(1).optional() }));

/** The body of `auth.logout`. */
export const AuthLogoutBodySchema: z.ZodType<AuthLogoutInput> = /* @__PURE__ */ made(() => z.strictObject({ refreshToken: z.string().max(512).regex(/^[^\0\p{Cs}]*$/u).min(1).optional() }));

/** The body of `auth.register`. */
export const AuthRegisterBodySchema: z.ZodType<AuthRegisterInput> = /* @__PURE__ */ made(() => z.strictObject({ email: z.email().max(254), password: z.string().max(72).regex(/^[^\0\p{Cs}]*$/u).min(1).min(12), name: z.string().min(1).max(100).regex(/^([^\p{Cs}\p{Cc}\p{Cf}]|[\u200c\u200d])*$/u).optional(), tenantName: z.string().min(1).max(100).regex(/^([^\p{Cs}\p{Cc}\p{Cf}]|[\u200c\u200d])*$/u) }));

/** The body of `auth.verifyEmail`. */
export const AuthVerifyEmailBodySchema: z.ZodType<AuthVerifyEmailInput> = /* @__PURE__ */ made(() => z.strictObject({ token: z.string().max(512).regex(/^[^\0\p{Cs}]*$/u).min(1) }));

/** The body of `auth.resendVerification`. */
export const AuthResendVerificationBodySchema: z.ZodType<AuthResendVerificationInput> = /* @__PURE__ */ made(() => z.strictObject({ email: z.email().max(254) }));

/** The body of `auth.forgotPassword`. */
export const AuthForgotPasswordBodySchema: z.ZodType<AuthForgotPasswordInput> = /* @__PURE__ */ made(() => z.strictObject({ email: z.email().max(254) }));

/** The body of `auth.resetPassword`. */
export const AuthResetPasswordBodySchema: z.ZodType<AuthResetPasswordInput> = /* @__PURE__ */ made(() => z.strictObject({ token: z.string().max(512).regex(/^[^\0\p{Cs}]*$/u).min(1), password: z.string().max(72).regex(/^[^\0\p{Cs}]*$/u).min(1).min(12) }));

/** The body of `auth.acceptInvite`. */
export const AuthAcceptInviteBodySchema: z.ZodType<AuthAcceptInviteInput> = /* @__PURE__ */ made(() => z.strictObject({ token: z.string().max(512).regex(/^[^\0\p{Cs}]*$/u).min(1) }));

/** The body of `auth.changePassword`. */
export const AuthChangePasswordBodySchema: z.ZodType<AuthChangePasswordInput> = /* @__PURE__ */ made(() => z.strictObject({ currentPassword: z.string().max(512).regex(/^[^\0\p{Cs}]*$/u).min(1), newPassword: z.string().max(72).regex(/^[^\0\p{Cs}]*$/u).min(1).min(12) }));

/** The body of `auth.google`. */
export const AuthGoogleBodySchema: z.ZodType<AuthGoogleInput> = /* @__PURE__ */ made(() => z.strictObject({ credential: z.string().max(8192).regex(/^[^\0\p{Cs}]*$/u).min(1), nonce: z.string().regex(/^[\x21-\x7e]{16,256}$/).optional() }));

/** The body of `auth.exchange`. */
export const AuthExchangeBodySchema: z.ZodType<AuthExchangeInput> = /* @__PURE__ */ made(() => z.strictObject({ code: z.string().max(512).regex(/^[^\0\p{Cs}]*$/u).min(1) }));

/** The body of `auth.confirm`. */
export const AuthConfirmBodySchema: z.ZodType<AuthConfirmInput> = /* @__PURE__ */ made(() => exactlyOne(z.strictObject({ token: z.string().max(512).regex(/^[^\0\p{Cs}]*$/u).min(1), password: z.string().max(512).regex(/^[^\0\p{Cs}]*$/u).min(1).optional(), code: z.string().regex(/^([0-9]{6}|[0-9A-Za-z]{6}(-?[0-9A-Za-z]{6}){3})$/).optional(), mailToken: z.string().max(512).regex(/^[^\0\p{Cs}]*$/u).min(1).optional() }), ["password","code","mailToken"]));

/** The body of `auth.confirmMail`. */
export const AuthConfirmMailBodySchema: z.ZodType<AuthConfirmMailInput> = /* @__PURE__ */ made(() => z.strictObject({ token: z.string().max(512).regex(/^[^\0\p{Cs}]*$/u).min(1) }));

/** The body of `twoFactor.setup`. */
export const TwoFactorSetupBodySchema: z.ZodType<TwoFactorSetupInput> = /* @__PURE__ */ made(() => z.strictObject({ password: z.string().max(512).regex(/^[^\0\p{Cs}]*$/u).min(1).optional() }));

/** The body of `twoFactor.enable`. */
export const TwoFactorEnableBodySchema: z.ZodType<TwoFactorEnableInput> = /* @__PURE__ */ made(() => z.strictObject({ password: z.string().max(512).regex(/^[^\0\p{Cs}]*$/u).min(1).optional(), code: z.string().regex(/^[0-9]{6}$/) }));

/** The body of `twoFactor.verify`. */
export const TwoFactorVerifyBodySchema: z.ZodType<TwoFactorVerifyInput> = /* @__PURE__ */ made(() => z.strictObject({ code: z.string().regex(/^([0-9]{6}|[0-9A-Za-z]{6}(-?[0-9A-Za-z]{6}){3})$/) }));

/** The body of `twoFactor.disable`. */
export const TwoFactorDisableBodySchema: z.ZodType<TwoFactorDisableInput> = /* @__PURE__ */ made(() => z.strictObject({ password: z.string().max(512).regex(/^[^\0\p{Cs}]*$/u).min(1).optional(), code: z.string().regex(/^([0-9]{6}|[0-9A-Za-z]{6}(-?[0-9A-Za-z]{6}){3})$/) }));

/** The body of `twoFactor.recoveryCodes`. */
export const TwoFactorRecoveryCodesBodySchema: z.ZodType<TwoFactorRecoveryCodesInput> = /* @__PURE__ */ made(() => z.strictObject({ password: z.string().max(512).regex(/^[^\0\p{Cs}]*$/u).min(1).optional(), code: z.string().regex(/^([0-9]{6}|[0-9A-Za-z]{6}(-?[0-9A-Za-z]{6}){3})$/) }));

/** The body of `apiKeys.create`. */
export const ApiKeysCreateBodySchema: z.ZodType<ApiKeysCreateInput> = /* @__PURE__ */ made(() => z.strictObject({ name: z.string().max(100).regex(/^[^\0\p{Cs}]*$/u).min(1), expiresAt: z.iso.datetime({ offset: true }).optional() }));

/** The body of `users.create`. */
export const UsersCreateBodySchema: z.ZodType<UsersCreateInput> = /* @__PURE__ */ made(() => z.strictObject({ email: z.email().max(254), name: z.string().min(1).max(100).regex(/^([^\p{Cs}\p{Cc}\p{Cf}]|[\u200c\u200d])*$/u).optional(), role: z.string().regex(/^[a-z][a-z0-9._-]{0,62}$/) }));

/** The body of `users.update`. */
export const UsersUpdateBodySchema: z.ZodType<Omit<UsersUpdateInput, 'id'>> = /* @__PURE__ */ made(() => z.strictObject({ name: z.string().min(1).max(100).regex(/^([^\p{Cs}\p{Cc}\p{Cf}]|[\u200c\u200d])*$/u).optional(), role: z.string().regex(/^[a-z][a-z0-9._-]{0,62}$/).optional(), status: z.enum(["active","disabled"]).optional() }));

/** The body of `roles.create`. */
export const RolesCreateBodySchema: z.ZodType<RolesCreateInput> = /* @__PURE__ */ made(() => z.strictObject({ name: z.string().regex(/^[a-z][a-z0-9._-]{0,62}$/), permissions: z.array(z.enum(["scans.read","scans.launch","scans.cancel","preflight.run","projects.read","projects.write","findings.read","findings.mute","rules.read","rules.write","keys.own","admin.users","admin.settings","admin.audit"])).min(1).max(14) }));

/** The body of `roles.update`. */
export const RolesUpdateBodySchema: z.ZodType<Omit<RolesUpdateInput, 'name'>> = /* @__PURE__ */ made(() => z.strictObject({ permissions: z.array(z.enum(["scans.read","scans.launch","scans.cancel","preflight.run","projects.read","projects.write","findings.read","findings.mute","rules.read","rules.write","keys.own","admin.users","admin.settings","admin.audit"])).min(1).max(14) }));

/** The body of `tenant.update`. */
export const TenantUpdateBodySchema: z.ZodType<TenantUpdateInput> = /* @__PURE__ */ made(() => z.strictObject({ name: z.string().min(1).max(100).regex(/^([^\p{Cs}\p{Cc}\p{Cf}]|[\u200c\u200d])*$/u).optional(), settings: z.strictObject({ inventoryMaxAgeHours: z.int().min(1).max(8760).optional(), muteDefaultDays: z.int().min(1).max(3650).optional(), allowedDomains: z.array(z.string().max(253).regex(/^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/)).max(100).optional() }).optional() }));

/** The body of `saml.putSettings`. */
export const SamlPutSettingsBodySchema: z.ZodType<SamlPutSettingsInput> = /* @__PURE__ */ made(() => z.strictObject({ metadataXml: z.string().max(262144).regex(/^[^\0\p{Cs}]*$/u).min(1).optional(), entityId: z.string().max(1024).regex(/^[^\0\p{Cs}]*$/u).min(1).optional(), ssoUrl: z.string().max(2048).regex(/^[^\0\p{Cs}]*$/u).min(1).optional(), certificates: z.array(z.string().max(16384).regex(/^[^\0\p{Cs}]*$/u).min(1)).min(1).max(10).optional(), emailDomains: z.array(z.string().max(253).regex(/^([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/)).min(1).max(50), defaultRole: z.string().regex(/^[a-z][a-z0-9._-]{0,62}$/) }));

/** The body of `saml.discover`. */
export const SamlDiscoverBodySchema: z.ZodType<SamlDiscoverInput> = /* @__PURE__ */ made(() => z.strictObject({ email: z.email().max(254) }));

/** The body of `domains.create`. */
export const DomainsCreateBodySchema: z.ZodType<DomainsCreateInput> = /* @__PURE__ */ made(() => z.strictObject({ domain: z.string().max(253).regex(/^[^\0\p{Cs}]*$/u).min(1) }));

/** The body of `projects.create`. */
export const ProjectsCreateBodySchema: z.ZodType<ProjectsCreateInput> = /* @__PURE__ */ made(() => z.strictObject({ name: z.string().regex(/^[a-z0-9][a-z0-9._-]{0,62}$/), description: z.string().max(500).regex(/^[^\0\p{Cs}]*$/u).min(1).optional() }));

/** The body of `projects.update`. */
export const ProjectsUpdateBodySchema: z.ZodType<Omit<ProjectsUpdateInput, 'name'>> = /* @__PURE__ */ made(() => z.strictObject({ description: z.string().max(500).regex(/^[^\0\p{Cs}]*$/u).min(1).nullable().optional() }));

/** The body of `sources.set`. */
export const SourcesSetBodySchema: z.ZodType<Omit<SourcesSetInput, 'name'>> = /* @__PURE__ */ made(() => z.strictObject({ kind: z.literal("google-cloud"), parent: z.string().max(200).regex(/^[^\0\p{Cs}]*$/u).min(1), credential: z.discriminatedUnion('type', [z.strictObject({ type: z.literal("service_account_key"), key: z.record(z.string(), z.json()) }), z.strictObject({ type: z.literal("impersonation"), serviceAccount: z.string().max(254).regex(/^[^\0\p{Cs}]*$/u).min(1) })]) }));

/** The body of `preflight.run`. */
export const PreflightRunBodySchema: z.ZodType<PreflightRunInput> = /* @__PURE__ */ made(() => z.strictObject({ projects: z.array(z.string().max(63).regex(/^[^\0\p{Cs}]*$/u).min(1)).min(1).max(100), profile: z.string().max(100).regex(/^[^\0\p{Cs}]*$/u).min(1) }));

/** The body of `scans.launch`. */
export const ScansLaunchBodySchema: z.ZodType<ScansLaunchInput> = /* @__PURE__ */ made(() => z.strictObject({ projects: z.array(z.string().max(63).regex(/^[^\0\p{Cs}]*$/u).min(1)).min(1).max(100), profile: z.string().max(100).regex(/^[^\0\p{Cs}]*$/u).min(1) }));

/** The body of `schedules.create`. */
export const SchedulesCreateBodySchema: z.ZodType<SchedulesCreateInput> = /* @__PURE__ */ made(() => z.strictObject({ name: z.string().max(100).regex(/^[^\0\p{Cs}]*$/u).min(1), projects: z.array(z.string().max(63).regex(/^[^\0\p{Cs}]*$/u).min(1)).min(1).max(100), profile: z.string().max(100).regex(/^[^\0\p{Cs}]*$/u).min(1), cron: z.string().max(100).regex(/^[0-9A-Za-z*,/?#+-]+( [0-9A-Za-z*,/?#+-]+){4}$/), timezone: z.string().max(64).regex(/^[A-Za-z][A-Za-z0-9_+/-]*$/).optional(), pullFirst: z.boolean().optional(), enabled: z.boolean().optional() }));

/** The body of `schedules.update`. */
export const SchedulesUpdateBodySchema: z.ZodType<Omit<SchedulesUpdateInput, 'id'>> = /* @__PURE__ */ made(() => z.strictObject({ name: z.string().max(100).regex(/^[^\0\p{Cs}]*$/u).min(1), projects: z.array(z.string().max(63).regex(/^[^\0\p{Cs}]*$/u).min(1)).min(1).max(100), profile: z.string().max(100).regex(/^[^\0\p{Cs}]*$/u).min(1), cron: z.string().max(100).regex(/^[0-9A-Za-z*,/?#+-]+( [0-9A-Za-z*,/?#+-]+){4}$/), timezone: z.string().max(64).regex(/^[A-Za-z][A-Za-z0-9_+/-]*$/), pullFirst: z.boolean().optional(), enabled: z.boolean() }));

/** The body of `webhooks.create`. */
export const WebhooksCreateBodySchema: z.ZodType<WebhooksCreateInput> = /* @__PURE__ */ made(() => z.strictObject({ url: z.string().max(2048).regex(/^[^\0\p{Cs}]*$/u).min(1).regex(/^https?:\/\/[^\s\\]+$/i), events: z.array(z.enum(["scan.completed","scan.failed","findings.opened","findings.resolved","schedule.disabled","source.failed","api_key.created","break_glass.used","sign_in.locked"])).min(1).max(9), description: z.string().max(200).regex(/^[^\0\p{Cs}]*$/u).optional(), format: z.enum(["standard","slack"]).optional(), enabled: z.boolean().optional() }));

/** The body of `webhooks.update`. */
export const WebhooksUpdateBodySchema: z.ZodType<Omit<WebhooksUpdateInput, 'id'>> = /* @__PURE__ */ made(() => z.strictObject({ url: z.string().max(2048).regex(/^[^\0\p{Cs}]*$/u).min(1).regex(/^https?:\/\/[^\s\\]+$/i), events: z.array(z.enum(["scan.completed","scan.failed","findings.opened","findings.resolved","schedule.disabled","source.failed","api_key.created","break_glass.used","sign_in.locked"])).min(1).max(9), description: z.string().max(200).regex(/^[^\0\p{Cs}]*$/u).optional(), format: z.enum(["standard","slack"]).optional(), enabled: z.boolean() }));

/** The body of `mutes.create`. */
export const MutesCreateBodySchema: z.ZodType<MutesCreateInput> = /* @__PURE__ */ made(() => exactlyOne(z.strictObject({ fingerprint: z.string().regex(/^[0-9a-f]{64}$/).optional(), selector: z.strictObject({ ruleId: z.string().max(100).regex(/^[^\0\p{Cs}]*$/u).min(1).optional(), asset: z.string().max(500).regex(/^[^\0\p{Cs}]*$/u).min(1).optional(), project: z.string().regex(/^[a-z0-9][a-z0-9._-]{0,62}$/).optional(), label: z.string().max(200).regex(/^[^\0\p{Cs}]*$/u).min(1).regex(/^[^=]{1,63}(=.{0,63})?$/).optional() }).optional(), reason: z.string().max(500).regex(/^[^\0\p{Cs}]*$/u).min(1), expiresAt: z.iso.datetime({ offset: true }).optional() }), ["fingerprint","selector"]));

/** The body of `mutes.bulkCreate`. */
export const MutesBulkCreateBodySchema: z.ZodType<MutesBulkCreateInput> = /* @__PURE__ */ made(() => exactlyOne(z.strictObject({ findingIds: z.array(z.uuid()).min(1).max(1000).optional(), filter: z.strictObject({ project: z.array(z.string().regex(/^[a-z0-9][a-z0-9._-]{0,62}$/)).max(100).optional(), severity: z.array(z.enum(["critical","high","medium","low","info"])).max(5).optional(), status: z.array(z.enum(["open","resolved"])).max(2).optional(), rule: z.array(z.string().max(100).regex(/^[^\0\p{Cs}]*$/u).min(1)).max(100).optional(), scan: z.uuid().optional(), muted: z.boolean().optional(), q: z.string().max(200).regex(/^[^\0\p{Cs}]*$/u).min(1).optional(), category: z.array(z.string().max(50).regex(/^[^\0\p{Cs}]*$/u).min(1)).max(20).optional(), assetType: z.array(z.string().max(200).regex(/^[^\0\p{Cs}]*$/u).min(1)).max(50).optional(), framework: z.array(z.string().max(50).regex(/^[^\0\p{Cs}]*$/u).min(1)).max(20).optional(), delta: z.array(z.enum(["new","unchanged","reopened","resolved"])).max(4).optional(), since: z.iso.datetime({ offset: true }).optional(), asset: z.string().max(2048).regex(/^[^\0\p{Cs}]*$/u).min(1).optional(), fingerprint: z.string().regex(/^[0-9a-f]{64}$/).optional() }).optional(), reason: z.string().max(500).regex(/^[^\0\p{Cs}]*$/u).min(1), expiresAt: z.iso.datetime({ offset: true }).optional() }), ["findingIds","filter"]));

/** The body of `views.create`. */
export const ViewsCreateBodySchema: z.ZodType<ViewsCreateInput> = /* @__PURE__ */ made(() => z.strictObject({ name: z.string().max(100).regex(/^[^\0\p{Cs}]*$/u).min(1), query: z.string().max(2000).regex(/^([\w\-.~!$&'()*+,;=:@/?[\]]|%[0-9A-Fa-f]{2})*$/), shared: z.boolean().optional() }));

/** The body of `views.update`. */
export const ViewsUpdateBodySchema: z.ZodType<Omit<ViewsUpdateInput, 'id'>> = /* @__PURE__ */ made(() => z.strictObject({ name: z.string().max(100).regex(/^[^\0\p{Cs}]*$/u).min(1), query: z.string().max(2000).regex(/^([\w\-.~!$&'()*+,;=:@/?[\]]|%[0-9A-Fa-f]{2})*$/), shared: z.boolean() }));

/** The body of `notifications.update`. */
export const NotificationsUpdateBodySchema: z.ZodType<NotificationsUpdateInput> = /* @__PURE__ */ made(() => z.strictObject({ digest: z.enum(["off","immediate","daily","weekly"]) }));

/** The body of `customRules.create`. */
export const CustomRulesCreateBodySchema: z.ZodType<CustomRulesCreateInput> = /* @__PURE__ */ made(() => z.strictObject({ id: z.string().regex(/^[a-z0-9][a-z0-9._-]{0,62}$/).optional(), title: z.string().max(200).regex(/^[^\0\p{Cs}]*$/u).min(1), description: z.union([z.string().max(2000).regex(/^[^\0\p{Cs}]*$/u).min(1).optional(), z.literal("")]), severity: z.enum(["critical","high","medium","low","info"]), assetTypes: z.array(z.string().max(200).regex(/^[^\0\p{Cs}]*$/u).min(1)).min(1).max(20), predicate: z.string().max(5000).regex(/^[^\0\p{Cs}]*$/u).min(1), recommendation: z.union([z.string().max(2000).regex(/^[^\0\p{Cs}]*$/u).min(1).optional(), z.literal("")]), enabled: z.boolean().optional(), tests: z.array(z.strictObject({ asset: z.record(z.string(), z.json()), verdict: z.enum(["pass","fail","unknown"]) })).max(50).optional() }));

/** The body of `customRules.update`. */
export const CustomRulesUpdateBodySchema: z.ZodType<Omit<CustomRulesUpdateInput, 'id'>> = /* @__PURE__ */ made(() => z.strictObject({ title: z.string().max(200).regex(/^[^\0\p{Cs}]*$/u).min(1), description: z.union([z.string().max(2000).regex(/^[^\0\p{Cs}]*$/u).min(1).optional(), z.literal("")]), severity: z.enum(["critical","high","medium","low","info"]), assetTypes: z.array(z.string().max(200).regex(/^[^\0\p{Cs}]*$/u).min(1)).min(1).max(20), predicate: z.string().max(5000).regex(/^[^\0\p{Cs}]*$/u).min(1), recommendation: z.union([z.string().max(2000).regex(/^[^\0\p{Cs}]*$/u).min(1).optional(), z.literal("")]), enabled: z.boolean().optional(), tests: z.array(z.strictObject({ asset: z.record(z.string(), z.json()), verdict: z.enum(["pass","fail","unknown"]) })).max(50).optional() }));

/** The body of `customRules.test`. */
export const CustomRulesTestBodySchema: z.ZodType<CustomRulesTestInput> = /* @__PURE__ */ made(() => z.strictObject({ rule: z.strictObject({ id: z.string().regex(/^[a-z0-9][a-z0-9._-]{0,62}$/).optional(), title: z.string().max(200).regex(/^[^\0\p{Cs}]*$/u).min(1), description: z.union([z.string().max(2000).regex(/^[^\0\p{Cs}]*$/u).min(1).optional(), z.literal("")]), severity: z.enum(["critical","high","medium","low","info"]), assetTypes: z.array(z.string().max(200).regex(/^[^\0\p{Cs}]*$/u).min(1)).min(1).max(20), predicate: z.string().max(5000).regex(/^[^\0\p{Cs}]*$/u).min(1), recommendation: z.union([z.string().max(2000).regex(/^[^\0\p{Cs}]*$/u).min(1).optional(), z.literal("")]), enabled: z.boolean().optional(), tests: z.array(z.strictObject({ asset: z.record(z.string(), z.json()), verdict: z.enum(["pass","fail","unknown"]) })).max(50).optional() }), project: z.string().regex(/^[a-z0-9][a-z0-9._-]{0,62}$/).optional() }));

/** The body of `profiles.create`. */
export const ProfilesCreateBodySchema: z.ZodType<ProfilesCreateInput> = /* @__PURE__ */ made(() => z.strictObject({ name: z.string().regex(/^custom:[a-z0-9][a-z0-9._-]{0,62}$/), include: z.array(z.string().max(100).regex(/^[^\0\p{Cs}]*$/u).min(1)).max(200).min(1), exclude: z.array(z.string().max(100).regex(/^[^\0\p{Cs}]*$/u).min(1)).max(200).optional(), parameters: z.record(z.string().max(100).regex(/^[^\0\p{Cs}]*$/u).min(1), z.record(z.string(), z.json())).optional() }));

/** The body of `profiles.update`. */
export const ProfilesUpdateBodySchema: z.ZodType<Omit<ProfilesUpdateInput, 'name'>> = /* @__PURE__ */ made(() => z.strictObject({ include: z.array(z.string().max(100).regex(/^[^\0\p{Cs}]*$/u).min(1)).max(200).min(1), exclude: z.array(z.string().max(100).regex(/^[^\0\p{Cs}]*$/u).min(1)).max(200).optional(), parameters: z.record(z.string().max(100).regex(/^[^\0\p{Cs}]*$/u).min(1), z.record(z.string(), z.json())).optional() }));
