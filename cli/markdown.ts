import { printable } from './table.ts';

const TEXT_MAX = 300;

/**
 * Text as a Markdown code span. Renderers interpret nothing in one: no markup, link, mention or reference to an issue.
 * Names and messages come from plans that anyone may propose, so they are never written outside of a code span.
 */
export function codeSpan(text: string): string {
  const line = printable(text).trim();
  const shown = line.length > TEXT_MAX ? `${shortened(line)}…` : line;
  if (shown === '') return '` `';
  const longest = Math.max(0, ...(shown.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  const gap = shown.startsWith('`') || shown.endsWith('`') ? ' ' : '';
  return `${fence}${gap}${shown}${gap}${fence}`;
}

/** Cuts between characters, never within a surrogate pair. */
function shortened(line: string): string {
  return line.slice(0, TEXT_MAX).replace(/[\uD800-\uDBFF]$/, '');
}
