// Generated from openapi.json by `npm run generate`. Do not edit.

export interface paths {
    "/auth/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["authLogin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["authRefresh"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["authLogout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/logout-all": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["authLogoutAll"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["authRegister"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/verify-email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["authVerifyEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/resend-verification": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["authResendVerification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/forgot-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["authForgotPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/reset-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["authResetPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/accept-invite": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["authAcceptInvite"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/change-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["authChangePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/google": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["authGoogle"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/google/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["authGoogleLogin"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/google/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["authGoogleCallback"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/exchange": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["authExchange"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["authConfirm"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/confirm/mail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["authConfirmMail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/methods": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["authMethods"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["authMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/2fa/setup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["twoFactorSetup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/2fa/enable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["twoFactorEnable"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/2fa/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["twoFactorVerify"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/2fa/disable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["twoFactorDisable"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/2fa/recovery-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["twoFactorRecoveryCodes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["sessionsList"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["sessionsRevoke"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["apiKeysList"];
        put?: never;
        post: operations["apiKeysCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api-keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["apiKeysRevoke"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["usersList"];
        put?: never;
        post: operations["usersCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/{id}/resend-invitation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["usersResendInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["usersGet"];
        put?: never;
        post?: never;
        delete: operations["usersDelete"];
        options?: never;
        head?: never;
        patch: operations["usersUpdate"];
        trace?: never;
    };
    "/roles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["rolesList"];
        put?: never;
        post: operations["rolesCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/roles/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: operations["rolesUpdate"];
        post?: never;
        delete: operations["rolesDelete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tenant": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["tenantGet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: operations["tenantUpdate"];
        trace?: never;
    };
    "/tenant/saml": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["samlGetSettings"];
        put: operations["samlPutSettings"];
        post?: never;
        delete: operations["samlDeleteSettings"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/saml/metadata": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["samlMetadata"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/saml/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["samlLogin"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/saml/discover": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["samlDiscover"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/saml/acs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["samlAcs"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tenant/domains": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["domainsList"];
        put?: never;
        post: operations["domainsCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tenant/domains/{domain}/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["domainsVerify"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tenant/domains/{domain}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["domainsDelete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit-events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["auditEventsList"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit-events/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["auditEventsExport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["projectsList"];
        put?: never;
        post: operations["projectsCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["projectsGet"];
        put?: never;
        post?: never;
        delete: operations["projectsDelete"];
        options?: never;
        head?: never;
        patch: operations["projectsUpdate"];
        trace?: never;
    };
    "/projects/{name}/inventories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["projectsInventories"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{name}/inventory": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: operations["projectsUploadInventory"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{project}/assets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["assetsList"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{project}/assets/lookup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["assetsLookup"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{name}/source": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["sourcesGet"];
        put: operations["sourcesSet"];
        post?: never;
        delete: operations["sourcesDelete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{name}/source/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["sourcesCheck"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{name}/inventory/pull": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["pullsStart"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{name}/inventory/pulls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["pullsList"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{name}/inventory/pulls/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["pullsGet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/preflight": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["preflightRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["scansList"];
        put?: never;
        post: operations["scansLaunch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scans/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["scansGet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scans/{id}/rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["scansRules"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scans/{id}/compliance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["scansCompliance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scans/{id}/report": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["scansReport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scans/{id}/compare": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["scansCompare"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scans/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["scansCancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scans/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["scansEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/schedules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["schedulesList"];
        put?: never;
        post: operations["schedulesCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/schedules/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["schedulesGet"];
        put: operations["schedulesUpdate"];
        post?: never;
        delete: operations["schedulesDelete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["webhooksList"];
        put?: never;
        post: operations["webhooksCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["webhooksGet"];
        put: operations["webhooksUpdate"];
        post?: never;
        delete: operations["webhooksDelete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["webhooksRotateSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["webhooksTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["webhooksDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}/deliveries/{deliveryId}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["webhooksRedeliver"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/findings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["findingsList"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/findings/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["findingsSummary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/findings/groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["findingsGroups"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/findings/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["findingsExport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/findings/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["findingsGet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mutes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["mutesList"];
        put?: never;
        post: operations["mutesCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mutes/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["mutesBulkCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mutes/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["mutesDelete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/posture/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["postureSummary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/posture/trend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["postureTrend"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/views": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["viewsList"];
        put?: never;
        post: operations["viewsCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/views/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: operations["viewsUpdate"];
        post?: never;
        delete: operations["viewsDelete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/me/notifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["notificationsGet"];
        put: operations["notificationsUpdate"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["rulesList"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rules/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["rulesGet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/custom-rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["customRulesList"];
        put?: never;
        post: operations["customRulesCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/custom-rules/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: operations["customRulesUpdate"];
        post?: never;
        delete: operations["customRulesDelete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/custom-rules/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["customRulesTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/custom-rules/fields": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["customRulesFields"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/profiles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["profilesList"];
        put?: never;
        post: operations["profilesCreate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/profiles/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: operations["profilesUpdate"];
        post?: never;
        delete: operations["profilesDelete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["metaLive"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["metaReady"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["metaOpenapi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["metaDocs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/problems/{code}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["metaProblem"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "scan.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onScanCompleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "scan.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onScanFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "findings.opened": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onFindingsOpened"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "findings.resolved": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onFindingsResolved"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "schedule.disabled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onScheduleDisabled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "source.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onSourceFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "api_key.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onApiKeyCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "break_glass.used": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onBreakGlassUsed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "sign_in.locked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onSignInLocked"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onWebhookTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        Accepted: {
            message: string;
        };
        ApiKey: {
            /** Format: uuid */
            id: string;
            name: string;
            prefix: string;
            /** Format: uuid */
            userId: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            expiresAt: string | null;
            /** Format: date-time */
            lastUsedAt: string | null;
        };
        ApiKeyCreatedEvent: {
            /** @enum {string} */
            type: "api_key.created";
            /** Format: date-time */
            timestamp: string;
            data: {
                /** Format: uuid */
                apiKeyId: string;
                name: string;
                prefix: string;
                user: {
                    /** Format: uuid */
                    id: string;
                    email: string;
                };
                /** Format: date-time */
                expiresAt: string | null;
            };
        };
        ApiKeyPage: {
            items: components["schemas"]["ApiKey"][];
            nextCursor: string | null;
        };
        Asset: {
            name: string;
            type: string;
            location: string | null;
            openFindings: number;
            worstSeverity: ("critical" | "high" | "medium" | "low" | "info") | null;
        };
        AssetDetails: {
            name: string;
            type: string;
            location: string | null;
            inventory: {
                /** Format: uuid */
                id: string;
                /** Format: date-time */
                createdAt: string;
            };
            asset: {
                [key: string]: components["schemas"]["JsonValue"];
            } | null;
            findings: components["schemas"]["Finding"][];
            scan: {
                /** Format: uuid */
                id: string;
                /** Format: date-time */
                createdAt: string;
            } | null;
            verdicts: components["schemas"]["AssetVerdict"][] | null;
        };
        AssetFields: {
            fields: {
                path: string[];
                kinds: ("string" | "number" | "boolean" | "null" | "object" | "list")[];
                assets: number;
            }[];
            sampled: number;
            complete: boolean;
        };
        AssetPage: {
            items: components["schemas"]["Asset"][];
            nextCursor: string | null;
        };
        AssetRecord: {
            name: string;
        } & {
            [key: string]: unknown;
        };
        AssetVerdict: {
            ruleId: string;
            title: string;
            severity: ("critical" | "high" | "medium" | "low" | "info") | null;
            /** @enum {string} */
            verdict: "pass" | "fail" | "unknown" | "na";
            missing: string | null;
        };
        AuditEvent: {
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            at: string;
            action: string;
            /** @enum {string} */
            outcome: "success" | "failure";
            actor: {
                kind: string;
                /** Format: uuid */
                id: string | null;
                label: string | null;
            };
            /** Format: uuid */
            tenantId: string;
            /** Format: uuid */
            targetTenantId: string | null;
            ip: string;
            correlationId: string;
            subject: string | null;
            detail: {
                [key: string]: components["schemas"]["JsonValue"];
            };
        };
        AuditEventPage: {
            items: components["schemas"]["AuditEvent"][];
            nextCursor: string | null;
        };
        AuthConfirmBody: {
            token: string;
            password?: string;
            code?: string;
            mailToken?: string;
        };
        AuthGoogleCallbackBody: {
            state: string;
            id_token?: string;
            error?: string;
        };
        AuthLoginBody: {
            /** Format: email */
            email: string;
            password: string;
            totp?: string;
            recoveryCode?: string;
            /** Format: uuid */
            tenantId?: string;
        };
        AuthRegisterBody: {
            /** Format: email */
            email: string;
            password: string;
            name?: string;
            tenantName: string;
        };
        BadRequestProblem: {
            type: string;
            title: string;
            status: number;
            detail: string;
            /** @enum {string} */
            code: "VALIDATION_FAILED";
            correlationId: string;
            errors?: components["schemas"]["ProblemFault"][];
        };
        BadRequestTenantProblem: {
            type: string;
            title: string;
            status: number;
            detail: string;
            /** @enum {string} */
            code: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED";
            correlationId: string;
            errors?: components["schemas"]["ProblemFault"][];
        };
        BadRequestTokenProblem: {
            type: string;
            title: string;
            status: number;
            detail: string;
            /** @enum {string} */
            code: "VALIDATION_FAILED" | "INVALID_TOKEN";
            correlationId: string;
            errors?: components["schemas"]["ProblemFault"][];
        };
        BreakGlassUsedEvent: {
            /** @enum {string} */
            type: "break_glass.used";
            /** Format: date-time */
            timestamp: string;
            data: {
                operation: string;
                reason: string | null;
                ip: string;
            };
        };
        BulkMute: {
            matched: number;
            muted: number;
            unchanged: number;
            mutes: string[];
            /** Format: date-time */
            expiresAt: string;
        };
        ComparedFinding: {
            /** @enum {string} */
            change: "new" | "resolved" | "reopened" | "unchanged";
            finding: {
                /** Format: uuid */
                id: string;
                fingerprint: string;
                ruleId: string;
                title: string;
                severity: components["schemas"]["Severity"];
                /** @enum {string} */
                status: "open" | "resolved";
                /** @enum {string} */
                delta: "new" | "unchanged" | "reopened" | "resolved";
                project: string;
                asset: {
                    name: string;
                    type: string;
                };
                subject: string;
                message: string;
                evidence: {
                    path: string;
                    value: components["schemas"]["JsonValue"];
                }[];
                remediation: string;
                compliance: components["schemas"]["Compliance"][];
                /** Format: date-time */
                firstSeenAt: string;
                /** Format: date-time */
                lastSeenAt: string;
                /** Format: date-time */
                resolvedAt: string | null;
                resolvedReason: ("fixed" | "asset_gone" | "rule_retired") | null;
                muted: {
                    reason: string;
                    /** Format: date-time */
                    expiresAt: string;
                } | null;
            };
        };
        Compliance: {
            framework: string;
            id: string;
        };
        ComplianceReport: {
            /** @enum {string} */
            framework: "cis-gcp-2.0" | "cis-gcp-4.0" | "cis-gcp-5.0";
            /** Format: uuid */
            scan: string;
            summary: {
                pass: number;
                fail: number;
                unknown: number;
                na: number;
                manual: number;
            };
            requirements: {
                id: string;
                title: string;
                section: string;
                /** @enum {string} */
                assessment: "automated" | "manual";
                /** @enum {string} */
                status: "pass" | "fail" | "unknown" | "na" | "manual";
                rules: components["schemas"]["RuleCount"][];
            }[];
        };
        ConflictKeyInUseProblem: {
            type: string;
            title: string;
            status: number;
            detail: string;
            /** @enum {string} */
            code: "CONFLICT" | "IDEMPOTENCY_KEY_IN_USE";
            correlationId: string;
        };
        ConflictProblem: {
            type: string;
            title: string;
            status: number;
            detail: string;
            /** @enum {string} */
            code: "CONFLICT";
            correlationId: string;
        };
        CrossSiteConfirmationProblem: {
            type: string;
            title: string;
            status: number;
            detail: string;
            /** @enum {string} */
            code: "CROSS_SITE_REQUEST" | "CONFIRMATION_REQUIRED";
            correlationId: string;
            confirmation?: components["schemas"]["ProblemConfirmation"];
        };
        CrossSiteProblem: {
            type: string;
            title: string;
            status: number;
            detail: string;
            /** @enum {string} */
            code: "CROSS_SITE_REQUEST";
            correlationId: string;
        };
        CustomRule: {
            id: string;
            version: number;
            title: string;
            description: string;
            severity: components["schemas"]["Severity"];
            assetTypes: string[];
            predicate: string;
            recommendation: string;
            enabled: boolean;
            tests: {
                asset: {
                    [key: string]: components["schemas"]["JsonValue"];
                };
                /** @enum {string} */
                verdict: "pass" | "fail" | "unknown";
            }[];
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        CustomRuleDefinition: {
            id?: string;
            title: string;
            description?: string | "";
            severity: components["schemas"]["Severity"];
            assetTypes: string[];
            predicate: string;
            recommendation?: string | "";
            /** @default true */
            enabled?: boolean;
            /** @default [] */
            tests?: {
                asset: {
                    [key: string]: components["schemas"]["JsonValue"];
                };
                /** @enum {string} */
                verdict: "pass" | "fail" | "unknown";
            }[];
        };
        CustomRulePage: {
            items: components["schemas"]["CustomRule"][];
            nextCursor: string | null;
        };
        CustomRuleReplacement: {
            title: string;
            description?: string | "";
            severity: components["schemas"]["Severity"];
            assetTypes: string[];
            predicate: string;
            recommendation?: string | "";
            /** @default true */
            enabled?: boolean;
            /** @default [] */
            tests?: {
                asset: {
                    [key: string]: components["schemas"]["JsonValue"];
                };
                /** @enum {string} */
                verdict: "pass" | "fail" | "unknown";
            }[];
        };
        Domain: {
            domain: string;
            /** @enum {string} */
            status: "pending" | "verified";
            record: {
                /** @enum {string} */
                type: "TXT";
                name: string;
                value: string;
            };
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            verifiedAt: string | null;
        };
        DomainNotVerifiedProblem: {
            type: string;
            title: string;
            status: number;
            detail: string;
            /** @enum {string} */
            code: "DOMAIN_NOT_VERIFIED";
            correlationId: string;
        };
        DomainPage: {
            items: components["schemas"]["Domain"][];
            nextCursor: string | null;
        };
        Finding: {
            /** Format: uuid */
            id: string;
            fingerprint: string;
            ruleId: string;
            title: string;
            severity: components["schemas"]["Severity"];
            /** @enum {string} */
            status: "open" | "resolved";
            /** @enum {string} */
            delta: "new" | "unchanged" | "reopened" | "resolved";
            project: string;
            asset: {
                name: string;
                type: string;
            };
            subject: string;
            message: string;
            evidence: {
                path: string;
                value: components["schemas"]["JsonValue"];
            }[];
            remediation: string;
            compliance: components["schemas"]["Compliance"][];
            /** Format: date-time */
            firstSeenAt: string;
            /** Format: date-time */
            lastSeenAt: string;
            /** Format: date-time */
            resolvedAt: string | null;
            resolvedReason: ("fixed" | "asset_gone" | "rule_retired") | null;
            muted: {
                reason: string;
                /** Format: date-time */
                expiresAt: string;
            } | null;
        };
        FindingGroup: {
            key: string;
            title: string;
            /** @enum {string} */
            severity: "critical" | "high" | "medium" | "low" | "info";
            open: number;
            resolved: number;
            muted: number;
            /** Format: date-time */
            lastSeenAt: string;
            projects: number;
        };
        FindingGroupPage: {
            items: components["schemas"]["FindingGroup"][];
            nextCursor: string | null;
        };
        FindingPage: {
            items: components["schemas"]["Finding"][];
            nextCursor: string | null;
        };
        FindingSummary: {
            total: {
                open: number;
                resolved: number;
                muted: number;
            };
            bySeverity: {
                critical: {
                    open: number;
                    resolved: number;
                    muted: number;
                };
                high: {
                    open: number;
                    resolved: number;
                    muted: number;
                };
                medium: {
                    open: number;
                    resolved: number;
                    muted: number;
                };
                low: {
                    open: number;
                    resolved: number;
                    muted: number;
                };
                info: {
                    open: number;
                    resolved: number;
                    muted: number;
                };
            };
            byProject: {
                project: string;
                open: number;
                resolved: number;
                muted: number;
            }[];
            byRule: {
                ruleId: string;
                severity: components["schemas"]["Severity"];
                open: number;
                resolved: number;
                muted: number;
            }[];
            facets: {
                severity: {
                    value: string;
                    count: number;
                }[];
                status: {
                    value: string;
                    count: number;
                }[];
                project: {
                    value: string;
                    count: number;
                }[];
                rule: {
                    value: string;
                    count: number;
                }[];
                category: {
                    value: string;
                    count: number;
                }[];
                assetType: {
                    value: string;
                    count: number;
                }[];
                framework: {
                    value: string;
                    count: number;
                }[];
                delta: {
                    value: string;
                    count: number;
                }[];
                muted: {
                    value: string;
                    count: number;
                }[];
            };
        };
        FindingWithFix: {
            /** Format: uuid */
            id: string;
            fingerprint: string;
            ruleId: string;
            title: string;
            severity: components["schemas"]["Severity"];
            /** @enum {string} */
            status: "open" | "resolved";
            /** @enum {string} */
            delta: "new" | "unchanged" | "reopened" | "resolved";
            project: string;
            asset: {
                name: string;
                type: string;
            };
            subject: string;
            message: string;
            evidence: {
                path: string;
                value: components["schemas"]["JsonValue"];
            }[];
            remediation: string;
            compliance: components["schemas"]["Compliance"][];
            /** Format: date-time */
            firstSeenAt: string;
            /** Format: date-time */
            lastSeenAt: string;
            /** Format: date-time */
            resolvedAt: string | null;
            resolvedReason: ("fixed" | "asset_gone" | "rule_retired") | null;
            muted: {
                reason: string;
                /** Format: date-time */
                expiresAt: string;
            } | null;
            fix: components["schemas"]["Fix"] | null;
            noFix: string | null;
        };
        FindingsOpenedEvent: {
            /** @enum {string} */
            type: "findings.opened";
            /** Format: date-time */
            timestamp: string;
            data: {
                /** Format: uuid */
                scanId: string;
                project: string;
                total: number;
                bySeverity: {
                    critical: number;
                    high: number;
                    medium: number;
                    low: number;
                    info: number;
                };
                truncated: boolean;
                findings: {
                    /** Format: uuid */
                    id: string;
                    ruleId: string;
                    severity: components["schemas"]["Severity"];
                    title: string;
                    asset: {
                        name: string;
                        type: string;
                    };
                    /** @enum {string} */
                    delta: "new" | "reopened";
                    message: string;
                }[];
            };
        };
        FindingsResolvedEvent: {
            /** @enum {string} */
            type: "findings.resolved";
            /** Format: date-time */
            timestamp: string;
            data: {
                /** Format: uuid */
                scanId: string;
                project: string;
                total: number;
                bySeverity: {
                    critical: number;
                    high: number;
                    medium: number;
                    low: number;
                    info: number;
                };
                truncated: boolean;
                findings: {
                    /** Format: uuid */
                    id: string;
                    ruleId: string;
                    severity: components["schemas"]["Severity"];
                    title: string;
                    asset: {
                        name: string;
                        type: string;
                    };
                    /** @enum {string} */
                    reason: "fixed" | "asset_gone" | "rule_retired";
                }[];
            };
        };
        Fix: {
            patch: {
                /** @enum {string} */
                op: "add" | "replace" | "remove" | "test";
                path: string;
                value?: string | number | boolean | null | components["schemas"]["JsonValue"][] | {
                    [key: string]: components["schemas"]["JsonValue"];
                };
            }[];
            gcloud: string;
            terraform: {
                resource: string;
                match: string | null;
                attribute: string;
                value: string | null;
            }[];
            caution: string | null;
            /** @enum {boolean} */
            verified: true;
        };
        ForbiddenCredentialCrossSiteProblem: {
            type: string;
            title: string;
            status: number;
            detail: string;
            /** @enum {string} */
            code: "FORBIDDEN" | "CREDENTIAL_NOT_ALLOWED" | "CROSS_SITE_REQUEST";
            correlationId: string;
            permission?: string;
            accepts?: string[];
        };
        ForbiddenCredentialProblem: {
            type: string;
            title: string;
            status: number;
            detail: string;
            /** @enum {string} */
            code: "FORBIDDEN" | "CREDENTIAL_NOT_ALLOWED";
            correlationId: string;
            permission?: string;
            accepts?: string[];
        };
        ForbiddenCredentialReauthProblem: {
            type: string;
            title: string;
            status: number;
            detail: string;
            /** @enum {string} */
            code: "FORBIDDEN" | "CREDENTIAL_NOT_ALLOWED" | "REAUTH_REQUIRED";
            correlationId: string;
            permission?: string;
            accepts?: string[];
        };
        ForbiddenFeatureProblem: {
            type: string;
            title: string;
            status: number;
            detail: string;
            /** @enum {string} */
            code: "FORBIDDEN" | "FEATURE_NOT_LICENSED";
            correlationId: string;
            permission?: string;
            feature?: string;
        };
        ForbiddenMfaFeatureProblem: {
            type: string;
            title: string;
            status: number;
            detail: string;
            /** @enum {string} */
            code: "FORBIDDEN" | "MFA_REQUIRED" | "FEATURE_NOT_LICENSED";
            correlationId: string;
            permission?: string;
            feature?: string;
        };
        ForbiddenMfaProblem: {
            type: string;
            title: string;
            status: number;
            detail: string;
            /** @enum {string} */
            code: "FORBIDDEN" | "MFA_REQUIRED";
            correlationId: string;
            permission?: string;
        };
        ForbiddenProblem: {
            type: string;
            title: string;
            status: number;
            detail: string;
            /** @enum {string} */
            code: "FORBIDDEN";
            correlationId: string;
            permission?: string;
        };
        Health: {
            /** @enum {string} */
            status: "ok";
            checks: {
                [key: string]: "ok" | "failing";
            };
        };
        Identity: {
            user: {
                /** Format: uuid */
                id: string;
                email: string;
                name: string | null;
                emailVerified: boolean;
                twoFactorEnabled: boolean;
            } | null;
            tenant: {
                /** Format: uuid */
                id: string;
                name: string;
                features: ("sso" | "custom_rules" | "audit_export")[];
            };
            role: string;
            permissions: ("scans.read" | "scans.launch" | "scans.cancel" | "preflight.run" | "projects.read" | "projects.write" | "findings.read" | "findings.mute" | "rules.read" | "rules.write" | "keys.own" | "admin.users" | "admin.settings" | "admin.audit")[];
            credential: {
                /** @enum {string} */
                kind: "jwt" | "api_key" | "global_api_key" | "master_key";
                mfa: boolean;
                /** Format: date-time */
                expiresAt: string | null;
            };
            memberships: {
                /** Format: uuid */
                tenantId: string;
                tenantName: string;
                role: string;
            }[];
        };
        InternalProblem: {
            type: string;
            title: string;
            status: number;
            detail: string;
            /** @enum {string} */
            code: "INTERNAL";
            correlationId: string;
        };
        InvalidCredentialsCodeProblem: {
            type: string;
            title: string;
            status: number;
            detail: string;
            /** @enum {string} */
            code: "INVALID_CREDENTIALS" | "INVALID_CODE";
            correlationId: string;
        };
        InvalidCredentialsProblem: {
            type: string;
            title: string;
            status: number;
            detail: string;
            /** @enum {string} */
            code: "INVALID_CREDENTIALS";
            correlationId: string;
        };
        InvalidCredentialsTotpProblem: {
            type: string;
            title: string;
            status: number;
            detail: string;
            /** @enum {string} */
            code: "INVALID_CREDENTIALS" | "TOTP_REQUIRED";
            correlationId: string;
        };
        Inventory: {
            /** Format: uuid */
            id: string;
            assets: number;
            assetTypes: {
                type: string;
                count: number;
            }[];
            locations: {
                location: string;
                count: number;
            }[];
            bytes: number;
            warnings: {
                line: number;
                message: string;
            }[];
            truncated: boolean;
            /** Format: date-time */
            createdAt: string;
        };
        InventoryPage: {
            items: components["schemas"]["Inventory"][];
            nextCursor: string | null;
        };
        JsonValue: unknown;
        KeyInUseProblem: {
            type: string;
            title: string;
            status: number;
            detail: string;
            /** @enum {string} */
            code: "IDEMPOTENCY_KEY_IN_USE";
            correlationId: string;
        };
        KeyMismatchPreflightProblem: {
            type: string;
            title: string;
            status: number;
            detail: string;
            /** @enum {string} */
            code: "IDEMPOTENCY_KEY_MISMATCH" | "PREFLIGHT_BLOCKED";
            correlationId: string;
            checks?: components["schemas"]["ProblemCheck"][];
        };
        KeyMismatchProblem: {
            type: string;
            title: string;
            status: number;
            detail: string;
            /** @enum {string} */
            code: "IDEMPOTENCY_KEY_MISMATCH";
            correlationId: string;
        };
        Mute: {
            /** Format: uuid */
            id: string;
            fingerprint: string | null;
            finding: {
                /** Format: uuid */
                id: string;
                ruleId: string;
                title: string;
                severity: components["schemas"]["Severity"];
                /** @enum {string} */
                status: "open" | "resolved";
                project: string;
                asset: {
                    name: string;
                    type: string;
                };
            } | null;
            selector: components["schemas"]["MuteSelector"] | null;
            reason: string;
            /** Format: date-time */
            expiresAt: string;
            createdBy: {
                /** Format: uuid */
                id: string | null;
                label: string;
            };
            /** Format: date-time */
            createdAt: string;
        };
        MutePage: {
            items: components["schemas"]["Mute"][];
            nextCursor: string | null;
        };
        MuteSelector: {
            ruleId?: string;
            asset?: string;
            project?: string;
            label?: string;
        };
        MutesBulkCreateBody: {
            findingIds?: string[];
            filter?: {
                project?: string[];
                severity?: components["schemas"]["Severity"][];
                status?: ("open" | "resolved")[];
                rule?: string[];
                /** Format: uuid */
                scan?: string;
                muted?: boolean;
                q?: string;
                category?: string[];
                assetType?: string[];
                framework?: string[];
                delta?: ("new" | "unchanged" | "reopened" | "resolved")[];
                /** Format: date-time */
                since?: string;
                asset?: string;
                fingerprint?: string;
            };
            reason: string;
            /** Format: date-time */
            expiresAt?: string;
        };
        MutesCreateBody: {
            fingerprint?: string;
            selector?: components["schemas"]["MuteSelector"];
            reason: string;
            /** Format: date-time */
            expiresAt?: string;
        };
        NewApiKey: {
            /** Format: uuid */
            id: string;
            name: string;
            prefix: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            expiresAt: string | null;
            key: string;
        };
        NewWebhook: {
            /** Format: uuid */
            id: string;
            url: string;
            events: ("scan.completed" | "scan.failed" | "findings.opened" | "findings.resolved" | "schedule.disabled" | "source.failed" | "api_key.created" | "break_glass.used" | "sign_in.locked")[];
            description: string;
            /** @enum {string} */
            format: "standard" | "slack";
            enabled: boolean;
            /** Format: date-time */
            failingSince: string | null;
            disabledReason: {
                /** @enum {string} */
                code: "GONE" | "FAILING";
                message: string;
                /** Format: date-time */
                at: string;
            } | null;
            /** Format: date-time */
            previousSecretUntil: string | null;
            /** Format: date-time */
            createdAt: string;
            secret: string;
        };
        NotFoundProblem: {
            type: string;
            title: string;
            status: number;
            detail: string;
            /** @enum {string} */
            code: "NOT_FOUND";
            correlationId: string;
        };
        Notifications: {
            /** @enum {string} */
            digest: "off" | "immediate" | "daily" | "weekly";
        };
        PayloadTooLargeProblem: {
            type: string;
            title: string;
            status: number;
            detail: string;
            /** @enum {string} */
            code: "PAYLOAD_TOO_LARGE";
            correlationId: string;
        };
        /** @enum {string} */
        PostureInterval: "day" | "week";
        PostureSummary: {
            open: {
                critical: number;
                high: number;
                medium: number;
                low: number;
                info: number;
            };
            score: number | null;
            coverage: {
                decided: number;
                unknown: number;
                percent: number | null;
            };
            change7Days: {
                score: number | null;
                open: {
                    critical: number;
                    high: number;
                    medium: number;
                    low: number;
                    info: number;
                };
            } | null;
            change30Days: {
                score: number | null;
                open: {
                    critical: number;
                    high: number;
                    medium: number;
                    low: number;
                    info: number;
                };
            } | null;
            meanSecondsToResolve: {
                critical: number | null;
                high: number | null;
                medium: number | null;
                low: number | null;
                info: number | null;
            };
            projectCount: number;
            projects: {
                project: string;
                open: {
                    critical: number;
                    high: number;
                    medium: number;
                    low: number;
                    info: number;
                };
                score: number | null;
                coverage: {
                    decided: number;
                    unknown: number;
                    percent: number | null;
                };
                /** Format: uuid */
                scan: string;
                /** Format: date-time */
                scannedAt: string;
            }[];
            newestScans: {
                /** Format: uuid */
                id: string;
                /** @enum {string} */
                status: "queued" | "running" | "completed" | "partial" | "failed" | "cancelled";
                profile: string;
                projectCount: number;
                /** Format: date-time */
                createdAt: string;
                /** Format: date-time */
                finishedAt: string | null;
            }[];
            oldestCritical: {
                /** Format: uuid */
                id: string;
                ruleId: string;
                title: string;
                project: string;
                asset: string;
                /** Format: date-time */
                firstSeenAt: string;
            }[];
            topRules: {
                ruleId: string;
                title: string;
                severity: components["schemas"]["Severity"];
                failing: number;
            }[];
            compliance: {
                /** @enum {string} */
                framework: "cis-gcp-2.0" | "cis-gcp-4.0" | "cis-gcp-5.0";
                pass: number;
                fail: number;
                unknown: number;
                na: number;
                manual: number;
            }[];
        };
        PostureTrend: {
            project: string | null;
            /** Format: date */
            from: string;
            /** Format: date */
            to: string;
            interval: components["schemas"]["PostureInterval"];
            points: {
                /** Format: date */
                date: string;
                open: {
                    critical: number;
                    high: number;
                    medium: number;
                    low: number;
                    info: number;
                };
                opened: number;
                resolved: number;
                score: number | null;
                coverage: {
                    decided: number;
                    unknown: number;
                    percent: number | null;
                };
            }[];
        };
        Preflight: {
            /** @enum {string} */
            decision: "ready" | "ready_with_warnings" | "blocked";
            profile: {
                name: string;
                digest: string | null;
                ruleCount: number;
            };
            projects: {
                name: string;
                checks: components["schemas"]["PreflightCheck"][];
            }[];
            estimate: {
                assets: number;
                evaluations: number;
                seconds: number;
            };
            limits: {
                projectsPerScan: number;
                launchesPerMinute: number;
            };
            /** Format: date-time */
            expiresAt: string;
        };
        PreflightBlockedProblem: {
            type: string;
            title: string;
            status: number;
            detail: string;
            /** @enum {string} */
            code: "PREFLIGHT_BLOCKED";
            correlationId: string;
            checks?: components["schemas"]["ProblemCheck"][];
        };
        PreflightCheck: {
            /** @enum {string} */
            id: "profile.known" | "project.known" | "project.duplicate" | "source.attached" | "source.parseable" | "source.scope" | "source.freshness" | "coverage.types" | "coverage.iam" | "estimate" | "permission" | "quota.scans" | "rate.remaining" | "conflict.active" | "mutes.expiring" | "baseline";
            /** @enum {string} */
            status: "pass" | "warn" | "fail" | "skip";
            code: string;
            message: string;
            remediation: string;
        };
        Problem: {
            type: string;
            title: string;
            status: number;
            detail: string;
            /** @enum {string} */
            code: "VALIDATION_FAILED" | "INVALID_TOKEN" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "INVALID_CREDENTIALS" | "TOTP_REQUIRED" | "INVALID_CODE" | "REGISTRATION_CLOSED" | "SIGN_IN_CANCELLED" | "FORBIDDEN" | "CREDENTIAL_NOT_ALLOWED" | "CROSS_SITE_REQUEST" | "REAUTH_REQUIRED" | "CONFIRMATION_REQUIRED" | "MFA_REQUIRED" | "FEATURE_NOT_LICENSED" | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "REQUEST_TIMEOUT" | "CONFLICT" | "SCAN_NOT_COMPLETED" | "IDEMPOTENCY_KEY_IN_USE" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "IDEMPOTENCY_KEY_MISMATCH" | "PREFLIGHT_BLOCKED" | "SCANS_NOT_COMPARABLE" | "DOMAIN_NOT_VERIFIED" | "SOURCE_REFUSED" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
            correlationId: string;
            errors?: components["schemas"]["ProblemFault"][];
            permission?: string;
            accepts?: string[];
            feature?: string;
            confirmation?: components["schemas"]["ProblemConfirmation"];
            limit?: string;
            health?: {
                [key: string]: "ok" | "failing";
            };
            missing?: string[];
            checks?: components["schemas"]["ProblemCheck"][];
        };
        ProblemCheck: {
            project: string | null;
            id: string;
            /** @enum {string} */
            status: "fail";
            code: string;
            message: string;
            remediation: string;
        };
        ProblemConfirmation: {
            token: string;
            methods: ("password" | "code" | "mail")[];
            /** Format: date-time */
            expiresAt: string;
        };
        ProblemFault: {
            path: string;
            message: string;
        };
        ProblemPage: {
            /** @enum {string} */
            code: "VALIDATION_FAILED" | "INVALID_TOKEN" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "INVALID_CREDENTIALS" | "TOTP_REQUIRED" | "INVALID_CODE" | "REGISTRATION_CLOSED" | "SIGN_IN_CANCELLED" | "FORBIDDEN" | "CREDENTIAL_NOT_ALLOWED" | "CROSS_SITE_REQUEST" | "REAUTH_REQUIRED" | "CONFIRMATION_REQUIRED" | "MFA_REQUIRED" | "FEATURE_NOT_LICENSED" | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "REQUEST_TIMEOUT" | "CONFLICT" | "SCAN_NOT_COMPLETED" | "IDEMPOTENCY_KEY_IN_USE" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "IDEMPOTENCY_KEY_MISMATCH" | "PREFLIGHT_BLOCKED" | "SCANS_NOT_COMPARABLE" | "DOMAIN_NOT_VERIFIED" | "SOURCE_REFUSED" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
            type: string;
            status: number;
            title: string;
            help: string;
        };
        Profile: {
            name: string;
            aliasOf: string | null;
            title: string;
            description: string;
            digest: string;
            ruleCount: number;
            rules: string[];
            definition: {
                include: string[];
                exclude: string[];
                parameters: {
                    [key: string]: {
                        [key: string]: components["schemas"]["JsonValue"];
                    };
                };
            } | null;
        };
        ProfilePage: {
            items: components["schemas"]["Profile"][];
            nextCursor: string | null;
        };
        ProfilesCreateBody: {
            name: string;
            include: string[];
            /** @default [] */
            exclude?: string[];
            /** @default {} */
            parameters?: {
                [key: string]: {
                    [key: string]: components["schemas"]["JsonValue"];
                };
            };
        };
        ProfilesUpdateBody: {
            include: string[];
            /** @default [] */
            exclude?: string[];
            /** @default {} */
            parameters?: {
                [key: string]: {
                    [key: string]: components["schemas"]["JsonValue"];
                };
            };
        };
        Project: {
            /** Format: uuid */
            id: string;
            name: string;
            description: string | null;
            inventory: {
                /** Format: uuid */
                id: string;
                assets: number;
                /** Format: date-time */
                createdAt: string;
            } | null;
            hasSource: boolean;
            /** Format: date-time */
            createdAt: string;
        };
        ProjectPage: {
            items: components["schemas"]["Project"][];
            nextCursor: string | null;
        };
        ProjectSource: {
            /** @enum {string} */
            kind: "google-cloud";
            parent: string;
            /** @enum {string} */
            credentialType: "service_account_key" | "impersonation";
            principal: string;
            createdBy: {
                kind: string;
                /** Format: uuid */
                id: string | null;
                label: string;
            };
            /** Format: date-time */
            createdAt: string;
            lastPull: {
                /** Format: uuid */
                id: string;
                /** Format: date-time */
                at: string;
                /** @enum {string} */
                status: "queued" | "running" | "completed" | "partial" | "failed";
                assets: number | null;
                problem: string | null;
            } | null;
        };
        Pull: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            status: "queued" | "running" | "completed" | "partial" | "failed";
            parent: string;
            pages: number;
            records: number;
            assets: number | null;
            seconds: number | null;
            /** Format: date-time */
            readTime: string | null;
            missing: {
                /** @enum {string} */
                contentType: "RESOURCE" | "IAM_POLICY" | "ORG_POLICY";
                permission: string;
                remedy: string;
            }[];
            problem: string | null;
            problemCode: string | null;
            /** Format: uuid */
            inventoryId: string | null;
            createdBy: {
                kind: string;
                /** Format: uuid */
                id: string | null;
                label: string;
            };
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            startedAt: string | null;
            /** Format: date-time */
            finishedAt: string | null;
        };
        PullPage: {
            items: components["schemas"]["Pull"][];
            nextCursor: string | null;
        };
        RateLimitedProblem: {
            type: string;
            title: string;
            status: number;
            detail: string;
            /** @enum {string} */
            code: "RATE_LIMITED";
            correlationId: string;
            limit?: string;
        };
        RecoveryCodes: {
            recoveryCodes: string[];
        };
        RegistrationClosedCancelledProblem: {
            type: string;
            title: string;
            status: number;
            detail: string;
            /** @enum {string} */
            code: "REGISTRATION_CLOSED" | "SIGN_IN_CANCELLED";
            correlationId: string;
        };
        RegistrationClosedCrossSiteProblem: {
            type: string;
            title: string;
            status: number;
            detail: string;
            /** @enum {string} */
            code: "REGISTRATION_CLOSED" | "CROSS_SITE_REQUEST";
            correlationId: string;
        };
        RegistrationClosedProblem: {
            type: string;
            title: string;
            status: number;
            detail: string;
            /** @enum {string} */
            code: "REGISTRATION_CLOSED";
            correlationId: string;
        };
        RequestTimeoutProblem: {
            type: string;
            title: string;
            status: number;
            detail: string;
            /** @enum {string} */
            code: "REQUEST_TIMEOUT";
            correlationId: string;
        };
        Role: {
            name: string;
            permissions: ("scans.read" | "scans.launch" | "scans.cancel" | "preflight.run" | "projects.read" | "projects.write" | "findings.read" | "findings.mute" | "rules.read" | "rules.write" | "keys.own" | "admin.users" | "admin.settings" | "admin.audit")[];
            builtIn: boolean;
        };
        RolePage: {
            items: components["schemas"]["Role"][];
            nextCursor: string | null;
        };
        Rule: {
            id: string;
            version: number;
            title: string;
            severity: components["schemas"]["Severity"];
            category: string;
            assetTypes: string[];
            needs: string[];
            description: string;
            remediation: string;
            noFix: string | null;
            compliance: components["schemas"]["Compliance"][];
            parameters: {
                [key: string]: components["schemas"]["JsonValue"];
            };
        };
        RuleCount: {
            ruleId: string;
            pass: number;
            fail: number;
            na: number;
            unknown: number;
            missing: string[];
        };
        RuleCountPage: {
            items: components["schemas"]["RuleCount"][];
            nextCursor: string | null;
        };
        RulePage: {
            items: components["schemas"]["Rule"][];
            nextCursor: string | null;
        };
        RuleTrial: {
            verdicts: {
                asset: {
                    name: string;
                    type: string;
                };
                /** @enum {string} */
                verdict: "pass" | "fail" | "unknown";
                expected: ("pass" | "fail" | "unknown") | null;
                message: string;
            }[];
            errors: {
                path: string;
                message: string;
            }[];
            evaluated: number;
            complete: boolean;
        };
        SamlDiscovery: {
            loginUrl: string | null;
        };
        SamlPutSettingsBody: {
            metadataXml?: string;
            entityId?: string;
            ssoUrl?: string;
            certificates?: string[];
            emailDomains: string[];
            defaultRole: string;
        };
        SamlSettings: {
            /** Format: uuid */
            id: string;
            entityId: string;
            ssoUrl: string;
            certificates: string[];
            emailDomains: string[];
            defaultRole: string;
            /** Format: date-time */
            createdAt: string;
            serviceProvider: {
                entityId: string;
                acsUrl: string;
                metadataUrl: string;
                loginUrl: string;
            };
        };
        SarifLog: {
            /** Format: uri */
            $schema: string;
            /** @enum {string} */
            version: "2.1.0";
            runs: {
                /** @enum {string} */
                columnKind: "utf16CodeUnits";
                results: components["schemas"]["SarifResult"][];
                tool: {
                    driver: {
                        name: string;
                        semanticVersion: string;
                        rules: components["schemas"]["SarifRule"][];
                    };
                };
            }[];
        };
        SarifResult: {
            ruleId: string;
            ruleIndex: number;
            /** @enum {string} */
            kind: "fail";
            /** @enum {string} */
            level: "error" | "warning" | "note";
            message: {
                text: string;
            };
            locations: {
                physicalLocation: {
                    artifactLocation: {
                        uri: string;
                    };
                    region: {
                        startLine: number;
                    };
                };
                logicalLocations: {
                    name: string;
                    fullyQualifiedName: string;
                    /** @enum {string} */
                    kind: "resource";
                }[];
            }[];
            fingerprints: {
                [key: string]: string;
            };
            partialFingerprints: {
                [key: string]: string;
            };
            /** @enum {string} */
            baselineState: "new" | "unchanged" | "absent";
            suppressions: {
                /** @enum {string} */
                kind: "external";
                /** @enum {string} */
                status: "accepted";
                justification: string;
                properties: {
                    [key: string]: components["schemas"]["JsonValue"];
                };
            }[];
            fixes?: {
                description: {
                    text: string;
                };
                artifactChanges: {
                    [key: string]: components["schemas"]["JsonValue"];
                }[];
                properties: {
                    [key: string]: components["schemas"]["JsonValue"];
                };
            }[];
            properties: {
                [key: string]: components["schemas"]["JsonValue"];
            };
        };
        SarifRule: {
            id: string;
            name: string;
            shortDescription: {
                text: string;
            };
            fullDescription: {
                text: string;
            };
            help?: {
                text: string;
                markdown: string;
            };
            /** Format: uri */
            helpUri?: string;
            defaultConfiguration: {
                /** @enum {string} */
                level: "error" | "warning" | "note";
            };
            properties: {
                [key: string]: components["schemas"]["JsonValue"];
            };
        };
        Scan: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            status: "queued" | "running" | "completed" | "partial" | "failed" | "cancelled";
            profile: string;
            profileDigest: string;
            projects: {
                name: string;
                /** @enum {string} */
                status: "queued" | "running" | "completed" | "failed" | "cancelled";
                assets: number;
                evaluations: number;
                findings: number;
                error: string | null;
                /** Format: uuid */
                inventoryId: string | null;
            }[];
            totals: {
                assets: number;
                evaluations: number;
                pass: number;
                fail: number;
                unknown: number;
                bySeverity: {
                    critical: number;
                    high: number;
                    medium: number;
                    low: number;
                    info: number;
                };
            };
            delta: {
                new: number;
                resolved: number;
                reopened: number;
                unchanged: number;
            };
            coverage: {
                rules: number;
                decided: number;
                undecided: number;
                unmet: number;
            } | null;
            createdBy: {
                kind: string;
                /** Format: uuid */
                id: string | null;
                label: string;
            };
            /** Format: uuid */
            scheduleId: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            startedAt: string | null;
            /** Format: date-time */
            finishedAt: string | null;
        };
        ScanComparison: {
            scan: {
                /** Format: uuid */
                id: string;
                profile: string;
                /** Format: date-time */
                createdAt: string;
            };
            with: {
                /** Format: uuid */
                id: string;
                profile: string;
                /** Format: date-time */
                createdAt: string;
            };
            projects: string[];
            ruleSetChanged: boolean;
            counts: {
                new: {
                    total: number;
                    bySeverity: {
                        critical: number;
                        high: number;
                        medium: number;
                        low: number;
                        info: number;
                    };
                };
                resolved: {
                    total: number;
                    bySeverity: {
                        critical: number;
                        high: number;
                        medium: number;
                        low: number;
                        info: number;
                    };
                };
                reopened: {
                    total: number;
                    bySeverity: {
                        critical: number;
                        high: number;
                        medium: number;
                        low: number;
                        info: number;
                    };
                };
                unchanged: {
                    total: number;
                    bySeverity: {
                        critical: number;
                        high: number;
                        medium: number;
                        low: number;
                        info: number;
                    };
                };
            } | null;
            items: components["schemas"]["ComparedFinding"][];
            nextCursor: string | null;
        };
        ScanCompletedEvent: {
            /** @enum {string} */
            type: "scan.completed";
            /** Format: date-time */
            timestamp: string;
            data: {
                /** Format: uuid */
                scanId: string;
                profile: string;
                /** Format: uuid */
                scheduleId: string | null;
                /** Format: date-time */
                finishedAt: string;
                projects: {
                    name: string;
                    /** @enum {string} */
                    status: "completed" | "failed" | "cancelled";
                    error: string | null;
                }[];
                findings: {
                    new: number;
                    reopened: number;
                    resolved: number;
                    unchanged: number;
                };
                /** @enum {string} */
                status: "completed" | "partial";
            };
        };
        ScanFailedEvent: {
            /** @enum {string} */
            type: "scan.failed";
            /** Format: date-time */
            timestamp: string;
            data: {
                /** Format: uuid */
                scanId: string;
                profile: string;
                /** Format: uuid */
                scheduleId: string | null;
                /** Format: date-time */
                finishedAt: string;
                projects: {
                    name: string;
                    /** @enum {string} */
                    status: "completed" | "failed" | "cancelled";
                    error: string | null;
                }[];
                findings: {
                    new: number;
                    reopened: number;
                    resolved: number;
                    unchanged: number;
                };
                /** @enum {string} */
                status: "failed";
            };
        };
        ScanNotCompletedProblem: {
            type: string;
            title: string;
            status: number;
            detail: string;
            /** @enum {string} */
            code: "SCAN_NOT_COMPLETED";
            correlationId: string;
        };
        ScanPage: {
            items: components["schemas"]["Scan"][];
            nextCursor: string | null;
        };
        ScanRequest: {
            projects: string[];
            profile: string;
        };
        ScansNotComparableProblem: {
            type: string;
            title: string;
            status: number;
            detail: string;
            /** @enum {string} */
            code: "SCANS_NOT_COMPARABLE";
            correlationId: string;
        };
        Schedule: {
            /** Format: uuid */
            id: string;
            name: string;
            projects: string[];
            profile: string;
            cron: string;
            timezone: string;
            pullFirst: boolean;
            enabled: boolean;
            /** Format: date-time */
            nextRunAt: string | null;
            lastRun: {
                /** Format: date-time */
                at: string;
                /** Format: uuid */
                scanId: string | null;
                /** @enum {string} */
                status: "queued" | "running" | "completed" | "partial" | "failed" | "cancelled" | "blocked" | "deleted";
                problem: string | null;
            } | null;
            disabledReason: {
                /** @enum {string} */
                code: "CREATOR_REMOVED" | "CREATOR_DISABLED" | "CREATOR_NOT_PERMITTED";
                message: string;
                /** Format: date-time */
                at: string;
            } | null;
            createdBy: {
                /** Format: uuid */
                id: string;
                label: string;
            };
            /** Format: date-time */
            createdAt: string;
        };
        ScheduleDisabledEvent: {
            /** @enum {string} */
            type: "schedule.disabled";
            /** Format: date-time */
            timestamp: string;
            data: {
                /** Format: uuid */
                scheduleId: string;
                name: string;
                /** @enum {string} */
                reason: "CREATOR_REMOVED" | "CREATOR_DISABLED" | "CREATOR_NOT_PERMITTED";
            };
        };
        SchedulePage: {
            items: components["schemas"]["Schedule"][];
            nextCursor: string | null;
        };
        SchedulesCreateBody: {
            name: string;
            projects: string[];
            profile: string;
            cron: string;
            /** @default UTC */
            timezone?: string;
            /** @default false */
            pullFirst?: boolean;
            /** @default true */
            enabled?: boolean;
        };
        SchedulesUpdateBody: {
            name: string;
            projects: string[];
            profile: string;
            cron: string;
            timezone: string;
            /** @default false */
            pullFirst?: boolean;
            enabled: boolean;
        };
        ServiceUnavailableProblem: {
            type: string;
            title: string;
            status: number;
            detail: string;
            /** @enum {string} */
            code: "SERVICE_UNAVAILABLE";
            correlationId: string;
            health?: {
                [key: string]: "ok" | "failing";
            };
            missing?: string[];
        };
        Session: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            tenantId: string;
            current: boolean;
            mfa: boolean;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            lastUsedAt: string;
            /** Format: date-time */
            expiresAt: string;
        };
        SessionPage: {
            items: components["schemas"]["Session"][];
            nextCursor: string | null;
        };
        /** @enum {string} */
        Severity: "critical" | "high" | "medium" | "low" | "info";
        SignInLockedEvent: {
            /** @enum {string} */
            type: "sign_in.locked";
            /** Format: date-time */
            timestamp: string;
            data: {
                user: {
                    /** Format: uuid */
                    id: string;
                    email: string;
                };
                ip: string;
            };
        };
        SignInMethods: {
            /** @enum {boolean} */
            password: true;
            registration: boolean;
            google: boolean;
            saml: boolean;
        };
        SourceCheck: {
            ok: boolean;
            checks: {
                name: string;
                ok: boolean;
                detail: string;
                remedy: string;
            }[];
        };
        SourceFailedEvent: {
            /** @enum {string} */
            type: "source.failed";
            /** Format: date-time */
            timestamp: string;
            data: {
                project: string;
                /** Format: uuid */
                pullId: string;
                problem: string;
            };
        };
        SourceRefusedProblem: {
            type: string;
            title: string;
            status: number;
            detail: string;
            /** @enum {string} */
            code: "SOURCE_REFUSED";
            correlationId: string;
            errors?: components["schemas"]["ProblemFault"][];
        };
        SourcesSetBody: {
            /** @enum {string} */
            kind: "google-cloud";
            parent: string;
            credential: {
                /** @enum {string} */
                type: "service_account_key";
                key: {
                    [key: string]: components["schemas"]["JsonValue"];
                };
            } | {
                /** @enum {string} */
                type: "impersonation";
                serviceAccount: string;
            };
        };
        Tenant: {
            /** Format: uuid */
            id: string;
            name: string;
            features: ("sso" | "custom_rules" | "audit_export")[];
            settings: components["schemas"]["TenantSettings"];
            googlePrincipalPrefix: string;
        };
        TenantSettings: {
            inventoryMaxAgeHours: number;
            muteDefaultDays: number;
            allowedDomains: string[];
        };
        Tokens: {
            accessToken: string;
            refreshToken: string;
            /** @enum {string} */
            tokenType: "Bearer";
            expiresIn: number;
        };
        TwoFactorSetup: {
            secret: string;
            otpauthUri: string;
        };
        UnauthorizedCodeProblem: {
            type: string;
            title: string;
            status: number;
            detail: string;
            /** @enum {string} */
            code: "UNAUTHORIZED" | "INVALID_CODE";
            correlationId: string;
        };
        UnauthorizedCredentialsProblem: {
            type: string;
            title: string;
            status: number;
            detail: string;
            /** @enum {string} */
            code: "UNAUTHORIZED" | "INVALID_CREDENTIALS";
            correlationId: string;
        };
        UnauthorizedProblem: {
            type: string;
            title: string;
            status: number;
            detail: string;
            /** @enum {string} */
            code: "UNAUTHORIZED";
            correlationId: string;
        };
        UnavailableProblem: {
            type: string;
            title: string;
            status: number;
            detail: string;
            /** @enum {string} */
            code: "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
            correlationId: string;
            health?: {
                [key: string]: "ok" | "failing";
            };
            missing?: string[];
        };
        UnsupportedMediaTypeProblem: {
            type: string;
            title: string;
            status: number;
            detail: string;
            /** @enum {string} */
            code: "UNSUPPORTED_MEDIA_TYPE";
            correlationId: string;
        };
        User: {
            /** Format: uuid */
            id: string;
            email: string;
            name: string | null;
            role: string;
            /** @enum {string} */
            status: "invited" | "active" | "disabled";
            twoFactorEnabled: boolean;
            /** Format: date-time */
            lastLoginAt: string | null;
            /** Format: date-time */
            createdAt: string;
        };
        UserPage: {
            items: components["schemas"]["User"][];
            nextCursor: string | null;
        };
        UsersCreateBody: {
            /** Format: email */
            email: string;
            name?: string;
            role: string;
        };
        UsersUpdateBody: {
            name?: string;
            role?: string;
            /** @enum {string} */
            status?: "active" | "disabled";
        };
        View: {
            /** Format: uuid */
            id: string;
            name: string;
            query: string;
            shared: boolean;
            createdBy: {
                /** Format: uuid */
                id: string;
                label: string;
            };
            /** Format: date-time */
            createdAt: string;
        };
        ViewPage: {
            items: components["schemas"]["View"][];
            nextCursor: string | null;
        };
        ViewsCreateBody: {
            name: string;
            query: string;
            /** @default false */
            shared?: boolean;
        };
        ViewsUpdateBody: {
            name: string;
            query: string;
            shared: boolean;
        };
        Webhook: {
            /** Format: uuid */
            id: string;
            url: string;
            events: ("scan.completed" | "scan.failed" | "findings.opened" | "findings.resolved" | "schedule.disabled" | "source.failed" | "api_key.created" | "break_glass.used" | "sign_in.locked")[];
            description: string;
            /** @enum {string} */
            format: "standard" | "slack";
            enabled: boolean;
            /** Format: date-time */
            failingSince: string | null;
            disabledReason: {
                /** @enum {string} */
                code: "GONE" | "FAILING";
                message: string;
                /** Format: date-time */
                at: string;
            } | null;
            /** Format: date-time */
            previousSecretUntil: string | null;
            /** Format: date-time */
            createdAt: string;
        };
        WebhookDelivery: {
            /** Format: uuid */
            id: string;
            messageId: string;
            /** @enum {string} */
            type: "scan.completed" | "scan.failed" | "findings.opened" | "findings.resolved" | "schedule.disabled" | "source.failed" | "api_key.created" | "break_glass.used" | "sign_in.locked" | "webhook.test";
            /** @enum {string} */
            status: "pending" | "delivered" | "failed";
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            nextAttemptAt: string | null;
            attempts: {
                /** Format: date-time */
                at: string;
                status: number | null;
                milliseconds: number;
                problem: string | null;
            }[];
            payload: {
                [key: string]: components["schemas"]["JsonValue"];
            };
        };
        WebhookDeliveryPage: {
            items: components["schemas"]["WebhookDelivery"][];
            nextCursor: string | null;
        };
        WebhookPage: {
            items: components["schemas"]["Webhook"][];
            nextCursor: string | null;
        };
        WebhookSecret: {
            secret: string;
            /** Format: date-time */
            previousSecretUntil: string;
        };
        WebhookTestEvent: {
            /** @enum {string} */
            type: "webhook.test";
            /** Format: date-time */
            timestamp: string;
            data: {
                /** Format: uuid */
                webhookId: string;
                message: string;
            };
        };
        WebhooksCreateBody: {
            url: string;
            events: ("scan.completed" | "scan.failed" | "findings.opened" | "findings.resolved" | "schedule.disabled" | "source.failed" | "api_key.created" | "break_glass.used" | "sign_in.locked")[];
            /** @default  */
            description?: string;
            /**
             * @default standard
             * @enum {string}
             */
            format?: "standard" | "slack";
            /** @default true */
            enabled?: boolean;
        };
        WebhooksUpdateBody: {
            url: string;
            events: ("scan.completed" | "scan.failed" | "findings.opened" | "findings.resolved" | "schedule.disabled" | "source.failed" | "api_key.created" | "break_glass.used" | "sign_in.locked")[];
            /** @default  */
            description?: string;
            /** @enum {string} */
            format?: "standard" | "slack";
            enabled: boolean;
        };
    };
    responses: {
        Conflict: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                Deprecation: components["headers"]["Deprecation"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ConflictProblem"];
            };
        };
        ConflictKeyInUse: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                Deprecation: components["headers"]["Deprecation"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ConflictKeyInUseProblem"];
            };
        };
        CrossSiteConfirmationPublic: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["CrossSiteConfirmationProblem"];
            };
        };
        CrossSitePublic: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["CrossSiteProblem"];
            };
        };
        DomainNotVerified: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                Deprecation: components["headers"]["Deprecation"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["DomainNotVerifiedProblem"];
            };
        };
        Forbidden: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                Deprecation: components["headers"]["Deprecation"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ForbiddenProblem"];
            };
        };
        ForbiddenCredential: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                Deprecation: components["headers"]["Deprecation"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ForbiddenCredentialProblem"];
            };
        };
        ForbiddenCredentialCrossSite: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                Deprecation: components["headers"]["Deprecation"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ForbiddenCredentialCrossSiteProblem"];
            };
        };
        ForbiddenCredentialReauth: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                Deprecation: components["headers"]["Deprecation"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ForbiddenCredentialReauthProblem"];
            };
        };
        ForbiddenFeature: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                Deprecation: components["headers"]["Deprecation"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ForbiddenFeatureProblem"];
            };
        };
        ForbiddenMfa: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                Deprecation: components["headers"]["Deprecation"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ForbiddenMfaProblem"];
            };
        };
        ForbiddenMfaFeature: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                Deprecation: components["headers"]["Deprecation"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ForbiddenMfaFeatureProblem"];
            };
        };
        Internal: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                Deprecation: components["headers"]["Deprecation"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["InternalProblem"];
            };
        };
        InternalPublic: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["InternalProblem"];
            };
        };
        InternalPublicUnlimited: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["InternalProblem"];
            };
        };
        InvalidCredentials: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["InvalidCredentialsProblem"];
            };
        };
        InvalidCredentialsCode: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["InvalidCredentialsCodeProblem"];
            };
        };
        InvalidCredentialsTotp: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["InvalidCredentialsTotpProblem"];
            };
        };
        KeyInUse: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                Deprecation: components["headers"]["Deprecation"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["KeyInUseProblem"];
            };
        };
        KeyMismatch: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                Deprecation: components["headers"]["Deprecation"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["KeyMismatchProblem"];
            };
        };
        KeyMismatchPreflight: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                Deprecation: components["headers"]["Deprecation"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["KeyMismatchPreflightProblem"];
            };
        };
        NotFound: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                Deprecation: components["headers"]["Deprecation"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["NotFoundProblem"];
            };
        };
        NotFoundPublic: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["NotFoundProblem"];
            };
        };
        Other: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        PayloadTooLarge: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                Deprecation: components["headers"]["Deprecation"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["PayloadTooLargeProblem"];
            };
        };
        PayloadTooLargePublic: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["PayloadTooLargeProblem"];
            };
        };
        PreflightBlocked: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                Deprecation: components["headers"]["Deprecation"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["PreflightBlockedProblem"];
            };
        };
        RateLimited: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["RateLimitedProblem"];
            };
        };
        RateLimitedWithTenant: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                Deprecation: components["headers"]["Deprecation"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["RateLimitedProblem"];
            };
        };
        RegistrationClosedCancelledPublic: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["RegistrationClosedCancelledProblem"];
            };
        };
        RegistrationClosedCrossSitePublic: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["RegistrationClosedCrossSiteProblem"];
            };
        };
        RegistrationClosedPublic: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["RegistrationClosedProblem"];
            };
        };
        RequestTimeout: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                Deprecation: components["headers"]["Deprecation"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["RequestTimeoutProblem"];
            };
        };
        RequestTimeoutPublic: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["RequestTimeoutProblem"];
            };
        };
        ScanNotCompleted: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                Deprecation: components["headers"]["Deprecation"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ScanNotCompletedProblem"];
            };
        };
        ScansNotComparable: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                Deprecation: components["headers"]["Deprecation"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ScansNotComparableProblem"];
            };
        };
        ServiceUnavailablePublic: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ServiceUnavailableProblem"];
            };
        };
        ServiceUnavailablePublicUnlimited: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ServiceUnavailableProblem"];
            };
        };
        SourceRefused: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                Deprecation: components["headers"]["Deprecation"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["SourceRefusedProblem"];
            };
        };
        Unauthorized: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["UnauthorizedProblem"];
            };
        };
        UnauthorizedCodeWithTenant: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                Deprecation: components["headers"]["Deprecation"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["UnauthorizedCodeProblem"];
            };
        };
        UnauthorizedCredentialsWithTenant: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                Deprecation: components["headers"]["Deprecation"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["UnauthorizedCredentialsProblem"];
            };
        };
        UnauthorizedSession: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                "Retry-After": components["headers"]["Retry-After"];
                "Set-Cookie": components["headers"]["Set-Cookie"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["UnauthorizedProblem"];
            };
        };
        Unavailable: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                Deprecation: components["headers"]["Deprecation"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["UnavailableProblem"];
            };
        };
        UnsupportedMediaType: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                Deprecation: components["headers"]["Deprecation"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["UnsupportedMediaTypeProblem"];
            };
        };
        UnsupportedMediaTypePublic: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["UnsupportedMediaTypeProblem"];
            };
        };
    };
    parameters: {
        BreakGlassReason: string;
        ContentEncoding: "gzip";
        CorrelationId: string;
        IdempotencyKey: string;
        IfNoneMatch: string;
        SessionTransport: "cookie";
        TenantId: string;
    };
    requestBodies: never;
    headers: {
        "Content-Disposition": string;
        Deprecation: string;
        ETag: string;
        "Idempotency-Replayed": "true";
        Location: string;
        RateLimit: string;
        "RateLimit-Policy": string;
        "Retry-After": number;
        "Set-Cookie": string;
        "WWW-Authenticate": string;
        "X-Correlation-ID": string;
        "X-Tenant-ID": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    authLogin: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Session-Transport"?: components["parameters"]["SessionTransport"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AuthLoginBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Set-Cookie": components["headers"]["Set-Cookie"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tokens"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestProblem"];
                };
            };
            401: components["responses"]["InvalidCredentialsTotp"];
            403: components["responses"]["CrossSitePublic"];
            408: components["responses"]["RequestTimeoutPublic"];
            413: components["responses"]["PayloadTooLargePublic"];
            415: components["responses"]["UnsupportedMediaTypePublic"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalPublic"];
            503: components["responses"]["ServiceUnavailablePublic"];
            default: components["responses"]["Other"];
        };
    };
    authRefresh: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Session-Transport"?: components["parameters"]["SessionTransport"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    refreshToken?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Set-Cookie": components["headers"]["Set-Cookie"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tokens"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestProblem"];
                };
            };
            401: components["responses"]["UnauthorizedSession"];
            403: components["responses"]["CrossSitePublic"];
            408: components["responses"]["RequestTimeoutPublic"];
            413: components["responses"]["PayloadTooLargePublic"];
            415: components["responses"]["UnsupportedMediaTypePublic"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalPublic"];
            503: components["responses"]["ServiceUnavailablePublic"];
            default: components["responses"]["Other"];
        };
    };
    authLogout: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Session-Transport"?: components["parameters"]["SessionTransport"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    refreshToken?: string;
                };
            };
        };
        responses: {
            204: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Set-Cookie": components["headers"]["Set-Cookie"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestProblem"];
                };
            };
            403: components["responses"]["CrossSitePublic"];
            408: components["responses"]["RequestTimeoutPublic"];
            413: components["responses"]["PayloadTooLargePublic"];
            415: components["responses"]["UnsupportedMediaTypePublic"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalPublic"];
            503: components["responses"]["ServiceUnavailablePublic"];
            default: components["responses"]["Other"];
        };
    };
    authLogoutAll: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
                "X-Session-Transport"?: components["parameters"]["SessionTransport"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Set-Cookie": components["headers"]["Set-Cookie"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenCredentialCrossSite"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    authRegister: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AuthRegisterBody"];
            };
        };
        responses: {
            202: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Accepted"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestProblem"];
                };
            };
            403: components["responses"]["RegistrationClosedPublic"];
            408: components["responses"]["RequestTimeoutPublic"];
            413: components["responses"]["PayloadTooLargePublic"];
            415: components["responses"]["UnsupportedMediaTypePublic"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalPublic"];
            503: components["responses"]["ServiceUnavailablePublic"];
            default: components["responses"]["Other"];
        };
    };
    authVerifyEmail: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    token: string;
                };
            };
        };
        responses: {
            204: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTokenProblem"];
                };
            };
            408: components["responses"]["RequestTimeoutPublic"];
            413: components["responses"]["PayloadTooLargePublic"];
            415: components["responses"]["UnsupportedMediaTypePublic"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalPublic"];
            503: components["responses"]["ServiceUnavailablePublic"];
            default: components["responses"]["Other"];
        };
    };
    authResendVerification: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: email */
                    email: string;
                };
            };
        };
        responses: {
            202: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Accepted"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestProblem"];
                };
            };
            408: components["responses"]["RequestTimeoutPublic"];
            413: components["responses"]["PayloadTooLargePublic"];
            415: components["responses"]["UnsupportedMediaTypePublic"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalPublic"];
            503: components["responses"]["ServiceUnavailablePublic"];
            default: components["responses"]["Other"];
        };
    };
    authForgotPassword: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: email */
                    email: string;
                };
            };
        };
        responses: {
            202: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Accepted"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestProblem"];
                };
            };
            408: components["responses"]["RequestTimeoutPublic"];
            413: components["responses"]["PayloadTooLargePublic"];
            415: components["responses"]["UnsupportedMediaTypePublic"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalPublic"];
            503: components["responses"]["ServiceUnavailablePublic"];
            default: components["responses"]["Other"];
        };
    };
    authResetPassword: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    token: string;
                    password: string;
                };
            };
        };
        responses: {
            204: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTokenProblem"];
                };
            };
            408: components["responses"]["RequestTimeoutPublic"];
            413: components["responses"]["PayloadTooLargePublic"];
            415: components["responses"]["UnsupportedMediaTypePublic"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalPublic"];
            503: components["responses"]["ServiceUnavailablePublic"];
            default: components["responses"]["Other"];
        };
    };
    authAcceptInvite: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    token: string;
                };
            };
        };
        responses: {
            204: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTokenProblem"];
                };
            };
            408: components["responses"]["RequestTimeoutPublic"];
            413: components["responses"]["PayloadTooLargePublic"];
            415: components["responses"]["UnsupportedMediaTypePublic"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalPublic"];
            503: components["responses"]["ServiceUnavailablePublic"];
            default: components["responses"]["Other"];
        };
    };
    authChangePassword: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
                "X-Session-Transport"?: components["parameters"]["SessionTransport"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    currentPassword: string;
                    newPassword: string;
                };
            };
        };
        responses: {
            204: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Set-Cookie": components["headers"]["Set-Cookie"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["UnauthorizedCredentialsWithTenant"];
            403: components["responses"]["ForbiddenCredentialCrossSite"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    authGoogle: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Session-Transport"?: components["parameters"]["SessionTransport"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    credential: string;
                    nonce?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Set-Cookie": components["headers"]["Set-Cookie"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tokens"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestProblem"];
                };
            };
            401: components["responses"]["InvalidCredentials"];
            403: components["responses"]["RegistrationClosedCrossSitePublic"];
            408: components["responses"]["RequestTimeoutPublic"];
            413: components["responses"]["PayloadTooLargePublic"];
            415: components["responses"]["UnsupportedMediaTypePublic"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalPublic"];
            503: components["responses"]["ServiceUnavailablePublic"];
            default: components["responses"]["Other"];
        };
    };
    authGoogleLogin: {
        parameters: {
            query?: {
                state?: string;
            };
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            302: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Set-Cookie": components["headers"]["Set-Cookie"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestProblem"];
                };
            };
            401: components["responses"]["InvalidCredentials"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalPublic"];
            503: components["responses"]["ServiceUnavailablePublic"];
            default: components["responses"]["Other"];
        };
    };
    authGoogleCallback: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["AuthGoogleCallbackBody"];
            };
        };
        responses: {
            303: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTokenProblem"];
                };
            };
            401: components["responses"]["InvalidCredentials"];
            403: components["responses"]["RegistrationClosedCancelledPublic"];
            408: components["responses"]["RequestTimeoutPublic"];
            413: components["responses"]["PayloadTooLargePublic"];
            415: components["responses"]["UnsupportedMediaTypePublic"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalPublic"];
            503: components["responses"]["ServiceUnavailablePublic"];
            default: components["responses"]["Other"];
        };
    };
    authExchange: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Session-Transport"?: components["parameters"]["SessionTransport"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    code: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Set-Cookie": components["headers"]["Set-Cookie"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tokens"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTokenProblem"];
                };
            };
            403: components["responses"]["CrossSiteConfirmationPublic"];
            408: components["responses"]["RequestTimeoutPublic"];
            413: components["responses"]["PayloadTooLargePublic"];
            415: components["responses"]["UnsupportedMediaTypePublic"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalPublic"];
            503: components["responses"]["ServiceUnavailablePublic"];
            default: components["responses"]["Other"];
        };
    };
    authConfirm: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Session-Transport"?: components["parameters"]["SessionTransport"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AuthConfirmBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Set-Cookie": components["headers"]["Set-Cookie"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tokens"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTokenProblem"];
                };
            };
            401: components["responses"]["InvalidCredentialsCode"];
            403: components["responses"]["CrossSitePublic"];
            408: components["responses"]["RequestTimeoutPublic"];
            413: components["responses"]["PayloadTooLargePublic"];
            415: components["responses"]["UnsupportedMediaTypePublic"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalPublic"];
            503: components["responses"]["ServiceUnavailablePublic"];
            default: components["responses"]["Other"];
        };
    };
    authConfirmMail: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    token: string;
                };
            };
        };
        responses: {
            202: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Accepted"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTokenProblem"];
                };
            };
            408: components["responses"]["RequestTimeoutPublic"];
            413: components["responses"]["PayloadTooLargePublic"];
            415: components["responses"]["UnsupportedMediaTypePublic"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalPublic"];
            503: components["responses"]["ServiceUnavailablePublic"];
            default: components["responses"]["Other"];
        };
    };
    authMethods: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignInMethods"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestProblem"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalPublic"];
            503: components["responses"]["ServiceUnavailablePublic"];
            default: components["responses"]["Other"];
        };
    };
    authMe: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
                "X-Break-Glass-Reason"?: components["parameters"]["BreakGlassReason"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Identity"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    twoFactorSetup: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    password?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TwoFactorSetup"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenCredentialReauth"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    twoFactorEnable: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    password?: string;
                    code: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecoveryCodes"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["UnauthorizedCodeWithTenant"];
            403: components["responses"]["ForbiddenCredentialReauth"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    twoFactorVerify: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
                "X-Session-Transport"?: components["parameters"]["SessionTransport"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    code: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Set-Cookie": components["headers"]["Set-Cookie"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tokens"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["UnauthorizedCodeWithTenant"];
            403: components["responses"]["ForbiddenCredentialCrossSite"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    twoFactorDisable: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    password?: string;
                    code: string;
                };
            };
        };
        responses: {
            204: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["UnauthorizedCodeWithTenant"];
            403: components["responses"]["ForbiddenCredentialReauth"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    twoFactorRecoveryCodes: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    password?: string;
                    code: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecoveryCodes"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["UnauthorizedCodeWithTenant"];
            403: components["responses"]["ForbiddenCredentialReauth"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    sessionsList: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionPage"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenCredential"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    sessionsRevoke: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenCredential"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    apiKeysList: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                userId?: string;
            };
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyPage"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    apiKeysCreate: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    /** Format: date-time */
                    expiresAt?: string;
                };
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewApiKey"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenCredential"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ConflictKeyInUse"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["KeyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    apiKeysRevoke: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    usersList: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
                "X-Break-Glass-Reason"?: components["parameters"]["BreakGlassReason"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserPage"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    usersCreate: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
                "X-Break-Glass-Reason"?: components["parameters"]["BreakGlassReason"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UsersCreateBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenMfa"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ConflictKeyInUse"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["KeyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    usersResendInvitation: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
                "X-Break-Glass-Reason"?: components["parameters"]["BreakGlassReason"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenMfa"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictKeyInUse"];
            422: components["responses"]["KeyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    usersGet: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
                "X-Break-Glass-Reason"?: components["parameters"]["BreakGlassReason"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    usersDelete: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
                "X-Break-Glass-Reason"?: components["parameters"]["BreakGlassReason"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenMfa"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    usersUpdate: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
                "X-Break-Glass-Reason"?: components["parameters"]["BreakGlassReason"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UsersUpdateBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenMfa"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    rolesList: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
                "X-Break-Glass-Reason"?: components["parameters"]["BreakGlassReason"];
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RolePage"];
                };
            };
            304: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    rolesCreate: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
                "X-Break-Glass-Reason"?: components["parameters"]["BreakGlassReason"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    permissions: ("scans.read" | "scans.launch" | "scans.cancel" | "preflight.run" | "projects.read" | "projects.write" | "findings.read" | "findings.mute" | "rules.read" | "rules.write" | "keys.own" | "admin.users" | "admin.settings" | "admin.audit")[];
                };
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Role"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenMfa"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ConflictKeyInUse"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["KeyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    rolesUpdate: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
                "X-Break-Glass-Reason"?: components["parameters"]["BreakGlassReason"];
            };
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    permissions: ("scans.read" | "scans.launch" | "scans.cancel" | "preflight.run" | "projects.read" | "projects.write" | "findings.read" | "findings.mute" | "rules.read" | "rules.write" | "keys.own" | "admin.users" | "admin.settings" | "admin.audit")[];
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Role"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenMfa"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    rolesDelete: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
                "X-Break-Glass-Reason"?: components["parameters"]["BreakGlassReason"];
            };
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenMfa"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    tenantGet: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
                "X-Break-Glass-Reason"?: components["parameters"]["BreakGlassReason"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tenant"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    tenantUpdate: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
                "X-Break-Glass-Reason"?: components["parameters"]["BreakGlassReason"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string;
                    settings?: {
                        inventoryMaxAgeHours?: number;
                        muteDefaultDays?: number;
                        allowedDomains?: string[];
                    };
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tenant"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenMfa"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    samlGetSettings: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
                "X-Break-Glass-Reason"?: components["parameters"]["BreakGlassReason"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SamlSettings"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenFeature"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    samlPutSettings: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
                "X-Break-Glass-Reason"?: components["parameters"]["BreakGlassReason"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SamlPutSettingsBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SamlSettings"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenMfaFeature"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    samlDeleteSettings: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
                "X-Break-Glass-Reason"?: components["parameters"]["BreakGlassReason"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenMfa"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    samlMetadata: {
        parameters: {
            query: {
                tenant: string;
            };
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/samlmetadata+xml": string;
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestProblem"];
                };
            };
            404: components["responses"]["NotFoundPublic"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalPublic"];
            503: components["responses"]["ServiceUnavailablePublic"];
            default: components["responses"]["Other"];
        };
    };
    samlLogin: {
        parameters: {
            query: {
                tenant: string;
                state?: string;
            };
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            302: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Set-Cookie": components["headers"]["Set-Cookie"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestProblem"];
                };
            };
            404: components["responses"]["NotFoundPublic"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalPublic"];
            503: components["responses"]["ServiceUnavailablePublic"];
            default: components["responses"]["Other"];
        };
    };
    samlDiscover: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: email */
                    email: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SamlDiscovery"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestProblem"];
                };
            };
            408: components["responses"]["RequestTimeoutPublic"];
            413: components["responses"]["PayloadTooLargePublic"];
            415: components["responses"]["UnsupportedMediaTypePublic"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalPublic"];
            503: components["responses"]["ServiceUnavailablePublic"];
            default: components["responses"]["Other"];
        };
    };
    samlAcs: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    SAMLResponse: string;
                    RelayState?: string;
                };
            };
        };
        responses: {
            303: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestProblem"];
                };
            };
            401: components["responses"]["InvalidCredentials"];
            408: components["responses"]["RequestTimeoutPublic"];
            413: components["responses"]["PayloadTooLargePublic"];
            415: components["responses"]["UnsupportedMediaTypePublic"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalPublic"];
            503: components["responses"]["ServiceUnavailablePublic"];
            default: components["responses"]["Other"];
        };
    };
    domainsList: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
                "X-Break-Glass-Reason"?: components["parameters"]["BreakGlassReason"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DomainPage"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenFeature"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    domainsCreate: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
                "X-Break-Glass-Reason"?: components["parameters"]["BreakGlassReason"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    domain: string;
                };
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Domain"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenMfaFeature"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ConflictKeyInUse"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["KeyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    domainsVerify: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
                "X-Break-Glass-Reason"?: components["parameters"]["BreakGlassReason"];
            };
            path: {
                domain: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Domain"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenMfaFeature"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["DomainNotVerified"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    domainsDelete: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
                "X-Break-Glass-Reason"?: components["parameters"]["BreakGlassReason"];
            };
            path: {
                domain: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenMfa"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    auditEventsList: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                actor?: string[];
                action?: ("auth.login" | "auth.refresh" | "auth.logout" | "auth.logout_all" | "session.revoked" | "two_factor.setup" | "two_factor.enabled" | "two_factor.verified" | "two_factor.disabled" | "two_factor.recovery_codes_replaced" | "auth.register" | "auth.verify_email" | "auth.resend_verification" | "auth.forgot_password" | "auth.reset_password" | "auth.accept_invite" | "auth.change_password" | "auth.google" | "auth.saml" | "auth.exchange" | "auth.confirm" | "auth.confirm_mail" | "saml.settings_changed" | "saml.settings_deleted" | "domain.added" | "domain.verified" | "domain.removed" | "api_key.created" | "api_key.revoked" | "user.invited" | "user.invitation_resent" | "user.updated" | "user.removed" | "role.created" | "role.updated" | "role.deleted" | "tenant.updated" | "tenant.created" | "tenant.features_set" | "user.created" | "user.two_factor_reset" | "project.created" | "project.updated" | "project.deleted" | "inventory.uploaded" | "source.changed" | "source.deleted" | "source.pull_requested" | "source.pulled" | "source.failed" | "scan.launched" | "scan.cancelled" | "schedule.created" | "schedule.updated" | "schedule.deleted" | "schedule.disabled" | "webhook.created" | "webhook.updated" | "webhook.deleted" | "webhook.secret_rotated" | "webhook.tested" | "webhook.redelivered" | "webhook.disabled" | "mute.created" | "mute.deleted" | "mute.bulk_created" | "view.created" | "view.updated" | "view.deleted" | "notifications.updated" | "notifications.unsubscribed" | "profile.created" | "profile.updated" | "profile.deleted" | "custom_rule.created" | "custom_rule.updated" | "custom_rule.deleted" | "global_key.used" | "break_glass.used")[];
                outcome?: ("success" | "failure")[];
                from?: string;
                to?: string;
            };
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
                "X-Break-Glass-Reason"?: components["parameters"]["BreakGlassReason"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditEventPage"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    auditEventsExport: {
        parameters: {
            query?: {
                actor?: string[];
                action?: ("auth.login" | "auth.refresh" | "auth.logout" | "auth.logout_all" | "session.revoked" | "two_factor.setup" | "two_factor.enabled" | "two_factor.verified" | "two_factor.disabled" | "two_factor.recovery_codes_replaced" | "auth.register" | "auth.verify_email" | "auth.resend_verification" | "auth.forgot_password" | "auth.reset_password" | "auth.accept_invite" | "auth.change_password" | "auth.google" | "auth.saml" | "auth.exchange" | "auth.confirm" | "auth.confirm_mail" | "saml.settings_changed" | "saml.settings_deleted" | "domain.added" | "domain.verified" | "domain.removed" | "api_key.created" | "api_key.revoked" | "user.invited" | "user.invitation_resent" | "user.updated" | "user.removed" | "role.created" | "role.updated" | "role.deleted" | "tenant.updated" | "tenant.created" | "tenant.features_set" | "user.created" | "user.two_factor_reset" | "project.created" | "project.updated" | "project.deleted" | "inventory.uploaded" | "source.changed" | "source.deleted" | "source.pull_requested" | "source.pulled" | "source.failed" | "scan.launched" | "scan.cancelled" | "schedule.created" | "schedule.updated" | "schedule.deleted" | "schedule.disabled" | "webhook.created" | "webhook.updated" | "webhook.deleted" | "webhook.secret_rotated" | "webhook.tested" | "webhook.redelivered" | "webhook.disabled" | "mute.created" | "mute.deleted" | "mute.bulk_created" | "view.created" | "view.updated" | "view.deleted" | "notifications.updated" | "notifications.unsubscribed" | "profile.created" | "profile.updated" | "profile.deleted" | "custom_rule.created" | "custom_rule.updated" | "custom_rule.deleted" | "global_key.used" | "break_glass.used")[];
                outcome?: ("success" | "failure")[];
                from?: string;
                to?: string;
            };
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
                "X-Break-Glass-Reason"?: components["parameters"]["BreakGlassReason"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenFeature"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimitedWithTenant"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    projectsList: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
                "X-Break-Glass-Reason"?: components["parameters"]["BreakGlassReason"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectPage"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    projectsCreate: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    description?: string;
                };
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Project"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ConflictKeyInUse"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["KeyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    projectsGet: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
                "X-Break-Glass-Reason"?: components["parameters"]["BreakGlassReason"];
            };
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Project"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    projectsDelete: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    projectsUpdate: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    description?: string | null;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Project"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    projectsInventories: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
                "X-Break-Glass-Reason"?: components["parameters"]["BreakGlassReason"];
            };
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InventoryPage"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    projectsUploadInventory: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
                "Content-Encoding"?: components["parameters"]["ContentEncoding"];
            };
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AssetRecord"][] | {
                    [key: string]: unknown;
                };
                "application/x-ndjson": string;
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Inventory"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    assetsList: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                type?: string[];
                q?: string;
                location?: string[];
                hasFindings?: boolean;
            };
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
                "X-Break-Glass-Reason"?: components["parameters"]["BreakGlassReason"];
            };
            path: {
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AssetPage"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    assetsLookup: {
        parameters: {
            query: {
                name: string;
                type?: string;
            };
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
                "X-Break-Glass-Reason"?: components["parameters"]["BreakGlassReason"];
            };
            path: {
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AssetDetails"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    sourcesGet: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectSource"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    sourcesSet: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SourcesSetBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectSource"];
                };
            };
            201: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectSource"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["SourceRefused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    sourcesDelete: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    sourcesCheck: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SourceCheck"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    pullsStart: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Pull"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictKeyInUse"];
            422: components["responses"]["KeyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    pullsList: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PullPage"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    pullsGet: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path: {
                name: string;
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Pull"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    preflightRun: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ScanRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Preflight"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    scansList: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                status?: ("queued" | "running" | "completed" | "partial" | "failed" | "cancelled")[];
                project?: string[];
                ids?: string[];
            };
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
                "X-Break-Glass-Reason"?: components["parameters"]["BreakGlassReason"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScanPage"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    scansLaunch: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ScanRequest"];
            };
        };
        responses: {
            202: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Scan"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["KeyInUse"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["KeyMismatchPreflight"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    scansGet: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
                "X-Break-Glass-Reason"?: components["parameters"]["BreakGlassReason"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Scan"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    scansRules: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
                "X-Break-Glass-Reason"?: components["parameters"]["BreakGlassReason"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RuleCountPage"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    scansCompliance: {
        parameters: {
            query?: {
                framework?: "cis-gcp-2.0" | "cis-gcp-4.0" | "cis-gcp-5.0";
            };
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
                "X-Break-Glass-Reason"?: components["parameters"]["BreakGlassReason"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ComplianceReport"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    scansReport: {
        parameters: {
            query?: {
                format?: "html" | "pdf" | "csv";
                framework?: "cis-gcp-2.0" | "cis-gcp-4.0" | "cis-gcp-5.0";
            };
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
                "X-Break-Glass-Reason"?: components["parameters"]["BreakGlassReason"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                    "application/pdf": string;
                    "text/csv": string;
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ScanNotCompleted"];
            429: components["responses"]["RateLimitedWithTenant"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    scansCompare: {
        parameters: {
            query: {
                with: string;
                limit?: number;
                cursor?: string;
                change?: ("new" | "resolved" | "reopened" | "unchanged")[];
                severity?: components["schemas"]["Severity"][];
                rule?: string[];
                project?: string[];
                q?: string;
                counts?: boolean;
            };
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
                "X-Break-Glass-Reason"?: components["parameters"]["BreakGlassReason"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScanComparison"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ScanNotCompleted"];
            422: components["responses"]["ScansNotComparable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    scansCancel: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Scan"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    scansEvents: {
        parameters: {
            query?: never;
            header?: {
                "last-event-id"?: string;
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
                "X-Break-Glass-Reason"?: components["parameters"]["BreakGlassReason"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimitedWithTenant"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    schedulesList: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SchedulePage"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    schedulesCreate: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SchedulesCreateBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Schedule"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenCredential"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ConflictKeyInUse"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["KeyMismatchPreflight"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    schedulesGet: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Schedule"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    schedulesUpdate: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SchedulesUpdateBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Schedule"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenCredential"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["PreflightBlocked"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    schedulesDelete: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    webhooksList: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
                "X-Break-Glass-Reason"?: components["parameters"]["BreakGlassReason"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookPage"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    webhooksCreate: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
                "X-Break-Glass-Reason"?: components["parameters"]["BreakGlassReason"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhooksCreateBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewWebhook"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ConflictKeyInUse"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["KeyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    webhooksGet: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
                "X-Break-Glass-Reason"?: components["parameters"]["BreakGlassReason"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    webhooksUpdate: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
                "X-Break-Glass-Reason"?: components["parameters"]["BreakGlassReason"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhooksUpdateBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    webhooksDelete: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
                "X-Break-Glass-Reason"?: components["parameters"]["BreakGlassReason"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    webhooksRotateSecret: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
                "X-Break-Glass-Reason"?: components["parameters"]["BreakGlassReason"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            201: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookSecret"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["KeyInUse"];
            422: components["responses"]["KeyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    webhooksTest: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
                "X-Break-Glass-Reason"?: components["parameters"]["BreakGlassReason"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictKeyInUse"];
            422: components["responses"]["KeyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    webhooksDeliveries: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
                "X-Break-Glass-Reason"?: components["parameters"]["BreakGlassReason"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryPage"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    webhooksRedeliver: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
                "X-Break-Glass-Reason"?: components["parameters"]["BreakGlassReason"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
                deliveryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictKeyInUse"];
            422: components["responses"]["KeyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    findingsList: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                sort?: "newest" | "severity" | "lastSeen";
                project?: string[];
                severity?: components["schemas"]["Severity"][];
                status?: ("open" | "resolved")[];
                rule?: string[];
                scan?: string;
                muted?: boolean;
                q?: string;
                category?: string[];
                assetType?: string[];
                framework?: string[];
                delta?: ("new" | "unchanged" | "reopened" | "resolved")[];
                since?: string;
                asset?: string;
                fingerprint?: string;
            };
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
                "X-Break-Glass-Reason"?: components["parameters"]["BreakGlassReason"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FindingPage"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    findingsSummary: {
        parameters: {
            query?: {
                project?: string[];
                severity?: components["schemas"]["Severity"][];
                status?: ("open" | "resolved")[];
                rule?: string[];
                scan?: string;
                muted?: boolean;
                q?: string;
                category?: string[];
                assetType?: string[];
                framework?: string[];
                delta?: ("new" | "unchanged" | "reopened" | "resolved")[];
                since?: string;
                asset?: string;
                fingerprint?: string;
            };
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
                "X-Break-Glass-Reason"?: components["parameters"]["BreakGlassReason"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FindingSummary"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    findingsGroups: {
        parameters: {
            query: {
                by: "rule" | "asset" | "project";
                limit?: number;
                cursor?: string;
                project?: string[];
                severity?: components["schemas"]["Severity"][];
                status?: ("open" | "resolved")[];
                rule?: string[];
                scan?: string;
                muted?: boolean;
                q?: string;
                category?: string[];
                assetType?: string[];
                framework?: string[];
                delta?: ("new" | "unchanged" | "reopened" | "resolved")[];
                since?: string;
                asset?: string;
                fingerprint?: string;
            };
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
                "X-Break-Glass-Reason"?: components["parameters"]["BreakGlassReason"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FindingGroupPage"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    findingsExport: {
        parameters: {
            query?: {
                format?: "sarif" | "ocsf" | "csv" | "ndjson";
                project?: string[];
                severity?: components["schemas"]["Severity"][];
                status?: ("open" | "resolved")[];
                rule?: string[];
                scan?: string;
                muted?: boolean;
                q?: string;
                category?: string[];
                assetType?: string[];
                framework?: string[];
                delta?: ("new" | "unchanged" | "reopened" | "resolved")[];
                since?: string;
                asset?: string;
                fingerprint?: string;
            };
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
                "X-Break-Glass-Reason"?: components["parameters"]["BreakGlassReason"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                    "application/sarif+json": components["schemas"]["SarifLog"];
                    "text/csv": string;
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimitedWithTenant"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    findingsGet: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
                "X-Break-Glass-Reason"?: components["parameters"]["BreakGlassReason"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FindingWithFix"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    mutesList: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                active?: boolean;
                finding?: string;
            };
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
                "X-Break-Glass-Reason"?: components["parameters"]["BreakGlassReason"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MutePage"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    mutesCreate: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MutesCreateBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Mute"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ConflictKeyInUse"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["KeyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    mutesBulkCreate: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MutesBulkCreateBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkMute"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ConflictKeyInUse"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["KeyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    mutesDelete: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    postureSummary: {
        parameters: {
            query?: {
                limit?: number;
            };
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
                "X-Break-Glass-Reason"?: components["parameters"]["BreakGlassReason"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PostureSummary"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    postureTrend: {
        parameters: {
            query?: {
                project?: string;
                from?: string;
                to?: string;
                interval?: "day" | "week";
            };
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
                "X-Break-Glass-Reason"?: components["parameters"]["BreakGlassReason"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PostureTrend"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    viewsList: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
                "X-Break-Glass-Reason"?: components["parameters"]["BreakGlassReason"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ViewPage"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    viewsCreate: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ViewsCreateBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["View"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenCredential"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ConflictKeyInUse"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["KeyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    viewsUpdate: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
                "X-Break-Glass-Reason"?: components["parameters"]["BreakGlassReason"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ViewsUpdateBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["View"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    viewsDelete: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
                "X-Break-Glass-Reason"?: components["parameters"]["BreakGlassReason"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    notificationsGet: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Notifications"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenCredential"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    notificationsUpdate: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    digest: "off" | "immediate" | "daily" | "weekly";
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Notifications"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenCredential"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    rulesList: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                severity?: components["schemas"]["Severity"][];
                category?: string[];
            };
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RulePage"];
                };
            };
            304: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    rulesGet: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Rule"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    customRulesList: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomRulePage"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenFeature"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    customRulesCreate: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CustomRuleDefinition"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomRule"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenFeature"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ConflictKeyInUse"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["KeyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    customRulesUpdate: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CustomRuleReplacement"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomRule"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenFeature"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    customRulesDelete: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    customRulesTest: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    rule: components["schemas"]["CustomRuleDefinition"];
                    project?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RuleTrial"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenFeature"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    customRulesFields: {
        parameters: {
            query: {
                project: string;
                assetType: string[];
            };
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AssetFields"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenFeature"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    profilesList: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProfilePage"];
                };
            };
            304: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    profilesCreate: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProfilesCreateBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Profile"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ConflictKeyInUse"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["KeyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    profilesUpdate: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProfilesUpdateBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Profile"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    profilesDelete: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Deprecation: components["headers"]["Deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestTenantProblem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Other"];
        };
    };
    metaLive: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestProblem"];
                };
            };
            500: components["responses"]["InternalPublicUnlimited"];
            default: components["responses"]["Other"];
        };
    };
    metaReady: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestProblem"];
                };
            };
            500: components["responses"]["InternalPublicUnlimited"];
            503: components["responses"]["ServiceUnavailablePublicUnlimited"];
            default: components["responses"]["Other"];
        };
    };
    metaOpenapi: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: components["schemas"]["JsonValue"];
                    };
                };
            };
            304: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestProblem"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalPublic"];
            default: components["responses"]["Other"];
        };
    };
    metaDocs: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            304: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestProblem"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalPublic"];
            default: components["responses"]["Other"];
        };
    };
    metaProblem: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
            };
            path: {
                code: "validation-failed" | "invalid-token" | "tenant-required" | "break-glass-reason-required" | "unauthorized" | "invalid-credentials" | "totp-required" | "invalid-code" | "registration-closed" | "sign-in-cancelled" | "forbidden" | "credential-not-allowed" | "cross-site-request" | "reauth-required" | "confirmation-required" | "mfa-required" | "feature-not-licensed" | "not-found" | "method-not-allowed" | "request-timeout" | "conflict" | "scan-not-completed" | "idempotency-key-in-use" | "payload-too-large" | "unsupported-media-type" | "idempotency-key-mismatch" | "preflight-blocked" | "scans-not-comparable" | "domain-not-verified" | "source-refused" | "rate-limited" | "internal" | "auth-unavailable" | "service-unavailable";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProblemPage"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestProblem"];
                };
            };
            404: components["responses"]["NotFoundPublic"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalPublic"];
            default: components["responses"]["Other"];
        };
    };
    onScanCompleted: {
        parameters: {
            query?: never;
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ScanCompletedEvent"];
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onScanFailed: {
        parameters: {
            query?: never;
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ScanFailedEvent"];
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onFindingsOpened: {
        parameters: {
            query?: never;
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FindingsOpenedEvent"];
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onFindingsResolved: {
        parameters: {
            query?: never;
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FindingsResolvedEvent"];
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onScheduleDisabled: {
        parameters: {
            query?: never;
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ScheduleDisabledEvent"];
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onSourceFailed: {
        parameters: {
            query?: never;
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SourceFailedEvent"];
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onApiKeyCreated: {
        parameters: {
            query?: never;
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApiKeyCreatedEvent"];
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onBreakGlassUsed: {
        parameters: {
            query?: never;
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BreakGlassUsedEvent"];
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onSignInLocked: {
        parameters: {
            query?: never;
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignInLockedEvent"];
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWebhookTest: {
        parameters: {
            query?: never;
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookTestEvent"];
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
