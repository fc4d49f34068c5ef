import { alternativesOf, type Route, type Routes } from '@cspm/contract';
import { z } from 'zod';
import { defOf, isOptional } from './sdk-types.ts';

type Shape = Readonly<Record<string, z.core.$ZodType>>;

/** One method of the client, derived from the contract. */
export interface Method {
  readonly group: string;
  readonly name: string;
  readonly route: Route;
  readonly path: Shape;
  readonly query: Shape;
  readonly body: Shape;
  /** The members of the body of which a call must have exactly one; empty: there are none. */
  readonly alternatives: readonly string[];
  /** Also takes an inventory. */
  readonly upload: boolean;
  /** The type of a successful result; for events, of their data; undefined: nothing, or text. */
  readonly result: z.core.$ZodType | undefined;
  /** How it streams its response; undefined: it does not. */
  readonly stream: 'text' | 'bytes' | 'events' | undefined;
  /** The item type if the result is a page of a list. */
  readonly item: z.core.$ZodType | undefined;
  /** The type of such a page if it has more than its items and the next cursor. */
  readonly page: z.core.$ZodType | undefined;
}

/**
 * The methods of the client: every operation with a JSON, empty or streamed response. Pages for browsers are excluded.
 */
export function methodsOf(contract: Readonly<Record<string, Routes>>): Method[] {
  return Object.entries(contract).flatMap(([group, routes]) =>
    Object.entries(routes).flatMap(([name, route]) => methodOf(group, name, route, routes) ?? []),
  );
}

function methodOf(group: string, name: string, route: Route, routes: Routes): Method | undefined {
  const at = `${group}.${name}`;
  const successes = Object.entries(route.responses).filter(([status]) => status.startsWith('2'));
  const [success, ...others] = successes;
  // Only redirects a browser.
  if (!success && Object.keys(route.responses).some((status) => status.startsWith('3')))
    return undefined;
  // A PUT may create (201) or replace (200), with the same response.
  if (!success || others.some(([, other]) => other !== success[1])) {
    throw new Error(`${at} must have one success response`);
  }
  const [, response] = success;
  const isJson = response instanceof z.ZodType;
  const stream = route.metadata.stream ? streamOf(response) : undefined;
  // Neither JSON nor empty (a symbol in ts-rest): a page, a script, a style sheet.
  if (!isJson && !stream && typeof response !== 'symbol') return undefined;

  const upload = route.metadata.body === 'inventory';
  const path = shapeOf(route.pathParams, `the path of ${at}`);
  const query = shapeOf(route.query, `the query of ${at}`);
  const json = route.metadata.body === 'json' && 'body' in route ? route.body : undefined;
  const body = shapeOf(json, `the body of ${at}`);
  const inPath = [...route.path.matchAll(/:(\w+)/g)].map(([, parameter = '']) => parameter);
  if (inPath.toSorted().join() !== Object.keys(path).toSorted().join()) {
    throw new Error(
      `${at}: the path is ${route.path}, but its parameters are ${Object.keys(path)}`,
    );
  }
  if (json && Object.keys(query).length > 0) {
    throw new Error(`${at}: the client cannot tell the members of a query from those of a body`);
  }
  const names = [path, query, body, upload ? { inventory: null } : {}].flatMap(Object.keys);
  const clash = names.find((member, index) => names.indexOf(member) !== index);
  if (clash) throw new Error(`${at}: "${clash}" stands for two of path, query and body`);

  const result = stream === 'events' ? dataOf(routes, at) : isJson ? response : undefined;
  const { item, page } = listOf(result);
  const alternatives = json instanceof z.ZodType ? alternativesOf(json) : [];
  const input = { path, query, body, alternatives, upload };
  return { group, name, route, ...input, result, item, page, stream };
}

function streamOf(response: unknown): 'text' | 'bytes' | 'events' {
  const { contentType } = response as { contentType: string };
  // Decoding a PDF as text would damage it.
  if (contentType.includes('application/pdf')) return 'bytes';
  return contentType.startsWith('text/event-stream') ? 'events' : 'text';
}

/** Events contain a resource in the shape that `get` of the same group returns. */
function dataOf(routes: Routes, at: string): z.core.$ZodType {
  const data = routes['get']?.responses[200];
  if (!(data instanceof z.ZodType)) throw new Error(`${at}: its group has no \`get\``);
  return data;
}

/** Whether the method can be called without an input. */
export function hasNoNeeds({ path, query, body, alternatives, upload }: Method): boolean {
  const members = [path, query, body].flatMap((shape) => Object.values(shape));
  if (upload || alternatives.length > 0) return false;
  return members.every((schema) => isOptional(schema, 'input'));
}

function shapeOf(schema: unknown, where: string): Shape {
  if (schema === undefined || schema === null || typeof schema === 'symbol') return {};
  const def = schema instanceof z.ZodType ? defOf(schema) : undefined;
  if (def?.type !== 'object')
    throw new Error(`${where} is not an object, so its members cannot be merged`);
  return def.shape;
}

/** Recognizes a page by its members `items` and `nextCursor`. */
function listOf(result: z.core.$ZodType | undefined): Pick<Method, 'item' | 'page'> {
  const def = result && defOf(result);
  const shape = def?.type === 'object' ? def.shape : {};
  const items = 'nextCursor' in shape && shape['items'] ? defOf(shape['items']) : undefined;
  if (items?.type !== 'array') return { item: undefined, page: undefined };
  return { item: items.element, page: Object.keys(shape).length > 2 ? result : undefined };
}
