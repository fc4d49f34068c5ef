import type { Call } from './call.ts';
import type { Cspm, ProblemCodes } from './client.gen.ts';
import type { ApiError, LocalCode } from './errors.ts';
import type { Identity, Scan } from './models.gen.ts';

/** The status of a scan. */
export type ScanStatus = Scan['status'];

/** A permission of a role. */
export type Permission = Identity['permissions'][number];

/**
 * An error of one operation, named as in the OpenAPI document: `ProblemOf<'scansLaunch'>`. A `switch` over its `code`
 * accepts only codes that the operation has. Keep a `default`: a newer server can answer with others.
 */
export type ProblemOf<Operation extends keyof ProblemCodes> = Omit<ApiError, 'code'> & {
  readonly code: ProblemCodes[Operation] | LocalCode;
};

/** A call as tests fake it: a promise of the data is enough. Every call of a client is one. */
export type CallLike<T> = Promise<T> & Partial<Omit<Call<T>, keyof Promise<T>>>;

/**
 * A client as tests fake it: some of the methods, each an async function that returns the data. Every client is one.
 */
export type CspmLike = {
  readonly [Group in keyof Cspm]?: Cspm[Group] extends Method
    ? Cspm[Group]
    : { readonly [Name in keyof Cspm[Group]]?: FakeMethod<Cspm[Group][Name]> };
};

type Method = (...input: never[]) => unknown;

type FakeMethod<M> = M extends (...input: infer I) => Call<infer T>
  ? (...input: I) => CallLike<T>
  : M;
