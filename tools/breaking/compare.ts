import { isDeepStrictEqual } from 'node:util';
import { type Change, reportTo } from './change.ts';
import { compareApi } from './compare-api.ts';
import { comparePolicies } from './compare-policies.ts';
import { compareRequests } from './compare-requests.ts';
import { compareResponses } from './compare-responses.ts';
import { type Node, node } from './node.ts';
import { type Operation, operationsOf } from './operation.ts';

/**
 * Every change between two OpenAPI documents that callers may notice, in schemas and policies, by operation in the
 * order of the base. Descriptions and examples are ignored.
 * @param today `YYYY-MM-DD`; determines whether a removed operation had reached its sunset.
 * @throws {Error} for a reference that cannot be resolved.
 */
export function compareDocuments(base: Node, present: Node, today: string): Change[] {
  const changes: Change[] = [];
  compareApi(base, present, reportTo(changes, '*'));
  const sameParts = isDeepStrictEqual(base['components'], present['components']);
  const after = new Map(operationsOf(present).map((operation) => [operation.key, operation]));
  for (const before of operationsOf(base)) {
    const now = after.get(before.key);
    after.delete(before.key);
    if (now === undefined) tellOfRemoval(before, today, changes);
    else if (!sameParts || !isSame(before, now)) compareOperations(before, now, changes);
  }
  for (const { name } of after.values()) {
    reportTo(changes, name)('operation-added', '', 'The operation is new.');
  }
  return changes;
}

/** Strict equality, with references resolved. */
function isSame(before: Operation, now: Operation): boolean {
  return (
    before.name === now.name &&
    isDeepStrictEqual(before.operation, now.operation) &&
    isDeepStrictEqual(before.parameters, now.parameters)
  );
}

function tellOfRemoval({ name, operation }: Operation, today: string, changes: Change[]): void {
  const report = reportTo(changes, name);
  const { sunset } = node(operation['x-deprecation']);
  if (typeof sunset === 'string' && sunset <= today) {
    report('operation-retired', '', `The operation is gone, as was announced for ${sunset}.`);
  } else {
    const until = typeof sunset === 'string' ? ` before its sunset on ${sunset}` : '';
    report('operation-removed', '', `The operation is gone${until}.`);
  }
}

function compareOperations(before: Operation, now: Operation, changes: Change[]): void {
  const report = reportTo(changes, before.name);
  const [was, is] = [before.operation['operationId'], now.operation['operationId']];
  if (was !== is) report('operation-renamed', '', `The operationId was ${was} and is ${is}.`);
  comparePolicies(before, now, report);
  compareRequests(before, now, report);
  compareResponses(before, now, report);
}
