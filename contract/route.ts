import { type AppRoute, ContractNoBody, initContract } from '@ts-rest/core';
import { z } from 'zod';
import type { RoutePolicy } from './policy.ts';

const c = initContract();

/** A ts-rest route of this API: it has a policy and a one-line summary, or it does not compile. */
export type Route = AppRoute & {
  readonly summary: string;
  readonly metadata: RoutePolicy;
};

/** The routes of one resource, by operation name. */
export type Routes = Record<string, Route>;

/** Declares the routes of one resource, keeping every path and status as a literal type. */
export function routes<const T extends Routes>(declared: T): T {
  return declared;
}

/** A response without a body (204). */
export const noBody: typeof ContractNoBody = ContractNoBody;

/** A response that is not JSON. Of several content types, separated by commas, the handler says which one it sends. */
export function textResponse<const T extends string>(contentType: T) {
  return c.otherResponse({ contentType, body: z.string() });
}
