import type { OpenApiGeneratorV31 } from '@asteasolutions/zod-to-openapi';

export type OpenAPIObject = ReturnType<OpenApiGeneratorV31['generateDocument']>;

/** The input of the generator: routes, schemas and ready-made components. */
export type Definition = Exclude<
  ConstructorParameters<typeof OpenApiGeneratorV31>[0][number],
  { def: unknown }
>;

type Reference = { $ref: string };
type ComponentsObject = NonNullable<OpenAPIObject['components']>;
type ComponentOf<K extends keyof ComponentsObject> = Exclude<
  NonNullable<ComponentsObject[K]>[string],
  Reference
>;

export type Paths = NonNullable<OpenAPIObject['paths']>;
export type ParameterObject = ComponentOf<'parameters'>;
export type HeaderObject = ComponentOf<'headers'>;
export type ResponseObject = ComponentOf<'responses'>;
export type ExampleObject = ComponentOf<'examples'>;
export type SchemaObject = ComponentOf<'schemas'>;
export type SecuritySchemeObject = ComponentOf<'securitySchemes'>;
