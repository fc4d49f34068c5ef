import { STATUS_CODES } from 'node:http';
import type { ResponseConfig } from '@asteasolutions/zod-to-openapi';
import type { Route } from '@cspm/contract';
import { z } from 'zod';
import type { UseComponent } from './components.ts';
import { HEADERS, type HeaderName } from './headers.ts';

interface Surroundings {
  readonly use: UseComponent;
  /** Whether the contract has a route that reads one of what this path holds, so that an answer can point there. */
  readonly hasItems: boolean;
}

/** The answers that a route declares, with the headers that its policy puts on them. */
export function declaredResponses(
  route: Route,
  { use, hasItems }: Surroundings,
): Record<string, ResponseConfig> {
  const responses: Record<string, ResponseConfig> = {};
  for (const [status, body] of Object.entries(route.responses)) {
    const names = successHeaders(route, Number(status), hasItems);
    responses[status] = { ...describeBody(Number(status), body), headers: headersOf(names, use) };
  }
  return responses;
}

/** References to the headers of an answer, by name. */
export function headersOf(names: readonly HeaderName[], use: UseComponent) {
  return Object.fromEntries(names.map((name) => [name, use('headers', name, HEADERS[name])]));
}

/** The headers that every answer of a route may carry, refusals included. */
export function commonHeaders({ metadata: policy }: Route): HeaderName[] {
  const names: HeaderName[] = ['X-Correlation-ID'];
  if (policy.credentials !== 'public') names.push('X-Tenant-ID');
  if (policy.limit !== 'none') names.push('RateLimit-Policy', 'RateLimit');
  if (policy.deprecated !== null) names.push('Deprecation');
  if (policy.deprecated?.sunset !== undefined) names.push('Sunset');
  return names;
}

function successHeaders(route: Route, status: number, hasItems: boolean): HeaderName[] {
  const names = commonHeaders(route);
  if (route.metadata.idempotency === 'accepted' && status < 300) names.push('Idempotency-Replayed');
  // 202: the work goes on, and the new resource is where to follow it.
  if ((status === 202 && hasItems) || isRedirect(status)) names.push('Location');
  return names;
}

function isRedirect(status: number): boolean {
  return status >= 300 && status < 400;
}

function describeBody(status: number, body: Route['responses'][number]): ResponseConfig {
  const reason = STATUS_CODES[status] ?? 'An answer';
  if (body instanceof z.ZodType) {
    const schema: z.ZodType = body;
    return {
      description: schema.meta()?.description ?? reason,
      content: { 'application/json': { schema } },
    };
  }
  if (isOther(body)) {
    // The media types alone: their parameters are no part of a key in OpenAPI.
    const mediaTypes = body.contentType.split(',').map((type) => type.replace(/;.*/s, '').trim());
    const content = mediaTypes.map((type) => [type, { schema: body.body }] as const);
    return { description: reason, content: Object.fromEntries(content) };
  }
  return { description: reason };
}

function isOther(body: unknown): body is { contentType: string; body: z.ZodType } {
  return typeof body === 'object' && body !== null && 'contentType' in body;
}
