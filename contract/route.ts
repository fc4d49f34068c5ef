import { type AppRoute, ContractNoBody, initContract } from '@ts-rest/core';
import { z } from 'zod';
import type { RoutePolicy } from './policy.ts';

const c = initContract();

/** A ts-rest route of this API. The policy and the one-line summary are required at compile time. */
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

/** A response that is not JSON. If it lists several content types, separated by commas, the handler chooses one. */
export function textResponse<const T extends string>(contentType: T) {
  return c.otherResponse({ contentType, body: z.string() });
}
