import { zodToOpenAPIRegistry } from '@asteasolutions/zod-to-openapi';
import type { Routes } from '@cspm/contract';
import { z } from 'zod';
import type { SchemaObject } from './types.ts';

/**
 * `z.json()` in the document. What zod-to-openapi makes of it says `oneOf` JSON value and null, which refuses a null
 * inside an array or an object, since that is both.
 */
export const JSON_VALUE = { description: 'Any JSON value.', example: 'allUsers' };

/** What an inventory is made of: written by Google, and so open to members that we do not know. */
export const ASSET_RECORD: SchemaObject = {
  type: 'object',
  description:
    'A record of a Cloud Asset Inventory export. Members are spelled with underscores or in camel case, whichever tool wrote them.',
  properties: {
    name: { type: 'string', description: 'The full name of the resource.' },
  },
  required: ['name'],
  additionalProperties: true,
  example: {
    name: '//storage.googleapis.com/shop-uploads',
    asset_type: 'storage.googleapis.com/Bucket',
    resource: {
      version: 'v1',
      data: { name: 'shop-uploads', location: 'EUROPE-WEST1' },
    },
  },
};

/**
 * Tells zod-to-openapi what it does not find out by itself (as of 9.1):
 * that `.meta({ id })` names a component, that a page is named by its items, that `z.json()` refers to itself, and that a pattern with flags cannot go
 * into JSON Schema, which has none. Notes only: the schemas stay as they are, and noting twice does no harm.
 *
 * @returns the schemas that have a name, each after those within it. They are to be defined in this order: where one is
 * first met as something that may also be null, zod-to-openapi makes its component so.
 */
export function annotateSchemas(contract: Record<string, Routes>): z.ZodType[] {
  const schemas: z.ZodType[] = [];
  visit(contract, new Set(), schemas);
  return schemas.filter((schema) => schema.meta()?.id !== undefined);
}

/** Finds every schema below, wherever it is: in a route, a shape, an array, a union or behind a `lazy`; inner ones first. */
function visit(node: unknown, seen: Set<unknown>, found: z.ZodType[]): void {
  if (typeof node !== 'object' || node === null || seen.has(node)) return;
  seen.add(node);
  if (!(node instanceof z.ZodType)) {
    for (const value of Object.values(node)) visit(value, seen, found);
    return;
  }
  annotate(node);
  visit(node instanceof z.ZodLazy ? node.unwrap() : node.def, seen, found);
  found.push(node);
}

function annotate(schema: z.ZodType): void {
  const refId = pageName(schema);
  if (schema.meta()?.id !== undefined) zodToOpenAPIRegistry.add(schema, {});
  else if (refId !== undefined) zodToOpenAPIRegistry.add(schema, { _internal: { refId } });
  else if (schema instanceof z.ZodLazy) {
    if (!isAnyJson(schema)) throw new Error('A recursive schema needs a name: .meta({ id }).');
    zodToOpenAPIRegistry.add(schema, { _internal: { refId: 'JsonValue' } });
  } else {
    const flagged = patternsOf(schema).find(({ flags }) => flags !== '');
    if (flagged) zodToOpenAPIRegistry.add(schema, { pattern: withoutFlags(flagged) });
  }
}

/** A page of what has a name has one too: `FindingPage`. It is recognised by its two members, whatever made it. */
function pageName(schema: z.ZodType): string | undefined {
  if (!(schema instanceof z.ZodObject)) return undefined;
  const { items, ...others } = schema.shape;
  if (!(items instanceof z.ZodArray) || Object.keys(others).join() !== 'nextCursor')
    return undefined;
  const element = items.element as z.ZodType;
  const { id } = element.meta() ?? {};
  return id === undefined ? undefined : `${id}Page`;
}

/**
 * Patterns that need a flag here, and what stands for them in a document that knows no flags and is read by many
 * regular expression engines. It may take more than the pattern does, never less.
 */
const PORTABLE_PATTERNS: Record<string, string> = {
  [/^[^\0\p{Cs}]*$/u.source]: '^[^\\x00]*$',
};

function withoutFlags(pattern: RegExp): string {
  const portable = PORTABLE_PATTERNS[pattern.source];
  if (portable === undefined) throw new Error(`${pattern} has flags: add its portable form.`);
  return portable;
}

function patternsOf(schema: z.ZodType): RegExp[] {
  return (schema.def.checks ?? []).flatMap(({ _zod: { def } }) =>
    'pattern' in def && def.pattern instanceof RegExp ? [def.pattern] : [],
  );
}

function isAnyJson(schema: z.ZodType): boolean {
  return [null, true, 0, '', [], {}].every((value) => schema.safeParse(value).success);
}
