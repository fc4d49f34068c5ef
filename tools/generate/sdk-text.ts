/** Maximum line width of generated code. */
const WIDTH = 110;

/** A doc comment at an indentation, each paragraph wrapped; empty without paragraphs. */
export function docComment(paragraphs: readonly string[], indent: string): string {
  const safe = paragraphs.map((text) => text.replaceAll('*/', '*\\/'));
  const [only = ''] = safe;
  if (safe.length === 0) return '';
  const short = `${indent}/** ${only} */`;
  if (safe.length === 1 && short.length <= WIDTH) return `${short}\n`;
  const lines = safe.flatMap((text, at) => [
    // Tags are adjacent; paragraphs are separated by a blank line.
    ...(at > 0 && !(text.startsWith('@') && safe[at - 1]?.startsWith('@')) ? [''] : []),
    ...wrap(text, WIDTH - indent.length - 3),
  ]);
  return `${indent}/**\n${lines.map((line) => `${indent} *${line && ` ${line}`}\n`).join('')}${indent} */\n`;
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    if (line && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line ? `${line} ${word}` : word;
    }
  }
  return [...lines, line];
}

/** A union of types: on one line, or one member per line, indented beyond `column`, if it is too long. */
export function union(members: readonly string[], column: number): string {
  const different = [...new Set(members)];
  const line = different.join(' | ');
  if (column + line.length <= WIDTH) return line;
  const indent = ' '.repeat(column + 2);
  return different.map((member) => `\n${indent}| ${member}`).join('');
}

/** A list type, with parentheses if necessary. */
export function listOf(element: string, column: number): string {
  if (element.startsWith('\n')) return `(${element}\n${' '.repeat(column)})[]`;
  return /^[\w.]+$|^\{[^{}]*\}$/.test(element) ? `${element}[]` : `(${element})[]`;
}

/** Text as a TypeScript string literal. */
export function quote(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

/** A property name, quoted if necessary. */
export function propertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quote(name);
}

export function capitalized(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
