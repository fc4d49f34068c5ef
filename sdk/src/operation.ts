/** What the client knows of one endpoint at run time. */
export interface Operation {
  /** The method of the client, such as `scans.launch`. */
  readonly name: string;
  readonly method: string;
  /** Text and, at each odd place, the name of a path parameter. */
  readonly path: readonly string[];
  /** That count it. */
  readonly limits: readonly FixedLimit[];
  /** A letter for each trait, as in `TRAITS`. */
  readonly traits: string;
}

/**
 * What can be out of the ordinary about an operation. Of the first three it has one at most; without any, repeating it
 * repeats its effect.
 */
export const TRAITS = {
  /** Changes nothing. */
  s: 'safe',
  /** Has the effect of one, however often it is repeated. */
  n: 'natural',
  /** Takes an Idempotency-Key, and with one a repetition is answered from the record. */
  k: 'accepted',
  /** No credential is looked at, so none is sent. */
  p: 'public',
  /** A probe: outside all limits, and a refusal may be its answer. */
  u: 'probe',
  /** Answers with a page of a list. */
  l: 'list',
  /** Answers with the tokens of a session, which the client takes up. */
  t: 'tokens',
  /** Answers with text, piece by piece. */
  x: 'export',
  /** Answers with server-sent events. */
  e: 'events',
  /** Sends JSON. */
  j: 'json',
  /** Sends an inventory. */
  i: 'inventory',
} as const;

/** A limit that the contract fixes for all servers. */
export type FixedLimit = readonly [name: string, quota: number, windowSeconds: number];

/** The general limit, which counts besides every tighter one. Its quota is the operator's, so it is never assumed. */
const GENERAL: FixedLimit = ['default', Infinity, 0];

/**
 * Reads the generated table. A group is its name and, where it is not that name, the path that its operations have in
 * common; after it come its operations, each with method, traits, path and limit, as in `launch:POSTkj~!10scans`. `~`
 * stands for the common path; a path that is left out is that and the name. A limit is so many requests a minute; it is
 * named like the operation where its name is left out.
 */
export function readOperations(
  table: string,
  found: (group: string, key: string, operation: Operation) => void,
): void {
  let group = '';
  let base = '';
  for (const row of table.split(/\s/)) {
    const [key = '', method = '', traits = '', place, quota, limit] = row.split(',');
    if (/^[A-Z]/.test(method)) {
      const path = place?.replace('~', base) || `${base}/${kebab(key)}`;
      const own: FixedLimit[] = quota ? [[limit || kebab(key), Number(quota), 60]] : [];
      const limits = traits.includes('u') ? [] : [GENERAL, ...own];
      found(group, key, {
        name: `${group}.${key}`,
        method,
        path: path.split(/:(\w+)/),
        traits,
        limits,
      });
    } else {
      group = key;
      base = method || `/${kebab(key)}`;
    }
  }
}

/** `logoutAll` as `logout-all`. */
export function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
