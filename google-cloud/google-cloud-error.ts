/** docs/google-cloud.md describes each. */
export const GOOGLE_CLOUD_ERROR_CODES = [
  /** No Application Default Credentials were found. */
  'no_credentials',
  /** The credential, the parent or an endpoint is malformed or of a kind that is not accepted. */
  'invalid_input',
  /** Google does not accept the credential. */
  'credential_refused',
  /** The service may not act as the service account. */
  'impersonation_refused',
  'permission_denied',
  'service_disabled',
  'parent_not_found',
  /** The quota stayed exhausted for as long as the client waits. */
  'quota_exceeded',
  /** The pull can only be started again. */
  'page_token_expired',
  /** Google did not answer, or answered 5xx, for as long as the client retries. The pull can be resumed. */
  'unavailable',
  /** The answer is not what the API documents, or exceeds a limit. */
  'invalid_response',
] as const;

export type GoogleCloudErrorCode = (typeof GOOGLE_CLOUD_ERROR_CODES)[number];

/** A failure of a pull, with what to do about it. Neither text contains a secret. */
export class GoogleCloudError extends Error {
  override readonly name = 'GoogleCloudError';
  readonly code: GoogleCloudErrorCode;
  /** What to do, with the role to grant or the command to run. */
  readonly remedy: string;
  /** For `permission_denied`: the missing permission. */
  readonly permission: string | null;
  /** For `quota_exceeded`: when Google accepts requests again, if it said so. */
  readonly retryAfterSeconds: number | null;

  constructor(
    code: GoogleCloudErrorCode,
    message: string,
    remedy: string,
    more: { readonly permission?: string; readonly retryAfterSeconds?: number | null } = {},
  ) {
    super(message);
    this.code = code;
    this.remedy = remedy;
    this.permission = more.permission ?? null;
    this.retryAfterSeconds = more.retryAfterSeconds ?? null;
  }
}
