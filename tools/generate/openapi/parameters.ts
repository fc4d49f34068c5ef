import { zodToOpenAPIRegistry } from '@asteasolutions/zod-to-openapi';
import type { Route } from '@cspm/contract';
import { z } from 'zod';
import type { UseComponent } from './components.ts';
import { usableCredentials } from './security.ts';
import type { ParameterObject } from './types.ts';

const CORRELATION_ID: ParameterObject = {
  name: 'X-Correlation-ID',
  in: 'header',
  description:
    'Your own id for the request: 1 to 64 of letters, digits, dot, underscore and hyphen. Any other value is replaced.',
  schema: { type: 'string', examples: ['nightly-2026-11-20'] },
};

const TENANT_ID: ParameterObject = {
  name: 'X-Tenant-ID',
  in: 'header',
  description:
    'Another tenant to run the request in, for a session with `admin.users` and `admin.settings` whose user is a member of that tenant; otherwise 403 `FORBIDDEN`. Required with a master key. Ignored with any other credential.',
  // Without the format: openapi-python-client would give its HTTP library a UUID instead of a string.
  schema: { type: 'string', examples: ['0199c2a4-51d2-7e02-8b0c-6f1d0c3a9e27'] },
};

const BREAK_GLASS_REASON: ParameterObject = {
  name: 'X-Break-Glass-Reason',
  in: 'header',
  description:
    'The reason for using `X-Master-Key`, recorded in the audit trail: 1 to 500 characters. Required in production, and ignored with other credentials.',
  schema: {
    type: 'string',
    examples: ['INC-4711: no administrator is left who can assign roles'],
  },
};

const IDEMPOTENCY_KEY: ParameterObject = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'A unique value for this request, such as a UUID: 1 to 255 visible ASCII characters without comma and quote, optionally in double quotes. Repeating the request with the same key and payload within 24 hours returns the stored response.',
  schema: {
    type: 'string',
    pattern: '^([!#-+.-~-]{1,255}|"[!#-+.-~-]{1,255}")$',
    examples: ['6d3f1a90-4c41-4b0e-9d0a-7f2b1c9e5a38'],
  },
};

const IF_NONE_MATCH: ParameterObject = {
  name: 'If-None-Match',
  in: 'header',
  description:
    'The `ETag` of a response that you have. If the content is the same, the response is 304 without a body. Browsers send it by themselves.',
  schema: { type: 'string', examples: ['"5PZ1yLx0kQk7G5yqXv3Yk0xw1aA"'] },
};

const CONTENT_ENCODING: ParameterObject = {
  name: 'Content-Encoding',
  in: 'header',
  description: 'Send it if the inventory is compressed.',
  schema: { type: 'string', enum: ['gzip'], examples: ['gzip'] },
};

const SESSION_TRANSPORT: ParameterObject = {
  name: 'X-Session-Transport',
  in: 'header',
  description:
    'For pages of this service: keeps the refresh token in the cookie `__Host-cspm_session` (`Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=604800`), out of the reach of scripts. `refreshToken` in the response is then empty. The request must have `Sec-Fetch-Site: same-origin` or the `Origin` of the service; otherwise the response is 403 `CROSS_SITE_REQUEST`. Without this header the cookie is neither read nor set. If the service is used over plain http from another host, the cookie is `cspm_session` without `Secure`.',
  schema: { type: 'string', enum: ['cookie'], examples: ['cookie'] },
};

/** The request headers that depend on the policy. */
export function headerParameters({ metadata: policy }: Route, use: UseComponent) {
  const parameters = [use('parameters', 'CorrelationId', CORRELATION_ID)];
  if (policy.credentials !== 'public' && policy.credentials.includes('jwt')) {
    parameters.push(use('parameters', 'TenantId', TENANT_ID));
  }
  if (usableCredentials(policy).includes('master_key')) {
    parameters.push(use('parameters', 'BreakGlassReason', BREAK_GLASS_REASON));
  }
  if (policy.idempotency === 'accepted') {
    parameters.push(use('parameters', 'IdempotencyKey', IDEMPOTENCY_KEY));
  }
  if (policy.cache === 'revalidate') {
    parameters.push(use('parameters', 'IfNoneMatch', IF_NONE_MATCH));
  }
  if (policy.sessionTransport) {
    parameters.push(use('parameters', 'SessionTransport', SESSION_TRANSPORT));
  }
  if (policy.body === 'inventory') {
    parameters.push(use('parameters', 'ContentEncoding', CONTENT_ENCODING));
  }
  return parameters;
}

/** The schemas of path, query and the route's own headers, in the form that registerPath accepts. */
export function inputParameters(route: Route) {
  const { pathParams, query, headers } = route;
  return {
    ...(pathParams instanceof z.ZodObject && { params: pathParams }),
    ...(query instanceof z.ZodObject && { query: withRepeatedArrays(query) }),
    ...(headers instanceof z.ZodObject && { headers }),
  };
}

/**
 * Multiple values of a filter repeat the parameter: `ids=a&ids=b`. This is the default of OpenAPI, but not of every
 * tool.
 */
function withRepeatedArrays(query: z.ZodObject): z.ZodObject {
  for (const schema of Object.values(query.shape)) {
    const inner = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
    if (inner instanceof z.ZodArray) {
      zodToOpenAPIRegistry.add(inner, { param: { style: 'form', explode: true } });
    }
  }
  return query;
}
