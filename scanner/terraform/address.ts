/** One step of a Terraform address: a name, and the key of the instance if it has `count` or `for_each`. */
export interface AddressStep {
  readonly name: string;
  /** `0` as in `[0]`, `a` as in `["a"]`; null without an index. */
  readonly key: string | null;
}

const NAME = /[\w-]+/y;
const NUMBER = /\[(\d+)\]/y;
const STRING = /\["((?:[^"\\]|\\.)*)"\]/y;

/**
 * Parses an address such as `module.net["eu"].google_compute_firewall.ssh[0]`, or a reference such as
 * `google_storage_bucket.logs["a"].name`. Keys are returned as written, without unescaping. Null for anything else,
 * such as an index that is an expression.
 */
export function parseAddress(address: string): readonly AddressStep[] | null {
  const steps: { name: string; key: string | null }[] = [];
  let at = 0;
  while (at < address.length) {
    if (at > 0 && address[at] !== '.') return null;
    NAME.lastIndex = at === 0 ? 0 : at + 1;
    const name = NAME.exec(address)?.[0];
    if (name === undefined) return null;
    at = NAME.lastIndex;
    let key: string | null = null;
    // What follows the first index of an attribute is part of its value, not of an address.
    for (;;) {
      const index = indexAt(address, at);
      if (index === null) break;
      key ??= index.key;
      at = index.end;
    }
    steps.push({ name, key });
  }
  return steps;
}

function indexAt(address: string, at: number): { key: string; end: number } | null {
  if (address[at] !== '[') return null;
  for (const pattern of [NUMBER, STRING]) {
    pattern.lastIndex = at;
    const key = pattern.exec(address)?.[1];
    if (key !== undefined) return { key, end: pattern.lastIndex };
  }
  return null;
}
