/** An item of a list: its name, in which escapes are left as they are, and those of its parameters that are numbers, which are never negative here. */
export interface Item {
  readonly name: string;
  readonly params: Readonly<Record<string, number>>;
}

/** A string or a token, its parameters, and what ends it: a comma with something behind it, or the end. */
const ITEM =
  /[ \t]*(?:"((?:[ !#-[\]-~]|\\["\\])*)"|([A-Za-z*][^\s;,"]*))((?:; *[a-z*][a-z0-9_.*-]*(?:=(?:"(?:[ !#-[\]-~]|\\["\\])*"|[^\s;,"]+))?)*)[ \t]*(?:,(?=.)|$)/y;
/** A parameter that is a number; those that are not are passed over, strings as a whole. */
const PARAM = /"(?:[^"\\]|\\.)*"|; *([^=;]+)=([\d.]+)(?![^;])/g;

/**
 * Reads a list of strings or tokens with parameters (RFC 9651 §4.2.1), as in `"default";r=57;t=42, "scans";r=8;t=12`.
 * A field with a fault is ignored as a whole, as §4.2 wants.
 */
export function parseList(field: string): Item[] {
  // In plain loops: this is done with every response, and takes no time to speak of only so.
  const items: Item[] = [];
  for (let at = 0; at < field.length; at = ITEM.lastIndex) {
    ITEM.lastIndex = at;
    const item = ITEM.exec(field);
    if (!item) return [];
    const [, text, token = '', rest = ''] = item;
    const params: Record<string, number> = {};
    PARAM.lastIndex = 0;
    for (let param = PARAM.exec(rest); param; param = PARAM.exec(rest)) {
      if (param[1]) params[param[1]] = Number(param[2]);
    }
    items.push({ name: text ?? token, params });
  }
  return items;
}
