import { looksLikeSecret } from '../secret.ts';

/** What a placeholder of a command stands for: a value, or the elements of a list or of a dictionary (`name=value`). */
export type CommandValue = string | readonly string[] | undefined;

const CHARACTERS_MAX = 1_000;
const DELIMITERS = [',', ';', '|', '~', '#', '%', '!'];

/**
 * Builds one command for a POSIX shell. The words of the template are separated by spaces; `{zone}` in a word stands for
 * a value. Values come from inventories, so each word is quoted as a whole, and a value that cannot be written safely is
 * replaced by the name of its placeholder in capitals, as is a missing one:
 * - characters other than printable ASCII, which a terminal may interpret or hide;
 * - a credential;
 * - a hyphen at the start of a word, which would make an option of it.
 */
export function shellCommand(
  template: string,
  lookUp: (placeholder: string) => CommandValue,
): string {
  return template
    .split(' ')
    .map((word) => quoted(filled(word, lookUp)))
    .join(' ');
}

function filled(word: string, lookUp: (placeholder: string) => CommandValue): string {
  const fill = (safe: boolean) =>
    word.replace(/\{(\w+)\}/g, (_, placeholder: string) => {
      const value = safe ? lookUp(placeholder) : undefined;
      const text = value === undefined || typeof value === 'string' ? value : listOf(value);
      return text === undefined || !isShowable(text) ? standIn(placeholder) : text;
    });
  const text = fill(true);
  return text.startsWith('-') && !word.startsWith('-') ? fill(false) : text;
}

/** `keyRing` as KEY_RING. */
function standIn(placeholder: string): string {
  return placeholder.replace(/[A-Z]/g, '_$&').toUpperCase();
}

function isShowable(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text) && text.length <= CHARACTERS_MAX && !looksLikeSecret(text);
}

/**
 * A list in gcloud's notation. An element with a comma needs another delimiter, which `^;^` at the start declares (gcloud
 * topic escaping).
 */
function listOf(elements: readonly string[]): string | undefined {
  const joined = elements.join(',');
  const isPlain = elements.every((element) => !element.includes(',')) && !joined.startsWith('^');
  if (isPlain) return joined;
  const delimiter = DELIMITERS.find((one) => elements.every((element) => !element.includes(one)));
  return delimiter === undefined ? undefined : `^${delimiter}^${elements.join(delimiter)}`;
}

/** Quotes a word for a POSIX shell, in which only ' is special between single quotes. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
