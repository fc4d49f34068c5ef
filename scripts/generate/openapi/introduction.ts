import { DEFAULT_LIMIT, LIMITS, type Limit, PROBLEMS } from '@cspm/contract';

/** The first page that a reader sees: what holds for every endpoint, so that none has to repeat it. */
export const INTRODUCTION = `
Checks the configuration of cloud projects against rules, from inventories that you upload: nothing is ever read from,
or written to, your cloud. Every request runs in one tenant and sees nothing of another.

## First steps
1. \`POST /auth/login\` with e-mail and password, then \`POST /api-keys\` for a key.
2. \`POST /projects\`, then \`PUT /projects/{name}/inventory\` with a Cloud Asset Inventory export.
3. \`POST /preflight\` says whether a scan can start; \`POST /scans\` launches it and answers at once.
4. \`GET /scans/{id}\` until its \`status\` is a final one, then \`GET /findings?scan={id}\`.

## Authentication
Send one credential: \`Authorization: Bearer <access token>\`, or \`X-API-Key: cspm_…\`. They are looked for in this
order; the first one *presented* decides, and an invalid one is refused with 401, never passed over.

- **Session**: an access token is good for 15 minutes. \`POST /auth/refresh\` spends the refresh token and answers with
  a new pair. Signing out ends the session's access tokens at once.
- **API key**: for automation. It carries its owner's current permissions in the one tenant that it belongs to.
- **Global API key**: one that an operator configured, in the same header. Deprecated: answers carry \`Deprecation\`.
- **Master key**: \`X-Master-Key\`, for emergencies. It goes before all others, and names its tenant by \`X-Tenant-ID\`.

Permissions are read on every request, so that a changed role takes effect with the next one. If credentials cannot be
verified, the answer is 503 \`AUTH_UNAVAILABLE\`: access is never granted unverified.

## Tenant
The credential determines the tenant; \`X-Tenant-ID\` in the answer names it. As a request header it is honoured only
for sessions that hold \`admin.users\` and \`admin.settings\`. Another tenant's id is answered like an unknown one: 404.

## Rate limits
Counted per client address (IPv6: per /64), before authentication, failures included. The default limit applies to all
limited endpoints; those below have a tighter one besides. The operator can change the default limit: read it from
\`RateLimit-Policy\`. \`RateLimit\` says what is left. On 429, wait as long as \`Retry-After\` says and add some jitter.

${limitTable()}

## Idempotency
Endpoints that create something take an \`Idempotency-Key\` (where \`x-idempotency\` says \`accepted\`). The first
request runs; a repetition with the same payload within 24 hours is answered from its record, with
\`Idempotency-Replayed: true\`. The same key with another payload is 422; while the first request still runs, 409.

## Errors
Every error is \`application/problem+json\` (RFC 9457). Program against \`code\`; \`type\` is the address of a page that
explains it. Each answer carries \`X-Correlation-ID\`: quote it to support. You may send your own. Beside what each
operation lists, an unknown path is 404, and a method that a path does not take is 405 with \`Allow\`.

${problemTable()}

## Lists
\`{ items, nextCursor }\`, newest first unless said otherwise. Pass \`nextCursor\` as \`cursor\` for the next page; null
means that there is none. \`limit\` is 1 to 100, by default 25. Several values of a filter repeat the parameter:
\`ids=a&ids=b\`. Unknown parameters and members are 400.

## Formats and versions
JSON in camel case, UTF-8 without NUL characters. Ids are UUIDs, times RFC 3339 in UTC. Every path is served in its
plain form and under \`/api/v1\`, by the same handler and against the same limits; a breaking change would come under a
new prefix. Answers may gain members: ignore those that you do not know.
`.trim();

function limitTable(): string {
  const row = ([name, limit]: [string, Limit]) =>
    `| \`${name}\` | ${limit.quota} | ${limit.windowSeconds} s |`;
  return [
    '| limit | requests | window |',
    '|---|---|---|',
    row(['default', DEFAULT_LIMIT]),
    ...Object.entries(LIMITS).map(row),
  ].join('\n');
}

function problemTable(): string {
  return [
    '| status | code | meaning |',
    '|---|---|---|',
    ...Object.entries(PROBLEMS).map(
      ([code, { status, title }]) => `| ${status} | \`${code}\` | ${title} |`,
    ),
  ].join('\n');
}
