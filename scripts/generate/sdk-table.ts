import { LIMITS } from '@cspm/contract';
import { kebab, type TRAITS } from '../../sdk/src/operation.ts';
import type { Method } from './sdk-operations.ts';
import { metaOf } from './sdk-types.ts';

/**
 * The line of a group in the table that the client reads at run time, as `readOperations` wants it.
 * @throws {Error} for an operation that the table has no words for.
 */
export function tableLine(group: string, methods: readonly Method[]): string {
  const usual = `/${kebab(group)}`;
  const bases = new Set([usual, ...methods.flatMap(({ route }) => prefixes(route.path))]);
  const lines = Array.from(bases, (base) =>
    [base === usual ? group : `${group},${base}`, ...methods.map((one) => row(one, base))].join(
      ' ',
    ),
  );
  return lines.reduce((shortest, line) => (line.length < shortest.length ? line : shortest));
}

/** The paths above a path, itself included, that hold no parameter. */
function prefixes(path: string): string[] {
  const segments = path.split('/').slice(1);
  const fixed = segments.findIndex((segment) => segment.startsWith(':'));
  const count = fixed < 0 ? segments.length : fixed;
  return Array.from({ length: count }, (_, at) => `/${segments.slice(0, at + 1).join('/')}`);
}

/** Name, method, traits, path and limit; what is left out at the end is left off. */
function row(method: Method, base: string): string {
  const { group, name, route } = method;
  const { path } = route;
  const rest = path.startsWith(`${base}/`) || path === base ? `~${path.slice(base.length)}` : path;
  const place = path === `${base}/${kebab(name)}` ? '' : rest;
  const cells = [name, route.method, traitsOf(method).join(''), place, ...limitOf(method)];
  const text = cells.join(',').replace(/,+$/, '');
  if (path.includes('~') || !/^[\w,~/:.-]+$/.test(text)) {
    throw new Error(`${group}.${name}: the table cannot hold "${text}"`);
  }
  return text;
}

/** Requests a minute, and the name where it is not that of the operation. */
function limitOf({ group, name, route }: Method): (string | number)[] {
  const { limit } = route.metadata;
  if (limit === 'default' || limit === 'none') return [];
  const { quota, windowSeconds } = LIMITS[limit];
  if (windowSeconds !== 60) {
    throw new Error(`${group}.${name}: the table holds limits per minute, and no others`);
  }
  return limit === kebab(name) ? [quota] : [quota, limit];
}

type Trait = keyof typeof TRAITS;

const REPETITION: Readonly<Record<Method['route']['metadata']['idempotency'], Trait | ''>> = {
  safe: 's',
  natural: 'n',
  accepted: 'k',
  none: '',
};

function traitsOf({ route, upload, item, result, stream }: Method): Trait[] {
  const { idempotency, credentials, limit } = route.metadata;
  const traits: readonly (Trait | '' | false | undefined)[] = [
    REPETITION[idempotency],
    credentials === 'public' && 'p',
    limit === 'none' && 'u',
    item && 'l',
    result && !stream && metaOf(result).id === 'Tokens' && 't',
    stream === 'text' && 'x',
    stream === 'events' && 'e',
    route.metadata.body === 'json' && 'j',
    upload && 'i',
  ];
  return traits.filter((trait) => !!trait);
}
