/** Run-time description of one endpoint. */
export interface Operation {
  /** The method of the client, such as `scans.launch`. */
  readonly name: string;
  /** Method and path, such as `GET /scans/{id}`. */
  readonly route: string;
  readonly method: string;
  /** Text and path parameters, alternating, without the first slash; odd positions are parameter names. */
  readonly path: readonly string[];
  /** The fixed limits that count it. */
  readonly counters: readonly FixedLimit[];
  readonly traits: Traits;
}

/**
 * Decodes the traits of an operation, one letter each. At most one of the first three is set. If none is set, a repeated
 * request repeats the effect.
 */
function readTraits(letters: string) {
  const has = (letter: string) => letters.includes(letter);
  return {
    /** Changes nothing. */
    safe: has('s'),
    /** Idempotent. */
    natural: has('n'),
    /** Accepts an Idempotency-Key; a repetition with the same key returns the stored response. */
    accepted: has('k'),
    /** Needs no credential, so none is sent. */
    anonymous: has('p'),
    /** A probe: not rate-limited, and an error status is a valid answer. */
    probe: has('u'),
    /** Returns a page of a list. */
    paged: has('l'),
    /** Returns session tokens, which the client stores. */
    opening: has('t'),
    /** Streams its response: events, text or bytes. */
    streamed: has('x'),
    /** The response may have any content type. A stream of it is not decoded. */
    binary: has('b'),
    /** The stream has server-sent events. */
    followed: has('e'),
    /** Sends JSON. */
    encoded: has('j'),
    /** Sends an inventory. */
    uploaded: has('i'),
    /** Opens, renews or ends a session, whose refresh token may travel in a cookie. */
    sessional: has('c'),
  };
}

/** The traits of an operation, by name. */
export type Traits = Readonly<ReturnType<typeof readTraits>>;

/** A limit that the contract fixes for all servers. */
export type FixedLimit = readonly [name: string, quota: number, windowSeconds: number];

/**
 * The general limit, which applies in addition to every tighter one. The operator sets its quota, so it is never
 * assumed.
 */
const GENERAL: FixedLimit = ['default', Infinity, 0];

/**
 * Reads the generated table. Each line is a group or one of its operations, with cells separated by commas. A group has
 * a name and, if different, the path shared by its operations: `apiKeys,/api-keys`. An operation has its name, method,
 * trait letters, path, requests per minute and the name of that limit: `launch,POST,kj,~,10,scans`, or
 * `cancel,POST,n,~/{id}^`. In a path, `~` stands for the shared path and `^` for a slash and the name in kebab case. A missing
 * path is `~^`; a missing limit name is the name.
 */
export function readOperations(
  table: string,
  found: (group: string, key: string, operation: Operation) => void,
): void {
  let group = '';
  let base = '';
  for (const row of table.split(/\s/)) {
    const [key = '', method = '', letters = '', place, quota, limit] = row.split(',');
    const segment = `/${kebab(key)}`;
    if (/^[A-Z]/.test(method)) {
      const path = (place || '~^').replace('~', base).replace('^', segment);
      const own: FixedLimit[] = quota ? [[limit || kebab(key), Number(quota), 60]] : [];
      found(group, key, operationOf(`${group}.${key}`, `${method} ${path}`, letters, own));
    } else {
      group = key;
      base = method || segment;
    }
  }
}

/**
 * An operation that is not in the table, such as one of a newer service: `GET /things/{id}`. Only a GET is retried; other
 * methods send their input as JSON. The response may have any content type.
 */
export function unknownOperation(route: string): Operation {
  return operationOf(route, route, /^GET/.test(route) ? 'sb' : 'jb');
}

function operationOf(
  name: string,
  route: string,
  letters: string,
  own: readonly FixedLimit[] = [],
): Operation {
  const [method = '', path = ''] = route.split(/ \/?/);
  const traits = readTraits(letters);
  const counters = traits.probe ? [] : [GENERAL, ...own];
  return { name, route, method, path: path.split(/[{}]/), traits, counters };
}

/** Converts `logoutAll` to `logout-all`. */
export function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
