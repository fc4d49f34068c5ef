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
export type webhooks = Record<string, never>;
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
        ApiKeyPage: {
            items: components["schemas"]["ApiKey"][];
            nextCursor: string | null;
        };
        AssetRecord: {
            name: string;
        } & {
            [key: string]: unknown;
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
            /** @enum {string|null} */
            resolvedReason: "fixed" | "asset_gone" | "rule_retired" | null;
            muted: {
                reason: string;
                /** Format: date-time */
                expiresAt: string;
            } | null;
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
        };
        Health: {
            /** @enum {string} */
            status: "ok" | "unavailable";
            checks: {
                [key: string]: "ok" | "failing";
            };
            missing?: string[];
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
        Inventory: {
            /** Format: uuid */
            id: string;
            assets: number;
            assetTypes: {
                type: string;
                count: number;
            }[];
            bytes: number;
            warnings: {
                line: number;
                message: string;
            }[];
            /** Format: date-time */
            createdAt: string;
        };
        InventoryPage: {
            items: components["schemas"]["Inventory"][];
            nextCursor: string | null;
        };
        JsonValue: unknown;
        Mute: {
            /** Format: uuid */
            id: string;
            fingerprint: string | null;
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
            code: "VALIDATION_FAILED" | "INVALID_TOKEN" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "INVALID_CREDENTIALS" | "TOTP_REQUIRED" | "INVALID_CODE" | "REGISTRATION_CLOSED" | "FORBIDDEN" | "CREDENTIAL_NOT_ALLOWED" | "REAUTH_REQUIRED" | "MFA_REQUIRED" | "FEATURE_NOT_LICENSED" | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "CONFLICT" | "IDEMPOTENCY_KEY_IN_USE" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "IDEMPOTENCY_KEY_MISMATCH" | "PREFLIGHT_BLOCKED" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
            correlationId: string;
            errors?: {
                path: string;
                message: string;
            }[];
            permission?: string;
            accepts?: string[];
            feature?: string;
            limit?: string;
            checks?: {
                project: string | null;
                id: string;
                code: string;
                message: string;
                remediation: string;
            }[];
        };
        ProblemPage: {
            /** @enum {string} */
            code: "VALIDATION_FAILED" | "INVALID_TOKEN" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "INVALID_CREDENTIALS" | "TOTP_REQUIRED" | "INVALID_CODE" | "REGISTRATION_CLOSED" | "FORBIDDEN" | "CREDENTIAL_NOT_ALLOWED" | "REAUTH_REQUIRED" | "MFA_REQUIRED" | "FEATURE_NOT_LICENSED" | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "CONFLICT" | "IDEMPOTENCY_KEY_IN_USE" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "IDEMPOTENCY_KEY_MISMATCH" | "PREFLIGHT_BLOCKED" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
            type: string;
            status: number;
            title: string;
            help: string;
        };
        Profile: {
            name: string;
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
            /** Format: date-time */
            createdAt: string;
        };
        ProjectPage: {
            items: components["schemas"]["Project"][];
            nextCursor: string | null;
        };
        RecoveryCodes: {
            recoveryCodes: string[];
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
                /** @enum {string|null} */
                expected: "pass" | "fail" | "unknown" | null;
                message: string;
            }[];
            errors: {
                path: string;
                message: string;
            }[];
            evaluated: number;
            complete: boolean;
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
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            startedAt: string | null;
            /** Format: date-time */
            finishedAt: string | null;
        };
        ScanPage: {
            items: components["schemas"]["Scan"][];
            nextCursor: string | null;
        };
        ScanRequest: {
            projects: string[];
            profile: string;
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
        Tenant: {
            /** Format: uuid */
            id: string;
            name: string;
            features: ("sso" | "custom_rules" | "audit_export")[];
            settings: components["schemas"]["TenantSettings"];
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
    };
    responses: {
        AuthUnavailableOrServiceUnavailable: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        Conflict: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        ConflictOrIdempotencyKeyInUse: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        Forbidden: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        ForbiddenAdminAudit: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        ForbiddenAdminAuditOrFeatureNotLicensedAuditExport: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        ForbiddenAdminSettingsOrFeatureNotLicensedSso: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        ForbiddenAdminSettingsOrMfaRequired: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        ForbiddenAdminSettingsOrMfaRequiredOrFeatureNotLicensedSso: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        ForbiddenAdminUsers: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        ForbiddenAdminUsersOrMfaRequired: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        ForbiddenFindingsMute: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        ForbiddenFindingsRead: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        ForbiddenKeysOwn: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        ForbiddenKeysOwnOrCredentialNotAllowedJwt: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        ForbiddenOrCredentialNotAllowedJwt: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        ForbiddenOrCredentialNotAllowedJwtOrReauthRequired: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        ForbiddenPreflightRun: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        ForbiddenProjectsRead: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        ForbiddenProjectsWrite: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        ForbiddenRulesRead: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        ForbiddenRulesReadOrFeatureNotLicensedCustomRules: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        ForbiddenRulesWrite: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        ForbiddenRulesWriteOrFeatureNotLicensedCustomRules: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        ForbiddenScansCancel: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        ForbiddenScansLaunch: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        ForbiddenScansRead: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        IdempotencyKeyInUse: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        IdempotencyKeyMismatch: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        IdempotencyKeyMismatchOrPreflightBlocked: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        Internal: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
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
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        InternalPublicUnlimited: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
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
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        InvalidCredentialsOrTotpRequired: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        NotFound: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
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
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        Other: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        PayloadTooLargeFormPublic: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        PayloadTooLargeInventory: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        PayloadTooLargeJson: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        PayloadTooLargeJsonPublic: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        RateLimited2fa: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        RateLimitedDefault: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        RateLimitedForgotPassword: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        RateLimitedGoogle: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        RateLimitedLogin: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        RateLimitedPreflight: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        RateLimitedRefresh: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        RateLimitedRegister: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        RateLimitedResendVerification: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        RateLimitedResetPassword: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        RateLimitedSamlAcs: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        RateLimitedScans: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        RateLimitedVerifyEmail: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
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
                "application/problem+json": components["schemas"]["Problem"];
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
                "application/problem+json": components["schemas"]["Problem"];
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
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        UnauthorizedOrInvalidCode: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        UnauthorizedOrInvalidCredentials: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        UnsupportedMediaTypeFormPublic: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        UnsupportedMediaTypeInventory: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        UnsupportedMediaTypeJson: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        UnsupportedMediaTypeJsonPublic: {
            headers: {
                "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: {
        BreakGlassReason: string;
        ContentEncoding: "gzip";
        CorrelationId: string;
        IdempotencyKey: string;
        TenantId: string;
    };
    requestBodies: never;
    headers: {
        "Idempotency-Replayed": "true";
        Location: string;
        RateLimit: string;
        "RateLimit-Policy": string;
        "Retry-After": number;
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
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: email */
                    email: string;
                    password: string;
                    totp?: string;
                    recoveryCode?: string;
                    /** Format: uuid */
                    tenantId?: string;
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
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["InvalidCredentialsOrTotpRequired"];
            413: components["responses"]["PayloadTooLargeJsonPublic"];
            415: components["responses"]["UnsupportedMediaTypeJsonPublic"];
            429: components["responses"]["RateLimitedLogin"];
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
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    refreshToken: string;
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
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["PayloadTooLargeJsonPublic"];
            415: components["responses"]["UnsupportedMediaTypeJsonPublic"];
            429: components["responses"]["RateLimitedRefresh"];
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
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    refreshToken: string;
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
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLargeJsonPublic"];
            415: components["responses"]["UnsupportedMediaTypeJsonPublic"];
            429: components["responses"]["RateLimitedDefault"];
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
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrCredentialNotAllowedJwt"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimitedDefault"];
            500: components["responses"]["Internal"];
            503: components["responses"]["AuthUnavailableOrServiceUnavailable"];
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
                "application/json": {
                    /** Format: email */
                    email: string;
                    password: string;
                    name?: string;
                    tenantName: string;
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
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            403: components["responses"]["RegistrationClosedPublic"];
            413: components["responses"]["PayloadTooLargeJsonPublic"];
            415: components["responses"]["UnsupportedMediaTypeJsonPublic"];
            429: components["responses"]["RateLimitedRegister"];
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
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLargeJsonPublic"];
            415: components["responses"]["UnsupportedMediaTypeJsonPublic"];
            429: components["responses"]["RateLimitedVerifyEmail"];
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
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLargeJsonPublic"];
            415: components["responses"]["UnsupportedMediaTypeJsonPublic"];
            429: components["responses"]["RateLimitedResendVerification"];
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
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLargeJsonPublic"];
            415: components["responses"]["UnsupportedMediaTypeJsonPublic"];
            429: components["responses"]["RateLimitedForgotPassword"];
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
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLargeJsonPublic"];
            415: components["responses"]["UnsupportedMediaTypeJsonPublic"];
            429: components["responses"]["RateLimitedResetPassword"];
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
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLargeJsonPublic"];
            415: components["responses"]["UnsupportedMediaTypeJsonPublic"];
            429: components["responses"]["RateLimitedDefault"];
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
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["UnauthorizedOrInvalidCredentials"];
            403: components["responses"]["ForbiddenOrCredentialNotAllowedJwt"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLargeJson"];
            415: components["responses"]["UnsupportedMediaTypeJson"];
            429: components["responses"]["RateLimitedDefault"];
            500: components["responses"]["Internal"];
            503: components["responses"]["AuthUnavailableOrServiceUnavailable"];
            default: components["responses"]["Other"];
        };
    };
    authGoogle: {
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
                    credential: string;
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
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["InvalidCredentials"];
            403: components["responses"]["RegistrationClosedPublic"];
            413: components["responses"]["PayloadTooLargeJsonPublic"];
            415: components["responses"]["UnsupportedMediaTypeJsonPublic"];
            429: components["responses"]["RateLimitedGoogle"];
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
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLargeJsonPublic"];
            415: components["responses"]["UnsupportedMediaTypeJsonPublic"];
            429: components["responses"]["RateLimitedDefault"];
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
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimitedDefault"];
            500: components["responses"]["Internal"];
            503: components["responses"]["AuthUnavailableOrServiceUnavailable"];
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
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrCredentialNotAllowedJwtOrReauthRequired"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLargeJson"];
            415: components["responses"]["UnsupportedMediaTypeJson"];
            429: components["responses"]["RateLimited2fa"];
            500: components["responses"]["Internal"];
            503: components["responses"]["AuthUnavailableOrServiceUnavailable"];
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
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["UnauthorizedOrInvalidCode"];
            403: components["responses"]["ForbiddenOrCredentialNotAllowedJwt"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLargeJson"];
            415: components["responses"]["UnsupportedMediaTypeJson"];
            429: components["responses"]["RateLimited2fa"];
            500: components["responses"]["Internal"];
            503: components["responses"]["AuthUnavailableOrServiceUnavailable"];
            default: components["responses"]["Other"];
        };
    };
    twoFactorVerify: {
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
                    "application/json": components["schemas"]["Tokens"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["UnauthorizedOrInvalidCode"];
            403: components["responses"]["ForbiddenOrCredentialNotAllowedJwt"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLargeJson"];
            415: components["responses"]["UnsupportedMediaTypeJson"];
            429: components["responses"]["RateLimited2fa"];
            500: components["responses"]["Internal"];
            503: components["responses"]["AuthUnavailableOrServiceUnavailable"];
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
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["UnauthorizedOrInvalidCode"];
            403: components["responses"]["ForbiddenOrCredentialNotAllowedJwtOrReauthRequired"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLargeJson"];
            415: components["responses"]["UnsupportedMediaTypeJson"];
            429: components["responses"]["RateLimited2fa"];
            500: components["responses"]["Internal"];
            503: components["responses"]["AuthUnavailableOrServiceUnavailable"];
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
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["UnauthorizedOrInvalidCode"];
            403: components["responses"]["ForbiddenOrCredentialNotAllowedJwtOrReauthRequired"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLargeJson"];
            415: components["responses"]["UnsupportedMediaTypeJson"];
            429: components["responses"]["RateLimited2fa"];
            500: components["responses"]["Internal"];
            503: components["responses"]["AuthUnavailableOrServiceUnavailable"];
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
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrCredentialNotAllowedJwt"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimitedDefault"];
            500: components["responses"]["Internal"];
            503: components["responses"]["AuthUnavailableOrServiceUnavailable"];
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
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrCredentialNotAllowedJwt"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimitedDefault"];
            500: components["responses"]["Internal"];
            503: components["responses"]["AuthUnavailableOrServiceUnavailable"];
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
                    "application/json": components["schemas"]["ApiKeyPage"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenKeysOwn"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimitedDefault"];
            500: components["responses"]["Internal"];
            503: components["responses"]["AuthUnavailableOrServiceUnavailable"];
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
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenKeysOwnOrCredentialNotAllowedJwt"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["IdempotencyKeyInUse"];
            413: components["responses"]["PayloadTooLargeJson"];
            415: components["responses"]["UnsupportedMediaTypeJson"];
            422: components["responses"]["IdempotencyKeyMismatch"];
            429: components["responses"]["RateLimitedDefault"];
            500: components["responses"]["Internal"];
            503: components["responses"]["AuthUnavailableOrServiceUnavailable"];
            default: components["responses"]["Other"];
        };
    };
    apiKeysRevoke: {
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
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenKeysOwn"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimitedDefault"];
            500: components["responses"]["Internal"];
            503: components["responses"]["AuthUnavailableOrServiceUnavailable"];
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
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenAdminUsers"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimitedDefault"];
            500: components["responses"]["Internal"];
            503: components["responses"]["AuthUnavailableOrServiceUnavailable"];
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
                "application/json": {
                    /** Format: email */
                    email: string;
                    name?: string;
                    role: string;
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
                    "application/json": components["schemas"]["User"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenAdminUsersOrMfaRequired"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictOrIdempotencyKeyInUse"];
            413: components["responses"]["PayloadTooLargeJson"];
            415: components["responses"]["UnsupportedMediaTypeJson"];
            422: components["responses"]["IdempotencyKeyMismatch"];
            429: components["responses"]["RateLimitedDefault"];
            500: components["responses"]["Internal"];
            503: components["responses"]["AuthUnavailableOrServiceUnavailable"];
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
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenAdminUsers"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimitedDefault"];
            500: components["responses"]["Internal"];
            503: components["responses"]["AuthUnavailableOrServiceUnavailable"];
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
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenAdminUsersOrMfaRequired"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimitedDefault"];
            500: components["responses"]["Internal"];
            503: components["responses"]["AuthUnavailableOrServiceUnavailable"];
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
                "application/json": {
                    name?: string;
                    role?: string;
                    /** @enum {string} */
                    status?: "active" | "disabled";
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
                    "application/json": components["schemas"]["User"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenAdminUsersOrMfaRequired"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLargeJson"];
            415: components["responses"]["UnsupportedMediaTypeJson"];
            429: components["responses"]["RateLimitedDefault"];
            500: components["responses"]["Internal"];
            503: components["responses"]["AuthUnavailableOrServiceUnavailable"];
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
                    "application/json": components["schemas"]["RolePage"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenAdminUsers"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimitedDefault"];
            500: components["responses"]["Internal"];
            503: components["responses"]["AuthUnavailableOrServiceUnavailable"];
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
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenAdminUsersOrMfaRequired"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictOrIdempotencyKeyInUse"];
            413: components["responses"]["PayloadTooLargeJson"];
            415: components["responses"]["UnsupportedMediaTypeJson"];
            422: components["responses"]["IdempotencyKeyMismatch"];
            429: components["responses"]["RateLimitedDefault"];
            500: components["responses"]["Internal"];
            503: components["responses"]["AuthUnavailableOrServiceUnavailable"];
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
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenAdminUsersOrMfaRequired"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLargeJson"];
            415: components["responses"]["UnsupportedMediaTypeJson"];
            429: components["responses"]["RateLimitedDefault"];
            500: components["responses"]["Internal"];
            503: components["responses"]["AuthUnavailableOrServiceUnavailable"];
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
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenAdminUsersOrMfaRequired"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimitedDefault"];
            500: components["responses"]["Internal"];
            503: components["responses"]["AuthUnavailableOrServiceUnavailable"];
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
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimitedDefault"];
            500: components["responses"]["Internal"];
            503: components["responses"]["AuthUnavailableOrServiceUnavailable"];
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
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenAdminSettingsOrMfaRequired"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLargeJson"];
            415: components["responses"]["UnsupportedMediaTypeJson"];
            429: components["responses"]["RateLimitedDefault"];
            500: components["responses"]["Internal"];
            503: components["responses"]["AuthUnavailableOrServiceUnavailable"];
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
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenAdminSettingsOrFeatureNotLicensedSso"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimitedDefault"];
            500: components["responses"]["Internal"];
            503: components["responses"]["AuthUnavailableOrServiceUnavailable"];
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
                "application/json": {
                    metadataXml?: string;
                    entityId?: string;
                    ssoUrl?: string;
                    certificates?: string[];
                    emailDomains: string[];
                    defaultRole: string;
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
                    "application/json": components["schemas"]["SamlSettings"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenAdminSettingsOrMfaRequiredOrFeatureNotLicensedSso"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLargeJson"];
            415: components["responses"]["UnsupportedMediaTypeJson"];
            429: components["responses"]["RateLimitedDefault"];
            500: components["responses"]["Internal"];
            503: components["responses"]["AuthUnavailableOrServiceUnavailable"];
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
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenAdminSettingsOrMfaRequiredOrFeatureNotLicensedSso"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimitedDefault"];
            500: components["responses"]["Internal"];
            503: components["responses"]["AuthUnavailableOrServiceUnavailable"];
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
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: components["responses"]["NotFoundPublic"];
            429: components["responses"]["RateLimitedDefault"];
            500: components["responses"]["InternalPublic"];
            503: components["responses"]["ServiceUnavailablePublic"];
            default: components["responses"]["Other"];
        };
    };
    samlLogin: {
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
            302: {
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
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: components["responses"]["NotFoundPublic"];
            429: components["responses"]["RateLimitedDefault"];
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
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["InvalidCredentials"];
            413: components["responses"]["PayloadTooLargeFormPublic"];
            415: components["responses"]["UnsupportedMediaTypeFormPublic"];
            429: components["responses"]["RateLimitedSamlAcs"];
            500: components["responses"]["InternalPublic"];
            503: components["responses"]["ServiceUnavailablePublic"];
            default: components["responses"]["Other"];
        };
    };
    auditEventsList: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                actor?: string[];
                action?: ("auth.login" | "auth.refresh" | "auth.logout" | "auth.logout_all" | "session.revoked" | "two_factor.setup" | "two_factor.enabled" | "two_factor.verified" | "two_factor.disabled" | "two_factor.recovery_codes_replaced" | "auth.register" | "auth.verify_email" | "auth.resend_verification" | "auth.forgot_password" | "auth.reset_password" | "auth.accept_invite" | "auth.change_password" | "auth.google" | "auth.saml" | "auth.exchange" | "saml.settings_changed" | "saml.settings_deleted" | "api_key.created" | "api_key.revoked" | "user.invited" | "user.updated" | "user.removed" | "role.created" | "role.updated" | "role.deleted" | "tenant.updated" | "tenant.created" | "tenant.features_set" | "user.created" | "user.two_factor_reset" | "project.created" | "project.updated" | "project.deleted" | "inventory.uploaded" | "scan.launched" | "scan.cancelled" | "mute.created" | "mute.deleted" | "profile.created" | "profile.updated" | "profile.deleted" | "custom_rule.created" | "custom_rule.updated" | "custom_rule.deleted" | "global_key.used" | "break_glass.used")[];
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
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenAdminAudit"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimitedDefault"];
            500: components["responses"]["Internal"];
            503: components["responses"]["AuthUnavailableOrServiceUnavailable"];
            default: components["responses"]["Other"];
        };
    };
    auditEventsExport: {
        parameters: {
            query?: {
                actor?: string[];
                action?: ("auth.login" | "auth.refresh" | "auth.logout" | "auth.logout_all" | "session.revoked" | "two_factor.setup" | "two_factor.enabled" | "two_factor.verified" | "two_factor.disabled" | "two_factor.recovery_codes_replaced" | "auth.register" | "auth.verify_email" | "auth.resend_verification" | "auth.forgot_password" | "auth.reset_password" | "auth.accept_invite" | "auth.change_password" | "auth.google" | "auth.saml" | "auth.exchange" | "saml.settings_changed" | "saml.settings_deleted" | "api_key.created" | "api_key.revoked" | "user.invited" | "user.updated" | "user.removed" | "role.created" | "role.updated" | "role.deleted" | "tenant.updated" | "tenant.created" | "tenant.features_set" | "user.created" | "user.two_factor_reset" | "project.created" | "project.updated" | "project.deleted" | "inventory.uploaded" | "scan.launched" | "scan.cancelled" | "mute.created" | "mute.deleted" | "profile.created" | "profile.updated" | "profile.deleted" | "custom_rule.created" | "custom_rule.updated" | "custom_rule.deleted" | "global_key.used" | "break_glass.used")[];
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
                    "application/x-ndjson": string;
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenAdminAuditOrFeatureNotLicensedAuditExport"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimitedDefault"];
            500: components["responses"]["Internal"];
            503: components["responses"]["AuthUnavailableOrServiceUnavailable"];
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
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenProjectsRead"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimitedDefault"];
            500: components["responses"]["Internal"];
            503: components["responses"]["AuthUnavailableOrServiceUnavailable"];
            default: components["responses"]["Other"];
        };
    };
    projectsCreate: {
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
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenProjectsWrite"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictOrIdempotencyKeyInUse"];
            413: components["responses"]["PayloadTooLargeJson"];
            415: components["responses"]["UnsupportedMediaTypeJson"];
            422: components["responses"]["IdempotencyKeyMismatch"];
            429: components["responses"]["RateLimitedDefault"];
            500: components["responses"]["Internal"];
            503: components["responses"]["AuthUnavailableOrServiceUnavailable"];
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
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenProjectsRead"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimitedDefault"];
            500: components["responses"]["Internal"];
            503: components["responses"]["AuthUnavailableOrServiceUnavailable"];
            default: components["responses"]["Other"];
        };
    };
    projectsDelete: {
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
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenProjectsWrite"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimitedDefault"];
            500: components["responses"]["Internal"];
            503: components["responses"]["AuthUnavailableOrServiceUnavailable"];
            default: components["responses"]["Other"];
        };
    };
    projectsUpdate: {
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
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenProjectsWrite"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLargeJson"];
            415: components["responses"]["UnsupportedMediaTypeJson"];
            429: components["responses"]["RateLimitedDefault"];
            500: components["responses"]["Internal"];
            503: components["responses"]["AuthUnavailableOrServiceUnavailable"];
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
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenProjectsRead"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimitedDefault"];
            500: components["responses"]["Internal"];
            503: components["responses"]["AuthUnavailableOrServiceUnavailable"];
            default: components["responses"]["Other"];
        };
    };
    projectsUploadInventory: {
        parameters: {
            query?: never;
            header?: {
                "X-Correlation-ID"?: components["parameters"]["CorrelationId"];
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
                "X-Break-Glass-Reason"?: components["parameters"]["BreakGlassReason"];
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
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenProjectsWrite"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLargeInventory"];
            415: components["responses"]["UnsupportedMediaTypeInventory"];
            429: components["responses"]["RateLimitedDefault"];
            500: components["responses"]["Internal"];
            503: components["responses"]["AuthUnavailableOrServiceUnavailable"];
            default: components["responses"]["Other"];
        };
    };
    preflightRun: {
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
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenPreflightRun"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLargeJson"];
            415: components["responses"]["UnsupportedMediaTypeJson"];
            429: components["responses"]["RateLimitedPreflight"];
            500: components["responses"]["Internal"];
            503: components["responses"]["AuthUnavailableOrServiceUnavailable"];
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
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenScansRead"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimitedDefault"];
            500: components["responses"]["Internal"];
            503: components["responses"]["AuthUnavailableOrServiceUnavailable"];
            default: components["responses"]["Other"];
        };
    };
    scansLaunch: {
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
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenScansLaunch"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["IdempotencyKeyInUse"];
            413: components["responses"]["PayloadTooLargeJson"];
            415: components["responses"]["UnsupportedMediaTypeJson"];
            422: components["responses"]["IdempotencyKeyMismatchOrPreflightBlocked"];
            429: components["responses"]["RateLimitedScans"];
            500: components["responses"]["Internal"];
            503: components["responses"]["AuthUnavailableOrServiceUnavailable"];
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
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenScansRead"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimitedDefault"];
            500: components["responses"]["Internal"];
            503: components["responses"]["AuthUnavailableOrServiceUnavailable"];
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
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenScansRead"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimitedDefault"];
            500: components["responses"]["Internal"];
            503: components["responses"]["AuthUnavailableOrServiceUnavailable"];
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
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenScansRead"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimitedDefault"];
            500: components["responses"]["Internal"];
            503: components["responses"]["AuthUnavailableOrServiceUnavailable"];
            default: components["responses"]["Other"];
        };
    };
    scansCancel: {
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
            202: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
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
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenScansCancel"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimitedDefault"];
            500: components["responses"]["Internal"];
            503: components["responses"]["AuthUnavailableOrServiceUnavailable"];
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
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenScansRead"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimitedDefault"];
            500: components["responses"]["Internal"];
            503: components["responses"]["AuthUnavailableOrServiceUnavailable"];
            default: components["responses"]["Other"];
        };
    };
    findingsList: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                project?: string[];
                severity?: components["schemas"]["Severity"][];
                status?: ("open" | "resolved")[];
                rule?: string[];
                scan?: string;
                muted?: boolean;
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
                    "application/json": components["schemas"]["FindingPage"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenFindingsRead"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimitedDefault"];
            500: components["responses"]["Internal"];
            503: components["responses"]["AuthUnavailableOrServiceUnavailable"];
            default: components["responses"]["Other"];
        };
    };
    findingsSummary: {
        parameters: {
            query?: {
                project?: string[];
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
                    "application/json": components["schemas"]["FindingSummary"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenFindingsRead"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimitedDefault"];
            500: components["responses"]["Internal"];
            503: components["responses"]["AuthUnavailableOrServiceUnavailable"];
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
                    "application/x-ndjson": string;
                    "application/sarif+json": string;
                    "text/csv": string;
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenFindingsRead"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimitedDefault"];
            500: components["responses"]["Internal"];
            503: components["responses"]["AuthUnavailableOrServiceUnavailable"];
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Finding"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenFindingsRead"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimitedDefault"];
            500: components["responses"]["Internal"];
            503: components["responses"]["AuthUnavailableOrServiceUnavailable"];
            default: components["responses"]["Other"];
        };
    };
    mutesList: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                active?: boolean;
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
                    "application/json": components["schemas"]["MutePage"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenFindingsRead"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimitedDefault"];
            500: components["responses"]["Internal"];
            503: components["responses"]["AuthUnavailableOrServiceUnavailable"];
            default: components["responses"]["Other"];
        };
    };
    mutesCreate: {
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
                    fingerprint?: string;
                    selector?: components["schemas"]["MuteSelector"];
                    reason: string;
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
                    "application/json": components["schemas"]["Mute"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenFindingsMute"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["IdempotencyKeyInUse"];
            413: components["responses"]["PayloadTooLargeJson"];
            415: components["responses"]["UnsupportedMediaTypeJson"];
            422: components["responses"]["IdempotencyKeyMismatch"];
            429: components["responses"]["RateLimitedDefault"];
            500: components["responses"]["Internal"];
            503: components["responses"]["AuthUnavailableOrServiceUnavailable"];
            default: components["responses"]["Other"];
        };
    };
    mutesDelete: {
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
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenFindingsMute"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimitedDefault"];
            500: components["responses"]["Internal"];
            503: components["responses"]["AuthUnavailableOrServiceUnavailable"];
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
                    "application/json": components["schemas"]["RulePage"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenRulesRead"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimitedDefault"];
            500: components["responses"]["Internal"];
            503: components["responses"]["AuthUnavailableOrServiceUnavailable"];
            default: components["responses"]["Other"];
        };
    };
    rulesGet: {
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
                    "application/json": components["schemas"]["Rule"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenRulesRead"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimitedDefault"];
            500: components["responses"]["Internal"];
            503: components["responses"]["AuthUnavailableOrServiceUnavailable"];
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
                    "application/json": components["schemas"]["CustomRulePage"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenRulesReadOrFeatureNotLicensedCustomRules"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimitedDefault"];
            500: components["responses"]["Internal"];
            503: components["responses"]["AuthUnavailableOrServiceUnavailable"];
            default: components["responses"]["Other"];
        };
    };
    customRulesCreate: {
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
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenRulesWriteOrFeatureNotLicensedCustomRules"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictOrIdempotencyKeyInUse"];
            413: components["responses"]["PayloadTooLargeJson"];
            415: components["responses"]["UnsupportedMediaTypeJson"];
            422: components["responses"]["IdempotencyKeyMismatch"];
            429: components["responses"]["RateLimitedDefault"];
            500: components["responses"]["Internal"];
            503: components["responses"]["AuthUnavailableOrServiceUnavailable"];
            default: components["responses"]["Other"];
        };
    };
    customRulesUpdate: {
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
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenRulesWriteOrFeatureNotLicensedCustomRules"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLargeJson"];
            415: components["responses"]["UnsupportedMediaTypeJson"];
            429: components["responses"]["RateLimitedDefault"];
            500: components["responses"]["Internal"];
            503: components["responses"]["AuthUnavailableOrServiceUnavailable"];
            default: components["responses"]["Other"];
        };
    };
    customRulesDelete: {
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
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenRulesWriteOrFeatureNotLicensedCustomRules"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimitedDefault"];
            500: components["responses"]["Internal"];
            503: components["responses"]["AuthUnavailableOrServiceUnavailable"];
            default: components["responses"]["Other"];
        };
    };
    customRulesTest: {
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
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenRulesWriteOrFeatureNotLicensedCustomRules"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLargeJson"];
            415: components["responses"]["UnsupportedMediaTypeJson"];
            429: components["responses"]["RateLimitedPreflight"];
            500: components["responses"]["Internal"];
            503: components["responses"]["AuthUnavailableOrServiceUnavailable"];
            default: components["responses"]["Other"];
        };
    };
    profilesList: {
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
                    "application/json": components["schemas"]["ProfilePage"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenRulesRead"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimitedDefault"];
            500: components["responses"]["Internal"];
            503: components["responses"]["AuthUnavailableOrServiceUnavailable"];
            default: components["responses"]["Other"];
        };
    };
    profilesCreate: {
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
                    "application/json": components["schemas"]["Profile"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenRulesWrite"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictOrIdempotencyKeyInUse"];
            413: components["responses"]["PayloadTooLargeJson"];
            415: components["responses"]["UnsupportedMediaTypeJson"];
            422: components["responses"]["IdempotencyKeyMismatch"];
            429: components["responses"]["RateLimitedDefault"];
            500: components["responses"]["Internal"];
            503: components["responses"]["AuthUnavailableOrServiceUnavailable"];
            default: components["responses"]["Other"];
        };
    };
    profilesUpdate: {
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
                    "application/json": components["schemas"]["Profile"];
                };
            };
            400: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    "X-Tenant-ID": components["headers"]["X-Tenant-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenRulesWrite"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLargeJson"];
            415: components["responses"]["UnsupportedMediaTypeJson"];
            429: components["responses"]["RateLimitedDefault"];
            500: components["responses"]["Internal"];
            503: components["responses"]["AuthUnavailableOrServiceUnavailable"];
            default: components["responses"]["Other"];
        };
    };
    profilesDelete: {
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
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenRulesWrite"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimitedDefault"];
            500: components["responses"]["Internal"];
            503: components["responses"]["AuthUnavailableOrServiceUnavailable"];
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
                    "application/problem+json": components["schemas"]["Problem"];
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
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["InternalPublicUnlimited"];
            503: {
                headers: {
                    "X-Correlation-ID": components["headers"]["X-Correlation-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            default: components["responses"]["Other"];
        };
    };
    metaOpenapi: {
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
                    "application/json": {
                        [key: string]: components["schemas"]["JsonValue"];
                    };
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
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["RateLimitedDefault"];
            500: components["responses"]["InternalPublic"];
            default: components["responses"]["Other"];
        };
    };
    metaDocs: {
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
                    "text/html": string;
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
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["RateLimitedDefault"];
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
                code: "validation-failed" | "invalid-token" | "tenant-required" | "break-glass-reason-required" | "unauthorized" | "invalid-credentials" | "totp-required" | "invalid-code" | "registration-closed" | "forbidden" | "credential-not-allowed" | "reauth-required" | "mfa-required" | "feature-not-licensed" | "not-found" | "method-not-allowed" | "conflict" | "idempotency-key-in-use" | "payload-too-large" | "unsupported-media-type" | "idempotency-key-mismatch" | "preflight-blocked" | "rate-limited" | "internal" | "auth-unavailable" | "service-unavailable";
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
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: components["responses"]["NotFoundPublic"];
            429: components["responses"]["RateLimitedDefault"];
            500: components["responses"]["InternalPublic"];
            default: components["responses"]["Other"];
        };
    };
}
