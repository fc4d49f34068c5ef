/** The values of a query string. A name that occurs once has a string, a name that is repeated a list. */
export type RawSearch = Record<string, unknown>;

/** Reads `a=1&b=2&b=3` as `{ a: '1', b: ['2', '3'] }`. Numbers and booleans stay strings. */
export function parseSearch(query: string): RawSearch {
  const found = new Map<string, string | string[]>();
  for (const [name, value] of new URLSearchParams(query)) {
    const before = found.get(name);
    found.set(name, before === undefined ? value : [before, value].flat());
  }
  return Object.fromEntries(found);
}

/** Writes what `parseSearch` reads. Undefined values and empty lists are left out. */
export function stringifySearch(search: RawSearch): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null && one !== '') params.append(name, String(one));
    }
  }
  const text = params.toString();
  return text === '' ? '' : `?${text}`;
}

const LONGEST_TEXT = 2048;

/** Longer lists get a field to search them. */
export const SEARCHED_ABOVE = 10;

/** The least that the API takes of any list in a query. */
export const LONGEST_LIST = 20;
/** The name of a project, as `contract/text.ts` allows it. */
export const PROJECT_NAME = /^[a-z0-9][a-z0-9._-]{0,62}$/;

/** A text from the address; anything else counts as missing. */
export function textParam(value: unknown, longest = LONGEST_TEXT): string | undefined {
  return typeof value === 'string' && value !== '' ? value.slice(0, longest) : undefined;
}

/** A list of texts from the address, without repetitions. */
export function listParam(value: unknown): readonly string[] | undefined {
  const texts = (Array.isArray(value) ? value : [value]).flatMap((one) => textParam(one) ?? []);
  return texts.length === 0 ? undefined : [...new Set(texts)].slice(0, LONGEST_LIST);
}

/** One of the known values; anything else counts as missing. */
export function choiceParam<T extends string>(value: unknown, known: readonly T[]): T | undefined {
  return known.find((one) => one === value);
}

/** The known values of a list, in their own order. */
export function choicesParam<T extends string>(
  value: unknown,
  known: readonly T[],
): readonly T[] | undefined {
  const given = listParam(value) ?? [];
  const found = known.filter((one) => given.includes(one));
  return found.length === 0 ? undefined : found;
}
