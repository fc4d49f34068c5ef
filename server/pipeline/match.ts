import { type Contract, contract, type Route, type Routes } from '@cspm/contract';
import { validationFailed } from './problems.ts';
import { compileQuery, type QueryParser } from './query.ts';

/** An operation of the contract, ready to be served. */
export interface Endpoint {
  /** `scans.launch`: what logs, audit rows and idempotency records call it. */
  readonly name: string;
  readonly resource: keyof Contract;
  readonly operation: string;
  readonly route: Route;
  /** `/scans/{id}`: what logs and spans call the path. */
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

/** A step of a path: fixed segments first, then a parameter. */
interface Node {
  readonly fixed: Map<string, Node>;
  parameter: { readonly name: string; readonly node: Node } | null;
  readonly methods: Map<string, Endpoint>;
}

/** Every path is served at its plain form and under this prefix. */
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
   * that they open no second way around anything that is keyed by the operation.
   * @throws {ProblemError} VALIDATION_FAILED for a percent escape that is none.
   */
  match(method: string, path: string): Match {
    const params: Record<string, string> = {};
    let node: Node | undefined = this.#root;
    const segments = segmentsOf(path).map((segment) => ({ segment, decoded: decode(segment) }));
    for (const { segment, decoded } of segments) {
      const next: Node | undefined = node.fixed.get(segment.toLowerCase());
      if (next === undefined && node.parameter !== null && segment !== '') {
        params[node.parameter.name] = decoded;
        node = node.parameter.node;
      } else {
        node = next;
      }
      if (node === undefined) return { kind: 'unknown_path' };
    }
    if (node.methods.size === 0) return { kind: 'unknown_path' };
    const endpoint = node.methods.get(method === 'HEAD' ? 'GET' : method);
    return endpoint === undefined
      ? { kind: 'unknown_method', allow: allowed(node) }
      : { kind: 'endpoint', endpoint, params };
  }

  #add(endpoint: Endpoint): void {
    let node = this.#root;
    for (const segment of endpoint.route.path.slice(1).split('/')) {
      if (segment.startsWith(':')) {
        node.parameter ??= { name: segment.slice(1), node: emptyNode() };
        node = node.parameter.node;
      } else {
        const next = node.fixed.get(segment) ?? emptyNode();
        node.fixed.set(segment, next);
        node = next;
      }
    }
    node.methods.set(endpoint.route.method, endpoint);
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
  return prefixed ? segments.slice(PREFIX.length) : segments;
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw validationFailed([{ path: 'path', message: `"${segment}" holds a malformed % escape` }]);
  }
}
