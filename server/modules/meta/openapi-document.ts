import { readFile } from 'node:fs/promises';
import { ROOT } from '../../platform/root.ts';

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** The generated document, two folders above this file and above the bundled server. */
const FILE = new URL('openapi.json', ROOT);

let document: Promise<Record<string, Json>> | null = null;

/** Reads `openapi.json` once. */
export function openApiDocument(): Promise<Record<string, Json>> {
  document ??= readFile(FILE, 'utf8').then((text) => JSON.parse(text));
  return document;
}
