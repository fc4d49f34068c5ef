import { list, type Node, node, resolve } from './node.ts';

/** An operation with its document, in which its references are resolved. */
export interface Operation {
  readonly document: Node;
  /** `GET /scans/{id}` */
  readonly name: string;
  /** The same without the names of path parameters. */
  readonly key: string;
  readonly path: string;
  readonly operation: Node;
  /** Its own parameters and those of its path. */
  readonly parameters: readonly Node[];
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

export function operationsOf(document: Node): Operation[] {
  return Object.entries(node(document['paths'])).flatMap(([path, item]) => {
    const shared = resolve(document, item);
    return METHODS.flatMap((method) => {
      const operation = shared[method];
      if (operation === undefined) return [];
      const name = `${method.toUpperCase()} ${path}`;
      const parameters = [...list(shared['parameters']), ...list(node(operation)['parameters'])];
      return {
        document,
        name,
        key: name.replaceAll(/\{[^}]*\}/g, '{}'),
        path,
        operation: node(operation),
        parameters: parameters.map((parameter) => resolve(document, parameter)),
      };
    });
  });
}
