import { RELATED, type Relation } from './related.ts';
import type { OpenAPIObject } from './types.ts';

type Node = Record<string, unknown>;

interface Operation {
  readonly id: string;
  readonly path: string;
  readonly method: string;
  readonly parameters: readonly Node[];
  readonly responses: Node;
}

/** A resource in a response: the whole, or the first item of a page. */
interface Subject {
  /** The name of its schema component. */
  readonly name: string | undefined;
  readonly members: Node;
  /** The path of the resource in the response, with a slash at the end. */
  readonly place: '' | 'items/0/';
}

type Link = [name: string, link: Node];

/**
 * Adds links to responses: which of their values other operations take.
 *
 * - The responses of a collection (`POST /scans`, `GET /scans`) link to the operations on its items (`/scans/{id}/…`).
 * - A page links to the next one.
 * - Other members that name a resource are declared in `RELATED`.
 */
export function addLinks(document: OpenAPIObject): void {
  const operations = operationsOf(document);
  for (const source of operations) {
    for (const [status, response] of Object.entries(source.responses)) {
      const schema = nodeOf(jsonSchemaOf(response));
      if (!status.startsWith('2') || Object.keys(schema).length === 0) continue;
      const subject = subjectOf(schema, document);
      const links = [
        ...nextPageLinks(source, membersOf(schema, document)),
        ...itemLinks(source, subject, operations),
        ...relatedLinks(source, subject, operations),
      ];
      if (links.length > 0) nodeOf(response)['links'] = Object.fromEntries(links);
    }
  }
}

function nextPageLinks({ id, parameters }: Operation, members: Node): Link[] {
  // A list that is always one page takes no cursor.
  if (!('nextCursor' in members && parameters.some((each) => each['name'] === 'cursor'))) return [];
  // A cursor belongs to one list with one set of filters.
  const same = parameters
    .filter((each) => each['in'] === 'path' || each['in'] === 'query')
    .map((each) => [`${each['name']}`, `$request.${each['in']}.${each['name']}`]);
  const link = {
    operationId: id,
    parameters: { ...Object.fromEntries(same), cursor: '$response.body#/nextCursor' },
    description: 'The next page, with the same filters. There is none if `nextCursor` is null.',
  };
  return [['nextPage', link]];
}

function itemLinks(source: Operation, subject: Subject, operations: readonly Operation[]): Link[] {
  return operations.flatMap((target): Link[] => {
    if (!target.path.startsWith(`${source.path}/{`)) return [];
    const [parameter = '', ...others] = namesIn(target.path.slice(source.path.length));
    // An operation with more parameters in its path needs more than the item.
    if (!(parameter in subject.members) || others.length > 0) return [];
    return [linkTo(target, source, subject, { parameters: { [parameter]: parameter } })];
  });
}

function relatedLinks(
  source: Operation,
  subject: Subject,
  operations: readonly Operation[],
): Link[] {
  const relations = RELATED[subject.name ?? ''] ?? {};
  return operations.flatMap((target): Link[] => {
    const relation = relations[target.id];
    if (relation === undefined || target.id === source.id) return [];
    return [linkTo(target, source, subject, relation)];
  });
}

function linkTo(
  target: Operation,
  source: Operation,
  { place }: Subject,
  { parameters }: Relation,
): Link {
  const shared = namesIn(target.path).filter(
    (name) => !(name in parameters) && namesIn(source.path).includes(name),
  );
  const expressions = Object.entries(parameters).map(([name, value]) => [
    name,
    value.startsWith('$') ? value : `$response.body#/${place}${value}`,
  ]);
  const link = {
    operationId: target.id,
    parameters: Object.fromEntries([
      ...shared.map((name) => [name, `$request.path.${name}`]),
      ...expressions,
    ]),
    description: describe(target, parameters, place),
  };
  return [target.id, link];
}

function describe(
  { method, path }: Operation,
  parameters: Readonly<Record<string, string>>,
  place: Subject['place'],
): string {
  const of = place === '' ? '' : ' of an item';
  const values = Object.entries(parameters).map(([name, value]) => {
    const isRequest = value.startsWith('$');
    const member = value.replace(/^\$request\.path\./, '').replaceAll('/', '.');
    return `\`${member}\`${isRequest ? ' of the request' : of} as \`${name}\``;
  });
  return `\`${method.toUpperCase()} ${path}\` takes ${values.join(' and ')}.`;
}

function operationsOf(document: OpenAPIObject): Operation[] {
  return Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]): Operation => {
      const node = nodeOf(operation);
      const parameters = [node['parameters'] ?? []].flat();
      return {
        id: `${node['operationId']}`,
        path,
        method,
        parameters: parameters.map((each) => resolved(each, document)),
        responses: nodeOf(node['responses']),
      };
    }),
  );
}

function subjectOf(schema: Node, document: OpenAPIObject): Subject {
  const members = membersOf(schema, document);
  const isPage = Object.keys(members).toSorted().join() === 'items,nextCursor';
  if (!isPage) return { name: nameOf(schema), members, place: '' };
  const item = nodeOf(nodeOf(members['items'])['items']);
  return { name: nameOf(item), members: membersOf(item, document), place: 'items/0/' };
}

function membersOf(schema: Node, document: OpenAPIObject): Node {
  return nodeOf(resolved(schema, document)['properties']);
}

function jsonSchemaOf(response: unknown): unknown {
  return nodeOf(nodeOf(nodeOf(response)['content'])['application/json'])['schema'];
}

function resolved(node: unknown, document: OpenAPIObject): Node {
  const { $ref } = nodeOf(node);
  if (typeof $ref !== 'string') return nodeOf(node);
  const [, ...names] = $ref.split('/');
  return resolved(
    names.reduce((at: unknown, name) => nodeOf(at)[name], document),
    document,
  );
}

function nameOf({ $ref }: Node): string | undefined {
  return typeof $ref === 'string' ? $ref.split('/').at(-1) : undefined;
}

/** The names of the parameters in a path. */
function namesIn(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}

function nodeOf(value: unknown): Node {
  return typeof value === 'object' && value !== null ? (value as Node) : {};
}
