import { type Contract, contract, type Route, type Routes } from '@cspm/contract';
import { validationFailed } from '../platform/problem.ts';
import { compileQuery, type QueryParser } from './query.ts';

/** An operation of the contract, ready to be served. */
export interface Endpoint {
  /** `scans.launch`: the name in logs, audit rows and idempotency records. */
  readonly name: string;
  readonly resource: keyof Contract;
  readonly operation: string;
  readonly route: Route;
  /** `/scans/{id}`: the path in logs and spans. */
  readonly template: string;
  readonly parseQuery: QueryParser;
}

export type Match =
  | {
      readonly kind: 'endpoint';
      readonly endpoint: Endpoint;
      readonly params: Record<string, string>;
    }
  | { readonly kind: 'unknown_path' }
  | { readonly kind: 'unknown_method'; readonly allow: readonly string[] };

interface Target {
  readonly endpoint: Endpoint;
  /** The names of its parameters, in the order of the path. Two operations may name the same segment differently. */
  readonly parameters: readonly string[];
}

/** A step of a path: fixed segments first, then a parameter. */
interface Node {
  readonly fixed: Map<string, Node>;
  parameter: Node | null;
  readonly methods: Map<string, Target>;
}

/** Every path is served plain and under this prefix. */
const PREFIX = ['api', 'v1'];

/** The contract as a tree of path segments, compiled once. */
export class RouteTable {
  readonly endpoints: readonly Endpoint[];
  readonly #root: Node = emptyNode();

  constructor(routesByResource: Record<string, Routes> = contract) {
    this.endpoints = Object.entries(routesByResource).flatMap(([resource, routes]) =>
      Object.entries(routes).map(([operation, route]) => ({
        name: `${resource}.${operation}`,
        resource: resource as keyof Contract,
        operation,
        route,
        template: route.path.replaceAll(/:(\w+)/g, '{$1}'),
        parseQuery: compileQuery(route.query),
      })),
    );
    for (const endpoint of this.endpoints) this.#add(endpoint);
  }

  /**
   * Finds the operation for a method and a path. Letter case, one trailing slash and the prefix make no difference, so
   * they cannot bypass anything keyed by the operation.
   * @throws {ProblemError} VALIDATION_FAILED for an invalid percent escape.
   */
  match(method: string, path: string): Match {
    if (!path.startsWith('/')) return { kind: 'unknown_path' };
    const values: string[] = [];
    let node: Node | undefined = this.#root;
    const segments = segmentsOf(path).map((segment) => ({ segment, decoded: decode(segment) }));
    for (const { segment, decoded } of segments) {
      const next: Node | undefined = node.fixed.get(segment.toLowerCase());
      if (next === undefined && node.parameter !== null && segment !== '') {
        values.push(decoded);
        node = node.parameter;
      } else {
        node = next;
      }
      if (node === undefined) return { kind: 'unknown_path' };
    }
    if (node.methods.size === 0) return { kind: 'unknown_path' };
    const target = node.methods.get(method === 'HEAD' ? 'GET' : method);
    if (target === undefined) return { kind: 'unknown_method', allow: allowed(node) };
    const { endpoint, parameters } = target;
    const params = Object.fromEntries(parameters.map((name, at) => [name, values[at] ?? '']));
    return { kind: 'endpoint', endpoint, params };
  }

  #add(endpoint: Endpoint): void {
    let node = this.#root;
    const parameters: string[] = [];
    for (const segment of endpoint.route.path.slice(1).split('/')) {
      if (segment.startsWith(':')) {
        parameters.push(segment.slice(1));
        node.parameter ??= emptyNode();
        node = node.parameter;
      } else {
        const next = node.fixed.get(segment) ?? emptyNode();
        node.fixed.set(segment, next);
        node = next;
      }
    }
    node.methods.set(endpoint.route.method, { endpoint, parameters });
  }
}

function emptyNode(): Node {
  return { fixed: new Map(), parameter: null, methods: new Map() };
}

function allowed(node: Node): string[] {
  const methods = [...node.methods.keys()];
  return methods.includes('GET') ? [...methods, 'HEAD'] : methods;
}

function segmentsOf(path: string): string[] {
  const trimmed = path.endsWith('/') && path.length > 1 ? path.slice(1, -1) : path.slice(1);
  const segments = trimmed.split('/');
  const prefixed = PREFIX.every((part, index) => segments[index]?.toLowerCase() === part);
  if (!prefixed) return segments;
  // `/api/v1` is the root, as `/` is: one empty segment.
  return segments.length === PREFIX.length ? [''] : segments.slice(PREFIX.length);
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw validationFailed([
      { path: 'path', message: `"${segment.slice(0, 64)}" contains an invalid % escape` },
    ]);
  }
}
