import { existsSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Marks a text that the author must replace. `unfinished.test.ts` fails while one is left. */
export const FILL_IN = ['FILL', 'IN'].join(' ');

/** A request that cannot be carried out as it is. The message names the remedy. */
export class Misuse extends Error {}

/** Files to create and to edit. Nothing is written before `write`, so a refused command changes nothing. */
export class Draft {
  readonly #root: string;
  readonly #texts = new Map<string, string>();
  readonly #created = new Set<string>();

  constructor(root: string) {
    this.#root = root;
  }

  get created(): readonly string[] {
    return [...this.#created];
  }

  get edited(): readonly string[] {
    return [...this.#texts.keys()].filter((file) => !this.#created.has(file));
  }

  has(file: string): boolean {
    return this.#texts.has(file) || existsSync(join(this.#root, file));
  }

  read(file: string): string {
    return this.#texts.get(file) ?? readFileSync(join(this.#root, file), 'utf8');
  }

  /** @throws {Misuse} when the file exists. */
  create(file: string, text: string): void {
    if (this.has(file)) {
      throw new Misuse(`${file} already exists. Choose another name, or edit that file.`);
    }
    this.#created.add(file);
    this.#texts.set(file, text);
  }

  /**
   * Inserts a text at the first match of a pattern: before it, or after it.
   * @throws {Misuse} when the file does not contain the pattern.
   */
  insert(file: string, text: string, at: { readonly before: RegExp } | { readonly after: RegExp }) {
    const present = this.read(file);
    const match = ('before' in at ? at.before : at.after).exec(present);
    if (match === null) {
      throw new Misuse(
        `Cannot find the place in ${file}. Add this there by hand, and correct tools/new:\n${text}`,
      );
    }
    const index = match.index + ('before' in at ? 0 : match[0].length);
    this.#texts.set(file, present.slice(0, index) + text + present.slice(index));
  }

  async write(): Promise<void> {
    for (const [file, text] of this.#texts) {
      await mkdir(dirname(join(this.#root, file)), { recursive: true });
      await writeFile(join(this.#root, file), text);
    }
  }
}
