/**
 * The types that openapi-typescript makes of openapi.json are those of the contract: for every operation its path, query
 * and body as they are sent, and every answer as it is received, and for each of them to the letter. Nothing here runs:
 * `tsc` is the test, and names each place that differs.
 *
 * Two differences are of the languages and are looked away from: `T | undefined` of a member that may be left out is
 * `T` there, and any JSON value is `unknown` there. An inventory is a stream, of which the contract has no type.
 */
import type { Contract, Problem, SarifLog } from '@cspm/contract';
import type { z } from 'zod';
import type { components, operations } from './types.gen.ts';

/** Compiles as long as nothing differs; else the error says what. */
export const differences: NoneOf<Differences> = 'none';

type NoneOf<Places extends string> = [Places] extends [never] ? 'none' : `differs: ${Places}`;

type Differences =
  | DifferencesOf<keyof Contract>
  | `${Exclude<keyof operations, IdsOf<keyof Contract> | Event>} is no operation of the contract`
  | IfDifferent<Problem, components['schemas']['Problem'], 'Problem'>
  | IfDifferent<z.output<typeof SarifLog>, components['schemas']['SarifLog'], 'SarifLog'>;

/** Pages, scripts and style sheets, which browsers load. */
type LeftOut = `pages${string}` | 'metaDocsScript' | 'metaDocsStyle';

/** Requests that receivers of events get. */
type Event = `on${Capitalize<string>}`;

type DifferencesOf<Resource extends keyof Contract> = {
  [R in Resource]: {
    [O in keyof Contract[R] & string]: DifferencesAt<Contract[R][O], IdOf<R, O>>;
  }[keyof Contract[R] & string];
}[Resource];

type IdOf<
  Resource extends string,
  Operation extends string,
> = `${Resource}${Capitalize<Operation>}`;

type IdsOf<Resource extends keyof Contract> = {
  [R in Resource]: IdOf<R, keyof Contract[R] & string>;
}[Resource];

type DifferencesAt<Route, Id extends string> = Id extends LeftOut
  ? never
  : Id extends keyof operations
    ?
        | IfDifferent<Sent<Route, 'pathParams'>, ParametersOf<Id, 'path'>, `${Id} path`>
        | IfDifferent<Sent<Route, 'query'>, ParametersOf<Id, 'query'>, `${Id} query`>
        | BodyDifferences<Route, Id>
        | AnswerDifferences<Route, Id>
    : `${Id} is not documented`;

type BodyDifferences<Route, Id extends keyof operations> = Id extends 'projectsUploadInventory'
  ? never
  : IfDifferent<Sent<Route, 'body'>, BodyOf<operations[Id]>, `${Id} body`>;

type AnswerDifferences<Route, Id extends keyof operations> = Route extends {
  responses: infer Responses;
}
  ? {
      [Status in keyof Responses & number]: IfDifferent<
        Received<Responses[Status]>,
        Status extends keyof operations[Id]['responses']
          ? ContentOf<operations[Id]['responses'][Status]>
          : 'missing',
        `${Id} ${Status}`
      >;
    }[keyof Responses & number]
  : never;

type IfDifferent<A, B, Place> = Equal<Plain<A>, Plain<B>> extends true ? never : Place;

type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** A part of the contract as it is sent; never: there is none. */
type Sent<Route, Part extends string> = Route extends { readonly [P in Part]: infer Schema }
  ? Schema extends z.ZodType
    ? z.input<Schema>
    : never
  : never;

type Received<Response> = Response extends z.ZodType
  ? z.output<Response>
  : Response extends { contentType: string; body: z.ZodType }
    ? string
    : never;

type ParametersOf<Id extends keyof operations, Where extends 'path' | 'query'> = NonNullable<
  operations[Id]['parameters'][Where]
>;

type BodyOf<Operation> = Operation extends { requestBody?: infer Body }
  ? ContentOf<NonNullable<Body>>
  : never;

/** SARIF is left out: the contract has its type, but not as the answer of an operation, which is streamed text. */
type ContentOf<Holder> = Holder extends { content?: infer Content }
  ? NonNullable<Content>[Exclude<keyof NonNullable<Content>, `${string}/sarif+json`>]
  : never;

/** Without what the two ways of writing types have no common word for. */
type Plain<T> = [z.core.util.JSONType] extends [T]
  ? unknown
  : T extends readonly (infer Item)[]
    ? Plain<Item>[]
    : T extends object
      ? { -readonly [K in keyof T]: Plain<Exclude<T[K], undefined>> }
      : T;
