import { contract, type Route, type Routes } from '@cspm/contract';
import { newId } from '../../server/platform/ids.ts';
import type { Example } from './case-inputs.ts';
import { EXAMPLES } from './contract-cases.ts';

/** An operation with its valid input. */
export interface ContractCase {
  /** `scans.launch` */
  readonly name: string;
  readonly route: Route;
  readonly example: Example;
  readonly parameters: readonly string[];
}

/**
 * Every operation of the contract, in order. The expected behavior of each is derived from its policy.
 * @throws {Error} naming the operation whose example is missing or has no path or body.
 */
export function contractCases(
  routesByResource: Record<string, Routes> = contract,
  examples: Record<string, Record<string, Example>> = EXAMPLES,
): ContractCase[] {
  return Object.entries(routesByResource).flatMap(([resource, routes]) =>
    Object.entries(routes).map(([operation, route]) => {
      const name = `${resource}.${operation}`;
      const example = examples[resource]?.[operation];
      if (example === undefined) {
        throw new Error(
          `${name} has no example. Add one to EXAMPLES in tests/kit/contract-cases.ts, under ${resource}.`,
        );
      }
      const parameters = [...route.path.matchAll(/:(\w+)/g)].map(([, parameter]) => `${parameter}`);
      if (parameters.length > 0 && example.params === undefined) {
        throw new Error(
          `The example of ${name} names no ${parameters.join(', ')}. Add params to it in tests/kit/contract-cases.ts.`,
        );
      }
      if (route.metadata.body !== 'none' && example.body === undefined) {
        throw new Error(
          `The example of ${name} has no body. Add body to it in tests/kit/contract-cases.ts.`,
        );
      }
      return { name, route, example, parameters };
    }),
  );
}

/** The path of an operation, with its parameters filled in. */
export function pathOf(
  { route }: ContractCase,
  params: Record<string, string> = {},
  query?: string,
): string {
  const path = route.path.replaceAll(/:(\w+)/g, (_whole, name: string) =>
    encodeURIComponent(params[name] ?? 'none'),
  );
  return query === undefined ? path : `${path}?${query}`;
}

/** Valid parameters that name nothing that exists. */
export function unknownParams(params: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      /^[0-9a-f]{8}-/.test(value) ? newId() : `unknown-${newId()}`,
    ]),
  );
}
