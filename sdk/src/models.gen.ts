// Generated from the contract by `npm run generate`. Do not edit.

/** An error response (RFC 9457). */
export interface Problem {
  /** Example: `/problems/validation-failed`. */
  type: string;
  title: string;
  status: number;
  detail: string;
  code:
    | 'VALIDATION_FAILED'
    | 'INVALID_TOKEN'
    | 'TENANT_REQUIRED'
    | 'BREAK_GLASS_REASON_REQUIRED'
    | 'UNAUTHORIZED'
    | 'INVALID_CREDENTIALS'
    | 'TOTP_REQUIRED'
    | 'INVALID_CODE'
    | 'REGISTRATION_CLOSED'
    | 'SIGN_IN_CANCELLED'
    | 'FORBIDDEN'
    | 'CREDENTIAL_NOT_ALLOWED'
    | 'CROSS_SITE_REQUEST'
    | 'REAUTH_REQUIRED'
    | 'CONFIRMATION_REQUIRED'
    | 'MFA_REQUIRED'
    | 'FEATURE_NOT_LICENSED'
    | 'NOT_FOUND'
    | 'METHOD_NOT_ALLOWED'
    | 'REQUEST_TIMEOUT'
    | 'CONFLICT'
    | 'SCAN_NOT_COMPLETED'
    | 'IDEMPOTENCY_KEY_IN_USE'
    | 'PAYLOAD_TOO_LARGE'
    | 'UNSUPPORTED_MEDIA_TYPE'
    | 'IDEMPOTENCY_KEY_MISMATCH'
    | 'PREFLIGHT_BLOCKED'
    | 'SCANS_NOT_COMPARABLE'
    | 'DOMAIN_NOT_VERIFIED'
    | 'SOURCE_REFUSED'
    | 'RATE_LIMITED'
    | 'INTERNAL'
    | 'AUTH_UNAVAILABLE'
    | 'SERVICE_UNAVAILABLE';
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
  health?: Record<string, 'ok' | 'failing'>;
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
  methods: ('password' | 'code' | 'mail')[];
  /** RFC 3339, in UTC. */
  expiresAt: string;
}

/** A preflight check that failed. */
export interface ProblemCheck {
  project: string | null;
  id: string;
  status: 'fail';
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
  tokenType: 'Bearer';
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
    features: ('sso' | 'custom_rules' | 'audit_export')[];
  };
  /** Example: `admin`. */
  role: string;
  permissions: (
    | 'scans.read'
    | 'scans.launch'
    | 'scans.cancel'
    | 'preflight.run'
    | 'projects.read'
    | 'projects.write'
    | 'findings.read'
    | 'findings.mute'
    | 'rules.read'
    | 'rules.write'
    | 'keys.own'
    | 'admin.users'
    | 'admin.settings'
    | 'admin.audit'
  )[];
  credential: {
    kind: 'jwt' | 'api_key' | 'global_api_key' | 'master_key';
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
  status: 'invited' | 'active' | 'disabled';
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
  permissions: (
    | 'scans.read'
    | 'scans.launch'
    | 'scans.cancel'
    | 'preflight.run'
    | 'projects.read'
    | 'projects.write'
    | 'findings.read'
    | 'findings.mute'
    | 'rules.read'
    | 'rules.write'
    | 'keys.own'
    | 'admin.users'
    | 'admin.settings'
    | 'admin.audit'
  )[];
  /** Built-in roles are the same in every tenant and cannot be changed. Example: `false`. */
  builtIn: boolean;
}

/** Your tenant. */
export interface Tenant {
  id: string;
  /** Example: `Example Ltd`. */
  name: string;
  features: ('sso' | 'custom_rules' | 'audit_export')[];
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
  status: 'pending' | 'verified';
  /** The DNS record to add. */
  record: {
    type: 'TXT';
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
  outcome: 'success' | 'failure';
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
export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };

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
export type Severity = 'critical' | 'high' | 'medium' | 'low' | 'info';

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
  status: 'open' | 'resolved';
  /** Change since the previous scan. With filter `scan`: as recorded by that scan. */
  delta: 'new' | 'unchanged' | 'reopened' | 'resolved';
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
  resolvedReason: 'fixed' | 'asset_gone' | 'rule_retired' | null;
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
  verdict: 'pass' | 'fail' | 'unknown' | 'na';
  /** For `unknown`: the kind of content or the asset types that are missing. */
  missing: string | null;
}

/** Where the inventory of a project is pulled from. Its credential is never shown. */
export interface ProjectSource {
  kind: 'google-cloud';
  /**
   * What is pulled: `projects/<id or number>`, `folders/<number>` or `organizations/<number>`. Example:
   * `projects/shop-prod`.
   */
  parent: string;
  credentialType: 'service_account_key' | 'impersonation';
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
    status: 'queued' | 'running' | 'completed' | 'partial' | 'failed';
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
  status: 'queued' | 'running' | 'completed' | 'partial' | 'failed';
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
    contentType: 'RESOURCE' | 'IAM_POLICY' | 'ORG_POLICY';
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
  decision: 'ready' | 'ready_with_warnings' | 'blocked';
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
  id:
    | 'profile.known'
    | 'project.known'
    | 'project.duplicate'
    | 'source.attached'
    | 'source.parseable'
    | 'source.scope'
    | 'source.freshness'
    | 'coverage.types'
    | 'coverage.iam'
    | 'estimate'
    | 'permission'
    | 'quota.scans'
    | 'rate.remaining'
    | 'conflict.active'
    | 'mutes.expiring'
    | 'baseline';
  status: 'pass' | 'warn' | 'fail' | 'skip';
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
  status: 'queued' | 'running' | 'completed' | 'partial' | 'failed' | 'cancelled';
  /** Example: `full`. */
  profile: string;
  /** SHA-256 of the evaluated rules, versions and parameters. */
  profileDigest: string;
  projects: {
    /** Example: `shop-prod`. */
    name: string;
    status: 'queued' | 'running' | 'completed' | 'failed' | 'cancelled';
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
  framework: 'cis-gcp-2.0' | 'cis-gcp-4.0' | 'cis-gcp-5.0';
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
    assessment: 'automated' | 'manual';
    /**
     * `fail`: an asset violates the requirement. `unknown`: the inventory or the profile of the scan cannot
     * decide it. `na`: it applies to no asset. `manual`: it requires a person to assess it.
     */
    status: 'pass' | 'fail' | 'unknown' | 'na' | 'manual';
    rules: RuleCount[];
  }[];
}

/** A finding, and how it changed from one scan to another. */
export interface ComparedFinding {
  /**
   * `new`: first seen after the earlier scan. `resolved`: open after the earlier scan and resolved after the
   * later one. `reopened`: the reverse. `unchanged`: open after both scans.
   */
  change: 'new' | 'resolved' | 'reopened' | 'unchanged';
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
    status: 'open' | 'resolved';
    /** Change since the previous scan. With filter `scan`: as recorded by that scan. */
    delta: 'new' | 'unchanged' | 'reopened' | 'resolved';
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
    resolvedReason: 'fixed' | 'asset_gone' | 'rule_retired' | null;
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
    status: 'queued' | 'running' | 'completed' | 'partial' | 'failed' | 'cancelled' | 'blocked' | 'deleted';
    /** Why no scan was launched, or which projects it left out and why. Null if there was no problem. */
    problem: string | null;
  } | null;
  /** Why the service disabled the schedule. Null unless the service disabled it. */
  disabledReason: {
    code: 'CREATOR_REMOVED' | 'CREATOR_DISABLED' | 'CREATOR_NOT_PERMITTED';
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
  events: (
    | 'scan.completed'
    | 'scan.failed'
    | 'findings.opened'
    | 'findings.resolved'
    | 'schedule.disabled'
    | 'source.failed'
    | 'api_key.created'
    | 'break_glass.used'
    | 'sign_in.locked'
  )[];
  /** For your own use. Example: `Tickets for new findings`. */
  description: string;
  /**
   * `standard`: a signed JSON event, see Standard Webhooks 1.0. `slack`: the message of an incoming webhook
   * of Slack.
   */
  format: 'standard' | 'slack';
  /** False: no events are sent. */
  enabled: boolean;
  /** The time since which every attempt has failed. Null if the last one succeeded. RFC 3339, in UTC. */
  failingSince: string | null;
  /** Why the service disabled the webhook. Null unless the service disabled it. */
  disabledReason: {
    code: 'GONE' | 'FAILING';
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
  events: (
    | 'scan.completed'
    | 'scan.failed'
    | 'findings.opened'
    | 'findings.resolved'
    | 'schedule.disabled'
    | 'source.failed'
    | 'api_key.created'
    | 'break_glass.used'
    | 'sign_in.locked'
  )[];
  /** For your own use. Example: `Tickets for new findings`. */
  description: string;
  /**
   * `standard`: a signed JSON event, see Standard Webhooks 1.0. `slack`: the message of an incoming webhook
   * of Slack.
   */
  format: 'standard' | 'slack';
  /** False: no events are sent. */
  enabled: boolean;
  /** The time since which every attempt has failed. Null if the last one succeeded. RFC 3339, in UTC. */
  failingSince: string | null;
  /** Why the service disabled the webhook. Null unless the service disabled it. */
  disabledReason: {
    code: 'GONE' | 'FAILING';
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
  type:
    | 'scan.completed'
    | 'scan.failed'
    | 'findings.opened'
    | 'findings.resolved'
    | 'schedule.disabled'
    | 'source.failed'
    | 'api_key.created'
    | 'break_glass.used'
    | 'sign_in.locked'
    | 'webhook.test';
  /** `failed`: no further attempt is made. */
  status: 'pending' | 'delivered' | 'failed';
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
  severity: 'critical' | 'high' | 'medium' | 'low' | 'info';
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
  status: 'open' | 'resolved';
  /** Change since the previous scan. With filter `scan`: as recorded by that scan. */
  delta: 'new' | 'unchanged' | 'reopened' | 'resolved';
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
  resolvedReason: 'fixed' | 'asset_gone' | 'rule_retired' | null;
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
    op: 'add' | 'replace' | 'remove' | 'test';
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
    status: 'open' | 'resolved';
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
    status: 'queued' | 'running' | 'completed' | 'partial' | 'failed' | 'cancelled';
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
    framework: 'cis-gcp-2.0' | 'cis-gcp-4.0' | 'cis-gcp-5.0';
    pass: number;
    fail: number;
    unknown: number;
    na: number;
    manual: number;
  }[];
}

/** One point per day or per week. */
export type PostureInterval = 'day' | 'week';

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
  digest: 'off' | 'immediate' | 'daily' | 'weekly';
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
    verdict: 'pass' | 'fail' | 'unknown';
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
    verdict: 'pass' | 'fail' | 'unknown';
    /** The name of an embedded test; null for an asset of the project. */
    expected: 'pass' | 'fail' | 'unknown' | null;
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
    kinds: ('string' | 'number' | 'boolean' | 'null' | 'object' | 'list')[];
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
  status: 'ok';
  /** Example: `{"database":"ok","migrations":"ok","traffic":"ok"}`. */
  checks: Record<string, 'ok' | 'failing'>;
}

/** Explains a problem code and its remedy. */
export interface ProblemPage {
  code:
    | 'VALIDATION_FAILED'
    | 'INVALID_TOKEN'
    | 'TENANT_REQUIRED'
    | 'BREAK_GLASS_REASON_REQUIRED'
    | 'UNAUTHORIZED'
    | 'INVALID_CREDENTIALS'
    | 'TOTP_REQUIRED'
    | 'INVALID_CODE'
    | 'REGISTRATION_CLOSED'
    | 'SIGN_IN_CANCELLED'
    | 'FORBIDDEN'
    | 'CREDENTIAL_NOT_ALLOWED'
    | 'CROSS_SITE_REQUEST'
    | 'REAUTH_REQUIRED'
    | 'CONFIRMATION_REQUIRED'
    | 'MFA_REQUIRED'
    | 'FEATURE_NOT_LICENSED'
    | 'NOT_FOUND'
    | 'METHOD_NOT_ALLOWED'
    | 'REQUEST_TIMEOUT'
    | 'CONFLICT'
    | 'SCAN_NOT_COMPLETED'
    | 'IDEMPOTENCY_KEY_IN_USE'
    | 'PAYLOAD_TOO_LARGE'
    | 'UNSUPPORTED_MEDIA_TYPE'
    | 'IDEMPOTENCY_KEY_MISMATCH'
    | 'PREFLIGHT_BLOCKED'
    | 'SCANS_NOT_COMPARABLE'
    | 'DOMAIN_NOT_VERIFIED'
    | 'SOURCE_REFUSED'
    | 'RATE_LIMITED'
    | 'INTERNAL'
    | 'AUTH_UNAVAILABLE'
    | 'SERVICE_UNAVAILABLE';
  type: string;
  status: number;
  title: string;
  help: string;
}
