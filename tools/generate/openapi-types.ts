import openapiTS, { astToString } from 'openapi-typescript';
import type { OpenAPIObject } from './openapi/types.ts';

/**
 * The TypeScript types that openapi-typescript generates from a document, without comments; they are compared with the
 * types of the contract.
 */
export async function generateOpenApiTypes(document: OpenAPIObject): Promise<string> {
  const types = await openapiTS(JSON.stringify(withoutWords(document)), {
    // A sender may omit members with a default.
    defaultNonNullable: false,
    silent: true,
  });
  return `// Generated from openapi.json by \`npm run generate\`. Do not edit.\n\n${astToString(types)}`;
}

const WORDS: ReadonlySet<string> = new Set(['description', 'summary', 'example', 'examples']);

/** Comments would make up three quarters of the file. */
function withoutWords(node: unknown, areNames = false): unknown {
  if (Array.isArray(node)) return node.map((item) => withoutWords(item));
  if (typeof node !== 'object' || node === null) return node;
  const members = Object.entries(node).filter(([key]) => areNames || !WORDS.has(key));
  // Below `properties` are member names, and `description` may be one of them.
  return Object.fromEntries(
    members.map(([key, value]) => [key, withoutWords(value, !areNames && key === 'properties')]),
  );
}
