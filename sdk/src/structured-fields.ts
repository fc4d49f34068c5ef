/** Those parameters of an item that are numbers, which are never negative here. */
export type Params = Readonly<Record<string, number>>;

/** A string or a token, its parameters, and what ends it: a comma with something behind it, or the end. */
const ITEM =
  /[ \t]*("(?:[ !#-[\]-~]|\\["\\])*"|[A-Za-z*][^\s;,"]*)((?:; *[a-z*][a-z0-9_.*-]*(?:=(?:"(?:[ !#-[\]-~]|\\["\\])*"|[^\s;,"]+))?)*)[ \t]*(?:,(?=.)|$)/y;
const PARAM = /; *([^=;]+)(?:=("(?:[^"\\]|\\.)*"|[^;]+))?/g;

/**
 * Reads a list of strings or tokens with parameters (RFC 9651 §4.2.1), as in `"default";r=57;t=42, "scans";r=8;t=12`.
 * A field with a fault is ignored as a whole, as §4.2 wants. Parameters that are not numbers are passed over.
 */
export function parseList(field: string): Map<string, Params> {
  const items = new Map<string, Params>();
  ITEM.lastIndex = 0;
  while (ITEM.lastIndex < field.length) {
    const [, name, rest = ''] = ITEM.exec(field) ?? [];
    if (!name) return new Map();
    const params: Record<string, number> = {};
    rest.replace(PARAM, (_, key: string, value: string) => {
      if (Number(value) >= 0) params[key] = Number(value);
      return '';
    });
    items.set(name.replace(/\\(.)|"/g, '$1'), params);
  }
  return items;
}
