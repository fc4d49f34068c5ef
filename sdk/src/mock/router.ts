import type { MockOperation } from './document.ts';
import { Problem } from './problem.ts';

export interface Found {
  readonly operation: MockOperation;
  readonly params: Readonly<Record<string, string>>;
}

/** Finds an operation as the service does: in any letter case, with or without /api/v1 and a trailing slash. */
export class Router {
  readonly #routes: readonly { readonly operation: MockOperation; readonly pattern: RegExp }[];

  constructor(operations: readonly MockOperation[]) {
    // Fixed segments match before parameters, so /findings/summary is not a finding id.
    this.#routes = operations
      .map((operation) => ({ operation, pattern: patternOf(operation.path) }))
      .sort((a, b) => parametersIn(a.operation) - parametersIn(b.operation));
  }

  /** @throws {Problem} NOT_FOUND for an unknown path, METHOD_NOT_ALLOWED for an unknown method */
  find(method: string, path: string): Found {
    const here = this.#routes.flatMap(({ operation, pattern }) => {
      const match = pattern.exec(path);
      return match === null ? [] : [{ operation, params: decodeParameters(match.groups ?? {}) }];
    });
    const verb = method === 'HEAD' ? 'GET' : method;
    const found = here.find(({ operation }) => operation.method === verb);
    if (found !== undefined) return found;
    if (here.length === 0) throw new Problem('NOT_FOUND', 'Not found.');
    const allow = new Set(here.map(({ operation }) => operation.method));
    if (allow.has('GET')) allow.add('HEAD');
    const allowed = [...allow].join(', ');
    throw new Problem(
      'METHOD_NOT_ALLOWED',
      `The path does not support this method. Use one of: ${allowed}.`,
      { headers: { Allow: allowed } },
    );
  }
}

function patternOf(path: string): RegExp {
  const segments = path
    .split('/')
    .map((segment) => segment.replace(/^\{(\w+)\}$/, '(?<$1>[^/]+)').replaceAll('.', '\\.'));
  return new RegExp(`^(?:/api/v1)?${segments.join('/')}/?$`, 'i');
}

function parametersIn({ path }: MockOperation): number {
  return path.split('{').length;
}

/** @throws {Problem} VALIDATION_FAILED for a malformed percent escape */
function decodeParameters(groups: Readonly<Record<string, string>>): Record<string, string> {
  try {
    return Object.fromEntries(
      Object.entries(groups).map(([name, value]) => [name, decodeURIComponent(value)]),
    );
  } catch {
    throw new Problem('VALIDATION_FAILED', 'The path contains a malformed percent escape.');
  }
}
