import type { MockJson, MockOperation, MockProblem } from './document.ts';
import { Limits } from './limits.ts';
import { People, type Principal, TENANT } from './people.ts';
import { Problem, ProblemCatalogue } from './problem.ts';
import { type Answer, Repetitions } from './repetitions.ts';
import { type Found, Router } from './router.ts';
import { isOver, State } from './state.ts';
import type { MockInput, MockServiceOptions } from './types.ts';

const SINGLE_VALUE_HEADERS = [
  'authorization',
  'x-api-key',
  'x-master-key',
  'x-tenant-id',
  'idempotency-key',
];
const JSON_BYTES_MAX = 1024 * 1024;
const EVENT_EVERY_MS = 250;

/** What is answered to the next calls of an operation instead of its usual answer. */
interface Planned {
  readonly answer: () => Answer;
  left: number;
}

/** Answers requests with example data, and enforces the policies of the operations. */
export class MockService {
  readonly #options: MockServiceOptions;
  readonly #router: Router;
  readonly #limits: Limits;
  readonly #people: People;
  readonly #problems: ProblemCatalogue;
  readonly #input: MockInput;
  readonly #repetitions: Repetitions;
  readonly #state: State;
  readonly #operations: ReadonlyMap<string, MockOperation>;
  readonly #planned = new Map<string, Planned[]>();

  constructor(
    operations: readonly MockOperation[],
    problems: readonly MockProblem[],
    input: MockInput,
    options: MockServiceOptions = {},
  ) {
    const { now = Date.now, rateLimit = 60, accessSeconds = 900, features = [] } = options;
    const { scanSeconds = 5 } = options;
    this.#options = options;
    this.#router = new Router(operations);
    this.#limits = new Limits(rateLimit, now);
    this.#repetitions = new Repetitions(now);
    this.#people = new People({ operations, features, accessSeconds, now });
    this.#problems = new ProblemCatalogue(problems);
    this.#input = input;
    this.#operations = new Map(operations.map((operation) => [operation.id, operation]));
    this.#state = new State({ exampleOf: (id) => this.exampleOf(id) ?? null, scanSeconds, now });
  }

  /** The example of the successful response of an operation. */
  exampleOf(id: string): MockJson | undefined {
    return exampleIn(this.#operations.get(id));
  }

  /** Answers the next `times` calls of an operation with data. */
  plan(id: string, data: unknown, times: number): void {
    const status = this.#operations.get(id)?.success.status ?? 200;
    this.#add(id, times, () => ({ status, body: data }));
  }

  /** Refuses the next `times` calls of an operation. @throws {TypeError} for a code that the document does not have */
  planProblem(
    id: string,
    code: string,
    times: number,
    members: Readonly<Record<string, unknown>>,
    headers: Readonly<Record<string, string>>,
  ): void {
    const problem = this.#problems.exampleOf(code, members, headers);
    this.#add(id, times, () => {
      throw problem;
    });
  }

  #add(id: string, left: number, answer: () => Answer): void {
    if (!this.#operations.has(id)) throw new TypeError(`The document has no operation ${id}.`);
    this.#planned.set(id, [...(this.#planned.get(id) ?? []), { answer, left }]);
  }

  /**
   * Runs the stages in the same order as the service, so that errors take precedence as they do there.
   * @param address of the client, whose requests are limited together
   */
  async handle(request: Request, address = ''): Promise<Response> {
    const given = request.headers.get('x-correlation-id') ?? '';
    const correlationId = /^[A-Za-z0-9._-]{1,64}$/.test(given) ? given : crypto.randomUUID();
    const headers = new Headers({ 'X-Correlation-ID': correlationId });
    const response = await this.#stages(request, address, headers).catch((error: unknown) => {
      const problem =
        error instanceof Problem
          ? error
          : new Problem('INTERNAL', 'Internal error of the mock server.');
      for (const [name, value] of Object.entries(problem.headers)) headers.set(name, value);
      headers.set('Content-Type', 'application/problem+json');
      const body = this.#problems.bodyOf(problem, correlationId);
      return new Response(JSON.stringify(body), { status: body.status, headers });
    });
    return request.method === 'HEAD' ? new Response(null, response) : response;
  }

  async #stages(request: Request, address: string, headers: Headers): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    const found = attempt(() => this.#router.find(request.method, pathname));
    const operation = found instanceof Problem ? null : found.operation;
    for (const [name, value] of Object.entries(this.#limits.count(address, operation))) {
      headers.set(name, value);
    }
    refuseDoubled(request.headers);
    if (found instanceof Problem) throw found;
    const principal = this.#identify(found.operation, request.headers, headers);
    if (!this.#input.matchesPath(found.operation, found.params)) {
      throw new Problem('NOT_FOUND', 'Not found.');
    }
    const body = await bodyOf(found.operation, request);
    const query = this.#input.query(found.operation, searchParams);
    this.#input.body(found.operation, body);
    const planned = this.#plannedFor(found.operation);
    if (planned === undefined && found.operation.id === 'scansEvents') {
      return this.#events(found, request, headers);
    }
    const work = async () => planned?.() ?? this.#answer(found, principal, query, body);
    const key = request.headers.get('idempotency-key');
    const of = {
      key: String(key),
      principal: String(principal?.person.id),
      operation: found.operation.id,
    };
    const answer =
      key === null || !found.operation.takesKey
        ? await work()
        : await this.#repetitions.once(of, { params: found.params, body }, work);
    if ('replayed' in answer && answer.replayed) headers.set('Idempotency-Replayed', 'true');
    return responseOf(answer, headers, mediaTypeOf(found.operation, query['format']));
  }

  #plannedFor({ id }: MockOperation): (() => Answer) | undefined {
    const [first, ...others] = this.#planned.get(id) ?? [];
    if (first === undefined) return undefined;
    first.left -= 1;
    if (first.left <= 0) this.#planned.set(id, others);
    return first.answer;
  }

  #identify(operation: MockOperation, given: Headers, headers: Headers): Principal | null {
    if (operation.credentials === 'public') return null;
    const principal = this.#people.authenticate(given);
    headers.set('X-Tenant-ID', TENANT.id);
    this.#people.authorize(principal, operation);
    return principal;
  }

  #answer(
    { operation, params }: Found,
    principal: Principal | null,
    query: Readonly<Record<string, unknown>>,
    body: unknown,
  ): Answer {
    const sent = (typeof body === 'object' && body !== null ? body : {}) as Record<
      string,
      MockJson
    >;
    const ok = (value: object): Answer => ({ status: 200, body: value });
    switch (operation.id) {
      case 'authLogin':
        return ok(this.#people.login(sent));
      case 'authRefresh':
        return ok(this.#people.refresh(String(sent['refreshToken'])));
      case 'authLogout':
        this.#people.logout(String(sent['refreshToken']));
        return { status: 204, body: undefined };
      case 'metaOpenapi':
        return ok(this.#options.document ?? {});
      case 'metaProblem':
        return ok(exampleIn(operation) as object);
    }
    if (principal !== null) {
      if (operation.id === 'authMe') return ok(this.#people.describe(principal));
      if (operation.id === 'twoFactorVerify')
        return ok(this.#people.stepUp(principal, sent['code']));
      if (operation.id === 'authLogoutAll') this.#people.logoutAll(principal);
    }
    const kept = this.#state.answer({ operation, params, query, body: sent });
    const { status } = operation.success;
    return kept ?? { status, body: exampleIn(operation, query['format']) };
  }

  /** The progress of the scan as server-sent events. */
  #events({ params }: Found, request: Request, headers: Headers): Response {
    const id = params['id'] ?? '';
    let scan = this.#state.scan(id);
    let number = Number(request.headers.get('last-event-id') ?? 0);
    const encoder = new TextEncoder();
    const event = (name: string) => {
      number += 1;
      return encoder.encode(`id: ${number}\nevent: ${name}\ndata: ${JSON.stringify(scan)}\n\n`);
    };
    let isFirst = true;
    const body = new ReadableStream({
      pull: async (stream) => {
        if (!isFirst) await new Promise((resolve) => setTimeout(resolve, EVENT_EVERY_MS));
        isFirst = false;
        scan = this.#state.scan(id);
        const over = isOver(scan);
        stream.enqueue(event(over ? 'done' : 'progress'));
        if (over) stream.close();
      },
    });
    headers.set('Content-Type', 'text/event-stream');
    headers.set('Cache-Control', 'no-store');
    return new Response(body, { headers });
  }
}

function attempt(find: () => Found): Found | Problem {
  try {
    return find();
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}

/** @throws {Problem} VALIDATION_FAILED when a single-value header was sent twice or contains a comma */
function refuseDoubled(headers: Headers): void {
  for (const name of SINGLE_VALUE_HEADERS) {
    // Headers that were sent twice are joined by a comma.
    if (!headers.get(name)?.includes(',')) continue;
    throw new Problem('VALIDATION_FAILED', `The header ${name} must be sent once.`, {
      members: { errors: [{ path: `headers.${name}`, message: 'must be sent once' }] },
    });
  }
}

/** @throws {Problem} UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, VALIDATION_FAILED */
async function bodyOf(operation: MockOperation, request: Request): Promise<unknown> {
  const types = Object.keys(operation.body);
  if (types.length === 0) return undefined;
  const type =
    (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (!types.includes(type)) {
    throw new Problem('UNSUPPORTED_MEDIA_TYPE', `The body must be ${types.join(' or ')}.`);
  }
  const isInventory = types.includes('application/x-ndjson');
  const text = await textOf(request, isInventory);
  if (isInventory) return undefined;
  if (type !== 'application/json') return Object.fromEntries(new URLSearchParams(text));
  try {
    return JSON.parse(text);
  } catch {
    throw new Problem('VALIDATION_FAILED', 'The body is not valid JSON.', {
      members: { errors: [{ path: 'body', message: 'is not valid JSON' }] },
    });
  }
}

/** An inventory can be large, and the mock does not keep it. */
async function textOf({ body }: Request, isInventory: boolean): Promise<string> {
  const decoder = new TextDecoder();
  const reader = body?.getReader();
  let text = '';
  let bytes = 0;
  for (let piece = await reader?.read(); piece && !piece.done; piece = await reader?.read()) {
    if (isInventory) continue;
    bytes += piece.value.byteLength;
    if (bytes > JSON_BYTES_MAX) {
      await reader?.cancel();
      throw new Problem('PAYLOAD_TOO_LARGE', 'The JSON body is larger than 1 MiB.');
    }
    text += decoder.decode(piece.value, { stream: true });
  }
  return text + decoder.decode();
}

function exampleIn(operation: MockOperation | undefined, format?: unknown): MockJson | undefined {
  return operation?.success.media[mediaTypeOf(operation, format) ?? '']?.example;
}

/** The media type of a format such as `csv`; the first one if none is named after it. */
function mediaTypeOf({ success }: MockOperation, format: unknown): string | undefined {
  const types = Object.keys(success.media);
  return types.find((type) => type.includes(String(format))) ?? types[0];
}

function responseOf(answer: Answer, headers: Headers, type: string | undefined): Response {
  const { status, body } = answer;
  for (const [name, value] of Object.entries(answer.headers ?? {})) headers.set(name, value);
  if (body === undefined || type === undefined) return new Response(null, { status, headers });
  headers.set('Content-Type', type);
  const isJson = type === 'application/json' || typeof body === 'object';
  return new Response(isJson ? JSON.stringify(body) : String(body), { status, headers });
}
