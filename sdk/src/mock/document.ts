/** The parts of the service's OpenAPI 3.1 document that a mock reads: schemas, examples and policies. */
export interface MockDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, MockJson>>;
    readonly examples: Readonly<Record<string, { readonly value: MockProblem }>>;
    readonly [part: string]: Readonly<Record<string, unknown>>;
  };
}

export type MockJson =
  | string
  | number
  | boolean
  | null
  | readonly MockJson[]
  | { readonly [name: string]: MockJson };

export interface MockProblem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  /** Further members, such as `checks`. */
  readonly [member: string]: unknown;
}

export type MockCredential = 'jwt' | 'api_key' | 'global_api_key' | 'master_key';

/** An operation with its policy from the document. */
export interface MockOperation {
  readonly id: string;
  readonly method: string;
  /** `/scans/{id}` */
  readonly path: string;
  readonly credentials: readonly MockCredential[] | 'public';
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
  readonly parameters: readonly MockParameter[];
  /** By media type. */
  readonly body: Readonly<Record<string, MockMedia>>;
  /** The successful response. */
  readonly success: {
    readonly status: number;
    readonly media: Readonly<Record<string, MockMedia>>;
  };
}

export interface MockMedia {
  readonly schema?: MockJson;
  readonly example?: MockJson;
}

export interface MockParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: { readonly [name: string]: MockJson };
}
