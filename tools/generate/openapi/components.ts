import type {
  Definition,
  ExampleObject,
  HeaderObject,
  OpenAPIObject,
  ParameterObject,
  ResponseObject,
} from './types.ts';

interface ComponentKinds {
  parameters: ParameterObject;
  headers: HeaderObject;
  responses: ResponseObject;
  examples: ExampleObject;
}

/** Adds a component to the document at its first use and returns a reference to it, so no component is unused. */
export type UseComponent = <K extends keyof ComponentKinds>(
  kind: K,
  name: string,
  component: ComponentKinds[K],
) => { $ref: string };

export function componentsOf(definitions: Definition[]): UseComponent {
  const used = new Set<string>();
  return (kind, name, component) => {
    const $ref = `#/components/${kind}/${name}`;
    if (!used.has($ref)) {
      used.add($ref);
      definitions.push({ type: 'component', componentType: kind, name, component });
    }
    return { $ref };
  };
}

/** In alphabetical order, so a new route does not reorder the file; empty kinds are omitted. */
export function sortComponents(
  components: OpenAPIObject['components'],
): NonNullable<OpenAPIObject['components']> {
  const kinds = Object.entries(components ?? {})
    .filter(([, members]) => Object.keys(members).length > 0)
    .map(([kind, members]) => [kind, sortKeys(members)] as const);
  return sortKeys(Object.fromEntries(kinds));
}

function sortKeys<T extends object>(object: T): T {
  // Compared by code unit, because localeCompare depends on the machine.
  const entries = Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries) as T;
}
