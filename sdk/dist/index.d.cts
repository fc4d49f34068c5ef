/** An error response (RFC 9457). */
export interface Problem {
	/** Example: `/problems/validation-failed`. */
	type: string;
	title: string;
	status: number;
	detail: string;
	code: "VALIDATION_FAILED" | "INVALID_TOKEN" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "INVALID_CREDENTIALS" | "TOTP_REQUIRED" | "INVALID_CODE" | "REGISTRATION_CLOSED" | "SIGN_IN_CANCELLED" | "FORBIDDEN" | "CREDENTIAL_NOT_ALLOWED" | "CROSS_SITE_REQUEST" | "REAUTH_REQUIRED" | "CONFIRMATION_REQUIRED" | "MFA_REQUIRED" | "FEATURE_NOT_LICENSED" | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "REQUEST_TIMEOUT" | "CONFLICT" | "SCAN_NOT_COMPLETED" | "IDEMPOTENCY_KEY_IN_USE" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "IDEMPOTENCY_KEY_MISMATCH" | "PREFLIGHT_BLOCKED" | "SCANS_NOT_COMPARABLE" | "DOMAIN_NOT_VERIFIED" | "SOURCE_REFUSED" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	/** Also sent in the header `X-Correlation-ID`. Quote it to support. */
	correlationId: string;
	/** VALIDATION_FAILED and SOURCE_REFUSED: the faults, each with its path. */
	errors?: ProblemFault[];
	/** FORBIDDEN: the missing permission. */
	permission?: string;
	/** CREDENTIAL_NOT_ALLOWED: the accepted kinds of credential. */
	accepts?: string[];
	/** FEATURE_NOT_LICENSED: the required feature. */
	feature?: string;
	confirmation?: ProblemConfirmation;
	/** RATE_LIMITED: the name of the limit. */
	limit?: string;
	/** SERVICE_UNAVAILABLE of `/health/ready`: the state of each check. */
	health?: Record<string, "ok" | "failing">;
	/**
	 * SERVICE_UNAVAILABLE of `/health/ready`: migrations that this release requires and that are not applied.
	 * Migrations of later releases are harmless.
	 */
	missing?: string[];
	/** PREFLIGHT_BLOCKED: the failed checks. */
	checks?: ProblemCheck[];
}
/** One fault of a request. */
export interface ProblemFault {
	path: string;
	message: string;
}
/** CONFIRMATION_REQUIRED: the pending sign-in. */
export interface ProblemConfirmation {
	/** Token for `POST /auth/confirm`. It opens no session by itself. */
	token: string;
	/** The methods by which the account can confirm. */
	methods: ("password" | "code" | "mail")[];
	/** RFC 3339, in UTC. */
	expiresAt: string;
}
/** A preflight check that failed. */
export interface ProblemCheck {
	project: string | null;
	id: string;
	status: "fail";
	code: string;
	message: string;
	remediation: string;
}
/** A session: a short-lived access token and a refresh token. */
export interface Tokens {
	/**
	 * Send it as `Authorization: Bearer …`. Example:
	 * `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIwMTk5YzJhNCJ9.c2lnbmF0dXJl`.
	 */
	accessToken: string;
	/**
	 * Valid for one use at `POST /auth/refresh`. Empty if the request had `X-Session-Transport: cookie`: the
	 * token is then only in the cookie. Example: `q7Zk1v0Xc9Yb3Lw5Rt8Nj2Hs6Pd4Mf0Ga1Ue7Io3KxT`.
	 */
	refreshToken: string;
	tokenType: "Bearer";
	/** Lifetime of the access token in seconds. Example: `900`. */
	expiresIn: number;
}
/** The next step. The response is the same for every caller. */
export interface Accepted {
	/** Example: `Follow the link in the mail.`. */
	message: string;
}
/** The ways to sign in to this server. */
export interface SignInMethods {
	password: true;
	/** Whether anyone can register an account. */
	registration: boolean;
	/** Whether `GET /auth/google/login` is configured. */
	google: boolean;
	/** Whether a tenant has a SAML identity provider. */
	saml: boolean;
}
/** The user, tenant and permissions of the credential. */
export interface Identity {
	user: {
		id: string;
		/** Example: `ada@example.com`. */
		email: string;
		/** Example: `Ada Lovelace`. */
		name: string | null;
		emailVerified: boolean;
		twoFactorEnabled: boolean;
	} | null;
	tenant: {
		id: string;
		/** Example: `Example Ltd`. */
		name: string;
		features: ("sso" | "custom_rules" | "audit_export")[];
	};
	/** Example: `admin`. */
	role: string;
	permissions: ("scans.read" | "scans.launch" | "scans.cancel" | "preflight.run" | "projects.read" | "projects.write" | "findings.read" | "findings.mute" | "rules.read" | "rules.write" | "keys.own" | "admin.users" | "admin.settings" | "admin.audit")[];
	credential: {
		kind: "jwt" | "api_key" | "global_api_key" | "master_key";
		/** Whether the session has passed a second factor. */
		mfa: boolean;
		/** RFC 3339, in UTC. */
		expiresAt: string | null;
	};
	memberships: {
		tenantId: string;
		/** Example: `Example Ltd`. */
		tenantName: string;
		/** Example: `admin`. */
		role: string;
	}[];
}
/** A secret that is not confirmed yet. */
export interface TwoFactorSetup {
	/** Base32, for manual entry. Example: `JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP`. */
	secret: string;
	/**
	 * The secret as a URI, for a QR code. Example:
	 * `otpauth://totp/CSPM:ada%40example.com?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=CSPM`.
	 */
	otpauthUri: string;
}
/** Recovery codes, for use if the authenticator is lost. */
export interface RecoveryCodes {
	/** Each replaces one TOTP code and is valid once. Shown only once; the server stores only their hashes. */
	recoveryCodes: string[];
}
/** An active sign-in. */
export interface Session {
	id: string;
	/** The tenant of the session. */
	tenantId: string;
	/** Whether this request was made with the session. */
	current: boolean;
	/** Whether the session has passed a second factor. */
	mfa: boolean;
	/** When the session started. RFC 3339, in UTC. */
	createdAt: string;
	/** When the session was last renewed. RFC 3339, in UTC. */
	lastUsedAt: string;
	/** When the session ends unless it is renewed. RFC 3339, in UTC. */
	expiresAt: string;
}
/** An API key for automation. It has the current permissions of its owner. */
export interface ApiKey {
	id: string;
	/** Example: `nightly pipeline`. */
	name: string;
	/** The first characters of the key, enough to recognize it. Example: `cspm_8Fq2LmZx71Ba`. */
	prefix: string;
	userId: string;
	/** RFC 3339, in UTC. */
	createdAt: string;
	/** RFC 3339, in UTC. */
	expiresAt: string | null;
	/** Accurate to the minute. RFC 3339, in UTC. */
	lastUsedAt: string | null;
}
/** A newly created key with its secret. */
export interface NewApiKey {
	id: string;
	/** Example: `nightly pipeline`. */
	name: string;
	/** The first characters of the key, enough to recognize it. Example: `cspm_8Fq2LmZx71Ba`. */
	prefix: string;
	/** RFC 3339, in UTC. */
	createdAt: string;
	/** RFC 3339, in UTC. */
	expiresAt: string | null;
	/**
	 * The secret key. Shown only once; the server stores only its hash. Example:
	 * `cspm_8Fq2LmZx71Ba_4Nd9Yt0Kc7Wp2Xs5Vr8Gh1Jq6Zm3Lb0Te9Ua4Ei7Of2Dy5`.
	 */
	key: string;
}
/** A member of your tenant. */
export interface User {
	id: string;
	/** Example: `ada@example.com`. */
	email: string;
	/** The display name of the person in your tenant. Example: `Ada Lovelace`. */
	name: string | null;
	/** Example: `analyst`. */
	role: string;
	/** `invited` until the person accepts. Only `active` members can sign in to the tenant. */
	status: "invited" | "active" | "disabled";
	/** False while the person is invited. */
	twoFactorEnabled: boolean;
	/** The last sign-in to your tenant. RFC 3339, in UTC. */
	lastLoginAt: string | null;
	/** When the person was invited to your tenant. RFC 3339, in UTC. */
	createdAt: string;
}
/** A set of permissions that can be assigned to members. */
export interface Role {
	/** Example: `release-manager`. */
	name: string;
	/** Example: `["scans.read","scans.launch"]`. */
	permissions: ("scans.read" | "scans.launch" | "scans.cancel" | "preflight.run" | "projects.read" | "projects.write" | "findings.read" | "findings.mute" | "rules.read" | "rules.write" | "keys.own" | "admin.users" | "admin.settings" | "admin.audit")[];
	/** Built-in roles are the same in every tenant and cannot be changed. Example: `false`. */
	builtIn: boolean;
}
/** Your tenant. */
export interface Tenant {
	id: string;
	/** Example: `Example Ltd`. */
	name: string;
	features: ("sso" | "custom_rules" | "audit_export")[];
	settings: TenantSettings;
	/**
	 * The service impersonates service accounts of Google Cloud for you only if their names begin with this.
	 * Example: `cspm-5f2c19a0d3e84b67`.
	 */
	googlePrincipalPrefix: string;
}
/** Settings of the tenant, controlled by its administrators. */
export interface TenantSettings {
	/** Preflight warns if an inventory is older than this number of hours. Default 24. Example: `24`. */
	inventoryMaxAgeHours: number;
	/** Number of days that a finding is muted if no end is given. Default 90. Example: `90`. */
	muteDefaultDays: number;
	/** Domains that rules treat as your own. Default none. Example: `["example.com"]`. */
	allowedDomains: string[];
}
/** The SAML identity provider of your tenant. */
export interface SamlSettings {
	/** Changes with every update of the settings. */
	id: string;
	/** Example: `https://idp.example.com/saml`. */
	entityId: string;
	/**
	 * The endpoint of the provider for requests with the HTTP-Redirect binding: an https URL. Example:
	 * `https://idp.example.com/saml/sso`.
	 */
	ssoUrl: string;
	/**
	 * The signing certificates of the provider: X.509 as PEM (RFC 7468). Example: `["-----BEGIN
	 * CERTIFICATE-----\nMIIDFzCCAf+gAwIBAgIUdGdT6pczY5iYXtiNA/YW3N72MzswDQYJKoZIhvcNAQEL\nBQAwGjEYMBYGA1UEAwwPaWRwLmV4YW1wbGUuY29tMCAXDTI2MTEyMzA0MTkzNVoY\nDzIxMjYxMDMwMDQxOTM1WjAaMRgwFgYDVQQDDA9pZHAuZXhhbXBsZS5jb20wggEi\nMA0GCSqGSIb3DQEBAQUAA4IBDwAwggEKAoIBAQDVhExM2FpW+rFoD2uX3WxtbbgG\nl28EJ1fmL18g/S3hG+sNZWQEb/TAuQp86r+R28ircLpjUPUKavuyqwf7uGT5X/8p\neWLPpJaTi6IGp4yX41dUw/kWQLRdNdKXUpSat0+p24oPTpCqEwjo83uWetafAFZe\naQ7vI7xvO0kQXr9YLFlDnad5t2AF9N4TCg6hjhE1Apih+e0AJNJDSfyXDPCvFVUv\nx+73dcS3gHrf5C8idLflgfaOfvwupOJOXom/nyTSQpSqF/qKBooBAosbxwlxSMgc\nCUa5GNIgeQVzZrqj/oyNDGUgQBjF/XjUHZIbYipCGvkUM6aePLIRwg9+zLabAgMB\nAAGjUzBRMB0GA1UdDgQWBBRRrf/5Bd6+KgDyGXaBLiyBNUMBLTAfBgNVHSMEGDAW\ngBRRrf/5Bd6+KgDyGXaBLiyBNUMBLTAPBgNVHRMBAf8EBTADAQH/MA0GCSqGSIb3\nDQEBCwUAA4IBAQBfhDD4hk107HFaFrWmJu5S8T14r2BG+yiPpUHG4ZHIB2SFTvuI\njA9SwZhC5QqH6McQCajaM3jzcRbqybTQpDYn77I4rz6CnqslWmr8ZtOhuWQEzc1t\nhfiEZkX7vEokYP524Ah88KqceKFwLM8M6xs+pBQ6GEt0rGE5kmxhdujDkJoO4QnB\n+uL739Mw4RyCzzVppa5zgCSaY/kY7fNkA9h4jxGHOw1Upch707NmAcAKS7ciWI6F\np9ifPO0KaiXjkp+AUP/miWIx4OeWI90Nb5+wh4hTXE6COo4ph+aUZm39lK71RlTc\nW+mpbjtWT+uYMxwFzHXnHuVV4jZXq0umBFFz\n-----END
	 * CERTIFICATE-----\n"]`.
	 */
	certificates: string[];
	/** The provider can sign in only people with addresses of these domains. Example: `["example.com"]`. */
	emailDomains: string[];
	/**
	 * The role of new members. It must not include an `admin.*` permission or a permission that you do not
	 * have. Example: `release-manager`.
	 */
	defaultRole: string;
	/** RFC 3339, in UTC. */
	createdAt: string;
	/** The values to configure at the identity provider. */
	serviceProvider: {
		/**
		 * Example: `https://posture.example.com/auth/saml/metadata?tenant=0199c2a4-51d2-7e02-8b0c-6f1d0c3a9e27`.
		 */
		entityId: string;
		/** Example: `https://posture.example.com/auth/saml/acs`. */
		acsUrl: string;
		/**
		 * Example: `https://posture.example.com/auth/saml/metadata?tenant=0199c2a4-51d2-7e02-8b0c-6f1d0c3a9e27`.
		 */
		metadataUrl: string;
		/**
		 * The URL where members of the tenant start to sign in. Example:
		 * `https://posture.example.com/auth/saml/login?tenant=0199c2a4-51d2-7e02-8b0c-6f1d0c3a9e27`.
		 */
		loginUrl: string;
	};
}
/** Where a sign-in with SAML starts. */
export interface SamlDiscovery {
	/**
	 * Null if there is no identity provider for the domain. Example:
	 * `https://posture.example.com/auth/saml/login?tenant=0199c2a4-51d2-7e02-8b0c-6f1d0c3a9e27`.
	 */
	loginUrl: string | null;
}
/** An e-mail domain of your tenant. */
export interface Domain {
	/** Lower case. An internationalized name must be in its ASCII form. Example: `example.com`. */
	domain: string;
	/** `verified`: the identity provider may sign in accounts that exist outside the tenant. */
	status: "pending" | "verified";
	/** The DNS record to add. */
	record: {
		type: "TXT";
		/** Example: `example.com`. */
		name: string;
		/** Example: `cspm-domain-verification=q7Zk1v0Xc9Yb3Lw5Rt8Nj2Hs6Pd4Mf0Ga1Ue7Io3KxT`. */
		value: string;
	};
	/** RFC 3339, in UTC. */
	createdAt: string;
	/** RFC 3339, in UTC. */
	verifiedAt: string | null;
}
/** An audit event: what happened, who did it, and from where. */
export interface AuditEvent {
	id: string;
	/** RFC 3339, in UTC. */
	at: string;
	/** Example: `api_key.created`. */
	action: string;
	outcome: "success" | "failure";
	actor: {
		/** The kind of credential, or `person`. Example: `jwt`. */
		kind: string;
		/** The id of the user. Null if the request was anonymous or the credential belongs to no user. */
		id: string | null;
		/** A name of the actor. Null after the person was erased. Example: `ada@example.com`. */
		label: string | null;
	};
	tenantId: string;
	/** The affected tenant, if it differs from the tenant of the actor. */
	targetTenantId: string | null;
	/** Example: `198.51.100.7`. */
	ip: string;
	/** Example: `0199c2a4-7c1e-7a53-9d5e-2f6f8f1f4b11`. */
	correlationId: string;
	/** What the action was applied to: an id or a name. Example: `0199c2a4-9b60-7d41-a3f2-58c1e7d90b36`. */
	subject: string | null;
	/**
	 * More about the action. If an API key sent the request, `apiKeyId` is the id of the key. Example:
	 * `{"name":"nightly pipeline"}`.
	 */
	detail: Record<string, JsonValue>;
}
/** Any JSON value. */
export type JsonValue = string | number | boolean | null | JsonValue[] | {
	[key: string]: JsonValue;
};
/** The unit of scanning: a cloud project and its inventory. */
export interface Project {
	id: string;
	/** Example: `shop-prod`. */
	name: string;
	/** Example: `The web shop, production`. */
	description: string | null;
	/** The current inventory, which the next scan evaluates. Null before the first upload. */
	inventory: {
		id: string;
		/** Example: `214`. */
		assets: number;
		/** RFC 3339, in UTC. */
		createdAt: string;
	} | null;
	/**
	 * Whether `GET /projects/{name}/source` has a source, from which inventories are pulled. Example: `false`.
	 */
	hasSource: boolean;
	/** RFC 3339, in UTC. */
	createdAt: string;
}
/** A snapshot of the resources of a project. */
export interface Inventory {
	id: string;
	/** Number of assets after merging the records of each asset. Example: `214`. */
	assets: number;
	/** Number of assets of each type, largest first; at most 100 types. */
	assetTypes: {
		/** Example: `storage.googleapis.com/Bucket`. */
		type: string;
		/** Example: `12`. */
		count: number;
	}[];
	/**
	 * Number of assets at each location, largest first; at most 100 locations. Empty for inventories of release
	 * 0.1.
	 */
	locations: {
		/** Example: `europe-west1`. */
		location: string;
		/** Example: `96`. */
		count: number;
	}[];
	/** Size of the upload after decompression, in bytes. Example: `1048576`. */
	bytes: number;
	/**
	 * Corrections made during the upload, IAM policies that cannot be read, resources of a Terraform document
	 * that are skipped, and an inventory without assets; at most the first 100. Example:
	 * `[{"line":17,"message":"The RESOURCE content of this record is not used: line 4 is newer."}]`.
	 */
	warnings: {
		line: number;
		message: string;
	}[];
	/** `assetTypes` or `warnings` is truncated. Example: `false`. */
	truncated: boolean;
	/** RFC 3339, in UTC. */
	createdAt: string;
}
/** An asset of the current inventory of a project. */
export interface Asset {
	/** The full resource name. Example: `//storage.googleapis.com/shop-uploads`. */
	name: string;
	/** Example: `storage.googleapis.com/Bucket`. */
	type: string;
	/** Region, zone or multi-region, in lower case. Null if the inventory has none. Example: `europe-west1`. */
	location: string | null;
	/** Number of open findings, muted or not. Example: `2`. */
	openFindings: number;
	/** The worst severity of the open findings. Null if there are none. */
	worstSeverity: Severity | null;
}
/** The severity, from worst to least. */
export type Severity = "critical" | "high" | "medium" | "low" | "info";
/** An asset as stored, with its findings and the verdicts of the last scan. */
export interface AssetDetails {
	/** The full resource name. Example: `//storage.googleapis.com/shop-uploads`. */
	name: string;
	/** Example: `storage.googleapis.com/Bucket`. */
	type: string;
	/** Region, zone or multi-region, in lower case. Null if the inventory has none. Example: `europe-west1`. */
	location: string | null;
	/** The current inventory. */
	inventory: {
		id: string;
		/** RFC 3339, in UTC. */
		createdAt: string;
	};
	/**
	 * The asset as stored: one record of a Cloud Asset Inventory export with the content of all records of the
	 * asset, such as `resource.data`, `iam_policy` and `ancestors`. Texts that contain a credential are
	 * `[redacted]`. Null if its JSON is larger than 1 MiB or has more than 10,000 values.
	 */
	asset: Record<string, JsonValue> | null;
	/** Open ones first, then most severe first; at most 100. `GET /findings?asset=…` lists all. */
	findings: Finding[];
	/** The last completed scan of the project. Null if there is none. */
	scan: {
		id: string;
		/** RFC 3339, in UTC. */
		createdAt: string;
	} | null;
	/**
	 * What that scan decided about this asset, by rule id. Null if it did not evaluate the asset, or was made
	 * by release 0.1.
	 */
	verdicts: AssetVerdict[] | null;
}
/** A rule violation on an asset. */
export interface Finding {
	id: string;
	/** Identifies the same problem on the same asset across scans. */
	fingerprint: string;
	/** Example: `bucket-public`. */
	ruleId: string;
	title: string;
	severity: Severity;
	status: "open" | "resolved";
	/** Change since the previous scan. With filter `scan`: as recorded by that scan. */
	delta: "new" | "unchanged" | "reopened" | "resolved";
	/** Example: `shop-prod`. */
	project: string;
	asset: {
		/** Example: `//storage.googleapis.com/shop-uploads`. */
		name: string;
		/** Example: `storage.googleapis.com/Bucket`. */
		type: string;
	};
	/** The part of the asset concerned, such as a binding or a port. Empty for the whole asset. */
	subject: string;
	message: string;
	/** The values that decided the verdict, each with its path in the asset. Secrets are redacted. */
	evidence: {
		path: string;
		value: JsonValue;
	}[];
	remediation: string;
	compliance: Compliance[];
	/** RFC 3339, in UTC. */
	firstSeenAt: string;
	/** RFC 3339, in UTC. */
	lastSeenAt: string;
	/** RFC 3339, in UTC. */
	resolvedAt: string | null;
	resolvedReason: "fixed" | "asset_gone" | "rule_retired" | null;
	muted: {
		reason: string;
		/** RFC 3339, in UTC. */
		expiresAt: string;
	} | null;
}
/** The number of the requirement in the framework. */
export interface Compliance {
	/** Example: `cis-gcp-4.0`. */
	framework: string;
	/** Example: `5.1`. */
	id: string;
}
/** The verdict of one rule on an asset. */
export interface AssetVerdict {
	/** Example: `bucket-public`. */
	ruleId: string;
	/** Example: `Bucket is public`. */
	title: string;
	/** Null for a custom rule that the scan did not store. */
	severity: Severity | null;
	/** Example: `fail`. */
	verdict: "pass" | "fail" | "unknown" | "na";
	/** For `unknown`: the kind of content or the asset types that are missing. */
	missing: string | null;
}
/** Where the inventory of a project is pulled from. Its credential is never shown. */
export interface ProjectSource {
	kind: "google-cloud";
	/**
	 * What is pulled: `projects/<id or number>`, `folders/<number>` or `organizations/<number>`. Example:
	 * `projects/shop-prod`.
	 */
	parent: string;
	credentialType: "service_account_key" | "impersonation";
	/**
	 * The e-mail address of the service account that reads the assets. Example:
	 * `cspm-scanner@shop-prod.iam.gserviceaccount.com`.
	 */
	principal: string;
	/** Who set the source. */
	createdBy: {
		/** Example: `jwt`. */
		kind: string;
		id: string | null;
		/** Example: `ada@example.com`. */
		label: string;
	};
	/** When the source was set. RFC 3339, in UTC. */
	createdAt: string;
	/** The newest pull of the project. Null before the first one. */
	lastPull: {
		id: string;
		/** When the pull was requested. RFC 3339, in UTC. */
		at: string;
		/** Example: `completed`. */
		status: "queued" | "running" | "completed" | "partial" | "failed";
		/** Number of assets of the new inventory. Null until the pull has completed. Example: `214`. */
		assets: number | null;
		/** Why the pull failed, and what to do. Null if there was no problem. */
		problem: string | null;
	} | null;
}
/** What the credential of a source can read. */
export interface SourceCheck {
	/** Whether a pull would be complete. */
	ok: boolean;
	checks: {
		/**
		 * `credential`, `api`, `parent` or the name of a permission. Example: `cloudasset.assets.listIamPolicy`.
		 */
		name: string;
		ok: boolean;
		/** Example: `The credential has cloudasset.assets.listIamPolicy.`. */
		detail: string;
		/** What to do; empty if there is nothing to do. Example: ``. */
		remedy: string;
	}[];
}
/** A job that pulls a new inventory from the source of a project. */
export interface Pull {
	id: string;
	/**
	 * A `partial` inventory lacks what `missing` lists; rules that need it give UNKNOWN. Example: `completed`.
	 */
	status: "queued" | "running" | "completed" | "partial" | "failed";
	/**
	 * What is pulled: `projects/<id or number>`, `folders/<number>` or `organizations/<number>`. Example:
	 * `projects/shop-prod`.
	 */
	parent: string;
	/** Number of pages read so far. Example: `3`. */
	pages: number;
	/** Number of records read so far. An asset has one for each type of content. Example: `428`. */
	records: number;
	/** Number of assets of the new inventory. Null until the pull has completed. Example: `214`. */
	assets: number | null;
	/** From the start to the end, or until now. Null while queued. Example: `12.4`. */
	seconds: number | null;
	/** The snapshot time of all pages. Null while queued. RFC 3339, in UTC. */
	readTime: string | null;
	/** Content that Google refused for lack of a permission. Example: `[]`. */
	missing: {
		/** Example: `IAM_POLICY`. */
		contentType: "RESOURCE" | "IAM_POLICY" | "ORG_POLICY";
		/** Example: `cloudasset.assets.listIamPolicy`. */
		permission: string;
		/** Example: `Grant roles/cloudasset.viewer.`. */
		remedy: string;
	}[];
	/** Why the pull failed, and what to do. Null if there was no problem. */
	problem: string | null;
	/** The same for programs, such as `permission_denied` or `credential_refused`. */
	problemCode: string | null;
	/** The new inventory. Null until the pull has completed. */
	inventoryId: string | null;
	createdBy: {
		/** `schedule`: for a scheduled scan. Example: `jwt`. */
		kind: string;
		id: string | null;
		/** Example: `ada@example.com`. */
		label: string;
	};
	/** RFC 3339, in UTC. */
	createdAt: string;
	/** RFC 3339, in UTC. */
	startedAt: string | null;
	/** RFC 3339, in UTC. */
	finishedAt: string | null;
}
/** Whether a scan can start, and the checks that failed. */
export interface Preflight {
	decision: "ready" | "ready_with_warnings" | "blocked";
	profile: {
		name: string;
		/** SHA-256 of the rules, versions and parameters. Null for an unknown profile. */
		digest: string | null;
		ruleCount: number;
	};
	projects: {
		name: string;
		checks: PreflightCheck[];
	}[];
	estimate: {
		assets: number;
		/**
		 * The maximum number of evaluations: each rule on every asset of its types. A rule that examines all IAM
		 * policies or whole cloud projects counts each of those.
		 */
		evaluations: number;
		/** A rough estimate of the duration with one worker. */
		seconds: number;
	};
	limits: {
		projectsPerScan: number;
		launchesPerMinute: number;
	};
	/** How long the result can be relied on. RFC 3339, in UTC. */
	expiresAt: string;
}
/** One preflight check. */
export interface PreflightCheck {
	id: "profile.known" | "project.known" | "project.duplicate" | "source.attached" | "source.parseable" | "source.scope" | "source.freshness" | "coverage.types" | "coverage.iam" | "estimate" | "permission" | "quota.scans" | "rate.remaining" | "conflict.active" | "mutes.expiring" | "baseline";
	status: "pass" | "warn" | "fail" | "skip";
	/** A stable code for the result of the check. Example: `INVENTORY_MISSING`. */
	code: string;
	/** Example: `The project has no inventory.`. */
	message: string;
	/**
	 * How to fix the problem. Empty if there is none. Example: `Upload one with PUT
	 * /projects/shop-prod/inventory.`.
	 */
	remediation: string;
}
/** An evaluation of rules on the inventories of projects. */
export interface Scan {
	id: string;
	/** `partial`: some projects failed and some completed. */
	status: "queued" | "running" | "completed" | "partial" | "failed" | "cancelled";
	/** Example: `full`. */
	profile: string;
	/** SHA-256 of the evaluated rules, versions and parameters. */
	profileDigest: string;
	projects: {
		/** Example: `shop-prod`. */
		name: string;
		status: "queued" | "running" | "completed" | "failed" | "cancelled";
		assets: number;
		evaluations: number;
		findings: number;
		error: string | null;
		/**
		 * The inventory that is evaluated: the current one of the project when the evaluation began. Null before
		 * that.
		 */
		inventoryId: string | null;
	}[];
	totals: {
		assets: number;
		evaluations: number;
		pass: number;
		fail: number;
		unknown: number;
		/** Findings seen by this scan. */
		bySeverity: {
			critical: number;
			high: number;
			medium: number;
			low: number;
			info: number;
		};
	};
	/** Changes since the previous scans of the same projects. */
	delta: {
		new: number;
		resolved: number;
		reopened: number;
		unchanged: number;
	};
	/**
	 * How much of the profile the inventories could answer. Null until the scan has finished. `GET
	 * /scans/{id}/rules` lists the missing data.
	 */
	coverage: {
		/** Number of rules in the profile. */
		rules: number;
		/** Number of rules that passed or failed for at least one asset. */
		decided: number;
		/** Number of rules with only UNKNOWN verdicts, because the inventory lacks the required data. */
		undecided: number;
		/** Number of rules that applied to no asset. */
		unmet: number;
	} | null;
	createdBy: {
		/** The kind of credential, or `schedule`. Example: `api_key`. */
		kind: string;
		/** The id of the user. Null for a credential that belongs to no user. */
		id: string | null;
		/** Example: `ada@example.com`. */
		label: string;
	};
	/** The schedule that launched the scan. Null: launched by a request. */
	scheduleId: string | null;
	/** RFC 3339, in UTC. */
	createdAt: string;
	/** RFC 3339, in UTC. */
	startedAt: string | null;
	/** RFC 3339, in UTC. */
	finishedAt: string | null;
}
/** Verdicts of one rule in a scan, across the assets of its types. */
export interface RuleCount {
	/** Example: `bucket-public`. */
	ruleId: string;
	/** Example: `11`. */
	pass: number;
	/** Example: `1`. */
	fail: number;
	/** Example: `0`. */
	na: number;
	/** Example: `2`. */
	unknown: number;
	/** The data that the UNKNOWN verdicts lacked: asset types or content types. Example: `["IAM_POLICY"]`. */
	missing: string[];
}
/** The status of each requirement in a scan. */
export interface ComplianceReport {
	framework: "cis-gcp-2.0" | "cis-gcp-4.0" | "cis-gcp-5.0";
	scan: string;
	/** Number of requirements by status. */
	summary: {
		pass: number;
		fail: number;
		unknown: number;
		na: number;
		manual: number;
	};
	/** Every requirement of the framework, in the order of the framework. */
	requirements: {
		/** Example: `5.1`. */
		id: string;
		/** A paraphrase; the text of the benchmark is under copyright. */
		title: string;
		/** Example: `Storage`. */
		section: string;
		/** How the benchmark assesses the requirement. */
		assessment: "automated" | "manual";
		/**
		 * `fail`: an asset violates the requirement. `unknown`: the inventory or the profile of the scan cannot
		 * decide it. `na`: it applies to no asset. `manual`: it requires a person to assess it.
		 */
		status: "pass" | "fail" | "unknown" | "na" | "manual";
		rules: RuleCount[];
	}[];
}
/** A finding, and how it changed from one scan to another. */
export interface ComparedFinding {
	/**
	 * `new`: first seen after the earlier scan. `resolved`: open after the earlier scan and resolved after the
	 * later one. `reopened`: the reverse. `unchanged`: open after both scans.
	 */
	change: "new" | "resolved" | "reopened" | "unchanged";
	/**
	 * The finding as it is now. Example:
	 * `{"id":"0199c2a4-9b60-7d41-a3f2-58c1e7d90b36","fingerprint":"3b1f0c5f6c2f8d1f7a9be5a4c0d2e6f8901a2b3c4d5e6f708192a3b4c5d6e7f8","ruleId":"bucket-public","title":"Bucket
	 * is
	 * public","severity":"high","status":"open","delta":"unchanged","project":"shop-prod","asset":{"name":"//storage.googleapis.com/shop-uploads","type":"storage.googleapis.com/Bucket"},"subject":"roles/storage.objectViewer
	 * allUsers","message":"allUsers has roles/storage.objectViewer on this
	 * bucket.","evidence":[{"path":"iam_policy.bindings[0].members","value":"allUsers"}],"remediation":"Remove
	 * the grant, then enforce public access
	 * prevention.","compliance":[{"framework":"cis-gcp-4.0","id":"5.1"}],"firstSeenAt":"2026-11-13T08:00:00.000Z","lastSeenAt":"2026-11-20T08:00:00.000Z","resolvedAt":null,"resolvedReason":null,"muted":null}`.
	 */
	finding: {
		id: string;
		/** Identifies the same problem on the same asset across scans. */
		fingerprint: string;
		/** Example: `bucket-public`. */
		ruleId: string;
		title: string;
		severity: Severity;
		status: "open" | "resolved";
		/** Change since the previous scan. With filter `scan`: as recorded by that scan. */
		delta: "new" | "unchanged" | "reopened" | "resolved";
		/** Example: `shop-prod`. */
		project: string;
		asset: {
			/** Example: `//storage.googleapis.com/shop-uploads`. */
			name: string;
			/** Example: `storage.googleapis.com/Bucket`. */
			type: string;
		};
		/** The part of the asset concerned, such as a binding or a port. Empty for the whole asset. */
		subject: string;
		message: string;
		/** The values that decided the verdict, each with its path in the asset. Secrets are redacted. */
		evidence: {
			path: string;
			value: JsonValue;
		}[];
		remediation: string;
		compliance: Compliance[];
		/** RFC 3339, in UTC. */
		firstSeenAt: string;
		/** RFC 3339, in UTC. */
		lastSeenAt: string;
		/** RFC 3339, in UTC. */
		resolvedAt: string | null;
		resolvedReason: "fixed" | "asset_gone" | "rule_retired" | null;
		muted: {
			reason: string;
			/** RFC 3339, in UTC. */
			expiresAt: string;
		} | null;
	};
}
/** What changed from one scan to a later one of the same projects. */
export interface ScanComparison {
	/** The later scan. */
	scan: {
		id: string;
		/** Example: `full`. */
		profile: string;
		/** RFC 3339, in UTC. */
		createdAt: string;
	};
	/** The earlier scan. */
	with: {
		id: string;
		/** Example: `full`. */
		profile: string;
		/** RFC 3339, in UTC. */
		createdAt: string;
	};
	/** The projects that completed in both scans. */
	projects: string[];
	/**
	 * Whether the scans evaluated different rules, versions or parameters. If so, a finding can be new or
	 * resolved although its asset did not change.
	 */
	ruleSetChanged: boolean;
	/**
	 * Number of findings by change and severity, under the filters `rule`, `project` and `q`. Null on later
	 * pages, and with `counts=false`.
	 */
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
	items: ComparedFinding[];
	/** Pass it as `cursor` to get the next page. Null on the last page. */
	nextCursor: string | null;
}
/** Launches a scan at the times of a cron expression. */
export interface Schedule {
	id: string;
	/** Unique in your tenant. Example: `Production, every night`. */
	name: string;
	/** Names of the projects to scan. Duplicates are ignored. Example: `["shop-prod"]`. */
	projects: string[];
	/** The rules to evaluate: a profile name from `GET /profiles`. Example: `full`. */
	profile: string;
	/**
	 * A cron expression of five fields: minute, hour, day of month, month, day of week. The minute is one
	 * number, because a schedule runs at most once an hour. Example: `0 3 * * *`.
	 */
	cron: string;
	/** The IANA time zone of the cron expression. Example: `Europe/Berlin`. */
	timezone: string;
	/**
	 * True: pull a new inventory of each project before the scan. Needs the permission `projects.write`, and
	 * projects with an inventory source; a project without one is refused with 422. A project whose pull fails
	 * is left out of that scan, and `lastRun.problem` says why.
	 */
	pullFirst: boolean;
	/** False: the schedule launches no scans. */
	enabled: boolean;
	/** When the next scan is due. In the past while its pulls run. Null while disabled. RFC 3339, in UTC. */
	nextRunAt: string | null;
	/** Null until the first run. */
	lastRun: {
		/** When the run took place. RFC 3339, in UTC. */
		at: string;
		/** The scan that was launched. Null: none was. */
		scanId: string | null;
		/**
		 * The present status of the scan. `blocked`: no scan was launched, see `problem`. `deleted`: the scan is
		 * older than the retention period.
		 */
		status: "queued" | "running" | "completed" | "partial" | "failed" | "cancelled" | "blocked" | "deleted";
		/** Why no scan was launched, or which projects it left out and why. Null if there was no problem. */
		problem: string | null;
	} | null;
	/** Why the service disabled the schedule. Null unless the service disabled it. */
	disabledReason: {
		code: "CREATOR_REMOVED" | "CREATOR_DISABLED" | "CREATOR_NOT_PERMITTED";
		message: string;
		/** RFC 3339, in UTC. */
		at: string;
	} | null;
	/** The person whose permissions the schedule has: who created it, or who enabled it last. */
	createdBy: {
		id: string;
		/** Example: `ada@example.com`. */
		label: string;
	};
	/** RFC 3339, in UTC. */
	createdAt: string;
}
/** Sends events to a URL. */
export interface Webhook {
	id: string;
	/** Example: `https://hooks.example.com/cspm`. */
	url: string;
	events: ("scan.completed" | "scan.failed" | "findings.opened" | "findings.resolved" | "schedule.disabled" | "source.failed" | "api_key.created" | "break_glass.used" | "sign_in.locked")[];
	/** For your own use. Example: `Tickets for new findings`. */
	description: string;
	/**
	 * `standard`: a signed JSON event, see Standard Webhooks 1.0. `slack`: the message of an incoming webhook
	 * of Slack.
	 */
	format: "standard" | "slack";
	/** False: no events are sent. */
	enabled: boolean;
	/** The time since which every attempt has failed. Null if the last one succeeded. RFC 3339, in UTC. */
	failingSince: string | null;
	/** Why the service disabled the webhook. Null unless the service disabled it. */
	disabledReason: {
		code: "GONE" | "FAILING";
		message: string;
		/** RFC 3339, in UTC. */
		at: string;
	} | null;
	/**
	 * The time until which the secret before the last rotation also signs, unless the secret is rotated again.
	 * RFC 3339, in UTC.
	 */
	previousSecretUntil: string | null;
	/** RFC 3339, in UTC. */
	createdAt: string;
}
/** A newly created webhook with its signing secret. */
export interface NewWebhook {
	id: string;
	/** Example: `https://hooks.example.com/cspm`. */
	url: string;
	events: ("scan.completed" | "scan.failed" | "findings.opened" | "findings.resolved" | "schedule.disabled" | "source.failed" | "api_key.created" | "break_glass.used" | "sign_in.locked")[];
	/** For your own use. Example: `Tickets for new findings`. */
	description: string;
	/**
	 * `standard`: a signed JSON event, see Standard Webhooks 1.0. `slack`: the message of an incoming webhook
	 * of Slack.
	 */
	format: "standard" | "slack";
	/** False: no events are sent. */
	enabled: boolean;
	/** The time since which every attempt has failed. Null if the last one succeeded. RFC 3339, in UTC. */
	failingSince: string | null;
	/** Why the service disabled the webhook. Null unless the service disabled it. */
	disabledReason: {
		code: "GONE" | "FAILING";
		message: string;
		/** RFC 3339, in UTC. */
		at: string;
	} | null;
	/**
	 * The time until which the secret before the last rotation also signs, unless the secret is rotated again.
	 * RFC 3339, in UTC.
	 */
	previousSecretUntil: string | null;
	/** RFC 3339, in UTC. */
	createdAt: string;
	/**
	 * The signing secret. Shown only here; the server stores it encrypted. Example:
	 * `whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw`.
	 */
	secret: string;
}
/** A new signing secret of a webhook. */
export interface WebhookSecret {
	/**
	 * The signing secret. Shown only here; the server stores it encrypted. Example:
	 * `whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw`.
	 */
	secret: string;
	/** Until then the previous secret signs as well. RFC 3339, in UTC. */
	previousSecretUntil: string;
}
/** An event for a webhook, and the attempts to deliver it. Kept for 30 days. */
export interface WebhookDelivery {
	id: string;
	/**
	 * The header `webhook-id`: the same for all attempts of an event. Example:
	 * `msg_0199c2a47c1e7a539d5e2f6f8f1f4b11`.
	 */
	messageId: string;
	type: "scan.completed" | "scan.failed" | "findings.opened" | "findings.resolved" | "schedule.disabled" | "source.failed" | "api_key.created" | "break_glass.used" | "sign_in.locked" | "webhook.test";
	/** `failed`: no further attempt is made. */
	status: "pending" | "delivered" | "failed";
	/** When the event took place. RFC 3339, in UTC. */
	createdAt: string;
	/** Null unless the status is `pending`. RFC 3339, in UTC. */
	nextAttemptAt: string | null;
	/** The last 20 attempts, oldest first. */
	attempts: {
		/** RFC 3339, in UTC. */
		at: string;
		/** The HTTP status of the response. Null: there was none. Example: `200`. */
		status: number | null;
		/** Example: `84`. */
		milliseconds: number;
		/** Why the attempt failed. Null: it succeeded. */
		problem: string | null;
	}[];
	/**
	 * The event. Webhooks of format `slack` send a message that is made from it. Example:
	 * `{"type":"webhook.test","timestamp":"2026-11-20T08:00:00.000Z","data":{"webhookId":"0199c2a4-9b60-7d41-a3f2-58c1e7d90b36","message":"This
	 * is a test."}}`.
	 */
	payload: Record<string, JsonValue>;
}
/** Numbers of findings by severity, project and rule, and the facets of the filters. */
export interface FindingSummary {
	total: {
		open: number;
		resolved: number;
		/** Number of open findings that are muted. */
		muted: number;
	};
	bySeverity: {
		critical: {
			open: number;
			resolved: number;
			/** Number of open findings that are muted. */
			muted: number;
		};
		high: {
			open: number;
			resolved: number;
			/** Number of open findings that are muted. */
			muted: number;
		};
		medium: {
			open: number;
			resolved: number;
			/** Number of open findings that are muted. */
			muted: number;
		};
		low: {
			open: number;
			resolved: number;
			/** Number of open findings that are muted. */
			muted: number;
		};
		info: {
			open: number;
			resolved: number;
			/** Number of open findings that are muted. */
			muted: number;
		};
	};
	byProject: {
		/** Example: `shop-prod`. */
		project: string;
		open: number;
		resolved: number;
		/** Number of open findings that are muted. */
		muted: number;
	}[];
	byRule: {
		ruleId: string;
		severity: Severity;
		open: number;
		resolved: number;
		/** Number of open findings that are muted. */
		muted: number;
	}[];
	/**
	 * For each filter, the values that occur and the number of findings with each. A facet ignores the filter
	 * of its own name. At most 100 values each, most frequent first.
	 */
	facets: {
		severity: {
			/** Example: `high`. */
			value: string;
			/** Example: `14`. */
			count: number;
		}[];
		status: {
			/** Example: `high`. */
			value: string;
			/** Example: `14`. */
			count: number;
		}[];
		project: {
			/** Example: `high`. */
			value: string;
			/** Example: `14`. */
			count: number;
		}[];
		rule: {
			/** Example: `high`. */
			value: string;
			/** Example: `14`. */
			count: number;
		}[];
		/** Rules that the service no longer has are in no category. */
		category: {
			/** Example: `high`. */
			value: string;
			/** Example: `14`. */
			count: number;
		}[];
		assetType: {
			/** Example: `high`. */
			value: string;
			/** Example: `14`. */
			count: number;
		}[];
		/** A finding counts once in each framework of its rule. */
		framework: {
			/** Example: `high`. */
			value: string;
			/** Example: `14`. */
			count: number;
		}[];
		delta: {
			/** Example: `high`. */
			value: string;
			/** Example: `14`. */
			count: number;
		}[];
		/** `true` and `false`. */
		muted: {
			/** Example: `high`. */
			value: string;
			/** Example: `14`. */
			count: number;
		}[];
	};
}
/** The findings of a rule, an asset or a project that match the filters, counted. */
export interface FindingGroup {
	/** The rule id, the full name of the asset, or the name of the project. Example: `bucket-public`. */
	key: string;
	/**
	 * The title of the rule, the last segment of the asset name, or the name of the project. Example: `Bucket
	 * is public`.
	 */
	title: string;
	/** The worst severity in the group. */
	severity: "critical" | "high" | "medium" | "low" | "info";
	open: number;
	resolved: number;
	/** Number of open findings that are muted. */
	muted: number;
	/** RFC 3339, in UTC. */
	lastSeenAt: string;
	/** Number of projects. Example: `2`. */
	projects: number;
}
/** A rule violation on an asset, and how to repair it. */
export interface FindingWithFix {
	id: string;
	/** Identifies the same problem on the same asset across scans. */
	fingerprint: string;
	/** Example: `bucket-public`. */
	ruleId: string;
	title: string;
	severity: Severity;
	status: "open" | "resolved";
	/** Change since the previous scan. With filter `scan`: as recorded by that scan. */
	delta: "new" | "unchanged" | "reopened" | "resolved";
	/** Example: `shop-prod`. */
	project: string;
	asset: {
		/** Example: `//storage.googleapis.com/shop-uploads`. */
		name: string;
		/** Example: `storage.googleapis.com/Bucket`. */
		type: string;
	};
	/** The part of the asset concerned, such as a binding or a port. Empty for the whole asset. */
	subject: string;
	message: string;
	/** The values that decided the verdict, each with its path in the asset. Secrets are redacted. */
	evidence: {
		path: string;
		value: JsonValue;
	}[];
	remediation: string;
	compliance: Compliance[];
	/** RFC 3339, in UTC. */
	firstSeenAt: string;
	/** RFC 3339, in UTC. */
	lastSeenAt: string;
	/** RFC 3339, in UTC. */
	resolvedAt: string | null;
	resolvedReason: "fixed" | "asset_gone" | "rule_retired" | null;
	muted: {
		reason: string;
		/** RFC 3339, in UTC. */
		expiresAt: string;
	} | null;
	fix: Fix | null;
	/** Why there is no automatic fix, as a clause: `needs the name of a key`. Null if there is one. */
	noFix: string | null;
}
/**
 * A change of the asset after which its rule passes. It repairs all findings of the rule on the asset. The
 * service never changes anything in your cloud.
 */
export interface Fix {
	/** JSON Patch (RFC 6902) on the asset as stored. */
	patch: {
		op: "add" | "replace" | "remove" | "test";
		/** A JSON Pointer (RFC 6901) into the asset as stored. */
		path: string;
		/** Absent for `remove`. */
		value?: JsonValue;
	}[];
	/**
	 * Commands for a POSIX shell, one per line, with the names of the asset. A word in capitals, such as
	 * `ZONE`, stands for a value that the asset does not contain or that cannot be shown safely.
	 */
	gcloud: string;
	/** The same change in Terraform. Empty for settings that the Google provider no longer has. */
	terraform: {
		/** The type of the resource in the Google provider. */
		resource: string;
		/** Identifies the resource, block or entry among several. Null: the asset is enough. */
		match: string | null;
		/**
		 * The path of the attribute, with dots between blocks. Several settings of one attribute are one block
		 * each.
		 */
		attribute: string;
		/** HCL. Null: remove the attribute, or what `match` identifies. */
		value: string | null;
	}[];
	/** What the change interrupts or requires. Null: nothing is known. */
	caution: string | null;
	/**
	 * The server applied the patch to the stored asset in memory: the rule passes then, and no other built-in
	 * rule turns from pass to fail.
	 */
	verified: true;
}
/** Marks findings as accepted until a given date. */
export interface Mute {
	id: string;
	/** Example: `3b1f0c5f6c2f8d1f7a9be5a4c0d2e6f8901a2b3c4d5e6f708192a3b4c5d6e7f8`. */
	fingerprint: string | null;
	/**
	 * The finding with this `fingerprint`. Null for a selector, if there is no such finding, and in the
	 * response to a caller without `findings.read`.
	 */
	finding: {
		id: string;
		ruleId: string;
		title: string;
		severity: Severity;
		status: "open" | "resolved";
		/** Example: `shop-prod`. */
		project: string;
		asset: {
			name: string;
			type: string;
		};
	} | null;
	selector: MuteSelector | null;
	/** Example: `A static site, public on purpose`. */
	reason: string;
	/** RFC 3339, in UTC. */
	expiresAt: string;
	createdBy: {
		id: string | null;
		/** Example: `ada@example.com`. */
		label: string;
	};
	/** RFC 3339, in UTC. */
	createdAt: string;
}
/** Selects the findings that match all given members. */
export interface MuteSelector {
	/** Example: `bucket-public`. */
	ruleId?: string;
	/**
	 * The full name of an asset; `*` matches any characters. Example: `//storage.googleapis.com/shop-static-*`.
	 */
	asset?: string;
	/** Example: `shop-prod`. */
	project?: string;
	/** A label of the asset: `key`, or `key=value`. Example: `env=test`. */
	label?: string;
}
/** The result of muting many findings at once. */
export interface BulkMute {
	/** Number of findings that were named or that match the filter. */
	matched: number;
	/** Number of mutes created. */
	muted: number;
	/** Number of findings whose own mute already lasts at least as long. */
	unchanged: number;
	/** The ids of the created mutes, at most 1000. */
	mutes: string[];
	/** RFC 3339, in UTC. */
	expiresAt: string;
}
/** The posture of a tenant as of the last completed scan of each project. */
export interface PostureSummary {
	/** Number of open findings by severity, muted ones included. */
	open: {
		critical: number;
		high: number;
		medium: number;
		low: number;
		info: number;
	};
	/**
	 * 100 × passed weight ÷ decided weight, from 0 to 100. Each PASS or FAIL verdict has the weight of its
	 * rule: critical 10, high 5, medium 2, low 1, info 0. UNKNOWN verdicts are left out. Null if nothing is
	 * decided.
	 */
	score: number | null;
	/** How many verdicts the score rests on. */
	coverage: {
		/** Number of PASS and FAIL verdicts. */
		decided: number;
		/** Number of UNKNOWN verdicts. */
		unknown: number;
		/** 100 × decided ÷ (decided + unknown). Null if there are no verdicts. */
		percent: number | null;
	};
	/** The present values minus those of that day. Null if nothing had been scanned by then. */
	change7Days: {
		/** Null if one of the two scores is null. */
		score: number | null;
		/** Change of the number of open findings by severity. */
		open: {
			critical: number;
			high: number;
			medium: number;
			low: number;
			info: number;
		};
	} | null;
	/** The present values minus those of that day. Null if nothing had been scanned by then. */
	change30Days: {
		/** Null if one of the two scores is null. */
		score: number | null;
		/** Change of the number of open findings by severity. */
		open: {
			critical: number;
			high: number;
			medium: number;
			low: number;
			info: number;
		};
	} | null;
	/**
	 * Mean time from the first scan that saw a finding to the scan that resolved it, over the findings resolved
	 * in the last 90 days. Findings of deleted rules do not count.
	 */
	meanSecondsToResolve: {
		/** Seconds. Null if no such finding was resolved. */
		critical: number | null;
		/** Seconds. Null if no such finding was resolved. */
		high: number | null;
		/** Seconds. Null if no such finding was resolved. */
		medium: number | null;
		/** Seconds. Null if no such finding was resolved. */
		low: number | null;
		/** Seconds. Null if no such finding was resolved. */
		info: number | null;
	};
	/** Number of projects that have been scanned. */
	projectCount: number;
	/** The projects with the most open findings of the worst severity first. */
	projects: ({
		/** Example: `shop-prod`. */
		project: string;
		/** Number of open findings by severity, muted ones included. */
		open: {
			critical: number;
			high: number;
			medium: number;
			low: number;
			info: number;
		};
		/**
		 * 100 × passed weight ÷ decided weight, from 0 to 100. Each PASS or FAIL verdict has the weight of its
		 * rule: critical 10, high 5, medium 2, low 1, info 0. UNKNOWN verdicts are left out. Null if nothing is
		 * decided.
		 */
		score: number | null;
		/** How many verdicts the score rests on. */
		coverage: {
			/** Number of PASS and FAIL verdicts. */
			decided: number;
			/** Number of UNKNOWN verdicts. */
			unknown: number;
			/** 100 × decided ÷ (decided + unknown). Null if there are no verdicts. */
			percent: number | null;
		};
		/** The last completed scan of the project. */
		scan: string;
		/** When that scan completed. RFC 3339, in UTC. */
		scannedAt: string;
	})[];
	/** The five newest scans. */
	newestScans: {
		id: string;
		status: "queued" | "running" | "completed" | "partial" | "failed" | "cancelled";
		profile: string;
		projectCount: number;
		/** RFC 3339, in UTC. */
		createdAt: string;
		/** RFC 3339, in UTC. */
		finishedAt: string | null;
	}[];
	/** The five critical findings that have been open for longest. */
	oldestCritical: {
		id: string;
		ruleId: string;
		title: string;
		/** Example: `shop-prod`. */
		project: string;
		asset: string;
		/** RFC 3339, in UTC. */
		firstSeenAt: string;
	}[];
	/** The ten rules with the largest failed weight in the last completed scan of each project. */
	topRules: {
		ruleId: string;
		title: string;
		severity: Severity;
		/** Number of FAIL verdicts. */
		failing: number;
	}[];
	/**
	 * Number of requirements by status, over the last completed scans of all projects. See `GET
	 * /scans/{id}/compliance`.
	 */
	compliance: {
		framework: "cis-gcp-2.0" | "cis-gcp-4.0" | "cis-gcp-5.0";
		pass: number;
		fail: number;
		unknown: number;
		na: number;
		manual: number;
	}[];
}
/** One point per day or per week. */
export type PostureInterval = "day" | "week";
/** The posture over time, oldest first. */
export interface PostureTrend {
	/** Null: all projects of the tenant. Example: `shop-prod`. */
	project: string | null;
	/** Example: `2026-11-20`. */
	from: string;
	/** Example: `2026-11-20`. */
	to: string;
	interval: PostureInterval;
	points: ({
		/** The day, or the Monday of the week (ISO 8601). Example: `2026-11-20`. */
		date: string;
		/** Number of open findings by severity, muted ones included. */
		open: {
			critical: number;
			high: number;
			medium: number;
			low: number;
			info: number;
		};
		/** Findings that were new or reopened in this interval. */
		opened: number;
		/** Findings that were resolved in this interval. */
		resolved: number;
		/**
		 * 100 × passed weight ÷ decided weight, from 0 to 100. Each PASS or FAIL verdict has the weight of its
		 * rule: critical 10, high 5, medium 2, low 1, info 0. UNKNOWN verdicts are left out. Null if nothing is
		 * decided.
		 */
		score: number | null;
		/** How many verdicts the score rests on. */
		coverage: {
			/** Number of PASS and FAIL verdicts. */
			decided: number;
			/** Number of UNKNOWN verdicts. */
			unknown: number;
			/** 100 × decided ÷ (decided + unknown). Null if there are no verdicts. */
			percent: number | null;
		};
	})[];
}
/** A saved view of the console: filters under a name. */
export interface View {
	id: string;
	/** Unique among the views of the owner. Example: `Public buckets in production`. */
	name: string;
	/**
	 * The query string of a URL of the console, without the question mark. A question mark before it is
	 * removed. Example: `severity=critical&project=shop-prod&sort=severity`.
	 */
	query: string;
	/** True: visible to all members who may read findings. False: visible to the owner alone. */
	shared: boolean;
	createdBy: {
		id: string;
		/** Example: `ada@example.com`. */
		label: string;
	};
	/** RFC 3339, in UTC. */
	createdAt: string;
}
/** Which e-mails a person gets about new critical and high findings of the tenant. */
export interface Notifications {
	/**
	 * `off`: no e-mails. `immediate`: one e-mail for each scan. `daily`: one e-mail for the scans of a day, at
	 * 07:00 UTC. `weekly`: one e-mail for the scans of a week, on Mondays at 07:00 UTC. Example: `daily`.
	 */
	digest: "off" | "immediate" | "daily" | "weekly";
}
/** A condition that assets should meet. */
export interface Rule {
	/** Example: `bucket-public`. */
	id: string;
	/** Example: `1`. */
	version: number;
	/** Example: `Bucket is public`. */
	title: string;
	severity: Severity;
	/** Example: `storage`. */
	category: string;
	/** Example: `["storage.googleapis.com/Bucket"]`. */
	assetTypes: string[];
	/**
	 * The content type of the export that the rule requires; without it the verdict is UNKNOWN. Example:
	 * `["IAM_POLICY"]`.
	 */
	needs: string[];
	/** Example: `A bucket that grants a role to allUsers is public.`. */
	description: string;
	/** Example: `Remove the grant, then enforce public access prevention.`. */
	remediation: string;
	/**
	 * Why findings of the rule have no automatic fix, as a clause. Null: those whose asset can be repaired have
	 * one.
	 */
	noFix: string | null;
	compliance: Compliance[];
	/** Parameters that a profile of your tenant can set, with their defaults. Example: `{}`. */
	parameters: Record<string, JsonValue>;
}
/** A rule written by a tenant. */
export interface CustomRule {
	/** Example: `bucket-has-owner`. */
	id: string;
	/** Incremented whenever the definition changes. */
	version: number;
	title: string;
	description: string;
	severity: Severity;
	assetTypes: string[];
	predicate: string;
	recommendation: string;
	enabled: boolean;
	tests: {
		asset: Record<string, JsonValue>;
		verdict: "pass" | "fail" | "unknown";
	}[];
	/** RFC 3339, in UTC. */
	createdAt: string;
	/** RFC 3339, in UTC. */
	updatedAt: string;
}
/** The result of a rule that is not saved. */
export interface RuleTrial {
	/**
	 * The verdicts of the embedded tests, then of the assets of the project: at most 1,000, violations first.
	 */
	verdicts: ({
		asset: {
			name: string;
			type: string;
		};
		verdict: "pass" | "fail" | "unknown";
		/** The name of an embedded test; null for an asset of the project. */
		expected: "pass" | "fail" | "unknown" | null;
		/** The missing data, if the verdict is `unknown`. */
		message: string;
	})[];
	/** Errors in the rule or in its tests. Empty if the rule can be saved. */
	errors: {
		path: string;
		message: string;
	}[];
	/** The number of assets of the project that were evaluated. */
	evaluated: number;
	/**
	 * False if the time limit was reached before all matching assets were evaluated, if one was left out
	 * because its JSON is longer than 262,144 characters, or if there are more verdicts than listed.
	 */
	complete: boolean;
}
/** The fields of assets, without their values. */
export interface AssetFields {
	/** At most 500, the most frequent first; at most 8 levels deep. */
	fields: {
		/** Member names from the outermost in; `[]` stands for the elements of a list. */
		path: string[];
		kinds: ("string" | "number" | "boolean" | "null" | "object" | "list")[];
		/** The number of sampled assets that have the field. */
		assets: number;
	}[];
	/** The number of assets that were read. */
	sampled: number;
	/** False if there are more assets than were read, or more fields than are listed. */
	complete: boolean;
}
/** A named set of rules. */
export interface Profile {
	/** Example: `full`. */
	name: string;
	/**
	 * The profile that this name stands for, such as `cis-gcp-4.0` for `cis-gcp`. A later release may change
	 * it. Null if the profile is no alias.
	 */
	aliasOf: string | null;
	/** Example: `Every rule`. */
	title: string;
	/** Example: `All built-in rules.`. */
	description: string;
	/**
	 * SHA-256 of the rules, versions and parameters. Example:
	 * `9f2c6a1e0b7d43582f6c9e1a4b8d7035c2f1e6a9d0b3478596c7e8f1a2b3c4d5`.
	 */
	digest: string;
	/** Example: `64`. */
	ruleCount: number;
	/** Example: `["bucket-public","bucket-uniform-access"]`. */
	rules: string[];
	/** The definition of a custom profile. Null for a built-in profile. */
	definition: {
		include: string[];
		exclude: string[];
		parameters: Record<string, Record<string, JsonValue>>;
	} | null;
}
/** The state of one server process. */
export interface Health {
	status: "ok";
	/** Example: `{"database":"ok","migrations":"ok","traffic":"ok"}`. */
	checks: Record<string, "ok" | "failing">;
}
/** Explains a problem code and its remedy. */
export interface ProblemPage {
	code: "VALIDATION_FAILED" | "INVALID_TOKEN" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "INVALID_CREDENTIALS" | "TOTP_REQUIRED" | "INVALID_CODE" | "REGISTRATION_CLOSED" | "SIGN_IN_CANCELLED" | "FORBIDDEN" | "CREDENTIAL_NOT_ALLOWED" | "CROSS_SITE_REQUEST" | "REAUTH_REQUIRED" | "CONFIRMATION_REQUIRED" | "MFA_REQUIRED" | "FEATURE_NOT_LICENSED" | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "REQUEST_TIMEOUT" | "CONFLICT" | "SCAN_NOT_COMPLETED" | "IDEMPOTENCY_KEY_IN_USE" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "IDEMPOTENCY_KEY_MISMATCH" | "PREFLIGHT_BLOCKED" | "SCANS_NOT_COMPARABLE" | "DOMAIN_NOT_VERIFIED" | "SOURCE_REFUSED" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	type: string;
	status: number;
	title: string;
	help: string;
}
/** The state of one rate limit in a response. */
export interface RateLimit {
	/** `default` for the general limit, otherwise the limit of an endpoint. */
	readonly name: string;
	/** Requests left in the current window. */
	readonly remaining: number;
	/** Seconds until the window ends, counted from the response. */
	readonly resetSeconds: number;
	/** Requests per window, if the server states its policy. */
	readonly quota: number | undefined;
	/** Length of a window in seconds, if the server states its policy. */
	readonly windowSeconds: number | undefined;
}
/** One request that the client made, or tried to make, for a call. It has either a status or an error. */
export interface Attempt {
	/** Status of the response. Omitted when there was none. */
	readonly status?: number;
	/** Why there was no response. */
	readonly error?: Error;
	/** How long the client waited before this attempt, in milliseconds. */
	readonly delayMs: number;
}
/** Codes of problems of the API. */
export type ProblemCode = Problem["code"];
/** Codes of errors that the client raises itself. */
export type LocalCode = "ABORTED" | "CONNECTION_FAILED" | "INVALID_RESPONSE" | "TIMEOUT" | `HTTP_${number}`;
/** A problem code of the API, a code of the client, or one that a newer server has added. */
export type ErrorCode = ProblemCode | LocalCode | (string & {});
/** The properties of an error. */
export interface ErrorDetails {
	readonly message: string;
	readonly code: string;
	readonly attempts?: readonly Attempt[];
	readonly status?: number | undefined;
	readonly problem?: Problem | undefined;
	readonly correlationId?: string | undefined;
	readonly retryAfterMs?: number | undefined;
	readonly rateLimit?: readonly RateLimit[];
	readonly headers?: Headers;
	readonly body?: string;
	readonly cause?: unknown;
}
/** Any failure of a call. Subclasses are families of problems; other codes use this class. */
export declare class ApiError extends Error {
	/** Status of the response; undefined when there was none. */
	readonly status: number | undefined;
	/** The problem's code, or `HTTP_<status>` when the response was not a problem document. */
	readonly code: ErrorCode;
	/** The problem document (RFC 9457), if the response was one. */
	readonly problem: Problem | undefined;
	/** Id of the request in the server's logs; include it in support requests. */
	readonly correlationId: string | undefined;
	/** Every request made for the call, including the last. Empty when nothing was sent. */
	readonly attempts: readonly Attempt[];
	/** How long the server asks to wait, in milliseconds from the last response. */
	readonly retryAfterMs: number | undefined;
	/** The rate limits in the last response. */
	readonly rateLimit: readonly RateLimit[];
	/**
	 * The method of the client that failed, such as `scans.launch`; `auth.refresh` or `twoFactor.verify` when a token could
	 * not be renewed for the call. Undefined when no request could be prepared.
	 */
	readonly operation: string | undefined;
	/** HTTP method of the request. */
	readonly method: string | undefined;
	/** URL of the request. The values of its query are left out, so that it can be logged. */
	readonly url: string | undefined;
	/** Headers of the last response; undefined when there was none. */
	readonly headers: Headers | undefined;
	/** The beginning of the last response's body, at most 4,096 characters, such as the error page of a proxy. */
	readonly body: string | undefined;
	constructor(details: ErrorDetails);
	/** Also recognizes errors of another copy of this package, for example of its CommonJS build. */
	static [Symbol.hasInstance](error: unknown): boolean;
	get name(): string;
}
/** 429, or a call that pacing could not send before its deadline (then `attempts` may be empty). */
export declare class RateLimitError extends ApiError {
	get name(): "RateLimitError";
}
/** 401: no valid credential, or a refused sign-in. */
export declare class UnauthorizedError extends ApiError {
	get name(): "UnauthorizedError";
}
/** 403: the credential is valid and may not do this. */
export declare class ForbiddenError extends ApiError {
	get name(): "ForbiddenError";
}
/** 403 `MFA_REQUIRED`: requires a session that has passed a second factor. */
export declare class MfaRequiredError extends ApiError {
	get name(): "MfaRequiredError";
}
/** 403 `FEATURE_NOT_LICENSED`: `problem.feature` names the missing feature. */
export declare class FeatureNotLicensedError extends ApiError {
	get name(): "FeatureNotLicensedError";
}
/** 422 `PREFLIGHT_BLOCKED`: `problem.checks` lists the failed checks. */
export declare class PreflightBlockedError extends ApiError {
	get name(): "PreflightBlockedError";
}
/** 404: not found. */
export declare class NotFoundError extends ApiError {
	get name(): "NotFoundError";
}
/** 409: conflicts with the current state. */
export declare class ConflictError extends ApiError {
	get name(): "ConflictError";
}
/** The Idempotency-Key is in use by a running request, or was used with another payload. */
export declare class IdempotencyError extends ApiError {
	get name(): "IdempotencyError";
}
/** 400 `VALIDATION_FAILED`: `problem.errors` lists each fault with its path. */
export declare class ValidationError extends ApiError {
	get name(): "ValidationError";
}
/** 502, 503, 504: the service or one of its dependencies is unavailable. */
export declare class UnavailableError extends ApiError {
	get name(): "UnavailableError";
}
/** No response: the connection could not be made, or broke. */
export declare class ConnectionError extends ApiError {
	get name(): "ConnectionError";
}
/** An attempt, the whole call, or the caller's signal timed out. */
export declare class TimeoutError extends ApiError {
	get name(): "TimeoutError";
}
/** The caller aborted the call; `cause` is the signal's reason. */
export declare class AbortError extends ApiError {
	get name(): "AbortError";
}
/** How failed attempts are retried. Omitted members keep their defaults. */
export interface RetryOptions {
	/**
	 * Total number of attempts, including the first; 3 by default. A replay after a refresh or a step-up is not counted.
	 */
	readonly maxAttempts?: number | undefined;
	/**
	 * Upper bound of the first backoff in milliseconds; it doubles with each retry. 100 by default; ten times that after
	 * a 429.
	 */
	readonly baseDelayMs?: number | undefined;
	/**
	 * Upper bound of any backoff in milliseconds; 20,000 by default. Waits that the server asks for are not shortened.
	 */
	readonly maxDelayMs?: number | undefined;
	/** `false`: retries do not use the budget shared by all clients of one origin and credential. */
	readonly budget?: boolean | undefined;
}
/** The input of a method without input. It keeps the position of the options stable if input is added later. */
export type NoInput = Readonly<Record<string, never>>;
/** A filter: one value, or several, any of which may match. */
export type OneOrMany<T> = T | readonly T[];
/** Options of one call. */
export interface CallOptions {
	/** Aborts the call, including its waits, with an `AbortError` whose `cause` is the signal's reason. */
	readonly signal?: AbortSignal | undefined;
	/**
	 * Deadline of the call in milliseconds, including all attempts and waits. A stream may be read for as long as it
	 * delivers, unless this is set for the call.
	 */
	readonly timeoutMs?: number | undefined;
	/** Time limit of a single attempt, in milliseconds. */
	readonly attemptTimeoutMs?: number | undefined;
	/** `false`: one attempt only. */
	readonly retry?: RetryOptions | false | undefined;
	/** Headers to add or replace. The credential cannot be replaced. */
	readonly headers?: Readonly<Record<string, string>> | undefined;
	/**
	 * The tenant of a master key, or another tenant for a session with `admin.users` and `admin.settings`; sent as
	 * `X-Tenant-ID`. The service ignores it with other credentials: an API key always works in its own tenant.
	 */
	readonly tenantId?: string | undefined;
}
/** Options of one call of an operation that accepts an Idempotency-Key. */
export interface KeyedCallOptions extends CallOptions {
	/** 1 to 255 visible ASCII characters except comma and quote. By default the client creates one for each call. */
	readonly idempotencyKey?: string | undefined;
}
/** A session: a short-lived access token and its refresh token. */
export interface SessionOptions {
	readonly accessToken: string;
	readonly refreshToken: string;
	/**
	 * Called with every new pair and awaited before the refused call is replayed. Store the pair here, because the
	 * previous refresh token is spent.
	 */
	readonly onRefresh?: ((tokens: SessionTokens) => void | Promise<void>) | undefined;
}
/** The tokens of a session. */
export interface SessionTokens {
	readonly accessToken: string;
	readonly refreshToken: string;
}
/** Sends `POST /auth/refresh`, with the given refresh token or with the cookie of the browser; the new tokens are saved. */
export type Refresh = (refreshToken?: string) => Promise<unknown>;
/**
 * A session whose tokens are kept outside the client, perhaps for several clients or pages. `@cspm/sdk/session` makes such
 * sessions.
 */
export interface SessionSource {
	/** An API key to send instead of tokens. */
	readonly apiKey?: string | undefined;
	/** The tokens to send; undefined: signed out, or not loaded yet. */
	readonly tokens: SessionTokens | undefined;
	/** Sent with the operations that open, renew or end a session. */
	readonly headers?: Readonly<Record<string, string>> | undefined;
	/** Called before each request that takes a credential; resolves when `tokens` are the ones to use. */
	load(refresh: Refresh): Promise<void> | undefined;
	/** Called when an access token was refused: gets its successor. */
	renew(refused: string, refresh: Refresh): Promise<unknown>;
	/** Takes up the tokens of a sign-in, or of a session that was renewed or raised. */
	save(tokens: SessionTokens & {
		readonly expiresIn?: number;
	}, isRenewal: boolean): void | Promise<void>;
	/** Called when the session has ended. */
	clear(): void | Promise<void>;
}
/** Exactly one credential, or none; a master key only with a reason. */
export type CredentialOptions = (Without<"session" | "masterKey" | "reason" | "credential"> & {
	/**
	 * A per-user or global API key. A value that no header can hold, such as the placeholder `cspm_…`, is refused with a
	 * `ValidationError` when the client is created. The client does not check the format of the key: the service answers
	 * 401 for one that it does not know. With `undefined` or an empty string, the client has no credential.
	 */
	readonly apiKey?: string | undefined;
}) | (Without<"apiKey" | "masterKey" | "reason" | "credential"> & {
	readonly session: SessionOptions | SessionSource;
}) | (Without<"apiKey" | "session" | "masterKey" | "reason"> & {
	/**
	 * Supplies the credential before the first call, and again after a 401. Concurrent calls share one request for it.
	 * If it throws, the calls that wait for it end with the same error.
	 */
	readonly credential: () => SuppliedCredential | Promise<SuppliedCredential>;
}) | (Without<"apiKey" | "session" | "credential"> & {
	/** The break-glass credential. */
	readonly masterKey: string;
	/** Why it is used; recorded in the audit trail. */
	readonly reason: string;
});
/**
 * A credential from elsewhere, such as a secret manager. A value that no header can hold is refused with a
 * `ValidationError` before the request is sent.
 */
export type SuppliedCredential = {
	readonly apiKey: string;
} | {
	readonly accessToken: string;
};
export type Without<K extends string> = {
	readonly [key in K]?: undefined;
};
/** Options of a client besides its credential. */
export interface CommonOptions {
	/** URL of the service, with or without a path such as `/api/v1`. In browsers it may be a path alone. */
	readonly baseUrl: string | URL;
	/** Headers to add to every call, or to replace. Headers of a call take precedence; the credential cannot be replaced. */
	readonly headers?: Readonly<Record<string, string>> | undefined;
	/** The default tenant of calls; see `tenantId` of `CallOptions` for the credentials that can choose one. */
	readonly tenantId?: string | undefined;
	/** Used instead of the global `fetch`. */
	readonly fetch?: typeof globalThis.fetch | undefined;
	/** `false`: no call is retried. */
	readonly retry?: RetryOptions | false | undefined;
	/**
	 * Deadline of a call in milliseconds, including all attempts and waits; 60,000 by default, one hour for an upload.
	 */
	readonly timeoutMs?: number | undefined;
	/** Time limit of a single attempt, in milliseconds; 30,000 by default, one hour for an upload. */
	readonly attemptTimeoutMs?: number | undefined;
	/** `off`: requests are sent even when a rate limit is known to be exhausted. */
	readonly pacing?: "auto" | "off" | undefined;
	/** Observers. An exception in one fails the call. */
	readonly hooks?: Hooks | undefined;
	/**
	 * Gets requests and responses at `debug`, and retries at `warn`. The failure of a call is its error, and not logged.
	 * URLs come without the values of their query, and credentials are never logged.
	 */
	readonly logger?: Logger | undefined;
	/**
	 * Asks for a one-time code when a call of a session is refused with `MFA_REQUIRED`. The client upgrades the session
	 * with it and replays the call. It is called once for all calls that are refused together, with the `error` of the
	 * first. If it returns undefined or throws, or the code is wrong, each call ends with its own `MfaRequiredError`. After a
	 * wrong code, its `cause` is the error with the code `INVALID_CODE`.
	 */
	readonly onStepUp?: ((error: ApiError) => string | undefined | Promise<string | undefined>) | undefined;
}
/** Options of a client. */
export type ClientOptions = CommonOptions & CredentialOptions;
/** Options of a derived client, which override those of the client it is derived from. */
export type DerivedOptions = Partial<Pick<CommonOptions, "attemptTimeoutMs" | "fetch" | "headers" | "hooks" | "logger" | "retry" | "tenantId" | "timeoutMs">>;
/** A logger, such as `console` or one of pino. */
export interface Logger {
	debug(details: object, message: string): void;
	info(details: object, message: string): void;
	warn(details: object, message: string): void;
	error(details: object, message: string): void;
}
/** A request about to be sent. */
export interface RequestEvent {
	/** The method of the client, such as `scans.launch`. */
	readonly operation: string;
	readonly method: string;
	readonly url: string;
	/** 1 for the first request of the call. */
	readonly attempt: number;
	/** How long the client waited before this request, in milliseconds. */
	readonly delayMs: number;
	/** Code of the error that ended the previous attempt; undefined for the first. */
	readonly reason: string | undefined;
}
/** A request that was answered or failed. */
export interface ResponseEvent extends RequestEvent {
	/** Omitted when there was no response. */
	readonly status?: number;
	/** Why there was no response. */
	readonly error?: Error;
	/** Id of the request in the server's logs. */
	readonly correlationId: string | undefined;
	/** From sending to the end of the response, in milliseconds. */
	readonly durationMs: number;
}
/** Observes the requests of a client. */
export interface Hooks {
	onRequest?(event: RequestEvent): void;
	onResponse?(event: ResponseEvent): void;
	/** Called before the wait: `attempt` and `delayMs` describe the next attempt. */
	onRetry?(event: RequestEvent): void;
}
/** The pieces of a stream. A call begins when it is iterated over; leaving the loop closes the connection. */
export interface Stream<T, Chunk = T> extends AsyncIterable<T> {
	/** Begins the call, as a stream of the web: text becomes bytes of UTF-8, as a `Response` takes them. */
	toReadableStream(): ReadableStream<Chunk>;
}
/** The result of a call with details of its attempts. */
export interface WithResponse<T> {
	readonly data: T;
	/** The response; its body has been read. */
	readonly response: Response;
	/** Id of the request in the server's logs. */
	readonly correlationId: string | undefined;
	/** Every request made for the call, including the successful one. */
	readonly attempts: readonly Attempt[];
	/** Total time the client waited between attempts, in milliseconds. */
	readonly retryDelayMs: number;
}
/** A running call: a promise of its data. */
export interface Call<T> extends Promise<T> {
	/** The data together with the response and details of the attempts. */
	withResponse(): Promise<WithResponse<T>>;
	/** The response with its body unread, byte for byte. Failures reject as they do for the call. Its `url` is empty. */
	asResponse(): Promise<Response>;
}
/** A server-sent event. */
export interface ServerEvent<T> {
	/** Id of this event, or of the latest earlier event that had one. */
	readonly id: string;
	/** Type of the event. */
	readonly event: string;
	readonly data: T;
}
/** A piece of an inventory. Text and bytes are sent unchanged; anything else is one asset, sent as a line of JSON. */
export type InventoryChunk = string | Uint8Array | object;
/**
 * Sources of an inventory: the text or bytes of an export, or its pieces. A string, bytes, a `Blob` and an array can be
 * sent again. Streams and other iterables can be sent again only when no connection was made.
 */
export type InventorySource = Whole | Pieces;
export type Whole = string | Uint8Array | ArrayBuffer | Blob;
export type Pieces = ReadableStream<InventoryChunk> | AsyncIterable<InventoryChunk> | Iterable<InventoryChunk>;
/** A page of a list. */
export interface Page<T> {
	readonly items: T[];
	/** Pass it as `cursor` to get the next page; null on the last page. */
	readonly nextCursor: string | null;
}
/** A list: await it for the first page, or iterate over the items of all pages. Pages are fetched when needed. */
export interface ListCall<T, P extends Page<T> = Page<T>> extends Call<P>, AsyncIterable<T> {
	/** All pages, to iterate over. */
	pages(): AsyncGenerator<P, void, void>;
	/** The items of all pages, or the first `limit` of them, at least one. Pages after the last needed one are not fetched. */
	toArray(options?: {
		readonly limit?: number | undefined;
	}): Promise<T[]>;
}
/** Options for waiting for a scan. */
export interface WaitOptions {
	readonly signal?: AbortSignal | undefined;
	/** Maximum wait in milliseconds. By default it waits until the scan is finished. */
	readonly timeoutMs?: number | undefined;
	/** Called with the scan at first and after each change. An exception ends the wait. */
	readonly onProgress?: ((scan: Scan) => void) | undefined;
}
/** Resolves with the scan once it is finished, with any status. */
export type WaitForScan = (id: string, options?: WaitOptions) => Promise<Scan>;
/**
 * A client of the service: one method for each operation.
 *
 * A method takes one flat input that merges path, query and body, and then options. A call returns a promise;
 * a list can also be iterated, a stream can only be iterated. In addition to the listed errors, any method
 * can fail with a `ConnectionError`, a `TimeoutError` or, after its signal is aborted, an `AbortError`.
 */
export interface Cspm {
	readonly auth: {
		/**
		 * Sign in with e-mail and password.
		 *
		 * Opens a session. Every refusal has the same response and takes the same time, whatever its reason. Only
		 * a caller with the right password learns that a second factor is missing.
		 *
		 * `POST /auth/login`: requires no credential; rate limit `login` of 5 in 60 s in addition to the general
		 * one. Not retried once the server may have received it, except after a 429.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {UnauthorizedError} `INVALID_CREDENTIALS`, `TOTP_REQUIRED`
		 * @throws {ForbiddenError} `CROSS_SITE_REQUEST`
		 * @throws {ApiError} `REQUEST_TIMEOUT`, `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `INTERNAL`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `SERVICE_UNAVAILABLE`
		 */
		login(input: AuthLoginInput, options?: CallOptions): Call<Tokens>;
		/**
		 * Renew a session.
		 *
		 * Consumes the refresh token and returns a new pair of tokens. Reusing a consumed token ends the whole
		 * session, unless it is the most recent one and the repetition arrives within 10 seconds; such a
		 * repetition is refused without effect. With `X-Session-Transport: cookie` the refusal then has
		 * `Retry-After`: another page of the browser has renewed the session, and a new request uses its cookie.
		 * Every other refusal deletes the cookie.
		 *
		 * `POST /auth/refresh`: requires no credential; rate limit `refresh` of 10 in 60 s in addition to the
		 * general one. Not retried once the server may have received it, except after a 429.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `CROSS_SITE_REQUEST`
		 * @throws {ApiError} `REQUEST_TIMEOUT`, `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `INTERNAL`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `SERVICE_UNAVAILABLE`
		 */
		refresh(input?: AuthRefreshInput, options?: CallOptions): Call<Tokens>;
		/**
		 * End a session.
		 *
		 * Ends the session of the refresh token; its access tokens are refused from then on. An unknown token
		 * gets the same response. With `X-Session-Transport: cookie` the cookie names the session and is deleted.
		 *
		 * `POST /auth/logout`: requires no credential; general rate limit. Repeating it has the same effect as
		 * one request, so it is retried after any transient failure.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ForbiddenError} `CROSS_SITE_REQUEST`
		 * @throws {ApiError} `REQUEST_TIMEOUT`, `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `INTERNAL`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `SERVICE_UNAVAILABLE`
		 */
		logout(input?: AuthLogoutInput, options?: CallOptions): Call<void>;
		/**
		 * End all your sessions.
		 *
		 * Ends your sessions in every tenant, including this one. Their tokens are refused from the next request
		 * on. With `X-Session-Transport: cookie` the session cookie is deleted.
		 *
		 * `POST /auth/logout-all`: requires a session; general rate limit. Repeating it has the same effect as
		 * one request, so it is retried after any transient failure.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`, `CREDENTIAL_NOT_ALLOWED`, `CROSS_SITE_REQUEST`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		logoutAll(input?: NoInput, options?: CallOptions): Call<void>;
		/**
		 * Register an account.
		 *
		 * Creates a tenant with you as its administrator after you follow the link in the mail. The response is
		 * the same if the address already has an account; the owner of that account is notified by mail.
		 *
		 * `POST /auth/register`: requires no credential; rate limit `register` of 5 in 60 s in addition to the
		 * general one. Not retried once the server may have received it, except after a 429.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ForbiddenError} `REGISTRATION_CLOSED`
		 * @throws {ApiError} `REQUEST_TIMEOUT`, `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `INTERNAL`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `SERVICE_UNAVAILABLE`
		 */
		register(input: AuthRegisterInput, options?: CallOptions): Call<Accepted>;
		/**
		 * Confirm an e-mail address.
		 *
		 * Consumes the token from the mail. The account can sign in afterwards.
		 *
		 * `POST /auth/verify-email`: requires no credential; rate limit `verify-email` of 10 in 60 s in addition
		 * to the general one. Not retried once the server may have received it, except after a 429.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `INVALID_TOKEN`, `REQUEST_TIMEOUT`, `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`,
		 * `INTERNAL`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `SERVICE_UNAVAILABLE`
		 */
		verifyEmail(input: AuthVerifyEmailInput, options?: CallOptions): Call<void>;
		/**
		 * Request another confirmation mail.
		 *
		 * The response is the same whether or not an unconfirmed account exists.
		 *
		 * `POST /auth/resend-verification`: requires no credential; rate limit `resend-verification` of 3 in 60 s
		 * in addition to the general one. Not retried once the server may have received it, except after a 429.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `REQUEST_TIMEOUT`, `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `INTERNAL`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `SERVICE_UNAVAILABLE`
		 */
		resendVerification(input: AuthResendVerificationInput, options?: CallOptions): Call<Accepted>;
		/**
		 * Request a password reset.
		 *
		 * Sends a reset link if the account exists. The response is the same if it does not.
		 *
		 * `POST /auth/forgot-password`: requires no credential; rate limit `forgot-password` of 3 in 60 s in
		 * addition to the general one. Not retried once the server may have received it, except after a 429.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `REQUEST_TIMEOUT`, `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `INTERNAL`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `SERVICE_UNAVAILABLE`
		 */
		forgotPassword(input: AuthForgotPasswordInput, options?: CallOptions): Call<Accepted>;
		/**
		 * Reset a password.
		 *
		 * Consumes the token and ends every session of the account. The e-mail address counts as confirmed;
		 * sign-in still requires the second factor. An invited person without an account sets the first password
		 * this way and thereby accepts the invitation.
		 *
		 * `POST /auth/reset-password`: requires no credential; rate limit `reset-password` of 5 in 60 s in
		 * addition to the general one. Not retried once the server may have received it, except after a 429.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `INVALID_TOKEN`, `REQUEST_TIMEOUT`, `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`,
		 * `INTERNAL`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `SERVICE_UNAVAILABLE`
		 */
		resetPassword(input: AuthResetPasswordInput, options?: CallOptions): Call<void>;
		/**
		 * Accept an invitation to another tenant.
		 *
		 * For people who already have an account. The membership is active immediately and the password does not
		 * change.
		 *
		 * `POST /auth/accept-invite`: requires no credential; general rate limit. Not retried once the server may
		 * have received it, except after a 429.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `INVALID_TOKEN`, `REQUEST_TIMEOUT`, `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`,
		 * `INTERNAL`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `SERVICE_UNAVAILABLE`
		 */
		acceptInvite(input: AuthAcceptInviteInput, options?: CallOptions): Call<void>;
		/**
		 * Change your password.
		 *
		 * Ends all your other sessions and keeps this one. Wrong passwords count toward the same limit as failed
		 * sign-ins. With `X-Session-Transport: cookie` this session ends too and its cookie is deleted: sign in
		 * with the new password.
		 *
		 * `POST /auth/change-password`: requires a session; general rate limit. Not retried once the server may
		 * have received it, except after a 429.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `REQUEST_TIMEOUT`,
		 * `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`, `INVALID_CREDENTIALS`
		 * @throws {ForbiddenError} `FORBIDDEN`, `CREDENTIAL_NOT_ALLOWED`, `CROSS_SITE_REQUEST`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		changePassword(input: AuthChangePasswordInput, options?: CallOptions): Call<void>;
		/**
		 * Sign in with Google.
		 *
		 * Accepts an ID token that Google issued to this service. On the first sign-in the account is found by
		 * the address that Google verified; if there is none and registration is open, an account and a tenant
		 * are created. The session has not passed a second factor of this service. Browsers must use a `nonce`:
		 * create a random value before the request to Google, keep it, pass it to Google and send it here. A
		 * token planted in the page by somebody else then has a different nonce. Other clients need no nonce.
		 * Tokens of a sign-in that `GET /auth/google/login` started are refused here. Each token signs in once:
		 * if the response is lost, request a new token from Google instead of repeating the request.
		 *
		 * `POST /auth/google`: requires no credential; rate limit `google` of 10 in 60 s in addition to the
		 * general one. Not retried once the server may have received it, except after a 429.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {UnauthorizedError} `INVALID_CREDENTIALS`
		 * @throws {ForbiddenError} `REGISTRATION_CLOSED`, `CROSS_SITE_REQUEST`
		 * @throws {ApiError} `REQUEST_TIMEOUT`, `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `INTERNAL`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `SERVICE_UNAVAILABLE`
		 */
		google(input: AuthGoogleInput, options?: CallOptions): Call<Tokens>;
		/**
		 * Exchange a code for tokens.
		 *
		 * Exchanges the code that a sign-in at an identity provider adds to the URL of `/auth/callback`. The code
		 * is valid once, for 60 seconds, in the browser that started the sign-in. The request must carry the
		 * cookie that `GET /auth/saml/login` or `GET /auth/google/login` set, so the page that sends it must be
		 * served from the same host as `/auth/saml/acs`. If the account has more permissions than the provider
		 * may vouch for, the response is 403 `CONFIRMATION_REQUIRED` until the person confirms the provider once
		 * with `POST /auth/confirm`.
		 *
		 * `POST /auth/exchange`: requires no credential; general rate limit. Not retried once the server may have
		 * received it, except after a 429.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `INVALID_TOKEN`, `REQUEST_TIMEOUT`, `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`,
		 * `INTERNAL`
		 * @throws {ForbiddenError} `CROSS_SITE_REQUEST`, `CONFIRMATION_REQUIRED`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `SERVICE_UNAVAILABLE`
		 */
		exchange(input: AuthExchangeInput, options?: CallOptions): Call<Tokens>;
		/**
		 * Confirm a sign-in through an identity provider.
		 *
		 * Opens the session of a sign-in that was answered with `CONFIRMATION_REQUIRED`. Send exactly one of
		 * `password`, `code` and `mailToken`. After that the provider can sign in to the account without
		 * confirmation until its settings change. A wrong password or code does not end the confirmation; it
		 * expires after 10 minutes.
		 *
		 * `POST /auth/confirm`: requires no credential; rate limit `confirm` of 5 in 60 s in addition to the
		 * general one. Not retried once the server may have received it, except after a 429.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `INVALID_TOKEN`, `REQUEST_TIMEOUT`, `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`,
		 * `INTERNAL`
		 * @throws {UnauthorizedError} `INVALID_CREDENTIALS`, `INVALID_CODE`
		 * @throws {ForbiddenError} `CROSS_SITE_REQUEST`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `SERVICE_UNAVAILABLE`
		 */
		confirm(input: AuthConfirmInput, options?: CallOptions): Call<Tokens>;
		/**
		 * Request a mail that confirms a sign-in.
		 *
		 * Sends a token to the e-mail address of the account. `POST /auth/confirm` requires it together with the
		 * token of the sign-in, so the mail alone opens no session. A newer mail invalidates the previous one.
		 *
		 * `POST /auth/confirm/mail`: requires no credential; rate limit `confirm` of 5 in 60 s in addition to the
		 * general one. Not retried once the server may have received it, except after a 429.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `INVALID_TOKEN`, `REQUEST_TIMEOUT`, `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`,
		 * `INTERNAL`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `SERVICE_UNAVAILABLE`
		 */
		confirmMail(input: AuthConfirmMailInput, options?: CallOptions): Call<Accepted>;
		/**
		 * List the ways to sign in.
		 *
		 * What a sign-in page offers. `saml` says that the server has identity providers; `POST
		 * /auth/saml/discover` finds the one for an address.
		 *
		 * `GET /auth/methods`: requires no credential; general rate limit. Changes nothing, so it is retried
		 * after any transient failure.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {ApiError} `INTERNAL`
		 * @throws {UnavailableError} `SERVICE_UNAVAILABLE`
		 */
		methods(input?: NoInput, options?: CallOptions): Call<SignInMethods>;
		/**
		 * Get the current identity.
		 *
		 * The user, the tenant and the current permissions of the credential.
		 *
		 * `GET /auth/me`: requires a session or an API key or the global API key or a master key; general rate
		 * limit. Changes nothing, so it is retried after any transient failure.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		me(input?: NoInput, options?: CallOptions): Call<Identity>;
	};
	readonly twoFactor: {
		/**
		 * Start the enrolment of an authenticator.
		 *
		 * Returns a new secret for an authenticator app (TOTP, RFC 6238: SHA-1, 6 digits, 30 seconds). The secret
		 * takes effect after one of its codes is sent to `POST /auth/2fa/enable`. It is shown only once.
		 *
		 * `POST /auth/2fa/setup`: requires a session; rate limit `2fa` of 5 in 60 s in addition to the general
		 * one. Not retried once the server may have received it, except after a 429.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `REQUEST_TIMEOUT`,
		 * `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`, `CREDENTIAL_NOT_ALLOWED`, `REAUTH_REQUIRED`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {ConflictError} `CONFLICT`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		setup(input?: TwoFactorSetupInput, options?: CallOptions): Call<TwoFactorSetup>;
		/**
		 * Enable the authenticator.
		 *
		 * Confirms the secret with its first code, in the session that started the enrolment and within 10
		 * minutes. From then on sign-in requires a code. If the response is lost, get recovery codes with `POST
		 * /auth/2fa/recovery-codes` and the next code.
		 *
		 * `POST /auth/2fa/enable`: requires a session; rate limit `2fa` of 5 in 60 s in addition to the general
		 * one. Not retried once the server may have received it, except after a 429.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `REQUEST_TIMEOUT`,
		 * `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`, `INVALID_CODE`
		 * @throws {ForbiddenError} `FORBIDDEN`, `CREDENTIAL_NOT_ALLOWED`, `REAUTH_REQUIRED`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {ConflictError} `CONFLICT`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		enable(input: TwoFactorEnableInput, options?: CallOptions): Call<RecoveryCodes>;
		/**
		 * Pass the second factor in this session.
		 *
		 * Keeps the session and marks it as having passed a second factor; the new tokens can use endpoints that
		 * require one. The previous refresh token is no longer valid.
		 *
		 * `POST /auth/2fa/verify`: requires a session; rate limit `2fa` of 5 in 60 s in addition to the general
		 * one. Not retried once the server may have received it, except after a 429.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `REQUEST_TIMEOUT`,
		 * `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`, `INVALID_CODE`
		 * @throws {ForbiddenError} `FORBIDDEN`, `CREDENTIAL_NOT_ALLOWED`, `CROSS_SITE_REQUEST`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {ConflictError} `CONFLICT`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		verify(input: TwoFactorVerifyInput, options?: CallOptions): Call<Tokens>;
		/**
		 * Remove the authenticator.
		 *
		 * Also invalidates the recovery codes. All sessions lose their second-factor status.
		 *
		 * `POST /auth/2fa/disable`: requires a session; rate limit `2fa` of 5 in 60 s in addition to the general
		 * one. Not retried once the server may have received it, except after a 429.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `REQUEST_TIMEOUT`,
		 * `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`, `INVALID_CODE`
		 * @throws {ForbiddenError} `FORBIDDEN`, `CREDENTIAL_NOT_ALLOWED`, `REAUTH_REQUIRED`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {ConflictError} `CONFLICT`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		disable(input: TwoFactorDisableInput, options?: CallOptions): Call<void>;
		/**
		 * Replace the recovery codes.
		 *
		 * The previous recovery codes are no longer valid. If the response is lost, repeat the request with the
		 * next code of the authenticator. Without an authenticator, remove it with `POST /auth/2fa/disable`
		 * instead: a lost response would leave you without any code.
		 *
		 * `POST /auth/2fa/recovery-codes`: requires a session; rate limit `2fa` of 5 in 60 s in addition to the
		 * general one. Not retried once the server may have received it, except after a 429.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `REQUEST_TIMEOUT`,
		 * `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`, `INVALID_CODE`
		 * @throws {ForbiddenError} `FORBIDDEN`, `CREDENTIAL_NOT_ALLOWED`, `REAUTH_REQUIRED`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {ConflictError} `CONFLICT`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		recoveryCodes(input: TwoFactorRecoveryCodesInput, options?: CallOptions): Call<RecoveryCodes>;
	};
	readonly sessions: {
		/**
		 * List your sessions.
		 *
		 * Your active sessions in every tenant, newest first.
		 *
		 * `GET /sessions`: requires a session; general rate limit. Changes nothing, so it is retried after any
		 * transient failure.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`, `CREDENTIAL_NOT_ALLOWED`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		list(input?: SessionsListInput, options?: CallOptions): ListCall<Session>;
		/**
		 * End one of your sessions.
		 *
		 * Its tokens are refused from the next request on.
		 *
		 * `DELETE /sessions/:id`: requires a session; general rate limit. Repeating it has the same effect as one
		 * request, so it is retried after any transient failure.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`, `CREDENTIAL_NOT_ALLOWED`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		revoke(input: SessionsRevokeInput, options?: CallOptions): Call<void>;
	};
	readonly apiKeys: {
		/**
		 * List API keys.
		 *
		 * Lists your own keys that are not revoked, including expired ones. With `admin.users`, lists the keys of
		 * any user of the tenant. Keys are deleted 90 days after their expiry.
		 *
		 * `GET /api-keys`: requires a session or an API key or the global API key or a master key; permission
		 * `keys.own`; general rate limit. Changes nothing, so it is retried after any transient failure.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		list(input?: ApiKeysListInput, options?: CallOptions): ListCall<ApiKey>;
		/**
		 * Create an API key.
		 *
		 * Requires a session, so that a stolen key cannot create further keys. The secret is shown only once. A
		 * person has at most 100 active keys in a tenant; returns 409 beyond that. Revoked and expired keys do
		 * not count.
		 *
		 * `POST /api-keys`: requires a session; permission `keys.own`; general rate limit. Sent with an
		 * Idempotency-Key, so it is retried after any transient failure and takes effect once.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `REQUEST_TIMEOUT`,
		 * `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`, `CREDENTIAL_NOT_ALLOWED`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {ConflictError} `CONFLICT`
		 * @throws {IdempotencyError} `IDEMPOTENCY_KEY_IN_USE`, `IDEMPOTENCY_KEY_MISMATCH`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		create(input: ApiKeysCreateInput, options?: KeyedCallOptions): Call<NewApiKey>;
		/**
		 * Revoke an API key.
		 *
		 * The key is refused from the next request on. With `admin.users` you can also revoke keys of other users
		 * of the tenant.
		 *
		 * `DELETE /api-keys/:id`: requires a session or an API key or the global API key or a master key;
		 * permission `keys.own`; general rate limit. Repeating it has the same effect as one request, so it is
		 * retried after any transient failure.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		revoke(input: ApiKeysRevokeInput, options?: CallOptions): Call<void>;
	};
	readonly users: {
		/**
		 * List users.
		 *
		 * Members of your tenant, most recently added first.
		 *
		 * `GET /users`: requires a session or an API key or the global API key or a master key; permission
		 * `admin.users`; general rate limit. Changes nothing, so it is retried after any transient failure.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		list(input?: UsersListInput, options?: CallOptions): ListCall<User>;
		/**
		 * Invite a user.
		 *
		 * Sends an invitation by mail, valid for 7 days. The person becomes a member by accepting it. The
		 * response does not reveal whether the person already has an account. Returns 409 if your tenant already
		 * has a user with the address, and if the mailbox has been sent three invitations within 15 minutes.
		 *
		 * `POST /users`: requires a session or an API key or the global API key or a master key; the session must
		 * have passed a second factor, otherwise `onStepUp` is called; permission `admin.users`; general rate
		 * limit. Sent with an Idempotency-Key, so it is retried after any transient failure and takes effect
		 * once.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `REQUEST_TIMEOUT`,
		 * `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {MfaRequiredError} `MFA_REQUIRED`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {ConflictError} `CONFLICT`
		 * @throws {IdempotencyError} `IDEMPOTENCY_KEY_IN_USE`, `IDEMPOTENCY_KEY_MISMATCH`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		create(input: UsersCreateInput, options?: KeyedCallOptions): Call<User>;
		/**
		 * Send an invitation again.
		 *
		 * Sends a new link, valid for 7 days; earlier links are void. Returns 409 if the user has accepted the
		 * invitation, for 10 minutes after the invitation was sent, and if the mailbox has been sent three
		 * invitations within 15 minutes.
		 *
		 * `POST /users/:id/resend-invitation`: requires a session or an API key or the global API key or a master
		 * key; the session must have passed a second factor, otherwise `onStepUp` is called; permission
		 * `admin.users`; general rate limit. Sent with an Idempotency-Key, so it is retried after any transient
		 * failure and takes effect once.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {MfaRequiredError} `MFA_REQUIRED`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {ConflictError} `CONFLICT`
		 * @throws {IdempotencyError} `IDEMPOTENCY_KEY_IN_USE`, `IDEMPOTENCY_KEY_MISMATCH`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		resendInvitation(input: UsersResendInvitationInput, options?: KeyedCallOptions): Call<User>;
		/**
		 * Get a user.
		 *
		 * Returns a member of your tenant.
		 *
		 * `GET /users/:id`: requires a session or an API key or the global API key or a master key; permission
		 * `admin.users`; general rate limit. Changes nothing, so it is retried after any transient failure.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		get(input: UsersGetInput, options?: CallOptions): Call<User>;
		/**
		 * Change a user.
		 *
		 * Takes effect with the user's next request. Disabling also ends the user's sessions. Returns 409 if the
		 * tenant would be left without an active admin, for your own role and status, and for the status of a
		 * user who has not accepted the invitation yet.
		 *
		 * `PATCH /users/:id`: requires a session or an API key or the global API key or a master key; the session
		 * must have passed a second factor, otherwise `onStepUp` is called; permission `admin.users`; general
		 * rate limit. Repeating it has the same effect as one request, so it is retried after any transient
		 * failure.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `REQUEST_TIMEOUT`,
		 * `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {MfaRequiredError} `MFA_REQUIRED`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {ConflictError} `CONFLICT`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		update(input: UsersUpdateInput, options?: CallOptions): Call<User>;
		/**
		 * Remove a user.
		 *
		 * Ends the membership and deletes its sessions and API keys immediately. Erases the personal data of the
		 * user in your tenant; the audit trail keeps only the id. Returns 409 for the last active admin and for
		 * yourself.
		 *
		 * `DELETE /users/:id`: requires a session or an API key or the global API key or a master key; the
		 * session must have passed a second factor, otherwise `onStepUp` is called; permission `admin.users`;
		 * general rate limit. Repeating it has the same effect as one request, so it is retried after any
		 * transient failure.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {MfaRequiredError} `MFA_REQUIRED`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {ConflictError} `CONFLICT`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		delete(input: UsersDeleteInput, options?: CallOptions): Call<void>;
	};
	readonly roles: {
		/**
		 * List roles.
		 *
		 * Returns all roles in one response: the built-in roles first, then the roles of the tenant by name.
		 *
		 * `GET /roles`: requires a session or an API key or the global API key or a master key; permission
		 * `admin.users`; general rate limit. Changes nothing, so it is retried after any transient failure.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		list(input?: NoInput, options?: CallOptions): ListCall<Role>;
		/**
		 * Create a role.
		 *
		 * You can only include permissions that you have yourself. A tenant can have up to 500 roles besides the
		 * built-in ones.
		 *
		 * `POST /roles`: requires a session or an API key or the global API key or a master key; the session must
		 * have passed a second factor, otherwise `onStepUp` is called; permission `admin.users`; general rate
		 * limit. Sent with an Idempotency-Key, so it is retried after any transient failure and takes effect
		 * once.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `REQUEST_TIMEOUT`,
		 * `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {MfaRequiredError} `MFA_REQUIRED`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {ConflictError} `CONFLICT`
		 * @throws {IdempotencyError} `IDEMPOTENCY_KEY_IN_USE`, `IDEMPOTENCY_KEY_MISMATCH`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		create(input: RolesCreateInput, options?: KeyedCallOptions): Call<Role>;
		/**
		 * Replace a role.
		 *
		 * The permissions of every member with the role change with their next request. Returns 409 for a
		 * built-in role.
		 *
		 * `PUT /roles/:name`: requires a session or an API key or the global API key or a master key; the session
		 * must have passed a second factor, otherwise `onStepUp` is called; permission `admin.users`; general
		 * rate limit. Repeating it has the same effect as one request, so it is retried after any transient
		 * failure.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `REQUEST_TIMEOUT`,
		 * `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {MfaRequiredError} `MFA_REQUIRED`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {ConflictError} `CONFLICT`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		update(input: RolesUpdateInput, options?: CallOptions): Call<Role>;
		/**
		 * Delete a role.
		 *
		 * Returns 409 for a built-in role and for a role that is assigned to a member.
		 *
		 * `DELETE /roles/:name`: requires a session or an API key or the global API key or a master key; the
		 * session must have passed a second factor, otherwise `onStepUp` is called; permission `admin.users`;
		 * general rate limit. Repeating it has the same effect as one request, so it is retried after any
		 * transient failure.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {MfaRequiredError} `MFA_REQUIRED`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {ConflictError} `CONFLICT`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		delete(input: RolesDeleteInput, options?: CallOptions): Call<void>;
	};
	readonly tenant: {
		/**
		 * Get your tenant.
		 *
		 * Returns the tenant of the credential, its licensed features and its settings.
		 *
		 * `GET /tenant`: requires a session or an API key or the global API key or a master key; general rate
		 * limit. Changes nothing, so it is retried after any transient failure.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		get(input?: NoInput, options?: CallOptions): Call<Tenant>;
		/**
		 * Change your tenant.
		 *
		 * Omitted members keep their value.
		 *
		 * `PATCH /tenant`: requires a session or an API key or the global API key or a master key; the session
		 * must have passed a second factor, otherwise `onStepUp` is called; permission `admin.settings`; general
		 * rate limit. Repeating it has the same effect as one request, so it is retried after any transient
		 * failure.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `REQUEST_TIMEOUT`,
		 * `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {MfaRequiredError} `MFA_REQUIRED`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		update(input?: TenantUpdateInput, options?: CallOptions): Call<Tenant>;
	};
	readonly saml: {
		/**
		 * Get the SAML settings.
		 *
		 * Returns the identity provider of the tenant, or 404 if there is none.
		 *
		 * `GET /tenant/saml`: requires a session or an API key or the global API key or a master key; permission
		 * `admin.settings`; licensed feature `sso`; general rate limit. Changes nothing, so it is retried after
		 * any transient failure.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {FeatureNotLicensedError} `FEATURE_NOT_LICENSED`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		getSettings(input?: NoInput, options?: CallOptions): Call<SamlSettings>;
		/**
		 * Set the SAML settings.
		 *
		 * Accepts the metadata of the identity provider, or its three essential parts. The server never fetches
		 * metadata. All account links are reset: at their next sign-in people are recognized by their address. If
		 * the entity ID or the address of the provider changes, or none of its certificates stays, the sessions
		 * that it opened end, and the API keys that were made in them are revoked. A new certificate beside one
		 * that stays ends nothing. You must have every permission of each member whose address is in
		 * `emailDomains`. All administrators are notified by mail. Members who have an `admin.*` permission, or
		 * more permissions than you, must confirm the new provider at their first sign-in. Until a domain is
		 * verified (`POST /tenant/domains`) the provider can sign in only accounts that it created in this
		 * tenant, and people whom it added leave the tenant when they prove their address by mail or with Google.
		 * Expired certificates in metadata are ignored if another one is valid.
		 *
		 * `PUT /tenant/saml`: requires a session or an API key or the global API key or a master key; the session
		 * must have passed a second factor, otherwise `onStepUp` is called; permission `admin.settings`;
		 * permission `admin.users`; licensed feature `sso`; general rate limit. Repeating it has the same effect
		 * as one request, so it is retried after any transient failure.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `REQUEST_TIMEOUT`,
		 * `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {MfaRequiredError} `MFA_REQUIRED`
		 * @throws {FeatureNotLicensedError} `FEATURE_NOT_LICENSED`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		putSettings(input: SamlPutSettingsInput, options?: CallOptions): Call<SamlSettings>;
		/**
		 * Delete the SAML settings.
		 *
		 * Disables sign-in through the provider and ends the sessions that it opened, and revokes the API keys
		 * that were made in them. Accounts are kept but no longer linked to it. All administrators are notified
		 * by mail. Does not require the feature `sso`.
		 *
		 * `DELETE /tenant/saml`: requires a session or an API key or the global API key or a master key; the
		 * session must have passed a second factor, otherwise `onStepUp` is called; permission `admin.settings`;
		 * permission `admin.users`; general rate limit. Repeating it has the same effect as one request, so it is
		 * retried after any transient failure.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {MfaRequiredError} `MFA_REQUIRED`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		deleteSettings(input?: NoInput, options?: CallOptions): Call<void>;
		/**
		 * Find the identity provider of an e-mail address.
		 *
		 * Returns where people with an address of this domain start to sign in with SAML, if a tenant has
		 * verified the domain and set up a provider for it. The response depends on the domain alone, so it does
		 * not show whether an account exists.
		 *
		 * `POST /auth/saml/discover`: requires no credential; rate limit `saml-discover` of 10 in 60 s in
		 * addition to the general one. Changes nothing, so it is retried after any transient failure.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `REQUEST_TIMEOUT`, `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `INTERNAL`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `SERVICE_UNAVAILABLE`
		 */
		discover(input: SamlDiscoverInput, options?: CallOptions): Call<SamlDiscovery>;
	};
	readonly domains: {
		/**
		 * List your e-mail domains.
		 *
		 * Returns all domains in one response, newest first.
		 *
		 * `GET /tenant/domains`: requires a session or an API key or the global API key or a master key;
		 * permission `admin.settings`; licensed feature `sso`; general rate limit. Changes nothing, so it is
		 * retried after any transient failure.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {FeatureNotLicensedError} `FEATURE_NOT_LICENSED`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		list(input?: NoInput, options?: CallOptions): ListCall<Domain>;
		/**
		 * Add an e-mail domain.
		 *
		 * Returns the DNS record that proves ownership of the domain. Add the record, then call `POST
		 * /tenant/domains/{domain}/verify`. Each tenant must prove a domain separately. A tenant can have at most
		 * 50 domains; returns 409 if the limit is reached or the domain was already added.
		 *
		 * `POST /tenant/domains`: requires a session or an API key or the global API key or a master key; the
		 * session must have passed a second factor, otherwise `onStepUp` is called; permission `admin.settings`;
		 * licensed feature `sso`; general rate limit. Sent with an Idempotency-Key, so it is retried after any
		 * transient failure and takes effect once.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `REQUEST_TIMEOUT`,
		 * `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {MfaRequiredError} `MFA_REQUIRED`
		 * @throws {FeatureNotLicensedError} `FEATURE_NOT_LICENSED`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {ConflictError} `CONFLICT`
		 * @throws {IdempotencyError} `IDEMPOTENCY_KEY_IN_USE`, `IDEMPOTENCY_KEY_MISMATCH`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		create(input: DomainsCreateInput, options?: KeyedCallOptions): Call<Domain>;
		/**
		 * Verify an e-mail domain.
		 *
		 * Looks up the TXT records of the domain in the DNS. A domain stays verified until it is removed or a
		 * later call finds that the record is gone. Returns 409, and the domain stays verified, if the record is
		 * gone and no admin would remain whose membership is independent of the identity provider: add the record
		 * again, or invite such an admin first. The master key withdraws the verification nevertheless.
		 *
		 * `POST /tenant/domains/:domain/verify`: requires a session or an API key or the global API key or a
		 * master key; the session must have passed a second factor, otherwise `onStepUp` is called; permission
		 * `admin.settings`; licensed feature `sso`; general rate limit. Repeating it has the same effect as one
		 * request, so it is retried after any transient failure.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `DOMAIN_NOT_VERIFIED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {MfaRequiredError} `MFA_REQUIRED`
		 * @throws {FeatureNotLicensedError} `FEATURE_NOT_LICENSED`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {ConflictError} `CONFLICT`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		verify(input: DomainsVerifyInput, options?: CallOptions): Call<Domain>;
		/**
		 * Remove an e-mail domain.
		 *
		 * From the next sign-in on, the identity provider can no longer sign in accounts with addresses of this
		 * domain that exist outside the tenant. Returns 409 if no admin would remain whose membership is
		 * independent of the identity provider: invite one first. The master key may remove the domain
		 * nevertheless. Does not require the feature `sso`.
		 *
		 * `DELETE /tenant/domains/:domain`: requires a session or an API key or the global API key or a master
		 * key; the session must have passed a second factor, otherwise `onStepUp` is called; permission
		 * `admin.settings`; general rate limit. Repeating it has the same effect as one request, so it is retried
		 * after any transient failure.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {MfaRequiredError} `MFA_REQUIRED`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {ConflictError} `CONFLICT`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		delete(input: DomainsDeleteInput, options?: CallOptions): Call<void>;
	};
	readonly auditEvents: {
		/**
		 * List audit events.
		 *
		 * Newest first: every change and every sign-in of your members, including refused ones. A refused sign-in
		 * or change that names a tenant which the person does not belong to is listed in the tenant of the
		 * person. Events never change, except that the names of erased people are removed.
		 *
		 * `GET /audit-events`: requires a session or an API key or the global API key or a master key; permission
		 * `admin.audit`; general rate limit. Changes nothing, so it is retried after any transient failure.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		list(input?: AuditEventsListInput, options?: CallOptions): ListCall<AuditEvent>;
		/**
		 * Export audit events.
		 *
		 * Exports NDJSON, one event per line, oldest first, up to the time of the request. The response is
		 * streamed: if it ends before its last chunk, it is incomplete. Events become visible shortly after their
		 * time. To continue an earlier export, begin a few minutes before its end and skip the ids that you have.
		 *
		 * `GET /audit-events/export`: requires a session or an API key or the global API key or a master key;
		 * permission `admin.audit`; licensed feature `audit_export`; general rate limit. Retried after any
		 * transient failure until its first chunk arrives; a later failure ends it with a `ConnectionError`.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {FeatureNotLicensedError} `FEATURE_NOT_LICENSED`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		export(input?: AuditEventsExportInput, options?: CallOptions): Stream<string, Uint8Array>;
	};
	readonly projects: {
		/**
		 * List projects.
		 *
		 * Newest first, each with its current inventory.
		 *
		 * `GET /projects`: requires a session or an API key or the global API key or a master key; permission
		 * `projects.read`; general rate limit. Changes nothing, so it is retried after any transient failure.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		list(input?: ProjectsListInput, options?: CallOptions): ListCall<Project>;
		/**
		 * Create a project.
		 *
		 * The name identifies the project in URLs. It is unique in the tenant and cannot be changed.
		 *
		 * `POST /projects`: requires a session or an API key or the global API key or a master key; permission
		 * `projects.write`; general rate limit. Sent with an Idempotency-Key, so it is retried after any
		 * transient failure and takes effect once.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `REQUEST_TIMEOUT`,
		 * `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {ConflictError} `CONFLICT`
		 * @throws {IdempotencyError} `IDEMPOTENCY_KEY_IN_USE`, `IDEMPOTENCY_KEY_MISMATCH`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		create(input: ProjectsCreateInput, options?: KeyedCallOptions): Call<Project>;
		/**
		 * Get a project.
		 *
		 * Returns the project with its current inventory.
		 *
		 * `GET /projects/:name`: requires a session or an API key or the global API key or a master key;
		 * permission `projects.read`; general rate limit. Changes nothing, so it is retried after any transient
		 * failure.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		get(input: ProjectsGetInput, options?: CallOptions): Call<Project>;
		/**
		 * Change a project.
		 *
		 * Omitted members keep their value. The name cannot be changed.
		 *
		 * `PATCH /projects/:name`: requires a session or an API key or the global API key or a master key;
		 * permission `projects.write`; general rate limit. Repeating it has the same effect as one request, so it
		 * is retried after any transient failure.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `REQUEST_TIMEOUT`,
		 * `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		update(input: ProjectsUpdateInput, options?: CallOptions): Call<Project>;
		/**
		 * Delete a project.
		 *
		 * Cancels its scans and deletes its inventories and findings. A new project with the same name starts
		 * empty.
		 *
		 * `DELETE /projects/:name`: requires a session or an API key or the global API key or a master key;
		 * permission `projects.write`; general rate limit. Repeating it has the same effect as one request, so it
		 * is retried after any transient failure.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		delete(input: ProjectsDeleteInput, options?: CallOptions): Call<void>;
		/**
		 * List the inventories of a project.
		 *
		 * Newest first. The first is the current inventory. The operator sets how many are kept.
		 *
		 * `GET /projects/:name/inventories`: requires a session or an API key or the global API key or a master
		 * key; permission `projects.read`; general rate limit. Changes nothing, so it is retried after any
		 * transient failure.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		inventories(input: ProjectsInventoriesInput, options?: CallOptions): ListCall<Inventory>;
		/**
		 * Upload an inventory.
		 *
		 * Accepts a Cloud Asset Inventory export as NDJSON (`application/x-ndjson`) or as a JSON array
		 * (`application/json`), optionally with `Content-Encoding: gzip`, streamed. Blank lines and lines that
		 * begin with `#` are skipped. RESOURCE, IAM_POLICY, ORG_POLICY and ACCESS_POLICY records of one asset are
		 * merged. A JSON object is read as the output of `terraform show -json` for a plan or a state: its Google
		 * resources are evaluated in their planned state, and values known only after apply leave a verdict
		 * UNKNOWN. If a record is malformed, nothing changes and the previous inventory stays current. The same
		 * applies if the server has no capacity at the moment (503). Limits: 4 MiB, 64 levels, 250,000 values and
		 * 50,000 object members per record; 8 MiB for all records of one asset; 16 MiB for a Terraform document;
		 * 1,000 asset types per inventory. A tenant can run two uploads at the same time; another waits up to 20
		 * seconds and is then refused with 429. An upload that delivers too few bytes is refused with 408: fewer
		 * than 16 KiB in 30 seconds, or fewer than 64 KiB/s over 10 seconds while the server has no free slot, or
		 * for more than 4 MiB no free process, and another tenant needs one. While the other tenant has no
		 * upload, the bound is 1 MiB/s for the slower of two uploads of your tenant, and for one that has taken
		 * more than 5 minutes.
		 *
		 * `PUT /projects/:name/inventory`: requires a session or an API key or the global API key or a master
		 * key; permission `projects.write`; general rate limit. Repeating it has the same effect as one request,
		 * so it is retried after any transient failure.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `REQUEST_TIMEOUT`,
		 * `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		uploadInventory(input: ProjectsUploadInventoryInput, options?: CallOptions): Call<Inventory>;
	};
	readonly assets: {
		/**
		 * List the assets of a project.
		 *
		 * The assets of the current inventory, ordered by name, then type. Empty without an inventory. Returns
		 * 503 for an inventory that an earlier release stored, until it has been indexed in the background.
		 *
		 * `GET /projects/:project/assets`: requires a session or an API key or the global API key or a master
		 * key; permission `findings.read`; general rate limit. Changes nothing, so it is retried after any
		 * transient failure.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		list(input: AssetsListInput, options?: CallOptions): ListCall<Asset>;
		/**
		 * Get an asset.
		 *
		 * Returns the asset as it is stored in the current inventory, its findings, and the verdicts of the last
		 * completed scan. Returns 503 for an inventory that an earlier release stored, until it has been indexed
		 * in the background.
		 *
		 * `GET /projects/:project/assets/lookup`: requires a session or an API key or the global API key or a
		 * master key; permission `findings.read`; general rate limit. Changes nothing, so it is retried after any
		 * transient failure.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		lookup(input: AssetsLookupInput, options?: CallOptions): Call<AssetDetails>;
	};
	readonly sources: {
		/**
		 * Set the inventory source of a project.
		 *
		 * Returns 201 for a first source and 200 when it replaces another. Nothing is sent to Google; `POST
		 * /projects/{name}/source/check` tries the credential. A pull in progress with the former source fails.
		 * Files of workload identity federation (`external_account`) are refused with 422, because they can name
		 * files, addresses and executables.
		 *
		 * `PUT /projects/:name/source`: requires a session or an API key or the global API key or a master key;
		 * permission `projects.write`; general rate limit. Repeating it has the same effect as one request, so it
		 * is retried after any transient failure.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `REQUEST_TIMEOUT`,
		 * `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `SOURCE_REFUSED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		set(input: SourcesSetInput, options?: CallOptions): Call<ProjectSource>;
		/**
		 * Get the inventory source of a project.
		 *
		 * Returns the source without its credential, and the result of its last pull.
		 *
		 * `GET /projects/:name/source`: requires a session or an API key or the global API key or a master key;
		 * permission `projects.write`; general rate limit. Changes nothing, so it is retried after any transient
		 * failure.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		get(input: SourcesGetInput, options?: CallOptions): Call<ProjectSource>;
		/**
		 * Delete the inventory source of a project.
		 *
		 * Deletes the credential too. A pull in progress fails. Inventories that were pulled stay.
		 *
		 * `DELETE /projects/:name/source`: requires a session or an API key or the global API key or a master
		 * key; permission `projects.write`; general rate limit. Repeating it has the same effect as one request,
		 * so it is retried after any transient failure.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		delete(input: SourcesDeleteInput, options?: CallOptions): Call<void>;
		/**
		 * Check the inventory source of a project.
		 *
		 * Asks Google for the smallest page of each content type, within 20 seconds. Changes nothing. Faults of
		 * Google are reported in the response, each with what to do.
		 *
		 * `POST /projects/:name/source/check`: requires a session or an API key or the global API key or a master
		 * key; permission `projects.write`; rate limit `preflight` of 10 in 60 s in addition to the general one.
		 * Changes nothing, so it is retried after any transient failure.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		check(input: SourcesCheckInput, options?: CallOptions): Call<SourceCheck>;
	};
	readonly pulls: {
		/**
		 * Pull a new inventory.
		 *
		 * Queues a job that reads all pages from the source. The new inventory replaces the old one when it is
		 * complete; until then, and after a failure, the old one stays current. A project has one pull at a time:
		 * 409 while another is queued or running, and without a source.
		 *
		 * `POST /projects/:name/inventory/pull`: requires a session or an API key or the global API key or a
		 * master key; permission `projects.write`; rate limit `preflight` of 10 in 60 s in addition to the
		 * general one. Sent with an Idempotency-Key, so it is retried after any transient failure and takes
		 * effect once.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {ConflictError} `CONFLICT`
		 * @throws {IdempotencyError} `IDEMPOTENCY_KEY_IN_USE`, `IDEMPOTENCY_KEY_MISMATCH`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		start(input: PullsStartInput, options?: KeyedCallOptions): Call<Pull>;
		/**
		 * List the pulls of a project.
		 *
		 * Newest first. The newest 100 are kept.
		 *
		 * `GET /projects/:name/inventory/pulls`: requires a session or an API key or the global API key or a
		 * master key; permission `projects.write`; general rate limit. Changes nothing, so it is retried after
		 * any transient failure.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		list(input: PullsListInput, options?: CallOptions): ListCall<Pull>;
		/**
		 * Get a pull.
		 *
		 * Returns the progress of the pull, or its result.
		 *
		 * `GET /projects/:name/inventory/pulls/:id`: requires a session or an API key or the global API key or a
		 * master key; permission `projects.write`; general rate limit. Changes nothing, so it is retried after
		 * any transient failure.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		get(input: PullsGetInput, options?: CallOptions): Call<Pull>;
	};
	readonly preflight: {
		/**
		 * Check whether a scan can start.
		 *
		 * Changes nothing. `POST /scans` makes the same checks and refuses the scan if one fails.
		 *
		 * `POST /preflight`: requires a session or an API key or the global API key or a master key; permission
		 * `preflight.run`; rate limit `preflight` of 10 in 60 s in addition to the general one. Changes nothing,
		 * so it is retried after any transient failure.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `REQUEST_TIMEOUT`,
		 * `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		run(input: PreflightRunInput, options?: CallOptions): Call<Preflight>;
	};
	readonly scans: {
		/**
		 * List scans.
		 *
		 * Newest first. Use `ids` to poll several scans with one request.
		 *
		 * `GET /scans`: requires a session or an API key or the global API key or a master key; permission
		 * `scans.read`; general rate limit. Changes nothing, so it is retried after any transient failure.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		list(input?: ScansListInput, options?: CallOptions): ListCall<Scan>;
		/**
		 * Launch a scan.
		 *
		 * Queues one evaluation per project and returns immediately. Repeating the request with the same
		 * Idempotency-Key never launches a second scan.
		 *
		 * `POST /scans`: requires a session or an API key or the global API key or a master key; permission
		 * `scans.launch`; rate limit `scans` of 10 in 60 s in addition to the general one. Sent with an
		 * Idempotency-Key, so it is retried after any transient failure and takes effect once.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `REQUEST_TIMEOUT`,
		 * `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {IdempotencyError} `IDEMPOTENCY_KEY_IN_USE`, `IDEMPOTENCY_KEY_MISMATCH`
		 * @throws {PreflightBlockedError} `PREFLIGHT_BLOCKED`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		launch(input: ScansLaunchInput, options?: KeyedCallOptions): Call<Scan>;
		/**
		 * Get a scan.
		 *
		 * Returns the progress and the results so far. A final `status` never changes.
		 *
		 * `GET /scans/:id`: requires a session or an API key or the global API key or a master key; permission
		 * `scans.read`; general rate limit. Changes nothing, so it is retried after any transient failure.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		get(input: ScansGetInput, options?: CallOptions): Call<Scan>;
		/**
		 * List verdicts of a scan by rule.
		 *
		 * Returns all rules of the profile in one response.
		 *
		 * `GET /scans/:id/rules`: requires a session or an API key or the global API key or a master key;
		 * permission `scans.read`; general rate limit. Changes nothing, so it is retried after any transient
		 * failure.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		rules(input: ScansRulesInput, options?: CallOptions): ListCall<RuleCount>;
		/**
		 * Get the compliance of a scan with a framework.
		 *
		 * Returns the status of every requirement of the framework, including those that a person must assess and
		 * those that the inventory cannot decide.
		 *
		 * `GET /scans/:id/compliance`: requires a session or an API key or the global API key or a master key;
		 * permission `scans.read`; general rate limit. Changes nothing, so it is retried after any transient
		 * failure.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		compliance(input: ScansComplianceInput, options?: CallOptions): Call<ComplianceReport>;
		/**
		 * Get a report of a scan.
		 *
		 * Returns a document for people: score, trend, the requirements of a framework, the most severe findings
		 * and the muted findings. `html` is one page without scripts that opens from disk; `pdf` has the same
		 * content; `csv` has the requirements. Findings are as the scan saw them, muted by the mutes that are
		 * active now. Lists of findings are limited and state their total. The response is streamed: if it ends
		 * before its last chunk, it is incomplete. Returns 409 if the scan has not completed.
		 *
		 * `GET /scans/:id/report`: requires a session or an API key or the global API key or a master key;
		 * permission `findings.read`; general rate limit. Retried after any transient failure until its first
		 * chunk arrives; a later failure ends it with a `ConnectionError`.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {ConflictError} `SCAN_NOT_COMPLETED`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		report(input: ScansReportInput, options?: CallOptions): Stream<Uint8Array>;
		/**
		 * Compare two scans.
		 *
		 * Lists the findings of two scans, newest first, each with its change from the earlier scan to this one.
		 * Only projects that completed in both scans are compared. Returns 409 if one of the scans has not
		 * completed, and 422 if `with` is not earlier or has no project in common.
		 *
		 * `GET /scans/:id/compare`: requires a session or an API key or the global API key or a master key;
		 * permission `findings.read`; general rate limit. Changes nothing, so it is retried after any transient
		 * failure.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `SCANS_NOT_COMPARABLE`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {ConflictError} `SCAN_NOT_COMPLETED`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		compare(input: ScansCompareInput, options?: CallOptions): ListCall<ComparedFinding, ScanComparison>;
		/**
		 * Cancel a scan.
		 *
		 * Cancels the scan within seconds and keeps its results so far. A finished scan is returned unchanged.
		 *
		 * `POST /scans/:id/cancel`: requires a session or an API key or the global API key or a master key;
		 * permission `scans.cancel`; general rate limit. Repeating it has the same effect as one request, so it
		 * is retried after any transient failure.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		cancel(input: ScansCancelInput, options?: CallOptions): Call<Scan>;
		/**
		 * Follow a scan.
		 *
		 * Server-sent events: `progress` with the scan, at most once per second and with an increasing `id`, then
		 * `done` with the finished scan, then the stream ends. A comment every 15 seconds keeps the connection
		 * open. `Last-Event-ID` resumes.
		 *
		 * `GET /scans/:id/events`: requires a session or an API key or the global API key or a master key;
		 * permission `scans.read`; general rate limit. Retried after any transient failure, and resumed after the
		 * last event if a connection ends early.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		events(input: ScansEventsInput, options?: CallOptions): Stream<ServerEvent<Scan>>;
		/**
		 * Waits until a scan has finished and resolves with it, whatever its status.
		 *
		 * Follows the events of the scan, or polls if events do not arrive. Concurrent waits share one poll. Rate
		 * limits and temporary failures of the service are retried.
		 *
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {TimeoutError} when `timeoutMs` has elapsed
		 * @throws {AbortError} when the signal is aborted
		 */
		wait: WaitForScan;
	};
	readonly schedules: {
		/**
		 * List schedules.
		 *
		 * The schedules of your tenant, newest first.
		 *
		 * `GET /schedules`: requires a session or an API key or the global API key or a master key; permission
		 * `scans.launch`; general rate limit. Changes nothing, so it is retried after any transient failure.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		list(input?: SchedulesListInput, options?: CallOptions): ListCall<Schedule>;
		/**
		 * Create a schedule.
		 *
		 * A tenant has at most 100 schedules. Returns 409 beyond that, and when a schedule has that name. A
		 * schedule acts with your permissions at the time of each run, so only credentials of persons are
		 * accepted.
		 *
		 * `POST /schedules`: requires a session or an API key; permission `scans.launch`; general rate limit.
		 * Sent with an Idempotency-Key, so it is retried after any transient failure and takes effect once.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `REQUEST_TIMEOUT`,
		 * `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`, `CREDENTIAL_NOT_ALLOWED`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {ConflictError} `CONFLICT`
		 * @throws {IdempotencyError} `IDEMPOTENCY_KEY_IN_USE`, `IDEMPOTENCY_KEY_MISMATCH`
		 * @throws {PreflightBlockedError} `PREFLIGHT_BLOCKED`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		create(input: SchedulesCreateInput, options?: KeyedCallOptions): Call<Schedule>;
		/**
		 * Get a schedule.
		 *
		 * Returns when it runs next, and how its last run went.
		 *
		 * `GET /schedules/:id`: requires a session or an API key or the global API key or a master key;
		 * permission `scans.launch`; general rate limit. Changes nothing, so it is retried after any transient
		 * failure.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		get(input: SchedulesGetInput, options?: CallOptions): Call<Schedule>;
		/**
		 * Change a schedule.
		 *
		 * The next run is recomputed when `cron`, `timezone` or `enabled` changes. The person who enables a
		 * disabled schedule becomes its owner. It then acts with the permissions of that person, so only
		 * credentials of persons can enable it.
		 *
		 * `PUT /schedules/:id`: requires a session or an API key or the global API key or a master key;
		 * permission `scans.launch`; general rate limit. Repeating it has the same effect as one request, so it
		 * is retried after any transient failure.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `REQUEST_TIMEOUT`,
		 * `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`, `CREDENTIAL_NOT_ALLOWED`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {ConflictError} `CONFLICT`
		 * @throws {PreflightBlockedError} `PREFLIGHT_BLOCKED`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		update(input: SchedulesUpdateInput, options?: CallOptions): Call<Schedule>;
		/**
		 * Delete a schedule.
		 *
		 * Scans that it has launched stay.
		 *
		 * `DELETE /schedules/:id`: requires a session or an API key or the global API key or a master key;
		 * permission `scans.launch`; general rate limit. Repeating it has the same effect as one request, so it
		 * is retried after any transient failure.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		delete(input: SchedulesDeleteInput, options?: CallOptions): Call<void>;
	};
	readonly webhooks: {
		/**
		 * List webhooks.
		 *
		 * The webhooks of your tenant, newest first.
		 *
		 * `GET /webhooks`: requires a session or an API key or the global API key or a master key; permission
		 * `admin.settings`; general rate limit. Changes nothing, so it is retried after any transient failure.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		list(input?: WebhooksListInput, options?: CallOptions): ListCall<Webhook>;
		/**
		 * Create a webhook.
		 *
		 * The signing secret is shown only in this response. A tenant has at most 100 webhooks; returns 409
		 * beyond that.
		 *
		 * `POST /webhooks`: requires a session or an API key or the global API key or a master key; permission
		 * `admin.settings`; general rate limit. Sent with an Idempotency-Key, so it is retried after any
		 * transient failure and takes effect once.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `REQUEST_TIMEOUT`,
		 * `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {ConflictError} `CONFLICT`
		 * @throws {IdempotencyError} `IDEMPOTENCY_KEY_IN_USE`, `IDEMPOTENCY_KEY_MISMATCH`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		create(input: WebhooksCreateInput, options?: KeyedCallOptions): Call<NewWebhook>;
		/**
		 * Get a webhook.
		 *
		 * The signing secret is not shown again.
		 *
		 * `GET /webhooks/:id`: requires a session or an API key or the global API key or a master key; permission
		 * `admin.settings`; general rate limit. Changes nothing, so it is retried after any transient failure.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		get(input: WebhooksGetInput, options?: CallOptions): Call<Webhook>;
		/**
		 * Change a webhook.
		 *
		 * Deliveries that wait for their next attempt go to the new URL. Disabling a webhook marks its waiting
		 * deliveries as failed.
		 *
		 * `PUT /webhooks/:id`: requires a session or an API key or the global API key or a master key; permission
		 * `admin.settings`; general rate limit. Repeating it has the same effect as one request, so it is retried
		 * after any transient failure.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `REQUEST_TIMEOUT`,
		 * `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		update(input: WebhooksUpdateInput, options?: CallOptions): Call<Webhook>;
		/**
		 * Delete a webhook.
		 *
		 * Its deliveries are deleted with it.
		 *
		 * `DELETE /webhooks/:id`: requires a session or an API key or the global API key or a master key;
		 * permission `admin.settings`; general rate limit. Repeating it has the same effect as one request, so it
		 * is retried after any transient failure.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		delete(input: WebhooksDeleteInput, options?: CallOptions): Call<void>;
		/**
		 * Rotate the signing secret.
		 *
		 * Returns a new secret. For 24 hours each event has two signatures, one by the new and one by the
		 * previous secret. Another rotation in that time ends the older of the two secrets at once.
		 *
		 * `POST /webhooks/:id/rotate-secret`: requires a session or an API key or the global API key or a master
		 * key; permission `admin.settings`; general rate limit. Sent with an Idempotency-Key, so it is retried
		 * after any transient failure and takes effect once.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {IdempotencyError} `IDEMPOTENCY_KEY_IN_USE`, `IDEMPOTENCY_KEY_MISMATCH`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		rotateSecret(input: WebhooksRotateSecretInput, options?: KeyedCallOptions): Call<WebhookSecret>;
		/**
		 * Send a test event.
		 *
		 * Queues an event of type `webhook.test`, whatever events the webhook subscribes to. Returns 409 for a
		 * disabled webhook.
		 *
		 * `POST /webhooks/:id/test`: requires a session or an API key or the global API key or a master key;
		 * permission `admin.settings`; general rate limit. Sent with an Idempotency-Key, so it is retried after
		 * any transient failure and takes effect once.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {ConflictError} `CONFLICT`
		 * @throws {IdempotencyError} `IDEMPOTENCY_KEY_IN_USE`, `IDEMPOTENCY_KEY_MISMATCH`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		test(input: WebhooksTestInput, options?: KeyedCallOptions): Call<WebhookDelivery>;
		/**
		 * List deliveries.
		 *
		 * The events for a webhook, newest first.
		 *
		 * `GET /webhooks/:id/deliveries`: requires a session or an API key or the global API key or a master key;
		 * permission `admin.settings`; general rate limit. Changes nothing, so it is retried after any transient
		 * failure.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		deliveries(input: WebhooksDeliveriesInput, options?: CallOptions): ListCall<WebhookDelivery>;
		/**
		 * Deliver an event again.
		 *
		 * Starts the attempts again, with the same `webhook-id`. Returns 409 for a disabled webhook.
		 *
		 * `POST /webhooks/:id/deliveries/:deliveryId/redeliver`: requires a session or an API key or the global
		 * API key or a master key; permission `admin.settings`; general rate limit. Sent with an Idempotency-Key,
		 * so it is retried after any transient failure and takes effect once.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {ConflictError} `CONFLICT`
		 * @throws {IdempotencyError} `IDEMPOTENCY_KEY_IN_USE`, `IDEMPOTENCY_KEY_MISMATCH`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		redeliver(input: WebhooksRedeliverInput, options?: KeyedCallOptions): Call<WebhookDelivery>;
	};
	readonly findings: {
		/**
		 * List findings.
		 *
		 * Newest first, unless `sort` says otherwise. Without `scan`, returns the current state across all scans.
		 * A cursor is valid only for the `sort` that it came from and, with `sort=severity` or `sort=lastSeen`,
		 * only for the same filters; otherwise the response is 400.
		 *
		 * `GET /findings`: requires a session or an API key or the global API key or a master key; permission
		 * `findings.read`; general rate limit. Changes nothing, so it is retried after any transient failure.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		list(input?: FindingsListInput, options?: CallOptions): ListCall<Finding>;
		/**
		 * Count findings.
		 *
		 * Counts the findings that match the filters of `GET /findings`, by severity, status, project and rule,
		 * with facets.
		 *
		 * `GET /findings/summary`: requires a session or an API key or the global API key or a master key;
		 * permission `findings.read`; general rate limit. Changes nothing, so it is retried after any transient
		 * failure.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		summary(input?: FindingsSummaryInput, options?: CallOptions): Call<FindingSummary>;
		/**
		 * Group findings.
		 *
		 * Groups the findings that match the filters by rule, asset or project. Worst severity first, then most
		 * open findings, then key. A group whose numbers change between two pages can be missing or appear twice.
		 * A cursor of other parameters returns 400.
		 *
		 * `GET /findings/groups`: requires a session or an API key or the global API key or a master key;
		 * permission `findings.read`; general rate limit. Changes nothing, so it is retried after any transient
		 * failure.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		groups(input: FindingsGroupsInput, options?: CallOptions): ListCall<FindingGroup>;
		/**
		 * Export findings.
		 *
		 * Exports SARIF 2.1.0, OCSF 1.4 Compliance Findings (NDJSON), CSV, or NDJSON in the format of `GET
		 * /findings`. The response is streamed and has no size limit: if it ends before its last chunk, it is
		 * incomplete. Readers of SARIF such as GitHub take every result for an open finding: add `status=open`.
		 *
		 * `GET /findings/export`: requires a session or an API key or the global API key or a master key;
		 * permission `findings.read`; general rate limit. Retried after any transient failure until its first
		 * chunk arrives; a later failure ends it with a `ConnectionError`.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		export(input?: FindingsExportInput, options?: CallOptions): Stream<string, Uint8Array>;
		/**
		 * Get a finding.
		 *
		 * Returns the finding with the values that decided the verdict, its remediation and, where a change of
		 * the asset repairs it, a verified fix.
		 *
		 * `GET /findings/:id`: requires a session or an API key or the global API key or a master key; permission
		 * `findings.read`; general rate limit. Changes nothing, so it is retried after any transient failure.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		get(input: FindingsGetInput, options?: CallOptions): Call<FindingWithFix>;
	};
	readonly mutes: {
		/**
		 * List mutes.
		 *
		 * Newest first. Includes expired mutes unless `active` is given.
		 *
		 * `GET /mutes`: requires a session or an API key or the global API key or a master key; permission
		 * `findings.read`; general rate limit. Changes nothing, so it is retried after any transient failure.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		list(input?: MutesListInput, options?: CallOptions): ListCall<Mute>;
		/**
		 * Mute findings.
		 *
		 * Mutes one finding by its fingerprint, or all findings that match a selector, including those of later
		 * scans. A mute changes no status: it is evaluated whenever findings are read, so creation, expiry and
		 * removal take effect immediately. Limits: 10,000 active mutes per tenant; 200 active selectors for the
		 * same rule, for the same project without a rule, or without both. Returns 409 beyond a limit.
		 *
		 * `POST /mutes`: requires a session or an API key or the global API key or a master key; permission
		 * `findings.mute`; general rate limit. Sent with an Idempotency-Key, so it is retried after any transient
		 * failure and takes effect once.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `REQUEST_TIMEOUT`,
		 * `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {ConflictError} `CONFLICT`
		 * @throws {IdempotencyError} `IDEMPOTENCY_KEY_IN_USE`, `IDEMPOTENCY_KEY_MISMATCH`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		create(input: MutesCreateInput, options?: KeyedCallOptions): Call<Mute>;
		/**
		 * Mute many findings.
		 *
		 * Mutes findings by their ids, or all findings that match a filter now, each with a mute of its own:
		 * findings of later scans are not muted (use a selector for these). All or nothing. Findings whose own
		 * mute lasts at least as long stay as they are, or without `expiresAt` those with any active mute of
		 * their own, so a repetition changes nothing. At most 1,000 ids, or 5,000 matches of a filter, which also
		 * requires `findings.read`; 10,000 active mutes per tenant. Returns 409 beyond a limit.
		 *
		 * `POST /mutes/bulk`: requires a session or an API key or the global API key or a master key; permission
		 * `findings.mute`; general rate limit. Sent with an Idempotency-Key, so it is retried after any transient
		 * failure and takes effect once.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `REQUEST_TIMEOUT`,
		 * `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {ConflictError} `CONFLICT`
		 * @throws {IdempotencyError} `IDEMPOTENCY_KEY_IN_USE`, `IDEMPOTENCY_KEY_MISMATCH`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		bulkCreate(input: MutesBulkCreateInput, options?: KeyedCallOptions): Call<BulkMute>;
		/**
		 * Delete a mute.
		 *
		 * Its findings are unmuted immediately.
		 *
		 * `DELETE /mutes/:id`: requires a session or an API key or the global API key or a master key; permission
		 * `findings.mute`; general rate limit. Repeating it has the same effect as one request, so it is retried
		 * after any transient failure.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		delete(input: MutesDeleteInput, options?: CallOptions): Call<void>;
	};
	readonly posture: {
		/**
		 * Get the posture of the tenant.
		 *
		 * Returns what the first screen of a dashboard shows: open findings, score, changes, projects, scans,
		 * rules and compliance. The values are those of the last completed scan of each project.
		 *
		 * `GET /posture/summary`: requires a session or an API key or the global API key or a master key;
		 * permission `findings.read`; general rate limit. Changes nothing, so it is retried after any transient
		 * failure.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		summary(input?: PostureSummaryInput, options?: CallOptions): Call<PostureSummary>;
		/**
		 * Get the posture over time.
		 *
		 * Returns one point per day or week (UTC), up to today. Days without a completed scan carry the last
		 * values forward, with `opened` and `resolved` 0; days before the first completed scan have no point. A
		 * weekly point has the values of the end of the week and the sums of its days. The range is at most 738
		 * days (two years and a week).
		 *
		 * `GET /posture/trend`: requires a session or an API key or the global API key or a master key;
		 * permission `findings.read`; general rate limit. Changes nothing, so it is retried after any transient
		 * failure.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		trend(input?: PostureTrendInput, options?: CallOptions): Call<PostureTrend>;
	};
	readonly views: {
		/**
		 * List saved views.
		 *
		 * Your own views and the shared views of your tenant, newest first.
		 *
		 * `GET /views`: requires a session or an API key or the global API key or a master key; permission
		 * `findings.read`; general rate limit. Changes nothing, so it is retried after any transient failure.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		list(input?: ViewsListInput, options?: CallOptions): ListCall<View>;
		/**
		 * Save a view.
		 *
		 * A person owns at most 100 views. Returns 409 beyond that, and when you have a view of that name. Only
		 * credentials of persons are accepted, because views belong to persons.
		 *
		 * `POST /views`: requires a session or an API key; permission `findings.read`; general rate limit. Sent
		 * with an Idempotency-Key, so it is retried after any transient failure and takes effect once.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `REQUEST_TIMEOUT`,
		 * `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`, `CREDENTIAL_NOT_ALLOWED`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {ConflictError} `CONFLICT`
		 * @throws {IdempotencyError} `IDEMPOTENCY_KEY_IN_USE`, `IDEMPOTENCY_KEY_MISMATCH`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		create(input: ViewsCreateInput, options?: KeyedCallOptions): Call<View>;
		/**
		 * Change a saved view.
		 *
		 * Its owner can change it. Everybody with the permission `admin.settings` can also change a shared view.
		 * The owner stays the same.
		 *
		 * `PUT /views/:id`: requires a session or an API key or the global API key or a master key; permission
		 * `findings.read`; general rate limit. Repeating it has the same effect as one request, so it is retried
		 * after any transient failure.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `REQUEST_TIMEOUT`,
		 * `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {ConflictError} `CONFLICT`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		update(input: ViewsUpdateInput, options?: CallOptions): Call<View>;
		/**
		 * Delete a saved view.
		 *
		 * Its owner can delete it. Anyone with the permission `admin.settings` can also delete a shared view.
		 *
		 * `DELETE /views/:id`: requires a session or an API key or the global API key or a master key; permission
		 * `findings.read`; general rate limit. Repeating it has the same effect as one request, so it is retried
		 * after any transient failure.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		delete(input: ViewsDeleteInput, options?: CallOptions): Call<void>;
	};
	readonly notifications: {
		/**
		 * Get your e-mail notifications.
		 *
		 * Returns your setting in this tenant. It is `off` until you change it.
		 *
		 * `GET /auth/me/notifications`: requires a session or an API key; permission `findings.read`; general
		 * rate limit. Changes nothing, so it is retried after any transient failure.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`, `CREDENTIAL_NOT_ALLOWED`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		get(input?: NoInput, options?: CallOptions): Call<Notifications>;
		/**
		 * Change your e-mail notifications.
		 *
		 * E-mails list new and reopened findings with the severity critical or high that are not muted. They go
		 * to your confirmed address while you may read findings. Each has a link to unsubscribe. `off` also drops
		 * what was not sent yet.
		 *
		 * `PUT /auth/me/notifications`: requires a session or an API key; permission `findings.read`; general
		 * rate limit. Repeating it has the same effect as one request, so it is retried after any transient
		 * failure.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `REQUEST_TIMEOUT`,
		 * `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`, `CREDENTIAL_NOT_ALLOWED`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		update(input: NotificationsUpdateInput, options?: CallOptions): Call<Notifications>;
	};
	readonly rules: {
		/**
		 * List rules.
		 *
		 * Built-in rules and the enabled custom rules of your tenant (category `custom`), ordered by id.
		 *
		 * `GET /rules`: requires a session or an API key or the global API key or a master key; permission
		 * `rules.read`; general rate limit. Changes nothing, so it is retried after any transient failure.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		list(input?: RulesListInput, options?: CallOptions): ListCall<Rule>;
		/**
		 * Get a rule.
		 *
		 * Returns what the rule checks, the rationale, the remediation, and the requirements that it covers.
		 *
		 * `GET /rules/:id`: requires a session or an API key or the global API key or a master key; permission
		 * `rules.read`; general rate limit. Changes nothing, so it is retried after any transient failure.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		get(input: RulesGetInput, options?: CallOptions): Call<Rule>;
	};
	readonly customRules: {
		/**
		 * List custom rules.
		 *
		 * Newest first. A page has fewer rules than `limit` if their tests together exceed 1 MiB.
		 *
		 * `GET /custom-rules`: requires a session or an API key or the global API key or a master key; permission
		 * `rules.read`; licensed feature `custom_rules`; general rate limit. Changes nothing, so it is retried
		 * after any transient failure.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {FeatureNotLicensedError} `FEATURE_NOT_LICENSED`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		list(input?: CustomRulesListInput, options?: CallOptions): ListCall<CustomRule>;
		/**
		 * Create a custom rule.
		 *
		 * A condition in CEL on assets of given types. A tenant can have up to 100 custom rules. The rule is
		 * compiled and its embedded tests are run first; errors are refused with their location.
		 *
		 * `POST /custom-rules`: requires a session or an API key or the global API key or a master key;
		 * permission `rules.write`; licensed feature `custom_rules`; general rate limit. Sent with an
		 * Idempotency-Key, so it is retried after any transient failure and takes effect once.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `REQUEST_TIMEOUT`,
		 * `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {FeatureNotLicensedError} `FEATURE_NOT_LICENSED`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {ConflictError} `CONFLICT`
		 * @throws {IdempotencyError} `IDEMPOTENCY_KEY_IN_USE`, `IDEMPOTENCY_KEY_MISMATCH`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		create(input: CustomRulesCreateInput, options?: KeyedCallOptions): Call<CustomRule>;
		/**
		 * Replace a custom rule.
		 *
		 * Keeps the id. Scans that are already launched continue with the previous version.
		 *
		 * `PUT /custom-rules/:id`: requires a session or an API key or the global API key or a master key;
		 * permission `rules.write`; licensed feature `custom_rules`; general rate limit. Repeating it has the
		 * same effect as one request, so it is retried after any transient failure.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `REQUEST_TIMEOUT`,
		 * `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {FeatureNotLicensedError} `FEATURE_NOT_LICENSED`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		update(input: CustomRulesUpdateInput, options?: CallOptions): Call<CustomRule>;
		/**
		 * Delete a custom rule.
		 *
		 * The next scan resolves its findings as `rule_retired`.
		 *
		 * `DELETE /custom-rules/:id`: requires a session or an API key or the global API key or a master key;
		 * permission `rules.write`; general rate limit. Repeating it has the same effect as one request, so it is
		 * retried after any transient failure.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		delete(input: CustomRulesDeleteInput, options?: CallOptions): Call<void>;
		/**
		 * Test a custom rule.
		 *
		 * Compiles the rule, runs its embedded tests and, if a project is given, evaluates it on the current
		 * inventory for a few seconds at most, which also requires `findings.read`. Saves nothing.
		 *
		 * `POST /custom-rules/test`: requires a session or an API key or the global API key or a master key;
		 * permission `rules.write`; licensed feature `custom_rules`; rate limit `custom-rule-test` of 10 in 60 s
		 * in addition to the general one. Changes nothing, so it is retried after any transient failure.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `REQUEST_TIMEOUT`,
		 * `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {FeatureNotLicensedError} `FEATURE_NOT_LICENSED`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {ConflictError} `CONFLICT`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		test(input: CustomRulesTestInput, options?: CallOptions): Call<RuleTrial>;
		/**
		 * List the fields of assets.
		 *
		 * The members of `resource.data` that a predicate can read, from a sample of the current inventory: at
		 * most 100 assets of each type. Names and kinds, no values.
		 *
		 * `GET /custom-rules/fields`: requires a session or an API key or the global API key or a master key;
		 * permission `rules.write`; licensed feature `custom_rules`; general rate limit. Changes nothing, so it
		 * is retried after any transient failure.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {FeatureNotLicensedError} `FEATURE_NOT_LICENSED`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {ConflictError} `CONFLICT`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		fields(input: CustomRulesFieldsInput, options?: CallOptions): Call<AssetFields>;
	};
	readonly profiles: {
		/**
		 * List profiles.
		 *
		 * Returns all profiles in one response.
		 *
		 * `GET /profiles`: requires a session or an API key or the global API key or a master key; permission
		 * `rules.read`; general rate limit. Changes nothing, so it is retried after any transient failure.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		list(input?: NoInput, options?: CallOptions): ListCall<Profile>;
		/**
		 * Create a profile.
		 *
		 * Creates a selection of rules with parameters, with a name that begins with `custom:`. A tenant can have
		 * up to 100 custom profiles. If a selected rule is deleted later, the others stay selected.
		 *
		 * `POST /profiles`: requires a session or an API key or the global API key or a master key; permission
		 * `rules.write`; general rate limit. Sent with an Idempotency-Key, so it is retried after any transient
		 * failure and takes effect once.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `REQUEST_TIMEOUT`,
		 * `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {ConflictError} `CONFLICT`
		 * @throws {IdempotencyError} `IDEMPOTENCY_KEY_IN_USE`, `IDEMPOTENCY_KEY_MISMATCH`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		create(input: ProfilesCreateInput, options?: KeyedCallOptions): Call<Profile>;
		/**
		 * Replace a profile.
		 *
		 * Scans that are already launched continue with the previous rules. Built-in profiles cannot be changed:
		 * their names return 404.
		 *
		 * `PUT /profiles/:name`: requires a session or an API key or the global API key or a master key;
		 * permission `rules.write`; general rate limit. Repeating it has the same effect as one request, so it is
		 * retried after any transient failure.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `REQUEST_TIMEOUT`,
		 * `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		update(input: ProfilesUpdateInput, options?: CallOptions): Call<Profile>;
		/**
		 * Delete a profile.
		 *
		 * Scans that were launched with it keep their rules. Built-in profiles cannot be deleted: their names
		 * return 404.
		 *
		 * `DELETE /profiles/:name`: requires a session or an API key or the global API key or a master key;
		 * permission `rules.write`; general rate limit. Repeating it has the same effect as one request, so it is
		 * retried after any transient failure.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `TENANT_REQUIRED`, `BREAK_GLASS_REASON_REQUIRED`, `INTERNAL`
		 * @throws {UnauthorizedError} `UNAUTHORIZED`
		 * @throws {ForbiddenError} `FORBIDDEN`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {UnavailableError} `AUTH_UNAVAILABLE`, `SERVICE_UNAVAILABLE`
		 */
		delete(input: ProfilesDeleteInput, options?: CallOptions): Call<void>;
	};
	readonly meta: {
		/**
		 * Liveness probe.
		 *
		 * For the liveness probe of an orchestrator. Checks only the process itself.
		 *
		 * `GET /health/live`: requires no credential; not subject to rate limits. Changes nothing, so it is
		 * retried after any transient failure, except after a response that is not a problem document.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `INTERNAL`
		 */
		live(input?: NoInput, options?: CallOptions): Call<Health>;
		/**
		 * Readiness probe.
		 *
		 * Returns 503 while the database is unreachable or lacks migrations, or while the process shuts down.
		 * Members `health` and `missing` of the problem give the reason.
		 *
		 * `GET /health/ready`: requires no credential; not subject to rate limits. Changes nothing, so it is
		 * retried after any transient failure, except after a response that is not a problem document.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {ApiError} `INTERNAL`
		 * @throws {UnavailableError} `SERVICE_UNAVAILABLE`
		 */
		ready(input?: NoInput, options?: CallOptions): Call<Health>;
		/**
		 * Get the OpenAPI document.
		 *
		 * The OpenAPI 3.1 document of the running service.
		 *
		 * `GET /openapi.json`: requires no credential; general rate limit. Changes nothing, so it is retried
		 * after any transient failure.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {ApiError} `INTERNAL`
		 */
		openapi(input?: NoInput, options?: CallOptions): Call<Record<string, JsonValue>>;
		/**
		 * Get the page of a problem.
		 *
		 * The page that the `type` of every error links to.
		 *
		 * `GET /problems/:code`: requires no credential; general rate limit. Changes nothing, so it is retried
		 * after any transient failure.
		 *
		 * @throws {ValidationError} `VALIDATION_FAILED`
		 * @throws {NotFoundError} `NOT_FOUND`
		 * @throws {RateLimitError} `RATE_LIMITED`
		 * @throws {ApiError} `INTERNAL`
		 */
		problem(input: MetaProblemInput, options?: CallOptions): Call<ProblemPage>;
	};
	/**
	 * Derives a client with other options. It shares the session, the retry budget and the pacing of this one.
	 */
	withOptions(options: DerivedOptions): Cspm;
	/**
	 * Calls an endpoint by its method and path, such as `GET /scans/{id}`. Endpoints of this version have the
	 * input, the result and the retries of their method.
	 *
	 * Others take any input and return unknown data: the value of a JSON response, otherwise a Blob. A GET
	 * sends its input as the query and is retried like a read; any other method sends it as JSON.
	 */
	request<R extends keyof CspmRoutes>(route: R, ...input: Parameters<CspmRoutes[R]>): ReturnType<CspmRoutes[R]>;
	request<R extends `${string} /${string}`>(route: R extends keyof CspmRoutes ? never : R, input?: Readonly<Record<string, unknown>>, options?: CallOptions): Call<unknown>;
}
/** Each endpoint with the method that calls it. */
export interface CspmRoutes {
	readonly "POST /auth/login": Cspm["auth"]["login"];
	readonly "POST /auth/refresh": Cspm["auth"]["refresh"];
	readonly "POST /auth/logout": Cspm["auth"]["logout"];
	readonly "POST /auth/logout-all": Cspm["auth"]["logoutAll"];
	readonly "POST /auth/register": Cspm["auth"]["register"];
	readonly "POST /auth/verify-email": Cspm["auth"]["verifyEmail"];
	readonly "POST /auth/resend-verification": Cspm["auth"]["resendVerification"];
	readonly "POST /auth/forgot-password": Cspm["auth"]["forgotPassword"];
	readonly "POST /auth/reset-password": Cspm["auth"]["resetPassword"];
	readonly "POST /auth/accept-invite": Cspm["auth"]["acceptInvite"];
	readonly "POST /auth/change-password": Cspm["auth"]["changePassword"];
	readonly "POST /auth/google": Cspm["auth"]["google"];
	readonly "POST /auth/exchange": Cspm["auth"]["exchange"];
	readonly "POST /auth/confirm": Cspm["auth"]["confirm"];
	readonly "POST /auth/confirm/mail": Cspm["auth"]["confirmMail"];
	readonly "GET /auth/methods": Cspm["auth"]["methods"];
	readonly "GET /auth/me": Cspm["auth"]["me"];
	readonly "POST /auth/2fa/setup": Cspm["twoFactor"]["setup"];
	readonly "POST /auth/2fa/enable": Cspm["twoFactor"]["enable"];
	readonly "POST /auth/2fa/verify": Cspm["twoFactor"]["verify"];
	readonly "POST /auth/2fa/disable": Cspm["twoFactor"]["disable"];
	readonly "POST /auth/2fa/recovery-codes": Cspm["twoFactor"]["recoveryCodes"];
	readonly "GET /sessions": Cspm["sessions"]["list"];
	readonly "DELETE /sessions/{id}": Cspm["sessions"]["revoke"];
	readonly "GET /api-keys": Cspm["apiKeys"]["list"];
	readonly "POST /api-keys": Cspm["apiKeys"]["create"];
	readonly "DELETE /api-keys/{id}": Cspm["apiKeys"]["revoke"];
	readonly "GET /users": Cspm["users"]["list"];
	readonly "POST /users": Cspm["users"]["create"];
	readonly "POST /users/{id}/resend-invitation": Cspm["users"]["resendInvitation"];
	readonly "GET /users/{id}": Cspm["users"]["get"];
	readonly "PATCH /users/{id}": Cspm["users"]["update"];
	readonly "DELETE /users/{id}": Cspm["users"]["delete"];
	readonly "GET /roles": Cspm["roles"]["list"];
	readonly "POST /roles": Cspm["roles"]["create"];
	readonly "PUT /roles/{name}": Cspm["roles"]["update"];
	readonly "DELETE /roles/{name}": Cspm["roles"]["delete"];
	readonly "GET /tenant": Cspm["tenant"]["get"];
	readonly "PATCH /tenant": Cspm["tenant"]["update"];
	readonly "GET /tenant/saml": Cspm["saml"]["getSettings"];
	readonly "PUT /tenant/saml": Cspm["saml"]["putSettings"];
	readonly "DELETE /tenant/saml": Cspm["saml"]["deleteSettings"];
	readonly "POST /auth/saml/discover": Cspm["saml"]["discover"];
	readonly "GET /tenant/domains": Cspm["domains"]["list"];
	readonly "POST /tenant/domains": Cspm["domains"]["create"];
	readonly "POST /tenant/domains/{domain}/verify": Cspm["domains"]["verify"];
	readonly "DELETE /tenant/domains/{domain}": Cspm["domains"]["delete"];
	readonly "GET /audit-events": Cspm["auditEvents"]["list"];
	readonly "GET /audit-events/export": Cspm["auditEvents"]["export"];
	readonly "GET /projects": Cspm["projects"]["list"];
	readonly "POST /projects": Cspm["projects"]["create"];
	readonly "GET /projects/{name}": Cspm["projects"]["get"];
	readonly "PATCH /projects/{name}": Cspm["projects"]["update"];
	readonly "DELETE /projects/{name}": Cspm["projects"]["delete"];
	readonly "GET /projects/{name}/inventories": Cspm["projects"]["inventories"];
	readonly "PUT /projects/{name}/inventory": Cspm["projects"]["uploadInventory"];
	readonly "GET /projects/{project}/assets": Cspm["assets"]["list"];
	readonly "GET /projects/{project}/assets/lookup": Cspm["assets"]["lookup"];
	readonly "PUT /projects/{name}/source": Cspm["sources"]["set"];
	readonly "GET /projects/{name}/source": Cspm["sources"]["get"];
	readonly "DELETE /projects/{name}/source": Cspm["sources"]["delete"];
	readonly "POST /projects/{name}/source/check": Cspm["sources"]["check"];
	readonly "POST /projects/{name}/inventory/pull": Cspm["pulls"]["start"];
	readonly "GET /projects/{name}/inventory/pulls": Cspm["pulls"]["list"];
	readonly "GET /projects/{name}/inventory/pulls/{id}": Cspm["pulls"]["get"];
	readonly "POST /preflight": Cspm["preflight"]["run"];
	readonly "GET /scans": Cspm["scans"]["list"];
	readonly "POST /scans": Cspm["scans"]["launch"];
	readonly "GET /scans/{id}": Cspm["scans"]["get"];
	readonly "GET /scans/{id}/rules": Cspm["scans"]["rules"];
	readonly "GET /scans/{id}/compliance": Cspm["scans"]["compliance"];
	readonly "GET /scans/{id}/report": Cspm["scans"]["report"];
	readonly "GET /scans/{id}/compare": Cspm["scans"]["compare"];
	readonly "POST /scans/{id}/cancel": Cspm["scans"]["cancel"];
	readonly "GET /scans/{id}/events": Cspm["scans"]["events"];
	readonly "GET /schedules": Cspm["schedules"]["list"];
	readonly "POST /schedules": Cspm["schedules"]["create"];
	readonly "GET /schedules/{id}": Cspm["schedules"]["get"];
	readonly "PUT /schedules/{id}": Cspm["schedules"]["update"];
	readonly "DELETE /schedules/{id}": Cspm["schedules"]["delete"];
	readonly "GET /webhooks": Cspm["webhooks"]["list"];
	readonly "POST /webhooks": Cspm["webhooks"]["create"];
	readonly "GET /webhooks/{id}": Cspm["webhooks"]["get"];
	readonly "PUT /webhooks/{id}": Cspm["webhooks"]["update"];
	readonly "DELETE /webhooks/{id}": Cspm["webhooks"]["delete"];
	readonly "POST /webhooks/{id}/rotate-secret": Cspm["webhooks"]["rotateSecret"];
	readonly "POST /webhooks/{id}/test": Cspm["webhooks"]["test"];
	readonly "GET /webhooks/{id}/deliveries": Cspm["webhooks"]["deliveries"];
	readonly "POST /webhooks/{id}/deliveries/{deliveryId}/redeliver": Cspm["webhooks"]["redeliver"];
	readonly "GET /findings": Cspm["findings"]["list"];
	readonly "GET /findings/summary": Cspm["findings"]["summary"];
	readonly "GET /findings/groups": Cspm["findings"]["groups"];
	readonly "GET /findings/export": Cspm["findings"]["export"];
	readonly "GET /findings/{id}": Cspm["findings"]["get"];
	readonly "GET /mutes": Cspm["mutes"]["list"];
	readonly "POST /mutes": Cspm["mutes"]["create"];
	readonly "POST /mutes/bulk": Cspm["mutes"]["bulkCreate"];
	readonly "DELETE /mutes/{id}": Cspm["mutes"]["delete"];
	readonly "GET /posture/summary": Cspm["posture"]["summary"];
	readonly "GET /posture/trend": Cspm["posture"]["trend"];
	readonly "GET /views": Cspm["views"]["list"];
	readonly "POST /views": Cspm["views"]["create"];
	readonly "PUT /views/{id}": Cspm["views"]["update"];
	readonly "DELETE /views/{id}": Cspm["views"]["delete"];
	readonly "GET /auth/me/notifications": Cspm["notifications"]["get"];
	readonly "PUT /auth/me/notifications": Cspm["notifications"]["update"];
	readonly "GET /rules": Cspm["rules"]["list"];
	readonly "GET /rules/{id}": Cspm["rules"]["get"];
	readonly "GET /custom-rules": Cspm["customRules"]["list"];
	readonly "POST /custom-rules": Cspm["customRules"]["create"];
	readonly "PUT /custom-rules/{id}": Cspm["customRules"]["update"];
	readonly "DELETE /custom-rules/{id}": Cspm["customRules"]["delete"];
	readonly "POST /custom-rules/test": Cspm["customRules"]["test"];
	readonly "GET /custom-rules/fields": Cspm["customRules"]["fields"];
	readonly "GET /profiles": Cspm["profiles"]["list"];
	readonly "POST /profiles": Cspm["profiles"]["create"];
	readonly "PUT /profiles/{name}": Cspm["profiles"]["update"];
	readonly "DELETE /profiles/{name}": Cspm["profiles"]["delete"];
	readonly "GET /health/live": Cspm["meta"]["live"];
	readonly "GET /health/ready": Cspm["meta"]["ready"];
	readonly "GET /openapi.json": Cspm["meta"]["openapi"];
	readonly "GET /problems/{code}": Cspm["meta"]["problem"];
}
/** The problem codes that each operation can end with. */
export interface ProblemCodes {
	readonly authLogin: "VALIDATION_FAILED" | "INVALID_CREDENTIALS" | "TOTP_REQUIRED" | "CROSS_SITE_REQUEST" | "REQUEST_TIMEOUT" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "RATE_LIMITED" | "INTERNAL" | "SERVICE_UNAVAILABLE";
	readonly authRefresh: "VALIDATION_FAILED" | "UNAUTHORIZED" | "CROSS_SITE_REQUEST" | "REQUEST_TIMEOUT" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "RATE_LIMITED" | "INTERNAL" | "SERVICE_UNAVAILABLE";
	readonly authLogout: "VALIDATION_FAILED" | "CROSS_SITE_REQUEST" | "REQUEST_TIMEOUT" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "RATE_LIMITED" | "INTERNAL" | "SERVICE_UNAVAILABLE";
	readonly authLogoutAll: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "CREDENTIAL_NOT_ALLOWED" | "CROSS_SITE_REQUEST" | "NOT_FOUND" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly authRegister: "VALIDATION_FAILED" | "REGISTRATION_CLOSED" | "REQUEST_TIMEOUT" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "RATE_LIMITED" | "INTERNAL" | "SERVICE_UNAVAILABLE";
	readonly authVerifyEmail: "VALIDATION_FAILED" | "INVALID_TOKEN" | "REQUEST_TIMEOUT" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "RATE_LIMITED" | "INTERNAL" | "SERVICE_UNAVAILABLE";
	readonly authResendVerification: "VALIDATION_FAILED" | "REQUEST_TIMEOUT" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "RATE_LIMITED" | "INTERNAL" | "SERVICE_UNAVAILABLE";
	readonly authForgotPassword: "VALIDATION_FAILED" | "REQUEST_TIMEOUT" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "RATE_LIMITED" | "INTERNAL" | "SERVICE_UNAVAILABLE";
	readonly authResetPassword: "VALIDATION_FAILED" | "INVALID_TOKEN" | "REQUEST_TIMEOUT" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "RATE_LIMITED" | "INTERNAL" | "SERVICE_UNAVAILABLE";
	readonly authAcceptInvite: "VALIDATION_FAILED" | "INVALID_TOKEN" | "REQUEST_TIMEOUT" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "RATE_LIMITED" | "INTERNAL" | "SERVICE_UNAVAILABLE";
	readonly authChangePassword: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "INVALID_CREDENTIALS" | "FORBIDDEN" | "CREDENTIAL_NOT_ALLOWED" | "CROSS_SITE_REQUEST" | "NOT_FOUND" | "REQUEST_TIMEOUT" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly authGoogle: "VALIDATION_FAILED" | "INVALID_CREDENTIALS" | "REGISTRATION_CLOSED" | "CROSS_SITE_REQUEST" | "REQUEST_TIMEOUT" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "RATE_LIMITED" | "INTERNAL" | "SERVICE_UNAVAILABLE";
	readonly authExchange: "VALIDATION_FAILED" | "INVALID_TOKEN" | "CROSS_SITE_REQUEST" | "CONFIRMATION_REQUIRED" | "REQUEST_TIMEOUT" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "RATE_LIMITED" | "INTERNAL" | "SERVICE_UNAVAILABLE";
	readonly authConfirm: "VALIDATION_FAILED" | "INVALID_TOKEN" | "INVALID_CREDENTIALS" | "INVALID_CODE" | "CROSS_SITE_REQUEST" | "REQUEST_TIMEOUT" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "RATE_LIMITED" | "INTERNAL" | "SERVICE_UNAVAILABLE";
	readonly authConfirmMail: "VALIDATION_FAILED" | "INVALID_TOKEN" | "REQUEST_TIMEOUT" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "RATE_LIMITED" | "INTERNAL" | "SERVICE_UNAVAILABLE";
	readonly authMethods: "VALIDATION_FAILED" | "RATE_LIMITED" | "INTERNAL" | "SERVICE_UNAVAILABLE";
	readonly authMe: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly twoFactorSetup: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "CREDENTIAL_NOT_ALLOWED" | "REAUTH_REQUIRED" | "NOT_FOUND" | "REQUEST_TIMEOUT" | "CONFLICT" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly twoFactorEnable: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "INVALID_CODE" | "FORBIDDEN" | "CREDENTIAL_NOT_ALLOWED" | "REAUTH_REQUIRED" | "NOT_FOUND" | "REQUEST_TIMEOUT" | "CONFLICT" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly twoFactorVerify: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "INVALID_CODE" | "FORBIDDEN" | "CREDENTIAL_NOT_ALLOWED" | "CROSS_SITE_REQUEST" | "NOT_FOUND" | "REQUEST_TIMEOUT" | "CONFLICT" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly twoFactorDisable: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "INVALID_CODE" | "FORBIDDEN" | "CREDENTIAL_NOT_ALLOWED" | "REAUTH_REQUIRED" | "NOT_FOUND" | "REQUEST_TIMEOUT" | "CONFLICT" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly twoFactorRecoveryCodes: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "INVALID_CODE" | "FORBIDDEN" | "CREDENTIAL_NOT_ALLOWED" | "REAUTH_REQUIRED" | "NOT_FOUND" | "REQUEST_TIMEOUT" | "CONFLICT" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly sessionsList: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "CREDENTIAL_NOT_ALLOWED" | "NOT_FOUND" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly sessionsRevoke: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "CREDENTIAL_NOT_ALLOWED" | "NOT_FOUND" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly apiKeysList: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly apiKeysCreate: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "CREDENTIAL_NOT_ALLOWED" | "NOT_FOUND" | "REQUEST_TIMEOUT" | "CONFLICT" | "IDEMPOTENCY_KEY_IN_USE" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "IDEMPOTENCY_KEY_MISMATCH" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly apiKeysRevoke: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly usersList: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly usersCreate: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "MFA_REQUIRED" | "NOT_FOUND" | "REQUEST_TIMEOUT" | "CONFLICT" | "IDEMPOTENCY_KEY_IN_USE" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "IDEMPOTENCY_KEY_MISMATCH" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly usersResendInvitation: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "MFA_REQUIRED" | "NOT_FOUND" | "CONFLICT" | "IDEMPOTENCY_KEY_IN_USE" | "IDEMPOTENCY_KEY_MISMATCH" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly usersGet: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly usersUpdate: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "MFA_REQUIRED" | "NOT_FOUND" | "REQUEST_TIMEOUT" | "CONFLICT" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly usersDelete: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "MFA_REQUIRED" | "NOT_FOUND" | "CONFLICT" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly rolesList: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly rolesCreate: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "MFA_REQUIRED" | "NOT_FOUND" | "REQUEST_TIMEOUT" | "CONFLICT" | "IDEMPOTENCY_KEY_IN_USE" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "IDEMPOTENCY_KEY_MISMATCH" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly rolesUpdate: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "MFA_REQUIRED" | "NOT_FOUND" | "REQUEST_TIMEOUT" | "CONFLICT" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly rolesDelete: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "MFA_REQUIRED" | "NOT_FOUND" | "CONFLICT" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly tenantGet: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly tenantUpdate: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "MFA_REQUIRED" | "NOT_FOUND" | "REQUEST_TIMEOUT" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly samlGetSettings: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "FEATURE_NOT_LICENSED" | "NOT_FOUND" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly samlPutSettings: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "MFA_REQUIRED" | "FEATURE_NOT_LICENSED" | "NOT_FOUND" | "REQUEST_TIMEOUT" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly samlDeleteSettings: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "MFA_REQUIRED" | "NOT_FOUND" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly samlDiscover: "VALIDATION_FAILED" | "REQUEST_TIMEOUT" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "RATE_LIMITED" | "INTERNAL" | "SERVICE_UNAVAILABLE";
	readonly domainsList: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "FEATURE_NOT_LICENSED" | "NOT_FOUND" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly domainsCreate: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "MFA_REQUIRED" | "FEATURE_NOT_LICENSED" | "NOT_FOUND" | "REQUEST_TIMEOUT" | "CONFLICT" | "IDEMPOTENCY_KEY_IN_USE" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "IDEMPOTENCY_KEY_MISMATCH" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly domainsVerify: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "MFA_REQUIRED" | "FEATURE_NOT_LICENSED" | "NOT_FOUND" | "CONFLICT" | "DOMAIN_NOT_VERIFIED" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly domainsDelete: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "MFA_REQUIRED" | "NOT_FOUND" | "CONFLICT" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly auditEventsList: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly auditEventsExport: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "FEATURE_NOT_LICENSED" | "NOT_FOUND" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly projectsList: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly projectsCreate: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "REQUEST_TIMEOUT" | "CONFLICT" | "IDEMPOTENCY_KEY_IN_USE" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "IDEMPOTENCY_KEY_MISMATCH" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly projectsGet: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly projectsUpdate: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "REQUEST_TIMEOUT" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly projectsDelete: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly projectsInventories: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly projectsUploadInventory: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "REQUEST_TIMEOUT" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly assetsList: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly assetsLookup: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly sourcesSet: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "REQUEST_TIMEOUT" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "SOURCE_REFUSED" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly sourcesGet: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly sourcesDelete: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly sourcesCheck: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly pullsStart: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "CONFLICT" | "IDEMPOTENCY_KEY_IN_USE" | "IDEMPOTENCY_KEY_MISMATCH" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly pullsList: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly pullsGet: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly preflightRun: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "REQUEST_TIMEOUT" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly scansList: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly scansLaunch: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "REQUEST_TIMEOUT" | "IDEMPOTENCY_KEY_IN_USE" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "IDEMPOTENCY_KEY_MISMATCH" | "PREFLIGHT_BLOCKED" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly scansGet: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly scansRules: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly scansCompliance: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly scansReport: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "SCAN_NOT_COMPLETED" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly scansCompare: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "SCAN_NOT_COMPLETED" | "SCANS_NOT_COMPARABLE" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly scansCancel: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly scansEvents: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly schedulesList: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly schedulesCreate: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "CREDENTIAL_NOT_ALLOWED" | "NOT_FOUND" | "REQUEST_TIMEOUT" | "CONFLICT" | "IDEMPOTENCY_KEY_IN_USE" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "IDEMPOTENCY_KEY_MISMATCH" | "PREFLIGHT_BLOCKED" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly schedulesGet: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly schedulesUpdate: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "CREDENTIAL_NOT_ALLOWED" | "NOT_FOUND" | "REQUEST_TIMEOUT" | "CONFLICT" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "PREFLIGHT_BLOCKED" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly schedulesDelete: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly webhooksList: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly webhooksCreate: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "REQUEST_TIMEOUT" | "CONFLICT" | "IDEMPOTENCY_KEY_IN_USE" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "IDEMPOTENCY_KEY_MISMATCH" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly webhooksGet: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly webhooksUpdate: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "REQUEST_TIMEOUT" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly webhooksDelete: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly webhooksRotateSecret: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "IDEMPOTENCY_KEY_IN_USE" | "IDEMPOTENCY_KEY_MISMATCH" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly webhooksTest: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "CONFLICT" | "IDEMPOTENCY_KEY_IN_USE" | "IDEMPOTENCY_KEY_MISMATCH" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly webhooksDeliveries: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly webhooksRedeliver: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "CONFLICT" | "IDEMPOTENCY_KEY_IN_USE" | "IDEMPOTENCY_KEY_MISMATCH" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly findingsList: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly findingsSummary: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly findingsGroups: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly findingsExport: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly findingsGet: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly mutesList: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly mutesCreate: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "REQUEST_TIMEOUT" | "CONFLICT" | "IDEMPOTENCY_KEY_IN_USE" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "IDEMPOTENCY_KEY_MISMATCH" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly mutesBulkCreate: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "REQUEST_TIMEOUT" | "CONFLICT" | "IDEMPOTENCY_KEY_IN_USE" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "IDEMPOTENCY_KEY_MISMATCH" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly mutesDelete: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly postureSummary: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly postureTrend: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly viewsList: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly viewsCreate: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "CREDENTIAL_NOT_ALLOWED" | "NOT_FOUND" | "REQUEST_TIMEOUT" | "CONFLICT" | "IDEMPOTENCY_KEY_IN_USE" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "IDEMPOTENCY_KEY_MISMATCH" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly viewsUpdate: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "REQUEST_TIMEOUT" | "CONFLICT" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly viewsDelete: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly notificationsGet: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "CREDENTIAL_NOT_ALLOWED" | "NOT_FOUND" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly notificationsUpdate: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "CREDENTIAL_NOT_ALLOWED" | "NOT_FOUND" | "REQUEST_TIMEOUT" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly rulesList: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly rulesGet: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly customRulesList: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "FEATURE_NOT_LICENSED" | "NOT_FOUND" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly customRulesCreate: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "FEATURE_NOT_LICENSED" | "NOT_FOUND" | "REQUEST_TIMEOUT" | "CONFLICT" | "IDEMPOTENCY_KEY_IN_USE" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "IDEMPOTENCY_KEY_MISMATCH" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly customRulesUpdate: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "FEATURE_NOT_LICENSED" | "NOT_FOUND" | "REQUEST_TIMEOUT" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly customRulesDelete: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly customRulesTest: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "FEATURE_NOT_LICENSED" | "NOT_FOUND" | "REQUEST_TIMEOUT" | "CONFLICT" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly customRulesFields: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "FEATURE_NOT_LICENSED" | "NOT_FOUND" | "CONFLICT" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly profilesList: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly profilesCreate: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "REQUEST_TIMEOUT" | "CONFLICT" | "IDEMPOTENCY_KEY_IN_USE" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "IDEMPOTENCY_KEY_MISMATCH" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly profilesUpdate: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "REQUEST_TIMEOUT" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly profilesDelete: "VALIDATION_FAILED" | "TENANT_REQUIRED" | "BREAK_GLASS_REASON_REQUIRED" | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "RATE_LIMITED" | "INTERNAL" | "AUTH_UNAVAILABLE" | "SERVICE_UNAVAILABLE";
	readonly metaLive: "VALIDATION_FAILED" | "INTERNAL";
	readonly metaReady: "VALIDATION_FAILED" | "INTERNAL" | "SERVICE_UNAVAILABLE";
	readonly metaOpenapi: "VALIDATION_FAILED" | "RATE_LIMITED" | "INTERNAL";
	readonly metaProblem: "VALIDATION_FAILED" | "NOT_FOUND" | "RATE_LIMITED" | "INTERNAL";
}
/** What `auth.login` takes. */
export interface AuthLoginInput {
	/** Example: `ada@example.com`. */
	readonly email: string;
	/** Example: `correct horse battery staple`. */
	readonly password: string;
	/** The code of the authenticator, if one is enrolled. Valid once. Example: `287082`. */
	readonly totp?: string | undefined;
	/** A recovery code instead of `totp`, if the authenticator is lost. Valid once. */
	readonly recoveryCode?: string | undefined;
	/** The tenant to sign in to. If omitted: the last one used, otherwise the oldest membership. */
	readonly tenantId?: string | undefined;
}
/** What `auth.refresh` takes. */
export interface AuthRefreshInput {
	/**
	 * Required without `X-Session-Transport: cookie`, and not allowed with it. Example:
	 * `q7Zk1v0Xc9Yb3Lw5Rt8Nj2Hs6Pd4Mf0Ga1Ue7Io3KxT`.
	 */
	readonly refreshToken?: string | undefined;
}
/** What `auth.logout` takes. */
export interface AuthLogoutInput {
	/**
	 * Required without `X-Session-Transport: cookie`, and not allowed with it. Example:
	 * `q7Zk1v0Xc9Yb3Lw5Rt8Nj2Hs6Pd4Mf0Ga1Ue7Io3KxT`.
	 */
	readonly refreshToken?: string | undefined;
}
/** What `auth.register` takes. */
export interface AuthRegisterInput {
	/** Example: `ada@example.com`. */
	readonly email: string;
	/**
	 * At least 12 characters, at most 72 bytes in UTF-8. Must not be a common password, your name or your
	 * e-mail address. Example: `correct horse battery staple`.
	 */
	readonly password: string;
	/** Example: `Ada Lovelace`. */
	readonly name?: string | undefined;
	/** Example: `Example Ltd`. */
	readonly tenantName: string;
}
/** What `auth.verifyEmail` takes. */
export interface AuthVerifyEmailInput {
	/**
	 * The token from the link in the mail. Valid for one use. Example:
	 * `q7Zk1v0Xc9Yb3Lw5Rt8Nj2Hs6Pd4Mf0Ga1Ue7Io3KxT`.
	 */
	readonly token: string;
}
/** What `auth.resendVerification` takes. */
export interface AuthResendVerificationInput {
	/** Example: `ada@example.com`. */
	readonly email: string;
}
/** What `auth.forgotPassword` takes. */
export interface AuthForgotPasswordInput {
	/** Example: `ada@example.com`. */
	readonly email: string;
}
/** What `auth.resetPassword` takes. */
export interface AuthResetPasswordInput {
	/**
	 * The token from the link in the mail. Valid for one use. Example:
	 * `q7Zk1v0Xc9Yb3Lw5Rt8Nj2Hs6Pd4Mf0Ga1Ue7Io3KxT`.
	 */
	readonly token: string;
	/**
	 * At least 12 characters, at most 72 bytes in UTF-8. Must not be a common password, your name or your
	 * e-mail address. Example: `correct horse battery staple`.
	 */
	readonly password: string;
}
/** What `auth.acceptInvite` takes. */
export interface AuthAcceptInviteInput {
	/**
	 * The token from the link in the mail. Valid for one use. Example:
	 * `q7Zk1v0Xc9Yb3Lw5Rt8Nj2Hs6Pd4Mf0Ga1Ue7Io3KxT`.
	 */
	readonly token: string;
}
/** What `auth.changePassword` takes. */
export interface AuthChangePasswordInput {
	/** Example: `the one before`. */
	readonly currentPassword: string;
	/**
	 * At least 12 characters, at most 72 bytes in UTF-8. Must not be a common password, your name or your
	 * e-mail address. Example: `correct horse battery staple`.
	 */
	readonly newPassword: string;
}
/** What `auth.google` takes. */
export interface AuthGoogleInput {
	/** The ID token. Example: `eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxMDc2OSJ9.c2lnbmF0dXJl`. */
	readonly credential: string;
	/**
	 * The nonce that the sign-in started with. It must equal the nonce in the token. Required from a browser,
	 * and whenever the token has a nonce. Example: `kX3v9Qm1Tz7Rb5Lw2Nc8Yd`.
	 */
	readonly nonce?: string | undefined;
}
/** What `auth.exchange` takes. */
export interface AuthExchangeInput {
	/** Example: `q7Zk1v0Xc9Yb3Lw5Rt8Nj2Hs6Pd4Mf0Ga1Ue7Io3KxT`. */
	readonly code: string;
}
/** What `auth.confirm` takes. */
export type AuthConfirmInput = {
	/**
	 * The value of `confirmation.token` in the refusal. Example: `q7Zk1v0Xc9Yb3Lw5Rt8Nj2Hs6Pd4Mf0Ga1Ue7Io3KxT`.
	 */
	readonly token: string;
} & ({
	/** Example: `correct horse battery staple`. */
	readonly password: string;
	readonly code?: undefined;
	readonly mailToken?: undefined;
} | {
	/** The code that the authenticator shows, or a recovery code. Example: `287082`. */
	readonly code: string;
	readonly password?: undefined;
	readonly mailToken?: undefined;
} | {
	/**
	 * The token from the mail that `POST /auth/confirm/mail` sends. Example:
	 * `q7Zk1v0Xc9Yb3Lw5Rt8Nj2Hs6Pd4Mf0Ga1Ue7Io3KxT`.
	 */
	readonly mailToken: string;
	readonly password?: undefined;
	readonly code?: undefined;
});
/** What `auth.confirmMail` takes. */
export interface AuthConfirmMailInput {
	/**
	 * The value of `confirmation.token` in the refusal. Example: `q7Zk1v0Xc9Yb3Lw5Rt8Nj2Hs6Pd4Mf0Ga1Ue7Io3KxT`.
	 */
	readonly token: string;
}
/** What `twoFactor.setup` takes. */
export interface TwoFactorSetupInput {
	/**
	 * Your password. Optional if the session is younger than 5 minutes and was not opened by an identity
	 * provider. Example: `correct horse battery staple`.
	 */
	readonly password?: string | undefined;
}
/** What `twoFactor.enable` takes. */
export interface TwoFactorEnableInput {
	/**
	 * Your password. Required if an identity provider opened the session. Example: `correct horse battery
	 * staple`.
	 */
	readonly password?: string | undefined;
	/** The code shown by the authenticator. Example: `287082`. */
	readonly code: string;
}
/** What `twoFactor.verify` takes. */
export interface TwoFactorVerifyInput {
	/** The code that the authenticator shows, or a recovery code. Example: `287082`. */
	readonly code: string;
}
/** What `twoFactor.disable` takes. */
export interface TwoFactorDisableInput {
	/**
	 * Your password. Optional if the session is younger than 5 minutes and was not opened by an identity
	 * provider. Example: `correct horse battery staple`.
	 */
	readonly password?: string | undefined;
	/** The code that the authenticator shows, or a recovery code. Example: `287082`. */
	readonly code: string;
}
/** What `twoFactor.recoveryCodes` takes. */
export interface TwoFactorRecoveryCodesInput {
	/**
	 * Your password. Optional if the session is younger than 5 minutes and was not opened by an identity
	 * provider. Example: `correct horse battery staple`.
	 */
	readonly password?: string | undefined;
	/** The code that the authenticator shows, or a recovery code. Example: `287082`. */
	readonly code: string;
}
/** What `sessions.list` takes. */
export interface SessionsListInput {
	/** Maximum number of items to return. Default: 25. From 1 to 100. */
	readonly limit?: number | undefined;
	/** The `nextCursor` of the previous page. Opaque. Example: `MjAyNi0xMS0yMFQwODowMDowMFo`. */
	readonly cursor?: string | undefined;
}
/** What `sessions.revoke` takes. */
export interface SessionsRevokeInput {
	/** The id of the session. */
	readonly id: string;
}
/** What `apiKeys.list` takes. */
export interface ApiKeysListInput {
	/** Maximum number of items to return. Default: 25. From 1 to 100. */
	readonly limit?: number | undefined;
	/** The `nextCursor` of the previous page. Opaque. Example: `MjAyNi0xMS0yMFQwODowMDowMFo`. */
	readonly cursor?: string | undefined;
	/** The owner of the keys. Anyone but yourself requires `admin.users`. */
	readonly userId?: string | undefined;
}
/** What `apiKeys.create` takes. */
export interface ApiKeysCreateInput {
	/** Example: `nightly pipeline`. */
	readonly name: string;
	/**
	 * A time in the future. If omitted, the key does not expire. RFC 3339, in UTC. Example:
	 * `2036-11-20T08:00:00.000Z`.
	 */
	readonly expiresAt?: string | undefined;
}
/** What `apiKeys.revoke` takes. */
export interface ApiKeysRevokeInput {
	/** The id of the key. */
	readonly id: string;
}
/** What `users.list` takes. */
export interface UsersListInput {
	/** Maximum number of items to return. Default: 25. From 1 to 100. */
	readonly limit?: number | undefined;
	/** The `nextCursor` of the previous page. Opaque. Example: `MjAyNi0xMS0yMFQwODowMDowMFo`. */
	readonly cursor?: string | undefined;
}
/** What `users.create` takes. */
export interface UsersCreateInput {
	/** Example: `ada@example.com`. */
	readonly email: string;
	/** Example: `Ada Lovelace`. */
	readonly name?: string | undefined;
	/**
	 * A built-in role or a role of your tenant. It must not include a permission that you do not have. Example:
	 * `release-manager`.
	 */
	readonly role: string;
}
/** What `users.resendInvitation` takes. */
export interface UsersResendInvitationInput {
	/** The id of the user. */
	readonly id: string;
}
/** What `users.get` takes. */
export interface UsersGetInput {
	/** The id of the user. */
	readonly id: string;
}
/** What `users.update` takes. */
export interface UsersUpdateInput {
	/** The id of the user. */
	readonly id: string;
	/** Example: `Ada Lovelace`. */
	readonly name?: string | undefined;
	/**
	 * A built-in role or a role of your tenant. It must not include a permission that you do not have. Example:
	 * `release-manager`.
	 */
	readonly role?: string | undefined;
	readonly status?: "active" | "disabled" | undefined;
}
/** What `users.delete` takes. */
export interface UsersDeleteInput {
	/** The id of the user. */
	readonly id: string;
}
/** What `roles.create` takes. */
export interface RolesCreateInput {
	/** Example: `release-manager`. */
	readonly name: string;
	/**
	 * Permissions of the role. You can only include permissions that you have yourself. Example:
	 * `["scans.read","scans.launch"]`.
	 */
	readonly permissions: readonly ("scans.read" | "scans.launch" | "scans.cancel" | "preflight.run" | "projects.read" | "projects.write" | "findings.read" | "findings.mute" | "rules.read" | "rules.write" | "keys.own" | "admin.users" | "admin.settings" | "admin.audit")[];
}
/** What `roles.update` takes. */
export interface RolesUpdateInput {
	/** The name of the role. Example: `release-manager`. */
	readonly name: string;
	/**
	 * Permissions of the role. You can only include permissions that you have yourself. Example:
	 * `["scans.read","scans.launch"]`.
	 */
	readonly permissions: readonly ("scans.read" | "scans.launch" | "scans.cancel" | "preflight.run" | "projects.read" | "projects.write" | "findings.read" | "findings.mute" | "rules.read" | "rules.write" | "keys.own" | "admin.users" | "admin.settings" | "admin.audit")[];
}
/** What `roles.delete` takes. */
export interface RolesDeleteInput {
	/** The name of the role. Example: `release-manager`. */
	readonly name: string;
}
/** What `tenant.update` takes. */
export interface TenantUpdateInput {
	/** Example: `Example Ltd`. */
	readonly name?: string | undefined;
	readonly settings?: {
		/**
		 * Preflight warns if an inventory is older than this number of hours. Default 24. From 1 to 8760.
		 * Example: `24`.
		 */
		readonly inventoryMaxAgeHours?: number | undefined;
		/**
		 * Number of days that a finding is muted if no end is given. Default 90. From 1 to 3650. Example: `90`.
		 */
		readonly muteDefaultDays?: number | undefined;
		/** Domains that rules treat as your own. Default none. Example: `["example.com"]`. */
		readonly allowedDomains?: readonly string[] | undefined;
	} | undefined;
}
/** What `saml.putSettings` takes. */
export interface SamlPutSettingsInput {
	/** Replaces `entityId`, `ssoUrl` and `certificates`. */
	readonly metadataXml?: string | undefined;
	/** Example: `https://idp.example.com/saml`. */
	readonly entityId?: string | undefined;
	/**
	 * The endpoint of the provider for requests with the HTTP-Redirect binding: an https URL. Example:
	 * `https://idp.example.com/saml/sso`.
	 */
	readonly ssoUrl?: string | undefined;
	/** X.509 certificates as PEM or as base64, with RSA keys of 2048 bits or more. */
	readonly certificates?: readonly string[] | undefined;
	/** The provider can sign in only people with addresses of these domains. Example: `["example.com"]`. */
	readonly emailDomains: readonly string[];
	/**
	 * The role of new members. It must not include an `admin.*` permission or a permission that you do not
	 * have. Example: `release-manager`.
	 */
	readonly defaultRole: string;
}
/** What `saml.discover` takes. */
export interface SamlDiscoverInput {
	/** Example: `ada@example.com`. */
	readonly email: string;
}
/** What `domains.create` takes. */
export interface DomainsCreateInput {
	/** The part of an address after the `@`. Subdomains are separate domains. Example: `example.com`. */
	readonly domain: string;
}
/** What `domains.verify` takes. */
export interface DomainsVerifyInput {
	/** The domain name. Example: `example.com`. */
	readonly domain: string;
}
/** What `domains.delete` takes. */
export interface DomainsDeleteInput {
	/** The domain name. Example: `example.com`. */
	readonly domain: string;
}
/** What `auditEvents.list` takes. */
export interface AuditEventsListInput {
	/** Maximum number of items to return. Default: 25. From 1 to 100. */
	readonly limit?: number | undefined;
	/** The `nextCursor` of the previous page. Opaque. Example: `MjAyNi0xMS0yMFQwODowMDowMFo`. */
	readonly cursor?: string | undefined;
	/** Events by any of these users (ids) or kinds of credential. Example: `["api_key"]`. */
	readonly actor?: OneOrMany<string> | undefined;
	/** Events with any of these actions. */
	readonly action?: OneOrMany<"auth.login" | "auth.refresh" | "auth.logout" | "auth.logout_all" | "session.revoked" | "two_factor.setup" | "two_factor.enabled" | "two_factor.verified" | "two_factor.disabled" | "two_factor.recovery_codes_replaced" | "auth.register" | "auth.verify_email" | "auth.resend_verification" | "auth.forgot_password" | "auth.reset_password" | "auth.accept_invite" | "auth.change_password" | "auth.google" | "auth.saml" | "auth.exchange" | "auth.confirm" | "auth.confirm_mail" | "saml.settings_changed" | "saml.settings_deleted" | "domain.added" | "domain.verified" | "domain.removed" | "api_key.created" | "api_key.revoked" | "user.invited" | "user.invitation_resent" | "user.updated" | "user.removed" | "role.created" | "role.updated" | "role.deleted" | "tenant.updated" | "tenant.created" | "tenant.features_set" | "user.created" | "user.two_factor_reset" | "project.created" | "project.updated" | "project.deleted" | "inventory.uploaded" | "source.changed" | "source.deleted" | "source.pull_requested" | "source.pulled" | "source.failed" | "scan.launched" | "scan.cancelled" | "schedule.created" | "schedule.updated" | "schedule.deleted" | "schedule.disabled" | "webhook.created" | "webhook.updated" | "webhook.deleted" | "webhook.secret_rotated" | "webhook.tested" | "webhook.redelivered" | "webhook.disabled" | "mute.created" | "mute.deleted" | "mute.bulk_created" | "view.created" | "view.updated" | "view.deleted" | "notifications.updated" | "notifications.unsubscribed" | "profile.created" | "profile.updated" | "profile.deleted" | "custom_rule.created" | "custom_rule.updated" | "custom_rule.deleted" | "global_key.used" | "break_glass.used"> | undefined;
	/** If omitted: all. `failure`: refused changes and sign-ins. Example: `["failure"]`. */
	readonly outcome?: OneOrMany<"success" | "failure"> | undefined;
	/** Events at or after this time. RFC 3339, in UTC. */
	readonly from?: string | undefined;
	/** Events before this time. RFC 3339, in UTC. */
	readonly to?: string | undefined;
}
/** What `auditEvents.export` takes. */
export interface AuditEventsExportInput {
	/** Events by any of these users (ids) or kinds of credential. Example: `["api_key"]`. */
	readonly actor?: OneOrMany<string> | undefined;
	/** Events with any of these actions. */
	readonly action?: OneOrMany<"auth.login" | "auth.refresh" | "auth.logout" | "auth.logout_all" | "session.revoked" | "two_factor.setup" | "two_factor.enabled" | "two_factor.verified" | "two_factor.disabled" | "two_factor.recovery_codes_replaced" | "auth.register" | "auth.verify_email" | "auth.resend_verification" | "auth.forgot_password" | "auth.reset_password" | "auth.accept_invite" | "auth.change_password" | "auth.google" | "auth.saml" | "auth.exchange" | "auth.confirm" | "auth.confirm_mail" | "saml.settings_changed" | "saml.settings_deleted" | "domain.added" | "domain.verified" | "domain.removed" | "api_key.created" | "api_key.revoked" | "user.invited" | "user.invitation_resent" | "user.updated" | "user.removed" | "role.created" | "role.updated" | "role.deleted" | "tenant.updated" | "tenant.created" | "tenant.features_set" | "user.created" | "user.two_factor_reset" | "project.created" | "project.updated" | "project.deleted" | "inventory.uploaded" | "source.changed" | "source.deleted" | "source.pull_requested" | "source.pulled" | "source.failed" | "scan.launched" | "scan.cancelled" | "schedule.created" | "schedule.updated" | "schedule.deleted" | "schedule.disabled" | "webhook.created" | "webhook.updated" | "webhook.deleted" | "webhook.secret_rotated" | "webhook.tested" | "webhook.redelivered" | "webhook.disabled" | "mute.created" | "mute.deleted" | "mute.bulk_created" | "view.created" | "view.updated" | "view.deleted" | "notifications.updated" | "notifications.unsubscribed" | "profile.created" | "profile.updated" | "profile.deleted" | "custom_rule.created" | "custom_rule.updated" | "custom_rule.deleted" | "global_key.used" | "break_glass.used"> | undefined;
	/** If omitted: all. `failure`: refused changes and sign-ins. Example: `["failure"]`. */
	readonly outcome?: OneOrMany<"success" | "failure"> | undefined;
	/** Events at or after this time. RFC 3339, in UTC. */
	readonly from?: string | undefined;
	/** Events before this time. RFC 3339, in UTC. */
	readonly to?: string | undefined;
}
/** What `projects.list` takes. */
export interface ProjectsListInput {
	/** Maximum number of items to return. Default: 25. From 1 to 100. */
	readonly limit?: number | undefined;
	/** The `nextCursor` of the previous page. Opaque. Example: `MjAyNi0xMS0yMFQwODowMDowMFo`. */
	readonly cursor?: string | undefined;
}
/** What `projects.create` takes. */
export interface ProjectsCreateInput {
	/** Example: `shop-prod`. */
	readonly name: string;
	/** Example: `The web shop, production`. */
	readonly description?: string | undefined;
}
/** What `projects.get` takes. */
export interface ProjectsGetInput {
	/** The name of the project. Example: `shop-prod`. */
	readonly name: string;
}
/** What `projects.update` takes. */
export interface ProjectsUpdateInput {
	/** The name of the project. Example: `shop-prod`. */
	readonly name: string;
	/** Null removes it. Example: `The web shop, production`. */
	readonly description?: string | null | undefined;
}
/** What `projects.delete` takes. */
export interface ProjectsDeleteInput {
	/** The name of the project. Example: `shop-prod`. */
	readonly name: string;
}
/** What `projects.inventories` takes. */
export interface ProjectsInventoriesInput {
	/** The name of the project. Example: `shop-prod`. */
	readonly name: string;
	/** Maximum number of items to return. Default: 25. From 1 to 100. */
	readonly limit?: number | undefined;
	/** The `nextCursor` of the previous page. Opaque. Example: `MjAyNi0xMS0yMFQwODowMDowMFo`. */
	readonly cursor?: string | undefined;
}
/** What `projects.uploadInventory` takes. */
export interface ProjectsUploadInventoryInput {
	/** The name of the project. Example: `shop-prod`. */
	readonly name: string;
	readonly inventory: InventorySource;
}
/** What `assets.list` takes. */
export interface AssetsListInput {
	/** The name of the project. Example: `shop-prod`. */
	readonly project: string;
	/** Maximum number of items to return. Default: 25. From 1 to 100. */
	readonly limit?: number | undefined;
	/** The `nextCursor` of the previous page. Opaque. Example: `Ly9zdG9yYWdl`. */
	readonly cursor?: string | undefined;
	/** Assets of any of these types. Example: `["storage.googleapis.com/Bucket"]`. */
	readonly type?: OneOrMany<string> | undefined;
	/**
	 * Assets whose name contains this text. Literal (no wildcards), case-insensitive. Example: `shop-uploads`.
	 */
	readonly q?: string | undefined;
	/** Assets at any of these locations, in any letter case. Example: `["europe-west1"]`. */
	readonly location?: OneOrMany<string> | undefined;
	/** True: only assets with open findings, muted or not. False: only the others. */
	readonly hasFindings?: boolean | undefined;
}
/** What `assets.lookup` takes. */
export interface AssetsLookupInput {
	/** The name of the project. Example: `shop-prod`. */
	readonly project: string;
	/** The full resource name of the asset. Example: `//storage.googleapis.com/shop-uploads`. */
	readonly name: string;
	/**
	 * If omitted: of several assets with the name, the one with the first type. Example:
	 * `storage.googleapis.com/Bucket`.
	 */
	readonly type?: string | undefined;
}
/** What `sources.set` takes. */
export interface SourcesSetInput {
	/** The name of the project. Example: `shop-prod`. */
	readonly name: string;
	readonly kind: "google-cloud";
	/**
	 * What is pulled: `projects/<id or number>`, `folders/<number>` or `organizations/<number>`. Example:
	 * `projects/shop-prod`.
	 */
	readonly parent: string;
	/** Stored encrypted, and never returned. */
	readonly credential: {
		readonly type: "service_account_key";
		/**
		 * The JSON of a key file of a service account. Only `client_email` and `private_key` are used: every
		 * address in it, such as `token_uri`, is ignored. Example:
		 * `{"type":"service_account","client_email":"cspm-scanner@shop-prod.iam.gserviceaccount.com","private_key":"-----BEGIN
		 * PRIVATE KEY-----\n…\n-----END PRIVATE KEY-----\n"}`.
		 */
		readonly key: Record<string, JsonValue>;
	} | {
		readonly type: "impersonation";
		/**
		 * A service account whose name begins with `googlePrincipalPrefix` of `GET /tenant`, and which the
		 * identity of this service may impersonate. Example:
		 * `cspm-5f2c19a0d3e84b67@shop-prod.iam.gserviceaccount.com`.
		 */
		readonly serviceAccount: string;
	};
}
/** What `sources.get` takes. */
export interface SourcesGetInput {
	/** The name of the project. Example: `shop-prod`. */
	readonly name: string;
}
/** What `sources.delete` takes. */
export interface SourcesDeleteInput {
	/** The name of the project. Example: `shop-prod`. */
	readonly name: string;
}
/** What `sources.check` takes. */
export interface SourcesCheckInput {
	/** The name of the project. Example: `shop-prod`. */
	readonly name: string;
}
/** What `pulls.start` takes. */
export interface PullsStartInput {
	/** The name of the project. Example: `shop-prod`. */
	readonly name: string;
}
/** What `pulls.list` takes. */
export interface PullsListInput {
	/** The name of the project. Example: `shop-prod`. */
	readonly name: string;
	/** Maximum number of items to return. Default: 25. From 1 to 100. */
	readonly limit?: number | undefined;
	/** The `nextCursor` of the previous page. Opaque. Example: `MjAyNi0xMS0yMFQwODowMDowMFo`. */
	readonly cursor?: string | undefined;
}
/** What `pulls.get` takes. */
export interface PullsGetInput {
	/** The name of the project. Example: `shop-prod`. */
	readonly name: string;
	/** The id of the pull. */
	readonly id: string;
}
/** What `preflight.run` takes. */
export interface PreflightRunInput {
	/** Names of projects. Duplicates are ignored. Example: `["shop-prod"]`. */
	readonly projects: readonly string[];
	/** The rules to evaluate: a profile name from `GET /profiles`. Example: `full`. */
	readonly profile: "full" | "cis-gcp-2.0" | "cis-gcp-4.0" | "cis-gcp-5.0" | "critical" | "iam" | "network" | "storage" | "compute" | "database" | "kms" | "logging" | "gke" | "serverless" | "public-exposure" | "cis-gcp" | "quick" | (string & {});
}
/** What `scans.list` takes. */
export interface ScansListInput {
	/** Maximum number of items to return. Default: 25. From 1 to 100. */
	readonly limit?: number | undefined;
	/** The `nextCursor` of the previous page. Opaque. Example: `MjAyNi0xMS0yMFQwODowMDowMFo`. */
	readonly cursor?: string | undefined;
	/** If omitted: all. */
	readonly status?: OneOrMany<"queued" | "running" | "completed" | "partial" | "failed" | "cancelled"> | undefined;
	/** Scans of any of these projects. */
	readonly project?: OneOrMany<string> | undefined;
	/** Several scans by id, instead of one request per scan. */
	readonly ids?: OneOrMany<string> | undefined;
}
/** What `scans.launch` takes. */
export interface ScansLaunchInput {
	/** Names of projects. Duplicates are ignored. Example: `["shop-prod"]`. */
	readonly projects: readonly string[];
	/** The rules to evaluate: a profile name from `GET /profiles`. Example: `full`. */
	readonly profile: "full" | "cis-gcp-2.0" | "cis-gcp-4.0" | "cis-gcp-5.0" | "critical" | "iam" | "network" | "storage" | "compute" | "database" | "kms" | "logging" | "gke" | "serverless" | "public-exposure" | "cis-gcp" | "quick" | (string & {});
}
/** What `scans.get` takes. */
export interface ScansGetInput {
	/** The id of the scan. */
	readonly id: string;
}
/** What `scans.rules` takes. */
export interface ScansRulesInput {
	/** The id of the scan. */
	readonly id: string;
}
/** What `scans.compliance` takes. */
export interface ScansComplianceInput {
	/** The id of the scan. */
	readonly id: string;
	/** The benchmark and its version. Default: "cis-gcp-4.0". */
	readonly framework?: "cis-gcp-2.0" | "cis-gcp-4.0" | "cis-gcp-5.0" | undefined;
}
/** What `scans.report` takes. */
export interface ScansReportInput {
	/** The id of the scan. */
	readonly id: string;
	/** The format of the report. Default: "html". */
	readonly format?: "html" | "pdf" | "csv" | undefined;
	/** The benchmark and its version. Default: "cis-gcp-4.0". */
	readonly framework?: "cis-gcp-2.0" | "cis-gcp-4.0" | "cis-gcp-5.0" | undefined;
}
/** What `scans.compare` takes. */
export interface ScansCompareInput {
	/** The id of the scan. */
	readonly id: string;
	/** The id of the earlier scan. */
	readonly with: string;
	/** Maximum number of items to return. Default: 25. From 1 to 500. */
	readonly limit?: number | undefined;
	/** The `nextCursor` of the previous page. Opaque. Example: `MjAyNi0xMS0yMFQwODowMDowMFo`. */
	readonly cursor?: string | undefined;
	/** If omitted: all. */
	readonly change?: OneOrMany<"new" | "resolved" | "reopened" | "unchanged"> | undefined;
	/** If omitted: all. */
	readonly severity?: OneOrMany<Severity> | undefined;
	/** Findings of any of these rules (ids). Example: `["bucket-public"]`. */
	readonly rule?: OneOrMany<string> | undefined;
	/** Findings in any of these projects. */
	readonly project?: OneOrMany<string> | undefined;
	/**
	 * Findings whose asset name, title, message or rule id contains this text. Literal (no wildcards),
	 * case-insensitive. Example: `shop-uploads`.
	 */
	readonly q?: string | undefined;
	/** False: leaves out `counts`, which take longer than a page for large scans. Default: true. */
	readonly counts?: boolean | undefined;
}
/** What `scans.cancel` takes. */
export interface ScansCancelInput {
	/** The id of the scan. */
	readonly id: string;
}
/** What `scans.events` takes. */
export interface ScansEventsInput {
	/** The id of the scan. */
	readonly id: string;
}
/** What `schedules.list` takes. */
export interface SchedulesListInput {
	/** Maximum number of items to return. Default: 25. From 1 to 100. */
	readonly limit?: number | undefined;
	/** The `nextCursor` of the previous page. Opaque. Example: `MjAyNi0xMS0yMFQwODowMDowMFo`. */
	readonly cursor?: string | undefined;
}
/** What `schedules.create` takes. */
export interface SchedulesCreateInput {
	/** Unique in your tenant. Example: `Production, every night`. */
	readonly name: string;
	/** Names of the projects to scan. Duplicates are ignored. Example: `["shop-prod"]`. */
	readonly projects: readonly string[];
	/** The rules to evaluate: a profile name from `GET /profiles`. Example: `full`. */
	readonly profile: "full" | "cis-gcp-2.0" | "cis-gcp-4.0" | "cis-gcp-5.0" | "critical" | "iam" | "network" | "storage" | "compute" | "database" | "kms" | "logging" | "gke" | "serverless" | "public-exposure" | "cis-gcp" | "quick" | (string & {});
	/**
	 * A cron expression of five fields: minute, hour, day of month, month, day of week. The minute is one
	 * number, because a schedule runs at most once an hour. Example: `0 3 * * *`.
	 */
	readonly cron: string;
	/** Default: "UTC". Example: `Europe/Berlin`. */
	readonly timezone?: string | undefined;
	/** Default: false. */
	readonly pullFirst?: boolean | undefined;
	/** Default: true. */
	readonly enabled?: boolean | undefined;
}
/** What `schedules.get` takes. */
export interface SchedulesGetInput {
	/** The id of the schedule. */
	readonly id: string;
}
/** What `schedules.update` takes. */
export interface SchedulesUpdateInput {
	/** The id of the schedule. */
	readonly id: string;
	/** Unique in your tenant. Example: `Production, every night`. */
	readonly name: string;
	/** Names of the projects to scan. Duplicates are ignored. Example: `["shop-prod"]`. */
	readonly projects: readonly string[];
	/** The rules to evaluate: a profile name from `GET /profiles`. Example: `full`. */
	readonly profile: "full" | "cis-gcp-2.0" | "cis-gcp-4.0" | "cis-gcp-5.0" | "critical" | "iam" | "network" | "storage" | "compute" | "database" | "kms" | "logging" | "gke" | "serverless" | "public-exposure" | "cis-gcp" | "quick" | (string & {});
	/**
	 * A cron expression of five fields: minute, hour, day of month, month, day of week. The minute is one
	 * number, because a schedule runs at most once an hour. Example: `0 3 * * *`.
	 */
	readonly cron: string;
	/** The IANA time zone of the cron expression. Example: `Europe/Berlin`. */
	readonly timezone: string;
	/** Default: false. */
	readonly pullFirst?: boolean | undefined;
	/** False: the schedule launches no scans. */
	readonly enabled: boolean;
}
/** What `schedules.delete` takes. */
export interface SchedulesDeleteInput {
	/** The id of the schedule. */
	readonly id: string;
}
/** What `webhooks.list` takes. */
export interface WebhooksListInput {
	/** Maximum number of items to return. Default: 25. From 1 to 100. */
	readonly limit?: number | undefined;
	/** The `nextCursor` of the previous page. Opaque. Example: `MjAyNi0xMS0yMFQwODowMDowMFo`. */
	readonly cursor?: string | undefined;
}
/** What `webhooks.create` takes. */
export interface WebhooksCreateInput {
	/**
	 * An https URL with port 443 or a port from 1024, without credentials or fragment. Its host must have
	 * public addresses only. Outside production, http and https URLs of this machine are accepted as well.
	 * Example: `https://hooks.example.com/cspm`.
	 */
	readonly url: string;
	/** The events to send. Duplicates are ignored. Example: `["scan.completed","findings.opened"]`. */
	readonly events: readonly ("scan.completed" | "scan.failed" | "findings.opened" | "findings.resolved" | "schedule.disabled" | "source.failed" | "api_key.created" | "break_glass.used" | "sign_in.locked")[];
	/** Default: "". Example: `Tickets for new findings`. */
	readonly description?: string | undefined;
	/** Default: "standard". */
	readonly format?: "standard" | "slack" | undefined;
	/** Default: true. */
	readonly enabled?: boolean | undefined;
}
/** What `webhooks.get` takes. */
export interface WebhooksGetInput {
	/** The id of the webhook. */
	readonly id: string;
}
/** What `webhooks.update` takes. */
export interface WebhooksUpdateInput {
	/** The id of the webhook. */
	readonly id: string;
	/**
	 * An https URL with port 443 or a port from 1024, without credentials or fragment. Its host must have
	 * public addresses only. Outside production, http and https URLs of this machine are accepted as well.
	 * Example: `https://hooks.example.com/cspm`.
	 */
	readonly url: string;
	/** The events to send. Duplicates are ignored. Example: `["scan.completed","findings.opened"]`. */
	readonly events: readonly ("scan.completed" | "scan.failed" | "findings.opened" | "findings.resolved" | "schedule.disabled" | "source.failed" | "api_key.created" | "break_glass.used" | "sign_in.locked")[];
	/** Default: "". Example: `Tickets for new findings`. */
	readonly description?: string | undefined;
	/**
	 * `standard`: a signed JSON event, see Standard Webhooks 1.0. `slack`: the message of an incoming webhook
	 * of Slack. If it is omitted, it stays as it is.
	 */
	readonly format?: "standard" | "slack" | undefined;
	/** False: no events are sent. */
	readonly enabled: boolean;
}
/** What `webhooks.delete` takes. */
export interface WebhooksDeleteInput {
	/** The id of the webhook. */
	readonly id: string;
}
/** What `webhooks.rotateSecret` takes. */
export interface WebhooksRotateSecretInput {
	/** The id of the webhook. */
	readonly id: string;
}
/** What `webhooks.test` takes. */
export interface WebhooksTestInput {
	/** The id of the webhook. */
	readonly id: string;
}
/** What `webhooks.deliveries` takes. */
export interface WebhooksDeliveriesInput {
	/** The id of the webhook. */
	readonly id: string;
	/** Maximum number of items to return. Default: 25. From 1 to 100. */
	readonly limit?: number | undefined;
	/** The `nextCursor` of the previous page. Opaque. Example: `MjAyNi0xMS0yMFQwODowMDowMFo`. */
	readonly cursor?: string | undefined;
}
/** What `webhooks.redeliver` takes. */
export interface WebhooksRedeliverInput {
	/** The id of the webhook. */
	readonly id: string;
	/** The id of the delivery. */
	readonly deliveryId: string;
}
/** What `findings.list` takes. */
export interface FindingsListInput {
	/** Maximum number of items to return. Default: 25. From 1 to 500. */
	readonly limit?: number | undefined;
	/** The `nextCursor` of the previous page. Opaque. Example: `MjAyNi0xMS0yMFQwODowMDowMFo`. */
	readonly cursor?: string | undefined;
	/**
	 * `newest`: by creation, newest first. `severity`: most severe first, then newest. `lastSeen`: most
	 * recently seen first. Default: "newest".
	 */
	readonly sort?: "newest" | "severity" | "lastSeen" | undefined;
	/** Findings in any of these projects. */
	readonly project?: OneOrMany<string> | undefined;
	/** If omitted: all. */
	readonly severity?: OneOrMany<Severity> | undefined;
	/** If omitted: all. */
	readonly status?: OneOrMany<"open" | "resolved"> | undefined;
	/** Findings of any of these rules (ids). Example: `["bucket-public"]`. */
	readonly rule?: OneOrMany<string> | undefined;
	/** Findings that this scan saw or resolved, with its `delta`. An unknown id matches no finding. */
	readonly scan?: string | undefined;
	/** True: only muted findings. False: only findings that are not muted. */
	readonly muted?: boolean | undefined;
	/**
	 * Findings whose asset name, title, message or rule id contains this text. Literal (no wildcards),
	 * case-insensitive. Example: `shop-uploads`.
	 */
	readonly q?: string | undefined;
	/** Findings of rules in any of these categories. Custom rules: `custom`. Example: `["storage"]`. */
	readonly category?: OneOrMany<string> | undefined;
	/** Findings on assets of any of these types. Example: `["storage.googleapis.com/Bucket"]`. */
	readonly assetType?: OneOrMany<string> | undefined;
	/**
	 * Findings of rules that cover a requirement of any of these frameworks. `cis-gcp` stands for
	 * `cis-gcp-4.0`; no finding matches an unknown framework. Example: `["cis-gcp-4.0"]`.
	 */
	readonly framework?: OneOrMany<string> | undefined;
	/** The change since the previous scan. With `scan`: as recorded by that scan. */
	readonly delta?: OneOrMany<"new" | "unchanged" | "reopened" | "resolved"> | undefined;
	/** Findings first seen at or after this time. RFC 3339, in UTC. */
	readonly since?: string | undefined;
	/**
	 * Findings on the asset with exactly this full resource name. Example:
	 * `//storage.googleapis.com/shop-uploads`.
	 */
	readonly asset?: string | undefined;
	/**
	 * The finding with this fingerprint, such as the one that a mute names. Example:
	 * `3b1f0c5f6c2f8d1f7a9be5a4c0d2e6f8901a2b3c4d5e6f708192a3b4c5d6e7f8`.
	 */
	readonly fingerprint?: string | undefined;
}
/** What `findings.summary` takes. */
export interface FindingsSummaryInput {
	/** Findings in any of these projects. */
	readonly project?: OneOrMany<string> | undefined;
	/** If omitted: all. */
	readonly severity?: OneOrMany<Severity> | undefined;
	/** If omitted: all. */
	readonly status?: OneOrMany<"open" | "resolved"> | undefined;
	/** Findings of any of these rules (ids). Example: `["bucket-public"]`. */
	readonly rule?: OneOrMany<string> | undefined;
	/** Findings that this scan saw or resolved, with its `delta`. An unknown id matches no finding. */
	readonly scan?: string | undefined;
	/** True: only muted findings. False: only findings that are not muted. */
	readonly muted?: boolean | undefined;
	/**
	 * Findings whose asset name, title, message or rule id contains this text. Literal (no wildcards),
	 * case-insensitive. Example: `shop-uploads`.
	 */
	readonly q?: string | undefined;
	/** Findings of rules in any of these categories. Custom rules: `custom`. Example: `["storage"]`. */
	readonly category?: OneOrMany<string> | undefined;
	/** Findings on assets of any of these types. Example: `["storage.googleapis.com/Bucket"]`. */
	readonly assetType?: OneOrMany<string> | undefined;
	/**
	 * Findings of rules that cover a requirement of any of these frameworks. `cis-gcp` stands for
	 * `cis-gcp-4.0`; no finding matches an unknown framework. Example: `["cis-gcp-4.0"]`.
	 */
	readonly framework?: OneOrMany<string> | undefined;
	/** The change since the previous scan. With `scan`: as recorded by that scan. */
	readonly delta?: OneOrMany<"new" | "unchanged" | "reopened" | "resolved"> | undefined;
	/** Findings first seen at or after this time. RFC 3339, in UTC. */
	readonly since?: string | undefined;
	/**
	 * Findings on the asset with exactly this full resource name. Example:
	 * `//storage.googleapis.com/shop-uploads`.
	 */
	readonly asset?: string | undefined;
	/**
	 * The finding with this fingerprint, such as the one that a mute names. Example:
	 * `3b1f0c5f6c2f8d1f7a9be5a4c0d2e6f8901a2b3c4d5e6f708192a3b4c5d6e7f8`.
	 */
	readonly fingerprint?: string | undefined;
}
/** What `findings.groups` takes. */
export interface FindingsGroupsInput {
	/** What to group by. Example: `rule`. */
	readonly by: "rule" | "asset" | "project";
	/** Maximum number of items to return. Default: 25. From 1 to 100. */
	readonly limit?: number | undefined;
	/** The `nextCursor` of the previous page. Opaque. Example: `MjAyNi0xMS0yMFQwODowMDowMFo`. */
	readonly cursor?: string | undefined;
	/** Findings in any of these projects. */
	readonly project?: OneOrMany<string> | undefined;
	/** If omitted: all. */
	readonly severity?: OneOrMany<Severity> | undefined;
	/** If omitted: all. */
	readonly status?: OneOrMany<"open" | "resolved"> | undefined;
	/** Findings of any of these rules (ids). Example: `["bucket-public"]`. */
	readonly rule?: OneOrMany<string> | undefined;
	/** Findings that this scan saw or resolved, with its `delta`. An unknown id matches no finding. */
	readonly scan?: string | undefined;
	/** True: only muted findings. False: only findings that are not muted. */
	readonly muted?: boolean | undefined;
	/**
	 * Findings whose asset name, title, message or rule id contains this text. Literal (no wildcards),
	 * case-insensitive. Example: `shop-uploads`.
	 */
	readonly q?: string | undefined;
	/** Findings of rules in any of these categories. Custom rules: `custom`. Example: `["storage"]`. */
	readonly category?: OneOrMany<string> | undefined;
	/** Findings on assets of any of these types. Example: `["storage.googleapis.com/Bucket"]`. */
	readonly assetType?: OneOrMany<string> | undefined;
	/**
	 * Findings of rules that cover a requirement of any of these frameworks. `cis-gcp` stands for
	 * `cis-gcp-4.0`; no finding matches an unknown framework. Example: `["cis-gcp-4.0"]`.
	 */
	readonly framework?: OneOrMany<string> | undefined;
	/** The change since the previous scan. With `scan`: as recorded by that scan. */
	readonly delta?: OneOrMany<"new" | "unchanged" | "reopened" | "resolved"> | undefined;
	/** Findings first seen at or after this time. RFC 3339, in UTC. */
	readonly since?: string | undefined;
	/**
	 * Findings on the asset with exactly this full resource name. Example:
	 * `//storage.googleapis.com/shop-uploads`.
	 */
	readonly asset?: string | undefined;
	/**
	 * The finding with this fingerprint, such as the one that a mute names. Example:
	 * `3b1f0c5f6c2f8d1f7a9be5a4c0d2e6f8901a2b3c4d5e6f708192a3b4c5d6e7f8`.
	 */
	readonly fingerprint?: string | undefined;
}
/** What `findings.export` takes. */
export interface FindingsExportInput {
	/** The format of the export. Default: "ndjson". */
	readonly format?: "sarif" | "ocsf" | "csv" | "ndjson" | undefined;
	/** Findings in any of these projects. */
	readonly project?: OneOrMany<string> | undefined;
	/** If omitted: all. */
	readonly severity?: OneOrMany<Severity> | undefined;
	/** If omitted: all. */
	readonly status?: OneOrMany<"open" | "resolved"> | undefined;
	/** Findings of any of these rules (ids). Example: `["bucket-public"]`. */
	readonly rule?: OneOrMany<string> | undefined;
	/** Findings that this scan saw or resolved, with its `delta`. An unknown id matches no finding. */
	readonly scan?: string | undefined;
	/** True: only muted findings. False: only findings that are not muted. */
	readonly muted?: boolean | undefined;
	/**
	 * Findings whose asset name, title, message or rule id contains this text. Literal (no wildcards),
	 * case-insensitive. Example: `shop-uploads`.
	 */
	readonly q?: string | undefined;
	/** Findings of rules in any of these categories. Custom rules: `custom`. Example: `["storage"]`. */
	readonly category?: OneOrMany<string> | undefined;
	/** Findings on assets of any of these types. Example: `["storage.googleapis.com/Bucket"]`. */
	readonly assetType?: OneOrMany<string> | undefined;
	/**
	 * Findings of rules that cover a requirement of any of these frameworks. `cis-gcp` stands for
	 * `cis-gcp-4.0`; no finding matches an unknown framework. Example: `["cis-gcp-4.0"]`.
	 */
	readonly framework?: OneOrMany<string> | undefined;
	/** The change since the previous scan. With `scan`: as recorded by that scan. */
	readonly delta?: OneOrMany<"new" | "unchanged" | "reopened" | "resolved"> | undefined;
	/** Findings first seen at or after this time. RFC 3339, in UTC. */
	readonly since?: string | undefined;
	/**
	 * Findings on the asset with exactly this full resource name. Example:
	 * `//storage.googleapis.com/shop-uploads`.
	 */
	readonly asset?: string | undefined;
	/**
	 * The finding with this fingerprint, such as the one that a mute names. Example:
	 * `3b1f0c5f6c2f8d1f7a9be5a4c0d2e6f8901a2b3c4d5e6f708192a3b4c5d6e7f8`.
	 */
	readonly fingerprint?: string | undefined;
}
/** What `findings.get` takes. */
export interface FindingsGetInput {
	/** The id of the finding. */
	readonly id: string;
}
/** What `mutes.list` takes. */
export interface MutesListInput {
	/** Maximum number of items to return. Default: 25. From 1 to 100. */
	readonly limit?: number | undefined;
	/** The `nextCursor` of the previous page. Opaque. Example: `MjAyNi0xMS0yMFQwODowMDowMFo`. */
	readonly cursor?: string | undefined;
	/** True: only active mutes. False: only expired mutes. */
	readonly active?: boolean | undefined;
	/** Mutes that apply to the finding with this id: its own, and selectors. */
	readonly finding?: string | undefined;
}
/** What `mutes.create` takes. */
export type MutesCreateInput = {
	/** Why the finding is acceptable. Example: `A static site, public on purpose`. */
	readonly reason: string;
	/**
	 * A time in the future. If omitted, the mute ends after the number of days set for the tenant (90 by
	 * default). RFC 3339, in UTC.
	 */
	readonly expiresAt?: string | undefined;
} & ({
	/** Example: `3b1f0c5f6c2f8d1f7a9be5a4c0d2e6f8901a2b3c4d5e6f708192a3b4c5d6e7f8`. */
	readonly fingerprint: string;
	readonly selector?: undefined;
} | {
	readonly selector: {
		/** Example: `bucket-public`. */
		readonly ruleId?: string | undefined;
		/**
		 * The full name of an asset; `*` matches any characters. Example:
		 * `//storage.googleapis.com/shop-static-*`.
		 */
		readonly asset?: string | undefined;
		/** Example: `shop-prod`. */
		readonly project?: string | undefined;
		/** A label of the asset: `key`, or `key=value`. Example: `env=test`. */
		readonly label?: string | undefined;
	};
	readonly fingerprint?: undefined;
});
/** What `mutes.bulkCreate` takes. */
export type MutesBulkCreateInput = {
	/** Why the finding is acceptable. Example: `A static site, public on purpose`. */
	readonly reason: string;
	/**
	 * A time in the future. If omitted, the mute ends after the number of days set for the tenant (90 by
	 * default). RFC 3339, in UTC.
	 */
	readonly expiresAt?: string | undefined;
} & ({
	readonly findingIds: readonly string[];
	readonly filter?: undefined;
} | {
	/** The filters of `GET /findings`. */
	readonly filter: {
		/** Findings in any of these projects. */
		readonly project?: readonly string[] | undefined;
		/** If omitted: all. */
		readonly severity?: readonly Severity[] | undefined;
		/** If omitted: all. */
		readonly status?: readonly ("open" | "resolved")[] | undefined;
		/** Findings of any of these rules (ids). Example: `["bucket-public"]`. */
		readonly rule?: readonly string[] | undefined;
		/** Findings that this scan saw or resolved, with its `delta`. An unknown id matches no finding. */
		readonly scan?: string | undefined;
		/** True: only muted findings. False: only findings that are not muted. */
		readonly muted?: boolean | undefined;
		/**
		 * Findings whose asset name, title, message or rule id contains this text. Literal (no wildcards),
		 * case-insensitive. Example: `shop-uploads`.
		 */
		readonly q?: string | undefined;
		/** Findings of rules in any of these categories. Custom rules: `custom`. Example: `["storage"]`. */
		readonly category?: readonly string[] | undefined;
		/** Findings on assets of any of these types. Example: `["storage.googleapis.com/Bucket"]`. */
		readonly assetType?: readonly string[] | undefined;
		/**
		 * Findings of rules that cover a requirement of any of these frameworks. `cis-gcp` stands for
		 * `cis-gcp-4.0`; no finding matches an unknown framework. Example: `["cis-gcp-4.0"]`.
		 */
		readonly framework?: readonly string[] | undefined;
		/** The change since the previous scan. With `scan`: as recorded by that scan. */
		readonly delta?: readonly ("new" | "unchanged" | "reopened" | "resolved")[] | undefined;
		/** Findings first seen at or after this time. RFC 3339, in UTC. */
		readonly since?: string | undefined;
		/**
		 * Findings on the asset with exactly this full resource name. Example:
		 * `//storage.googleapis.com/shop-uploads`.
		 */
		readonly asset?: string | undefined;
		/**
		 * The finding with this fingerprint, such as the one that a mute names. Example:
		 * `3b1f0c5f6c2f8d1f7a9be5a4c0d2e6f8901a2b3c4d5e6f708192a3b4c5d6e7f8`.
		 */
		readonly fingerprint?: string | undefined;
	};
	readonly findingIds?: undefined;
});
/** What `mutes.delete` takes. */
export interface MutesDeleteInput {
	/** The id of the mute. */
	readonly id: string;
}
/** What `posture.summary` takes. */
export interface PostureSummaryInput {
	/** Maximum number of projects to return. Default: 25. From 1 to 100. */
	readonly limit?: number | undefined;
}
/** What `posture.trend` takes. */
export interface PostureTrendInput {
	/** If omitted: all projects of the tenant. Example: `shop-prod`. */
	readonly project?: string | undefined;
	/** The first day. If omitted: 89 days before `to`. Example: `2026-11-20`. */
	readonly from?: string | undefined;
	/** The last day. If omitted: today. Example: `2026-11-20`. */
	readonly to?: string | undefined;
	/** One point per day or per week. Default: "day". */
	readonly interval?: PostureInterval | undefined;
}
/** What `views.list` takes. */
export interface ViewsListInput {
	/** Maximum number of items to return. Default: 25. From 1 to 100. */
	readonly limit?: number | undefined;
	/** The `nextCursor` of the previous page. Opaque. Example: `MjAyNi0xMS0yMFQwODowMDowMFo`. */
	readonly cursor?: string | undefined;
}
/** What `views.create` takes. */
export interface ViewsCreateInput {
	/** Unique among the views of the owner. Example: `Public buckets in production`. */
	readonly name: string;
	/**
	 * The query string of a URL of the console, without the question mark. A question mark before it is
	 * removed. Example: `severity=critical&project=shop-prod&sort=severity`.
	 */
	readonly query: string;
	/** Default: false. */
	readonly shared?: boolean | undefined;
}
/** What `views.update` takes. */
export interface ViewsUpdateInput {
	/** The id of the view. */
	readonly id: string;
	/** Unique among the views of the owner. Example: `Public buckets in production`. */
	readonly name: string;
	/**
	 * The query string of a URL of the console, without the question mark. A question mark before it is
	 * removed. Example: `severity=critical&project=shop-prod&sort=severity`.
	 */
	readonly query: string;
	/** True: visible to all members who may read findings. False: visible to the owner alone. */
	readonly shared: boolean;
}
/** What `views.delete` takes. */
export interface ViewsDeleteInput {
	/** The id of the view. */
	readonly id: string;
}
/** What `notifications.update` takes. */
export interface NotificationsUpdateInput {
	/**
	 * `off`: no e-mails. `immediate`: one e-mail for each scan. `daily`: one e-mail for the scans of a day, at
	 * 07:00 UTC. `weekly`: one e-mail for the scans of a week, on Mondays at 07:00 UTC. Example: `daily`.
	 */
	readonly digest: "off" | "immediate" | "daily" | "weekly";
}
/** What `rules.list` takes. */
export interface RulesListInput {
	/** Maximum number of items to return. Default: 25. From 1 to 500. */
	readonly limit?: number | undefined;
	/** The `nextCursor` of the previous page. Opaque. Example: `MjAyNi0xMS0yMFQwODowMDowMFo`. */
	readonly cursor?: string | undefined;
	/** If omitted: all. */
	readonly severity?: OneOrMany<Severity> | undefined;
	/** Rules in any of these categories. Example: `["storage"]`. */
	readonly category?: OneOrMany<string> | undefined;
}
/** What `rules.get` takes. */
export interface RulesGetInput {
	/** The id of the rule. Example: `bucket-public`. */
	readonly id: string;
}
/** What `customRules.list` takes. */
export interface CustomRulesListInput {
	/** Maximum number of items to return. Default: 25. From 1 to 100. */
	readonly limit?: number | undefined;
	/** The `nextCursor` of the previous page. Opaque. Example: `MjAyNi0xMS0yMFQwODowMDowMFo`. */
	readonly cursor?: string | undefined;
}
/** What `customRules.create` takes. */
export interface CustomRulesCreateInput {
	/** If omitted, derived from the title. Example: `bucket-has-owner`. */
	readonly id?: string | undefined;
	/** Example: `Bucket without an owner`. */
	readonly title: string;
	/** Example: `Every bucket names its team in the label owner.`. */
	readonly description: string | "";
	readonly severity: Severity;
	/** Example: `["storage.googleapis.com/Bucket"]`. */
	readonly assetTypes: readonly string[];
	/**
	 * A CEL expression; true means that the asset violates the rule. `resource.data` is the content of the
	 * asset; its members are also available directly under `resource`. `iam_policy` is the IAM policy of the
	 * asset, `asset` has its `name`, `type` and `ancestors`, and `now` is the time of the scan. Besides the
	 * standard CEL functions and the string extension there are `isPublic(x)` for a member, a binding, an
	 * access entry, a list of them or a policy, `coversInternet(x)` for a range, a list of ranges or a
	 * firewall, `portOpen(resource, "tcp", 22)` and `flag(resource, "name")`, which is null for an unset
	 * database flag. Data missing from the inventory makes the verdict UNKNOWN; test with `has()` first.
	 * Numbers are doubles. Example: `!has(resource.data.labels) || !has(resource.data.labels.owner)`.
	 */
	readonly predicate: string;
	/** Example: `Set the label owner.`. */
	readonly recommendation: string | "";
	/** Whether `full` and the profiles that include it evaluate the rule. Default: true. */
	readonly enabled?: boolean | undefined;
	/**
	 * Assets with the verdict that the rule must return for each. The rule is refused if a verdict differs.
	 * Default: []. Example:
	 * `[{"asset":{"name":"//storage.googleapis.com/shop-uploads","asset_type":"storage.googleapis.com/Bucket","resource":{"data":{"labels":{}}}},"verdict":"fail"}]`.
	 */
	readonly tests?: readonly {
		/** A record in the format of a Cloud Asset Inventory export. */
		readonly asset: Record<string, JsonValue>;
		readonly verdict: "pass" | "fail" | "unknown";
	}[] | undefined;
}
/** What `customRules.update` takes. */
export interface CustomRulesUpdateInput {
	/** The rule. Example: `bucket-has-owner`. */
	readonly id: string;
	/** Example: `Bucket without an owner`. */
	readonly title: string;
	/** Example: `Every bucket names its team in the label owner.`. */
	readonly description: string | "";
	readonly severity: Severity;
	/** Example: `["storage.googleapis.com/Bucket"]`. */
	readonly assetTypes: readonly string[];
	/**
	 * A CEL expression; true means that the asset violates the rule. `resource.data` is the content of the
	 * asset; its members are also available directly under `resource`. `iam_policy` is the IAM policy of the
	 * asset, `asset` has its `name`, `type` and `ancestors`, and `now` is the time of the scan. Besides the
	 * standard CEL functions and the string extension there are `isPublic(x)` for a member, a binding, an
	 * access entry, a list of them or a policy, `coversInternet(x)` for a range, a list of ranges or a
	 * firewall, `portOpen(resource, "tcp", 22)` and `flag(resource, "name")`, which is null for an unset
	 * database flag. Data missing from the inventory makes the verdict UNKNOWN; test with `has()` first.
	 * Numbers are doubles. Example: `!has(resource.data.labels) || !has(resource.data.labels.owner)`.
	 */
	readonly predicate: string;
	/** Example: `Set the label owner.`. */
	readonly recommendation: string | "";
	/** Whether `full` and the profiles that include it evaluate the rule. Default: true. */
	readonly enabled?: boolean | undefined;
	/**
	 * Assets with the verdict that the rule must return for each. The rule is refused if a verdict differs.
	 * Default: []. Example:
	 * `[{"asset":{"name":"//storage.googleapis.com/shop-uploads","asset_type":"storage.googleapis.com/Bucket","resource":{"data":{"labels":{}}}},"verdict":"fail"}]`.
	 */
	readonly tests?: readonly {
		/** A record in the format of a Cloud Asset Inventory export. */
		readonly asset: Record<string, JsonValue>;
		readonly verdict: "pass" | "fail" | "unknown";
	}[] | undefined;
}
/** What `customRules.delete` takes. */
export interface CustomRulesDeleteInput {
	/** The rule. Example: `bucket-has-owner`. */
	readonly id: string;
}
/** What `customRules.test` takes. */
export interface CustomRulesTestInput {
	readonly rule: {
		/** If omitted, derived from the title. Example: `bucket-has-owner`. */
		readonly id?: string | undefined;
		/** Example: `Bucket without an owner`. */
		readonly title: string;
		/** Example: `Every bucket names its team in the label owner.`. */
		readonly description: string | "";
		readonly severity: Severity;
		/** Example: `["storage.googleapis.com/Bucket"]`. */
		readonly assetTypes: readonly string[];
		/**
		 * A CEL expression; true means that the asset violates the rule. `resource.data` is the content of the
		 * asset; its members are also available directly under `resource`. `iam_policy` is the IAM policy of the
		 * asset, `asset` has its `name`, `type` and `ancestors`, and `now` is the time of the scan. Besides the
		 * standard CEL functions and the string extension there are `isPublic(x)` for a member, a binding, an
		 * access entry, a list of them or a policy, `coversInternet(x)` for a range, a list of ranges or a
		 * firewall, `portOpen(resource, "tcp", 22)` and `flag(resource, "name")`, which is null for an unset
		 * database flag. Data missing from the inventory makes the verdict UNKNOWN; test with `has()` first.
		 * Numbers are doubles. Example: `!has(resource.data.labels) || !has(resource.data.labels.owner)`.
		 */
		readonly predicate: string;
		/** Example: `Set the label owner.`. */
		readonly recommendation: string | "";
		/** Whether `full` and the profiles that include it evaluate the rule. Default: true. */
		readonly enabled?: boolean | undefined;
		/**
		 * Assets with the verdict that the rule must return for each. The rule is refused if a verdict differs.
		 * Default: []. Example:
		 * `[{"asset":{"name":"//storage.googleapis.com/shop-uploads","asset_type":"storage.googleapis.com/Bucket","resource":{"data":{"labels":{}}}},"verdict":"fail"}]`.
		 */
		readonly tests?: readonly {
			/** A record in the format of a Cloud Asset Inventory export. */
			readonly asset: Record<string, JsonValue>;
			readonly verdict: "pass" | "fail" | "unknown";
		}[] | undefined;
	};
	/** The project whose inventory the rule is evaluated on. Example: `shop-prod`. */
	readonly project?: string | undefined;
}
/** What `customRules.fields` takes. */
export interface CustomRulesFieldsInput {
	/** The project whose inventory is sampled. Example: `shop-prod`. */
	readonly project: string;
	/** The types of the assets. Example: `["storage.googleapis.com/Bucket"]`. */
	readonly assetType: OneOrMany<string>;
}
/** What `profiles.create` takes. */
export interface ProfilesCreateInput {
	/** Example: `custom:web-tier`. */
	readonly name: string;
	/**
	 * Rule ids (`*` matches any characters), or `category:…`, `severity:…`, `framework:…`, `profile:…`. Custom
	 * rules have the category `custom`. Example: `["category:storage","category:kms","severity:critical"]`.
	 */
	readonly include: readonly string[];
	/** Rules to exclude, in the same syntax. Default: []. Example: `["bucket-logging"]`. */
	readonly exclude?: readonly string[] | undefined;
	/**
	 * Parameters by rule id that differ from the default. Unknown parameters are refused. Default: {}. Example:
	 * `{"kms-rotation-90d":{"days":30}}`.
	 */
	readonly parameters?: Record<string, Record<string, JsonValue>> | undefined;
}
/** What `profiles.update` takes. */
export interface ProfilesUpdateInput {
	/** The name of the profile. Example: `custom:web-tier`. */
	readonly name: string;
	/**
	 * Rule ids (`*` matches any characters), or `category:…`, `severity:…`, `framework:…`, `profile:…`. Custom
	 * rules have the category `custom`. Example: `["category:storage","category:kms","severity:critical"]`.
	 */
	readonly include: readonly string[];
	/** Rules to exclude, in the same syntax. Default: []. Example: `["bucket-logging"]`. */
	readonly exclude?: readonly string[] | undefined;
	/**
	 * Parameters by rule id that differ from the default. Unknown parameters are refused. Default: {}. Example:
	 * `{"kms-rotation-90d":{"days":30}}`.
	 */
	readonly parameters?: Record<string, Record<string, JsonValue>> | undefined;
}
/** What `profiles.delete` takes. */
export interface ProfilesDeleteInput {
	/** The name of the profile. Example: `custom:web-tier`. */
	readonly name: string;
}
/** What `meta.problem` takes. */
export interface MetaProblemInput {
	/** The problem code in kebab case. */
	readonly code: "validation-failed" | "invalid-token" | "tenant-required" | "break-glass-reason-required" | "unauthorized" | "invalid-credentials" | "totp-required" | "invalid-code" | "registration-closed" | "sign-in-cancelled" | "forbidden" | "credential-not-allowed" | "cross-site-request" | "reauth-required" | "confirmation-required" | "mfa-required" | "feature-not-licensed" | "not-found" | "method-not-allowed" | "request-timeout" | "conflict" | "scan-not-completed" | "idempotency-key-in-use" | "payload-too-large" | "unsupported-media-type" | "idempotency-key-mismatch" | "preflight-blocked" | "scans-not-comparable" | "domain-not-verified" | "source-refused" | "rate-limited" | "internal" | "auth-unavailable" | "service-unavailable";
}
/**
 * Creates a client of one service, with one credential or none.
 * @throws {TypeError} for a `baseUrl` that is missing or is not an http URL, and for a key that is not a string.
 * @throws {ValidationError} for an `apiKey`, `masterKey` or `reason` that no header can hold, such as `cspm_…`. An unknown
 * key is not refused here: calls with it reject with an `UnauthorizedError`.
 */
export declare function createClient(options: ClientOptions): Cspm;
/** The status of a scan. */
export type ScanStatus = Scan["status"];
/** A permission of a role. */
export type Permission = Identity["permissions"][number];
/**
 * An error of one operation, named as in the OpenAPI document: `ProblemOf<'scansLaunch'>`. A `switch` over its `code`
 * accepts only codes that the operation has. Keep a `default`: a newer server can answer with others.
 */
export type ProblemOf<Operation extends keyof ProblemCodes> = Omit<ApiError, "code"> & {
	readonly code: ProblemCodes[Operation] | LocalCode;
};
/** A call as tests fake it: a promise of the data is enough. Every call of a client is one. */
export type CallLike<T> = Promise<T> & Partial<Omit<Call<T>, keyof Promise<T>>>;
/**
 * A client as tests fake it: some of the methods, each an async function that returns the data. Every client is one.
 */
export type CspmLike = {
	readonly [Group in keyof Cspm]?: Cspm[Group] extends Method ? Cspm[Group] : {
		readonly [Name in keyof Cspm[Group]]?: FakeMethod<Cspm[Group][Name]>;
	};
};
export type Method = (...input: never[]) => unknown;
export type FakeMethod<M> = M extends (...input: infer I) => Call<infer T> ? (...input: I) => CallLike<T> : M;

export {};
