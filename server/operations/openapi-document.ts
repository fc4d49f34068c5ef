import { readFile } from 'node:fs/promises';

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** The generated document, two folders up from here as from the bundled server. */
const FILE = new URL('../../openapi.json', import.meta.url);

let document: Promise<Record<string, Json>> | null = null;

/** Reads `openapi.json` once. */
export function openApiDocument(): Promise<Record<string, Json>> {
  document ??= readFile(FILE, 'utf8').then((text) => JSON.parse(text));
  return document;
}
