import type { MockProblem } from './document.ts';

/** An error response (RFC 9457). */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly code: string;
  readonly members: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: string,
    detail: string,
    extra: {
      readonly members?: Readonly<Record<string, unknown>>;
      readonly headers?: Readonly<Record<string, string>>;
    } = {},
  ) {
    super(detail);
    this.code = code;
    this.members = extra.members ?? {};
    this.headers = extra.headers ?? {};
  }
}

/** No operation declares this problem, so the document has no example of it. */
const METHOD_NOT_ALLOWED: MockProblem = {
  type: '/problems/method-not-allowed',
  title: 'The path does not take this method',
  status: 405,
  code: 'METHOD_NOT_ALLOWED',
  detail: '',
};

/** The status and title of each problem code. */
export class ProblemCatalogue {
  readonly #byCode = new Map<string, MockProblem>([[METHOD_NOT_ALLOWED.code, METHOD_NOT_ALLOWED]]);

  constructor(problems: readonly MockProblem[]) {
    for (const problem of problems) {
      if (!this.#byCode.has(problem.code)) this.#byCode.set(problem.code, problem);
    }
  }

  /** The example of a problem, to be answered. @throws {TypeError} for a code that the document does not have */
  exampleOf(
    code: string,
    members: Readonly<Record<string, unknown>>,
    headers: Readonly<Record<string, string>>,
  ): Problem {
    const example = this.#byCode.get(code);
    if (example === undefined) throw new TypeError(`The document has no problem ${code}.`);
    const { type: _, title: _title, status: _status, detail, ...own } = example;
    return new Problem(code, detail, { members: { ...own, ...members }, headers });
  }

  bodyOf(problem: Problem, correlationId: string): { readonly status: number } {
    const { type, title, status } = this.#byCode.get(problem.code) ?? {
      type: 'about:blank',
      title: problem.code,
      status: 500,
    };
    const { code, message: detail, members } = problem;
    return { type, title, status, detail, ...members, code, correlationId } as { status: number };
  }
}
