import type { Problem, Route } from '@cspm/contract';
import { z } from 'zod';

type Faults = Pick<Problem, 'detail'> & { readonly errors: NonNullable<Problem['errors']> };

/** The faults of a request to a route: of an empty body where that is one, else of a parameter, in the words of its schema. */
export function validationExample(route: Route): Faults {
  const inBody = faultsInBody(route);
  const errors = inBody.length > 0 ? inBody : faultsInQuery(route);
  const [first] = errors;
  return { detail: `${first?.path}: ${first?.message}`, errors };
}

function faultsInBody(route: Route): Faults['errors'] {
  if (route.metadata.body === 'inventory') {
    const message = 'Each record must be a JSON object that describes an asset.';
    return [{ path: 'line 17', message }];
  }
  const body: unknown = 'body' in route ? route.body : undefined;
  return body instanceof z.ZodType ? faultsIn('body', body, {}) : [];
}

function faultsInQuery({ query }: Route): Faults['errors'] {
  const schema = query instanceof z.ZodType ? query : NO_QUERY;
  const takesLimit = schema instanceof z.ZodObject && 'limit' in schema.shape;
  return faultsIn('query', schema, takesLimit ? { limit: 0 } : { surplus: '1' });
}

const NO_QUERY = z.strictObject({});

function faultsIn(place: string, schema: z.ZodType, input: unknown): Faults['errors'] {
  const issues = schema.safeParse(input).error?.issues ?? [];
  return issues.map(({ path, message }) => ({
    path: [place, ...path.map(String)].join('.'),
    message,
  }));
}
