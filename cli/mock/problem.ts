import type { Document, ProblemExample } from './document.ts';

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
const METHOD_NOT_ALLOWED: ProblemExample = {
  type: '/problems/method-not-allowed',
  title: 'The path does not take this method',
  status: 405,
  code: 'METHOD_NOT_ALLOWED',
  detail: '',
};

/** The status and title of each problem code, read from the examples of the document. */
export class ProblemCatalogue {
  readonly #byCode = new Map<string, ProblemExample>([
    [METHOD_NOT_ALLOWED.code, METHOD_NOT_ALLOWED],
  ]);

  constructor(document: Document) {
    for (const example of examplesIn(document)) {
      if (!this.#byCode.has(example.code)) this.#byCode.set(example.code, example);
    }
  }

  bodyOf(problem: Problem, correlationId: string) {
    const { type, title, status } = this.#byCode.get(problem.code) ?? {
      type: 'about:blank',
      title: problem.code,
      status: 500,
    };
    const { code, message: detail, members } = problem;
    return { type, title, status, detail, code, correlationId, ...members };
  }
}

/** Shared examples are in the components; the others are in the responses of their operation. */
function examplesIn({ components, paths }: Document): ProblemExample[] {
  const shared = Object.values(components.examples).map(({ value }) => value);
  const own: ProblemExample[] = [];
  JSON.stringify(paths, (_name, value: unknown) => {
    if (isProblemExample(value)) own.push(value);
    return value;
  });
  return [...shared, ...own];
}

function isProblemExample(value: unknown): value is ProblemExample {
  if (typeof value !== 'object' || value === null || !('code' in value) || !('type' in value)) {
    return false;
  }
  return typeof value.type === 'string' && value.type.startsWith('/problems/');
}
