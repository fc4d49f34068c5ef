import {
  DEFAULT_LIMIT,
  LIMITS,
  type Limit,
  OPEN_STREAMS,
  PROBLEMS,
  REQUEST_LIMITS,
} from '@cspm/contract';

/** The first page of the document: rules for every endpoint, so no endpoint has to repeat them. */
export const INTRODUCTION = `
Checks the configuration of cloud projects against rules, using inventories that you upload or that the service pulls from
Google Cloud with a credential that needs only read access. The service changes nothing in your cloud. Every request runs in
one tenant and cannot see other tenants.

## First steps
1. \`POST /auth/login\` with e-mail and password, then \`POST /api-keys\` for a key.
2. \`POST /projects\`, then \`PUT /projects/{name}/inventory\` with a Cloud Asset Inventory export, or set a source
   with \`PUT /projects/{name}/source\` and pull one.
3. \`POST /preflight\` checks whether a scan can start; \`POST /scans\` launches it and returns immediately.
4. \`GET /scans/{id}\` until its \`status\` is final, then \`GET /findings?scan={id}\`.

## Authentication
Send one credential: \`Authorization: Bearer <access token>\`, or \`X-API-Key: cspm_…\`. If several are sent, the first one
in this order is used, even if it is invalid: the response is then 401.

- **Session**: an access token is valid for 15 minutes. \`POST /auth/refresh\` consumes the refresh token and returns
  a new pair. Signing out invalidates the access tokens of the session immediately.
- **API key**: for automation. It has the current permissions of its owner in one tenant.
- **Global API key**: configured by the operator, sent in the same header. Deprecated: responses carry \`Deprecation\`.
- **Master key**: \`X-Master-Key\`, for emergencies. It takes precedence over all others and requires \`X-Tenant-ID\`.

Permissions are read on every request, so a changed role takes effect with the next one. If credentials cannot be
verified, the response is 503 \`AUTH_UNAVAILABLE\`: access is never granted without verification.

## Tenant
The credential determines the tenant; \`X-Tenant-ID\` in the response names it. The effect of the request header depends
on the credential:

| credential | \`X-Tenant-ID\` in the request |
|---|---|
| master key | required; an unknown tenant returns 404 |
| session with \`admin.users\` and \`admin.settings\` | selects a tenant that the user is a member of; any other value returns 403 \`FORBIDDEN\` |
| session that the identity provider of a tenant opened, and every other credential | ignored |

The id of a resource of another tenant is treated like an unknown id: 404.

## Rate limits
Requests are counted per client address (IPv6: per /64), before authentication, including failures. The default limit
applies to all limited endpoints; those listed below also have a tighter one. The operator can change the default limit:
read it from \`RateLimit-Policy\`. \`RateLimit\` gives the remaining quota. On 429, wait for the number of seconds in
\`Retry-After\` and add some jitter.

${limitTable()}

Open streams (server-sent events, exports and reports) are counted per server. A stream beyond the limit of a credential or
a tenant is refused with 429 and the kind as \`limit\`.

${streamTable()}

When a server has reached its own limit of a kind, a new stream takes the slot of another tenant if it can:

- The server closes the slowest connection on which the client reads fewer than ${REQUEST_LIMITS.slowStreamBytesPerSecond / 1024} KiB/s over ${REQUEST_LIMITS.slowStreamSeconds} s in which the server waits for it.
- Events: otherwise it closes the newest stream of the tenant with the most streams, if it has at least two more than yours.
  Without either, the new stream is refused with 503.
- Exports and reports: the new stream waits up to ${REQUEST_LIMITS.streamWaitSeconds} s for a slot, and is then refused with 503. After
  ${REQUEST_LIMITS.streamTakeSeconds} s, a stream of a tenant without any takes the slot of a tenant with several, and one of its connections is closed.

## Idempotency
Endpoints that create something accept an \`Idempotency-Key\` (\`x-idempotency: accepted\`). The first request runs.
Repeating it with the same payload within 24 hours returns the stored response with \`Idempotency-Replayed: true\`.
The same key with another payload returns 422; while the first request is still running, 409.

## Errors
Every error is \`application/problem+json\` (RFC 9457). Write code against \`code\`; \`type\` links to a page that explains
the error. Each response has an \`X-Correlation-ID\`: quote it to support. You can send your own. In addition to the errors
listed for each operation, an unknown path returns 404, and an unsupported method returns 405 with \`Allow\`.

${problemTable()}

## Lists
\`{ items, nextCursor }\`, newest first unless stated otherwise. Pass \`nextCursor\` as \`cursor\` to get the next page; it is
null on the last page, and for lists without the parameter \`cursor\`, which are complete. \`limit\` is 1 to 100, or up
to 500 where stated, 25 by default. Repeat a parameter to filter by several values: \`ids=a&ids=b\`. Unknown parameters
and members return 400.

## Formats and versions
JSON in camel case, UTF-8 without NUL characters. Ids are UUIDs, times RFC 3339 in UTC. Every path is served without a
prefix and under \`/api/v1\`, by the same handler and with the same limits; a breaking change would use a new prefix.
Responses may gain members: ignore those that you do not know.
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

function streamTable(): string {
  return [
    '| kind | open at once per credential | per tenant |',
    '|---|---|---|',
    ...Object.entries(OPEN_STREAMS).map(
      ([name, { perCredential, perTenant }]) => `| \`${name}\` | ${perCredential} | ${perTenant} |`,
    ),
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
