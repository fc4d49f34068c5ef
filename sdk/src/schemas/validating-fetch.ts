import type { z } from 'zod';
import { ANSWERS } from './answers.gen.ts';

const MAX_ISSUES = 5;

/**
 * A fetch that replaces a JSON answer that does not match its schema by one that the client cannot read. The client then
 * ends the call with its error for that, which has the reason in its message.
 */
export function validatingFetch(
  baseUrl: string | URL,
  given?: typeof globalThis.fetch,
): typeof globalThis.fetch {
  const { pathname } = new URL(baseUrl, globalThis.location?.href);
  const base = pathname.replace(/\/+$/, '');
  const answers = Object.entries(ANSWERS)
    // Fixed segments come before parameters: /findings/summary is no finding.
    .toSorted(([a], [b]) => a.split('{').length - b.split('{').length)
    .map(([route, schema]) => [patternOf(route), schema] as const);
  return async (input, init) => {
    const { fetch = globalThis.fetch } = { ...(given && { fetch: given }) };
    const response = await fetch(input, init);
    const path = new URL(String(input)).pathname.slice(base.length);
    const route = `${init?.method ?? 'GET'} ${path}`;
    const schema = answers.find(([pattern]) => pattern.test(route))?.[1]();
    if (!schema || !response.ok) return response;
    const text = await response.text();
    const issues = issuesOf(schema, text);
    const { status, headers } = response;
    if (issues.length === 0) return new Response(text, response);
    const reason = `The answer to ${route} does not match its schema: ${issues.join('; ')}`;
    return new Response(`${reason}\n${text}`, { status, headers, statusText: printable(reason) });
  };
}

/** `GET /projects/{name}` as a pattern for a method and a path. */
function patternOf(route: string): RegExp {
  const text = route.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+');
  return new RegExp(`^${text}$`);
}

function issuesOf(schema: z.ZodType, text: string): string[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The client reports it.
    return [];
  }
  const { error } = schema.safeParse(value);
  return (error?.issues ?? [])
    .slice(0, MAX_ISSUES)
    .map(({ path, message }) => `${path.join('.') || 'the whole'}: ${message}`);
}

/** A status text takes visible ASCII characters and spaces. */
function printable(text: string): string {
  return text.replaceAll(/[^ -~]/g, '?').slice(0, 500);
}
