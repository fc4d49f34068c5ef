/** What a service of the fake answers. */
export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

export function json(body: unknown, status = 200): Answer {
  return { status, body: JSON.stringify(body) };
}

type Detail = Readonly<Record<string, unknown>>;

/** An error in the form of Google's APIs: `google.rpc.Status` under `error`. */
export function googleError(
  status: number,
  code: string,
  message: string,
  details: readonly Detail[] = [],
): Answer {
  return json(
    { error: { code: status, message, status: code, ...(details.length > 0 && { details }) } },
    status,
  );
}

export function errorInfo(reason: string, metadata: Readonly<Record<string, string>>): Detail {
  return {
    '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
    reason,
    domain: 'googleapis.com',
    metadata,
  };
}

export function badRequest(field: string, description: string): Detail {
  return {
    '@type': 'type.googleapis.com/google.rpc.BadRequest',
    fieldViolations: [{ field, description }],
  };
}

/** An error in OAuth's form (RFC 6749, section 5.2), as the token endpoint has it. */
export function oauthError(error: string, description: string, status = 400): Answer {
  return json({ error, error_description: description }, status);
}

export const unauthenticated = googleError(
  401,
  'UNAUTHENTICATED',
  'Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential.',
  [errorInfo('ACCESS_TOKEN_TYPE_UNSUPPORTED', { service: 'cloudasset.googleapis.com' })],
);
