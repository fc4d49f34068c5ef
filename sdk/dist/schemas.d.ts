import type { Accepted, ApiKey, ApiKeysCreateInput, Asset, AssetDetails, AssetFields, AssetVerdict, AuditEvent, AuthAcceptInviteInput, AuthChangePasswordInput, AuthConfirmInput, AuthConfirmMailInput, AuthExchangeInput, AuthForgotPasswordInput, AuthGoogleInput, AuthLoginInput, AuthLogoutInput, AuthRefreshInput, AuthRegisterInput, AuthResendVerificationInput, AuthResetPasswordInput, AuthVerifyEmailInput, BulkMute, ClientOptions, ComparedFinding, Compliance, ComplianceReport, Cspm, CustomRule, CustomRulesCreateInput, CustomRulesTestInput, CustomRulesUpdateInput, Domain, DomainsCreateInput, Finding, FindingGroup, FindingSummary, FindingWithFix, Fix, Health, Identity, Inventory, Mute, MuteSelector, MutesBulkCreateInput, MutesCreateInput, NewApiKey, NewWebhook, Notifications, NotificationsUpdateInput, PostureInterval, PostureSummary, PostureTrend, Preflight, PreflightCheck, PreflightRunInput, ProblemPage, Profile, ProfilesCreateInput, ProfilesUpdateInput, Project, ProjectSource, ProjectsCreateInput, ProjectsUpdateInput, Pull, RecoveryCodes, Role, RolesCreateInput, RolesUpdateInput, Rule, RuleCount, RuleTrial, SamlDiscoverInput, SamlDiscovery, SamlPutSettingsInput, SamlSettings, Scan, ScanComparison, ScansLaunchInput, Schedule, SchedulesCreateInput, SchedulesUpdateInput, Session, Severity, SignInMethods, SourceCheck, SourcesSetInput, Tenant, TenantSettings, TenantUpdateInput, Tokens, TwoFactorDisableInput, TwoFactorEnableInput, TwoFactorRecoveryCodesInput, TwoFactorSetup, TwoFactorSetupInput, TwoFactorVerifyInput, User, UsersCreateInput, UsersUpdateInput, View, ViewsCreateInput, ViewsUpdateInput, Webhook, WebhookDelivery, WebhookSecret, WebhooksCreateInput, WebhooksUpdateInput } from '@cspm/sdk';
import type { z } from 'zod';

/** A session: a short-lived access token and a refresh token. */
export declare const TokensSchema: z.ZodType<Tokens>;
/** The next step. The response is the same for every caller. */
export declare const AcceptedSchema: z.ZodType<Accepted>;
/** The ways to sign in to this server. */
export declare const SignInMethodsSchema: z.ZodType<SignInMethods>;
/** The user, tenant and permissions of the credential. */
export declare const IdentitySchema: z.ZodType<Identity>;
/** A secret that is not confirmed yet. */
export declare const TwoFactorSetupSchema: z.ZodType<TwoFactorSetup>;
/** Recovery codes, for use if the authenticator is lost. */
export declare const RecoveryCodesSchema: z.ZodType<RecoveryCodes>;
/** An active sign-in. */
export declare const SessionSchema: z.ZodType<Session>;
/** An API key for automation. It has the current permissions of its owner. */
export declare const ApiKeySchema: z.ZodType<ApiKey>;
/** A newly created key with its secret. */
export declare const NewApiKeySchema: z.ZodType<NewApiKey>;
/** A member of your tenant. */
export declare const UserSchema: z.ZodType<User>;
/** A set of permissions that can be assigned to members. */
export declare const RoleSchema: z.ZodType<Role>;
/** Settings of the tenant, controlled by its administrators. */
export declare const TenantSettingsSchema: z.ZodType<TenantSettings>;
/** Your tenant. */
export declare const TenantSchema: z.ZodType<Tenant>;
/** The SAML identity provider of your tenant. */
export declare const SamlSettingsSchema: z.ZodType<SamlSettings>;
/** Where a sign-in with SAML starts. */
export declare const SamlDiscoverySchema: z.ZodType<SamlDiscovery>;
/** An e-mail domain of your tenant. */
export declare const DomainSchema: z.ZodType<Domain>;
/** An audit event: what happened, who did it, and from where. */
export declare const AuditEventSchema: z.ZodType<AuditEvent>;
/** The unit of scanning: a cloud project and its inventory. */
export declare const ProjectSchema: z.ZodType<Project>;
/** A snapshot of the resources of a project. */
export declare const InventorySchema: z.ZodType<Inventory>;
/** The severity, from worst to least. */
export declare const SeveritySchema: z.ZodType<Severity>;
/** An asset of the current inventory of a project. */
export declare const AssetSchema: z.ZodType<Asset>;
/** The number of the requirement in the framework. */
export declare const ComplianceSchema: z.ZodType<Compliance>;
/** A rule violation on an asset. */
export declare const FindingSchema: z.ZodType<Finding>;
/** The verdict of one rule on an asset. */
export declare const AssetVerdictSchema: z.ZodType<AssetVerdict>;
/** An asset as stored, with its findings and the verdicts of the last scan. */
export declare const AssetDetailsSchema: z.ZodType<AssetDetails>;
/** Where the inventory of a project is pulled from. Its credential is never shown. */
export declare const ProjectSourceSchema: z.ZodType<ProjectSource>;
/** What the credential of a source can read. */
export declare const SourceCheckSchema: z.ZodType<SourceCheck>;
/** A job that pulls a new inventory from the source of a project. */
export declare const PullSchema: z.ZodType<Pull>;
/** One preflight check. */
export declare const PreflightCheckSchema: z.ZodType<PreflightCheck>;
/** Whether a scan can start, and the checks that failed. */
export declare const PreflightSchema: z.ZodType<Preflight>;
/** An evaluation of rules on the inventories of projects. */
export declare const ScanSchema: z.ZodType<Scan>;
/** Verdicts of one rule in a scan, across the assets of its types. */
export declare const RuleCountSchema: z.ZodType<RuleCount>;
/** The status of each requirement in a scan. */
export declare const ComplianceReportSchema: z.ZodType<ComplianceReport>;
/** A finding, and how it changed from one scan to another. */
export declare const ComparedFindingSchema: z.ZodType<ComparedFinding>;
/** What changed from one scan to a later one of the same projects. */
export declare const ScanComparisonSchema: z.ZodType<ScanComparison>;
/** Launches a scan at the times of a cron expression. */
export declare const ScheduleSchema: z.ZodType<Schedule>;
/** Sends events to a URL. */
export declare const WebhookSchema: z.ZodType<Webhook>;
/** A newly created webhook with its signing secret. */
export declare const NewWebhookSchema: z.ZodType<NewWebhook>;
/** A new signing secret of a webhook. */
export declare const WebhookSecretSchema: z.ZodType<WebhookSecret>;
/** An event for a webhook, and the attempts to deliver it. Kept for 30 days. */
export declare const WebhookDeliverySchema: z.ZodType<WebhookDelivery>;
/** Numbers of findings by severity, project and rule, and the facets of the filters. */
export declare const FindingSummarySchema: z.ZodType<FindingSummary>;
/** The findings of a rule, an asset or a project that match the filters, counted. */
export declare const FindingGroupSchema: z.ZodType<FindingGroup>;
/**
 * A change of the asset after which its rule passes. It repairs all findings of the rule on the asset. The
 * service never changes anything in your cloud.
 */
export declare const FixSchema: z.ZodType<Fix>;
/** A rule violation on an asset, and how to repair it. */
export declare const FindingWithFixSchema: z.ZodType<FindingWithFix>;
/** Selects the findings that match all given members. */
export declare const MuteSelectorSchema: z.ZodType<MuteSelector>;
/** Marks findings as accepted until a given date. */
export declare const MuteSchema: z.ZodType<Mute>;
/** The result of muting many findings at once. */
export declare const BulkMuteSchema: z.ZodType<BulkMute>;
/** The posture of a tenant as of the last completed scan of each project. */
export declare const PostureSummarySchema: z.ZodType<PostureSummary>;
/** One point per day or per week. */
export declare const PostureIntervalSchema: z.ZodType<PostureInterval>;
/** The posture over time, oldest first. */
export declare const PostureTrendSchema: z.ZodType<PostureTrend>;
/** A saved view of the console: filters under a name. */
export declare const ViewSchema: z.ZodType<View>;
/** Which e-mails a person gets about new critical and high findings of the tenant. */
export declare const NotificationsSchema: z.ZodType<Notifications>;
/** A condition that assets should meet. */
export declare const RuleSchema: z.ZodType<Rule>;
/** A rule written by a tenant. */
export declare const CustomRuleSchema: z.ZodType<CustomRule>;
/** The result of a rule that is not saved. */
export declare const RuleTrialSchema: z.ZodType<RuleTrial>;
/** The fields of assets, without their values. */
export declare const AssetFieldsSchema: z.ZodType<AssetFields>;
/** A named set of rules. */
export declare const ProfileSchema: z.ZodType<Profile>;
/** The state of one server process. */
export declare const HealthSchema: z.ZodType<Health>;
/** Explains a problem code and its remedy. */
export declare const ProblemPageSchema: z.ZodType<ProblemPage>;
/** The body of `auth.login`. */
export declare const AuthLoginBodySchema: z.ZodType<AuthLoginInput>;
/** The body of `auth.refresh`. */
export declare const AuthRefreshBodySchema: z.ZodType<AuthRefreshInput>;
/** The body of `auth.logout`. */
export declare const AuthLogoutBodySchema: z.ZodType<AuthLogoutInput>;
/** The body of `auth.register`. */
export declare const AuthRegisterBodySchema: z.ZodType<AuthRegisterInput>;
/** The body of `auth.verifyEmail`. */
export declare const AuthVerifyEmailBodySchema: z.ZodType<AuthVerifyEmailInput>;
/** The body of `auth.resendVerification`. */
export declare const AuthResendVerificationBodySchema: z.ZodType<AuthResendVerificationInput>;
/** The body of `auth.forgotPassword`. */
export declare const AuthForgotPasswordBodySchema: z.ZodType<AuthForgotPasswordInput>;
/** The body of `auth.resetPassword`. */
export declare const AuthResetPasswordBodySchema: z.ZodType<AuthResetPasswordInput>;
/** The body of `auth.acceptInvite`. */
export declare const AuthAcceptInviteBodySchema: z.ZodType<AuthAcceptInviteInput>;
/** The body of `auth.changePassword`. */
export declare const AuthChangePasswordBodySchema: z.ZodType<AuthChangePasswordInput>;
/** The body of `auth.google`. */
export declare const AuthGoogleBodySchema: z.ZodType<AuthGoogleInput>;
/** The body of `auth.exchange`. */
export declare const AuthExchangeBodySchema: z.ZodType<AuthExchangeInput>;
/** The body of `auth.confirm`. */
export declare const AuthConfirmBodySchema: z.ZodType<AuthConfirmInput>;
/** The body of `auth.confirmMail`. */
export declare const AuthConfirmMailBodySchema: z.ZodType<AuthConfirmMailInput>;
/** The body of `twoFactor.setup`. */
export declare const TwoFactorSetupBodySchema: z.ZodType<TwoFactorSetupInput>;
/** The body of `twoFactor.enable`. */
export declare const TwoFactorEnableBodySchema: z.ZodType<TwoFactorEnableInput>;
/** The body of `twoFactor.verify`. */
export declare const TwoFactorVerifyBodySchema: z.ZodType<TwoFactorVerifyInput>;
/** The body of `twoFactor.disable`. */
export declare const TwoFactorDisableBodySchema: z.ZodType<TwoFactorDisableInput>;
/** The body of `twoFactor.recoveryCodes`. */
export declare const TwoFactorRecoveryCodesBodySchema: z.ZodType<TwoFactorRecoveryCodesInput>;
/** The body of `apiKeys.create`. */
export declare const ApiKeysCreateBodySchema: z.ZodType<ApiKeysCreateInput>;
/** The body of `users.create`. */
export declare const UsersCreateBodySchema: z.ZodType<UsersCreateInput>;
/** The body of `users.update`. */
export declare const UsersUpdateBodySchema: z.ZodType<Omit<UsersUpdateInput, 'id'>>;
/** The body of `roles.create`. */
export declare const RolesCreateBodySchema: z.ZodType<RolesCreateInput>;
/** The body of `roles.update`. */
export declare const RolesUpdateBodySchema: z.ZodType<Omit<RolesUpdateInput, 'name'>>;
/** The body of `tenant.update`. */
export declare const TenantUpdateBodySchema: z.ZodType<TenantUpdateInput>;
/** The body of `saml.putSettings`. */
export declare const SamlPutSettingsBodySchema: z.ZodType<SamlPutSettingsInput>;
/** The body of `saml.discover`. */
export declare const SamlDiscoverBodySchema: z.ZodType<SamlDiscoverInput>;
/** The body of `domains.create`. */
export declare const DomainsCreateBodySchema: z.ZodType<DomainsCreateInput>;
/** The body of `projects.create`. */
export declare const ProjectsCreateBodySchema: z.ZodType<ProjectsCreateInput>;
/** The body of `projects.update`. */
export declare const ProjectsUpdateBodySchema: z.ZodType<Omit<ProjectsUpdateInput, 'name'>>;
/** The body of `sources.set`. */
export declare const SourcesSetBodySchema: z.ZodType<Omit<SourcesSetInput, 'name'>>;
/** The body of `preflight.run`. */
export declare const PreflightRunBodySchema: z.ZodType<PreflightRunInput>;
/** The body of `scans.launch`. */
export declare const ScansLaunchBodySchema: z.ZodType<ScansLaunchInput>;
/** The body of `schedules.create`. */
export declare const SchedulesCreateBodySchema: z.ZodType<SchedulesCreateInput>;
/** The body of `schedules.update`. */
export declare const SchedulesUpdateBodySchema: z.ZodType<Omit<SchedulesUpdateInput, 'id'>>;
/** The body of `webhooks.create`. */
export declare const WebhooksCreateBodySchema: z.ZodType<WebhooksCreateInput>;
/** The body of `webhooks.update`. */
export declare const WebhooksUpdateBodySchema: z.ZodType<Omit<WebhooksUpdateInput, 'id'>>;
/** The body of `mutes.create`. */
export declare const MutesCreateBodySchema: z.ZodType<MutesCreateInput>;
/** The body of `mutes.bulkCreate`. */
export declare const MutesBulkCreateBodySchema: z.ZodType<MutesBulkCreateInput>;
/** The body of `views.create`. */
export declare const ViewsCreateBodySchema: z.ZodType<ViewsCreateInput>;
/** The body of `views.update`. */
export declare const ViewsUpdateBodySchema: z.ZodType<Omit<ViewsUpdateInput, 'id'>>;
/** The body of `notifications.update`. */
export declare const NotificationsUpdateBodySchema: z.ZodType<NotificationsUpdateInput>;
/** The body of `customRules.create`. */
export declare const CustomRulesCreateBodySchema: z.ZodType<CustomRulesCreateInput>;
/** The body of `customRules.update`. */
export declare const CustomRulesUpdateBodySchema: z.ZodType<Omit<CustomRulesUpdateInput, 'id'>>;
/** The body of `customRules.test`. */
export declare const CustomRulesTestBodySchema: z.ZodType<CustomRulesTestInput>;
/** The body of `profiles.create`. */
export declare const ProfilesCreateBodySchema: z.ZodType<ProfilesCreateInput>;
/** The body of `profiles.update`. */
export declare const ProfilesUpdateBodySchema: z.ZodType<Omit<ProfilesUpdateInput, 'name'>>;

export type ValidatingOptions = ClientOptions & {
    /**
     * `true`: an answer that does not match its schema fails the call with the code `INVALID_RESPONSE` and a message that
     * names the members. Meant for tests: a later server may answer with values that this version does not know.
     */
    readonly validateResponses?: boolean | undefined;
};
/** `createClient` of `@cspm/sdk` with the option `validateResponses`. */
export declare function createClient(options: ValidatingOptions): Cspm;
