import { ExampleComposer } from './compose-example.ts';
import { textExample } from './text-examples.ts';
import type { OpenAPIObject } from './types.ts';

type Node = Record<string, unknown>;

/**
 * Adds an example to each path parameter, body, response and component of a document. Optional parameters keep theirs
 * in the schema: pages for trying out operations would otherwise fill them in.
 */
export function completeExamples(document: OpenAPIObject): OpenAPIObject {
  const completed = structuredClone(document);
  const schemas = nodeOf(completed.components?.schemas);
  const composer = new ExampleComposer(schemas);
  const received = (schema: unknown) => composer.compose(schema, 'received');

  for (const operation of operationsIn(completed)) {
    const text = (type: string) =>
      textExample(`${operation['operationId']}`, type, (name) => received(schemas[name]));
    for (const parameter of [operation['parameters']].flat().map(nodeOf)) {
      if (parameter['in'] === 'path') addExample(parameter, received(parameter['schema']));
      renameExamples(parameter['schema']);
    }
    const sent = contentsOf(operation['requestBody']);
    const answers = Object.values(nodeOf(operation['responses'])).flatMap(contentsOf);
    for (const [type, content] of sent) {
      addExample(content, text(type) ?? composer.compose(content['schema'], 'sent'));
    }
    for (const [type, content] of answers) {
      addExample(content, text(type) ?? received(content['schema']));
    }
    for (const [, content] of [...sent, ...answers]) renameExamples(content['schema']);
  }
  for (const schema of Object.values(schemas).map(nodeOf)) {
    addExample(schema, received(schema));
  }
  for (const schema of Object.values(schemas)) renameExamples(schema);
  return completed;
}

function addExample(holder: Node, example: unknown): void {
  if (example === undefined || 'examples' in holder) return;
  holder['example'] ??= example;
}

/** In schemas, an example is the only member of `examples` (JSON Schema); OpenAPI 3.1 discourages `example`. */
function renameExamples(schema: unknown): void {
  if (typeof schema !== 'object' || schema === null) return;
  const node = nodeOf(schema);
  if ('example' in node) {
    node['examples'] = [node['example']];
    delete node['example'];
  }
  const { properties, items, additionalProperties, anyOf, oneOf, allOf } = node;
  const members = Object.values(nodeOf(properties));
  const parts = [members, items, additionalProperties, anyOf, oneOf, allOf].flat();
  for (const part of parts) renameExamples(part);
}

function operationsIn({ paths, webhooks }: OpenAPIObject): Node[] {
  return [paths, webhooks].flatMap((section) =>
    Object.values(nodeOf(section)).flatMap((item) => Object.values(nodeOf(item)).map(nodeOf)),
  );
}

function contentsOf(holder: unknown): [type: string, content: Node][] {
  const contents = Object.entries(nodeOf(nodeOf(holder)['content']));
  return contents.map(([type, content]) => [type, nodeOf(content)]);
}

function nodeOf(value: unknown): Node {
  return typeof value === 'object' && value !== null ? (value as Node) : {};
}
