import { describeIssue, inputFaults, type Problem, type Route } from '@cspm/contract';
import { z } from 'zod';

type Faults = Pick<Problem, 'detail'> & { readonly errors: NonNullable<Problem['errors']> };

/** The validation errors of a sample request: an empty body if the route has one, else a wrong parameter. */
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
  return inputFaults(place, schema.safeParse(input, { error: describeIssue }).error?.issues ?? []);
}
