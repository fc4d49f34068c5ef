import type { Report } from './change.ts';
import { compareSchemas } from './compare-schemas.ts';
import { type Node, node, resolve } from './node.ts';
import type { Operation } from './operation.ts';
import { factsOf, type Placed } from './schema-facts.ts';

/**
 * Compares the successful responses: callers that could read the former ones must be able to read the new ones. Problem
 * responses are compared by their codes, because one status has several.
 */
export function compareResponses(before: Operation, now: Operation, report: Report): void {
  const [base, present] = [answersOf(before), answersOf(now)];
  for (const [status, answer] of base) {
    const next = present.get(status);
    if (next === undefined) {
      report('response-status-removed', status, `Status ${status} is no longer returned.`);
    } else {
      compareHeaders(before, now, { status, answer, next }, report);
      compareContents(before, now, { status, answer, next }, report);
    }
  }
  for (const status of present.keys()) {
    if (base.has(status)) continue;
    report('response-status-added', status, `Status ${status} may be returned.`);
  }
}

interface Answers {
  readonly status: string;
  readonly answer: Node;
  readonly next: Node;
}

function answersOf({ document, operation }: Operation): Map<string, Node> {
  const entries = Object.entries(node(operation['responses'])).map(
    ([status, answer]) => [status, resolve(document, answer)] as const,
  );
  return new Map(entries.filter(([, answer]) => !isRefusal(answer)));
}

function isRefusal(answer: Node): boolean {
  return node(answer['content'])['application/problem+json'] !== undefined;
}

function compareHeaders(
  before: Operation,
  now: Operation,
  { status, answer, next }: Answers,
  report: Report,
): void {
  const [headers, newHeaders] = [node(answer['headers']), node(next['headers'])];
  for (const [name, header] of Object.entries(headers)) {
    if (newHeaders[name] === undefined) {
      report('response-header-removed', status, `The header ${name} is no longer sent.`);
      continue;
    }
    const [was, is] = [resolve(before.document, header), resolve(now.document, newHeaders[name])];
    compareSchemas(
      { document: before.document, schema: was['schema'] },
      { document: now.document, schema: is['schema'] },
      { way: 'response', place: `${status} header ${name}`, report },
    );
  }
  for (const name of Object.keys(newHeaders).filter((each) => headers[each] === undefined)) {
    report('response-header-added', status, `It sends ${name}.`);
  }
}

function compareContents(
  before: Operation,
  now: Operation,
  { status, answer, next }: Answers,
  report: Report,
): void {
  const [contents, newContents] = [node(answer['content']), node(next['content'])];
  for (const [type, content] of Object.entries(contents)) {
    if (newContents[type] === undefined) {
      report('response-media-type-removed', status, `${type} is no longer returned.`);
      continue;
    }
    const was = { document: before.document, schema: node(content)['schema'] };
    const is = { document: now.document, schema: node(newContents[type])['schema'] };
    if (type.endsWith('+json') && isText(was) && !isText(is)) {
      report('response-media-type-described', status, `${type} is described as the parsed value.`);
      continue;
    }
    compareSchemas(was, is, { way: 'response', place: status, report });
  }
  for (const type of Object.keys(newContents).filter((each) => contents[each] === undefined)) {
    report('response-media-type-added', status, `${type} may be returned.`);
  }
}

/** Callers that got such a body parsed it: no JSON content type of ours is a single string. */
function isText(placed: Placed): boolean {
  return factsOf(placed).types?.join() === 'string';
}
