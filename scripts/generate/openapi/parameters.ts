import { zodToOpenAPIRegistry } from '@asteasolutions/zod-to-openapi';
import type { Route } from '@cspm/contract';
import { z } from 'zod';
import type { UseComponent } from './components.ts';
import type { ParameterObject } from './types.ts';

const CORRELATION_ID: ParameterObject = {
  name: 'X-Correlation-ID',
  in: 'header',
  description: 'Your own id of the request. One that does not fit the pattern is replaced.',
  schema: {
    type: 'string',
    pattern: '^[A-Za-z0-9._-]{1,64}$',
    examples: ['nightly-2026-11-20'],
  },
};

const TENANT_ID: ParameterObject = {
  name: 'X-Tenant-ID',
  in: 'header',
  description:
    'Another tenant to run the request in. Honoured only for a session that holds `admin.users` and `admin.settings`, and whose user is a member there; ignored for everyone else. A master key needs it.',
  schema: { type: 'string', format: 'uuid', examples: ['0199c2a4-51d2-7e02-8b0c-6f1d0c3a9e27'] },
};

const BREAK_GLASS_REASON: ParameterObject = {
  name: 'X-Break-Glass-Reason',
  in: 'header',
  description:
    'Beside `X-Master-Key`, and in production required there: why it is used. It goes into the audit trail.',
  schema: {
    type: 'string',
    minLength: 1,
    maxLength: 500,
    examples: ['INC-4711: nobody is left who may give roles'],
  },
};

const IDEMPOTENCY_KEY: ParameterObject = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Any value that you use for this one request only, such as a UUID: 1 to 255 visible ASCII characters but comma and quote, bare or in one pair of double quotes. A repetition with the same key and payload within 24 hours gets the first answer again.',
  schema: {
    type: 'string',
    pattern: '^([!#-+.-~-]{1,255}|"[!#-+.-~-]{1,255}")$',
    examples: ['6d3f1a90-4c41-4b0e-9d0a-7f2b1c9e5a38'],
  },
};

const CONTENT_ENCODING: ParameterObject = {
  name: 'Content-Encoding',
  in: 'header',
  description: 'Send it when the inventory is compressed.',
  schema: { type: 'string', enum: ['gzip'], examples: ['gzip'] },
};

/** The request headers that the policy gives a meaning to. */
export function headerParameters({ metadata: policy }: Route, use: UseComponent) {
  const parameters = [use('parameters', 'CorrelationId', CORRELATION_ID)];
  if (policy.credentials !== 'public' && policy.credentials.includes('jwt')) {
    parameters.push(use('parameters', 'TenantId', TENANT_ID));
  }
  if (policy.credentials !== 'public' && policy.credentials.includes('master_key')) {
    parameters.push(use('parameters', 'BreakGlassReason', BREAK_GLASS_REASON));
  }
  if (policy.idempotency === 'accepted') {
    parameters.push(use('parameters', 'IdempotencyKey', IDEMPOTENCY_KEY));
  }
  if (policy.body === 'inventory') {
    parameters.push(use('parameters', 'ContentEncoding', CONTENT_ENCODING));
  }
  return parameters;
}

/** The schemas of path, query and the headers of the route alone, in the form that registerPath takes. */
export function inputParameters(route: Route) {
  const { pathParams, query, headers } = route;
  return {
    ...(pathParams instanceof z.ZodObject && { params: pathParams }),
    ...(query instanceof z.ZodObject && { query: withRepeatedArrays(query) }),
    ...(headers instanceof z.ZodObject && { headers }),
  };
}

/** Several values of a filter repeat the parameter: `ids=a&ids=b`. The default of OpenAPI, but not of every tool. */
function withRepeatedArrays(query: z.ZodObject): z.ZodObject {
  for (const schema of Object.values(query.shape)) {
    const inner = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
    if (inner instanceof z.ZodArray) {
      zodToOpenAPIRegistry.add(inner, { param: { style: 'form', explode: true } });
    }
  }
  return query;
}
