import type { Report } from './change.ts';
import { compareSchemas } from './compare-schemas.ts';
import { list, type Node, node } from './node.ts';

/**
 * Compares what applies to every operation: base URLs, how credentials are sent, and the shape of problem responses.
 */
export function compareApi(base: Node, present: Node, report: Report): void {
  const [addresses, newAddresses] = [addressesOf(base), addressesOf(present)];
  for (const url of addresses.filter((each) => !newAddresses.includes(each))) {
    report('server-removed', '', `The base address ${url} is gone.`);
  }
  for (const url of newAddresses.filter((each) => !addresses.includes(each))) {
    report('server-added', '', `There is the base address ${url}.`);
  }

  const [schemes, newSchemes] = [base, present].map((document) =>
    node(node(document['components'])['securitySchemes']),
  );
  for (const [name, scheme] of Object.entries(schemes ?? {})) {
    const [was, is] = [way(scheme), way(newSchemes?.[name])];
    if (was === is) continue;
    report('credential-scheme-changed', name, `It was sent as ${was}, and is as ${is}.`);
  }

  const [problem, newProblem] = [base, present].map(problemOf);
  if (problem === undefined || newProblem === undefined) return;
  compareSchemas(
    { document: base, schema: problem },
    { document: present, schema: newProblem },
    { way: 'response', place: 'every refusal', report },
  );
}

function addressesOf(document: Node): unknown[] {
  const servers = list(document['servers']);
  return servers.length === 0 ? ['/'] : servers.map((server) => node(server)['url']);
}

/** How a credential is sent. */
function way(scheme: unknown): string {
  const { type, scheme: name, in: where, name: parameter } = node(scheme);
  return [type, name, where, parameter].filter((word) => word !== undefined).join(' ') || 'nothing';
}

/** Operations share one shape of problem responses, which is compared once. */
function problemOf(document: Node): unknown {
  return node(node(document['components'])['schemas'])['Problem'];
}
