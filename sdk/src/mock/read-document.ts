import type {
  MockCredential,
  MockDocument,
  MockMedia,
  MockOperation,
  MockParameter,
  MockProblem,
} from './document.ts';

const METHODS = ['get', 'put', 'post', 'patch', 'delete'];

/** @throws {TypeError} for a document of another service */
export function operationsOf(document: MockDocument): MockOperation[] {
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
  readonly 'x-credentials': readonly MockCredential[] | 'public';
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
  document: MockDocument,
  path: string,
  method: string,
  raw: RawOperation,
): MockOperation {
  const [status = '200', response] =
    Object.entries(raw.responses).find(([code]) => /^[23]\d\d$/.test(code)) ?? [];
  const limit = raw['x-rate-limit'];
  const body = resolved<{ content?: Record<string, MockMedia> }>(document, raw.requestBody);
  const success = resolved<{ content?: Record<string, MockMedia> }>(document, response);
  return {
    id: raw.operationId,
    method: method.toUpperCase(),
    path,
    credentials: raw['x-credentials'],
    permissions: [raw['x-required-permission'] ?? []].flat(),
    mfa: raw['x-requires-mfa'] ?? false,
    feature: raw['x-required-feature'] ?? null,
    limit: limit === undefined || limit.name === 'default' ? null : limitOf(limit),
    limited: limit !== undefined,
    takesKey: raw['x-idempotency'].kind === 'accepted',
    parameters: (raw.parameters ?? []).flatMap(
      (parameter) => resolved<MockParameter>(document, parameter) ?? [],
    ),
    body: body?.content ?? {},
    success: { status: Number(status), media: success?.content ?? {} },
  };
}

function limitOf({ name, quota, windowSeconds }: NonNullable<RawOperation['x-rate-limit']>) {
  return { name, quota, windowSeconds };
}

/** Resolves a reference to the components. */
function resolved<T>(document: MockDocument, value: unknown): T | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const reference = '$ref' in value ? String(value.$ref) : null;
  if (reference === null) return value as T;
  const [part = '', name = ''] = reference.replace('#/components/', '').split('/');
  const found = document.components[part]?.[name];
  if (found === undefined) throw new TypeError(`The document does not define ${reference}.`);
  return resolved<T>(document, found);
}

/** The examples of problems: shared ones are in the components, the others in the responses of their operation. */
export function problemsOf({ components, paths }: MockDocument): MockProblem[] {
  const shared = Object.values(components.examples).map(({ value }) => value);
  const own: MockProblem[] = [];
  JSON.stringify(paths, (_name, value: unknown) => {
    if (isProblem(value)) own.push(value);
    return value;
  });
  return [...shared, ...own].filter(isProblem);
}

function isProblem(value: unknown): value is MockProblem {
  if (typeof value !== 'object' || value === null || !('code' in value) || !('type' in value)) {
    return false;
  }
  return typeof value.type === 'string' && value.type.startsWith('/problems/');
}
