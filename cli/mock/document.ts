/** The parts of the service's OpenAPI 3.1 document that the mock reads: schemas, examples and policies. */
export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Json>>;
    readonly examples: Readonly<Record<string, { readonly value: ProblemExample }>>;
    readonly [part: string]: Readonly<Record<string, unknown>>;
  };
}

export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [name: string]: Json };

export interface ProblemExample {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly code: string;
  readonly detail: string;
}

export type CredentialKind = 'jwt' | 'api_key' | 'global_api_key' | 'master_key';

/** An operation with its policy from the document. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  /** `/scans/{id}` */
  readonly path: string;
  readonly credentials: readonly CredentialKind[] | 'public';
  /** A caller needs all of these. */
  readonly permissions: readonly string[];
  readonly mfa: boolean;
  readonly feature: string | null;
  /** The limit in addition to the default one, or null. */
  readonly limit: {
    readonly name: string;
    readonly quota: number;
    readonly windowSeconds: number;
  } | null;
  /** Whether requests count against the default limit. */
  readonly limited: boolean;
  readonly takesKey: boolean;
  readonly parameters: readonly Parameter[];
  /** By media type. */
  readonly body: Readonly<Record<string, Media>>;
  /** The successful response. */
  readonly success: { readonly status: number; readonly media: Readonly<Record<string, Media>> };
}

export interface Media {
  readonly schema: Json;
  readonly example?: Json;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: { readonly [name: string]: Json };
}

const METHODS = ['get', 'put', 'post', 'patch', 'delete'];

/** @throws {TypeError} for a document of another service */
export function operationsOf(document: Document): Operation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => METHODS.includes(method))
      .map(([method, operation]) => operationOf(document, path, method, operation as RawOperation)),
  );
}

interface RawOperation {
  readonly operationId: string;
  readonly parameters?: readonly unknown[];
  readonly requestBody?: unknown;
  readonly responses: Readonly<Record<string, unknown>>;
  readonly 'x-credentials': readonly CredentialKind[] | 'public';
  readonly 'x-required-permission'?: string | readonly string[];
  readonly 'x-requires-mfa'?: boolean;
  readonly 'x-required-feature'?: string;
  readonly 'x-rate-limit'?: {
    readonly name: string;
    readonly quota: number;
    readonly windowSeconds: number;
  };
  readonly 'x-idempotency': { readonly kind: string };
}

function operationOf(
  document: Document,
  path: string,
  method: string,
  raw: RawOperation,
): Operation {
  const [status = '200', response] =
    Object.entries(raw.responses).find(([code]) => /^[23]\d\d$/.test(code)) ?? [];
  const limit = raw['x-rate-limit'];
  const body = resolved<{ content?: Record<string, Media> }>(document, raw.requestBody);
  const success = resolved<{ content?: Record<string, Media> }>(document, response);
  return {
    id: raw.operationId,
    method: method.toUpperCase(),
    path,
    credentials: raw['x-credentials'],
    permissions: [raw['x-required-permission'] ?? []].flat(),
    mfa: raw['x-requires-mfa'] ?? false,
    feature: raw['x-required-feature'] ?? null,
    limit: limit === undefined || limit.name === 'default' ? null : limit,
    limited: limit !== undefined,
    takesKey: raw['x-idempotency'].kind === 'accepted',
    parameters: (raw.parameters ?? []).flatMap(
      (parameter) => resolved<Parameter>(document, parameter) ?? [],
    ),
    body: body?.content ?? {},
    success: { status: Number(status), media: success?.content ?? {} },
  };
}

/** Resolves a reference to the components. */
function resolved<T>(document: Document, value: unknown): T | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const reference = '$ref' in value ? String(value.$ref) : null;
  if (reference === null) return value as T;
  const [part = '', name = ''] = reference.replace('#/components/', '').split('/');
  const found = document.components[part]?.[name];
  if (found === undefined) throw new TypeError(`The document does not define ${reference}.`);
  return resolved<T>(document, found);
}
