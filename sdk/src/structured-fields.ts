/** An item of a list: its name, with escapes unchanged, and its numeric parameters. Negative numbers do not occur. */
export interface Item {
  readonly name: string;
  readonly params: Readonly<Record<string, number>>;
}

/** A string or token, its parameters, and the comma or end after it. */
const ITEM =
  /[ \t]*(?:"((?:[ !#-[\]-~]|\\["\\])*)"|([A-Za-z*][^\s;,"]*))((?:; *[a-z*][a-z0-9_.*-]*(?:=(?:"(?:[ !#-[\]-~]|\\["\\])*"|[^\s;,"]+))?)*)[ \t]*(?:,(?=.)|$)/y;
/** A numeric parameter. Other parameters, including whole strings, are skipped. */
const PARAM = /"(?:[^"\\]|\\.)*"|; *([^=;]+)=([\d.]+)(?![^;])/g;

/**
 * Reads a list of strings or tokens with parameters (RFC 9651 §4.2.1), such as `"default";r=57;t=42, "scans";r=8;t=12`.
 * A malformed field is ignored completely, as §4.2 requires.
 */
export function parseList(field: string): Item[] {
  // Plain loops, because this runs for every response and must be fast.
  const items: Item[] = [];
  for (let at = 0; at < field.length; at = ITEM.lastIndex) {
    ITEM.lastIndex = at;
    const item = ITEM.exec(field);
    if (!item) return [];
    const [, text, token = '', rest = ''] = item;
    const params: Record<string, number> = {};
    for (const [, param, value] of rest.matchAll(PARAM)) if (param) params[param] = Number(value);
    items.push({ name: text ?? token, params });
  }
  return items;
}
