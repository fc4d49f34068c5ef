// Generated from openapi.json by `npm run generate`. Do not edit.
import type {
  Cspm,
  Accepted,
  ApiKey,
  Asset,
  AssetDetails,
  AssetFields,
  AuditEvent,
  BulkMute,
  ComplianceReport,
  CustomRule,
  Domain,
  Finding,
  FindingGroup,
  FindingSummary,
  FindingWithFix,
  Health,
  Identity,
  Inventory,
  Mute,
  NewApiKey,
  NewWebhook,
  Notifications,
  PostureSummary,
  PostureTrend,
  Preflight,
  ProblemPage,
  Profile,
  Project,
  ProjectSource,
  Pull,
  RecoveryCodes,
  Role,
  Rule,
  RuleCount,
  RuleTrial,
  SamlDiscovery,
  SamlSettings,
  Scan,
  ScanComparison,
  Schedule,
  Session,
  SignInMethods,
  SourceCheck,
  Tenant,
  Tokens,
  TwoFactorSetup,
  User,
  View,
  Webhook,
  WebhookDelivery,
  WebhookSecret,
} from '../index.ts';

/** The data of each operation, by its id in the OpenAPI document. */
export interface MockAnswers {
  readonly authLogin: Awaited<ReturnType<Cspm['auth']['login']>>;
  readonly authRefresh: Awaited<ReturnType<Cspm['auth']['refresh']>>;
  readonly authLogout: Awaited<ReturnType<Cspm['auth']['logout']>>;
  readonly authLogoutAll: Awaited<ReturnType<Cspm['auth']['logoutAll']>>;
  readonly authRegister: Awaited<ReturnType<Cspm['auth']['register']>>;
  readonly authVerifyEmail: Awaited<ReturnType<Cspm['auth']['verifyEmail']>>;
  readonly authResendVerification: Awaited<ReturnType<Cspm['auth']['resendVerification']>>;
  readonly authForgotPassword: Awaited<ReturnType<Cspm['auth']['forgotPassword']>>;
  readonly authResetPassword: Awaited<ReturnType<Cspm['auth']['resetPassword']>>;
  readonly authAcceptInvite: Awaited<ReturnType<Cspm['auth']['acceptInvite']>>;
  readonly authChangePassword: Awaited<ReturnType<Cspm['auth']['changePassword']>>;
  readonly authGoogle: Awaited<ReturnType<Cspm['auth']['google']>>;
  readonly authExchange: Awaited<ReturnType<Cspm['auth']['exchange']>>;
  readonly authConfirm: Awaited<ReturnType<Cspm['auth']['confirm']>>;
  readonly authConfirmMail: Awaited<ReturnType<Cspm['auth']['confirmMail']>>;
  readonly authMethods: Awaited<ReturnType<Cspm['auth']['methods']>>;
  readonly authMe: Awaited<ReturnType<Cspm['auth']['me']>>;
  readonly twoFactorSetup: Awaited<ReturnType<Cspm['twoFactor']['setup']>>;
  readonly twoFactorEnable: Awaited<ReturnType<Cspm['twoFactor']['enable']>>;
  readonly twoFactorVerify: Awaited<ReturnType<Cspm['twoFactor']['verify']>>;
  readonly twoFactorDisable: Awaited<ReturnType<Cspm['twoFactor']['disable']>>;
  readonly twoFactorRecoveryCodes: Awaited<ReturnType<Cspm['twoFactor']['recoveryCodes']>>;
  readonly sessionsList: Awaited<ReturnType<Cspm['sessions']['list']>>;
  readonly sessionsRevoke: Awaited<ReturnType<Cspm['sessions']['revoke']>>;
  readonly apiKeysList: Awaited<ReturnType<Cspm['apiKeys']['list']>>;
  readonly apiKeysCreate: Awaited<ReturnType<Cspm['apiKeys']['create']>>;
  readonly apiKeysRevoke: Awaited<ReturnType<Cspm['apiKeys']['revoke']>>;
  readonly usersList: Awaited<ReturnType<Cspm['users']['list']>>;
  readonly usersCreate: Awaited<ReturnType<Cspm['users']['create']>>;
  readonly usersResendInvitation: Awaited<ReturnType<Cspm['users']['resendInvitation']>>;
  readonly usersGet: Awaited<ReturnType<Cspm['users']['get']>>;
  readonly usersUpdate: Awaited<ReturnType<Cspm['users']['update']>>;
  readonly usersDelete: Awaited<ReturnType<Cspm['users']['delete']>>;
  readonly rolesList: Awaited<ReturnType<Cspm['roles']['list']>>;
  readonly rolesCreate: Awaited<ReturnType<Cspm['roles']['create']>>;
  readonly rolesUpdate: Awaited<ReturnType<Cspm['roles']['update']>>;
  readonly rolesDelete: Awaited<ReturnType<Cspm['roles']['delete']>>;
  readonly tenantGet: Awaited<ReturnType<Cspm['tenant']['get']>>;
  readonly tenantUpdate: Awaited<ReturnType<Cspm['tenant']['update']>>;
  readonly samlGetSettings: Awaited<ReturnType<Cspm['saml']['getSettings']>>;
  readonly samlPutSettings: Awaited<ReturnType<Cspm['saml']['putSettings']>>;
  readonly samlDeleteSettings: Awaited<ReturnType<Cspm['saml']['deleteSettings']>>;
  readonly samlDiscover: Awaited<ReturnType<Cspm['saml']['discover']>>;
  readonly domainsList: Awaited<ReturnType<Cspm['domains']['list']>>;
  readonly domainsCreate: Awaited<ReturnType<Cspm['domains']['create']>>;
  readonly domainsVerify: Awaited<ReturnType<Cspm['domains']['verify']>>;
  readonly domainsDelete: Awaited<ReturnType<Cspm['domains']['delete']>>;
  readonly auditEventsList: Awaited<ReturnType<Cspm['auditEvents']['list']>>;
  readonly projectsList: Awaited<ReturnType<Cspm['projects']['list']>>;
  readonly projectsCreate: Awaited<ReturnType<Cspm['projects']['create']>>;
  readonly projectsGet: Awaited<ReturnType<Cspm['projects']['get']>>;
  readonly projectsUpdate: Awaited<ReturnType<Cspm['projects']['update']>>;
  readonly projectsDelete: Awaited<ReturnType<Cspm['projects']['delete']>>;
  readonly projectsInventories: Awaited<ReturnType<Cspm['projects']['inventories']>>;
  readonly projectsUploadInventory: Awaited<ReturnType<Cspm['projects']['uploadInventory']>>;
  readonly assetsList: Awaited<ReturnType<Cspm['assets']['list']>>;
  readonly assetsLookup: Awaited<ReturnType<Cspm['assets']['lookup']>>;
  readonly sourcesSet: Awaited<ReturnType<Cspm['sources']['set']>>;
  readonly sourcesGet: Awaited<ReturnType<Cspm['sources']['get']>>;
  readonly sourcesDelete: Awaited<ReturnType<Cspm['sources']['delete']>>;
  readonly sourcesCheck: Awaited<ReturnType<Cspm['sources']['check']>>;
  readonly pullsStart: Awaited<ReturnType<Cspm['pulls']['start']>>;
  readonly pullsList: Awaited<ReturnType<Cspm['pulls']['list']>>;
  readonly pullsGet: Awaited<ReturnType<Cspm['pulls']['get']>>;
  readonly preflightRun: Awaited<ReturnType<Cspm['preflight']['run']>>;
  readonly scansList: Awaited<ReturnType<Cspm['scans']['list']>>;
  readonly scansLaunch: Awaited<ReturnType<Cspm['scans']['launch']>>;
  readonly scansGet: Awaited<ReturnType<Cspm['scans']['get']>>;
  readonly scansRules: Awaited<ReturnType<Cspm['scans']['rules']>>;
  readonly scansCompliance: Awaited<ReturnType<Cspm['scans']['compliance']>>;
  readonly scansCompare: Awaited<ReturnType<Cspm['scans']['compare']>>;
  readonly scansCancel: Awaited<ReturnType<Cspm['scans']['cancel']>>;
  readonly schedulesList: Awaited<ReturnType<Cspm['schedules']['list']>>;
  readonly schedulesCreate: Awaited<ReturnType<Cspm['schedules']['create']>>;
  readonly schedulesGet: Awaited<ReturnType<Cspm['schedules']['get']>>;
  readonly schedulesUpdate: Awaited<ReturnType<Cspm['schedules']['update']>>;
  readonly schedulesDelete: Awaited<ReturnType<Cspm['schedules']['delete']>>;
  readonly webhooksList: Awaited<ReturnType<Cspm['webhooks']['list']>>;
  readonly webhooksCreate: Awaited<ReturnType<Cspm['webhooks']['create']>>;
  readonly webhooksGet: Awaited<ReturnType<Cspm['webhooks']['get']>>;
  readonly webhooksUpdate: Awaited<ReturnType<Cspm['webhooks']['update']>>;
  readonly webhooksDelete: Awaited<ReturnType<Cspm['webhooks']['delete']>>;
  readonly webhooksRotateSecret: Awaited<ReturnType<Cspm['webhooks']['rotateSecret']>>;
  readonly webhooksTest: Awaited<ReturnType<Cspm['webhooks']['test']>>;
  readonly webhooksDeliveries: Awaited<ReturnType<Cspm['webhooks']['deliveries']>>;
  readonly webhooksRedeliver: Awaited<ReturnType<Cspm['webhooks']['redeliver']>>;
  readonly findingsList: Awaited<ReturnType<Cspm['findings']['list']>>;
  readonly findingsSummary: Awaited<ReturnType<Cspm['findings']['summary']>>;
  readonly findingsGroups: Awaited<ReturnType<Cspm['findings']['groups']>>;
  readonly findingsGet: Awaited<ReturnType<Cspm['findings']['get']>>;
  readonly mutesList: Awaited<ReturnType<Cspm['mutes']['list']>>;
  readonly mutesCreate: Awaited<ReturnType<Cspm['mutes']['create']>>;
  readonly mutesBulkCreate: Awaited<ReturnType<Cspm['mutes']['bulkCreate']>>;
  readonly mutesDelete: Awaited<ReturnType<Cspm['mutes']['delete']>>;
  readonly postureSummary: Awaited<ReturnType<Cspm['posture']['summary']>>;
  readonly postureTrend: Awaited<ReturnType<Cspm['posture']['trend']>>;
  readonly viewsList: Awaited<ReturnType<Cspm['views']['list']>>;
  readonly viewsCreate: Awaited<ReturnType<Cspm['views']['create']>>;
  readonly viewsUpdate: Awaited<ReturnType<Cspm['views']['update']>>;
  readonly viewsDelete: Awaited<ReturnType<Cspm['views']['delete']>>;
  readonly notificationsGet: Awaited<ReturnType<Cspm['notifications']['get']>>;
  readonly notificationsUpdate: Awaited<ReturnType<Cspm['notifications']['update']>>;
  readonly rulesList: Awaited<ReturnType<Cspm['rules']['list']>>;
  readonly rulesGet: Awaited<ReturnType<Cspm['rules']['get']>>;
  readonly customRulesList: Awaited<ReturnType<Cspm['customRules']['list']>>;
  readonly customRulesCreate: Awaited<ReturnType<Cspm['customRules']['create']>>;
  readonly customRulesUpdate: Awaited<ReturnType<Cspm['customRules']['update']>>;
  readonly customRulesDelete: Awaited<ReturnType<Cspm['customRules']['delete']>>;
  readonly customRulesTest: Awaited<ReturnType<Cspm['customRules']['test']>>;
  readonly customRulesFields: Awaited<ReturnType<Cspm['customRules']['fields']>>;
  readonly profilesList: Awaited<ReturnType<Cspm['profiles']['list']>>;
  readonly profilesCreate: Awaited<ReturnType<Cspm['profiles']['create']>>;
  readonly profilesUpdate: Awaited<ReturnType<Cspm['profiles']['update']>>;
  readonly profilesDelete: Awaited<ReturnType<Cspm['profiles']['delete']>>;
  readonly metaLive: Awaited<ReturnType<Cspm['meta']['live']>>;
  readonly metaReady: Awaited<ReturnType<Cspm['meta']['ready']>>;
  readonly metaOpenapi: Awaited<ReturnType<Cspm['meta']['openapi']>>;
  readonly metaProblem: Awaited<ReturnType<Cspm['meta']['problem']>>;
}

/** Makes objects as the service answers them. */
export interface Factories {
  tokens(members?: Partial<Tokens>): Tokens;
  accepted(members?: Partial<Accepted>): Accepted;
  signInMethods(members?: Partial<SignInMethods>): SignInMethods;
  identity(members?: Partial<Identity>): Identity;
  twoFactorSetup(members?: Partial<TwoFactorSetup>): TwoFactorSetup;
  recoveryCodes(members?: Partial<RecoveryCodes>): RecoveryCodes;
  session(members?: Partial<Session>): Session;
  apiKey(members?: Partial<ApiKey>): ApiKey;
  newApiKey(members?: Partial<NewApiKey>): NewApiKey;
  user(members?: Partial<User>): User;
  role(members?: Partial<Role>): Role;
  tenant(members?: Partial<Tenant>): Tenant;
  samlSettings(members?: Partial<SamlSettings>): SamlSettings;
  samlDiscovery(members?: Partial<SamlDiscovery>): SamlDiscovery;
  domain(members?: Partial<Domain>): Domain;
  auditEvent(members?: Partial<AuditEvent>): AuditEvent;
  project(members?: Partial<Project>): Project;
  inventory(members?: Partial<Inventory>): Inventory;
  asset(members?: Partial<Asset>): Asset;
  assetDetails(members?: Partial<AssetDetails>): AssetDetails;
  projectSource(members?: Partial<ProjectSource>): ProjectSource;
  sourceCheck(members?: Partial<SourceCheck>): SourceCheck;
  pull(members?: Partial<Pull>): Pull;
  preflight(members?: Partial<Preflight>): Preflight;
  scan(members?: Partial<Scan>): Scan;
  ruleCount(members?: Partial<RuleCount>): RuleCount;
  complianceReport(members?: Partial<ComplianceReport>): ComplianceReport;
  scanComparison(members?: Partial<ScanComparison>): ScanComparison;
  schedule(members?: Partial<Schedule>): Schedule;
  webhook(members?: Partial<Webhook>): Webhook;
  newWebhook(members?: Partial<NewWebhook>): NewWebhook;
  webhookSecret(members?: Partial<WebhookSecret>): WebhookSecret;
  webhookDelivery(members?: Partial<WebhookDelivery>): WebhookDelivery;
  finding(members?: Partial<Finding>): Finding;
  findingSummary(members?: Partial<FindingSummary>): FindingSummary;
  findingGroup(members?: Partial<FindingGroup>): FindingGroup;
  findingWithFix(members?: Partial<FindingWithFix>): FindingWithFix;
  mute(members?: Partial<Mute>): Mute;
  bulkMute(members?: Partial<BulkMute>): BulkMute;
  postureSummary(members?: Partial<PostureSummary>): PostureSummary;
  postureTrend(members?: Partial<PostureTrend>): PostureTrend;
  view(members?: Partial<View>): View;
  notifications(members?: Partial<Notifications>): Notifications;
  rule(members?: Partial<Rule>): Rule;
  customRule(members?: Partial<CustomRule>): CustomRule;
  ruleTrial(members?: Partial<RuleTrial>): RuleTrial;
  assetFields(members?: Partial<AssetFields>): AssetFields;
  profile(members?: Partial<Profile>): Profile;
  health(members?: Partial<Health>): Health;
  problemPage(members?: Partial<ProblemPage>): ProblemPage;
}
