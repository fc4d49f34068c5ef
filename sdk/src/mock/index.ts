import { type HttpHandler, http } from 'msw';
import type { ProblemCodes } from '../index.ts';
import type { Factories, MockAnswers } from './answers.gen.ts';
import type { MockDocument, MockJson, MockOperation } from './document.ts';
import { FACTORY_EXAMPLES, OPERATIONS, PROBLEMS } from './examples.gen.ts';
import { MOCK_KEYS as KEYS, MOCK_CODE, MOCK_PASSWORD } from './people.ts';
import { plainInput, readParameter as readParameterAs, refuseIf } from './plain-input.ts';
import { operationsOf as operationsIn, problemsOf } from './read-document.ts';
import { MockService } from './service.ts';
import type { MockInput, MockServiceOptions } from './types.ts';

export type * from './answers.gen.ts';
export type * from './document.ts';
export type * from './types.ts';

/** API keys of an administrator and of a user who may only read. */
export const MOCK_KEYS: { readonly admin: string; readonly viewer: string } = KEYS;

/** `admin@example.com` and `viewer@example.com` sign in with the password, the administrator also with the code. */
export const MOCK_SIGN_IN: { readonly password: string; readonly code: string } = {
  password: MOCK_PASSWORD,
  code: MOCK_CODE,
};

/** How often, and with which members and headers, a call is refused. */
export interface Refusal {
  /** 1 by default. */
  readonly times?: number | undefined;
  /** Members of the problem, such as `checks` or `errors`; those of the document's example by default. */
  readonly members?: Readonly<Record<string, unknown>> | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** A mock of the service for tests. */
export interface CspmMock {
  /** Handlers of MSW for every operation. */
  readonly handlers: HttpHandler[];
  /** Refuses the next calls of an operation, after its policies: limits, credentials and input come first. */
  refuse<Operation extends keyof ProblemCodes>(
    operation: Operation,
    code: ProblemCodes[Operation],
    how?: Refusal,
  ): void;
  /** Answers the next call of an operation, or the next `times` calls, with data. */
  answer<Operation extends keyof MockAnswers>(
    operation: Operation,
    data: MockAnswers[Operation],
    how?: { readonly times?: number | undefined },
  ): void;
  /** Forgets everything: projects, scans, sessions, limits, Idempotency-Keys and what was planned. */
  reset(): void;
}

export interface MockOptions extends MockServiceOptions {
  /** The address that the tested client uses, with or without a path. */
  readonly baseUrl: string | URL;
}

/**
 * A mock of the service for [MSW](https://mswjs.io). It keeps projects, scans and findings in memory, answers all other
 * operations with the example of the OpenAPI document, and enforces the policies of the contract: credentials,
 * permissions, rate limits with their headers, Idempotency-Keys.
 */
export function mockCspm(options: MockOptions): CspmMock {
  const { baseUrl, ...ofService } = options;
  const base = String(baseUrl).replace(/\/+$/, '');
  const { pathname } = new URL(base);
  let service = makeService();
  function makeService(): MockService {
    return new MockService(OPERATIONS, PROBLEMS, plainInput, ofService);
  }
  return {
    handlers: [http.all(`${base}/*`, ({ request }) => service.handle(below(request, pathname)))],
    refuse(operation, code, { times = 1, members = {}, headers = {} } = {}) {
      service.planProblem(operation, code, times, members, headers);
    },
    answer(operation, data, { times = 1 } = {}) {
      service.plan(operation, data, times);
    },
    reset() {
      service = makeService();
    },
  };
}

/** The request as the service sees it behind a proxy that removes the path of the base URL. */
function below(request: Request, base: string): Request {
  if (base === '/') return request;
  const url = new URL(request.url);
  url.pathname = url.pathname.slice(base.length);
  const { method, headers, body, signal } = request;
  return new Request(url, { method, headers, signal, ...(body && { body, duplex: 'half' }) });
}

/**
 * Objects as the service answers them, from the examples of the OpenAPI document: `make.finding({ severity: 'low' })`.
 * Each call makes a new one.
 */
export const make: Factories = /* @__PURE__ */ Object.fromEntries(
  Object.entries(FACTORY_EXAMPLES).map(([name, [operation, isItem]]) => [
    name,
    (members: object = {}) => ({ ...structuredClone(exampleOf(operation, isItem)), ...members }),
  ]),
) as unknown as Factories;

function exampleOf(id: string, isItem: boolean): object {
  const { success } = OPERATIONS.find((operation) => operation.id === id) ?? {};
  const example = Object.values(success?.media ?? {})[0]?.example;
  return (isItem ? (example as { items: object[] }).items[0] : example) as object;
}

/** A mock of any version of the service, for servers such as `cspm mock`. */
export interface AnyMock {
  /** @param address of the client, whose requests are limited together */
  handle(request: Request, address?: string): Promise<Response>;
}

/** The operations of a document, with their policies. @throws {TypeError} for a document of another service */
export function operationsOf(document: object): MockOperation[] {
  return operationsIn(document as MockDocument);
}

/** For a `MockInput`: refuses a request with `VALIDATION_FAILED`, unless there are no errors. */
export const invalid: (errors: readonly { path: string; message: string }[]) => void = refuseIf;

/** For a `MockInput`: converts the values of a parameter to the type of its schema. */
export const readParameter: (
  texts: readonly string[],
  schema: Readonly<Record<string, MockJson>>,
) => unknown = readParameterAs;

/**
 * The mock without MSW, of the version that a document describes. `input` checks what is sent.
 * @throws {TypeError} for a document of another service
 */
export function mockOf(document: object, input: MockInput, options: MockServiceOptions): AnyMock {
  const read = document as MockDocument;
  return new MockService(operationsIn(read), problemsOf(read), input, { document, ...options });
}
