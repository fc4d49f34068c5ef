import { STATUS_CODES } from 'node:http';
import type { ResponseConfig } from '@asteasolutions/zod-to-openapi';
import { type Route, SarifLog } from '@cspm/contract';
import { z } from 'zod';
import type { UseComponent } from './components.ts';
import { HEADERS, type HeaderName } from './headers.ts';
import { usableCredentials } from './security.ts';
import type { SchemaObject } from './types.ts';

interface Surroundings {
  readonly use: UseComponent;
  /** Whether the contract has a route that reads one of the path's resources, so that a response can link to it. */
  readonly hasItems: boolean;
}

/** The declared responses of a route, with the headers that its policy adds. */
export function declaredResponses(
  route: Route,
  { use, hasItems }: Surroundings,
): Record<string, ResponseConfig> {
  const responses: Record<string, ResponseConfig> = {};
  for (const [status, body] of Object.entries(route.responses)) {
    const names = successHeaders(route, Number(status), hasItems);
    responses[status] = { ...describeBody(Number(status), body), headers: headersOf(names, use) };
  }
  if (route.metadata.cache === 'revalidate') {
    responses['304'] = {
      description: 'The content has not changed since the response with this `ETag`.',
      headers: headersOf([...acceptedHeaders(route), 'ETag'], use),
    };
  }
  return responses;
}

/** References to the headers of a response, by name. */
export function headersOf(names: readonly HeaderName[], use: UseComponent) {
  return Object.fromEntries(names.map((name) => [name, use('headers', name, HEADERS[name])]));
}

/** The headers that every response of a route may have, including problems. */
export function commonHeaders({ metadata: policy }: Route): HeaderName[] {
  const names: HeaderName[] = ['X-Correlation-ID'];
  if (policy.credentials !== 'public') names.push('X-Tenant-ID');
  if (policy.limit !== 'none') names.push('RateLimit-Policy', 'RateLimit');
  if (policy.deprecated !== null) names.push('Deprecation');
  if (policy.deprecated?.sunset !== undefined) names.push('Sunset');
  return names;
}

/** The common headers of responses to requests that were not refused. */
function acceptedHeaders(route: Route): HeaderName[] {
  const names = commonHeaders(route);
  const { metadata: policy } = route;
  return policy.deprecated === null && usableCredentials(policy).includes('global_api_key')
    ? [...names, 'Deprecation']
    : names;
}

function successHeaders(route: Route, status: number, hasItems: boolean): HeaderName[] {
  const names = acceptedHeaders(route);
  if (route.metadata.idempotency === 'accepted' && status < 300) names.push('Idempotency-Replayed');
  if (route.metadata.cache === 'revalidate' && status === 200) names.push('ETag');
  if (route.metadata.stream === 'export' || route.metadata.stream === 'report') {
    names.push('Content-Disposition');
  }
  if (setsCookie(route, status)) names.push('Set-Cookie');
  // 202: the work continues, and the new resource shows its progress.
  if ((status === 202 && hasItems) || isRedirect(status)) names.push('Location');
  return names;
}

/** Beginning to sign in at a provider sets a cookie that identifies the browser; a session may be kept in a cookie. */
function setsCookie({ metadata: { navigation, sessionTransport }, method }: Route, status: number) {
  return sessionTransport ? status < 300 : navigation && method === 'GET' && isRedirect(status);
}

function isRedirect(status: number): boolean {
  return status >= 300 && status < 400;
}

function describeBody(status: number, body: Route['responses'][number]): ResponseConfig {
  const reason = STATUS_CODES[status] ?? 'A response';
  if (body instanceof z.ZodType) {
    const schema: z.ZodType = body;
    return {
      description: schema.meta()?.description ?? reason,
      content: { 'application/json': { schema } },
    };
  }
  if (isOther(body)) {
    // Media types only: parameters are not part of a key in OpenAPI.
    const mediaTypes = body.contentType.split(',').map((type) => type.replace(/;.*/s, '').trim());
    const content = mediaTypes.map((type) => {
      const schema = SCHEMAS[type] ?? body.body;
      return [type, { schema }] as const;
    });
    return { description: reason, content: Object.fromEntries(content) };
  }
  return { description: reason };
}

/** The schemas of media types other than text. A JSON media type has that of the parsed value. */
const SCHEMAS: Readonly<Record<string, z.ZodType | SchemaObject>> = {
  'application/pdf': { type: 'string', format: 'binary' },
  'application/sarif+json': SarifLog,
};

function isOther(body: unknown): body is { contentType: string; body: z.ZodType } {
  return typeof body === 'object' && body !== null && 'contentType' in body;
}
