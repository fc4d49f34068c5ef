import { zodToOpenAPIRegistry } from '@asteasolutions/zod-to-openapi';
import type { Routes } from '@cspm/contract';
import { z } from 'zod';
import type { SchemaObject } from './types.ts';

/**
 * `jsonValue` of the contract in the document.
 */
export const JSON_VALUE = { description: 'Any JSON value.', example: 'allUsers' };

/** The same where a member has its own description, so that it refers to no component. */
const INLINE_JSON_VALUE: Pick<SchemaObject, 'anyOf'> = {
  anyOf: [
    { type: 'string' },
    { type: 'number' },
    { type: 'boolean' },
    { type: 'null' },
    { type: 'array', items: { $ref: '#/components/schemas/JsonValue' } },
    { type: 'object', additionalProperties: { $ref: '#/components/schemas/JsonValue' } },
  ],
};

/** The contents of an inventory: written by Google, so unknown members are allowed. */
export const ASSET_RECORD: SchemaObject = {
  type: 'object',
  description:
    'A record of a Cloud Asset Inventory export. Members may be written in snake case or in camel case.',
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
 * Registers what zod-to-openapi does not detect by itself (as of 9.1): that `.meta({ id })` names a component, that a
 * page is named after its items, that `jsonValue` has a schema, and that JSON Schema patterns have no flags. The schemas
 * are not changed, and registering twice is harmless.
 *
 * @returns the named schemas, each after those inside it. Define them in this order: zod-to-openapi makes a component
 * nullable if it first meets it as nullable.
 */
export function annotateSchemas(
  contract: Record<string, Routes>,
  others: Readonly<Record<string, z.ZodType>> = {},
): z.ZodType[] {
  const schemas: z.ZodType[] = [];
  visit({ contract, others }, new Set(), schemas);
  return schemas.filter((schema) => schema.meta()?.id !== undefined);
}

/** Visits every schema below, in a route, a shape, an array, a union or behind a `lazy`; inner ones first. */
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
    zodToOpenAPIRegistry.add(schema.unwrap() as z.ZodType, INLINE_JSON_VALUE);
  } else {
    const flagged = patternsOf(schema).find(({ flags }) => flags !== '');
    if (flagged) zodToOpenAPIRegistry.add(schema, { pattern: withoutFlags(flagged) });
  }
}

/** A page of named items has a name too, such as `FindingPage`. It is recognized by its two members. */
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
 * Patterns with flags, and their replacements in the document, where flags do not exist and regex engines differ. A
 * replacement may accept more than the pattern, never less.
 */
const PORTABLE_PATTERNS: Record<string, string> = {
  [/^[^\0\p{Cs}]*$/u.source]: '^[^\\x00]*$',
  [/^([^\p{Cs}\p{Cc}\p{Cf}]|[\u200c\u200d])*$/u.source]: '^[^\\x00]*$',
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
