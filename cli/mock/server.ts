import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { type Document, type Json, type Operation, operationsOf } from './document.ts';
import { Input } from './input.ts';
import { Limits } from './limits.ts';
import { People, type Principal, TENANT } from './people.ts';
import { Problem, ProblemCatalogue } from './problem.ts';
import { type Answer, Repetitions } from './repetitions.ts';
import { type Found, Router } from './router.ts';
import { isOver, State } from './state.ts';

export interface MockOptions {
  readonly document: Document;
  readonly host: string;
  readonly port: number;
  /** Requests per minute and client address over all operations. */
  readonly rateLimit: number;
  /** The lifetime of access tokens. A short one tests token refresh. */
  readonly accessSeconds: number;
  readonly scanSeconds: number;
  readonly features: readonly string[];
  readonly now?: () => number;
}

export interface Mock {
  readonly url: string;
  stop(): Promise<void>;
}

const SINGLE_VALUE_HEADERS = [
  'authorization',
  'x-api-key',
  'x-master-key',
  'x-tenant-id',
  'idempotency-key',
];
const JSON_BYTES_MAX = 1024 * 1024;
const EVENT_EVERY_MS = 250;

/** Serves the operations of the document with example data and enforces their policies. */
export async function startMock(options: MockOptions): Promise<Mock> {
  const service = new Service(options);
  const server: Server = createServer((req, res) => void service.serve(req, res));
  server.listen(options.port, options.host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${options.host}:${port}`,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

class Service {
  readonly #options: MockOptions;
  readonly #router: Router;
  readonly #limits: Limits;
  readonly #people: People;
  readonly #problems: ProblemCatalogue;
  readonly #input: Input;
  readonly #repetitions = new Repetitions();
  readonly #state: State;

  constructor(options: MockOptions) {
    const now = options.now ?? Date.now;
    const operations = operationsOf(options.document);
    this.#options = options;
    this.#router = new Router(operations);
    this.#limits = new Limits(options.rateLimit, now);
    this.#people = new People({ ...options, operations, now });
    this.#problems = new ProblemCatalogue(options.document);
    this.#input = new Input(options.document);
    const byId = new Map(operations.map((operation) => [operation.id, operation]));
    this.#state = new State({
      exampleOf: (id) => exampleOf(byId.get(id)) ?? null,
      scanSeconds: options.scanSeconds,
      now,
    });
  }

  /** Runs the stages in the same order as the service, so that errors take precedence as they do there. */
  async serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const given = req.headers['x-correlation-id'];
    const known = typeof given === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(given);
    const correlationId = known ? given : randomUUID();
    res.setHeader('X-Correlation-ID', correlationId);
    try {
      await this.#stages(req, res);
    } catch (error) {
      const problem =
        error instanceof Problem
          ? error
          : new Problem('INTERNAL', 'Internal error of the mock server.');
      for (const [name, value] of Object.entries(problem.headers)) res.setHeader(name, value);
      const body = this.#problems.bodyOf(problem, correlationId);
      req.resume();
      if (res.headersSent) res.destroy();
      else send(req, res, body.status, 'application/problem+json', JSON.stringify(body));
    }
  }

  async #stages(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(req.url ?? '/', 'http://mock');
    const found = attempt(() => this.#router.find(req.method ?? 'GET', pathname));
    const operation = found instanceof Problem ? null : found.operation;
    const limits = this.#limits.count(req.socket.remoteAddress ?? '', operation);
    for (const [name, value] of Object.entries(limits)) res.setHeader(name, value);
    refuseDoubled(req);
    if (found instanceof Problem) throw found;
    const principal = this.#identify(found.operation, req, res);
    if (!this.#input.matchesPath(found.operation, found.params)) {
      throw new Problem('NOT_FOUND', 'Not found.');
    }
    const body = await bodyOf(found.operation, req);
    const query = this.#input.query(found.operation, searchParams);
    this.#input.body(found.operation, body);
    if (found.operation.id === 'scansEvents') {
      await this.#events(found, req, res);
      return;
    }
    const work = async () => this.#answer(found, principal, query, body);
    const key = req.headers['idempotency-key'];
    const of = {
      key: String(key),
      principal: `${principal?.person.id} ${principal?.kind}`,
      operation: found.operation.id,
    };
    const answer =
      key === undefined || !found.operation.takesKey
        ? await work()
        : await this.#repetitions.once(of, body, work);
    if ('replayed' in answer && answer.replayed) res.setHeader('Idempotency-Replayed', 'true');
    reply(req, res, found.operation, answer);
  }

  #identify(operation: Operation, req: IncomingMessage, res: ServerResponse): Principal | null {
    if (operation.credentials === 'public') return null;
    const principal = this.#people.authenticate(req.headers);
    res.setHeader('X-Tenant-ID', TENANT.id);
    this.#people.authorize(principal, operation);
    return principal;
  }

  #answer(
    { operation, params }: Found,
    principal: Principal | null,
    query: Readonly<Record<string, unknown>>,
    body: unknown,
  ): Answer {
    const sent = (typeof body === 'object' && body !== null ? body : {}) as Record<string, Json>;
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
        return ok(this.#options.document);
      case 'metaProblem':
        return ok(exampleOf(operation) as object);
    }
    if (principal !== null) {
      if (operation.id === 'authMe') return ok(this.#people.describe(principal));
      if (operation.id === 'twoFactorVerify')
        return ok(this.#people.stepUp(principal, sent['code']));
      if (operation.id === 'authLogoutAll') this.#people.logoutAll(principal);
    }
    const kept = this.#state.answer({ operation, params, query, body: sent });
    return kept ?? { status: operation.success.status, body: exampleOf(operation) };
  }

  /** Sends the progress of the scan as server-sent events. */
  async #events({ params }: Found, req: IncomingMessage, res: ServerResponse): Promise<void> {
    const id = params['id'] ?? '';
    let scan = this.#state.scan(id);
    let number = Number(req.headers['last-event-id'] ?? 0);
    res.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
    while (!res.destroyed && !isOver(scan)) {
      number += 1;
      res.write(`id: ${number}\nevent: progress\ndata: ${JSON.stringify(scan)}\n\n`);
      await delay(EVENT_EVERY_MS);
      scan = this.#state.scan(id);
    }
    res.end(`id: ${number + 1}\nevent: done\ndata: ${JSON.stringify(scan)}\n\n`);
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
function refuseDoubled(req: IncomingMessage): void {
  for (const name of SINGLE_VALUE_HEADERS) {
    const sent = req.headersDistinct[name] ?? [];
    if (sent.length < 2 && !sent[0]?.includes(',')) continue;
    throw new Problem('VALIDATION_FAILED', `The header ${name} must be sent once.`, {
      members: { errors: [{ path: `headers.${name}`, message: 'must be sent once' }] },
    });
  }
}

/** @throws {Problem} UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, VALIDATION_FAILED */
async function bodyOf(operation: Operation, req: IncomingMessage): Promise<unknown> {
  const types = Object.keys(operation.body);
  if (types.length === 0) return undefined;
  const type = (req.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (!types.includes(type)) {
    throw new Problem('UNSUPPORTED_MEDIA_TYPE', `The body must be ${types.join(' or ')}.`);
  }
  const isInventory = types.includes('application/x-ndjson');
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of req) {
    bytes += piece.length;
    // An inventory can be large, and the mock does not read it.
    if (isInventory) continue;
    if (bytes > JSON_BYTES_MAX)
      throw new Problem('PAYLOAD_TOO_LARGE', 'The JSON body is larger than 1 MiB.');
    pieces.push(piece);
  }
  if (isInventory) return undefined;
  const text = Buffer.concat(pieces).toString('utf8');
  if (type !== 'application/json') return Object.fromEntries(new URLSearchParams(text));
  try {
    return JSON.parse(text);
  } catch {
    throw new Problem('VALIDATION_FAILED', 'The body is not valid JSON.', {
      members: { errors: [{ path: 'body', message: 'is not valid JSON' }] },
    });
  }
}

/** The example of the successful response. */
function exampleOf(operation: Operation | undefined): Json | undefined {
  return Object.values(operation?.success.media ?? {})[0]?.example;
}

function reply(
  req: IncomingMessage,
  res: ServerResponse,
  operation: Operation,
  answer: Answer,
): void {
  for (const [name, value] of Object.entries(answer.headers ?? {})) res.setHeader(name, value);
  const type = Object.keys(operation.success.media)[0];
  if (answer.body === undefined || type === undefined) {
    res.writeHead(answer.status).end();
    return;
  }
  const isJson = type === 'application/json';
  const text = isJson ? JSON.stringify(answer.body) : String(answer.body);
  send(req, res, answer.status, type, text);
}

function send(
  req: IncomingMessage,
  res: ServerResponse,
  status: number,
  type: string,
  text: string,
): void {
  res.writeHead(status, { 'Content-Type': type, 'Content-Length': Buffer.byteLength(text) });
  res.end(req.method === 'HEAD' ? undefined : text);
}
