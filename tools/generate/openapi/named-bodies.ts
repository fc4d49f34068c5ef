import type { Paths } from './types.ts';

/** Generators make one type for a named schema, and a nameless one for each schema that has more members than this. */
const MAX_MEMBERS = 2;

type Schema = Record<string, unknown>;

/** Replaces the bodies of operations by references, and returns the schemas by name, such as `SchedulesCreateBody`. */
export function nameBodies(paths: Paths): Record<string, Schema> {
  const named: Record<string, Schema> = {};
  for (const [path, item] of Object.entries(paths)) {
    for (const method of ['post', 'put', 'patch'] as const) {
      const operation = item[method];
      const content = (operation?.requestBody as { content?: Content } | undefined)?.content;
      const [body] = Object.values(content ?? {});
      const schema = body?.schema;
      if (!body || !schema || Object.keys(schema['properties'] ?? {}).length <= MAX_MEMBERS)
        continue;
      const id = operation?.operationId ?? '';
      const name = `${id.charAt(0).toUpperCase()}${id.slice(1)}Body`;
      named[name] = { description: `What \`${method.toUpperCase()} ${path}\` takes.`, ...schema };
      body.schema = { $ref: `#/components/schemas/${name}` };
    }
  }
  return named;
}

type Content = Record<string, { schema?: Schema }>;
