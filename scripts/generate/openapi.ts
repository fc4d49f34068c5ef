import { OpenApiGeneratorV31 } from '@asteasolutions/zod-to-openapi';
import { Problem, type Routes } from '@cspm/contract';
import { componentsOf, sortComponents } from './openapi/components.ts';
import { completeExamples } from './openapi/examples.ts';
import { INTRODUCTION } from './openapi/introduction.ts';
import { withNullableReferences } from './openapi/nullable-references.ts';
import { type NamedRoute, operationOf } from './openapi/operation.ts';
import { ASSET_RECORD, annotateSchemas, JSON_VALUE } from './openapi/schemas.ts';
import { SECURITY_SCHEMES } from './openapi/security.ts';
import { tagOf } from './openapi/tags.ts';
import type { Definition, OpenAPIObject, Paths } from './openapi/types.ts';

/**
 * The OpenAPI 3.1 document of a contract: a function of the contract and the version alone.
 *
 * @throws when a resource has no tag, or a route answers with a status that is also one of its problems.
 */
export function generateOpenApi(contract: Record<string, Routes>, version: string): OpenAPIObject {
  const named = annotateSchemas(contract);
  const published = publishedRoutes(contract);
  const readable = new Set(published.filter(reads).map(({ route }) => route.path));

  const definitions = [Problem, ...named].map((schema): Definition => ({ type: 'schema', schema }));
  const use = componentsOf(definitions);
  for (const each of published) {
    const hasItems = [...readable].some((path) => isItemOf(path, each.route.path));
    const route = operationOf(each, tagOf(each.resource).name, { use, hasItems });
    definitions.push({ type: 'route', route });
  }

  const { paths, components } = withNullableReferences(
    new OpenApiGeneratorV31(definitions).generateDocument({
      openapi: '3.1.0',
      info: { title: '', version },
    }),
  );
  return completeExamples({
    openapi: '3.1.0',
    info: {
      title: 'Cloud security posture API',
      version,
      description: INTRODUCTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [
      { url: '/', description: 'The plain paths' },
      { url: '/api/v1', description: 'The same under the prefix of this version' },
    ],
    tags: Object.keys(contract)
      .filter((resource) => !FOR_BROWSERS.has(resource))
      .map(tagOf),
    paths: inReadingOrder(paths ?? {}),
    components: sortComponents({
      ...components,
      schemas: { ...components?.schemas, AssetRecord: ASSET_RECORD, JsonValue: JSON_VALUE },
      securitySchemes: SECURITY_SCHEMES,
    }),
  });
}

/** An operation's own parameters before the headers that many share; zod-to-openapi puts references first. */
function inReadingOrder(paths: Paths): Paths {
  for (const { get, post, put, patch, delete: remove } of Object.values(paths)) {
    for (const operation of [get, post, put, patch, remove]) {
      operation?.parameters?.sort((a, b) => Number('$ref' in a) - Number('$ref' in b));
    }
  }
  return paths;
}

/** The routes that the document describes, in the order of the contract. */
export function publishedRoutes(contract: Record<string, Routes>): NamedRoute[] {
  return Object.entries(contract).flatMap(([resource, routes]) =>
    Object.entries(routes)
      .map(([operation, route]) => ({ resource, operation, route }))
      .filter(({ resource, route }) => !FOR_BROWSERS.has(resource) && !isAsset(route)),
  );
}

/** Pages that links in mails lead to: people open them, programs have no use for them. */
const FOR_BROWSERS: ReadonlySet<string> = new Set(['pages']);

/** Scripts and style sheets are loaded by our documentation page and are no part of the API. */
function isAsset({ responses }: NamedRoute['route']): boolean {
  return Object.values(responses).some(
    (body) =>
      typeof body === 'object' &&
      body !== null &&
      'contentType' in body &&
      /^text\/(javascript|css)\b/.test(String(body.contentType)),
  );
}

function reads({ route }: NamedRoute): boolean {
  return route.method === 'GET';
}

function isItemOf(path: string, collection: string): boolean {
  return path.startsWith(`${collection}/:`) && !path.slice(collection.length + 2).includes('/');
}
