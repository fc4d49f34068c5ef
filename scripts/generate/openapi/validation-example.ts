import type { Problem, Route } from '@cspm/contract';
import { z } from 'zod';

type Faults = Pick<Problem, 'detail'> & { readonly errors: NonNullable<Problem['errors']> };

/** The fault of a request to a route: of an empty body where that is one, else of a parameter, in the words of its schema. */
export function validationExample(route: Route): Faults {
  const error = faultInBody(route) ?? faultInQuery(route);
  return { detail: `${error.path}: ${error.message}`, errors: [error] };
}

type Fault = Faults['errors'][number];

function faultInBody(route: Route): Fault | undefined {
  if (route.metadata.body === 'inventory') {
    return {
      path: 'line 17',
      message: 'Each record must be a JSON object that describes an asset.',
    };
  }
  const body: unknown = 'body' in route ? route.body : undefined;
  return body instanceof z.ZodType ? firstFault('body', body, {}) : undefined;
}

function faultInQuery({ query }: Route): Fault {
  const schema = query instanceof z.ZodType ? query : NO_QUERY;
  const asked = 'limit' in shapeOf(schema) ? { limit: 0 } : {};
  return (
    firstFault('query', schema, asked) ??
    firstFault('query', schema, { surplus: '1' }) ?? { path: 'query', message: 'does not fit' }
  );
}

const NO_QUERY = z.strictObject({});

function firstFault(place: string, schema: z.ZodType, input: unknown): Fault | undefined {
  const issue = schema.safeParse(input).error?.issues[0];
  if (issue === undefined) return undefined;
  return { path: [place, ...issue.path.map(String)].join('.'), message: issue.message };
}

function shapeOf(schema: z.ZodType): object {
  return schema instanceof z.ZodObject ? schema.shape : {};
}
