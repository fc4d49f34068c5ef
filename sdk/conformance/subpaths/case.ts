import { type LoopbackServer, startServer } from '../server.ts';
import type { Parts } from './parts.ts';

export const SUBPATHS = [
  'session',
  'react-query',
  'testing',
  'schemas',
  'upload',
  'webhooks',
] as const;

/** What a subpath must do, as a case of the client itself is for the core. */
export interface SubpathCase {
  /** Never changes and is never reused. */
  readonly id: string;
  readonly subpath: (typeof SUBPATHS)[number];
  /** The guarantee, as the end of "The subpath …". */
  readonly title: string;
  /** Rejects where the guarantee does not hold. */
  run(parts: Parts, server: LoopbackServer): Promise<void>;
}

/** @returns why the case fails; undefined: it passes. */
export async function failureIn(one: SubpathCase, parts: Parts): Promise<string | undefined> {
  const server = await startServer();
  try {
    await one.run(parts, server);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    await server.close();
  }
}
