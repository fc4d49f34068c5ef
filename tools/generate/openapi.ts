import { OpenApiGeneratorV31 } from '@asteasolutions/zod-to-openapi';
import { Problem, type Routes, SarifLog, WEBHOOK_PAYLOADS } from '@cspm/contract';
import { codeSamples } from './openapi/code-samples.ts';
import { componentsOf, sortComponents } from './openapi/components.ts';
import { completeExamples } from './openapi/examples.ts';
import { INTRODUCTION } from './openapi/introduction.ts';
import { addLinks } from './openapi/links.ts';
import { nameBodies } from './openapi/named-bodies.ts';
import { withNullAsType } from './openapi/null-as-type.ts';
import { type NamedRoute, operationOf } from './openapi/operation.ts';
import { operationIdOf } from './openapi/operation-id.ts';
import { ProblemResponses } from './openapi/problem-responses.ts';
import { ASSET_RECORD, annotateSchemas, JSON_VALUE } from './openapi/schemas.ts';
import { SECURITY_SCHEMES } from './openapi/security.ts';
import { tagOf } from './openapi/tags.ts';
import type { Definition, OpenAPIObject, Paths } from './openapi/types.ts';
import { EVENTS_TAG, webhookOperations } from './openapi/webhooks.ts';
import { methodsOf } from './sdk-operations.ts';

/**
 * The OpenAPI 3.1 document of a contract: a pure function of the contract and the version.
 *
 * @throws when a resource has no tag, or a route has a success status that is also a problem status.
 */
export function generateOpenApi(contract: Record<string, Routes>, version: string): OpenAPIObject {
  const sendsEvents = 'webhooks' in contract;
  const named = annotateSchemas(contract, {
    Problem,
    SarifLog,
    ...(sendsEvents ? WEBHOOK_PAYLOADS : {}),
  });
  const published = publishedRoutes(contract);
  const readable = new Set(published.filter(reads).map(({ route }) => route.path));

  const definitions = named.map((schema): Definition => ({ type: 'schema', schema }));
  const use = componentsOf(definitions);
  const problems = new ProblemResponses(
    published.map(({ route }) => route),
    use,
  );
  for (const each of published) {
    const hasItems = [...readable].some((path) => isItemOf(path, each.route.path));
    const route = operationOf(each, tagOf(each.resource).name, { use, hasItems, problems });
    definitions.push({ type: 'route', route });
  }

  if (sendsEvents) {
    definitions.push(
      ...webhookOperations().map((webhook): Definition => ({ type: 'webhook', webhook })),
    );
  }

  const { paths, webhooks, components } = withNullAsType(
    new OpenApiGeneratorV31(definitions).generateDocument({
      openapi: '3.1.0',
      info: { title: '', version },
    }),
  );
  const bodies = nameBodies(paths ?? {});
  const document = completeExamples({
    openapi: '3.1.0',
    info: {
      title: 'Cloud security posture API',
      version,
      description: INTRODUCTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [
      { url: '/', description: 'The API without a version prefix' },
      { url: '/api/v1', description: 'The API under its version prefix' },
    ],
    tags: [
      ...Object.keys(contract)
        .filter((resource) => !FOR_BROWSERS.has(resource))
        .map(tagOf),
      ...(sendsEvents ? [EVENTS_TAG] : []),
    ],
    paths: inReadingOrder(paths ?? {}),
    ...(sendsEvents ? { webhooks } : {}),
    components: sortComponents({
      ...components,
      schemas: {
        ...components?.schemas,
        ...bodies,
        ...problems.schemas(components?.schemas?.['Problem']),
        AssetRecord: ASSET_RECORD,
        JsonValue: JSON_VALUE,
      },
      securitySchemes: SECURITY_SCHEMES,
    }),
  });
  addLinks(document);
  addCodeSamples(document, contract);
  return document;
}

/** Adds `x-codeSamples` to every operation, after its examples are known. */
function addCodeSamples({ paths }: OpenAPIObject, contract: Record<string, Routes>): void {
  const methods = new Map(
    methodsOf(contract).map((each) => [operationIdOf(`${each.group}.${each.name}`), each]),
  );
  for (const [path, item] of Object.entries(paths ?? {})) {
    for (const [verb, operation] of Object.entries(item)) {
      const method = methods.get(operation.operationId);
      Object.assign(operation, { 'x-codeSamples': codeSamples(path, verb, operation, method) });
    }
  }
}

/** An operation's own parameters before the shared headers; zod-to-openapi puts references first. */
function inReadingOrder(paths: Paths): Paths {
  for (const { get, post, put, patch, delete: remove } of Object.values(paths)) {
    for (const operation of [get, post, put, patch, remove]) {
      operation?.parameters?.sort((a, b) => Number('$ref' in a) - Number('$ref' in b));
    }
  }
  return paths;
}

/** The documented routes, in the order of the contract. */
export function publishedRoutes(contract: Record<string, Routes>): NamedRoute[] {
  return Object.entries(contract).flatMap(([resource, routes]) =>
    Object.entries(routes)
      .map(([operation, route]) => ({ resource, operation, route }))
      .filter(({ resource, route }) => !FOR_BROWSERS.has(resource) && !isAsset(route)),
  );
}

/** Pages for links in mails: people open them, and programs do not need them. */
const FOR_BROWSERS: ReadonlySet<string> = new Set(['pages']);

/** Scripts and style sheets belong to the documentation page, not to the API. */
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
