import { LIMITS } from '@cspm/contract';
import { kebab, type Traits } from '../../sdk/src/operation.ts';
import type { Method } from './sdk-operations.ts';
import { metaOf } from './sdk-types.ts';

/**
 * The line of a group in the table that the client reads at run time, in the format of `readOperations`.
 * @throws {Error} for an operation that the format cannot express.
 */
export function tableLine(group: string, methods: readonly Method[]): string {
  const usual = `/${kebab(group)}`;
  const paths = methods.map(({ route }) => pathOf(route));
  const isShared = (base: string) => paths.every((path) => `${path}/`.startsWith(`${base}/`));
  // A base with a parameter that some paths lack makes the table shorter, but larger when it is compressed.
  const bases = new Set([
    usual,
    ...paths.flatMap(prefixes).filter((base) => !base.includes('{') || isShared(base)),
  ]);
  const lines = Array.from(bases, (base) =>
    [base === usual ? group : `${group},${base}`, ...methods.map((one) => row(one, base))].join(
      ' ',
    ),
  );
  return lines.reduce((shortest, line) => (line.length < shortest.length ? line : shortest));
}

/** The path with its parameters in braces. */
function pathOf({ path }: Method['route']): string {
  return path.replaceAll(/:(\w+)/g, '{$1}');
}

/** The prefixes of a path, including itself. */
function prefixes(path: string): string[] {
  const segments = path.split('/').slice(1);
  return segments.map((_, at) => `/${segments.slice(0, at + 1).join('/')}`);
}

/** Name, method, traits, path and limit; empty trailing fields are omitted. */
function row(method: Method, base: string): string {
  const { group, name, route } = method;
  const path = pathOf(route);
  const rest = path.startsWith(`${base}/`) || path === base ? `~${path.slice(base.length)}` : path;
  const segment = `/${kebab(name)}`;
  const short = rest.endsWith(segment) ? `${rest.slice(0, -segment.length)}^` : rest;
  const place = short === '~^' ? '' : short;
  const cells = [name, route.method, lettersOf(method), place, ...limitOf(method)];
  const text = cells.join(',').replace(/,+$/, '');
  if (/[~^]/.test(path) || !/^[\w,~^/{}.-]+$/.test(text)) {
    throw new Error(`${group}.${name}: the table cannot hold "${text}"`);
  }
  return text;
}

/** Requests per minute, and the limit's name if it differs from the operation's. */
function limitOf({ group, name, route }: Method): (string | number)[] {
  const { limit } = route.metadata;
  if (limit === 'default' || limit === 'none') return [];
  const { quota, windowSeconds } = LIMITS[limit];
  if (windowSeconds !== 60) {
    throw new Error(`${group}.${name}: the table holds limits per minute, and no others`);
  }
  return limit === kebab(name) ? [quota] : [quota, limit];
}

/** The letter of each trait in the table. */
const LETTERS: Readonly<Record<keyof Traits, string>> = {
  safe: 's',
  natural: 'n',
  accepted: 'k',
  anonymous: 'p',
  probe: 'u',
  paged: 'l',
  opening: 't',
  streamed: 'x',
  binary: 'b',
  followed: 'e',
  encoded: 'j',
  uploaded: 'i',
  sessional: 'c',
};

function lettersOf({ route, upload, item, result, stream }: Method): string {
  const { idempotency, credentials, limit, body, sessionTransport } = route.metadata;
  const traits: readonly (keyof Traits | false | undefined)[] = [
    idempotency !== 'none' && idempotency,
    credentials === 'public' && 'anonymous',
    limit === 'none' && 'probe',
    item && 'paged',
    result && !stream && metaOf(result).id === 'Tokens' && 'opening',
    stream && 'streamed',
    stream === 'bytes' && 'binary',
    stream === 'events' && 'followed',
    body === 'json' && 'encoded',
    upload && 'uploaded',
    sessionTransport && 'sessional',
  ];
  return traits.map((trait) => (trait ? LETTERS[trait] : '')).join('');
}
