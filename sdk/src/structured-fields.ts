/** An item of a list: its name, and those of its parameters that are numbers, which are never negative here. */
export interface Item {
  readonly name: string;
  readonly params: Readonly<Record<string, number>>;
}

/** A string or a token, its parameters, and what ends it: a comma with something behind it, or the end. */
const ITEM =
  /[ \t]*(?:"((?:[ !#-[\]-~]|\\["\\])*)"|([A-Za-z*][^\s;,"]*))((?:; *[a-z*][a-z0-9_.*-]*(?:=(?:"(?:[ !#-[\]-~]|\\["\\])*"|[^\s;,"]+))?)*)[ \t]*(?:,(?=.)|$)/y;
const PARAM = /; *([^=;]+)(?:=("(?:[^"\\]|\\.)*"|[^;]+))?/g;

/**
 * Reads a list of strings or tokens with parameters (RFC 9651 §4.2.1), as in `"default";r=57;t=42, "scans";r=8;t=12`.
 * A field with a fault is ignored as a whole, as §4.2 wants. Parameters that are not numbers are passed over.
 */
export function parseList(field: string): Item[] {
  const items: Item[] = [];
  ITEM.lastIndex = 0;
  while (ITEM.lastIndex < field.length) {
    const match = ITEM.exec(field);
    if (!match) return [];
    const [, text, token = '', rest = ''] = match;
    const params: Record<string, number> = {};
    for (const [, key = '', value] of rest.matchAll(PARAM)) {
      if (Number(value) >= 0) params[key] = Number(value);
    }
    items.push({ name: text?.replace(/\\(.)/g, '$1') ?? token, params });
  }
  return items;
}
