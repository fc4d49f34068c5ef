/**
 * Compiles a pattern in which `*` matches any characters, including none. The parts between the stars are searched one
 * after the other, without going back, because users write patterns.
 */
export function compileGlob(pattern: string): (text: string) => boolean {
  const [first = '', ...parts] = pattern.split(/\*+/);
  const last = parts.pop();
  if (last === undefined) return (text) => text === pattern;
  return (text) => {
    if (!text.startsWith(first)) return false;
    let at = first.length;
    for (const part of parts) {
      const found = text.indexOf(part, at);
      if (found === -1) return false;
      at = found + part.length;
    }
    return text.length - at >= last.length && text.endsWith(last);
  };
}
