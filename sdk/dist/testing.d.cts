import type { Accepted, ApiKey, Asset, AssetDetails, AssetFields, AuditEvent, BulkMute, ComplianceReport, Cspm, CustomRule, Domain, Finding, FindingGroup, FindingSummary, FindingWithFix, Health, Identity, Inventory, Mute, NewApiKey, NewWebhook, Notifications, PostureSummary, PostureTrend, Preflight, ProblemCodes, ProblemPage, Profile, Project, ProjectSource, Pull, RecoveryCodes, Role, Rule, RuleCount, RuleTrial, SamlDiscovery, SamlSettings, Scan, ScanComparison, Schedule, Session, SignInMethods, SourceCheck, Tenant, Tokens, TwoFactorSetup, User, View, Webhook, WebhookDelivery, WebhookSecret } from '@cspm/sdk';
import type { HttpHandler } from 'msw';

/** The parts of the service's OpenAPI 3.1 document that a mock reads: schemas, examples and policies. */
export interface MockDocument {
    readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
    readonly components: {
        readonly schemas: Readonly<Record<string, MockJson>>;
        readonly examples: Readonly<Record<string, {
            readonly value: MockProblem;
        }>>;
        readonly [part: string]: Readonly<Record<string, unknown>>;
    };
}
export type MockJson = string | number | boolean | null | readonly MockJson[] | {
    readonly [name: string]: MockJson;
};
export interface MockProblem {
    readonly type: string;
    readonly title: string;
    readonly status: number;
    readonly code: string;
    readonly detail: string;
    /** Further members, such as `checks`. */
    readonly [member: string]: unknown;
}
export type MockCredential = 'jwt' | 'api_key' | 'global_api_key' | 'master_key';
/** An operation with its policy from the document. */
export interface MockOperation {
    readonly id: string;
    readonly method: string;
    /** `/scans/{id}` */
    readonly path: string;
    readonly credentials: readonly MockCredential[] | 'public';
    /** A caller needs all of these. */
    readonly permissions: readonly string[];
    readonly mfa: boolean;
    readonly feature: string | null;
    /** The limit in addition to the default one, or null. */
    readonly limit: {
        readonly name: string;
        readonly quota: number;
        readonly windowSeconds: number;
    } | null;
    /** Whether requests count against the default limit. */
    readonly limited: boolean;
    readonly takesKey: boolean;
    readonly parameters: readonly MockParameter[];
    /** By media type. */
    readonly body: Readonly<Record<string, MockMedia>>;
    /** The successful response. */
    readonly success: {
        readonly status: number;
        readonly media: Readonly<Record<string, MockMedia>>;
    };
}
export interface MockMedia {
    readonly schema?: MockJson;
    readonly example?: MockJson;
}
export interface MockParameter {
    readonly name: string;
    readonly in: 'path' | 'query' | 'header';
    readonly required?: boolean;
    readonly schema: {
        readonly [name: string]: MockJson;
    };
}

/** What a mock knows of its tenant. */
export interface MockServiceOptions {
    /** Requests per minute and client over all operations; 60 by default. */
    readonly rateLimit?: number | undefined;
    /** Lifetime of access tokens; 900 by default. A short one tests token refresh. */
    readonly accessSeconds?: number | undefined;
    /** How long a scan takes; 5 by default. */
    readonly scanSeconds?: number | undefined;
    /** The licensed features of the tenant; none by default. */
    readonly features?: readonly string[] | undefined;
    /** The time in milliseconds, for fake clocks. */
    readonly now?: (() => number) | undefined;
    /** The answer to `GET /openapi.json`. */
    readonly document?: object | undefined;
}
/** Reads and checks what a request consists of. Each method throws a problem for what it refuses. */
export interface MockInput {
    query(operation: MockOperation, search: URLSearchParams): Readonly<Record<string, unknown>>;
    body(operation: MockOperation, value: unknown): void;
    matchesPath(operation: MockOperation, params: Readonly<Record<string, string>>): boolean;
}

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

/** API keys of an administrator and of a user who may only read. */
export declare const MOCK_KEYS: {
    readonly admin: string;
    readonly viewer: string;
};
/** `admin@example.com` and `viewer@example.com` sign in with the password, the administrator also with the code. */
export declare const MOCK_SIGN_IN: {
    readonly password: string;
    readonly code: string;
};
/** How often, and with which members and headers, a call is refused. */
export interface Refusal {
    /** 1 by default. */
    readonly times?: number | undefined;
    /** Members of the problem, such as `checks` or `errors`; those of the document's example by default. */
    readonly members?: Readonly<Record<string, unknown>> | undefined;
    readonly headers?: Readonly<Record<string, string>> | undefined;
}
/** A mock of the service for tests. */
export interface CspmMock {
    /** Handlers of MSW for every operation. */
    readonly handlers: HttpHandler[];
    /** Refuses the next calls of an operation, after its policies: limits, credentials and input come first. */
    refuse<Operation extends keyof ProblemCodes>(operation: Operation, code: ProblemCodes[Operation], how?: Refusal): void;
    /** Answers the next call of an operation, or the next `times` calls, with data. */
    answer<Operation extends keyof MockAnswers>(operation: Operation, data: MockAnswers[Operation], how?: {
        readonly times?: number | undefined;
    }): void;
    /** Forgets everything: projects, scans, sessions, limits, Idempotency-Keys and what was planned. */
    reset(): void;
}
export interface MockOptions extends MockServiceOptions {
    /** The address that the tested client uses, with or without a path. */
    readonly baseUrl: string | URL;
}
/**
 * A mock of the service for [MSW](https://mswjs.io). It keeps projects, scans and findings in memory, answers all other
 * operations with the example of the OpenAPI document, and enforces the policies of the contract: credentials,
 * permissions, rate limits with their headers, Idempotency-Keys.
 */
export declare function mockCspm(options: MockOptions): CspmMock;
/**
 * Objects as the service answers them, from the examples of the OpenAPI document: `make.finding({ severity: 'low' })`.
 * Each call makes a new one.
 */
export declare const make: Factories;
/** A mock of any version of the service, for servers such as `cspm mock`. */
export interface AnyMock {
    /** @param address of the client, whose requests are limited together */
    handle(request: Request, address?: string): Promise<Response>;
}
/** The operations of a document, with their policies. @throws {TypeError} for a document of another service */
export declare function operationsOf(document: object): MockOperation[];
/** For a `MockInput`: refuses a request with `VALIDATION_FAILED`, unless there are no errors. */
export declare const invalid: (errors: readonly {
    path: string;
    message: string;
}[]) => void;
/** For a `MockInput`: converts the values of a parameter to the type of its schema. */
export declare const readParameter: (texts: readonly string[], schema: Readonly<Record<string, MockJson>>) => unknown;
/**
 * The mock without MSW, of the version that a document describes. `input` checks what is sent.
 * @throws {TypeError} for a document of another service
 */
export declare function mockOf(document: object, input: MockInput, options: MockServiceOptions): AnyMock;
