import type { RouteConfig } from '@asteasolutions/zod-to-openapi';
import type { Route } from '@cspm/contract';
import { z } from 'zod';
import type { UseComponent } from './components.ts';
import { policyExtensions } from './extensions.ts';
import { operationIdOf } from './operation-id.ts';
import { headerParameters, inputParameters } from './parameters.ts';
import type { ProblemResponses } from './problem-responses.ts';
import { requirements } from './requirements.ts';
import { declaredResponses } from './responses.ts';
import { securityOf } from './security.ts';

export interface NamedRoute {
  readonly resource: string;
  readonly operation: string;
  readonly route: Route;
}

/** One route of the contract as the operation that registerPath accepts. */
export function operationOf(
  { resource, operation, route }: NamedRoute,
  tag: string,
  surroundings: {
    readonly use: UseComponent;
    readonly hasItems: boolean;
    readonly problems: ProblemResponses;
  },
): RouteConfig {
  const { use, problems } = surroundings;
  const body = requestBody(route);
  return {
    method: methodOf(route),
    path: route.path.replaceAll(/:(\w+)/g, '{$1}'),
    tags: [tag],
    operationId: operationIdOf(`${resource}.${operation}`),
    summary: route.summary,
    description: [route.description, requirements(route.metadata)].filter(Boolean).join('\n\n'),
    ...(route.metadata.deprecated !== null && { deprecated: true }),
    security: securityOf(route.metadata),
    ...policyExtensions(route),
    parameters: headerParameters(route, use),
    request: { ...inputParameters(route), ...(body && { body }) },
    responses: merge(declaredResponses(route, surroundings), problems.of(route), route),
  };
}

function methodOf(route: Route) {
  switch (route.method) {
    case 'GET':
      return 'get';
    case 'POST':
      return 'post';
    case 'PUT':
      return 'put';
    case 'PATCH':
      return 'patch';
    case 'DELETE':
      return 'delete';
  }
}

type RequestBody = NonNullable<NonNullable<RouteConfig['request']>['body']>;

function requestBody(route: Route): RequestBody | undefined {
  if (route.metadata.body === 'inventory') return INVENTORY_BODY;
  const body = 'body' in route ? route.body : undefined;
  if (!(body instanceof z.ZodType)) return undefined;
  const type = FORM_TYPES[route.metadata.body] ?? 'application/json';
  return { required: true, content: { [type]: { schema: body as z.ZodType } } };
}

const FORM_TYPES: Partial<Record<Route['metadata']['body'], string>> = {
  form: 'application/x-www-form-urlencoded',
};

/** JSON comes first, because generated clients support it best and often use the first media type. */
const INVENTORY_BODY: RequestBody = {
  required: true,
  description: 'Streamed. The operator sets the maximum size; a record may have 4 MiB.',
  content: {
    'application/json': {
      schema: {
        anyOf: [
          {
            type: 'array',
            items: { $ref: '#/components/schemas/AssetRecord' },
            description: 'A JSON array of assets, as written by `gcloud asset list --format=json`.',
          },
          {
            type: 'object',
            additionalProperties: true,
            description: 'A Terraform plan or state, as written by `terraform show -json`.',
          },
        ],
      },
    },
    'application/x-ndjson': {
      schema: {
        type: 'string',
        format: 'binary',
        description: 'One asset per line, as written by `gcloud asset export`.',
      },
    },
  },
};

/** A status is either a success or a problem: otherwise one would hide the other in the document. */
function merge(
  declared: RouteConfig['responses'],
  problems: RouteConfig['responses'],
  route: Route,
): RouteConfig['responses'] {
  const both = Object.keys(declared).filter((status) => status in problems);
  if (both.length > 0) {
    throw new Error(
      `${route.method} ${route.path} has both a success response and a problem with status ${both}.`,
    );
  }
  return { ...declared, ...problems };
}
