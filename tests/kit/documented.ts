import { readFileSync } from 'node:fs';

/** The codes in the first column of the tables of a section of docs/, without their heads: from its heading to the next one of any level. */
export function documentedCodes(file: string, heading: string): string[] {
  const text = readFileSync(new URL(`../../docs/${file}`, import.meta.url), 'utf8');
  const [, section = ''] = text.split(`\n${heading}\n`);
  const rows = section.split(/^#/m)[0]?.match(/^\| `.*?\|(?!.*\n\|-)/gm) ?? [];
  return rows.flatMap((row) => [...row.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code));
}
