import { visible } from '../../platform/visible-text.ts';

/** HTML that needs no more escaping. Only `markup` makes it, so no text of a tenant gets in unescaped. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

type Value = string | number | Markup | readonly Markup[];

/** Puts values into HTML, between tags or in quoted attributes: text is escaped, markup is not. */
export function markup(parts: TemplateStringsArray, ...values: readonly Value[]): Markup {
  const text = parts.reduce((before, part, at) => before + htmlOf(values[at - 1] ?? '') + part);
  return new Markup(text);
}

function htmlOf(value: Value): string {
  if (value instanceof Markup) return value.text;
  if (typeof value === 'object') return value.map(({ text }) => text).join('');
  return visible(String(value)).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
