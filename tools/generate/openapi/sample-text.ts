/** Values as the languages of code samples write them. */

const WIDTH = 72;

interface Style {
  readonly text: (text: string) => string;
  readonly key: (name: string) => string;
  readonly words: Readonly<Record<'true' | 'false' | 'null', string>>;
  readonly indent: string;
  /** Spaces inside the braces of an object on one line. */
  readonly pad: string;
}

const JAVASCRIPT: Style = {
  text: (text) =>
    `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`,
  key: (name) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JAVASCRIPT.text(name)),
  words: { true: 'true', false: 'false', null: 'null' },
  indent: '  ',
  pad: ' ',
};

const PYTHON: Style = {
  text: (text) => JSON.stringify(text),
  key: (name) => JSON.stringify(name),
  words: { true: 'True', false: 'False', null: 'None' },
  indent: '    ',
  pad: '',
};

/** A part of a value that is written as it is. */
export class Expression {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

/** @param isBroken whether it has one member per line even if it is short */
export function jsLiteral(value: unknown, isBroken = false): string {
  return write(value, JAVASCRIPT, '', isBroken);
}

export function pythonLiteral(value: unknown): string {
  return write(value, PYTHON, PYTHON.indent);
}

/** A word of a POSIX shell. */
export function shellText(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function write(value: unknown, style: Style, column: string, isBroken = false): string {
  if (typeof value === 'string') return style.text(value);
  if (typeof value === 'boolean' || value === null) return style.words[`${value}`];
  if (typeof value !== 'object') return String(value);
  if (value instanceof Expression) return value.source;
  const inner = column + style.indent;
  const parts = Array.isArray(value)
    ? value.map((item) => write(item, style, inner))
    : Object.entries(value).map(
        ([name, item]) => `${style.key(name)}: ${write(item, style, inner)}`,
      );
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  const pad = open === '{' && parts.length > 0 ? style.pad : '';
  const line = `${open}${pad}${parts.join(', ')}${pad}${close}`;
  const fits = line.length + column.length <= WIDTH && !line.includes('\n');
  if (fits && !isBroken) return line;
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${column}${close}`;
}
