import type { CallOptions, Cspm, ProblemCodes, ProblemOf } from '@cspm/sdk';
import type { DataTag, InfiniteData, UnusedSkipTokenInfiniteOptions, UnusedSkipTokenOptions, UseMutationOptions } from '@tanstack/react-query';

type Method = (...input: never[]) => unknown;
type Id = keyof ProblemCodes;
type InputOf<M extends Method> = Parameters<M>[0];
type Data<M extends Method> = Awaited<ReturnType<M>>;
type PageInput<M extends Method> = Omit<NonNullable<InputOf<M>>, 'cursor'>;
/** TypeScript demands the input where a member of it is required. */
type Optional<I, All = NonNullable<I>> = Record<never, never> extends All ? [input?: All, options?: QueryCallOptions] : [input: All, options?: QueryCallOptions];
/** Options of the calls that a query makes. Its signal is the one of react-query. */
export type QueryCallOptions = Omit<CallOptions, 'signal'>;
/** `[scope, group, method, { type, input }]`. The first two or three members match all queries below them. */
export type CspmQueryKey = readonly [
    scope: string,
    group: string,
    method: string,
    details: {
        readonly type: 'query' | 'infinite';
        readonly input: object;
        readonly tenantId?: string;
    }
];
/** A key that matches several queries, for `invalidateQueries`, `isFetching` and others that filter. */
export type CspmKeyPrefix = readonly [scope: string, ...names: string[]];
export type CspmQueryOptions<T, E> = UnusedSkipTokenOptions<T, E, T, CspmQueryKey> & {
    queryKey: DataTag<CspmQueryKey, T, E>;
};
export type CspmInfiniteQueryOptions<P, E> = UnusedSkipTokenInfiniteOptions<P, E, InfiniteData<P, string | undefined>, CspmQueryKey, string | undefined> & {
    queryKey: DataTag<CspmQueryKey, InfiniteData<P, string | undefined>, E>;
};
/** The queries of an operation, of a group such as `projects`, or of everything. */
export interface GroupUtils {
    /** A key that matches all queries and mutations below. */
    key(): CspmKeyPrefix;
}
/** An operation that reads. */
export interface QueryUtils<M extends Method, O extends Id> extends GroupUtils {
    /** For `useQuery`, `useSuspenseQuery`, `prefetchQuery` and others. For a list, its first page. */
    queryOptions(...input: Optional<InputOf<M>>): CspmQueryOptions<Data<M>, ProblemOf<O>>;
    /** The key of that query, for `getQueryData`, `setQueryData` and `invalidateQueries`. */
    queryKey(...input: Optional<InputOf<M>>): DataTag<CspmQueryKey, Data<M>, ProblemOf<O>>;
}
/** A list. */
export interface ListUtils<M extends Method, O extends Id> extends QueryUtils<M, O> {
    /** For `useInfiniteQuery` and others: pages by cursor. */
    infiniteQueryOptions(...input: Optional<PageInput<M>>): CspmInfiniteQueryOptions<Data<M>, ProblemOf<O>>;
    infiniteQueryKey(...input: Optional<PageInput<M>>): DataTag<CspmQueryKey, InfiniteData<Data<M>, string | undefined>, ProblemOf<O>>;
}
/** An operation that can be sent by `useMutation`. Its variables are the input of the method. */
export interface MutationUtils<M extends Method, O extends Id> extends GroupUtils {
    /**
     * Each `mutate()` has an Idempotency-Key of its own, if the operation takes one. Its retries have the same, and so has
     * the next `mutate()` with the same object as its variables after one that failed.
     */
    mutationOptions(options?: QueryCallOptions): UseMutationOptions<Data<M>, ProblemOf<O>, Variables<InputOf<M>>> & {
        mutationKey: CspmKeyPrefix;
    };
}
/** Without input, `mutate()` takes nothing. */
type Variables<I> = undefined extends I ? NonNullable<I> | void : I;
export interface QueryUtilsOptions {
    /**
     * The first member of every key; `cspm` by default. Give each its own when one `QueryClient` serves several clients,
     * for example of two tenants.
     */
    readonly scope?: string | undefined;
}
export {};

/** Options and keys of react-query for each operation that is no stream. */
export interface CspmQueryUtils extends GroupUtils {
    readonly auth: GroupUtils & {
        readonly login: MutationUtils<Cspm['auth']['login'], 'authLogin'>;
        readonly refresh: MutationUtils<Cspm['auth']['refresh'], 'authRefresh'>;
        readonly logout: MutationUtils<Cspm['auth']['logout'], 'authLogout'>;
        readonly logoutAll: MutationUtils<Cspm['auth']['logoutAll'], 'authLogoutAll'>;
        readonly register: MutationUtils<Cspm['auth']['register'], 'authRegister'>;
        readonly verifyEmail: MutationUtils<Cspm['auth']['verifyEmail'], 'authVerifyEmail'>;
        readonly resendVerification: MutationUtils<Cspm['auth']['resendVerification'], 'authResendVerification'>;
        readonly forgotPassword: MutationUtils<Cspm['auth']['forgotPassword'], 'authForgotPassword'>;
        readonly resetPassword: MutationUtils<Cspm['auth']['resetPassword'], 'authResetPassword'>;
        readonly acceptInvite: MutationUtils<Cspm['auth']['acceptInvite'], 'authAcceptInvite'>;
        readonly changePassword: MutationUtils<Cspm['auth']['changePassword'], 'authChangePassword'>;
        readonly google: MutationUtils<Cspm['auth']['google'], 'authGoogle'>;
        readonly exchange: MutationUtils<Cspm['auth']['exchange'], 'authExchange'>;
        readonly confirm: MutationUtils<Cspm['auth']['confirm'], 'authConfirm'>;
        readonly confirmMail: MutationUtils<Cspm['auth']['confirmMail'], 'authConfirmMail'>;
        readonly methods: QueryUtils<Cspm['auth']['methods'], 'authMethods'>;
        readonly me: QueryUtils<Cspm['auth']['me'], 'authMe'>;
    };
    readonly twoFactor: GroupUtils & {
        readonly setup: MutationUtils<Cspm['twoFactor']['setup'], 'twoFactorSetup'>;
        readonly enable: MutationUtils<Cspm['twoFactor']['enable'], 'twoFactorEnable'>;
        readonly verify: MutationUtils<Cspm['twoFactor']['verify'], 'twoFactorVerify'>;
        readonly disable: MutationUtils<Cspm['twoFactor']['disable'], 'twoFactorDisable'>;
        readonly recoveryCodes: MutationUtils<Cspm['twoFactor']['recoveryCodes'], 'twoFactorRecoveryCodes'>;
    };
    readonly sessions: GroupUtils & {
        readonly list: ListUtils<Cspm['sessions']['list'], 'sessionsList'>;
        readonly revoke: MutationUtils<Cspm['sessions']['revoke'], 'sessionsRevoke'>;
    };
    readonly apiKeys: GroupUtils & {
        readonly list: ListUtils<Cspm['apiKeys']['list'], 'apiKeysList'>;
        readonly create: MutationUtils<Cspm['apiKeys']['create'], 'apiKeysCreate'>;
        readonly revoke: MutationUtils<Cspm['apiKeys']['revoke'], 'apiKeysRevoke'>;
    };
    readonly users: GroupUtils & {
        readonly list: ListUtils<Cspm['users']['list'], 'usersList'>;
        readonly create: MutationUtils<Cspm['users']['create'], 'usersCreate'>;
        readonly resendInvitation: MutationUtils<Cspm['users']['resendInvitation'], 'usersResendInvitation'>;
        readonly get: QueryUtils<Cspm['users']['get'], 'usersGet'>;
        readonly update: MutationUtils<Cspm['users']['update'], 'usersUpdate'>;
        readonly delete: MutationUtils<Cspm['users']['delete'], 'usersDelete'>;
    };
    readonly roles: GroupUtils & {
        readonly list: ListUtils<Cspm['roles']['list'], 'rolesList'>;
        readonly create: MutationUtils<Cspm['roles']['create'], 'rolesCreate'>;
        readonly update: MutationUtils<Cspm['roles']['update'], 'rolesUpdate'>;
        readonly delete: MutationUtils<Cspm['roles']['delete'], 'rolesDelete'>;
    };
    readonly tenant: GroupUtils & {
        readonly get: QueryUtils<Cspm['tenant']['get'], 'tenantGet'>;
        readonly update: MutationUtils<Cspm['tenant']['update'], 'tenantUpdate'>;
    };
    readonly saml: GroupUtils & {
        readonly getSettings: QueryUtils<Cspm['saml']['getSettings'], 'samlGetSettings'>;
        readonly putSettings: MutationUtils<Cspm['saml']['putSettings'], 'samlPutSettings'>;
        readonly deleteSettings: MutationUtils<Cspm['saml']['deleteSettings'], 'samlDeleteSettings'>;
        readonly discover: QueryUtils<Cspm['saml']['discover'], 'samlDiscover'> & MutationUtils<Cspm['saml']['discover'], 'samlDiscover'>;
    };
    readonly domains: GroupUtils & {
        readonly list: ListUtils<Cspm['domains']['list'], 'domainsList'>;
        readonly create: MutationUtils<Cspm['domains']['create'], 'domainsCreate'>;
        readonly verify: MutationUtils<Cspm['domains']['verify'], 'domainsVerify'>;
        readonly delete: MutationUtils<Cspm['domains']['delete'], 'domainsDelete'>;
    };
    readonly auditEvents: GroupUtils & {
        readonly list: ListUtils<Cspm['auditEvents']['list'], 'auditEventsList'>;
    };
    readonly projects: GroupUtils & {
        readonly list: ListUtils<Cspm['projects']['list'], 'projectsList'>;
        readonly create: MutationUtils<Cspm['projects']['create'], 'projectsCreate'>;
        readonly get: QueryUtils<Cspm['projects']['get'], 'projectsGet'>;
        readonly update: MutationUtils<Cspm['projects']['update'], 'projectsUpdate'>;
        readonly delete: MutationUtils<Cspm['projects']['delete'], 'projectsDelete'>;
        readonly inventories: ListUtils<Cspm['projects']['inventories'], 'projectsInventories'>;
        readonly uploadInventory: MutationUtils<Cspm['projects']['uploadInventory'], 'projectsUploadInventory'>;
    };
    readonly assets: GroupUtils & {
        readonly list: ListUtils<Cspm['assets']['list'], 'assetsList'>;
        readonly lookup: QueryUtils<Cspm['assets']['lookup'], 'assetsLookup'>;
    };
    readonly sources: GroupUtils & {
        readonly set: MutationUtils<Cspm['sources']['set'], 'sourcesSet'>;
        readonly get: QueryUtils<Cspm['sources']['get'], 'sourcesGet'>;
        readonly delete: MutationUtils<Cspm['sources']['delete'], 'sourcesDelete'>;
        readonly check: QueryUtils<Cspm['sources']['check'], 'sourcesCheck'> & MutationUtils<Cspm['sources']['check'], 'sourcesCheck'>;
    };
    readonly pulls: GroupUtils & {
        readonly start: MutationUtils<Cspm['pulls']['start'], 'pullsStart'>;
        readonly list: ListUtils<Cspm['pulls']['list'], 'pullsList'>;
        readonly get: QueryUtils<Cspm['pulls']['get'], 'pullsGet'>;
    };
    readonly preflight: GroupUtils & {
        readonly run: QueryUtils<Cspm['preflight']['run'], 'preflightRun'> & MutationUtils<Cspm['preflight']['run'], 'preflightRun'>;
    };
    readonly scans: GroupUtils & {
        readonly list: ListUtils<Cspm['scans']['list'], 'scansList'>;
        readonly launch: MutationUtils<Cspm['scans']['launch'], 'scansLaunch'>;
        readonly get: QueryUtils<Cspm['scans']['get'], 'scansGet'>;
        readonly rules: ListUtils<Cspm['scans']['rules'], 'scansRules'>;
        readonly compliance: QueryUtils<Cspm['scans']['compliance'], 'scansCompliance'>;
        readonly compare: ListUtils<Cspm['scans']['compare'], 'scansCompare'>;
        readonly cancel: MutationUtils<Cspm['scans']['cancel'], 'scansCancel'>;
    };
    readonly schedules: GroupUtils & {
        readonly list: ListUtils<Cspm['schedules']['list'], 'schedulesList'>;
        readonly create: MutationUtils<Cspm['schedules']['create'], 'schedulesCreate'>;
        readonly get: QueryUtils<Cspm['schedules']['get'], 'schedulesGet'>;
        readonly update: MutationUtils<Cspm['schedules']['update'], 'schedulesUpdate'>;
        readonly delete: MutationUtils<Cspm['schedules']['delete'], 'schedulesDelete'>;
    };
    readonly webhooks: GroupUtils & {
        readonly list: ListUtils<Cspm['webhooks']['list'], 'webhooksList'>;
        readonly create: MutationUtils<Cspm['webhooks']['create'], 'webhooksCreate'>;
        readonly get: QueryUtils<Cspm['webhooks']['get'], 'webhooksGet'>;
        readonly update: MutationUtils<Cspm['webhooks']['update'], 'webhooksUpdate'>;
        readonly delete: MutationUtils<Cspm['webhooks']['delete'], 'webhooksDelete'>;
        readonly rotateSecret: MutationUtils<Cspm['webhooks']['rotateSecret'], 'webhooksRotateSecret'>;
        readonly test: MutationUtils<Cspm['webhooks']['test'], 'webhooksTest'>;
        readonly deliveries: ListUtils<Cspm['webhooks']['deliveries'], 'webhooksDeliveries'>;
        readonly redeliver: MutationUtils<Cspm['webhooks']['redeliver'], 'webhooksRedeliver'>;
    };
    readonly findings: GroupUtils & {
        readonly list: ListUtils<Cspm['findings']['list'], 'findingsList'>;
        readonly summary: QueryUtils<Cspm['findings']['summary'], 'findingsSummary'>;
        readonly groups: ListUtils<Cspm['findings']['groups'], 'findingsGroups'>;
        readonly get: QueryUtils<Cspm['findings']['get'], 'findingsGet'>;
    };
    readonly mutes: GroupUtils & {
        readonly list: ListUtils<Cspm['mutes']['list'], 'mutesList'>;
        readonly create: MutationUtils<Cspm['mutes']['create'], 'mutesCreate'>;
        readonly bulkCreate: MutationUtils<Cspm['mutes']['bulkCreate'], 'mutesBulkCreate'>;
        readonly delete: MutationUtils<Cspm['mutes']['delete'], 'mutesDelete'>;
    };
    readonly posture: GroupUtils & {
        readonly summary: QueryUtils<Cspm['posture']['summary'], 'postureSummary'>;
        readonly trend: QueryUtils<Cspm['posture']['trend'], 'postureTrend'>;
    };
    readonly views: GroupUtils & {
        readonly list: ListUtils<Cspm['views']['list'], 'viewsList'>;
        readonly create: MutationUtils<Cspm['views']['create'], 'viewsCreate'>;
        readonly update: MutationUtils<Cspm['views']['update'], 'viewsUpdate'>;
        readonly delete: MutationUtils<Cspm['views']['delete'], 'viewsDelete'>;
    };
    readonly notifications: GroupUtils & {
        readonly get: QueryUtils<Cspm['notifications']['get'], 'notificationsGet'>;
        readonly update: MutationUtils<Cspm['notifications']['update'], 'notificationsUpdate'>;
    };
    readonly rules: GroupUtils & {
        readonly list: ListUtils<Cspm['rules']['list'], 'rulesList'>;
        readonly get: QueryUtils<Cspm['rules']['get'], 'rulesGet'>;
    };
    readonly customRules: GroupUtils & {
        readonly list: ListUtils<Cspm['customRules']['list'], 'customRulesList'>;
        readonly create: MutationUtils<Cspm['customRules']['create'], 'customRulesCreate'>;
        readonly update: MutationUtils<Cspm['customRules']['update'], 'customRulesUpdate'>;
        readonly delete: MutationUtils<Cspm['customRules']['delete'], 'customRulesDelete'>;
        readonly test: QueryUtils<Cspm['customRules']['test'], 'customRulesTest'> & MutationUtils<Cspm['customRules']['test'], 'customRulesTest'>;
        readonly fields: QueryUtils<Cspm['customRules']['fields'], 'customRulesFields'>;
    };
    readonly profiles: GroupUtils & {
        readonly list: ListUtils<Cspm['profiles']['list'], 'profilesList'>;
        readonly create: MutationUtils<Cspm['profiles']['create'], 'profilesCreate'>;
        readonly update: MutationUtils<Cspm['profiles']['update'], 'profilesUpdate'>;
        readonly delete: MutationUtils<Cspm['profiles']['delete'], 'profilesDelete'>;
    };
    readonly meta: GroupUtils & {
        readonly live: QueryUtils<Cspm['meta']['live'], 'metaLive'>;
        readonly ready: QueryUtils<Cspm['meta']['ready'], 'metaReady'>;
        readonly openapi: QueryUtils<Cspm['meta']['openapi'], 'metaOpenapi'>;
        readonly problem: QueryUtils<Cspm['meta']['problem'], 'metaProblem'>;
    };
}

/**
 * Options and keys for `@tanstack/react-query`, for every operation of a client: `utils.findings.list.queryOptions(…)`.
 *
 * Queries have `retry: false`, because the client already retries what the contract allows.
 */
export declare function createQueryUtils(client: Cspm, options?: QueryUtilsOptions): CspmQueryUtils;
