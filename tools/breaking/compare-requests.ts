import type { Report } from './change.ts';
import { compareSchemas } from './compare-schemas.ts';
import { type Node, node, resolve } from './node.ts';
import type { Operation } from './operation.ts';

/** Compares what callers may send and must send. Requests that were accepted must still be accepted. */
export function compareRequests(before: Operation, now: Operation, report: Report): void {
  comparePath(before, now, report);
  const [base, present] = [othersOf(before), othersOf(now)];
  for (const [key, { place, parameter }] of base) {
    const next = present.get(key)?.parameter;
    if (next === undefined) {
      report('request-parameter-removed', place, `The ${place} is no longer accepted.`);
    } else {
      compareParameters({ before, now, place }, parameter, next, report);
    }
  }
  for (const [key, { place, parameter }] of present) {
    if (base.has(key)) continue;
    if (parameter['required'] === true) {
      report('request-parameter-required', place, `The ${place} is required.`);
    } else {
      report('request-parameter-added', place, `The ${place} is optional.`);
    }
  }
  compareBodies(before, now, report);
}

interface Place {
  readonly before: Operation;
  readonly now: Operation;
  readonly place: string;
}

/** Path parameters are matched by position, because their names are not part of the URL. */
function comparePath(before: Operation, now: Operation, report: Report): void {
  const names = [...before.path.matchAll(/\{([^}]*)\}/g)].map(([, name = '']) => name);
  const newNames = [...now.path.matchAll(/\{([^}]*)\}/g)].map(([, name = '']) => name);
  names.forEach((name, index) => {
    const newName = newNames[index] ?? name;
    const place = `path parameter ${name}`;
    if (newName !== name) {
      report('path-parameter-renamed', place, `The ${place} is now called ${newName}.`);
    }
    const [base, present] = [inPath(before, name), inPath(now, newName)];
    compareParameters({ before, now, place }, base, present, report);
  });
}

function inPath({ parameters }: Operation, name: string): Node {
  return parameters.find((each) => each['in'] === 'path' && each['name'] === name) ?? {};
}

function othersOf({ parameters }: Operation): Map<string, { place: string; parameter: Node }> {
  return new Map(
    parameters
      .filter((parameter) => parameter['in'] !== 'path')
      .map((parameter) => {
        const { in: where, name } = parameter;
        const place = `${where} parameter ${name}`;
        // Header names ignore letter case.
        return [where === 'header' ? place.toLowerCase() : place, { place, parameter }];
      }),
  );
}

function compareParameters(
  { before, now, place }: Place,
  base: Node,
  present: Node,
  report: Report,
): void {
  const [was, is] = [base['required'] === true, present['required'] === true];
  if (is && !was) report('request-parameter-required', place, `The ${place} is now required.`);
  if (was && !is) report('request-parameter-optional', place, `The ${place} is now optional.`);
  if (serialization(base) !== serialization(present)) {
    const message = `The ${place} is serialized differently: ${serialization(present)}.`;
    report('request-serialization-changed', place, message);
  }
  compareSchemas(
    { document: before.document, schema: base['schema'] },
    { document: now.document, schema: present['schema'] },
    { way: 'request', place, report },
  );
}

/** Applies the defaults of OpenAPI (3.1 §4.8.12). */
function serialization({ in: where, style, explode }: Node): string {
  const usual = where === 'query' || where === 'cookie' ? 'form' : 'simple';
  const used = style ?? usual;
  return `style ${used}, explode ${explode ?? used === 'form'}`;
}

function compareBodies(before: Operation, now: Operation, report: Report): void {
  const [base, present] = [before, now].map(({ document, operation }) =>
    operation['requestBody'] === undefined
      ? undefined
      : resolve(document, operation['requestBody']),
  );
  const place = 'body';
  const [was, is] = [base?.['required'] === true, present?.['required'] === true];
  if (base !== undefined && present === undefined) {
    report('request-body-removed', place, 'A body is no longer accepted.');
  } else if (is && !was) {
    report('request-body-required', place, 'A body is now required.');
  } else if (was && !is) {
    report('request-body-optional', place, 'The body is now optional.');
  } else if (base === undefined && present !== undefined) {
    report('request-body-added', place, 'A body is now accepted.');
  }
  if (base === undefined || present === undefined) return;
  const [contents, newContents] = [node(base['content']), node(present['content'])];
  for (const [type, content] of Object.entries(contents)) {
    if (newContents[type] === undefined) {
      report('request-media-type-removed', place, `${type} is no longer accepted.`);
      continue;
    }
    compareSchemas(
      { document: before.document, schema: node(content)['schema'] },
      { document: now.document, schema: node(newContents[type])['schema'] },
      { way: 'request', place, report },
    );
  }
  for (const type of Object.keys(newContents).filter((each) => contents[each] === undefined)) {
    report('request-media-type-added', place, `${type} is also accepted.`);
  }
}
